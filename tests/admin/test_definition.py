"""A definition is taken away, edited and brought back; what would change is said first."""

from html import unescape
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.models import Benchmark, DefinitionDocument
from benchmarks.spec.document import DefinitionError, parse_yaml
from scoring.definitions.differences import differences
from scoring.definitions.editing import MAX_BYTES, as_yaml, import_edited
from tests.conftest import NOW

EXPORT = "/admin/benchmarks/benchmark/toy/export_definition/"
IMPORT = "/admin/benchmarks/benchmark/toy/import_definition/"
# Six lines that stand for a million values.
MULTIPLIED = "".join(f"k{n}: &k{n} [{', '.join([f'*k{n - 1}' if n else '1'] * 10)}]\n" for n in range(6))


@pytest.fixture
def bring(client, organiser):
    """Uploads an edited definition of the toy benchmark."""
    client.force_login(organiser)

    def _post(text):
        data = text if isinstance(text, bytes) else text.encode()
        return client.post(IMPORT, {"file": SimpleUploadedFile("toy.yaml", data)})

    return _post


def edited(change) -> str:
    document = Benchmark.objects.get(pk="toy").definition.document
    change(document)
    return yaml.safe_dump(document, sort_keys=False)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["raft", "ait2018", "stance", "dynasent", "bibi", "rumoureval2019"])
def test_an_export_reads_as_the_same_definition(name):
    file = Path(settings.BASE_DIR) / "benchmarks" / "definitions" / f"{name}.yaml"
    document = parse_yaml(file.read_text("utf-8"), name)
    benchmark = Benchmark(slug=name)
    benchmark.definition = DefinitionDocument(document=document)
    assert parse_yaml(as_yaml(benchmark), name) == document


def test_the_export_is_a_file_named_after_the_benchmark(client, organiser):
    client.force_login(organiser)
    answer = client.get(EXPORT)
    assert answer["Content-Disposition"] == 'attachment; filename="toy.yaml"'
    assert parse_yaml(answer.content.decode(), "toy") == Benchmark.objects.get(pk="toy").definition.document


def test_what_would_change_is_said_and_nothing_is_changed(bring):
    page = unescape(
        bring(edited(lambda one: one["tasks"][0].update(labels=["bad", "good", "so-so"]))).content.decode()
    )
    assert "tasks[mood].labels changes from “bad, good” to “bad, good, so-so”" in page
    assert "toy/mood: version 2" in page
    assert Benchmark.objects.get(pk="toy").tasks.get(slug="mood").version == 1


def test_confirmed_it_is_changed(bring, client):
    shown = bring(edited(lambda one: one.update(title="Toys")))
    text = shown.context["question"].form["text"].value()
    answer = client.post(IMPORT, {"text": text.replace("\n", "\r\n"), "confirmed": "yes"})
    assert answer.status_code == 302
    assert Benchmark.objects.get(pk="toy").title == "Toys"


def test_what_somebody_else_changed_after_it_was_shown_is_shown_before_it_is_undone(bring, client):
    mine, theirs = (
        bring(edited(lambda one, key=key: one.update({key: "Other"}))) for key in ("title", "summary")
    )
    sent = {
        "text": theirs.context["question"].form["text"].value(),
        "as_opened": opened(theirs),
        "confirmed": "yes",
    }
    client.post(IMPORT, sent)

    sent = {
        "text": mine.context["question"].form["text"].value(),
        "as_opened": opened(mine),
        "confirmed": "yes",
    }
    page = client.post(IMPORT, sent)

    told = unescape(page.content.decode())
    assert "The definition was changed since you were shown what the file would change" in told
    assert "Two small tasks." in told
    toy = Benchmark.objects.get(pk="toy").spec
    assert (toy.title, toy.summary) == ("Toy", "Other")
    client.post(IMPORT, sent | {"as_opened": opened(page)})
    assert Benchmark.objects.get(pk="toy").title == "Other"


def test_of_two_who_change_a_definition_at_once_nobody_undoes_what_the_other_did(toy):
    seen = Benchmark.objects.get(pk="toy")
    import_edited(seen, seen.definition.document | {"title": "Toys"}, NOW)

    with pytest.raises(DefinitionError, match="somebody has changed it at this very moment"):
        import_edited(seen, seen.definition.document | {"summary": "Other"}, NOW)


def opened(page) -> str:
    """What a page sends along of what it was made from."""
    return page.context["question"].form.as_opened


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id: [", "toy.yaml, line"),
        ("[a]: 1", "a key is a list"),
        (b"id: \xff", "line 1: this is not UTF-8"),
        (MULTIPLIED, "line 5: aliases repeat more than 100,000 values"),
        ("a: &a [*a]", "line 1: an alias stands within what it names"),
        ("a: .inf", "holds a number that is not finite"),
        ("[" * 5000, "nests too deep"),
        ("id: 2001-99-99", "line 1: '2001-99-99' cannot be read as a date"),
        ("#" * 300_000, "a definition has at most 256 KB"),
    ],
    ids=["syntax", "key", "bytes", "multiplied", "endless", "infinity", "deep", "no date", "long"],
)
def test_what_is_no_definition_is_refused_in_words(bring, text, told):
    assert told in unescape(bring(text).content.decode())


@pytest.mark.parametrize(
    "as_opened", [{}, {"as_opened": "of before"}], ids=["as it was", "changed meanwhile"]
)
@pytest.mark.parametrize(
    "text", ["\0", "id: toy\0", "x" * (MAX_BYTES + 1)], ids=["nothing", "a NUL", "too long"]
)
def test_a_text_that_cannot_be_read_when_it_comes_back_is_asked_for_again(client, organiser, text, as_opened):
    client.force_login(organiser)

    answer = client.post(IMPORT, {"text": text, "confirmed": "yes"} | as_opened)

    question = answer.context["question"]
    assert answer.status_code == 200
    assert "file" in question.form.fields
    assert len(question.problems) == 1


def test_mistakes_are_named_by_their_keys(bring):
    page = unescape(bring(edited(lambda one: one["tasks"][0].update(colour=1))).content.decode())
    assert "toy.yaml: tasks[mood].colour: is not a key of this place" in page


def test_another_benchmarks_definition_is_refused(bring):
    page = unescape(bring(edited(lambda one: one.update(id="other"))).content.decode())
    assert "expected 'toy', whose page this is" in page


def test_differences_name_what_is_new_gone_and_moved():
    before = {"a": 1, "tasks": [{"id": "x"}, {"id": "y"}], "b": {"c": True}}
    after = {"tasks": [{"id": "y"}, {"id": "x"}], "b": {"c": False}, "d": ["e", "f"]}
    assert list(differences(before, after)) == [
        "a goes; it was “1”",
        "tasks are in another order",
        "b.c changes from “yes” to “no”",
        "d is new: “e, f”",
    ]
