"""Title, summary, citation and instructions are changed in the admin, and the definition and its imports follow."""

from pathlib import Path

import pytest
import yaml

import benchmarks
from accounts.models import AuditEntry
from tests.pages import text_of

DEFINITIONS = sorted((Path(benchmarks.__file__).parent / "definitions").glob("*.yaml"))
ADDRESS = "/admin/benchmarks/benchmark/toy/edit_texts/"


@pytest.fixture
def change(client, world, organiser):
    client.force_login(organiser)
    form = client.get(ADDRESS).context["question"].form
    texts = {name: field.initial for name, field in form.fields.items()}

    def _change(**given):
        texts.update({place.replace("__", "."): text for place, text in given.items()})
        return client.post(ADDRESS, {"confirmed": "yes", "reason": "Clearer.", **texts}, follow=True)

    return _change


def exported(client):
    return client.get("/admin/benchmarks/benchmark/toy/export_definition/").content.decode()


def test_an_organiser_changes_texts_without_a_file_and_no_number_changes(client, world, change, organiser):
    toy = world.phase.benchmark
    versions = list(toy.tasks.values_list("slug", "version"))
    page = text_of(change(title="Moods", tasks__mood__instructions="Say how it feels.\r\nOne word."))
    assert "2 texts were changed." in page
    toy.refresh_from_db()
    assert (toy.title, toy.spec.title, toy.spec.task("mood").instructions) == (
        "Moods",
        "Moods",
        "Say how it feels.\nOne word.",
    )
    assert list(toy.tasks.values_list("slug", "version")) == versions
    entry = AuditEntry.objects.get(kind="edit texts")
    assert (entry.actor, entry.reason) == (organiser, "Clearer.")
    assert "title changes from" in entry.what
    assert yaml.safe_load(exported(client))["title"] == "Moods"


def test_an_import_shows_where_a_file_differs_from_what_was_typed(client, change):
    from django.core.files.uploadedfile import SimpleUploadedFile

    before = exported(client)
    change(summary="Another summary.")
    file = SimpleUploadedFile("toy.yaml", before.encode())
    page = client.post("/admin/benchmarks/benchmark/toy/import_definition/", {"file": file})
    assert "summary changes from 'Another summary.'" in text_of(page).replace("“", "'").replace("”", "'")


def test_nothing_is_written_where_nothing_differs_and_an_empty_title_is_refused(change):
    assert "nothing was changed" in text_of(change())
    assert not AuditEntry.objects.filter(kind="edit texts").exists()
    assert "This field is required" in text_of(change(title=""))


@pytest.mark.thorough
@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_texts_of_every_definition_that_comes_along_can_be_changed(path, client, sync, staff):
    """Also where one text is that of several tasks (`for_each`)."""
    benchmark = sync(path.read_text("utf-8"))
    client.force_login(staff)
    address = f"/admin/benchmarks/benchmark/{benchmark.pk}/edit_texts/"
    fields = client.get(address).context["question"].form.fields
    assert all(field.label for field in fields.values())
    texts = {name: field.initial for name, field in fields.items()}
    summary = next(name for name in texts if name.startswith("tasks.") and name.endswith(".summary"))
    texts[summary] = "Said anew."
    page = client.post(address, {"confirmed": "yes", "reason": "Clearer.", **texts}, follow=True)
    assert "1 text was changed." in text_of(page)
    benchmark.refresh_from_db()
    assert "Said anew." in {task.summary for task in benchmark.spec.tasks}
