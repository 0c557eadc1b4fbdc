"""What a board says about chance in its order: rank intervals, groups, and the smallest difference it can show."""

import json
from itertools import combinations

import numpy as np
import pytest
from django.template.loader import render_to_string

from benchmarks.spec import RowKind
from leaderboard.board.analysis.chance import few_items, with_chance
from leaderboard.board.exports.board_csv import to_csv
from leaderboard.board.exports.board_json import to_json
from leaderboard.board.exports.latex import to_latex
from leaderboard.board.exports.markdown import to_markdown
from leaderboard.board.model.board import Board
from leaderboard.board.model.number_format import NONE
from leaderboard.board.model.ranking import rank
from leaderboard.board.model.serialization import from_dict
from leaderboard.board.tables.board_table import table
from scoring.core.uncertainty.power import smallest_difference
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, cell, row

SCORES = {"Ash": 0.80, "Birch": 0.79, "Cedar": 0.50}


def replicates(scores: dict[str, float], *, sd: float = 0.02, count: int = 1000) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(9)
    return {name: value + rng.normal(0, sd, count) for name, value in scores.items()}


def judged(scores: dict[str, float] = SCORES, *, but: tuple[str, ...] = ()) -> Board:
    rows = [row(name, value, system_id=name) for name, value in scores.items()]
    human = row("Human", 0.9, kind=RowKind.HUMAN)
    made = board(*rank([*rows, human], ACCURACY))
    known = replicates(scores)
    return with_chance(made, {name: one for name, one in known.items() if name not in but})


def ranges(made: Board) -> dict[str, tuple[int | None, int | None]]:
    return {one.system: (one.rank_low, one.rank_high) for one in made.rows}


def test_neighbours_within_chance_share_a_range_of_ranks_and_form_a_group():
    made = judged()

    assert ranges(made) == {"Human": (None, None), "Ash": (1, 2), "Birch": (1, 2), "Cedar": (3, 3)}
    assert made.chance is not None
    assert made.chance.groups == ((1, 2),)


def test_each_ranked_system_has_its_share_of_leads():
    leads = {one.system: one.leads for one in judged().rows if one.leads is not None}

    assert leads.keys() == SCORES.keys()
    assert leads["Ash"] > leads["Birch"] > leads["Cedar"] == 0.0
    assert sum(leads.values()) == pytest.approx(1)


def test_the_smallest_difference_is_that_of_systems_like_these():
    chance = judged().chance

    assert chance is not None
    assert chance.smallest_difference == pytest.approx(2.8 * 0.02 * np.sqrt(2), rel=0.05)


@pytest.mark.parametrize("systems", [3, 4])
def test_the_smallest_difference_is_that_of_the_pairs_in_the_middle(systems):
    noise = dict(zip(["Ash", "Birch", "Cedar", "Dogwood"][:systems], [0.3, 0.01, 0.1, 0.03], strict=False))
    rng = np.random.default_rng(4)
    known = {name: 0.5 + rng.normal(0, sd, 1000) for name, sd in noise.items()}
    made = board(*rank([row(name, 0.5, system_id=name) for name in known], ACCURACY))

    chance = with_chance(made, known).chance

    spreads = [np.std(first - second, ddof=1) for first, second in combinations(known.values(), 2)]
    assert chance is not None
    assert chance.smallest_difference == round(smallest_difference(float(np.median(spreads))), 3)


def test_where_less_is_better_the_ranges_follow_the_ranks():
    scores = {"Ash": 0.2, "Birch": 0.6}
    made = board(*rank([row(n, v, system_id=n) for n, v in scores.items()], ERROR), columns=(ERROR,))

    assert ranges(with_chance(made, replicates(scores))) == {"Ash": (1, 1), "Birch": (2, 2)}


def test_a_board_without_replicates_stays_as_it_is():
    made = judged(but=("Ash", "Birch", "Cedar"))

    assert made.chance is None
    assert from_dict(json.loads(to_json(made))) == made
    assert b"chance" not in to_json(made)
    assert b"rank_low" not in to_csv(made)
    assert "How sure" not in html(made)


def test_one_system_with_replicates_alone_has_nobody_to_be_compared_with():
    assert judged(but=("Ash", "Cedar")).chance is None


def test_a_system_without_replicates_has_no_range_and_widens_those_of_the_others():
    assert ranges(judged(but=("Birch",))) == {
        "Human": (None, None),
        "Ash": (1, 2),
        "Birch": (None, None),
        "Cedar": (2, 3),
    }


def test_replicates_of_another_number_are_not_compared():
    known = replicates(SCORES) | replicates({"Birch": 0.79}, count=400)
    made = board(*rank([row(name, value, system_id=name) for name, value in SCORES.items()], ACCURACY))

    assert ranges(with_chance(made, known))["Birch"] == (None, None)


def test_json_says_it_all_and_is_read_back():
    made = judged()

    assert from_dict(json.loads(to_json(made))) == made


def test_csv_has_the_range_of_each_rank():
    lines = to_csv(judged()).decode().splitlines()

    assert lines[0] == "rank,system,team,kind,rank_low,rank_high,leads,overall"
    assert lines[2].startswith("1,Ash,Team Ash,system,1,2,0.")
    assert lines[1].startswith(",Human,Team Human,human,,,,")


def test_markdown_and_latex_print_a_range_of_several_ranks_after_the_rank():
    assert f"| 2 (1{NONE}2) | Birch |" in to_markdown(judged()).decode()
    assert "| 3 | Cedar |" in to_markdown(judged()).decode()
    latex = to_latex(judged()).decode()
    assert r"2 {\scriptsize (1--2)} & Birch" in latex
    assert "3 & Cedar" in latex
    assert "the ranks that chance in the test items leaves open" in latex


def html(made: Board) -> str:
    return " ".join(render_to_string("_board_table.html", {"table": table(made), "board": made}).split())


def test_the_page_says_how_many_neighbours_are_closer_than_the_items_can_show():
    assert "1 of 2 pairs of neighbours is closer than that." in html(judged())
    assert "closer than that" not in html(judged({"Ash": 0.9, "Birch": 0.5}))


def test_pointing_at_a_rank_tells_how_often_the_system_is_first():
    assert 'title="first in 0 of 100 resamples of the test items"' in html(judged())


def with_task(**ends: float) -> Board:
    cells = {"overall": cell(0.7), "banking_77": cell(0.6, **ends)}
    return board(row("Ash", 0.7)._replace(cells=cells), columns=(ACCURACY, TASK))


@pytest.mark.parametrize(("count", "named"), [(0, ()), (29, ("Banking 77",)), (30, ())])
def test_tasks_of_fewer_than_30_items_are_named(count, named):
    assert few_items(with_task(ci_low=0.5, ci_high=0.7), {"banking_77": count}) == named


@pytest.mark.parametrize(
    ("value", "low", "high", "named"),
    [
        (0.97, 0.918, 0.992, ("Banking 77",)),  # 3 of 100 wrong
        (1.0, 0.998, 1.0, ("Banking 77",)),  # not one of 2,350
        (0.0, 0.0, 0.007, ("Banking 77",)),
        (0.88, 0.7, 0.96, ("Banking 77",)),  # macro F1 with few of the rare label
        (0.97, 0.955, 0.981, ()),  # 15 of 516 wrong
        (0.6, 0.42, 0.75, ()),
    ],
)
def test_columns_whose_intervals_rest_on_few_errors_are_named_however_many_items_there_are(
    value, low, high, named
):
    cells = {"overall": cell(0.7), "banking_77": cell(value, ci_low=low, ci_high=high)}
    made = board(row("Ash", 0.7)._replace(cells=cells), columns=(ACCURACY, TASK))

    assert few_items(made, {"banking_77": 2350}) == named


def test_tasks_without_intervals_promise_nothing():
    assert few_items(with_task(), {"banking_77": 10}) == ()
