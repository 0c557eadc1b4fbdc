"""A bundle is reported line by line, its metric held against a known score, and taken over when that is confirmed."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from benchmarks.models import Benchmark
from benchmarks.notices.pages import standing_pages
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from scoring.models import GoldVersion
from tests.conftest import person
from tests.pages import text_of
from tests.submissions.intake.bundles.made_bundles import codabench
from tests.submissions.intake.bundles.test_archive import zipped


@pytest.fixture
def bundle(tmp_path):
    path = tmp_path / "bundle.zip"
    path.write_bytes(codabench().getvalue())
    return path


def told(*arguments: object, **options: object) -> str:
    out = io.StringIO()
    call_command("import_bundle", *arguments, stdout=out, stderr=out, **options)
    return out.getvalue()


@pytest.mark.django_db
def test_nothing_is_made_before_it_is_confirmed(bundle):
    said = told(bundle)
    assert "Mood of sentences (mood-of-sentences), from a bundle of version 2" in said
    assert "line 5: image: left out: there are no logos." in said
    assert "Nothing was made." in said
    assert not Benchmark.objects.exists()


@pytest.mark.django_db
def test_confirmed_it_is_a_benchmark_with_pages_and_sealed_labels(bundle, gold_keys):
    ann = person("ann", is_staff=True)
    said = told(bundle, "--confirm", "--confirm-clues", "--organiser", ann.email)
    benchmark = Benchmark.objects.get()
    assert list(benchmark.organisers.all()) == [ann]
    assert [version.title for version in standing_pages(benchmark)] == ["Overview", "Data"]
    assert set(GoldVersion.objects.values_list("split__slug", "item_count")) == {("dev", 4), ("test", 5)}
    assert "5 items sealed, commitment" in said
    assert benchmark.visibility == Benchmark.Visibility.DRAFT
    assert "as a draft" in said
    refresh_stale()
    page = bytes(Page.objects.get(pk="/benchmarks/mood-of-sentences/pages/overview/").body).decode()
    assert "<p>See this.</p>" in page
    assert "javascript:alert" not in page


@pytest.mark.django_db
def test_labels_that_clues_tell_of_are_left_to_the_organiser(tmp_path, gold_keys):
    from tests.submissions.intake.bundles.made_bundles import MEMBERS

    path = tmp_path / "bundle.zip"
    labels = b"good\n" * 300 + b"bad\n" * 300
    path.write_bytes(codabench(members=MEMBERS | {"test/labels.txt": labels}).getvalue())
    said = told(path, "--confirm")
    assert "Warning: not loaded: mood-of-sentences, test:" in said
    assert not GoldVersion.objects.filter(split__slug="test").exists()
    assert Benchmark.objects.exists()


@pytest.mark.django_db
def test_a_submission_of_known_score_tells_which_metric_it_was(bundle, tmp_path):
    sample = tmp_path / "sample.zip"
    sample.write_bytes(zipped({"prediction.txt": b"good\ngood\nbad\ngood\ngood\n"}).getvalue())
    said = told(bundle, "--sample", sample, "--score", "0.80")
    assert "accuracy                 0.800000     agrees" in said
    assert "f1_macro                 0.761905\n" in said
    assert "agrees" in told(bundle, "--sample", sample, "--score", "76.2")
    assert "No metric gives 0.123 for this submission." in told(
        bundle, "--sample", sample, "--score", "0.123"
    )


ENTITIES = "Ann\tB-PER\nran\tO\n\nBob\tB-PER\n\nOslo\tB-LOC\nis\tO\n"
LAYOUTS = {
    "CoNLL columns": ("conll", ENTITIES, ENTITIES.replace("B-LOC", "O"), "f1_micro", "0.800000"),
    "JSON lines": (
        "jsonl",
        "".join(f'{{"id": "q{at}", "text": "t", "label": "{label}"}}\n' for at, label in enumerate("abba")),
        "".join(f'{{"id": "q{at}", "label": "{label}"}}\n' for at, label in enumerate("abbb")),
        "accuracy",
        "0.750000",
    ),
    "TREC": (
        "txt",
        "1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n",
        "1 Q0 d2 1 2 x\n1 Q0 d1 2 1 x\n2 Q0 d3 1 1 x\n",
        "recip_rank",
        "0.750000",
    ),
    "A JSON object by ids": (
        "json",
        '{"a": "x", "b": "y", "c": "x"}',
        '{"c": "x", "a": "x", "b": "x"}',
        "accuracy",
        "0.666667",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("layout", LAYOUTS)
def test_labels_in_a_layout_of_their_own_are_sealed_and_participants_keep_it(tmp_path, gold_keys, layout):
    from tests.submissions.intake.bundles.made_bundles import MEMBERS

    ending, labels, sent, metric, value = LAYOUTS[layout]
    members = {name: data for name, data in MEMBERS.items() if not name.endswith("labels.txt")}
    members |= {f"{split}/labels.{ending}": labels.encode() for split in ("dev", "test")}
    path, sample = tmp_path / "bundle.zip", tmp_path / f"sent.{ending}"
    path.write_bytes(codabench(members=members).getvalue())
    sample.write_text(sent)
    said = told(path, "--sample", sample, "--score", value[:4])
    assert f"was read as {layout}" in said
    assert "Participants send files of that layout" in said
    assert any(line.split()[:2] == [metric, value] for line in said.splitlines())
    told(path, "--confirm", "--confirm-clues")
    assert set(GoldVersion.objects.values_list("split__slug", flat=True)) == {"dev", "test"}


@pytest.mark.django_db
def test_a_submission_of_another_phase_is_refused(bundle, tmp_path):
    sample = tmp_path / "prediction.txt"
    sample.write_bytes(b"good\nbad\n")
    with pytest.raises(CommandError, match="line 3: The file ends after 2 answers; the task has 5 items"):
        told(bundle, "--sample", sample, "--score", "0.5")
    with pytest.raises(CommandError, match="Expected the score as a number"):
        told(bundle, "--sample", sample, "--score", "good")


@pytest.mark.django_db
def test_another_metric_and_id_are_taken_and_a_wrong_one_is_refused(bundle, tmp_path):
    written = tmp_path / "definition.yaml"
    told(bundle, "--id", "mood", "--metric", "mood-of-sentences=accuracy", "--write", written)
    assert written.read_text().startswith("id: mood\n")
    assert "- name: accuracy" in written.read_text()
    with pytest.raises(CommandError, match="pearson"):
        told(bundle, "--metric", "mood-of-sentences=pearson")
    with pytest.raises(CommandError, match="The bundle gives no task other"):
        told(bundle, "--metric", "other=accuracy")


@pytest.mark.django_db
def test_a_file_that_is_no_bundle_is_refused_in_words(tmp_path):
    path = tmp_path / "bundle.zip"
    path.write_bytes(b"no zip")
    with pytest.raises(CommandError, match="this is no zip file that can be read"):
        told(path)
    with pytest.raises(CommandError, match="cannot be read or written"):
        told(tmp_path / "none.zip")


@pytest.mark.django_db
def test_a_taken_id_begins_nothing(bundle, gold_keys):
    told(bundle, "--confirm", "--confirm-clues")
    with pytest.raises(CommandError, match="a benchmark has the id mood-of-sentences already"):
        told(bundle, "--confirm", "--confirm-clues")
    assert Benchmark.objects.count() == 1


PAGE = "/admin/benchmarks/benchmark/bundle/"


def upload(data: bytes, name: str = "bundle.zip") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


@pytest.mark.django_db
def test_in_the_admin_the_report_comes_first_and_a_tick_begins(client, gold_keys):
    ann = person("ann", is_staff=True)
    client.force_login(ann)
    assert "Its programs are never run" in text_of(client.get(PAGE))
    data = codabench().getvalue()
    sample = upload(b"good\ngood\nbad\ngood\ngood\n", "prediction.txt")
    sent = {"confirmed": "1", "file": upload(data), "sample": sample, "score": "0.8"}
    said = text_of(client.post(PAGE, sent))
    assert "there are no logos" in said
    assert "0.800000</td>" in said
    assert "yes</td>" in said
    assert not Benchmark.objects.exists()
    client.post(PAGE, {"confirmed": "1", "file": upload(data), "begin": "on", "confirm_clues": "on"})
    assert list(Benchmark.objects.get().organisers.all()) == [ann]
    assert GoldVersion.objects.count() == 2


@pytest.mark.django_db
def test_in_the_admin_a_broken_bundle_says_why_and_nobody_else_may(client):
    assert client.get(PAGE).status_code == 302
    client.force_login(person("ann", is_staff=True))
    said = text_of(client.post(PAGE, {"confirmed": "1", "file": upload(b"no zip")}))
    assert "this is no zip file that can be read" in said


@pytest.mark.django_db
def test_in_the_admin_it_is_said_which_of_several_tasks_a_submission_answers(client, monkeypatch):
    from scoring.admin import bundles
    from tests.submissions.intake.bundles.made_bundles import MEMBERS

    client.force_login(person("ann", is_staff=True))
    members = {name: data for name, data in MEMBERS.items() if not name.endswith("labels.txt")}
    members |= {f"{split}/gold_{task}.txt": b"good\nbad\n" * 3 for split in ("dev", "test") for task in "ab"}
    data = codabench(members=members).getvalue()

    def said(**more: str) -> str:
        sent = {
            "confirmed": "1",
            "file": upload(data),
            "sample": upload(b"good\n" * 6, "sent.txt"),
            "score": "0.5",
        }
        return text_of(client.post(PAGE, sent | more))

    assert "Which task does it answer? There are labels of mood-of-sentences-a (dev)," in said()
    assert "0.500000</td>" in said(task="mood-of-sentences-b")
    monkeypatch.setattr(bundles, "MOST_SCORED", 10)
    assert "manage.py import_bundle FILE --sample" in said(task="mood-of-sentences-b")
