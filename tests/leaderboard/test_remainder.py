"""The private remainder: items that rank at the end of a phase alone, the others before, and nobody knows which."""

import datetime as dt

import pytest

from benchmarks.models import Phase
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.gold.box_opening import open_version
from scoring.gold.holdout_split import items_of_part, part_size
from scoring.gold.versions import load_gold, public_key
from scoring.models import GoldVersion, ScoringRun
from submissions.intake.sealing import seal
from submissions.models import Submission
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW
from tests.gold_versions import second_version
from tests.pages import text_of
from tests.quiz import GOLD, ITEMS, OTHER, as_file, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch

HOUR = dt.timedelta(hours=1)
PATH = "/benchmarks/quiz.json"
TASK = "/benchmarks/quiz/tasks/quiz.json"
WRONG = range(300)


@pytest.fixture
def phase(sync, gold_keys) -> Phase:
    return make_quiz(sync, "exact, remainder: 0.3")


@pytest.fixture
def shown(phase, client):
    """After the first release."""
    send(new_system("Larch"), phase, WRONG, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    return phase


@pytest.fixture
def over(shown):
    """After the release of the last cut-off."""
    Phase.objects.update(closes_at=CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    return shown


def items(part: str):
    return items_of_part(part, ScoringRun.objects.latest("pk").gold_version_id)


def shown_of(version: GoldVersion) -> list[bool]:
    found = items_of_part("shown 0.3", version.pk)
    assert found is not None
    kept: list[bool] = found.tolist()
    return kept


def right_among(part: str) -> float:
    """The accuracy of the system on the items of a part."""
    found = items(part)
    return float(sum(found[at] for at in range(ITEMS) if at not in WRONG) / found.sum())


def test_the_two_parts_have_no_item_in_common_and_lack_none(shown):
    before, after = items("shown 0.3"), items("remainder 0.3")

    assert (before ^ after).all()
    assert (before.sum(), after.sum()) == (700, 300)


def test_the_parts_follow_from_the_sealed_salt_and_not_from_the_order_of_items(shown):
    after = items("remainder 0.3")

    assert 60 < after[:300].sum() < 120


def test_while_the_phase_runs_only_the_other_items_are_scored(shown):
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]

    assert cell["value"] == pytest.approx(right_among("shown 0.3"), abs=5e-5)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert board(PATH)["part"] == "shown 0.3"
    assert {run.part for run in ScoringRun.objects.all()} == {"shown 0.3"}


def test_at_its_end_the_items_that_were_kept_back_rank_alone(over):
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]

    assert cell["value"] == pytest.approx(right_among("remainder 0.3"), abs=5e-5)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert board(PATH)["part"] == "remainder 0.3"


def test_pages_say_which_items_count(shown, client):
    assert "30% of the items, drawn with a sealed salt, are kept back" in text_of(
        client.get("/benchmarks/quiz/")
    )

    Phase.objects.update(closes_at=CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)

    assert "those of the 30% of the items that were kept back" in text_of(client.get("/benchmarks/quiz/"))


def test_new_gold_labels_are_scored_on_the_same_part_again(over):
    corrected = [OTHER[label] if at < 300 else label for at, label in enumerate(GOLD)]
    load_gold(
        task=over.benchmark.tasks.get(),
        data=as_file(corrected),
        file_name="quiz.csv",
        now=CUT_OFF + WEEK + HOUR,
        note="The first three hundred were wrong.",
        confirm_clues=True,
    )
    run_batch(CUT_OFF + 2 * WEEK)

    assert row_of(board(TASK), "Larch")["cells"]["quiz"]["value"] == 1.0
    assert board(PATH)["part"] == "remainder 0.3"


def test_a_corrected_label_and_the_same_file_loaded_again_keep_the_same_items_back(shown):
    before = items("shown 0.3")
    for labels in (GOLD, [OTHER[GOLD[0]], *GOLD[1:]], GOLD):
        load_gold(
            task=shown.benchmark.tasks.get(),
            data=as_file(labels),
            file_name="quiz.csv",
            now=CUT_OFF,
            confirm_clues=True,
        )
    run_batch(CUT_OFF + WEEK)

    assert ScoringRun.objects.latest("pk").gold_version.number == 4
    assert (items("shown 0.3") == before).all()
    assert row_of(board(TASK), "Larch")["cells"]["quiz"]["value"] == pytest.approx(
        right_among("shown 0.3"), abs=5e-5
    )


def test_items_are_kept_back_by_their_ids_wherever_they_stand_in_the_file(phase):
    reloaded = as_file(GOLD).decode().split("\n")
    lines = [reloaded[0], *reversed(reloaded[1:-1]), ""]
    load_gold(
        task=phase.benchmark.tasks.get(),
        data="\n".join(lines).encode(),
        file_name="quiz.csv",
        now=NOW,
        confirm_clues=True,
    )

    first, second = GoldVersion.objects.order_by("number")

    assert shown_of(first) == shown_of(second)


def test_other_items_are_drawn_anew(phase):
    fewer = as_file(GOLD[:500])
    second = load_gold(
        task=phase.benchmark.tasks.get(),
        data=fewer,
        file_name="quiz.csv",
        now=NOW,
        confirm_clues=True,
    ).version

    assert second.remainder_by == second.commitment
    assert shown_of(second).count(False) == 150


def test_a_remainder_from_before_is_kept_by_the_versions_that_follow(phase):
    """It was drawn by the places of items, under a salt that was new with every version."""
    _as_before(GoldVersion.objects.get())
    before = shown_of(GoldVersion.objects.get(number=2))

    third = load_gold(
        task=phase.benchmark.tasks.get(),
        data=as_file(GOLD),
        file_name="quiz.csv",
        now=NOW,
        confirm_clues=True,
    ).version

    assert third.remainder_by == GoldVersion.objects.get(number=2).commitment
    assert shown_of(third) == before


def _as_before(version: GoldVersion) -> None:
    gold = open_version(version)[1]
    sealed = seal(gold, public_key())
    second_version(version, sealed.ciphertext, remainder_by="", commitment=sealed.commitment)


@pytest.fixture
def tried(phase) -> Phase:
    """Of three answers the first has most of the shown items right, and the last, sent at the end, the most others."""
    shown = shown_of(GoldVersion.objects.get())
    of_part = {side: [at for at in range(ITEMS) if shown[at] == side] for side in (True, False)}
    larch = new_system("Larch")
    send(larch, phase, [*of_part[True][:100], *of_part[False][:150]], at=CUT_OFF - HOUR)
    send(larch, phase, [*of_part[True][:140], *of_part[False][:60]], at=CUT_OFF - HOUR / 2)
    run_batch(CUT_OFF)
    Phase.objects.update(closes_at=CUT_OFF + WEEK)
    send(larch, phase, of_part[True][:200], at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    return phase


def test_the_best_answer_is_chosen_by_the_items_that_were_shown(tried):
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]

    assert board(PATH)["part"] == "remainder 0.3"
    assert cell["value"] == 0.5


def test_an_answer_that_was_never_shown_is_weighed_by_those_items_too(tried):
    best = Submission.objects.earliest("received_at")
    withdraw(submission=best, user=best.submitted_by, now=CUT_OFF + WEEK + HOUR)

    run_batch(CUT_OFF + 2 * WEEK)

    assert row_of(board(TASK), "Larch")["cells"]["quiz"]["value"] == 0.8
    last = Submission.objects.latest("received_at")
    assert set(last.runs.values_list("part", "status")) == {("shown 0.3", "done"), ("remainder 0.3", "done")}


def test_what_was_chosen_without_the_remainder_can_be_made_again(tried):
    for release in Release.objects.select_related("benchmark", "phase", "batch"):
        assert reproduce(release)[0].differences == []


def test_both_releases_can_be_made_again(over):
    for release in Release.objects.select_related("benchmark", "phase", "batch"):
        assert reproduce(release)[0].differences == []


def test_neither_part_is_ever_empty():
    assert (part_size("shown 0.1", 3), part_size("remainder 0.1", 3)) == (2, 1)
    assert (part_size("shown 0.9", 3), part_size("remainder 0.9", 3)) == (1, 2)
    assert part_size("", 3) == 3
