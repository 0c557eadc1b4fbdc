"""The parts of a printed board: every number already text, every emphasis already a CSS class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from leaderboard.board.analysis.chance import ChanceView
from leaderboard.board.tables.table_body import TableBody


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
        """How many heads are folded."""
        return sum(head.is_folded for head in self.heads)

    @property
    def shown(self) -> int:
        """How many are not."""
        return len(self.heads) - self.hidden


@dataclass(frozen=True, slots=True)
class OptionView:
    """One order that rows can be sorted in."""

    value: str
    title: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class TagView:
    """A tag of `count` rows; `url` filters by it, or no more where it `is_chosen`."""

    tag: str
    count: int
    url: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ToolsView:
    """How the table can be read otherwise. `said` are sentences about how it is read now.

    `folds` are the keys of the folded groups and `folded` a sentence about them, which is not true of what is printed;
    `fold_url` folds all, or none where `is_folded`, and is empty on a board without groups.
    """

    search: str
    options: tuple[OptionView, ...]
    tags: tuple[TagView, ...]
    chosen_tags: tuple[str, ...]
    heat: bool
    heat_url: str
    is_official: bool
    said: tuple[str, ...]
    folds: tuple[str, ...] = ()
    folded: str = ""
    fold_url: str = ""

    @property
    def is_folded(self) -> bool:
        """Whether some group is."""
        return bool(self.folds)


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table. The column that ranks the board stands first among `heads` and in every row.

    `name_head` stands over the names of the rows; a board that is not `is_ranked` has no column of ranks.
    `besides` says what the numbers in parentheses are. What `is_wide` does not fit on a desk's screen and scrolls
    in a frame of its own. `body` are the rows that are shown, as HTML, of all that are `written`; where there are none,
    `nothing` says so. `name_sort` and `name_sort_url` are to the head of the names what they are to others, see
    HeadView. `chance` says how sure the order is, where that is known.
    """

    caption: str
    name_head: str
    heads: tuple[HeadView, ...]
    groups: tuple[GroupView, ...]
    written: TableBody
    is_ranked: bool
    has_groups: bool
    has_rank_intervals: bool
    has_other_rows: bool
    has_deviations: bool
    has_missing_seeds: bool
    is_wide: bool
    besides: str
    body: str
    nothing: str = "No system has been scored yet."
    name_sort: str = ""
    name_sort_url: str = ""
    tools: ToolsView | None = None
    chance: ChanceView | None = None

    def with_links(self, urls: Mapping[str, str]) -> TableView:
        """The table whose heads link to these pages, by the keys of their columns."""
        groups = tuple(
            replace(group, heads=tuple(replace(head, url=urls.get(head.key, "")) for head in group.heads))
            for group in self.groups
        )
        return replace(self, groups=groups, heads=tuple(head for group in groups for head in group.heads))
