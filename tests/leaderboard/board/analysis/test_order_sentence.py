"""The sentence on top of a board: who leads, how surely, and which places chance could reorder."""

from dataclasses import replace

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.analysis.order_sentence import order_sentence
from leaderboard.board.model.board import Board, Chance
from tests.leaderboard.board.boards import ACCURACY, board, row

LEAD = {"first": "Ash", "second": "Birch", "distance": ".100", "interval": ".080 to .120"}


def ordered(*scores: float, sure: bool | None, groups: tuple[tuple[int, int], ...] = ()) -> Board:
    names = ("Ash", "Birch", "Cedar", "Dogwood")
    count = len(scores)
    rows = [
        row(name, score, rank=1 + sum(other > score for other in scores))._replace(
            ahead_of=None if sure is None else ((place + 1, count),) if sure and place < count else (),
        )
        for place, (name, score) in enumerate(zip(names, scores, strict=False), start=1)
    ]
    made = board(*rows, columns=(ACCURACY,))
    return made if sure is None else replace(made, chance=Chance(1000, groups, 0.05))


def text(made: Board, lead: dict[str, str] | None = None) -> str:
    sentence = order_sentence(made, lead)
    assert sentence is not None
    return sentence.text


def test_a_sure_lead_is_told_with_its_interval_and_that_every_place_is_sure() -> None:
    assert text(ordered(0.9, 0.8, 0.7, sure=True), LEAD) == (
        "Ash is first, surely ahead of Birch: by .100 (.080 to .120). Every ranked system is surely ahead of the next."
    )


def test_a_lead_is_as_large_as_the_decision_on_it_says_and_not_as_rounded_scores_do() -> None:
    lead = LEAD | {"distance": ".060"}
    assert ": by .060 (.080 to .120)." in text(ordered(0.7794, 0.7185, sure=True), lead)


def test_a_lead_that_could_be_chance_is_called_so_and_the_places_are_named() -> None:
    assert text(ordered(0.9, 0.89, 0.7, sure=False, groups=((1, 2), (2, 3)))) == (
        "Ash is first, ahead of Birch, but it could be chance: by .010. "
        "The order of places 1 to 2 and 2 to 3 could be chance."
    )


def test_equal_numbers_are_a_tie_and_no_lead() -> None:
    assert text(ordered(0.9, 0.9, 0.7, sure=False)).startswith("Ash and Birch share the first rank: a tie.")


def test_where_nothing_was_decided_nothing_is_claimed() -> None:
    assert text(ordered(0.9, 0.8, sure=None)) == "Ash has the first rank."


def test_numbers_shown_before_the_end_are_called_so() -> None:
    shown = replace(ordered(0.9, 0.8, 0.7, sure=True), disclosure="protected")
    assert text(shown).startswith("By the numbers shown so far, Ash is first, surely ahead of Birch:")


def test_people_are_counted_against_and_not_ranked() -> None:
    made = ordered(0.9, 0.8, sure=True)
    with_people = replace(made, rows=(*made.rows, row("Human", 0.85, kind=RowKind.HUMAN)))
    said = "One system scores better than the human estimate of .850, which"
    assert text(with_people).endswith(f"{said} has no interval.")
    human = with_people.rows[-1]
    cell = replace(human.cell(made.rank_by), ci_low=0.82, ci_high=0.88)
    sampled = replace(made, rows=(*made.rows, human._replace(cells={made.rank_by: cell})))
    assert text(sampled).endswith(f"{said} may be .820 to .880.")


@pytest.mark.parametrize(
    ("human", "said"), [(0.95, "No system scores"), (0.85, "One system scores"), (0.7, "Two systems score")]
)
def test_systems_past_the_human_estimate_have_their_verb(human: float, said: str) -> None:
    made = ordered(0.9, 0.8, sure=True)
    with_people = replace(made, rows=(*made.rows, row("Human", human, kind=RowKind.HUMAN)))
    assert f"{said} better than the human estimate" in text(with_people)


@pytest.mark.parametrize("scores", [(), (0.9,)])
def test_with_fewer_than_two_systems_nobody_leads(scores: tuple[float, ...]) -> None:
    sentence = order_sentence(ordered(*scores, sure=None))
    assert (sentence.text if sentence else None) == ("Ash is the only ranked system." if scores else None)
