"""What stands where a system or a team is named in public."""

import datetime as dt
from dataclasses import dataclass
from uuid import UUID

LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class PublicName:
    """What others may read: the system's name and its team's, or `System 4` and no team."""

    name: str
    team: str

    def __str__(self) -> str:
        return self.name

    @property
    def is_pseudonym(self) -> bool:
        return not self.team


def tombstone(key: UUID, reason: str, now: dt.datetime) -> str:
    """When and why a name was removed. Names are unique, so the row's id tells two of one day apart."""
    ending = f" [{key.hex[:6]}]"
    return f"Name removed on {now:%Y-%m-%d}: {reason}"[: LONGEST_NAME - len(ending)].rstrip() + ending
