"""Whom ranks are taken among: the systems of a release, each asked once for what it has."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Member = TypeVar("Member")


@dataclass(eq=False)
class Peers(Generic[Member]):
    """The rows of a release's systems; baselines and people are ranked among them, and count for nobody."""

    members: list[Member] = field(default_factory=list)
    _known: dict[Hashable, Floats | None] = field(default_factory=dict, repr=False)

    def others(self, own: Member, key: Hashable, ask: Callable[[Member], Floats | None]) -> Floats | None:
        """What all members but one have, in rows, NaN where one has nothing; `key` says what is asked.

        `ask` gives an array, empty where a member has nothing, or None where nobody can say what it has: then there is
        nothing to rank by, and neither is there without members.
        """
        if key not in self._known:
            self._known[key] = _in_rows([ask(member) for member in self.members])
        known = self._known[key]
        at = [place for place, member in enumerate(self.members) if member is own]
        return None if known is None else np.delete(known, at, axis=0)


def _in_rows(asked: list[Floats | None]) -> Floats | None:
    found = [values for values in asked if values is not None]
    lengths = {len(values) for values in found} - {0}
    if not found or len(found) < len(asked) or len(lengths) > 1:
        return None
    length = lengths.pop() if lengths else 1
    return np.array([values if len(values) else np.full(length, np.nan) for values in found]).reshape(
        -1, length
    )
