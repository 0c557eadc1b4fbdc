"""How far apart systems are, task by task, and under each breaker's pairs."""

import gzip
from dataclasses import replace
from xml.etree import ElementTree as ET

from benchmarks.spec import RowKind
from leaderboard.board.charts.chart import Chart
from leaderboard.board.charts.strip_charts import broken_chart, spread_chart, swarm
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import TASK, board, row

TASKS = tuple(replace(TASK, key=key, title=key.upper(), name=f"Task {key}") for key in "abc")


def scored(name: str, *values: float | None, kind: RowKind = RowKind.SYSTEM) -> BoardRow:
    cells = {
        task.key: Cell(value, None) for task, value in zip(TASKS, values, strict=True) if value is not None
    }
    return row(name, kind=kind)._replace(cells=cells)


def of(*rows: BoardRow, columns: tuple[Column, ...] = TASKS) -> Board:
    return board(*rank(rows, columns[0]), columns=columns, rank_by=columns[0].key)


def spread(*rows: BoardRow, columns: tuple[Column, ...] = TASKS) -> Chart:
    chart = spread_chart(of(*rows, columns=columns), columns)
    assert chart is not None
    return chart


def texts(chart: Chart) -> list[str]:
    return [one.text or "" for one in parsed(chart).iter("text")]


def parsed(chart: Chart) -> ET.Element:
    return ET.fromstring(chart.svg.replace(b' xmlns="http://www.w3.org/2000/svg"', b""))  # noqa: S314 - our own bytes


def test_title_says_who_leads_how_many_tasks() -> None:
    assert (
        spread(scored("A", 0.9, 0.8, 0.1), scored("B", 0.2, 0.2, 0.2)).title == "A is first in 2 of 3 tasks"
    )
    assert spread(scored("A", 0.9, 0.8, 0.7)).title == "A is first in all 3 tasks"


def test_a_system_without_a_rank_leads_the_tasks_that_it_is_best_in() -> None:
    """The first column ranks the board; who has no score there may be the best elsewhere."""
    chart = spread(scored("A", 0.9, 0.5, 0.4), scored("B", None, 0.8, 0.7))
    assert chart.title == "B is first in 2 of 3 tasks"
    assert [line[2:4] for line in chart.rows] == [("A", 0.9), ("B", 0.8), ("B", 0.7)]


def test_title_names_two_that_lead_as_many_tasks_and_counts_more() -> None:
    a, b, c = scored("A", 0.9, 0.1, 0.1), scored("B", 0.1, 0.9, 0.1), scored("C", 0.1, 0.1, 0.9)
    assert spread(a, b, c).title == "No system is first in more than 1 of 3 tasks"
    two = spread(a, b, columns=TASKS[:2])
    assert two.title == "A and B are first in 1 of 2 tasks each"
    level = [scored(name, 0.5, 0.5, 0.5) for name in "ABC"]
    assert spread(*level).title == "3 systems are level in all 3 tasks"


def test_tasks_stand_in_the_order_of_the_columns_each_with_its_best() -> None:
    shown = texts(spread(scored("A", 0.9, 0.8, 0.1), scored("B", 0.2, 0.2, 0.25)))
    strips = [text for text in shown if text.startswith("Task ")]
    assert strips == ["Task a", "Task b", "Task c"]
    assert [text for text in shown if text[:3] in ("A .", "B .")] == ["A .900", "A .800", "B .250"]


def test_people_and_what_is_no_system_are_told_apart_and_named_once() -> None:
    chart = spread(
        scored("A", 0.9, 0.8, 0.1),
        scored("Human", 0.7, 0.7, 0.7, kind=RowKind.HUMAN),
        scored("Majority", 0.3, 0.3, 0.3, kind=RowKind.BASELINE),
    )
    svg = parsed(chart)
    assert len(svg.findall(".//g[@class='line human']/path[@transform]")) == 3
    assert len(svg.findall(".//g[@class='aside']/path[@transform]")) == 3
    assert texts(chart).count("human estimate") == texts(chart).count("baseline") == 1


def test_data_say_best_median_and_lowest_of_systems_and_what_stands_beside_them() -> None:
    rows = [scored(name, value, value, None) for name, value in zip("ABC", (0.9, 0.5, 0.4), strict=True)]
    human = scored("Human", 0.7, None, None, kind=RowKind.HUMAN)
    chart = spread(*rows, human)
    assert chart.rows == (
        ("Task a", "F1 (macro)", "A", 0.9, 0.5, 0.4, 3, 0.7, None),
        ("Task b", "F1 (macro)", "A", 0.9, 0.5, 0.4, 3, None, None),
    )


def test_column_of_another_scale_is_left_out_and_the_page_says_so() -> None:
    errors = replace(TASKS[1], higher_is_better=False)
    chart = spread(scored("A", 0.9, 0.1, 0.5), columns=(TASKS[0], errors, TASKS[2]))
    assert [line[0] for line in chart.rows] == ["Task a", "Task c"]
    assert chart.note == "Not drawn, for their values are of another scale: B."


def test_without_two_tasks_or_any_ranked_system_nothing_is_drawn() -> None:
    assert spread_chart(of(), TASKS) is None
    assert spread_chart(of(scored("A", 0.9, None, None)), TASKS) is None


def test_dots_of_equal_systems_stand_above_each_other() -> None:
    assert len(set(swarm([100.0] * 5))) == 5
    assert {x for x, _ in swarm([100.0] * 5)} == {100.0}


def test_a_thousand_systems_take_no_more_than_a_small_file() -> None:
    rows = [scored(f"S{n}", *(((n * step) % 997) / 1000 for step in (1, 7, 31))) for n in range(1000)]
    assert len(gzip.compress(spread(*rows).svg)) < 25_000


def test_names_are_text_and_never_markup() -> None:
    chart = spread(scored("<script>&\x00", 0.9, 0.8, 0.1))
    assert b"<script" not in chart.svg


# Build It Break It


def test_breakers_are_drawn_in_the_line_of_each_system_and_the_hardest_is_named() -> None:
    rows = [scored("A", 0.2, 0.1, 0.3), scored("B", 0.5, 0.2, 0.8)]
    chart = broken_chart(of(*rows))
    assert chart is not None
    assert chart.title == "The pairs of C break the most: 55 % of them, on average over systems"
    assert texts(chart).count("B") == 2  # the system, and the breaker's label above its first mark
    assert chart.rows == (("B", 0.5, 0.2, 0.8), ("A", 0.2, 0.1, 0.3))


def test_of_many_systems_the_first_are_drawn_and_the_rest_counted() -> None:
    chart = broken_chart(of(*(scored(f"S{n}", n / 100, 0.1, 0.2) for n in range(30))))
    assert chart is not None
    assert len(chart.rows) == 25
    assert chart.note == "5 systems that are broken more often are not drawn."


def test_before_any_pair_is_answered_nothing_is_drawn() -> None:
    assert broken_chart(of(scored("A", None, None, None))) is None
