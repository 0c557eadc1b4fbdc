"""The next round of a benchmark: dev and test on which the best system of the day does no better than chance."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, product

import numpy as np

from scoring.core.measures.votes import majority
from submissions.intake.tables.responses import RESPONSES_PER_ITEM, RespondedItem

FOR_GOLD = 3
FOR_PARTS = 4
"""How many of the five responses make a gold label, and how many an item of dev or test must have."""

Cell = tuple[str, str]
"""A gold label and the label that the chosen system predicted."""
Pools = Mapping[tuple[str, str, str], Sequence[str]]
"""The ids that may be drawn, by gold label, predicted label and rating."""


@dataclass(frozen=True, slots=True)
class Round:
    """The ids of each part, sorted. No id stands in two.

    `set_aside` shares a prompt with an item of dev or test, and so must not be trained on.
    """

    dev: tuple[str, ...]
    test: tuple[str, ...]
    train: tuple[str, ...]
    set_aside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lack:
    """Too few items of one label that the system gets right, or wrong.

    `there` counts one item per prompt; `sharing` are further ones, each of a prompt that is counted elsewhere, and
    `unprompted` those that would do but for having been written without a prompt, `rated_apart` those whose rating
    the items of some other label lack.
    """

    label: str
    right: bool
    there: int
    needed: int
    sharing: int = 0
    unprompted: int = 0
    rated_apart: int = 0

    def __str__(self) -> str:
        outcome = "right" if self.right else "wrong"
        there = f"{self.there:,} item{'' if self.there == 1 else 's'}"
        needed = f"{self.needed:,} {'is' if self.needed == 1 else 'are'} needed"
        short = f"{self.needed - self.there:,} short"
        sentence = (
            f"{self.label}: {there} with a prompt that the system gets {outcome}, and {needed}: {short}."
        )
        if self.sharing:
            more = "1 more shares its" if self.sharing == 1 else f"{self.sharing:,} more share their"
            sentence += f" {more} prompt with an item that is counted already."
        if self.unprompted:
            more = "1 more was" if self.unprompted == 1 else f"{self.unprompted:,} more were"
            sentence += f" {more} written without a prompt."
        if self.rated_apart:
            more = "1 more has" if self.rated_apart == 1 else f"{self.rated_apart:,} more have"
            sentence += f" {more} a rating that too few items of another label have."
        return sentence


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why no round can be drawn: never empty, in the order of the labels.

    `most` items are what dev and test together could have.
    """

    lacks: tuple[Lack, ...]
    most: int


def gold_label(item: RespondedItem, needed: int = FOR_GOLD) -> str | None:
    """The category that at least `needed` of an item's five responses name; None where there is none.

    ValueError if the item has another number of responses.
    """
    if len(item.responses) != RESPONSES_PER_ITEM:
        raise ValueError(
            f"The item {item.id} has {len(item.responses)} responses instead of {RESPONSES_PER_ITEM}."
        )
    return majority([category for _, category in item.responses], needed)


def may_be_drawn(item: RespondedItem, labels: Sequence[str]) -> bool:
    """Whether an item could stand in dev or test: it has a prompt, and at least 4 of 5 responses name one label."""
    return item.has_prompt and gold_label(item, FOR_PARTS) in labels


def fitting_sizes(size: int, label_count: int) -> tuple[int, int]:
    """The nearest sizes, from below and from above, that a part at chance can have; both are `size` if it fits.

    >>> fitting_sizes(600, 3), fitting_sizes(720, 3)
    ((594, 603), (720, 720))
    """
    step = label_count**2
    return max(step, size // step * step), max(step, -(-size // step) * step)


def draw_round(
    items: Iterable[RespondedItem],
    predictions: Mapping[str, str],
    *,
    labels: Sequence[str],
    size_dev: int,
    size_test: int,
    seed: int,
) -> Round | Shortage:
    """Draw dev and test so that the system that predicted is at chance on them.

    Both hold items that were written with a prompt and on one of whose labels at least 4 of 5 responses agree,
    every label equally often, and no two items of one prompt. Of each label's items the system gets exactly one in
    len(labels) right; its wrong answers are spread over the other labels evenly, or, where the candidates do not
    allow it, as nearly so as they do. With an even spread, the F1 of every label is at chance as well. In dev, as in
    test, every label has each rating equally often, among right answers and among wrong ones, so that a rating tells
    nothing of the label; items without a rating are balanced like those of one more rating. Train is
    every other item with a majority, on whatever category, but for those that share a prompt with an item of dev or
    test.

    Parameters
    ----------
    items : iterable of Responded
        The candidates, five responses each. Their order does not matter; nor does white space around a prompt.
    predictions : mapping of str to str
        The chosen system's label by item id, at least for every item that could stand in dev or test.
    labels : sequence of str
        At least two. Other categories of responses may be in train alone.
    size_dev, size_test : int
        Multiples of len(labels) squared, at least that.
    seed : int
        From 0. The same items, predictions and seed draw the same round.

    Returns
    -------
    Round or Shortage
        Shortage where the candidates are too few.

    Raises
    ------
    ValueError
        For sizes or labels other than these, a doubled id, another number of responses, or a missing prediction.

    References
    ----------
    Potts et al. (2021), doi:10.18653/v1/2021.acl-long.186, sections 3.4 and 4.5.
    """
    _check(labels, size_dev, size_test)
    candidates = sorted(items, key=lambda item: item.id)
    for item, following in pairwise(candidates):
        if item.id == following.id:
            raise ValueError(f"The id {item.id} stands twice among the items.")
    rng = np.random.default_rng(seed)
    shuffled = [candidates[place] for place in rng.permutation(len(candidates))]
    cells, unprompted = _cells(shuffled, predictions, labels)
    kept = _one_per_prompt([item for item in shuffled if item.id in cells], cells)
    ratings = sorted({item.rating for item in kept})
    pools: dict[tuple[str, str, str], list[str]] = {key: [] for key in product(labels, labels, ratings)}
    for item in kept:
        pools[*cells[item.id], item.rating].append(item.id)
    quota = (size_dev + size_test) // len(labels) ** 2
    lacks = _lacks(pools, Counter(cells.values()), unprompted, labels, quota)
    if lacks:
        most = min(lack.there * quota // lack.needed for lack in lacks)
        return Shortage(lacks, most * len(labels) ** 2)
    dev, test = _draw(pools, labels, size_dev // len(labels) ** 2, quota)
    return _parts(candidates, dev, test)


def _check(labels: Sequence[str], size_dev: int, size_test: int) -> None:
    if len(set(labels)) < len(labels) or len(labels) < 2:
        raise ValueError(f"There must be at least two labels, each named once; found {', '.join(labels)}.")
    for size in (size_dev, size_test):
        below, above = fitting_sizes(size, len(labels))
        if not below == size == above:
            raise ValueError(
                f"A part at chance over {len(labels)} balanced labels has a multiple of {len(labels) ** 2} items; "
                f"{size} is none. Nearest: {' and '.join(map(str, dict.fromkeys((below, above))))}."
            )


def _cells(
    items: Iterable[RespondedItem], predictions: Mapping[str, str], labels: Sequence[str]
) -> tuple[dict[str, Cell], Counter[Cell]]:
    """Gold label and prediction of every item that could stand in dev or test, by its id.

    Also how many items of each cell could have stood there had they been written with a prompt.
    """
    cells: dict[str, Cell] = {}
    unprompted: Counter[Cell] = Counter()
    for item in items:
        label, predicted = gold_label(item, FOR_PARTS), predictions.get(item.id)
        if label is None or label not in labels:
            continue
        if predicted is not None and predicted in labels:
            if item.has_prompt:
                cells[item.id] = (label, predicted)
            else:
                unprompted[label, predicted] += 1
        elif item.has_prompt:
            raise ValueError(f"The prediction for {item.id} is missing or none of the labels.")
    return cells, unprompted


def _one_per_prompt(items: Sequence[RespondedItem], cells: Mapping[str, Cell]) -> list[RespondedItem]:
    """The items that may be drawn: of a repeated prompt, one that there are fewest like; of several such, the first."""
    size = Counter(cells.values())
    best: dict[tuple[str, str], RespondedItem] = {}
    for item in items:
        prompt = item.prompt.strip()
        key = (prompt, "" if prompt else item.id)
        rival = best.setdefault(key, item)
        if size[cells[item.id]] < size[cells[rival.id]]:
            best[key] = item
    return list(best.values())


def _lacks(
    pools: Pools,
    candidates: Counter[Cell],
    unprompted: Counter[Cell],
    labels: Sequence[str],
    quota: int,
) -> tuple[Lack, ...]:
    """What the pools are short of, where every cell should give `quota` items to dev and test together."""
    lacks: list[Lack] = []
    apart: list[Lack] = []
    for label, right in product(labels, (True, False)):
        predicted = _answers(label, labels, right=right)
        needed = quota * len(predicted)
        there = sum(
            len(ids) for (gold, answer, _), ids in pools.items() if gold == label and answer in predicted
        )
        everywhere, without = (
            sum(counts[label, answer] for answer in predicted) for counts in (candidates, unprompted)
        )
        if there < needed:
            lacks.append(Lack(label, right, there, needed, everywhere - there, without))
        balanced = sum(_by_rating(pools, labels, right=right).values())
        if balanced < needed:
            apart.append(Lack(label, right, balanced, needed, everywhere - there, without, there - balanced))
    # Where a label has too few items at all, the ratings of the others say nothing yet.
    return tuple(lacks or apart)


def _answers(label: str, labels: Sequence[str], *, right: bool) -> list[str]:
    """What the system can have predicted for an item of a label that it gets right, or wrong."""
    return [label] if right else [other for other in labels if other != label]


def _by_rating(pools: Pools, labels: Sequence[str], *, right: bool) -> dict[str, int]:
    """How many items of each rating every label can give: as many as the one that has the fewest."""
    counts = {
        label: Counter(
            rating
            for (gold, answer, rating), ids in pools.items()
            if gold == label and answer in _answers(label, labels, right=right)
            for _ in ids
        )
        for label in labels
    }
    ratings = sorted({rating for _, _, rating in pools})
    return {rating: min(of_label[rating] for of_label in counts.values()) for rating in ratings}


def _draw(pools: Pools, labels: Sequence[str], quota_dev: int, quota: int) -> tuple[list[str], list[str]]:
    dev: list[str] = []
    test: list[str] = []
    for label, right in product(labels, (False, True)):
        predicted = _answers(label, labels, right=right)
        there = _by_rating(pools, labels, right=right)
        # The same for every label, and so is what dev gets of each rating.
        by_rating = zip(there, spread([*there.values()], quota * len(predicted)), strict=True)
        cells: list[Sequence[str]] = []
        taken: list[int] = []
        so_far = [0] * len(predicted)
        for rating, count in by_rating:
            of_rating = [pools[label, answer, rating] for answer in predicted]
            parts = spread([*map(len, of_rating)], count, so_far)
            so_far = [before + part for before, part in zip(so_far, parts, strict=True)]
            cells += of_rating
            taken += parts
        # So many of each go to dev that dev and test are alike and have exactly theirs together.
        upto = [total * quota_dev // quota for total in accumulate(taken, initial=0)]
        for ids, count, (before, after) in zip(cells, taken, pairwise(upto), strict=True):
            dev += ids[: after - before]
            test += ids[after - before : count]
    return dev, test


def spread(available: Sequence[int], total: int, so_far: Sequence[int] = ()) -> list[int]:
    """`total` parted as evenly as no part being above what is available allows; `total` is at most their sum.

    With `so_far`, what each part has already, it is the sums that are as even as these parts can make them.

    >>> spread([2, 9, 9], 12)
    [2, 5, 5]
    >>> spread([9, 9], 3, so_far=[2, 1])
    [1, 2]
    """
    parts = [0] * len(available)
    sums = list(so_far) or [0] * len(available)
    # Of equal sums, the part of which there are most gets the next.
    order = sorted(range(len(available)), key=available.__getitem__, reverse=True)
    for _ in range(total):
        place = min((place for place in order if parts[place] < available[place]), key=sums.__getitem__)
        parts[place] += 1
        sums[place] += 1
    return parts


def _parts(candidates: Sequence[RespondedItem], dev: Sequence[str], test: Sequence[str]) -> Round:
    drawn = {*dev, *test}
    prompts = {item.prompt.strip() for item in candidates if item.id in drawn} - {""}
    rest: defaultdict[bool, list[str]] = defaultdict(list)
    for item in candidates:
        if item.id not in drawn and gold_label(item) is not None:
            rest[item.prompt.strip() in prompts].append(item.id)
    return Round(tuple(sorted(dev)), tuple(sorted(test)), tuple(rest[False]), tuple(rest[True]))
