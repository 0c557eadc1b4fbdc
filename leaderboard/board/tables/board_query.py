"""How a reader wants to see a board: sorted, with some of its rows and columns, shaded. All of it stands in the URL."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from leaderboard.board.model.board import Board, BoardRow, Column, Group, grouped
from leaderboard.board.model.ranking import sort_key

# The keys of a query string that say it, in the order in which links have them.
KEYS = ("q", "tag", "sort", "view", "fold", "published", "facts", "rows", "page")
VIEWS = PICTURE, COLUMNS, HEAT = "picture", "columns", "heat"
FEW_COLUMNS = 4  # a board of a further axis with more of them is read as columns
# What rows can be sorted by besides their columns.
NAMES: dict[str, Callable[[BoardRow], str]] = {"system": lambda row: row.system, "team": lambda row: row.team}
# How many rows stand on a page follows from what they weigh in hundreds of bytes, see `rows_at_once`: hundreds of rows
# take a phone seconds to draw. First a few, and where all are asked for, one page of many after the other.
FEWEST_ROWS, FIRST_ROWS, PAGE_ROWS = 5, 50, 200
FIRST_WEIGHT, PAGE_WEIGHT = 340, 1700
NAME_WEIGHT, SCORE_WEIGHT, MARK_WEIGHT = 3, 2, 3
BESIDE = 3  # so many other columns stand beside a picture; of more, how often a system is the best is counted
MAX_SEARCH = 80
MAX_TAGS = 8
MAX_REMARKS = 8
MAX_QUOTED = 40
MAX_DIGITS = 4


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """One way to read a board; as it is made, the official one.

    `sort` is a column's key, a key of NAMES, or empty for the official order. `reverse` turns it round: worst first, or
    from Z to A; rows without a value stay last. Rows have all of `tags`, and `search` in the name of system, team or
    source. `folds` are groups of columns of which the first one is shown alone; its key stands for the group. `remarks`
    are sentences about what was asked for and does not exist. `view` is one of VIEWS, or empty for the board's usual
    one; with `published` a picture has rows for what was not scored here, too. Of many rows the first few are shown
    unless it asks for the `whole` board, which has pages where it is long; this is the one of that number. With `facts`
    a picture has columns for what teams declare.
    """

    sort: str = ""
    reverse: bool = False
    tags: tuple[str, ...] = ()
    search: str = ""
    view: str = ""
    folds: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    published: bool = False
    whole: bool = False
    facts: bool = False
    page: int = 1

    @property
    def is_official(self) -> bool:
        """Whether its rows and columns stand as they do without any query, be they all or the first few."""
        return self == BoardQuery(remarks=self.remarks, whole=self.whole, page=self.page)

    @property
    def is_first_view(self) -> bool:
        """Whether its rows are the first of the official order."""
        return not (self.sort or self.filters or self.whole)

    @property
    def filters(self) -> bool:
        """Whether rows may be missing."""
        return bool(self.tags or self.search)

    @property
    def is_written(self) -> bool:
        """Whether it holds words of a reader's own, of which there are any number, and no link has most of them."""
        return bool(self.search or self.remarks)

    @property
    def order(self) -> str:
        """The order as a query string has it: a minus in front turns it round."""
        return f"-{self.sort}" if self.reverse else self.sort

    def url(self, **changes: Any) -> str:
        """The relative address of this reading with some fields changed; the plain page's where nothing is left.

        Whatever changes, its rows are turned back to the first page.
        """
        wanted = replace(self, **{"page": 1} | changes)
        pairs = [("q", wanted.search), *(("tag", tag) for tag in wanted.tags), ("sort", wanted.order)]
        pairs += [("view", wanted.view), *(("fold", key) for key in wanted.folds)]
        pairs += [("published", "1" if wanted.published else ""), ("facts", "1" if wanted.facts else "")]
        pairs += [
            ("rows", "all" if wanted.whole else ""),
            ("page", str(wanted.page) if wanted.page > 1 else ""),
        ]
        given = [(key, value) for key, value in pairs if value]
        return f"?{urlencode(given)}" if given else "./"


def understand(query: Sequence[tuple[str, str]], board: Board) -> BoardQuery:
    """What a query string asks of this board. Unknown keys and values are passed over, each with a remark.

    Of several values of a key the last one counts, except of `tag` and `fold`, where all do. Empty values ask for
    nothing.
    """
    remarks: list[str] = []
    given = [(key, value.strip()) for key, value in query]
    last = {key: value for key, value in given if value}
    for key in dict.fromkeys(key for key, _ in given if key not in KEYS):
        remarks.append(f"“{_quoted(key)}” is nothing that this page can be asked for.")
    sort, reverse = _sort(last.get("sort", ""), board, remarks)
    search = last.get("q", "")
    if len(search) > MAX_SEARCH:
        search = search[:MAX_SEARCH].strip()
        remarks.append(f"Only the first {MAX_SEARCH} characters were searched for.")
    if (view := last.get("view", "")) not in ("", *VIEWS):
        views = ", ".join(f"“{name}”" for name in VIEWS)
        remarks.append(f"There is no view “{_quoted(view)}”; there are {views}.")
    if view not in VIEWS or view == usual_view(board):
        view = ""
    tags = _tags([value for key, value in given if key == "tag" and value], board, remarks)
    folds = _folds([value for key, value in given if key == "fold" and value], board, remarks)
    published = last.get("published") == "1"
    whole, facts = last.get("rows") == "all", last.get("facts") == "1" and board.has_facts
    page = _page(last.get("page", "")) if whole else 1
    return BoardQuery(sort, reverse, tags, search, view, folds, tuple(remarks), published, whole, facts, page)


def usual_view(board: Board) -> str:
    """How a board is read where nobody asks for another view: as a picture, where rows are ranked by one number.

    A board of a further axis with many columns is read for these.
    """
    is_of_columns = (
        board.by_column
        or any(column.heat for column in board.columns)
        or (board.axis and len(board.columns) > FEW_COLUMNS)
    )
    if is_of_columns or not can_be_pictured(board):
        return COLUMNS
    return PICTURE


def can_be_pictured(board: Board) -> bool:
    """Whether its rows are systems with at least one score to rank them by."""
    return not board.ranks_nobody and any(row.value(board.rank_by) is not None for row in board.rows)


def groups_in_order(board: Board) -> tuple[Group, ...]:
    """The columns as they are shown: the one that ranks the board first, what shares its group, and the rest."""
    group = board.column(board.rank_by).group

    def place(column: Column) -> tuple[bool, bool]:
        return column.key != board.rank_by, not group or column.group != group

    return grouped(sorted(board.columns, key=place))


def foldable(board: Board) -> dict[str, Group]:
    """The groups of which some columns can be left out, by the key of the one that stays."""
    groups = groups_in_order(board)
    return {group.columns[0].key: group for group in groups if group.title and len(group.columns) > 1}


def places(board: Board, query: BoardQuery) -> tuple[int, ...]:
    """The indexes of the board's rows that are shown, in the order in which they are."""
    wanted, tags = query.search.casefold(), set(map(str.casefold, query.tags))
    chosen = [
        at
        for at, row in enumerate(board.rows)
        if tags <= set(map(str.casefold, row.labels)) and wanted in searched_text(row)
    ]
    if not query.sort:
        return tuple(chosen)
    known, groups, last = set(chosen), *order_groups(board, query.sort)
    in_order = [at for group in (reversed(groups) if query.reverse else groups) for at in group]
    return tuple(at for at in (*in_order, *last) if at in known)


def searched_text(row: BoardRow) -> str:
    """What is looked through for what a reader types."""
    return f"{row.system}\n{row.team}\n{row.source}".casefold()


def order_groups(board: Board, key: str) -> tuple[list[list[int]], list[int]]:
    """The indexes of a board's rows in an order, by those that share a value; then those without one.

    Turned round, the groups stand from the last one to the first; within each, and at the end, nothing changes.
    """
    name = NAMES.get(key)
    everywhere = range(len(board.rows))
    if name is not None:
        names = [name(row).casefold() for row in board.rows]
        in_order = sorted(everywhere, key=lambda at: names[at])
        return [list(group) for _, group in groupby(in_order, key=lambda at: names[at])], []
    column = board.column(key)
    values = [row.value(key) for row in board.rows]
    in_order = sorted(everywhere, key=lambda at: sort_key(board.rows[at], column))
    valued = [at for at in in_order if values[at] is not None]
    groups = [list(group) for _, group in groupby(valued, key=lambda at: values[at])]
    return groups, in_order[len(valued) :]


def rows_at_once(board: Board, query: BoardQuery) -> int:
    """How many rows of this board stand on one page, at first or of the whole."""
    if (query.view or usual_view(board)) == PICTURE:
        others = len(board.columns) - 1
        weight = NAME_WEIGHT + MARK_WEIGHT + SCORE_WEIGHT * (1 + (others if others <= BESIDE else 0))
    else:
        measures = len(board.columns) * SCORE_WEIGHT + sum(
            bool(column.beside_title) for column in board.columns
        )
        weight = NAME_WEIGHT + measures
    most, room = (PAGE_ROWS, PAGE_WEIGHT) if query.whole else (FIRST_ROWS, FIRST_WEIGHT)
    if board.by_column and not query.whole:
        room //= 3  # its columns' rankings stand above it
    return max(FEWEST_ROWS, min(most, room // weight))


def columns_beside(board: Board, query: BoardQuery) -> tuple[str, ...]:
    """The keys of the columns beside a picture: all others where these are few, else the one that is sorted by."""
    others = [column.key for column in board.columns if column.key != board.rank_by]
    return tuple(others if len(others) <= BESIDE else [key for key in others if key == query.sort])


def first_of_page(count: int, size: int, query: BoardQuery) -> int:
    """At which of so many chosen rows its page begins, counted from 0; a page that does not exist is the last."""
    return size * min(query.page - 1, max(count - 1, 0) // size)


def rows_of_page(chosen: Sequence[int], board: Board, query: BoardQuery) -> Sequence[int]:
    """Those of the chosen rows that are shown."""
    size = rows_at_once(board, query)
    first = first_of_page(len(chosen), size, query)
    return chosen[first : first + size]


def _page(wanted: str) -> int:
    return (
        int(wanted)
        if wanted.isascii() and wanted.isdecimal() and 0 < len(wanted) <= MAX_DIGITS and int(wanted)
        else 1
    )


def _sort(wanted: str, board: Board, remarks: list[str]) -> tuple[str, bool]:
    key = wanted.removeprefix("-")
    reverse = key != wanted
    if key in NAMES or any(column.key == key for column in board.columns):
        return ("" if key == board.rank_by and not reverse else key), reverse
    if wanted:
        remarks.append(f"There is no column “{_quoted(wanted)}” to sort by.")
    return "", False


def tags_of(board: Board) -> dict[str, int]:
    """How many of a board's rows have each label, as most of them write it; those that differ in case alone are one."""
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for row in board.rows:
        for tag in row.labels:
            spellings[tag.casefold()][tag] += 1
    return {min(counts, key=lambda tag: (-counts[tag], tag)): counts.total() for counts in spellings.values()}


def _tags(wanted: Sequence[str], board: Board, remarks: list[str]) -> tuple[str, ...]:
    known = {tag.casefold(): tag for tag in tags_of(board)}
    different = dict.fromkeys(wanted)
    remarks += [
        f"No system here is tagged “{_quoted(tag)}”."
        for tag in list(different)[:MAX_TAGS]
        if tag.casefold() not in known
    ]
    tags = list(dict.fromkeys(known[tag.casefold()] for tag in different if tag.casefold() in known))
    if len(tags) > MAX_TAGS:
        remarks.append(f"Only the first {MAX_TAGS} tags count.")
    return tuple(tags[:MAX_TAGS])


def _folds(wanted: Sequence[str], board: Board, remarks: list[str]) -> tuple[str, ...]:
    known, different = foldable(board), dict.fromkeys(wanted)
    unknown = [key for key in different if key not in known]
    remarks += [f"There are no columns “{_quoted(key)}” to fold." for key in unknown[:MAX_REMARKS]]
    return tuple(key for key in known if key in different)


def _quoted(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"
