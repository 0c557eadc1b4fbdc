"""The rules an organiser may choose from, with their settings. Immutable; what they do is in `disclose`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Exact:
    """Every answer's own score. Any 1,025 well-chosen answers give away 5,000 labels."""


@dataclass(frozen=True, slots=True)
class Precision:
    """Every answer's own score, rounded. No protection with two or three decimals; it is for reading.

    Attributes
    ----------
    digits : int
        Decimals of the score, 1 to 15.
    """

    digits: int

    def __post_init__(self) -> None:
        if not 1 <= self.digits <= 15:
            raise ValueError(f"`digits` must be 1 to 15; it is {self.digits}.")


@dataclass(frozen=True, slots=True)
class Ladder:
    """The best so far; it moves on a gain of more than one standard error of the paired difference, to the item.

    The parameter-free Ladder of Blum and Hardt (2015), arXiv:1502.04585. Its theorem is about losses that are
    means over items; for other metrics the error is that of the bootstrap, without a theorem.
    """


@dataclass(frozen=True, slots=True)
class NoisyLadder:
    """The Ladder, with Laplace noise on every score before it is judged; what is shown carries it too.

    The noise is drawn anew for every account, so many accounts average it out.

    Attributes
    ----------
    scale : float
        Scale of the noise in standard errors of the score itself, above 0.
    """

    scale: float = 0.7

    def __post_init__(self) -> None:
        if not self.scale > 0:
            raise ValueError(f"`scale` must be above 0; it is {self.scale}.")


@dataclass(frozen=True, slots=True)
class Sparing:
    """The best so far; it moves on gains that chance seldom brings, and like systems stand level.

    It withstands attackers who know no label. Who knows a few reads the others with answers that are sure to gain
    (`perf/attacks/staircase.py`), because a gain is neither noised nor charged.

    The phase has a purse of `misses`, shared by all teams, so that many accounts are no better than one. While it
    lasts, a gain of `early` standard errors of the paired difference is enough; a miss costs 1, or more where the
    answer differs in more than the usual share of items. When it is spent, `late` standard errors are needed,
    until the phase has shown progress: a number `late` standard errors of a score above the mark of its last
    filling fills it again (alpha-investing: Foster and Stine 2008, doi:10.1111/j.1467-9868.2007.00643.x, with the
    difference that the phase earns, not the team). A gain is shown in whole standard errors; what is left over
    counts with the next.

    An answer that another team's row is more like than the team's own leading one is shown level with that row,
    unless it is more than `alike` standard errors away from it; no decoy can then be outdone again and again. So
    is a team's first answer; away from every row, it is shown to the nearest two standard errors of a score.

    Attributes
    ----------
    early, late : float
        Standard errors of the paired difference; above 0, and `late` at least `early`.
    misses : float
        What the purse holds, at least 0.
    usual : float
        Variance per item of a paired difference that costs 1; for accuracy the share of items of which one of
        two answers is right and the other wrong. Above 0.
    alike : float
        Standard errors within which an answer stands level with the row most like it, at least 0. Below 2,
        accounts around a weak system learn from where they are put; above, boards become coarse.
    """

    early: float = 1.8
    late: float = 3.7
    misses: float = 50.0
    usual: float = 0.06
    alike: float = 2.0

    def __post_init__(self) -> None:
        if not 0 < self.early <= self.late:
            raise ValueError(
                f"`early` must be above 0 and at most `late`; they are {self.early}, {self.late}."
            )
        if not (self.misses >= 0 and self.usual > 0 and self.alike >= 0):
            raise ValueError(
                "`misses` and `alike` must be at least 0 and `usual` above 0; they are "
                f"{self.misses}, {self.alike}, {self.usual}."
            )


Rule: TypeAlias = Exact | Precision | Ladder | NoisyLadder | Sparing
