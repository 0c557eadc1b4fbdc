"""The half that is kept back: it ranks at the end of a phase alone, the other before, and nobody knows which it is."""

import datetime as dt
import re

import numpy as np
import pytest

from benchmarks.models import Phase, Split
from catalogue.disclosure.rule import ALL, DISPLAYED, NOISED, REMAINDER
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.core.uncertainty.power import deviation_of_accuracy, smallest_difference
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import Mask, items_of_part
from scoring.gold.versions import load_gold
from scoring.models import Batch, FinalAnswer, GoldVersion, ScoringRun
from submissions.models import Choice, Submission
from submissions.systems.status_transitions import choose, withdraw
from tests.conftest import NOW
from tests.pages import text_of
from tests.quiz import GOLD, ITEMS, OTHER, as_file, end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
PATH = "/benchmarks/quiz.json"
TASK = "/benchmarks/quiz/tasks/quiz.json"
WRONG = range(600)


@pytest.fixture
def phase(sync, gold_keys) -> Phase:
    return make_quiz(sync, "open")


@pytest.fixture
def shown(phase):
    """After the first release."""
    send(new_system("Larch"), phase, WRONG, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    return phase


@pytest.fixture
def over(shown):
    """After the release of the last cut-off."""
    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    return shown


def items(part: str, version: GoldVersion | None = None) -> Mask:
    """Whether each question belongs to a part, by its number."""
    version = version or GoldVersion.objects.latest("number")
    found = items_of_part(part, version.pk)
    assert found is not None
    _salt, gold = opened_version(version.pk)
    by_number = np.zeros(len(found), dtype=np.bool_)
    by_number[[int(item.removeprefix("q")) for item in gold.ids]] = found
    return by_number


def numbers(part: str) -> list[int]:
    """The questions of a part."""
    found: list[int] = np.flatnonzero(items(part)).tolist()
    return found


def right_among(part: str) -> float:
    """The accuracy of the system on the items of a part."""
    return float(np.mean([at not in WRONG for at in numbers(part)]))


def value() -> float:
    """What the board has of the system."""
    found: float = row_of(board(TASK), "Larch")["cells"]["quiz"]["value"]
    return found


def test_the_two_parts_have_no_item_in_common_and_lack_none(phase):
    assert (items(DISPLAYED) ^ items(REMAINDER)).all()
    assert (items(DISPLAYED) == items(NOISED)).all()
    assert items(DISPLAYED).sum() == pytest.approx(ITEMS / 2, abs=4.5 * ITEMS**0.5 / 2)


def test_the_parts_follow_from_the_sealed_salt_and_not_from_the_order_of_items(phase):
    assert items(REMAINDER)[:600].sum() == pytest.approx(300, abs=4.5 * 600**0.5 / 2)


def test_while_the_phase_runs_only_the_displayed_items_are_scored(shown):
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]

    assert cell["value"] == pytest.approx(right_among(DISPLAYED), abs=1e-4)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert board(PATH)["part"] == DISPLAYED
    assert {run.part for run in ScoringRun.objects.all()} == {DISPLAYED}


def test_at_its_end_the_items_that_were_kept_back_rank_alone(over):
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]

    assert cell["value"] == pytest.approx(right_among(REMAINDER), abs=1e-4)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert board(PATH)["part"] == REMAINDER


def test_pages_say_which_items_count(shown, client):
    assert "Provisional: exact scores of the displayed half of the items." in text_of(
        client.get("/benchmarks/quiz/")
    )

    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)

    page = text_of(client.get("/benchmarks/quiz/"))
    assert "Final: exact scores of the half that was kept back." in page
    assert "Provisional" not in page


@pytest.mark.parametrize(("rule", "counted"), [("exact", ITEMS), ("open", ITEMS // 2), ("protected", 0)])
def test_the_smallest_difference_is_that_of_the_items_that_count(sync, gold_keys, client, rule, counted):
    """Numbers with noise have none: what could be told apart there the noise decides."""
    phase = make_quiz(sync, rule)
    send(new_system("Larch"), phase, WRONG, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    found = re.search(
        r"Smallest difference</dt> <dd>about (\.\d+)", text_of(client.get("/benchmarks/quiz/tasks/quiz/"))
    )

    assert (float(found[1]) if found else None) == (
        pytest.approx(smallest_difference(deviation_of_accuracy(counted, discordance=0.1)), abs=0.0005)
        if counted
        else None
    )


def test_development_data_are_scored_whole_whatever_the_rule(phase):
    run_batch(CUT_OFF)
    batch = Batch.objects.create(
        phase=phase, cut_off_at=CUT_OFF + WEEK, closed_at=CUT_OFF, status="scored", disclosure="open"
    )
    dev = Split(task=phase.benchmark.tasks.get(), slug="dev", item_count=ITEMS)

    assert batch.part_of(dev, at_the_end=False) == batch.part_of(dev, at_the_end=True) == ""


def test_after_the_end_no_choice_puts_another_answer_in_its_place(phase):
    Phase.objects.update(counting="chosen")
    larch = new_system("Larch")
    first = send(larch, phase, range(900), at=CUT_OFF - HOUR)
    latest = send(larch, phase, WRONG, at=CUT_OFF - HOUR / 2)
    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    before = value()

    choose(submission=Submission.objects.get(pk=first.pk), user=first.submitted_by, now=CUT_OFF)
    run_batch(CUT_OFF + 2 * WEEK)

    assert FinalAnswer.objects.get().submission == latest
    assert value() == before
    assert ScoringRun.objects.filter(part=REMAINDER).count() == 1


def test_new_gold_labels_are_scored_on_the_same_half_again(over):
    corrected = [OTHER[label] if at in WRONG else label for at, label in enumerate(GOLD)]
    load_gold(
        task=over.benchmark.tasks.get(),
        data=as_file(corrected),
        file_name="quiz.csv",
        now=CUT_OFF + WEEK + HOUR,
        note="The first six hundred were wrong.",
        confirm_clues=True,
    )
    run_batch(CUT_OFF + 2 * WEEK)

    assert value() == 1.0
    assert board(PATH)["part"] == REMAINDER


def test_a_corrected_label_and_the_same_file_loaded_again_keep_the_same_items_back(shown):
    before = items(DISPLAYED)
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
    assert (items(DISPLAYED) == before).all()
    assert value() == pytest.approx(right_among(DISPLAYED), abs=1e-4)


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

    assert (items(DISPLAYED, first) == items(DISPLAYED, second)).all()


def test_an_item_stays_on_its_side_when_others_are_taken_out(phase):
    """Nobody gets a second look at what was kept back by loading fewer items."""
    load_gold(
        task=phase.benchmark.tasks.get(),
        data=as_file(GOLD[:1_000]),
        file_name="quiz.csv",
        now=NOW,
        confirm_clues=True,
    )

    first, second = GoldVersion.objects.order_by("number")

    assert (items(DISPLAYED, first)[:1_000] == items(DISPLAYED, second)).all()


@pytest.fixture
def tried(phase) -> Phase:
    """Of three answers the first has most of the displayed items right, and the last, sent at the end, most others."""
    displayed, kept = numbers(DISPLAYED), numbers(REMAINDER)
    larch = new_system("Larch")
    send(larch, phase, [*displayed[:100], *kept[: len(kept) // 2]], at=CUT_OFF - HOUR)
    send(larch, phase, [*displayed[:140], *kept[: len(kept) // 5]], at=CUT_OFF - HOUR / 2)
    run_batch(CUT_OFF)
    end_now(CUT_OFF + WEEK)
    send(larch, phase, displayed[:200], at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    return phase


def test_the_best_answer_is_chosen_by_the_items_that_were_displayed(tried):
    assert board(PATH)["part"] == REMAINDER
    assert value() == pytest.approx(0.5, abs=0.001)


def test_one_answer_of_a_row_is_scored_on_what_was_kept_back_and_no_other(tried):
    assert FinalAnswer.objects.count() == ScoringRun.objects.filter(part=REMAINDER).count() == 1


def test_after_the_end_no_withdrawal_puts_another_answer_in_its_place(tried):
    """Otherwise a team could look at several of its answers and keep the best."""
    final = FinalAnswer.objects.get().submission
    withdraw(submission=final, user=final.submitted_by, now=CUT_OFF + WEEK + HOUR)

    run_batch(CUT_OFF + 2 * WEEK)

    assert ScoringRun.objects.filter(part=REMAINDER).count() == 1
    assert FinalAnswer.objects.get().submission == final


def test_a_team_that_chooses_is_ranked_by_its_choice(phase):
    Phase.objects.update(counting="chosen")
    larch = new_system("Larch")
    modest = send(larch, phase, range(900), at=CUT_OFF - HOUR)
    send(larch, phase, WRONG, at=CUT_OFF - HOUR / 2)
    Choice.objects.create(submission=modest, phase=phase, system=larch, split=GoldVersion.objects.get().split)
    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert FinalAnswer.objects.get().submission == modest


def test_what_was_chosen_without_the_remainder_can_be_made_again(tried):
    for release in Release.objects.select_related("benchmark", "phase", "batch"):
        assert reproduce(release)[0].differences == []


def test_both_releases_can_be_made_again(over):
    for release in Release.objects.select_related("benchmark", "phase", "batch"):
        assert reproduce(release)[0].differences == []


def test_after_the_end_the_other_answers_are_known_by_what_was_displayed_alone(tried):
    parts = {
        submission.pk: set(submission.runs.values_list("part", flat=True))
        for submission in Submission.objects.order_by("received_at")
    }
    assert list(parts.values()) == [{DISPLAYED, REMAINDER, ALL}, {DISPLAYED}, {DISPLAYED}]
