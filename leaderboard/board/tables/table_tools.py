"""A board's table as a reader wants to see it, with the links and the form that ask for it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from leaderboard.board.model.board import Board, Group
from leaderboard.board.tables.board_query import NAMES, BoardQuery, foldable, places
from leaderboard.board.tables.table_views import (
    GroupView,
    HeadView,
    OptionView,
    TableView,
    TagView,
    ToolsView,
)

MAX_SHOWN_TAGS = 24
NOTHING_FOUND = "No row is like that."


def arranged(table: TableView, board: Board, query: BoardQuery) -> TableView:
    """The board's whole table with those rows, in that order, and those groups of columns folded.

    What is best of a column stays what it is on the board.

    A board before its first release, or of fewer than two rows, has nothing to arrange and stays as it is.
    """
    if not board.release or len(board.rows) < 2:
        return table
    groups = tuple(_group(group, board, query) for group in table.groups)
    heads = tuple(head for group in groups for head in group.heads)
    folded = {head.key for head in heads if head.is_folded}
    shown = places(board, query)
    rows = [table.written.row(at, folded) if folded else table.written.rows[at] for at in shown]
    return replace(
        table,
        groups=groups,
        heads=heads,
        is_wide=table.written.is_wide(folded),
        name_sort=("descending" if query.reverse else "ascending") if query.sort == "system" else "",
        name_sort_url=_next(board, query, "system"),
        body="".join(rows),
        nothing=NOTHING_FOUND if query.filters else table.nothing,
        tools=_tools(board, query, shown=len(rows)),
    )


def _group(group: GroupView, board: Board, query: BoardQuery) -> GroupView:
    first, *others = [_head(head, board, query) for head in group.heads]
    if not group.title or not others:
        return replace(group, heads=(first, *others))
    is_folded = first.key in query.folds
    return GroupView(
        group.title,
        (first, *(replace(head, is_folded=is_folded) for head in others)),
        query.url(folds=_toggled(query.folds, first.key)),
    )


def _head(head: HeadView, board: Board, query: BoardQuery) -> HeadView:
    is_sorted = head.key == (query.sort or board.rank_by)
    falls = board.column(head.key).higher_is_better != query.reverse
    sort = ("descending" if falls else "ascending") if is_sorted else ""
    return replace(head, sort=sort, sort_url=_next(board, query, head.key))


def _next(board: Board, query: BoardQuery, key: str) -> str:
    """What a click on a head asks for: its order, the other way round, and the official order again."""
    if key != (query.sort or board.rank_by):
        return query.url(sort="" if key == board.rank_by else key, reverse=False)
    return query.url(sort="", reverse=False) if query.reverse else query.url(sort=key, reverse=True)


def _tools(board: Board, query: BoardQuery, *, shown: int) -> ToolsView:
    groups = foldable(board)
    counts = Counter(tag for row in board.rows for tag in row.tags)
    often = sorted(counts, key=lambda tag: (tag not in query.tags, -counts[tag], tag))[:MAX_SHOWN_TAGS]
    return ToolsView(
        search=query.search,
        options=_options(board, query),
        tags=tuple(
            TagView(tag, counts[tag], query.url(tags=_toggled(query.tags, tag)), tag in query.tags)
            for tag in sorted(often)
        ),
        chosen_tags=query.tags,
        heat=query.heat,
        heat_url=query.url(heat=not query.heat),
        is_official=query.is_official,
        said=_said(board, query, shown),
        folds=query.folds,
        folded=_said_of_folds(groups, query),
        fold_url=query.url(folds=() if query.folds else tuple(groups)) if groups else "",
    )


def _toggled(chosen: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in chosen if other != name) if name in chosen else (*chosen, name)


def _options(board: Board, query: BoardQuery) -> tuple[OptionView, ...]:
    """What the form offers to sort by; turned round only where that is what is shown."""
    columns = [column.key for column in board.columns if column.key != board.rank_by]
    options = []
    for key in ("", *NAMES, *columns):
        is_chosen = (key or board.rank_by) == (query.sort or board.rank_by)
        order = query if is_chosen else BoardQuery(sort=key)
        title = _order(board, order)
        options.append(OptionView(order.order, title[0].upper() + title[1:], is_chosen))
    return tuple(options)


def _order(board: Board, query: BoardQuery) -> str:
    """An order in words."""
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
        tags = [f"tagged {' and '.join(f'“{tag}”' for tag in query.tags)}"] if query.tags else []
        search = [f"with “{query.search}” in a name"] if query.search else []
        said.append(f"{shown} of {len(board.rows)} rows: {', '.join([*tags, *search])}.")
    return tuple(said)


def _said_of_folds(groups: Mapping[str, Group], query: BoardQuery) -> str:
    folded = [f"{groups[key].title} to {groups[key].columns[0].title}" for key in query.folds]
    return f"Folded: {', '.join(folded)}." if folded else ""
