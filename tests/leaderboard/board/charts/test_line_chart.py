import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from leaderboard.board.charts.board_charts import examples_charts, share_charts, size_chart
from leaderboard.board.charts.chart import Chart
from leaderboard.board.charts.line_chart import Series, line_chart
from leaderboard.board.model.board import Board, BoardRow, Cell
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row

SHARES = {"full": 1.0, "tenth": 0.1}
KEYS = ("score:full", "score:tenth", "resilience:full", "resilience:tenth")


def drawn(*series: Series, name: str = "score") -> ET.Element:
    return parsed(chart(*series, x_title="Training data (%)", y_title="F1 macro", name=name).svg)


def chart(*series: Series, x_title: str = "x", y_title: str = "y", name: str = "n") -> Chart:
    return line_chart(series, title="More data help", x_title=x_title, y_title=y_title, name=name)


def parsed(svg: bytes) -> ET.Element:
    """The chart without its namespace, so that its elements are found by their names."""
    return ET.fromstring(svg.replace(b' xmlns="http://www.w3.org/2000/svg"', b""))  # noqa: S314 - our own bytes


def line(name: str, *ys: float, **more: object) -> Series:
    return Series(name, tuple((10.0 + 90 * index, y) for index, y in enumerate(ys)), **more)  # type: ignore[arg-type]


def names(svg: ET.Element) -> list[str]:
    """The names at the ends of lines, from top to bottom."""
    return [text.text or "" for text in svg.findall(".//g[@class='names']//text")]


def lines_by_name(svg: ET.Element) -> dict[str, ET.Element]:
    """The group of every line, by the name that its title begins with."""
    groups = [group for group in svg.findall("g") if (group.get("class") or "").startswith("line")]
    return {(group.findtext("title") or "").split(":")[0]: group for group in groups}


def tracks_board(*rows: BoardRow) -> Board:
    columns = [replace(TASK, key=key, title=key, group=key.partition(":")[0].title()) for key in KEYS]
    return board(*rank(rows, columns[0]), columns=tuple(columns), rank_by=KEYS[0])


def tracks_row(name: str, *values: float | None, kind: RowKind = RowKind.SYSTEM) -> BoardRow:
    cells = {
        key: Cell(value, None if value is not None else "not_submitted")
        for key, value in zip(KEYS, values, strict=True)
    }
    return row(name, kind=kind)._replace(cells=cells)


def test_chart_has_a_line_through_the_points_in_the_order_of_the_scale() -> None:
    svg = drawn(Series("A", ((100.0, 0.4), (10.0, 0.2), (55.0, 0.3))))
    path = lines_by_name(svg)["A"].find("path")
    assert path is not None
    points = [tuple(map(float, one.split())) for one in (path.get("d") or "").lstrip("M").split("L")]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    (left, bottom), (middle, half), (right, top) = points
    assert middle - left == pytest.approx(right - middle, abs=0.2)
    assert bottom - half == pytest.approx(half - top, abs=0.2)
    assert bottom > top


def test_chart_names_lines_at_their_ends_from_top_to_bottom() -> None:
    assert names(drawn(line("Low", 0.1, 0.2), line("High", 0.1, 0.9))) == ["High", "Low"]


def test_chart_of_many_lines_names_the_highlighted_ones_alone() -> None:
    grey = [line(f"Grey {n}", 0.1, 0.2) for n in range(10)]
    assert names(drawn(*grey, line("First", 0.1, 0.9, place=0))) == ["First"]


def test_chart_cuts_long_names_and_has_them_whole_for_those_who_point() -> None:
    svg = drawn(line("A very long name of a system", 0.1, 0.2))
    (shown,) = names(svg)
    assert shown.startswith("A very")
    assert shown.endswith("…")
    assert svg.findtext(".//g[@class='names']/g/title") == "A very long name of a system"


def test_chart_draws_what_is_no_system_dashed() -> None:
    svg = drawn(line("A", 0.1, 0.2), line("Majority", 0.1, 0.1, is_system=False))
    dashes = {name: group.find("path[@stroke-dasharray]") for name, group in lines_by_name(svg).items()}
    assert dashes["A"] is None
    assert dashes["Majority"] is not None


def test_chart_marks_a_single_point() -> None:
    assert lines_by_name(drawn(line("A", 0.5)))["A"].find("path[@transform]") is not None


def test_chart_tells_screen_readers_its_title_and_its_ends() -> None:
    svg = drawn(line("A", 0.1, 0.25))
    assert svg.get("role") == "img"
    assert svg.findtext(f"title[@id='{svg.get('aria-labelledby')}']") == "More data help"
    assert "A .250 at 100" in (svg.findtext(f"desc[@id='{svg.get('aria-describedby')}']") or "")


def test_charts_in_one_page_have_ids_of_their_own() -> None:
    ids = [
        {one.get("id") for one in drawn(line("A", 0.1), name=name).iter() if one.get("id")} for name in "ab"
    ]
    assert not ids[0] & ids[1]


def test_chart_keeps_whatever_a_name_holds_as_text() -> None:
    evil = "<script>alert(1)</script>\x00\ud800&"
    svg = chart(line(evil, 0.1, 0.2)).svg
    assert b"<script" not in svg
    assert names(parsed(svg))[0].startswith("<script>")


def test_chart_needs_neither_style_attributes_nor_style_sheets() -> None:
    svg = chart(line("A", 0.1, 0.2, place=0)).svg
    assert not re.search(rb"style|href|url\(", svg)


def test_same_series_give_the_same_bytes() -> None:
    series = [line("A", 0.1, 0.2), line("B", 0.3, 0.2, place=0)]
    assert chart(*series) == chart(*series)


@pytest.mark.parametrize("series", [[], [Series("A", ())]])
def test_chart_refuses_to_draw_nothing(series: list[Series]) -> None:
    with pytest.raises(ValueError, match="at least one series"):
        chart(*series)


def test_shares_have_a_chart_per_group_with_percentages_below() -> None:
    charts = share_charts(tracks_board(tracks_row("A", 0.6, 0.4, 0.9, 0.8)), SHARES)
    assert [(one.key, one.title) for one in charts] == [
        ("score", "With 10 % of the training data A falls from .600 to .400"),
        ("resilience", "With 10 % of the training data A falls from .900 to .800"),
    ]
    texts = [text.text for text in parsed(charts[0].svg).findall(".//g[@class='scales']/text")]
    assert {"10", "100", "Training data (%)", "Score"} <= set(texts)


def test_data_beside_a_chart_are_its_points_at_full_precision() -> None:
    assert chart(line("=A", 0.123456, 0.2)).csv.decode().splitlines() == [
        "Line,x,y",
        "'=A,10,0.123456",
        "'=A,100,0.2",
    ]


def test_of_a_crowd_of_systems_the_first_are_drawn_and_the_rest_counted() -> None:
    rows = [tracks_row(f"S{n}", 0.9 - n / 1000, 0.1, None, None) for n in range(200)]
    (drawn_of,) = share_charts(tracks_board(*rows), SHARES)
    assert len(lines_by_name(parsed(drawn_of.svg))) == 24
    assert drawn_of.note == "176 systems that stand lower have no line here."


def test_shares_without_a_value_in_a_group_have_no_chart_of_it() -> None:
    charts = share_charts(tracks_board(tracks_row("A", 0.6, None, None, None)), SHARES)
    assert [one.key for one in charts] == ["score"]
    assert share_charts(tracks_board(), SHARES) == ()


def test_a_system_has_the_same_colour_in_every_chart() -> None:
    rows = [tracks_row("A", 0.9, 0.1, 0.1, 0.1), tracks_row("B", 0.5, 0.4, 0.8, 0.9)]
    charts = [lines_by_name(parsed(one.svg)) for one in share_charts(tracks_board(*rows), SHARES)]
    assert [one["A"].get("class") for one in charts] == ["line line-1", "line line-1"]
    assert [one["B"].get("class") for one in charts] == ["line line-2", "line line-2"]


def test_the_first_five_ranked_systems_are_highlighted() -> None:
    rows = [tracks_row(f"S{n}", 0.9 - n / 10, 0.1, 0.1, 0.1) for n in range(6)]
    rows.append(tracks_row("Baseline", 0.95, 0.1, 0.1, 0.1, kind=RowKind.BASELINE))
    lines = lines_by_name(parsed(share_charts(tracks_board(*rows), SHARES)[0].svg))
    highlighted = {name for name, one in lines.items() if one.get("class") != "line other"}
    assert highlighted == {"S0", "S1", "S2", "S3", "S4"}


# Score against size


def sized(*systems: tuple[str, float, int | None]) -> Board:
    rows = [row(name, value, facts=DeclaredFacts(size)) for name, value, size in systems]
    return board(*rank(rows, ACCURACY), columns=(ACCURACY,))


def test_sizes_stand_on_a_scale_of_powers_with_their_words() -> None:
    chart = size_chart(
        sized(
            ("Ash", 0.9, 70_000_000_000),
            ("Birch", 0.8, 700_000_000),
            ("Cedar", 0.7, 7_000_000),
            ("Elm", 0.6, None),
        )
    )
    assert chart is not None
    assert chart.title == (
        "Ash, of 70B, scores highest of those with a stated size; Cedar, of 7M, is the smallest"
    )
    assert [line[:2] for line in chart.rows] == [("Ash", "70B"), ("Birch", "700M"), ("Cedar", "7M")]
    assert chart.note == "1 ranked system without a stated size."
    places = [float(x) for x in re.findall(r"translate\(([\d.]+) ", chart.svg.decode())]
    assert sorted(places)[1] == pytest.approx((min(places) + max(places)) / 2)


def trained_on(*systems: tuple[str, str, float, int | None]) -> Board:
    rows = [
        row(name, value, team=team, facts=DeclaredFacts(examples=count))
        for name, team, value, count in systems
    ]
    return board(*rank(rows, ACCURACY), columns=(ACCURACY,))


def test_a_teams_scores_stand_against_the_training_examples_of_its_systems() -> None:
    tried = trained_on(
        ("All", "North", 0.9, 1_000),
        ("Some", "North", 0.6, 100),
        ("Some, worse", "North", 0.5, 100),
        ("None", "North", 0.3, 0),
        ("Alone", "South", 0.8, 500),
        ("Unknown", "South", 0.7, None),
    )
    (chart,) = examples_charts(tried, tried.columns)
    assert chart.title == "North: scores by how many training examples its systems state"
    assert [(line[1], line[2]) for line in chart.rows] == [("0", 0.3), ("100", 0.6), ("1,000", 0.9)]


def test_one_stated_size_is_no_picture() -> None:
    assert size_chart(sized(("Ash", 0.9, 10**9), ("Birch", 0.8, 10**9), ("Cedar", 0.7, None))) is None
