"""Every two of a board's first systems: decisions that agree with the ranges of ranks, on the page and as CSV."""

import json

import pytest

from leaderboard.board.analysis.chance import with_chance
from leaderboard.board.analysis.pairwise_matrix import decisions, lead_view, matrix_csv, matrix_lines
from leaderboard.board.model.number_format import MINUS
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.analysis.test_chance import SCORES, judged, replicates
from tests.leaderboard.board.boards import ACCURACY, ERROR, board, row


def report(scores=SCORES):
    made = decisions(judged(scores), replicates(scores))
    assert made is not None
    return made


def marks(found) -> list[list[str]]:
    return [[mark for mark, _, _ in line["duels"]] for line in matrix_lines(found)]


def test_every_system_stands_against_every_other():
    assert marks(report()) == [["", "·", "+"], ["·", "", "+"], [MINUS, MINUS, ""]]


def test_pointing_at_a_mark_tells_the_difference_its_interval_and_its_p():
    ash, _, cedar = ([hint for _, _, hint in line["duels"]] for line in matrix_lines(report()))

    assert ash[2].startswith("surely ahead: +.300 (+.24")
    assert ash[2].endswith("p < .001")
    assert cedar[0].startswith(f"surely behind: {MINUS}.300 ({MINUS}.35")
    assert ash[1].startswith("could be chance: +.010")


def test_where_less_is_better_the_lower_score_is_the_better():
    scores = {"Ash": 0.2, "Birch": 0.6}
    made = board(
        *rank([row(name, value, system_id=name) for name, value in scores.items()], ERROR), columns=(ERROR,)
    )

    found = decisions(with_chance(made, replicates(scores)), replicates(scores))

    assert found is not None
    assert marks(found) == [["", "+"], [MINUS, ""]]


def test_a_lead_within_chance_is_told_with_an_interval_that_reaches_to_the_other_side():
    lead = lead_view(report())

    assert lead is not None
    assert (lead["first"], lead["second"], lead["distance"]) == ("Ash", "Birch", ".010")
    assert lead["interval"].startswith(MINUS)
    assert (lead["is_sure"], lead["may_turn"]) == (False, True)


@pytest.mark.parametrize(("column", "first", "second"), [(ACCURACY, 0.8, 0.5), (ERROR, 0.5, 0.8)])
def test_a_sure_lead_has_an_interval_above_0_whichever_direction_is_better(column, first, second):
    scores = {"Ash": first, "Birch": second}
    made = board(
        *rank([row(name, value, system_id=name) for name, value in scores.items()], column),
        columns=(column,),
    )

    kept = decisions(with_chance(made, replicates(scores)), replicates(scores))
    assert kept is not None
    lead = lead_view(kept)

    assert lead is not None
    assert (lead["first"], lead["distance"], lead["is_sure"], lead["may_turn"]) == (
        "Ash",
        ".300",
        True,
        False,
    )
    assert lead["interval"].startswith(".2")


def test_a_shared_place_has_no_lead_to_tell_of():
    assert lead_view(report({"Ash": 0.8, "Birch": 0.8, "Cedar": 0.5})) is None
    assert lead_view(report({"Ash": 0.8, "Birch": 0.5, "Cedar": 0.5})) is None


def test_csv_has_a_line_for_every_two_systems():
    lines = matrix_csv(report(), synthetic=False).decode().splitlines()

    assert lines[0] == "rank,system,other_rank,other_system,difference,low,high,p,sure"
    assert [line.split(",")[:4] + line.split(",")[-1:] for line in lines[1:]] == [
        ["1", "Ash", "2", "Birch", "no"],
        ["1", "Ash", "3", "Cedar", "yes"],
        ["2", "Birch", "3", "Cedar", "yes"],
    ]


def test_what_a_release_keeps_survives_json():
    assert matrix_lines(json.loads(json.dumps(report()))) == matrix_lines(report())


def test_a_system_without_replicates_is_not_judged():
    known = {name: one for name, one in replicates(SCORES).items() if name != "Birch"}
    found = decisions(judged(but=("Birch",)), known)

    assert found is not None
    assert marks(found) == [["", "?", "+"], ["?", "", "?"], [MINUS, "?", ""]]


def test_only_the_first_twenty_are_set_against_each_other():
    scores = {f"S{at:02}": 0.9 - at / 100 for at in range(23)}

    found = report(scores)

    assert (len(found["systems"]), found["ranked"], len(found["pairs"])) == (20, 23, 190)


def test_systems_of_one_rank_stand_by_what_they_are_called_now():
    """Their order on the frozen board is that of their real names."""
    same = replicates({"Ash": 0.8})["Ash"]
    made = board(*rank([row("Ash", 0.8, system_id="Ash"), row("Birch", 0.8, system_id="Birch")], ACCURACY))
    drawn = {"Ash": same, "Birch": same}
    found = decisions(with_chance(made, drawn), drawn)
    assert found is not None
    found["systems"][0]["system"], found["systems"][1]["system"] = "System 7", "System 2"

    assert [line["system"] for line in matrix_lines(found)] == ["System 2", "System 7"]


def test_a_board_of_which_chance_is_not_known_keeps_nothing():
    assert decisions(judged(but=tuple(SCORES)), {}) is None


@pytest.mark.parametrize("start", ["=", "@"])
def test_csv_defuses_names_that_a_spreadsheet_would_run(start):
    found = report()
    found["systems"][0]["system"] = f"{start}1+1"

    assert f"'{start}1+1" in matrix_csv(found, synthetic=True).decode()
