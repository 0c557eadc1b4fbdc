from dataclasses import replace
from xml.etree import ElementTree as ET

from benchmarks.spec import RowKind
from leaderboard.board.charts.chart import Chart
from leaderboard.board.charts.heat_map import heads_of, heat_map
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import BoardRow, Column
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, board, cell
from tests.leaderboard.board.charts.test_strip_charts import TASKS, of, scored


def heat(*rows: BoardRow, columns: tuple[Column, ...] = TASKS) -> Chart:
    """The chart of a board that is ranked by the mean of these columns, where a system has all of them."""
    mean = replace(ACCURACY, higher_is_better=columns[0].higher_is_better)
    ranked = rank([averaged(one) for one in rows], mean)
    chart = heat_map(board(*ranked, columns=(mean, *columns)), columns)
    assert chart is not None
    return chart


def averaged(one: BoardRow) -> BoardRow:
    values = [found.value for found in one.cells.values() if found.value is not None]
    mean = {"overall": cell(sum(values) / len(values))} if len(values) >= len(TASKS) else {}
    return one._replace(cells={**one.cells, **mean})


def without_average(*rows: BoardRow) -> Chart:
    chart = heat_map(of(*rows), TASKS)
    assert chart is not None
    return chart


def shades(chart: Chart) -> list[int]:
    """How many cells have each shade; the last square of each is the legend's."""
    svg = ET.fromstring(chart.svg.replace(b' xmlns="http://www.w3.org/2000/svg"', b""))  # noqa: S314 - our own bytes
    groups = [svg.findall(f"g[@class='heat heat-{shade}']/path") for shade in range(5)]
    return [sum((one.get("d") or "").count("M") for one in found) - 1 for found in groups]


def texts(chart: Chart) -> list[str]:
    svg = ET.fromstring(chart.svg.replace(b' xmlns="http://www.w3.org/2000/svg"', b""))  # noqa: S314 - our own bytes
    return [one.text or "" for one in svg.iter("text")]


def test_title_says_where_the_first_stands_lowest() -> None:
    rows = [scored("A", 0.9, 0.1, 0.9), scored("B", 0.8, 0.2, 0.4), scored("C", 0.7, 0.3, 0.3)]
    assert heat(*rows).title == "A, first overall, is 3rd in Task b"
    assert heat(*rows[:1], scored("Z", 0.1, 0.1, 0.1)).title == "A, first overall, is first in every task"


def test_without_an_average_nobody_is_first_overall_and_who_lacks_the_first_task_is_not_left_out() -> None:
    chart = without_average(
        scored("A", 0.9, 0.5, 0.5), scored("B", 0.8, 0.4, 0.4), scored("C", None, 0.7, 0.6)
    )
    assert chart.title == "C is first in 2 of 3 tasks"
    assert [line[:2] for line in chart.rows] == [(1, "A"), (2, "B"), (None, "C")]
    assert f"{fmt.NONE}" in texts(chart)
    assert chart.note == ""


def test_who_is_passed_by_a_system_without_a_rank_is_not_first_in_every_task() -> None:
    chart = heat(scored("A", 0.9, 0.8, 0.7), scored("B", 0.5, 0.5, 0.5), scored("C", None, 0.9, None))
    assert chart.title == "A, first overall, is 2nd in Task b"


def test_cells_are_shaded_from_the_worst_of_their_task_to_its_best_and_show_hundredths() -> None:
    chart = heat(scored("A", 0.9, 0.5, 0.5), scored("B", 0.5, 0.9, 0.5), scored("C", 0.7, 0.7, 0.5))
    assert shades(chart) == [2, 0, 2, 0, 5]
    assert {"90", "50", "70"} <= set(texts(chart))


def test_where_less_is_better_the_lowest_is_shaded_most() -> None:
    errors = tuple(replace(one, higher_is_better=False) for one in TASKS)
    chart = heat(scored("A", 0.1, 0.1, 0.1), scored("B", 0.9, 0.9, 0.9), columns=errors)
    assert chart.title.startswith("A, first overall")
    assert shades(chart) == [3, 0, 0, 0, 3]


def test_a_missing_score_is_a_dash_without_a_shade() -> None:
    chart = heat(scored("A", 0.9, 0.5, 0.5), scored("B", 0.5, None, 0.4))
    assert sum(shades(chart)) == 5
    assert fmt.NONE in texts(chart)


def test_of_many_systems_the_first_25_are_drawn_and_words_tell_of_the_rest() -> None:
    rows = [scored(f"S{n}", 0.9 - n / 100, 0.5, 0.5) for n in range(30)]
    late = [scored("Late", None, 0.5, 0.5), scored("Nothing", None, None, None)]
    chart = heat(*rows, *late, scored("Majority", 0.1, 0.1, 0.1, kind=RowKind.BASELINE))
    assert len(chart.rows) == 25
    assert chart.note == (
        "Not shown: 5 systems of lower rank and 1 system without a rank. The table of the board has them all."
    )


def test_heads_that_several_columns_share_stand_with_their_groups() -> None:
    columns = [
        replace(TASKS[0], title="English", group="V-reg"),
        replace(TASKS[1], title="English", group="V-oc"),
        replace(TASKS[2], title="E-c"),
    ]
    assert heads_of(columns) == ["V-reg English", "V-oc English", "E-c"]


MANY = tuple(replace(TASKS[0], key=f"t{n}", title=f"T{n}") for n in range(30))


def of_many_tasks(systems: int) -> list[BoardRow]:
    rows = []
    for number in range(systems):
        whole = scored(f"S{number}", 0.5 - number / 100, 0.5, 0.5)
        rows.append(whole._replace(cells={one.key: whole.cells["a"] for one in MANY}))
    return rows


def test_where_more_tasks_than_systems_fit_a_phone_the_tasks_stand_below_each_other() -> None:
    chart = heat(*of_many_tasks(5), columns=MANY)
    assert not chart.is_wide
    assert {"1 S0", "5 S4", "T29"} <= set(texts(chart))
    assert "1 S0" not in texts(heat(*of_many_tasks(5), columns=MANY[:5]))
    assert sum(shades(chart)) == 5 * 30


def test_many_tasks_and_systems_make_a_chart_that_does_not_fit_a_phone() -> None:
    assert heat(*of_many_tasks(12), columns=MANY).is_wide
    assert not heat(*of_many_tasks(12), columns=MANY[:5]).is_wide


def test_too_few_tasks_or_systems_make_no_heat_map() -> None:
    assert heat_map(of(scored("A", 0.9, 0.5, 0.5)), TASKS) is None
    assert heat_map(of(scored("A", 0.9, 0.5, 0.5), scored("B", 0.9, 0.5, 0.5)), TASKS[:2]) is None
    assert heat_map(of(), TASKS) is None
