"""What every export states about itself, and what can be exported besides boards."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.tables.item_table import ItemTable

Subject = TypeVar("Subject")
CSV_TYPE, SVG_TYPE = "text/csv; charset=utf-8", "image/svg+xml; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Export(Generic[Subject]):
    """A format that a subject, such as a board, can be taken away in.

    Its file has this `ending` and is served as this `media_type`; pages lead to it by the word `link`. `write` gives
    the same bytes for the same subject, always.
    """

    key: str
    ending: str
    media_type: str
    link: str
    write: Callable[[Subject], bytes]


class BoardExport(Export[Board]):
    """A format for boards; every board's page links to it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CitedRelease:
    """A release by its overall board, and its permanent address."""

    board: Board
    url: str


class ReleaseExport(Export[CitedRelease]):
    """A format for a whole release; the page of every release links to it."""

    __slots__ = ()


class ItemExport(Export[ItemTable]):
    """A format for the items of a task; the page of every task with public items links to it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class SystemPlace:
    """A system's row on a benchmark's board, and the permanent address of that board's release."""

    board: Board
    row: BoardRow
    url: str
