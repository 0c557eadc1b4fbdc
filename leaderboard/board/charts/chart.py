"""A drawn chart with its data beside it."""

from dataclasses import dataclass

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.csv_text import csv_bytes

Datum = str | int | float | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: `key` is made for addresses, `svg` is UTF-8 and can stand in an HTML page as it is.

    `title` says in a sentence what is seen. `rows` below `heads` are what is drawn. `is_wide` is
    true of one that does not fit a phone. `note` stands below it on a page.
    """

    key: str
    title: str
    svg: bytes
    heads: tuple[str, ...]
    rows: tuple[tuple[Datum, ...], ...]
    is_synthetic: bool = False
    is_wide: bool = False
    note: str = ""

    @property
    def inline(self) -> str:
        """The chart as text that a template takes over unescaped: all names in it are escaped already."""
        return self.svg.decode()

    @property
    def lines(self) -> list[list[str]]:
        """The data as a page prints them."""
        return [[_printed(value) for value in row] for row in self.rows]

    @property
    def csv(self) -> bytes:
        """The data as UTF-8 CSV; of made-up data every line says so, as in a board's CSV."""
        return csv_bytes(self.heads, self.rows, is_synthetic=self.is_synthetic)


def _printed(value: Datum) -> str:
    return fmt.score(value) if isinstance(value, float) else "" if value is None else str(value)
