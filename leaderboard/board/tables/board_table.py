"""A board as its template prints it: every number already text, every emphasis already a CSS class.

A reader may want it otherwise; the links and the form that ask for that are part of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.analysis.chance import ChanceView, chance_view
from leaderboard.board.model.board import Board, Column
from leaderboard.board.tables.board_query import (
    COLUMNS,
    HEAT,
    NAMES,
    PICTURE,
    BoardQuery,
    can_be_pictured,
    columns_beside,
    first_of_page,
    foldable,
    groups_in_order,
    places,
    rows_at_once,
    rows_of_page,
    tags_of,
    usual_view,
)
from leaderboard.board.tables.ranking_picture import PictureView, picture
from leaderboard.board.tables.table_body import TableBody, has_besides

MAX_SHOWN_TAGS = 24
MACRO_F1 = "f1_macro"  # whose mean over test sets of this size is another than on endless items
NOTHING_FOUND = "No row is like that."
# What is said of rows that were chosen, and of those that are not shown: also for the script that chooses them itself.
WORDS = {
    "counted": "{shown} of {all} rows: {how}.",
    "tagged": "tagged {tags}",
    "tag": "“{tag}”",
    "and": " and ",
    "searched": "with “{search}” in a name",
    "chosen": ", chosen; remove",
    "rest": "Show {count} more rows",
    "turn": "Rows {first} to {last} of {count}.",
    "before": "The rows before",
    "after": "The next rows",
}


@dataclass(frozen=True, slots=True)
class HeadView:
    """A column's head. `sort` is an aria-sort value, empty but for the column by which the rows stand in order.

    `sort_url` asks for another order, relative to the page; it is empty where there is nothing to sort. `leads` is
    true of the column that ranks the board; what `is_folded` is shown on paper alone.
    """

    key: str
    title: str
    hint: str
    url: str
    sort: str
    leads: bool = False
    sort_url: str = ""
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class GroupView:
    """Neighbouring heads under their common title, which is empty for heads that stand by themselves.

    `fold_url` asks for the first of them alone, or for all again; it is empty where there is nothing to fold.
    """

    title: str
    heads: tuple[HeadView, ...]
    fold_url: str = ""

    @property
    def hidden(self) -> int:
        return sum(head.is_folded for head in self.heads)

    @property
    def shown(self) -> int:
        return len(self.heads) - self.hidden


@dataclass(frozen=True, slots=True)
class ToolsView:
    """How the table can be read otherwise, and how the `query` has it read now, which `said` tells in sentences.

    `options` are orders that rows can be sorted in, and `views` ways to show them: address, title, whether it is
    chosen. `tags` are those of many rows: name, how many rows have it, address that filters by it (or no more), whether
    it is chosen. `order` is the order now. `folded` is a sentence about folded groups, which is not true of what is
    printed; `fold_url` folds all, or none where some are, and is
    empty on a board without groups.
    """

    query: BoardQuery
    options: tuple[tuple[str, str, bool], ...]
    views: tuple[tuple[str, str, bool], ...]
    tags: tuple[tuple[str, int, str, bool], ...]
    order: str
    said: tuple[str, ...]
    folded: str = ""
    fold_url: str = ""


@dataclass(frozen=True, slots=True)
class Turning:
    """Which rows of a long board stand on this page of it, and links to those around; empty where there are none."""

    text: str
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table. The column that ranks the board stands first among `heads` and in every row.

    `besides` says what the numbers in parentheses are. What `is_wide` does not fit on a desk's screen and scrolls
    in a frame of its own. `body` are the rows that are shown, as HTML, of all that are `written`; where there are none,
    `nothing` says so. `name_sort` and `name_sort_url` are to the head of the names what they are to others, see
    HeadView. `chance` says how sure the order is, where that is known. `rest` says how many rows more there are,
    which `rest_url` shows; it is empty where there are none. `turning` is there where all are shown, page by page.
    A frame has a place where rows are to stand. `has_shares` says that some scores are written without a leading zero.
    """

    caption: str
    heads: tuple[HeadView, ...]
    groups: tuple[GroupView, ...]
    written: TableBody
    has_groups: bool
    has_rank_intervals: bool
    has_other_rows: bool
    has_deviations: bool
    has_missing_seeds: bool
    has_shares: bool
    has_macro_f1: bool
    is_wide: bool
    besides: str
    body: str
    nothing: str = "No system has been scored yet."
    name_sort: str = ""
    name_sort_url: str = ""
    tools: ToolsView | None = None
    chance: ChanceView | None = None
    picture: PictureView | None = None
    rest: str = ""
    rest_url: str = ""
    turning: Turning | None = None
    is_frame: bool = False

    @property
    def is_heat_map(self) -> bool:
        return self.tools is not None and self.tools.query.view == HEAT

    def with_links(self, urls: Mapping[str, str]) -> TableView:
        """The table whose heads link to these pages, by the keys of their columns."""
        groups = tuple(
            replace(group, heads=tuple(replace(head, url=urls.get(head.key, "")) for head in group.heads))
            for group in self.groups
        )
        return replace(self, groups=groups, heads=tuple(head for group in groups for head in group.heads))


def table(board: Board, *, task_urls: Mapping[str, str] | None = None, view: str = "") -> TableView:
    """The board ready for printing. `task_urls` maps column keys to the pages that their heads link to.

    `view` is one of `leaderboard.board.tables.board_query.VIEWS`, empty for the board's usual one. As a heat map every
    column is shaded, from its worst value to its best.
    """
    parts = groups_in_order(board)
    columns = [column for part in parts for column in part.columns]
    groups = tuple(
        GroupView(part.title, tuple(_head(column, board.rank_by) for column in part.columns))
        for part in parts
    )
    body = TableBody(board, columns, divided={part.columns[0].key for part in parts[1:]}, heat=view == HEAT)
    cells = [row.cell(column.key) for row in board.rows for column in columns]
    whole = TableView(
        caption=f"{board.title}, release {board.release}" if board.release else board.title,
        heads=tuple(head for group in groups for head in group.heads),
        groups=groups,
        written=body,
        has_groups=any(group.title for group in groups),
        has_rank_intervals=any(row.rank_low is not None for row in board.rows),
        has_other_rows=any(row.kind is not RowKind.SYSTEM for row in board.rows),
        has_deviations=any(cell.deviation is not None for cell in cells),
        has_missing_seeds=not all(cell.is_complete for cell in cells),
        has_shares=any(cell.value is not None and abs(cell.value) < 1 for cell in cells),
        has_macro_f1=any(MACRO_F1 in column.metric for column in columns),
        is_wide=body.is_wide(),
        besides=_besides(board, columns),
        body="",
        chance=chance_view(board),
    )
    return arranged(whole, board, BoardQuery(view=view)).with_links(task_urls or {})


def _head(column: Column, rank_by: str) -> HeadView:
    sort = ("descending" if column.higher_is_better else "ascending") if column.key == rank_by else ""
    measure = "" if column.name == column.metric_title else f": {column.metric_title}"
    direction = "" if column.higher_is_better else ", lower is better"
    beside = f"; in parentheses: {column.beside_title}" if column.beside_title else ""
    hint = f"{column.name}{measure}{direction}{beside}"
    return HeadView(column.key, column.title, hint, "", sort, leads=column.key == rank_by)


def _besides(board: Board, columns: Sequence[Column]) -> str:
    """What stands in parentheses: one measure for all columns, or the columns of each; "" where nothing does."""
    heads: dict[str, list[str]] = {}
    for column in columns:
        if has_besides(board, column):
            heads.setdefault(column.beside_title, []).append(column.title)
    if len(heads) == 1:
        return next(iter(heads))
    return "; ".join(f"{title} ({', '.join(codes)})" for title, codes in heads.items())


def arranged(table: TableView, board: Board, query: BoardQuery) -> TableView:
    """The board's whole table with those rows, in that order, and those groups of columns folded.

    What is best of a column stays what it is on the board.

    A board before its first release, or of fewer than two rows, has nothing to arrange and stays as it is.
    """
    is_pictured = (query.view or usual_view(board)) == PICTURE
    drawn = picture(board, query) if is_pictured else None
    if not board.release or len(board.rows) < 2:
        if drawn:  # nobody can ask for more of its rows
            drawn = picture(board, replace(query, whole=True))
        return replace(table, picture=drawn, body="".join(map(table.written.row, range(len(board.rows)))))
    of_heads = _heads(table, board, query)
    folded = {head.key for head in of_heads["heads"] if head.is_folded}
    chosen = places(board, query)
    shown = () if drawn else rows_of_page(chosen, board, query)
    count, size = drawn.count if drawn else len(chosen), rows_at_once(board, query)
    return replace(
        table,
        **of_heads,
        is_wide=table.written.is_wide(folded),
        body="".join(table.written.row(at, folded) for at in shown),
        picture=drawn,
        nothing=NOTHING_FOUND if query.filters else table.nothing,
        tools=_tools(board, query, tags_of(board), shown=len(chosen)),
        rest=WORDS["rest"].format(count=count - size) if count > size and not query.whole else "",
        rest_url=query.url(whole=True),
        turning=_turning(query, count, size) if query.whole and count > size else None,
    )


def frames(table: TableView, board: Board, *, body: str) -> dict[str, TableView]:
    """By each order in a query string the board as arranged in it, with this HTML in place of its rows."""
    keys = (*NAMES, *(column.key for column in board.columns))
    orders = [BoardQuery(sort=key) for key in keys if key != board.rank_by]
    orders += [BoardQuery(sort=key, reverse=True) for key in keys]
    usual, counts = arranged(table, board, orders[0]), tags_of(board)
    drawn, views = usual.picture, {}
    for query in (BoardQuery(), *orders):
        if usual.picture:
            beside = columns_beside(board, query)
            drawn = replace(usual.picture, body=body, beside=beside, more_url=query.url(published=True))
        views[query.order] = replace(
            usual,
            **_heads(table, board, query),
            picture=drawn,
            body="" if drawn else body,
            tools=_tools(board, query, counts, shown=0),
            rest="",
            nothing=NOTHING_FOUND,
            is_frame=True,
        )
    return views


def _turning(query: BoardQuery, count: int, size: int) -> Turning:
    first = first_of_page(count, size, query)
    page = first // size + 1
    around = [("before", page - 1)] * (page > 1) + [("after", page + 1)] * (first + size < count)
    text = WORDS["turn"].format(first=first + 1, last=min(first + size, count), count=count)
    return Turning(text, tuple((query.url(page=other), WORDS[word]) for word, other in around))


def _heads(table: TableView, board: Board, query: BoardQuery) -> dict[str, Any]:
    """The fields of a table that are about its heads."""
    groups = tuple(_group(group, board, query) for group in table.groups)
    return {
        "groups": groups,
        "heads": tuple(head for group in groups for head in group.heads),
        "name_sort": ("descending" if query.reverse else "ascending") if query.sort == "system" else "",
        "name_sort_url": _next(board, query, "system"),
    }


def _group(group: GroupView, board: Board, query: BoardQuery) -> GroupView:
    first, can_fold = group.heads[0], bool(group.title) and len(group.heads) > 1
    heads = []
    for head in group.heads:
        falls = board.column(head.key).higher_is_better != query.reverse
        is_sorted = head.key == (query.sort or board.rank_by)
        heads.append(
            replace(
                head,
                sort=("descending" if falls else "ascending") if is_sorted else "",
                sort_url=_next(board, query, head.key),
                is_folded=can_fold and head is not first and first.key in query.folds,
            )
        )
    fold_url = query.url(folds=_toggled(query.folds, first.key)) if can_fold else ""
    return GroupView(group.title, tuple(heads), fold_url)


def _next(board: Board, query: BoardQuery, key: str) -> str:
    """What a click on a head asks for: its order, the other way round, and the official order again."""
    if key != (query.sort or board.rank_by):
        return query.url(sort="" if key == board.rank_by else key, reverse=False)
    return query.url(sort="", reverse=False) if query.reverse else query.url(sort=key, reverse=True)


def _tools(board: Board, query: BoardQuery, counts: Mapping[str, int], *, shown: int) -> ToolsView:
    """`counts` says how many rows have each tag, and `shown` how many are left by search and tags."""
    groups = foldable(board)
    folded = [f"{groups[key].title} to {groups[key].columns[0].title}" for key in query.folds]
    often = sorted(counts, key=lambda tag: (tag not in query.tags, -counts[tag], tag))[:MAX_SHOWN_TAGS]
    options = []
    for key in ("", *NAMES, *(column.key for column in board.columns if column.key != board.rank_by)):
        is_chosen = (key or board.rank_by) == (query.sort or board.rank_by)
        order = query if is_chosen else BoardQuery(sort=key)  # turned round only where that is what is shown
        title = _order(board, order)
        url = query.url(sort=order.sort, reverse=order.reverse)
        options.append((url, title[0].upper() + title[1:], is_chosen))
    usual = usual_view(board)
    views = []
    for view, title in ((PICTURE, "Picture"), (COLUMNS, "All columns"), (HEAT, "All columns, shaded")):
        if view != PICTURE or can_be_pictured(board):
            url = query.url(view="" if view == usual else view, published=False)
            views.append((url, title, (query.view or usual) == view))
    if board.has_facts and (query.view or usual) == PICTURE:
        views.append((query.url(facts=not query.facts), "What teams declare", query.facts))
    return ToolsView(
        query=query,
        options=tuple(options),
        tags=tuple(
            (tag, counts[tag], query.url(tags=_toggled(query.tags, tag)), tag in query.tags)
            for tag in sorted(often)
        ),
        views=tuple(views),
        order=_order(board, query),
        said=_said(board, query, shown),
        folded=f"Folded: {', '.join(folded)}." if folded else "",
        fold_url=query.url(folds=() if query.folds else tuple(groups)) if groups else "",
    )


def _toggled(chosen: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in chosen if other != name) if name in chosen else (*chosen, name)


def _order(board: Board, query: BoardQuery) -> str:
    if not query.sort:
        return "official order"
    if query.sort in NAMES:
        return f"{query.sort}, from Z to A" if query.reverse else query.sort
    column = board.column(query.sort)
    where = f"{column.group}: " if column.group else ""
    return f"{where}{column.name}{', worst first' if query.reverse else ''}"


def _said(board: Board, query: BoardQuery, shown: int) -> tuple[str, ...]:
    """What differs from the official board, in sentences."""
    said = list(query.remarks)
    if query.sort:
        ranks = "" if board.ranks_nobody else "; ranks are those of the official order"
        said.append(f"Sorted by {_order(board, query)}{ranks}.")
    if query.filters:
        tags = WORDS["and"].join(WORDS["tag"].format(tag=tag) for tag in query.tags)
        tagged = [WORDS["tagged"].format(tags=tags)] if tags else []
        searched = [WORDS["searched"].format(search=query.search)] if query.search else []
        how = ", ".join([*tagged, *searched])
        said.append(WORDS["counted"].format(shown=shown, all=len(board.rows), how=how))
    return tuple(said)
