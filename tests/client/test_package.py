"""The package `heldout`: answers in memory are judged and sent as files are."""

import numpy as np
import pandas as pd
import pytest

import heldout
from submissions.models import Refusal, Submission

MOOD = {"m1": "good", "m2": "good", "m3": "bad", "m4": "bad", "m5": "good", "m6": "bad"}
COLOUR = {"c1": "red", "c2": "green", "c3": "dark blue", "c4": "red"}
BOTH = {"mood": MOOD, "colour": COLOUR}


def frame(answers: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame({"ID": list(answers), "Label": list(answers.values())})


@pytest.mark.parametrize(
    "answers",
    [
        BOTH,
        {task: frame(of_task) for task, of_task in BOTH.items()},
        {task: frame(of_task).set_index("ID") for task, of_task in BOTH.items()},
        {task: {key: np.str_(label) for key, label in of_task.items()} for task, of_task in BOTH.items()},
    ],
)
def test_mappings_and_frames_are_read_as_files_are(answers, ids):
    found = heldout.check(answers, benchmark="toy", ids=ids)

    assert found
    assert (found.tasks, found.labels_read, found.problems) == (("mood", "colour"), 10, ())
    assert "No problem found: 2 tasks, 10 labels." in str(found)


def test_a_path_is_read_as_the_command_reads_it(predictions, ids):
    assert heldout.check(predictions, benchmark="toy", ids=ids).ok


def test_problems_have_their_line_and_column_as_on_the_server(ids):
    found = heldout.check(BOTH | {"mood": {**MOOD, "m3": "Bad"}}, benchmark="toy", ids=ids)

    assert not found
    (problem,) = found.problems
    assert (problem.file, problem.line, problem.column) == ("data/mood/predictions.csv", 4, "Label")
    assert found.causes[0].count == 1
    assert "data/mood/predictions.csv:4:Label" in str(found)


def test_answers_of_one_task_are_named_by_it(ids):
    assert heldout.check(MOOD, benchmark="toy", ids=ids, task="mood").tasks == ("mood",)


@pytest.mark.parametrize(
    ("answers", "more", "said"),
    [
        (frame(MOOD), {}, "Give task="),
        ({"moods": MOOD}, {}, "There is no task 'moods' here"),
        ({"mood": ["good"]}, {}, "expected a mapping from id to label, or a data frame. Found list"),
        ({"mood": frame(MOOD).rename(columns={"Label": "label"})}, {}, "no column Label. It has ID, label"),
    ],
)
def test_what_is_no_table_of_answers_is_told_in_words(answers, more, said, ids):
    with pytest.raises(heldout.ClientError, match=said):
        heldout.check(answers, benchmark="toy", ids=ids, **more)


@pytest.mark.django_db(transaction=True)
def test_what_is_fine_is_sent_and_answered_with_a_typed_receipt(server, signed_in, system, capsys):
    receipt = heldout.submit(BOTH, phase="toy/main", system="Larch", progress=False)

    stored = Submission.objects.get()
    assert receipt.id == str(stored.pk)
    assert (receipt.status, receipt.is_repeat, receipt.labels_read) == ("accepted", False, 10)
    assert (receipt.quota_used, receipt.replaces) == (1, ())
    assert receipt.receipt is None or receipt.receipt.is_file()
    assert "Accepted: 2 tasks, 10 labels." in str(receipt)
    assert heldout.status(receipt.id)["status"] == "accepted"
    assert capsys.readouterr() == ("", "")
    with pytest.raises(heldout.ClientError, match=r"no release yet\. It is scored at the cut-off on "):
        heldout.result(receipt.id)


@pytest.mark.django_db(transaction=True)
def test_the_second_says_which_one_it_replaces(server, signed_in, system):
    first = heldout.submit(BOTH, phase="toy/main", system="Larch")
    second = heldout.submit(BOTH | {"mood": {**MOOD, "m1": "bad"}}, phase="toy/main", system="Larch")

    assert second.replaces == (first.id,)


@pytest.mark.django_db(transaction=True)
def test_what_has_problems_is_not_sent(server, signed_in, system):
    with pytest.raises(heldout.NotAccepted) as refused:
        heldout.submit(BOTH | {"mood": {**MOOD, "m3": "Bad"}}, phase="toy/main", system="Larch")

    assert refused.value.result.problems[0].line == 4
    assert not Submission.objects.exists()
    assert not Refusal.objects.exists()
