"""What an invariant is, and how it is told that one does not hold."""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

GRACE = dt.timedelta(hours=1)
"""How long what sweeps see to every minute may wait before it counts as left undone."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One case in which an invariant does not hold: `where` it was found, `what` was found, and what to do."""

    where: str
    what: str
    what_to_do: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what} {self.what_to_do}"


class Invariant(ABC):
    """Something that always holds. `key` is what operators call it by, `title` the promise in a clause."""

    key: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        """Every case in which it does not hold.

        Parameters
        ----------
        thoroughly
            Whether to read all files and all releases, which takes long. Else files are not read, and of each
            benchmark the newest release is looked at.
        """
