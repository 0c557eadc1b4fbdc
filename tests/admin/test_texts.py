"""Title, summary, citation and instructions are changed in the admin, and the definition and its imports follow."""

import pytest
import yaml

from accounts.models import AuditEntry
from tests.pages import text_of

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
