"""Ranks, differences and what is said of them on pages, from replicates stored when submissions are scored."""

import re
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.spec import AverageSpec, RowKind
from benchmarks.spec.model import MissingTask
from leaderboard.assembly.replicates import RowReplicates
from leaderboard.publication.visibility import hide_names
from scoring.models import RunReplicates
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import System
from tests.conftest import person, the_system, the_toy
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, upload

pytestmark = pytest.mark.thorough

ALL_WRONG = "bad bad good good bad good"
WRONG_COLOURS = "green,red,red,green"


@pytest.fixture
def alder(db: None) -> System:
    return neighbour("South", "Alder")


@pytest.fixture
def elm(db: None) -> System:
    return neighbour("East", "Elm")


def neighbour(team: str, name: str) -> System:
    """A system of another team, made when it is first asked for."""
    found = System.objects.filter(name=name).first()
    return found or team_of(person(f"{team.casefold()}erner"), team, name)[1]


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    """Larch and Alder are near each other, and Elm is wrong on everything."""
    phase = the_toy().phases.get()
    upload(the_system(), phase, mood=ONE_WRONG)
    upload(neighbour("South", "Alder"), phase, mood="good bad bad bad good bad")
    upload(neighbour("East", "Elm"), phase, mood=ALL_WRONG, colour=WRONG_COLOURS)
    run_batch(CUT_OFF)


def page_at(path: str) -> str:
    return text_of(browser_of(None).get(path))


def words(page: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


@pytest.mark.parametrize("path", ["/benchmarks/toy.json", "/benchmarks/toy/tasks/mood.json"])
def test_ranks_of_averages_and_of_tasks_say_what_chance_leaves_open(released, path):
    published = board(path)

    ranges = {name: (row_of(published, name)["rank_low"], row_of(published, name)["rank_high"])
              for name in ("Larch", "Alder", "Elm")}  # fmt: skip
    assert ranges == {"Larch": (1, 2), "Alder": (1, 2), "Elm": (3, 3)}
    assert published["chance"]["groups"] == [[1, 2]]


def test_the_page_says_it_in_words(released):
    assert "could be chance." in page_at("/benchmarks/toy/")


def test_the_board_says_of_which_test_sets_its_intervals_speak(released):
    page = words(page_at("/benchmarks/toy/"))

    assert "Intervals speak of other test sets of this size" in page
    assert "over endless items a macro F1 of many labels may be another" in page


def test_the_board_says_that_nothing_is_adjusted_over_boards_and_releases(released):
    page = words(page_at("/benchmarks/toy/"))

    assert "hold in 95 of 100 cases on each board by itself" in page
    assert "of many boards and releases some are wrong" in page


def test_reported_rows_have_no_range(released):
    assert row_of(board(), "Human")["rank_low"] is None


def test_a_board_of_scores_from_before_replicates_were_kept_looks_as_before(phase, system, alder):
    upload(system, phase, mood=ONE_WRONG)
    upload(alder, phase, mood=HALF_WRONG)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    RunReplicates.objects.all().delete()
    finish_batches(CUT_OFF)
    run_batch(CUT_OFF)

    assert "chance" not in board()
    assert row_of(board(), "Larch")["rank_low"] is None
    assert "could be chance" not in page_at("/benchmarks/toy/")
    said = compared(system.pk, alder.pk)
    assert "more than chance" not in said
    assert "The boards of this release keep no decision about these systems" in said


def compared(*systems: object) -> str:
    answer = browser_of(None).get("/benchmarks/toy/compare/", {"system": [str(one) for one in systems]})
    assert answer.status_code == 200
    return words(text_of(answer))


def test_comparing_says_which_of_two_is_better_and_on_how_many_tasks(released, system, elm):
    page = compared(elm.pk, system.pk)

    assert "Larch is surely ahead of Elm: by" in page
    assert (
        "Of 2 tasks Larch is surely ahead on 2 and surely behind on 0; on 0 the difference could be chance."
        in page
    )
    assert "unadjusted p < .001, valid only if you had planned just this comparison" in page


def test_comparing_the_other_way_begins_with_the_leader_too(released, system, elm):
    assert "Larch is surely ahead of Elm: by" in compared(system.pk, elm.pk)


def test_comparing_equal_numbers_says_that_they_are_a_tie(released, system, alder):
    page = compared(system.pk, alder.pk)

    assert "Alder and Larch have the same number in “Overall”: a tie." in page


def test_a_system_without_a_rank_is_compared_without_a_verdict(phase, system, elm):
    System.objects.filter(pk=elm.pk).update(kind=RowKind.BASELINE)
    upload(system, phase, mood=ONE_WRONG)
    upload(neighbour("South", "Alder"), phase, mood=HALF_WRONG)
    upload(elm, phase, mood=ALL_WRONG, colour=WRONG_COLOURS)
    run_batch(CUT_OFF)

    page = compared(system.pk, elm.pk)

    assert "The board keeps no decision about Elm and Larch . Of 2 tasks Elm is surely ahead on 0" in page
    assert "On 2 the boards keep no decision." in page
    assert "unadjusted p < .001" in page


def test_anonymous_systems_are_compared_by_their_numbers(phase, toy, system, elm):
    hide_names(toy)
    upload(system, phase, mood=ONE_WRONG)
    upload(elm, phase, mood=ALL_WRONG, colour=WRONG_COLOURS)
    run_batch(CUT_OFF)
    first, second = (row["system"].rpartition(" ")[2] for row in board()["rows"] if row["kind"] == "system")

    page = compared(first, second)

    assert f"System {first} is surely ahead of System {second}" in page
    assert "Larch" not in page


def of_two_tasks(missing: MissingTask, runs: dict[str, int]) -> RowReplicates:
    accuracy = SimpleNamespace(name="accuracy")
    tasks = {
        key: SimpleNamespace(id=key, test_splits=("test",), primary_metric=accuracy) for key in ("a", "b")
    }
    average = AverageSpec(id="all", title="All", of=("a", "b"), missing=missing)
    spec = SimpleNamespace(averages=(average,), main_track="", task=tasks.__getitem__)
    places = {("", task, "test"): {1: run} for task, run in runs.items()}
    known = {1: {"accuracy": np.array([0.2, 0.4])}, 2: {"accuracy": np.array([0.6, 1.0])}}
    return RowReplicates(spec, places, known)  # type: ignore[arg-type]  # the few things that are read of it


@pytest.mark.parametrize(
    ("missing", "runs", "expected"),
    [
        (MissingTask.UNRANKED, {"a": 1, "b": 2}, [0.4, 0.7]),
        (MissingTask.UNRANKED, {"a": 1}, None),
        (MissingTask.ZERO, {"a": 1}, [0.1, 0.2]),
        (MissingTask.PARTIAL, {"a": 1}, [0.2, 0.4]),
        (MissingTask.PARTIAL, {"a": 1, "b": 3}, None),
    ],
    ids=["both", "one unranked", "one as zero", "one alone", "one from before replicates"],
)
def test_an_average_of_replicates_follows_the_rule_for_missing_tasks(missing, runs, expected):
    found = of_two_tasks(missing, runs).column("all")

    assert (None if found is None else found.tolist()) == (expected and pytest.approx(expected))


def test_the_page_of_a_task_says_what_difference_its_items_can_show(released):
    assert "Smallest difference about" in words(page_at("/benchmarks/toy/tasks/mood/"))
    assert "between two systems like those on the board" in page_at("/benchmarks/toy/tasks/mood/")


def test_before_two_systems_are_scored_it_says_what_it_assumes(phase, system):
    upload(system, phase)
    run_batch(CUT_OFF)

    page = words(page_at("/benchmarks/toy/tasks/mood/"))

    assert "Smallest difference about .362 of accuracy" in page
    assert "wrong on 1 of 10 items" in page


def test_who_tried_more_than_once_is_named_with_what_luck_alone_gains(released, phase, system, alder):
    phase.refresh_from_db()
    upload(alder, phase, mood=HALF_WRONG, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    page = words(page_at("/benchmarks/toy/tasks/mood/"))

    tried = page.partition("How often was tried")[2].partition("Rules of the phase")[0]
    assert re.search(r"Alder South 2 \.\d{3}", tried)
    assert "Larch" not in tried


def test_one_submission_each_says_nothing_about_tries(released):
    assert "How often was tried" not in page_at("/benchmarks/toy/tasks/mood/")


def test_a_released_page_keeps_the_count_that_it_was_released_with(released, phase, alder):
    phase.refresh_from_db()
    upload(alder, phase, mood=HALF_WRONG, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert "How often was tried" not in page_at("/benchmarks/toy/releases/1/tasks/mood/")
    assert "How often was tried" in page_at("/benchmarks/toy/releases/2/tasks/mood/")


def test_the_analysis_has_other_ways_to_rank(released):
    page = words(page_at("/benchmarks/toy/analysis/"))

    assert "Other ways to rank" in page
    assert "Agreement with the official order" in page
    assert "Other ways to rank" not in page_at("/benchmarks/toy/tasks/mood/")


def test_a_release_has_a_page_on_which_every_two_systems_are_compared(released):
    for base in ("/benchmarks/toy", "/benchmarks/toy/releases/1"):
        page = page_at(f"{base}/pairwise/")
        assert "Who is surely ahead of whom" in page
        assert f'href="{base}/pairwise.csv"' in page
        assert f'href="{base}/pairwise/"' in page_at(f"{base}/")
    lines = page_at("/benchmarks/toy/pairwise.csv").splitlines()
    assert len(lines) == 4
    assert ",3,Elm," in lines[-1]


def test_a_release_without_replicates_has_no_such_page(phase, system):
    upload(system, phase)
    run_batch(CUT_OFF)

    assert "pairwise" not in page_at("/benchmarks/toy/")
    assert browser_of(None).get("/benchmarks/toy/pairwise/").status_code == 404


def test_boards_of_few_items_say_that_their_intervals_are_wide(released):
    said = "Here an interval rests on fewer than 30 items, or on no more than about four wrong or four right answers"

    assert f"Few items or errors. {said}" in words(page_at("/benchmarks/toy/tasks/mood/"))
    assert (
        "Mood" in words(page_at("/benchmarks/toy/")).partition("Few items or errors in ")[2].partition(".")[0]
    )


def test_the_overall_board_says_by_how_much_its_first_system_leads(phase, system, alder):
    upload(system, phase, mood=ONE_WRONG)
    upload(alder, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)

    page = words(page_at("/benchmarks/toy/"))

    interval = r"\(\N{MINUS SIGN}\.\d+ to \.\d+\)"
    assert re.search(rf"Larch is first, ahead of Alder, but it could be chance: by \.\d+ {interval}\.", page)
    assert "is first, ahead of Alder, but it could be chance" in words(page_at("/benchmarks/toy/tasks/mood/"))
