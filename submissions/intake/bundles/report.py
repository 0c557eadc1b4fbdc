"""What is said of a bundle, line by line: what was left out, carried otherwise, or has to be decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Fate(StrEnum):
    """What became of a thing in a bundle."""

    LEFT_OUT = "left out"
    OTHERWISE = "carried otherwise"
    TO_DECIDE = "to decide"
    UNKNOWN = "not known"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Note:
    """One line of the report: where (`line` from 1, 0 for the whole file), what, why, and what to do."""

    file: str
    key: str
    outcome: Fate
    why: str
    what_to_do: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """File, line and key."""
        return f"{self.file}, line {self.line}: {self.key}" if self.line else f"{self.file}: {self.key}"

    @property
    def said(self) -> str:
        """What becomes of it, why, and what to do."""
        return " ".join(filter(None, (f"{self.outcome}: {self.why}.", self.what_to_do)))

    def __str__(self) -> str:
        return f"{self.place}: {self.said}"


class BundleRefused(ValueError):
    """A file that no competition can be read from; `notes` say why, one for each fault."""

    def __init__(self, *notes: Note) -> None:
        self.notes: Sequence[Note] = notes
        super().__init__("\n".join(map(str, notes)))


def refused(file: str, key: str, why: str, *, line: int = 0) -> BundleRefused:
    return BundleRefused(Note(file, key, Fate.REFUSED, why, line=line))
