"""Beside the picture of a ranking it is counted on how many further metrics each system is the best."""

import json
import re
from dataclasses import replace

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, Column
from leaderboard.board.tables.board_query import BoardQuery
from leaderboard.board.tables.board_table import table
from leaderboard.board.tables.people_table import BY_PEOPLE
from leaderboard.board.tables.ranking_picture import picture
from leaderboard.rendering.row_files import row_file
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row

METRICS = (ACCURACY, TASK, replace(TASK, key="joy", title="Joy"))
PEOPLE = tuple(replace(TASK, key=f"people-1-{at}", title=f"P{at}", group=BY_PEOPLE) for at in range(3))


def two_systems(*columns: Column) -> Board:
    """One is the best by every metric, the other by whatever people gave."""
    keys = [column.key for column in columns]
    values = {"A": [0.9 if column in METRICS else 0.2 for column in columns], "B": [0.5] * len(columns)}
    rows = [
        row(name)._replace(rank=at, cells=dict(zip(keys, map(cell, values[name]), strict=True)))
        for at, name in enumerate(values, 1)
    ]
    return board(*rows, columns=columns)


def last_cells(rows: list[str]) -> list[str]:
    return [re.findall(r"<td[^>]*>([^<]*)</td>", one)[-1] for one in rows]


def test_what_people_gave_ranks_nobody_and_is_not_counted_among_the_firsts() -> None:
    made = two_systems(*METRICS, *PEOPLE)
    shown = picture(made, BoardQuery())
    assert shown
    assert shown.best_of == 2
    assert last_cells(shown.body.splitlines()) == ["2", "\N{EN DASH}"]


def test_rows_that_a_browser_arranges_count_the_same_firsts() -> None:
    made = two_systems(*METRICS, *PEOPLE)
    rows = row_file(made, table(made))
    assert last_cells([after for _, after in json.loads(rows.body)["rows"]]) == ["2", "\N{EN DASH}"]


def test_beside_one_metric_and_people_nothing_is_counted() -> None:
    shown = picture(two_systems(ACCURACY, *PEOPLE, replace(PEOPLE[0], key="people-2-0")), BoardQuery())
    assert shown
    assert not shown.best_of


@pytest.mark.parametrize(
    ("kind", "is_told"), [(RowKind.BASELINE, False), (RowKind.REPORTED, True), (RowKind.MEDIAN, True)]
)
def test_figures_from_papers_are_explained_where_there_are_some(kind: RowKind, *, is_told: bool) -> None:
    made = two_systems(ACCURACY)
    further = row("Of old")._replace(kind=kind, rank=None, cells={ACCURACY.key: cell(0.4)})
    shown = picture(replace(made, rows=(*made.rows, further)), BoardQuery())
    assert shown
    assert shown.more
    assert shown.has_published is is_told
