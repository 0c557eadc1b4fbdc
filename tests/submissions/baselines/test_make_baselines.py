"""`manage.py make_baselines`: from a folder of training files to scored rows of kind baseline."""

import io
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Team
from accounts.services import create_team
from benchmarks.models import Split, Texts
from submissions.baselines.material import texts_names, training_names
from submissions.models import Predictions, Submission, System
from tests.conftest import NOW, TOY_GOLD
from tests.people import appoint
from tests.slots import slots_used
from tests.weeks import CUT_OFF, board, row_of, run_batch

EMAIL = "owner@example.org"
TRAIN = {
    "mood.train.csv": "ID,Text,Label\nt1,sunny,good\nt2,rain,bad\nt3,sunny day,good\n",
    "colour.csv": "ID,Text,Label\nt1,sky,green\nt2,rose,red\nt3,meadow,green\n",
}
TEST = {
    "mood.test.csv": "ID,Text\n"
    + "".join(f"m{n},{'sunny' if n in (1, 2, 5) else 'rain'}\n" for n in range(1, 7)),
    "colour.test.csv": "ID,Text\nc1,rose\nc2,meadow\nc3,sky\nc4,a rose\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "train"
    found.mkdir()
    return found


@pytest.fixture
def organised(toy, owner):
    """The toy benchmark, organised by the owner."""
    appoint(toy, owner)
    return toy


def fill(folder: Path, *files: dict[str, str]) -> None:
    for name, text in (pair for some in files for pair in some.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def make(folder: Path, *arguments: str, benchmark: str = "toy", user: str | None = EMAIL) -> tuple[str, str]:
    """What the command writes to its two outputs."""
    out, err = io.StringIO(), io.StringIO()
    sender = [f"--user={user}"] if user else []
    call_command(
        "make_baselines", benchmark, f"--train={folder}", *sender, *arguments, stdout=out, stderr=err
    )
    return out.getvalue(), err.getvalue()


def refusal(folder: Path, *arguments: str, **more: Any) -> str:
    with pytest.raises(CommandError) as refused:
        make(folder, *arguments, **more)
    assert not Submission.objects.exists()
    return str(refused.value)


def answers(system: str, task: str, split: str = "test", seed: int = 1) -> list[Any]:
    row = Predictions.objects.get(
        submission__system__name=system, split__task__slug=task, split__slug=split, seed=seed
    )
    found: list[Any] = row.canonical().codes.tolist()
    return found


# From the folder to the board


def test_majority_stands_on_the_board_as_a_baseline_with_its_hand_computed_score(
    organised, folder, monkeypatch
):
    monkeypatch.setattr("submissions.management.commands.make_baselines.database_now", lambda: NOW)
    fill(folder, TRAIN)

    out, err = make(folder, "--only=majority")
    run_batch(CUT_OFF)

    row = row_of(board(), "Majority")
    # mood: all six `good`, three of them rightly: F1 is 2/3 for good and 0 for bad. colour: all four `green`, one of
    # them rightly: F1 is 2/5 for green and 0 for the two others.
    mood, colour = (2 / 3 + 0) / 2, (2 / 5 + 0 + 0) / 3
    values = {key: cell["value"] for key, cell in row["cells"].items()}
    assert row["kind"] == "baseline"
    assert row["rank"] is None
    assert values["mood"] == pytest.approx(mood, abs=5e-5)
    assert values["colour"] == pytest.approx(colour, abs=5e-5)
    assert values["overall"] == pytest.approx((mood + colour) / 2, abs=5e-5)
    assert "Majority: submission" in out
    assert not err


def test_all_that_the_definition_names_are_made_by_one_team(organised, folder):
    fill(folder, TRAIN)

    make(folder)

    assert {(each.name, each.kind, each.team.name) for each in System.objects.all()} == {
        ("Majority", "baseline", "Baselines"),
        ("Random", "baseline", "Baselines"),
    }


@pytest.mark.parametrize("baseline", ["svm_unigrams", "adaboost"])
def test_a_learner_of_words_answers_what_the_texts_say(organised, folder, baseline):
    fill(folder, TRAIN, TEST)

    make(folder, f"--only={baseline}")

    name = {"svm_unigrams": "SVM unigrams", "adaboost": "AdaBoost"}[baseline]
    assert answers(name, "mood") == [1, 1, 0, 0, 1, 0]


def test_uploaded_texts_are_read_before_those_of_the_folder(organised, folder):

    fill(folder, TRAIN, TEST)
    texts = "id,text\n" + "".join(f"m{number},rain\n" for number in range(1, 7))
    Texts.objects.create(
        split=Split.objects.get(task__slug="mood"), header=["id", "text"], packed=zlib.compress(texts.encode()),
        sha256="0" * 64, item_count=6, made_at=NOW,
    )  # fmt: skip

    make(folder, "--only=svm_unigrams")

    assert answers("SVM unigrams", "mood") == [0] * 6


def test_running_again_doubles_nothing(organised, folder):
    fill(folder, TRAIN)
    make(folder)

    out, _ = make(folder)

    assert Submission.objects.count() == 2
    assert out.count("were uploaded before") == 2


def test_the_seed_decides_what_is_guessed(organised, folder):
    fill(folder, TRAIN)
    make(folder, "--only=random", "--seed=1")
    make(folder, "--only=random", "--seed=2")

    first, second = Submission.objects.order_by("received_at")
    assert first.predictions_sha256 != second.predictions_sha256


def test_baselines_leave_the_quota_as_it_was(organised, folder):
    fill(folder, TRAIN)
    phase = organised.phases.get()

    make(folder)

    assert slots_used(team=Team.objects.get(name="Baselines"), phase=phase, at=phase.next_cut_off_at) == 0


# What is lacking or wrong


def test_a_missing_training_file_is_named_with_the_names_looked_for(organised, folder):
    fill(folder, {"mood.csv": TRAIN["mood.train.csv"]})

    message = refusal(folder)

    assert "colour has no training file" in message
    for name in training_names(organised.spec.task("colour")):
        assert name in message
    assert "data/colour/predictions.csv" in message
    assert "mood has no training file" not in message


def test_a_fault_in_a_training_file_is_told_with_its_line(organised, folder):
    fill(folder, TRAIN, {"colour.csv": "ID,Text,Label\nt1,sky,purple\n"})

    assert "colour.csv, line 2, column Label: “purple” is not a label of this task" in refusal(folder)


def test_the_gold_file_is_no_training_file(organised, folder):
    fill(folder, TRAIN, {"colour.csv": TOY_GOLD["colour"].decode()})

    assert "colour.csv has exactly the ids of colour/test: these are the gold labels" in refusal(folder)


def test_two_files_for_one_task_are_refused(organised, folder):
    fill(folder, TRAIN, {"mood.csv": TRAIN["mood.train.csv"]})

    assert "several files fit the same task: mood.csv, mood.train.csv" in refusal(folder)


def test_without_texts_a_learner_of_words_uploads_nothing_and_says_why(organised, folder):
    fill(folder, TRAIN, {"mood.test.csv": TEST["mood.test.csv"]})

    out, err = make(folder, "--only=svm_unigrams")

    assert not Submission.objects.exists()
    assert not out
    assert "SVM unigrams: colour cannot be learnt from texts: colour/test has no texts" in err
    for name in texts_names(organised.spec.task("colour"), "test"):
        assert name in err


def test_training_files_of_labels_alone_serve_majority(organised, folder):
    fill(folder, {"mood.csv": "ID,Label\nt1,good\n", "colour.csv": "ID,Label\nt1,red\n"})

    _, err = make(folder, "--only=majority", "--only=svm_unigrams")

    assert answers("Majority", "mood") == [1] * 6
    assert "the training file of mood has no column of text" in err


def test_texts_that_lack_an_item_are_refused(organised, folder):
    fill(folder, TRAIN, TEST, {"colour.test.csv": "ID,Text\nc1,rose\nc2,meadow\nc3,sky\n"})

    assert "colour.test.csv has no text for 1 of the 4 ids of test, the first of them 'c4'" in refusal(folder)


def test_texts_of_other_columns_than_those_learnt_from_are_refused(organised, folder):
    fill(folder, TRAIN, TEST, {"colour.test.csv": "ID,Title,Text\nc1,a,b\nc2,a,b\nc3,a,b\nc4,a,b\n"})

    assert "the training file has the text columns Text, but colour.test.csv has Title, Text" in refusal(
        folder
    )


def test_the_first_organiser_sends_them_where_nobody_is_named(organised, owner, folder):
    fill(folder, TRAIN)
    make(folder, user=None)
    assert {one.submitted_by for one in Submission.objects.all()} == {owner}


def test_a_benchmark_without_organisers_asks_who_sends_them(toy, folder):
    fill(folder, TRAIN)
    assert "Say with --user EMAIL" in refusal(folder, user=None)


def test_only_organisers_make_baselines(toy, owner, folder):
    fill(folder, TRAIN)

    assert "owner@example.org does not organise Toy" in refusal(folder)


def test_a_team_of_that_name_that_is_not_the_organisers_own_is_not_used(organised, outsider, folder):
    create_team(name="Baselines", founder=outsider, now=NOW)
    fill(folder, TRAIN)

    assert "no member of the team Baselines" in refusal(folder)
    make(folder, "--team=Toy baselines")
    assert Submission.objects.count() == 2


def test_a_system_of_that_name_that_is_no_baseline_is_left_alone(organised, team, folder):
    System.objects.create(team=team, name="Majority", created_at=NOW)
    fill(folder, TRAIN)

    assert "has a system named Majority that is no baseline" in refusal(folder, "--team=North")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--only=oracle"],
            "There is no baseline oracle. Known baselines: majority, plurality, random, svm_unigrams, adaboost.",
        ),
        (["--phase=never"], "Toy has no phase never. Its phases are main."),
        (["--seed=-1"], "expected a whole number from 0"),
        (["--track=30"], "Toy has no track “30”"),
    ],
)
def test_a_wrong_argument_is_told(organised, folder, arguments, message):
    fill(folder, TRAIN)

    assert message in refusal(folder, *arguments)


def test_unknown_benchmarks_people_and_folders_are_told(organised, folder):
    fill(folder, TRAIN)

    assert "There is no benchmark tyo. Known benchmarks: toy." in refusal(folder, benchmark="tyo")
    assert "Nobody has an account with the address nobody@example.org" in refusal(
        folder, user="nobody@example.org"
    )
    assert "is no folder" in refusal(folder / "none")
