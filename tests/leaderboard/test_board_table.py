from dataclasses import replace
from html.parser import HTMLParser

from django.template.loader import render_to_string

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board
from leaderboard.board.tables.board_table import table
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row


class Tags(HTMLParser):
    """The opening tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def tags(made: Board) -> Tags:
    parser = Tags()
    parser.feed(html(made))
    return parser


def html(made: Board) -> str:
    return render_to_string("_board_table.html", {"table": table(made, view="columns"), "board": made})


def grouped_board() -> Board:
    columns = (ACCURACY, replace(TASK, group="EI-reg"), replace(TASK, key="joy", title="Joy", group="EI-reg"))
    return board(row("A", 0.5, 0.4), columns=columns)


def test_group_head_spans_its_columns_and_says_so() -> None:
    (group,) = [head for head in tags(grouped_board()).of("th") if head.get("scope") == "colgroup"]
    assert group["colspan"] == "2"
    assert [one["span"] for one in tags(grouped_board()).of("colgroup")] == ["2", "1", "2"]


def test_heads_that_stand_in_no_group_reach_over_both_rows() -> None:
    heads = tags(grouped_board()).of("th")
    assert [head.get("rowspan") for head in heads if head["scope"] == "col"] == ["2", "2", "2", None, None]


def test_every_cell_names_its_submission() -> None:
    made = board(row("A")._replace(cells={"overall": cell(0.5, submission="3f2a9c1e-77aa-4b0e-8c3d")}))
    assert "submission 3f2a9c1e" in [one.get("title") for one in tags(made).of("td")]


def test_cell_shows_second_measure_deviation_and_missing_seeds() -> None:
    measured = cell(0.712, beside=0.802, deviation=0.004, seeds=3, seeds_wanted=5)
    text = html(board(row("A")._replace(cells={"overall": measured})))
    assert all(part in text for part in (".712", "(.802)", "sd .004", "3 of 5 seeds"))


def test_board_of_attacks_has_no_column_of_ranks() -> None:
    text = html(board(row("Spelling", 0.4, kind=RowKind.ATTACK, team="")))
    assert ">Attack</th>" in text
    assert 'class="rank"' not in text
    assert "Best" not in text


def test_names_are_escaped_wherever_they_stand_in_a_row() -> None:
    made = board(row("<b>A & Co</b>")._replace(team='<i>"us"</i>', system_id="a'b"))
    assert '<a href="/systems/a&#x27;b/">&lt;b&gt;A &amp; Co&lt;/b&gt;</a>' in html(made)
    assert "<small>&lt;i&gt;&quot;us&quot;&lt;/i&gt;</small>" in html(made)
