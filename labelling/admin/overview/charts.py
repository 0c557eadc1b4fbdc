"""Where the marks of a campaign's two charts stand; templates draw them as SVG, in the colours of the admin."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accounts.formats.instants import day_in_utc
from accounts.formats.numbers import decimal, percent
from labelling.models import CampaignFigures, Worker

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 500, 228, 40, 500, 20, 196
MOST_POINTS = 30
SPLIT_HALF = "split-half reliability, Spearman"
_STACKS = 50  # how finely agreement is told apart where dots are stacked
_DOT = 9  # pixels from one dot to the next
_FEWEST_COMPARED = 5
"""Fewer answers in common with others say too little of a worker to stand in the swarm."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point with its name below the axis, which is empty where there is no room."""

    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of a scale with its number."""

    at: float
    name: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A figure over time, in pixels of a picture of `WIDTH` by `HEIGHT`.

    line, band : paths; `band` is empty where there are no intervals
    told : what is seen, in a sentence
    """

    title: str
    told: str
    points: Sequence[CurvePoint]
    lines: Sequence[GridLine]
    line: str
    band: str
    last: str


@dataclass(frozen=True, slots=True)
class SwarmDot:
    """A worker: `x` in per cent of the width, `y` in pixels from above."""

    x: str
    y: int
    is_excluded: bool
    title: str


@dataclass(frozen=True, slots=True)
class Swarm:
    """Workers by agreement with the others."""

    told: str
    dots: Sequence[SwarmDot]
    lines: Sequence[GridLine]
    height: int


_Measured = tuple[dt.datetime, float, float | None, float | None]


def curve_of(history: Sequence[CampaignFigures]) -> Curve | None:
    """How reliability or agreement went, the last figures of each day; None with fewer than two points."""
    title, measured = _measured(history)
    if len({each[0].date() for each in measured}) > 1:
        measured = list({each[0].date(): each for each in measured}.values())
        names = [day_in_utc(each[0])[4:10] for each in measured]
    else:
        names = [f"{each[0]:%H:%M}" for each in measured]
    measured, names = measured[-MOST_POINTS:], names[-MOST_POINTS:]
    if len(measured) < 2:
        return None
    ends = [end for _, value, low, high in measured for end in (value, low, high) if end is not None]
    bottom, top = int(min(ends) * 10 - (min(ends) < 0)) / 10, min(1.0, int(max(ends) * 10 + 1) / 10)
    step = (RIGHT - LEFT - 40) / (len(measured) - 1)

    def y_of(value: float) -> float:
        return round(BOTTOM - (value - bottom) / max(top - bottom, 0.1) * (BOTTOM - TOP), 1)

    xs = [round(LEFT + 20 + place * step, 1) for place in range(len(measured))]
    every = -(-len(xs) // 8)
    points = [
        CurvePoint(x, y_of(value), name if (len(xs) - 1 - place) % every == 0 else "")
        for place, (x, (_, value, _, _), name) in enumerate(zip(xs, measured, names, strict=True))
    ]
    tenths = range(round(bottom * 10), round(top * 10) + 1)
    lines = [GridLine(y_of(each / 10), decimal(each / 10, 1)) for each in tenths]
    has_band = all(low is not None and high is not None for _, _, low, high in measured)
    upper = [f"{x},{y_of(each[3] or 0)}" for x, each in zip(xs, measured, strict=True)]
    lower = [f"{x},{y_of(each[2] or 0)}" for x, each in zip(xs, measured, strict=True)]
    first, last = measured[0][1], measured[-1][1]
    return Curve(
        title=title,
        told=f"{title}: {decimal(first, 3)} at first, {decimal(last, 3)} now",
        points=points,
        lines=lines,
        line=f"M{' L'.join(f'{point.x},{point.y}' for point in points)}",
        band=f"M{' L'.join([*upper, *reversed(lower)])}Z" if has_band else "",
        last=decimal(last, 3),
    )


def _measured(history: Sequence[CampaignFigures]) -> tuple[str, list[_Measured]]:
    """What the newest figures tell, and the same of all that tell it."""
    if history and history[-1].report.get("figures", {}).get(SPLIT_HALF) is not None:
        found = [(each.made_at, each.report.get("figures", {}).get(SPLIT_HALF)) for each in history]
        return "Split-half reliability", [(at, value, None, None) for at, value in found if value is not None]
    told = [(each.made_at, each.report.get("agreement", {}).get("alpha")) for each in history]
    known = [(at, alpha[0], alpha[1], alpha[2]) for at, alpha in told if alpha and alpha[0] is not None]
    return "Krippendorff's alpha", known


def swarm_of(newest: CampaignFigures | None, excluded: Sequence[Worker]) -> Swarm | None:
    """Workers by the share of the answers in common with the majority of the others; None where nobody is compared."""
    shares = [*_shares(newest), *_excluded(excluded)]
    if not shares:
        return None
    bottom = min(0.9, int(min(share for share, _, _ in shares) * 10) / 10)
    stacked: Counter[int] = Counter()
    placed = []
    for share, number, is_excluded in sorted(shares):
        column = round(share * _STACKS)
        placed.append((column / _STACKS, stacked[column], number, is_excluded, share))
        stacked[column] += 1
    height = 30 + _DOT * max(stacked.values())
    dots = [
        SwarmDot(
            _at(x, bottom),
            height - 20 - _DOT * level,
            is_excluded,
            f"Worker {number}: {percent(share, 0)}{', excluded' if is_excluded else ''}",
        )
        for x, level, number, is_excluded, share in placed
    ]
    lines = [
        GridLine(float(_at(each / 10, bottom)), percent(each / 10, 0))
        for each in range(round(bottom * 10), 11)
    ]
    out = sum(is_excluded for _, _, is_excluded in shares)
    told = f"{len(shares)} workers by agreement with the others, {out} of them excluded"
    return Swarm(told, dots, lines, height)


def _shares(newest: CampaignFigures | None) -> Iterator[tuple[float, int, bool]]:
    for number, compared, agreed in newest.report.get("workers", []) if newest else []:
        if compared >= _FEWEST_COMPARED:
            yield agreed / compared, number, False


def _excluded(workers: Sequence[Worker]) -> Iterator[tuple[float, int, bool]]:
    for worker in workers:
        exclusion = next(iter(worker.exclusions.all()), None)
        agreement = exclusion.numbers.get("agreement") if exclusion else None
        if agreement is not None:
            yield agreement, worker.number, True


def _at(share: float, bottom: float) -> str:
    """Where a share stands, in per cent of the width; 1 to 97, so that dots at the ends are whole."""
    return f"{2 + 95 * (share - bottom) / (1 - bottom):.2f}"
