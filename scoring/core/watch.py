"""What looks odd in the predictions of a batch: copies and probes. No gold labels.

Everything here is a hint for a person to look at. Honest work can look alike: two teams may tune the same public model,
and two people may share a name.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import LABEL_CODES, as_codes, is_continuous
from scoring.core.differing_rows import Codes, Counts, differing

Floats = NDArray[np.float64]
Places = int | NDArray[np.intp]
Pairs = tuple[NDArray[np.intp], ...]
UsualOf = Callable[[int, int], int]
"""Of two rows, in how many items they would be expected to be equal; -1 where that is not known."""

FEW_LABELS = 8  # so many are counted faster one by one
MOST_LABELS, MOST_IN_A_BYTE = np.iinfo(np.uint16).max, 256

FEWEST_SYSTEMS = 5  # from here on pairs can be compared with other pairs
FEWEST_ITEMS = 20
ROUNDING = 1e-9
ODD = 6.0  # robust standard deviations from what all pairs show
NEAR = 0.5  # of the items in which two rows would be expected to differ
EVEN = 4.0  # standard deviations by which dice miss even counts
BEHIND = 0.05  # of the items, by which one that looks random agrees less than others do
CHANCE = 3.0  # standard deviations within which agreement is that of chance
A_STEP = 0.002  # of the items: so few changed labels make a probe, and at least one
ONE_LINE = (
    0.9999  # correlation, either way; systems that are as good as can be reach some .98 with each other
)
STAIR = 0.05  # of the items: as many turned labels as a stair has at most
FEWEST_STAIRS = 4
ONE_WAY = 0.4  # of a stair's labels, by which more turn one way than the other; of seven, five against two
ALL_ONE_WAY = 0.5  # the same of all small steps of a batch together; better systems turn some for the worse
SURELY = 4.0  # standard deviations beyond as many one way as the other
FEW_PAIRS = 0.1  # of all pairs
AS_GOOD_AS_EQUAL = 0.005  # where there are too few systems to compare with


class Oddity(StrEnum):
    """What was found; the values stand in stored reports."""

    SAME = "same"
    ALIKE = "alike"
    ON_ONE_LINE = "on_one_line"
    RENAMED = "renamed"
    ONE_STEP = "one_step"
    STAIRCASE = "staircase"
    RANDOM = "random"
    SAME_FILE = "same_file"
    SHARED_MEMBER = "shared_member"
    LIKE_ADDRESSES = "like_addresses"


@dataclass(frozen=True, slots=True)
class WatchFinding:
    """One odd thing: the rows that it is about, by their places in what was given, and figures to tell it with.

    Of two rows `equal` items are answered alike where `usual` would be expected of the two. Of a row that looks random
    `equal` is its middling agreement with the others, and `usual` theirs with each other. Of two rows of numbers on one
    line `correlation` is theirs, below 0 where one is the other turned round.
    """

    oddity: Oddity
    rows: tuple[int, ...]
    equal: int = 0
    usual: int = 0
    correlation: float = 0.0


def look_at(
    answers: Sequence[NDArray[Any]],
    teams: Sequence[Hashable],
    *,
    new: Sequence[bool] | None = None,
    people: Sequence[Hashable] | None = None,
    differing_in: Callable[[Codes], Counts] = differing,
) -> list[WatchFinding]:
    """What is odd in the answers for one split.

    Parameters
    ----------
    answers : sequence of arrays of shape (n_items,)
        Canonical arrays of one output and split, a row each.
    teams : sequence
        Whose each row is.
    new : sequence of bool, optional
        Rows to report on; the others only give something to compare with. All by default.
    people : sequence, optional
        Whose each row is where teams of one person count as one; the teams by default.
    differing_in : callable, optional
        What counts in how many items each two rows differ, as `differing` does: `KnownDifferences` counts less.

    Returns
    -------
    list of Finding
        At most one for every pair of rows, and one for every row that looks random.
    """
    if len(answers) < 2:
        return []
    codes = _numbered(answers)
    apart = differing_in(codes)
    is_new = np.ones(len(answers), dtype=bool) if new is None else np.array(new)
    findings = list(_pairs(codes, apart, teams, is_new))
    if is_continuous(answers[0]):
        reported = {finding.rows for finding in findings}
        on_line = _on_one_line(np.stack(answers).astype(np.float64), teams, is_new)
        findings += [finding for finding in on_line if finding.rows not in reported]
    findings += _stairs(codes, apart, people or teams, is_new)
    return [*findings, *_random(codes, apart, is_new)]


def _numbered(answers: Sequence[NDArray[Any]]) -> Codes:
    """The answers as whole numbers from 0 on, equal where the answers are equal: shape (n_rows, n_items)."""
    are_labels = answers[0].dtype in LABEL_CODES
    rows = np.stack(answers if are_labels else [as_codes(answer) for answer in answers])
    if not (are_labels or answers[0].dtype.kind in "fiu"):
        # Codes of texts are others in each process; which label counts first of equally common ones must not be.
        _, first, numbers = np.unique(rows, return_index=True, return_inverse=True)
        return first.argsort().argsort()[numbers].reshape(rows.shape).astype(np.uint32)
    if rows.min() < 0 or rows.max() > MOST_LABELS:
        return np.unique(rows, return_inverse=True)[1].reshape(rows.shape).astype(np.uint32)
    is_there = _labels_in(rows, int(rows.max()) + 1)
    kind = np.uint8 if is_there.sum() <= MOST_IN_A_BYTE else np.uint16
    if is_there.all():
        return rows.astype(kind, copy=False)
    return np.asarray((np.cumsum(is_there) - 1).astype(kind)[rows])


def _labels_in(rows: Codes, labels: int) -> NDArray[np.bool_]:
    """Which labels stand in the rows: shape (n_labels,)."""
    is_there = np.zeros(labels, dtype=np.bool_)
    for row in rows:
        is_there[row] = True
        if is_there.all():  # mostly after a few rows
            break
    return is_there


def _pairs(
    codes: Codes, apart: Counts, teams: Sequence[Hashable], is_new: NDArray[np.bool_]
) -> Iterator[WatchFinding]:
    items = codes.shape[1]
    is_varied = codes.min(axis=1) < codes.max(axis=1)  # all the same label is nobody's own idea
    across = _across(teams)
    candidates = np.triu(np.logical_or.outer(is_new, is_new), 1)
    candidates &= is_varied[:, None] & is_varied
    usual, odd = _odd_pairs(apart, across, is_varied, items, candidates)
    step = max(1, int(A_STEP * items))
    for first, other in _places(candidates & across & (odd | (apart == 0))).tolist():
        kind = Oddity.ALIKE if apart[first, other] else Oddity.SAME
        yield WatchFinding(kind, (first, other), items - int(apart[first, other]), usual(first, other))
    for first, other in _places(candidates & ~across & (apart > 0) & (apart <= step)).tolist():
        yield WatchFinding(Oddity.ONE_STEP, (first, other), items - int(apart[first, other]))
    for first, other in _renamed(codes, apart):
        if candidates[first, other]:
            yield WatchFinding(Oddity.RENAMED, (first, other), items - int(apart[first, other]))


def _places(is_there: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The same as `np.argwhere`, in a tenth of its time where there is little in a large matrix."""
    return np.column_stack(np.unravel_index(np.flatnonzero(is_there), is_there.shape))


def _across(teams: Sequence[Hashable]) -> NDArray[np.bool_]:
    """Which two rows are of different teams: shape (n_rows, n_rows)."""
    places: dict[Hashable, int] = {}
    team = np.array([places.setdefault(key, len(places)) for key in teams])
    return np.asarray(team[:, None] != team)


def _on_one_line(
    numbers: Floats, teams: Sequence[Hashable], is_new: NDArray[np.bool_]
) -> Iterator[WatchFinding]:
    """Pairs of teams whose numbers are each other's, moved, stretched, turned round or with a little noise."""
    if numbers.shape[1] < FEWEST_ITEMS:
        return
    moved = numbers - numbers.mean(axis=1, keepdims=True)
    length = np.linalg.norm(moved, axis=1)
    varies = length > ROUNDING * np.maximum(np.abs(numbers).max(axis=1), 1.0)
    moved /= np.where(varies, length, np.inf)[:, None]
    correlations = moved @ moved.T
    candidates = np.triu(np.logical_or.outer(is_new, is_new), 1) & _across(teams)
    for row, other in _places(candidates & (np.abs(correlations) > ONE_LINE)).tolist():
        yield WatchFinding(Oddity.ON_ONE_LINE, (row, other), correlation=float(correlations[row, other]))


def _odd_pairs(
    apart: Counts,
    across: NDArray[np.bool_],
    is_varied: NDArray[np.bool_],
    items: int,
    candidates: NDArray[np.bool_],
) -> tuple[UsualOf, NDArray[np.bool_]]:
    """How many items two rows would be expected to answer alike, and which pairs are far above that, if candidates are.

    Good systems agree with everybody more than bad ones: so each row has an effect of its own, the median of its
    agreement with other teams, on the scale of log odds. What is left is compared with what is left of all pairs.
    """
    counted = across & is_varied[:, None] & is_varied
    rivals = np.count_nonzero(counted, axis=1)
    if is_varied.sum() < FEWEST_SYSTEMS or items < FEWEST_ITEMS or not rivals[is_varied].all():
        few = max(1, int(AS_GOOD_AS_EQUAL * items)) if items >= FEWEST_ITEMS else -1
        return lambda first, other: -1, apart <= few
    differing_in = np.arange(items + 1)  # there are few counts, and many pairs
    odds_of = np.log((items - differing_in + 0.5) / (differing_in + 0.5))
    # What does not count stands last, and so do its odds.
    ordered = np.sort(np.where(counted, apart, items), axis=1)
    effect = np.where(rivals > 0, _middles(ordered, rivals, odds_of), 0.0)
    once = np.triu(counted)  # both halves are the same, and so is their median
    between = apart[once]
    middle = _middle(between, odds_of)

    def share(first: Places, other: Places) -> Floats:
        return np.asarray(1 / (1 + np.exp(-(effect[first] + effect[other] - middle))))

    def left_of(pairs: Pairs) -> Floats:
        return np.asarray(odds_of[apart[pairs]] - (effect[pairs[0]] + effect[pairs[1]] - middle))

    def is_odd(pairs: Pairs, spread: float) -> NDArray[np.bool_]:
        """However unusual for these two: copies differ in far fewer items, and are more alike than most."""
        expected, apart_in = share(*pairs), apart[pairs]
        by_chance = 1 / np.sqrt(items * expected * (1 - expected) + 0.25)
        is_far = left_of(pairs) > ODD * np.maximum(spread, by_chance)
        return np.asarray(is_far & (odds_of[apart_in] > middle) & (apart_in <= NEAR * items * (1 - expected)))

    odd = np.zeros_like(counted)
    asked = tuple(_places(candidates & counted).T)
    # Of few pairs it is sooner told that chance alone explains them all than how much all pairs differ.
    if len(asked[0]) > FEW_PAIRS * len(between) or is_odd(asked, 0.0).any():
        first, other = np.nonzero(once)
        left = left_of((first, other))
        spread = 1.4826 * _middle(np.abs(left - _middle(left)))
        far = np.flatnonzero(left > ODD * spread)
        pairs = first[far], other[far]
        odd[pairs] = is_odd(pairs, spread)
    return lambda first, other: int(np.rint(share(first, other) * items)), odd


def _middles(ordered: NDArray[Any], counts: Counts, scale: Floats | None = None) -> Floats:
    """The median of the first so many values of each ordered row; those of a scale stand at these places of it."""
    each = np.arange(len(ordered))
    low, high = ordered[each, (counts - 1) // 2], ordered[each, counts // 2]
    # Two counts of a small type may be too much for it together.
    return np.asarray((low.astype(np.float64) + high if scale is None else scale[low] + scale[high]) / 2)


def _middle(values: NDArray[Any], scale: Floats | None = None) -> float:
    """The median of values, or of what stands at these places of a scale. Numbers of items are many of few kinds."""
    halves = [(len(values) - 1) // 2, len(values) // 2]
    if values.dtype.kind == "i":
        low, high = np.bincount(values).cumsum().searchsorted(halves, side="right").tolist()
    else:
        low, high = np.partition(values, halves)[halves].tolist()
    return (low + high) / 2 if scale is None else float(scale[low] + scale[high]) / 2


def _medians(ordered: NDArray[Any]) -> Floats:
    """The median of each ordered row without its NaN, and no row is nothing else; `np.nanmedian` goes row by row."""
    return _middles(ordered, np.count_nonzero(~np.isnan(ordered), axis=1))


def _renamed(codes: Codes, apart: Counts) -> Iterator[tuple[int, int]]:
    """Pairs of rows that divide the items in the same way under other names: each label exchanged for another.

    Rows that hardly repeat an answer, such as numbers of many decimals or texts, all divide the items so.
    """
    # Such rows go on to another label at the same items; where no other row does there is nothing to exchange.
    changes = [row.tobytes() for row in np.packbits(codes[:, 1:] != codes[:, :-1], axis=1)]
    count = Counter(changes)
    alike = defaultdict(list)
    places = np.arange(codes.shape[1])
    first, number = np.empty((2, int(codes.max()) + 1), dtype=np.int64)
    for row, labels in enumerate(codes):
        if count[changes[row]] == 1:
            continue
        first.fill(-1)
        first[labels[::-1]] = places[::-1]  # the last that is written stays
        there = np.flatnonzero(first >= 0)
        if len(there) > len(labels) // 2:
            continue
        number[there[np.argsort(first[there])]] = places[: len(there)]
        alike[number[labels].tobytes()].append(row)
    for rows in alike.values():
        yield from (pair for pair in combinations(rows, 2) if apart[pair])


def _stairs(
    codes: Codes, apart: Counts, people: Sequence[Hashable], is_new: NDArray[np.bool_]
) -> list[WatchFinding]:
    """Pairs of successive rows of one side that differ in few items, where these turn one way.

    Such are answers that put labels right one by one which somebody knows, to learn of one more with each. Honest
    tuning turns few labels too, some towards what others answer and some away from it; over the stairs of a batch a
    probe is all one way, whichever that is.
    """
    items, labels = codes.shape[1], int(codes.max()) + 1
    if labels > items // 2:
        return []

    def is_small_step(before: int, after: int) -> bool:
        return bool((is_new[before] or is_new[after]) and 1 < apart[before, after] <= STAIR * items)

    sides: dict[Hashable, list[int]] = defaultdict(list)
    for row, side in enumerate(people):
        sides[side].append(row)
    small = {
        side: pairs
        for side, rows in sides.items()
        if (pairs := [pair for pair in pairwise(rows) if is_small_step(*pair)])
    }
    # Those who take no small steps say best what is usual: of a staircase, they are the honest ones.
    bystanders = [row for side, rows in sides.items() if side not in small for row in rows]
    stairs, net, turned_in_all = [], 0, 0
    for side, pairs in small.items():
        rest = bystanders if len(bystanders) >= FEWEST_SYSTEMS else _without(range(len(codes)), sides[side])
        if len(rest) < FEWEST_SYSTEMS:
            continue
        usual = np.stack([(codes[rest] == label).sum(axis=0) for label in range(labels)]).argmax(axis=0)
        for before, after in pairs:
            turned = codes[before] != codes[after]
            towards = int((turned & (codes[after] == usual)).sum())
            away = int((turned & (codes[before] == usual)).sum())
            net, turned_in_all = net + towards - away, turned_in_all + towards + away
            if abs(towards - away) >= ONE_WAY * max(1, towards + away):
                stairs.append(WatchFinding(Oddity.STAIRCASE, (before, after), items - int(turned.sum())))
    is_one_way = abs(net) >= max(ALL_ONE_WAY * turned_in_all, SURELY * turned_in_all**0.5)
    return stairs if len(stairs) >= FEWEST_STAIRS and is_one_way else []


def _without(rows: Iterable[int], left_out: Container[int]) -> list[int]:
    return [row for row in rows if row not in left_out]


def _label_counts(codes: Codes, labels: int) -> Counts:
    """How many items each row gives each label: shape (n_rows, n_labels)."""
    if labels > FEW_LABELS:
        return np.stack([np.bincount(row, minlength=labels) for row in codes])
    each = [[np.count_nonzero(row == label) for label in range(1, labels)] for row in codes]
    others = np.array(each, dtype=np.int64)
    return np.column_stack([codes.shape[1] - others.sum(axis=1), others])


def _random(codes: Codes, apart: Counts, is_new: NDArray[np.bool_]) -> Iterator[WatchFinding]:
    """Rows with labels as even as dice that agree with nobody beyond chance, where the others agree."""
    items, labels = codes.shape[1], int(codes.max()) + 1
    if labels > items // FEWEST_ITEMS or items < FEWEST_ITEMS:
        return
    is_varied = codes.min(axis=1) < codes.max(axis=1)
    asked = np.flatnonzero(is_varied & is_new)
    if is_varied.sum() < FEWEST_SYSTEMS - 1 or not len(asked):
        return
    seen = _labels_in(codes[is_varied], labels)
    evenly = items / seen.sum()
    counts = _label_counts(codes[asked], labels)[:, seen]
    like_dice = asked[np.abs(counts - evenly).max(axis=1) <= EVEN * np.sqrt(evenly)]
    if not len(like_dice):
        return
    # Told first, for it costs little and leaves nothing to be told where the others are no better than dice.
    usual = int(items - _middle(apart[~np.tri(len(codes), dtype=np.bool_)]))
    # In no item does a row differ from itself, so that it stands first.
    own = np.trunc(items - _medians(np.sort(apart[like_dice], axis=1)[:, 1:]))
    is_behind = usual - own >= BEHIND * items
    if not is_behind.any():
        return
    equal, shares = items - apart, _label_counts(codes, labels).astype(np.float64)
    chance = shares @ shares.T / items**2
    expected = items * chance
    beyond = equal - expected
    expected *= 1 - chance
    expected += 0.25
    beyond /= np.sqrt(expected, out=expected)
    beyond[:, ~is_varied] = np.nan
    np.fill_diagonal(beyond, np.nan)
    # Sorted, NaN stand last.
    middling = _medians(np.sort(np.where(is_varied[:, None], beyond, 0.0), axis=1))
    if float(np.median(middling[is_varied])) <= ODD:
        return
    is_chance = is_behind & (np.abs(middling[like_dice]) < CHANCE)
    for row, agreed in zip(like_dice[is_chance].tolist(), own[is_chance].tolist(), strict=True):
        yield WatchFinding(Oddity.RANDOM, (row,), int(agreed), usual)
