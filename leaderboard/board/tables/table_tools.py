"""A board's table as a reader wants to see it, with the links and the form that ask for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from leaderboard.board.model.board import Board, Group
from leaderboard.board.tables.board_query import NAMES, BoardQuery, foldable, places
from leaderboard.board.tables.table_body import body
from leaderboard.board.tables.table_views import (
    GroupView,
    HeadView,
    OptionView,
    RowView,
    TableView,
    TagView,
    ToolsView,
    is_wide,
)

MAX_SHOWN_TAGS = 24
NOTHING_FOUND = "No row is like that."


def arranged(table: TableView, board: Board, reading: BoardQuery) -> TableView:
    """The board's whole table with those rows, in that order, and those groups of columns folded.

    What is best of a column stays what it is on the board.

    A board before its first release, or of fewer than two rows, has nothing to arrange and stays as it is.
    """
    if not board.release or len(board.rows) < 2:
        return table
    groups = tuple(_group(group, board, reading) for group in table.groups)
    heads = tuple(head for group in groups for head in group.heads)
    rows = tuple(table.rows[place] for place in places(board, reading))
    if reading.folds:
        rows = tuple(_folded(row, heads) for row in rows)
    return replace(
        table,
        rows=rows,
        groups=groups,
        heads=heads,
        is_wide=is_wide(heads, table.rows),
        name_sort=("descending" if reading.reverse else "ascending") if reading.sort == "system" else "",
        name_sort_url=_next(board, reading, "system"),
        body=table.body if rows == table.rows else body(rows, is_ranked=table.is_ranked),
        nothing=NOTHING_FOUND if reading.filters else table.nothing,
        tools=_tools(board, reading, shown=len(rows)),
    )


def _group(group: GroupView, board: Board, reading: BoardQuery) -> GroupView:
    first, *others = [_head(head, board, reading) for head in group.heads]
    if not group.title or not others:
        return replace(group, heads=(first, *others))
    is_folded = first.key in reading.folds
    return GroupView(
        group.title,
        (first, *(replace(head, is_folded=is_folded) for head in others)),
        reading.url(folds=_toggled(reading.folds, first.key)),
    )


def _folded(row: RowView, heads: Sequence[HeadView]) -> RowView:
    cells = zip(row.cells, heads, strict=True)
    return replace(row, cells=tuple(replace(cell, is_folded=head.is_folded) for cell, head in cells))


def _head(head: HeadView, board: Board, reading: BoardQuery) -> HeadView:
    is_sorted = head.key == (reading.sort or board.rank_by)
    falls = board.column(head.key).higher_is_better != reading.reverse
    sort = ("descending" if falls else "ascending") if is_sorted else ""
    return replace(head, sort=sort, sort_url=_next(board, reading, head.key))


def _next(board: Board, reading: BoardQuery, key: str) -> str:
    """What a click on a head asks for: its order, the other way round, and the official order again."""
    if key != (reading.sort or board.rank_by):
        return reading.url(sort="" if key == board.rank_by else key, reverse=False)
    return reading.url(sort="", reverse=False) if reading.reverse else reading.url(sort=key, reverse=True)


def _tools(board: Board, reading: BoardQuery, *, shown: int) -> ToolsView:
    groups = foldable(board)
    counts = Counter(tag for row in board.rows for tag in row.tags)
    often = sorted(counts, key=lambda tag: (tag not in reading.tags, -counts[tag], tag))[:MAX_SHOWN_TAGS]
    return ToolsView(
        search=reading.search,
        options=_options(board, reading),
        tags=tuple(
            TagView(tag, counts[tag], reading.url(tags=_toggled(reading.tags, tag)), tag in reading.tags)
            for tag in sorted(often)
        ),
        chosen_tags=reading.tags,
        heat=reading.heat,
        heat_url=reading.url(heat=not reading.heat),
        is_official=reading.is_official,
        said=_said(board, reading, shown),
        folds=reading.folds,
        folded=_said_of_folds(groups, reading),
        fold_url=reading.url(folds=() if reading.folds else tuple(groups)) if groups else "",
    )


def _toggled(chosen: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(one for one in chosen if one != name) if name in chosen else (*chosen, name)


def _options(board: Board, reading: BoardQuery) -> tuple[OptionView, ...]:
    """What the form offers to sort by; turned round only where that is what is shown."""
    columns = [column.key for column in board.columns if column.key != board.rank_by]
    options = []
    for key in ("", *NAMES, *columns):
        is_chosen = (key or board.rank_by) == (reading.sort or board.rank_by)
        asked = reading if is_chosen else BoardQuery(sort=key)
        title = _order(board, asked)
        options.append(OptionView(asked.order, title[0].upper() + title[1:], is_chosen))
    return tuple(options)


def _order(board: Board, reading: BoardQuery) -> str:
    """An order in words."""
    if not reading.sort:
        return "official order"
    if reading.sort in NAMES:
        return f"{reading.sort}, from Z to A" if reading.reverse else reading.sort
    column = board.column(reading.sort)
    where = f"{column.group}: " if column.group else ""
    return f"{where}{column.name}{', worst first' if reading.reverse else ''}"


def _said(board: Board, reading: BoardQuery, shown: int) -> tuple[str, ...]:
    """What differs from the official board, in sentences."""
    said = list(reading.remarks)
    if reading.sort:
        ranks = "" if board.ranks_nobody else "; ranks are those of the official order"
        said.append(f"Sorted by {_order(board, reading)}{ranks}.")
    if reading.filters:
        tags = [f"tagged {' and '.join(f'“{tag}”' for tag in reading.tags)}"] if reading.tags else []
        search = [f"with “{reading.search}” in a name"] if reading.search else []
        said.append(f"{shown} of {len(board.rows)} rows: {', '.join([*tags, *search])}.")
    return tuple(said)


def _said_of_folds(groups: Mapping[str, Group], reading: BoardQuery) -> str:
    folded = [f"{groups[key].title} to {groups[key].columns[0].title}" for key in reading.folds]
    return f"Folded: {', '.join(folded)}." if folded else ""
