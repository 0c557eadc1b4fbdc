"""What a release means for one system, from boards that can be checked by eye."""

from dataclasses import replace

import pytest

from benchmarks.spec import RowKind
from benchmarks.spec.loader import load_definition
from catalogue.disclosure.rule import few_digits
from leaderboard.board.analysis.own_result import OwnResult, as_dict, own_result, own_row
from leaderboard.board.model.board import Board, Chance
from tests.conftest import TOY_DEFINITION
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, row

NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir")


@pytest.fixture(scope="module")
def spec():
    """Its ranking score is the mean of two tasks."""
    return load_definition(TOY_DEFINITION, "toy.yaml")


def ranked(*scores: float, apart: bool | None = None, release: int = 3, column=ACCURACY, **more) -> Board:
    """Systems with these scores, the best first, all of them surely apart, none, or not decided."""
    count = len(scores)
    better = (lambda one, other: one > other) if column.higher_is_better else (lambda one, other: one < other)
    rows = [
        row(
            name, score, rank=1 + sum(better(other, score) for other in scores), system_id=name.lower()
        )._replace(
            ahead_of=None if apart is None else ((at + 1, count),) if apart and at < count else (),
        )
        for at, (name, score) in enumerate(zip(NAMES, scores, strict=False), 1)
    ]
    made = board(*rows, columns=(column,), release=release, **more)
    return made if apart is None else replace(made, chance=Chance(1000, (), 0.05))


def result(spec, made: Board, name: str, *before: Board) -> OwnResult:
    own = next(one for one in made.rows if one.system == name)
    return own_result(made, own, before, spec)


def test_it_tells_the_place_and_what_the_board_decided_about_the_neighbours(spec) -> None:
    told = result(spec, ranked(0.9, 0.8, 0.7, apart=True), "Birch")

    assert told.title == "Birch stands at rank 2"
    assert told.rest == "Overall score .800, rank 2 of 3. Ash is surely ahead. Surely ahead of Cedar."


def test_what_could_be_chance_is_called_so(spec) -> None:
    told = result(spec, ranked(0.9, 0.89, 0.88, apart=False), "Birch")

    assert told.verdicts == [
        "Ash is ahead, but it could be chance.",
        "Ahead of Cedar, but it could be chance.",
    ]


def test_where_nothing_was_decided_nothing_is_claimed(spec) -> None:
    assert result(spec, ranked(0.9, 0.8), "Ash").verdicts == []


def test_equal_scores_are_a_tie_and_neighbours_are_those_beyond_it(spec) -> None:
    told = result(spec, ranked(0.9, 0.9, 0.7, apart=True), "Ash")

    assert told.title == "Ash shares the first rank"
    assert told.verdicts == ["A tie with Birch.", "Surely ahead of Cedar."]


def test_the_change_is_that_since_the_newest_earlier_release_that_shows_the_system(spec) -> None:
    first = replace(ranked(0.5, 0.4, release=1), rows=ranked(0.5, 0.4).rows[:1])
    second = replace(ranked(0.95, 0.85, release=2), rows=ranked(0.95, 0.85).rows[1:])
    told = result(spec, ranked(0.9, 0.8, 0.7), "Ash", first, second)

    assert told.earlier is not None
    assert told.earlier.release == 1
    assert told.lead == "The same rank, .400 better than in release 1."
    assert result(spec, ranked(0.9, 0.8, 0.7), "Cedar", first, second).lead == "New on the board."


def test_a_lower_score_is_better_where_the_measure_says_so(spec) -> None:
    earlier = ranked(0.1, 0.3, 0.4, release=2, column=ERROR)
    told = result(
        spec,
        ranked(0.1, 0.2, 0.3, column=ERROR),
        "Birch",
        earlier,
    )

    assert told.lead == "The same rank, .100 better than in release 2."
    assert told.to_next == pytest.approx(0.1)


def test_places_are_counted_and_an_equal_score_is_called_so(spec) -> None:
    was = replace(
        ranked(0.9, 0.8, 0.7, 0.6, release=2), rows=tuple(reversed(ranked(0.9, 0.8, 0.7, 0.6).rows))
    )
    moved = replace(was, rows=tuple(one._replace(rank=1 if one.system == "Cedar" else 5) for one in was.rows))

    assert result(spec, ranked(0.9, 0.8, 0.7), "Cedar", moved).lead == (
        "Down two places, the score of release 2."
    )


def test_scores_of_another_measure_are_not_compared(spec) -> None:
    was = replace(ranked(0.5, 0.4, release=2), ranked_on={"mood": {"gold labels": "1"}})
    now = replace(ranked(0.9, 0.8), ranked_on={"mood": {"gold labels": "2"}})
    told = result(spec, now, "Ash", was)

    assert told.lead == "Scores are measured otherwise than in release 2 and cannot be compared."
    assert told.difference is None


def test_a_release_of_another_phase_is_not_looked_at(spec) -> None:
    was = replace(ranked(0.5, 0.4, release=2), phase="development")

    assert result(spec, ranked(0.9, 0.8), "Ash", was).earlier is None


def test_neighbours_are_two_on_either_side_and_brackets_are_cut_to_them(spec) -> None:
    made = ranked(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, apart=False)
    made = replace(made, chance=Chance(1000, ((1, 3), (3, 6)), 0.05))
    told = result(spec, made, "Dogwood")

    assert [one.system for one in told.neighbourhood.rows] == ["Birch", "Cedar", "Dogwood", "Elm", "Fir"]
    assert told.neighbourhood.chance is not None
    assert told.neighbourhood.chance.groups == ((1, 2), (2, 5))


def test_a_column_of_the_mean_tells_what_half_the_way_to_the_best_would_add(spec) -> None:
    mood = replace(TASK, key="mood", name="Mood")
    rows = [
        row("Ash", 0.9)._replace(cells={**row("Ash", 0.9).cells, "mood": row("x", 0.9).cells["overall"]}),
        row("Elm", 0.6)._replace(cells={**row("Elm", 0.6).cells, "mood": row("x", 0.5).cells["overall"]}),
        row("Majority", 0.6, kind=RowKind.BASELINE)._replace(cells={"mood": row("x", 0.55).cells["overall"]}),
    ]
    made = board(*rows, columns=(ACCURACY, mood))
    (standing,) = result(spec, made, "Elm").columns

    assert (standing.place, standing.of, standing.best, standing.median) == (2, 2, 0.9, 0.7)
    assert standing.gain == pytest.approx(0.1)  # 0.4 / 2, on one of two tasks
    assert standing.is_below_baseline
    assert result(spec, made, "Ash").weakest is None


def test_the_smallest_difference_says_how_far_it_is_to_be_surely_past_the_next(spec) -> None:
    told = result(spec, ranked(0.9, 0.8, apart=True), "Birch")

    assert told.to_next == pytest.approx(0.1)
    assert told.to_pass_surely == pytest.approx(0.15)
    assert result(spec, ranked(0.9, 0.8, apart=True), "Ash").to_next is None


def test_an_anonymous_system_is_found_by_its_number_alone(spec) -> None:
    made = board(row("System 7", 0.9), row("System 70", 0.8))

    found = own_row(made, submission="x", system="some-id", pseudonym="System 7")
    assert found is not None
    assert found.system == "System 7"
    assert own_row(made, submission="x", system="some-id", pseudonym="") is None


def test_the_api_gives_numbers_in_the_digits_of_the_board(spec) -> None:
    told = as_dict(result(spec, replace(ranked(1 / 3, 1 / 7, apart=True), decimals=4), "Birch"))

    assert told["next"]["distance"] == few_digits(1 / 3 - 1 / 7)


def test_who_has_no_rank_is_told_why(spec) -> None:
    few = row("Ash", 0.9)._replace(rank=None)
    few = few._replace(cells={key: replace(cell, seeds=3, seeds_wanted=5) for key, cell in few.cells.items()})

    assert (
        result(spec, board(few, release=3), "Ash").rest
        == "Overall score .900, no rank: 3 of 5 seeds handed in."
    )
