"""A round is drawn against what a submission has stored, on the command line."""

import io
import json
from itertools import product

import pytest
from django.core.management import CommandError, call_command

from scoring.gold.responses import load_responses
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW
from tests.responses import DEFINITION, labelled, responses_of
from tests.uploads import zip_of

LABELS = ("positive", "negative", "neutral")
LETTERS = {"positive": "pppp", "negative": "nnnn", "neutral": "oooo"}
CELLS = [(f"c{number:02}", *cell) for number, cell in enumerate([*product(LABELS, LABELS)] * 2)]
"""Id, gold label and prediction: two of each, enough for nine items of dev and nine of test."""
WITH_CANDIDATES = DEFINITION.replace(
    'file: "{task}_dev.csv"}]',
    'file: "{task}_dev.csv"}, {id: candidates, title: Candidates, file: "{task}_candidates.csv"}]',
)
CANDIDATES = responses_of(*[(name, LETTERS[label] + "m") for name, label, _ in CELLS], ("x1", "mmmpn"))
ANSWERS = [(name, predicted) for name, _, predicted in CELLS]


@pytest.fixture
def task(sync, gold_keys):
    return sync(WITH_CANDIDATES).tasks.get(slug="round1")


@pytest.fixture
def answered(task, system):
    """A submission that answers the candidates, which were loaded as a split of the task."""
    loaded(task, "candidates", CANDIDATES)
    return sent(task, system, {"round1_candidates.csv": labelled(ANSWERS)})


def loaded(task, split, data):
    return load_responses(task=task, split_slug=split, data=data, file_name="c.jsonl", now=NOW)


def sent(task, system, files):
    return submit_predictions(
        PredictionUpload(
            system=system,
            phase=task.benchmark.phases.get(),
            user=system.team.members.get(),
            data=zip_of(files),
            file_name="upload.zip",
            received_at=NOW,
        )
    ).submission


def draw(folder, *, candidates=CANDIDATES, **options):
    (folder / "candidates.jsonl").write_bytes(candidates)
    file = folder / "system.csv"
    file.write_bytes(labelled([*ANSWERS, ("x1", "neutral")]))
    given = options or {"system": file}
    out = folder / ("from-submission" if options else "from-file")
    call_command(
        "draw_round",
        "toy",
        "round1",
        responses=folder / "candidates.jsonl",
        dev=9,
        test=9,
        out=out,
        stdout=io.StringIO(),
        **given,
    )
    return out


def refusal(folder, **options):
    with pytest.raises(CommandError) as told:
        draw(folder, **options)
    return str(told.value)


def test_a_submission_draws_what_a_file_of_its_predictions_does(answered, tmp_path):
    ours, theirs = draw(tmp_path, submission=str(answered.pk)), draw(tmp_path)

    for name in ("dev.jsonl", "test.jsonl", "train.jsonl", "dev-texts.csv", "test-texts.csv"):
        assert (ours / name).read_bytes() == (theirs / name).read_bytes()


def test_the_report_names_submission_and_system(answered, tmp_path):
    report = json.loads((draw(tmp_path, submission=str(answered.pk)) / "report.json").read_text())

    assert report["predictions"] == {
        "submission": str(answered.pk),
        "system": "Larch",
        "sha256": answered.file_sha256,
    }
    assert report["dev"]["scores"]["f1_macro"] == pytest.approx(1 / 3, abs=1e-12)


def test_candidates_that_the_submission_left_out_are_named(answered, tmp_path):
    more = CANDIDATES + responses_of(("n1", "ppppm"), ("n2", "nnnnm"), ("n3", "mmmmm"))
    told = refusal(tmp_path, candidates=more, submission=str(answered.pk))

    assert "has no predictions in round1 for 2 of the 20 candidates that could be drawn: n1, n2." in told


@pytest.mark.parametrize("name", ["42", "00000000-0000-4000-8000-000000000000"], ids=["no-id", "unknown"])
def test_an_unknown_submission_is_told_with_those_there_are(answered, tmp_path, name):
    told = refusal(tmp_path, submission=name)

    assert f"No submission {name} answers toy/round1" in told
    assert f"{answered.pk}  Larch, North, Wed 18 Nov 2026, 12:00 UTC: candidates" in told


def test_a_withdrawn_submission_is_none(answered, system, tmp_path):
    withdraw(submission=answered, user=system.team.members.get(), now=NOW)

    assert "None does yet." in refusal(tmp_path, submission=str(answered.pk))


def test_an_id_that_two_splits_answer_differently_is_named(task, system, tmp_path):
    loaded(task, "candidates", CANDIDATES)
    loaded(task, "dev", responses_of(("c00", "ppppm")))
    files = {"round1_candidates.csv": labelled(ANSWERS), "round1_dev.csv": labelled([("c00", "neutral")])}
    submission = sent(task, system, files)

    told = refusal(tmp_path, submission=str(submission.pk))
    assert "answers c00 in" in told
    assert "as a file" in told


def test_predictions_come_from_one_place(answered, tmp_path):
    with pytest.raises(CommandError, match="not allowed with"):
        draw(tmp_path, system=tmp_path / "system.csv", submission=str(answered.pk))
