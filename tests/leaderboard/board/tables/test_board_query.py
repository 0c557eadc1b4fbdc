from dataclasses import replace
from urllib.parse import parse_qsl

import pytest

from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from leaderboard.board.model.board import Board
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.board_query import (
    FIRST_ROWS,
    PAGE_ROWS,
    BoardQuery,
    places,
    rows_at_once,
    understand,
)
from leaderboard.board.tables.board_table import WORDS, TableView, arranged, table
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, cell, row
from tests.leaderboard.board.tables.printed_rows import rows_of

NORTH = row("Aurora", 0.9, 0.3, rank=1, team="North", tags=("few-shot", "open"))
SOUTH = row("Breeze", 0.8, 0.7, rank=2, team="South", tags=("few-shot",))
PAPER = row("Published", 0.7, 0.5, kind=RowKind.REPORTED, source="Northcote 2020")
BLANK = row("Calm", 0.6, rank=3)._replace(cells={"overall": cell(0.6), "banking_77": cell(None)})


def a_board() -> Board:
    return board(NORTH, SOUTH, PAPER, BLANK, columns=(ACCURACY, TASK))


def asked(query: str) -> BoardQuery:
    return understand(parse_qsl(query), a_board())


def names(query: str) -> list[str]:
    made = a_board()
    return [made.rows[place].system for place in places(made, asked(query))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["Aurora", "Breeze", "Published", "Calm"]),
        ("sort=banking_77", ["Breeze", "Published", "Aurora", "Calm"]),
        ("sort=-banking_77", ["Aurora", "Published", "Breeze", "Calm"]),
        ("sort=-overall", ["Calm", "Published", "Breeze", "Aurora"]),
        ("sort=-system", ["Published", "Calm", "Breeze", "Aurora"]),
        ("sort=-team", ["Published", "Calm", "Breeze", "Aurora"]),
        ("tag=few-shot", ["Aurora", "Breeze"]),
        ("tag=few-shot&tag=open", ["Aurora"]),
        ("q=NORTH", ["Aurora", "Published"]),
        ("q=north&sort=banking_77", ["Published", "Aurora"]),
        ("q=nobody", []),
    ],
)
def test_rows_stand_as_they_are_asked_for(query: str, expected: list[str]) -> None:
    assert names(query) == expected


def test_lower_comes_first_where_lower_is_better() -> None:
    made = board(row("A", 0.9), row("B", 0.2), columns=(ERROR,))
    assert places(made, BoardQuery(sort="overall")) == (1, 0)


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        ("sort=nothing", "There is no column “nothing” to sort by."),
        ("sort=-", "There is no column “-” to sort by."),
        ("tag=huge", "No system here is tagged “huge”."),
        ("view=map", "There is no view “map”; there are “picture”, “columns”, “heat”."),
        ("colour=red", "“colour” is nothing that this page can be asked for."),
        ("q=" + "x" * 90, "Only the first 80 characters were searched for."),
    ],
    ids=["column", "minus", "tag", "view", "key", "search"],
)
def test_what_does_not_exist_is_passed_over_with_a_sentence(query: str, remark: str) -> None:
    reading = asked(query)
    assert reading.remarks == (remark,)
    assert reading.search or reading.is_official


def test_a_link_asks_for_what_it_was_made_of() -> None:
    reading = BoardQuery(
        sort="banking_77", reverse=True, tags=("open", "few-shot"), search="a&b", view="heat"
    )
    assert asked(reading.url().removeprefix("?")) == reading


def test_what_asks_for_nothing_is_the_plain_page() -> None:
    assert asked("q=&sort=overall&tag=").url() == "./"


def test_ranks_and_what_is_best_stay_those_of_the_official_board() -> None:
    made = a_board()
    view = arranged(table(made), made, asked("q=calm&view=columns"))
    assert [one.rank for one in rows_of(view)] == ["3"]
    view = arranged(table(made), made, asked("sort=banking_77&view=columns"))
    assert [one.rank for one in rows_of(view)] == ["2", "", "1", "3"]
    assert [one.cells[1].css for one in rows_of(view)] == ["best", "", "second", "none"]


def test_the_head_of_a_sorted_column_says_so_and_turns_it_round() -> None:
    made = a_board()
    heads = {head.key: head for head in arranged(table(made), made, asked("sort=banking_77")).heads}
    assert (heads["overall"].sort, heads["banking_77"].sort) == ("", "descending")
    assert heads["banking_77"].sort_url == "?sort=-banking_77"
    assert heads["overall"].sort_url == "./"
    turned = arranged(table(made), made, asked("sort=-banking_77")).heads[1]
    assert (turned.sort, turned.sort_url) == ("ascending", "./")


def test_form_offers_the_order_that_is_shown() -> None:
    made = a_board()
    tools = arranged(table(made), made, asked("sort=-banking_77")).tools
    assert tools is not None
    assert [(url, title) for url, title, is_chosen in tools.options if is_chosen] == [
        ("?sort=-banking_77", "Banking 77, worst first")
    ]


def test_tags_that_differ_in_case_alone_are_one_as_most_write_it() -> None:
    made = board(
        row("A", 0.9, rank=1, tags=("7b",)),
        row("B", 0.8, rank=2, tags=("7B",)),
        row("C", 0.7, rank=3, tags=("7B",)),
    )
    tools = arranged(table(made), made, understand([("tag", "7b")], made)).tools

    assert tools is not None
    assert [(tag, count) for tag, count, _, _ in tools.tags] == [("7B", 3)]
    assert len(places(made, tools.query)) == 3


def test_a_tag_link_adds_to_the_chosen_tags_or_takes_away() -> None:
    made = a_board()
    tools = arranged(table(made), made, asked("tag=open")).tools
    assert tools is not None
    assert {tag: url for tag, _, url, _ in tools.tags} == {"few-shot": "?tag=open&tag=few-shot", "open": "./"}


def test_heat_shades_each_column_from_its_worst_value_to_its_best() -> None:
    shades = [[one.css.split()[-1] for one in made.cells] for made in rows_of(table(a_board(), view="heat"))]
    assert [one[0] for one in shades] == ["heat-4", "heat-3", "heat-1", "heat-0"]
    assert [one[1] for one in shades] == ["heat-0", "heat-4", "heat-2", "none"]


def test_a_board_before_its_first_release_has_nothing_to_arrange() -> None:
    assert table(replace(a_board(), release=0)).tools is None


def grouped_board() -> Board:
    """Columns: overall; then `Stance` with banking_77 and a second one."""
    stance = [replace(TASK, group="Stance"), replace(TASK, key="second", title="Second", group="Stance")]
    return board(NORTH, SOUTH, columns=(ACCURACY, *stance))


def folded(query: str) -> TableView:
    made = grouped_board()
    return arranged(table(made), made, understand(parse_qsl(query), made))


def test_a_folded_group_keeps_its_first_column_and_the_rest_are_left_for_paper() -> None:
    view = folded("fold=banking_77")
    assert [head.is_folded for head in view.heads] == [False, False, True]
    assert all([cell.is_folded for cell in line.cells] == [False, False, True] for line in rows_of(view))
    assert (view.groups[1].shown, view.groups[1].hidden) == (1, 1)


def test_a_group_folds_and_unfolds_by_links_that_keep_the_rest() -> None:
    assert folded("sort=-system").groups[1].fold_url == "?sort=-system&fold=banking_77"
    assert folded("sort=-system&fold=banking_77").groups[1].fold_url == "?sort=-system"
    assert folded("").groups[0].fold_url == ""


def test_all_groups_fold_by_one_link() -> None:
    for query, url in (("", "?fold=banking_77"), ("fold=banking_77", "./")):
        tools = folded(query).tools
        assert tools is not None
        assert tools.fold_url == url


def test_what_is_folded_is_said() -> None:
    tools = folded("fold=banking_77&fold=second").tools
    assert tools is not None
    assert tools.said == ("There are no columns “second” to fold.",)
    assert tools.folded == "Folded: Stance to B77."


def test_a_board_without_groups_has_nothing_to_fold() -> None:
    made = a_board()
    tools = arranged(table(made), made, BoardQuery()).tools
    assert tools is not None
    assert tools.fold_url == ""


# Many rows


def of_many(count: int, query: str = "") -> TableView:
    rows = [row(f"System {at:03}", (count - at) / count) for at in range(count)]
    made = board(*rank(rows, ACCURACY), columns=(ACCURACY,))
    return arranged(table(made), made, understand(parse_qsl(query), made))


def rows_in(view: TableView) -> int:
    return (view.picture.body if view.picture else view.body).count("<tr")


@pytest.mark.parametrize("view", ["picture", "columns"])
def test_of_many_rows_the_first_are_shown_and_a_link_leads_through_all_page_by_page(view: str) -> None:
    first = of_many(450, f"view={view}")
    assert 30 < rows_in(first) <= FIRST_ROWS
    assert first.rest == f"Show {450 - rows_in(first)} more rows"
    address, seen = first.rest_url, []
    while address:
        page = of_many(450, address.removeprefix("?"))
        assert rows_in(page) <= PAGE_ROWS
        assert page.turning is not None
        seen.append(page.turning.text)
        address = {words: url for url, words in page.turning.links}.get(WORDS["after"], "")
    assert seen[0].startswith("Rows 1 to ")
    assert seen[-1].endswith(" to 450 of 450.")


def test_a_page_that_does_not_exist_is_the_last() -> None:
    assert of_many(450, "rows=all&page=999").turning == of_many(450, "rows=all&page=3").turning
    assert of_many(450, "rows=all&page=x").turning == of_many(450, "rows=all").turning
    assert of_many(20).rest == ""


def test_of_wide_rows_fewer_are_shown() -> None:
    columns = tuple(replace(TASK, key=f"task_{at}") for at in range(40))
    wide = board(row("A", 0.5), columns=(ACCURACY, *columns))
    narrow = board(row("A", 0.5), columns=(ACCURACY,))
    query = BoardQuery(view="columns")
    assert rows_at_once(wide, query) < rows_at_once(narrow, query)


def test_what_is_looked_for_is_found_also_among_rows_that_are_not_shown_at_first() -> None:
    found = of_many(300, "q=System 299")
    assert rows_in(found) == 1
    assert found.picture is not None
    assert "System 299" in found.picture.body


def test_the_axis_of_the_first_rows_has_room_for_them_alone() -> None:
    first, whole = of_many(300).picture, of_many(300, "rows=all").picture
    assert first is not None
    assert whole is not None
    assert ">.90<" in first.axis
    assert ">.4" not in first.axis
    assert ">1.0<" in whole.axis


# What teams declare


def declared(query: str = "") -> TableView:
    facts = {
        "Ash": DeclaredFacts(7_000_000_000, "open", "given", 12.5),
        "Birch": DeclaredFacts(350_000_000, "closed"),
        "Cedar": DeclaredFacts(),
    }
    rows = [
        row(name, 0.9 - 0.1 * at, facts=stated, tags=("open weights",) if at == 0 else ())
        for at, (name, stated) in enumerate(facts.items())
    ]
    made = board(*rank(rows, ACCURACY), columns=(ACCURACY,))
    return arranged(table(made), made, understand(parse_qsl(query), made))


def test_rows_are_chosen_by_what_teams_declare_as_by_tags() -> None:
    tools = declared().tools
    assert tools is not None
    assert {tag: count for tag, count, _, _ in tools.tags} == {
        "open weights": 1,
        "closed weights": 1,
        "given data only": 1,
    }
    assert rows_in(declared("tag=closed weights")) == 1


def test_what_teams_declare_stands_in_columns_where_it_is_asked_for() -> None:
    usual, asked_for = declared().picture, declared("facts=1").picture
    assert usual is not None
    assert asked_for is not None
    assert "size" not in usual.seconds
    assert asked_for.seconds == ("size", "weights", "training data", "examples", "cost")
    ash = asked_for.body.partition("</tr>")[0]
    told = {"size": "7B", "weights": "open", "training data": "given", "cost": "$12.50"}
    cells = {head: f'<td class="tk fact" data-head="{head}">{text}</td>' for head, text in told.items()}
    assert [head for head, cell in cells.items() if cell not in ash] == []
    assert asked_for.body.count("<td") == 3 * (asked_for.width - 1)


def test_a_board_of_which_nobody_declares_anything_offers_no_columns_for_it() -> None:
    tools = of_many(3, "facts=1").tools
    assert tools is not None
    assert "What teams declare" not in [title for _, title, _ in tools.views]
    assert not tools.query.facts
