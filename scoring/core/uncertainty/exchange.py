"""The difference of two systems after their answers were exchanged at random, item by item: what chance alone makes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import Comparison, LabelCounts
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import (
    AlongCounts,
    AlongItems,
    AlongWeights,
    Correlation,
    MeanOfItems,
    OfGroups,
    OfMetrics,
    OfMoments,
    SumsOfItems,
)
from scoring.core.uncertainty.replicates import ResampledCounts, Resamples, moments_of, replicate_scores

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Counts = NDArray[np.integer]
_Both = tuple[Floats, Floats]  # what the first scores, and what the second, in each draw


def exchanged(
    first: Comparison, second: Comparison, metric: str, *, rng: np.random.Generator, draws: int
) -> Floats:
    """The first's score less the second's in each draw, every item's two answers exchanged with probability ½.

    Items with the same gold label and the same two answers are exchanged together: how many of them change sides is
    binomial, and the metric is read from the counts of cells. Sums over items are moved by each item's difference, and
    so are the counts of labels where an answer is a set of them: there hardly two items are alike.

    The answers that a correlation reads are brought to one scale before, each system's by itself: ranks for
    Spearman's, mean 0 and deviation 1 for Pearson's, and so are those of which only the order counts. All leave the
    score as it is (of ranks, but for what ties change in a draw), and without it an exchange would mix two scales,
    which no system has done. So clusters of both systems that are most alike have one name.

    Parameters
    ----------
    first, second : Comparison
        With equal outputs and gold labels.
    metric : str
    rng : numpy Generator
    draws : int

    Returns
    -------
    float array of shape (draws,)
        NaN where the metric is undefined.
    """
    own, other = _both(first, second, metric, rng, draws)
    return own - other


def _both(first: Comparison, second: Comparison, metric: str, rng: np.random.Generator, draws: int) -> _Both:
    """What each of the two scores in each draw."""
    chosen = metric_for(first.output, metric)
    match chosen.resampled:
        case OfGroups(name, column, finish, settled):
            parts = list(zip(first.parts(column), second.parts(column), strict=True))
            drawn = [_both(*pair, name, rng, draws) for pair in parts]
            of_parts = [list(map(settled, *of_both)) for of_both in zip(parts, drawn, strict=True)]
            own, other = np.array(of_parts).swapaxes(0, 1)
            return finish(own), finish(other)
        case Correlation(ranks=ranks):
            return _of_correlations(
                chosen, ranks, first, second, lambda moved: _exchanges(len(moved), rng, draws)
            )
        case OfMetrics(names):
            return _of_metrics(names, chosen, first, second, rng, draws)
        case OfMoments(formula):
            return _of_moments(chosen, formula, first, second, rng, draws)
        case AlongItems() as along:
            return _of_items(chosen, along, first, second, rng, draws)
        case MeanOfItems() as mean:
            return _of_means(chosen, mean, first, second, rng, draws)
        case SumsOfItems() as sums:
            return _of_sums(chosen, sums, first, second, rng, draws)
        case AlongCounts(formula) if first.output.is_subset:
            return _of_sets(chosen, formula, first, second, rng, draws)
        case AlongWeights(on_one_scale=on_one_scale):
            on_scale = on_one_scale(first.y_pred, second.y_pred)
            own, other = (
                Comparison(side.output, side.y_true, answers)
                for side, answers in zip((first, second), on_scale, strict=True)
            )
            return _of_cells(chosen, own, other, rng, draws)
        case _:
            return _of_cells(chosen, first, second, rng, draws)


def _of_cells(
    metric: AnyMetric, first: Comparison, second: Comparison, rng: np.random.Generator, draws: int
) -> _Both:
    """Each distinct pair of gold label and answer is one item of a smaller split, weighted by how often it stands."""
    kept, moved, counts = _cells(first, second)
    comparison = Comparison(
        first.output,
        np.concatenate([first.y_true[kept], first.y_true[moved], second.y_true[moved]]),
        np.concatenate([first.y_pred[kept], first.y_pred[moved], second.y_pred[moved]]),
    )
    # As narrow as the sums over all items allow: that is what the time goes into.
    counts = counts.astype(np.int16 if len(first.y_true) < 2**15 else np.int32)
    stays = np.broadcast_to(counts[: len(kept), None], (len(kept), draws))
    drawn = _binomial(counts[len(kept) :], rng, draws)
    moving = counts[len(kept) :, None]
    own, other = (
        replicate_scores(comparison, [metric.name], Resamples(np.vstack(weights).T))[metric.name]
        for weights in ((stays, drawn, moving - drawn), (stays, moving - drawn, drawn))
    )
    return own, other


def _cells(first: Comparison, second: Comparison) -> tuple[Codes, Codes, Counts]:
    """One item for each cell where both answer the same, one for each where they differ, and how many each stands for.

    That one answers a and the other b is the same cell whichever of them it is. Where several answers are accepted,
    each answer has the gold label that it is held against, and goes with it to the other side.
    """
    gold, answers = (
        _numbered(labels) for labels in (first.y_true, np.concatenate([first.y_pred, second.y_pred]))
    )
    own, other = answers[: len(gold)], answers[len(gold) :]
    size = int(answers.max()) + 1
    if not np.array_equal(first.y_true, second.y_true):
        golds = _numbered(np.concatenate([first.y_true, second.y_true]))
        gold = np.zeros_like(gold)
        own, other = (of * size + said for of, said in ((golds[: len(own)], own), (golds[len(own) :], other)))
        size *= int(golds.max()) + 1
    keys = (gold * size + np.minimum(own, other)) * size + np.maximum(own, other)
    _, items, counts = np.unique(keys, return_index=True, return_counts=True)
    differs = own[items] != other[items]
    return items[~differs], items[differs], np.concatenate([counts[~differs], counts[differs]])


def _numbered(answers: NDArray[Any]) -> Codes:
    if answers.dtype.kind in "ui" and answers.dtype.itemsize <= 2:
        return answers.astype(np.intp) - int(answers.min())
    return np.asarray(np.unique(answers, return_inverse=True)[1], dtype=np.intp)


def _binomial(counts: Counts, rng: np.random.Generator, draws: int) -> Counts:
    """How many of each count come up heads, shape (counts, draws): of few by the bits of a random byte or word."""
    drawn = np.empty((len(counts), draws), dtype=counts.dtype)
    longest = 0
    for kind in (np.uint8, np.uint64):
        size = 8 * np.dtype(kind).itemsize
        (fit,) = np.nonzero((counts > longest) & (counts <= size))
        bits = rng.integers(0, np.iinfo(kind).max, size=(len(fit), draws), dtype=kind, endpoint=True)
        drawn[fit] = np.bitwise_count(bits >> (size - counts[fit, None]).astype(kind))
        longest = size
    (rest,) = np.nonzero(counts > longest)
    drawn[rest] = rng.binomial(counts[rest, None], 0.5, size=(len(rest), draws))
    return drawn


def _of_sets(
    metric: AnyMetric,
    formula: Callable[..., Floats],
    first: Comparison,
    second: Comparison,
    rng: np.random.Generator,
    draws: int,
) -> _Both:
    """From how often each label is right and predicted, which an exchange moves by the difference of two answers."""
    (moved,) = np.nonzero(first.y_pred != second.y_pred)
    size = len(first.output.labels)
    own, other = (
        _labels_of(comparison.y_pred[moved], comparison.y_true[moved], size) for comparison in (first, second)
    )
    # Whole numbers far below 2 ** 24, which single precision adds up exactly.
    change = (_exchanges(len(moved), rng, draws, np.float32) @ (other - own)).astype(np.intp).T
    values = []
    for side, moving in ((first, change), (second, -change)):
        right, predicted = (
            side.counts.right[:, None] + moving[:size],
            side.counts.predicted[:, None] + moving[size:],
        )
        gold = np.broadcast_to(side.counts.gold[:, None], right.shape)
        values.append(
            formula(*metric.statistic.collect(ResampledCounts(side, LabelCounts(right, predicted, gold))))
        )
    return values[0], values[1]


def _labels_of(answers: NDArray[Any], gold: NDArray[Any], size: int) -> NDArray[np.float32]:
    """Per item which labels are right, then which are predicted, each 0 or 1: shape (n_items, 2 * size)."""
    masks = np.stack([answers & gold, answers], axis=1)
    bits = (masks[:, :, None] >> np.arange(size, dtype=np.uint64)) & np.uint64(1)
    return bits.reshape(len(answers), 2 * size).astype(np.float32)


def _of_means(
    metric: AnyMetric,
    mean: MeanOfItems[*tuple[Any, ...]],
    first: Comparison,
    second: Comparison,
    rng: np.random.Generator,
    draws: int,
) -> _Both:
    of_items, finish = mean.of_items, mean.finish
    own, other = (
        np.asarray(of_items(*metric.statistic.collect(side)), dtype=np.float64) for side in (first, second)
    )
    (moved,) = np.nonzero(own != other)
    change = _exchanges(len(moved), rng, draws) @ (other - own)[moved]
    return finish((own.sum() + change) / len(own)), finish((other.sum() - change) / len(own))


def _of_sums(
    metric: AnyMetric,
    sums: SumsOfItems[*tuple[Any, ...]],
    first: Comparison,
    second: Comparison,
    rng: np.random.Generator,
    draws: int,
) -> _Both:
    own, other = (
        np.asarray(sums.of_items(*metric.statistic.collect(side)), dtype=np.float64)
        for side in (first, second)
    )
    (moved,) = np.nonzero((own != other).any(axis=0))
    change = (_exchanges(len(moved), rng, draws) @ (other - own)[:, moved].T).T
    totals = (side.sum(axis=1, keepdims=True) for side in (own, other))
    return sums.finish(next(totals) + change), sums.finish(next(totals) - change)


def _of_correlations(
    metric: AnyMetric,
    ranks: bool,
    first: Comparison,
    second: Comparison,
    exchanges: Callable[[Codes], Floats],
) -> _Both:
    """From the sums of y, y² and xy, which an exchange moves by the difference of the two answers."""
    gold, own = (_on_one_scale(values, ranks=ranks) for values in metric.statistic.collect(first))
    other = _on_one_scale(metric.statistic.collect(second)[1], ranks=ranks)
    sums = [
        np.stack([predicted, predicted * predicted, gold * predicted], axis=1) for predicted in (own, other)
    ]
    (moved,) = np.nonzero(own != other)
    change = exchanges(moved) @ (sums[1] - sums[0])[moved]
    return (
        _correlated(sums[0].sum(axis=0) + change, gold),
        _correlated(sums[1].sum(axis=0) - change, gold),
    )


def _of_metrics(
    names: tuple[str, ...],
    mean: AnyMetric,
    first: Comparison,
    second: Comparison,
    rng: np.random.Generator,
    draws: int,
) -> _Both:
    """Of a mean of correlations each is tested on a scale of its own, with the same items exchanged in all of them."""
    parts = [metric_for(first.output, name) for name in names]
    read = [part.resampled for part in parts if isinstance(part.resampled, Correlation)]
    if len(read) < len(parts):
        return _of_cells(mean, first, second, rng, draws)
    items = _exchanges(len(first.y_true), rng, draws)
    each = []
    for part, correlation in zip(parts, read, strict=True):
        chosen = np.flatnonzero(correlation.chosen(first.y_true))
        moving = partial(_of_these, items, chosen)
        each.append(_of_correlations(part, correlation.ranks, first, second, moving))
    own, other = np.mean(each, axis=0)
    return own, other


def _of_these(items: Floats, chosen: Codes, moved: Codes) -> Floats:
    return items[:, chosen[moved]]


def _of_moments(
    metric: AnyMetric,
    formula: Callable[[Floats, Floats], Floats],
    first: Comparison,
    second: Comparison,
    rng: np.random.Generator,
    draws: int,
) -> _Both:
    """From sums that an exchange moves by the difference of the two answers, all of them on one scale."""
    gold, own = metric.statistic.collect(first)
    _, other = metric.statistic.collect(second)
    moments = moments_of(np.concatenate([gold, gold]), np.concatenate([own, other]))
    of_own, of_other = moments[:, : len(gold)], moments[:, len(gold) :]
    (moved,) = np.nonzero(own != other)
    change = (_exchanges(len(moved), rng, draws) @ (of_other - of_own)[:, moved].T).T
    count = np.full(draws, float(len(gold)))
    return (
        formula(of_own.sum(axis=1)[:, None] + change, count),
        formula(of_other.sum(axis=1)[:, None] - change, count),
    )


def _of_items(
    metric: AnyMetric,
    along: AlongItems,
    first: Comparison,
    second: Comparison,
    rng: np.random.Generator,
    draws: int,
) -> _Both:
    """Every item stands there with both answers, and either has it in a draw or the other."""
    gold, own = metric.statistic.collect(first)
    _, other = metric.statistic.collect(second)
    answers = np.concatenate([along.scaled(own), along.scaled(other)])
    golds = np.concatenate([gold, gold])
    moved = _exchanges(len(gold), rng, draws, np.float32).T.astype(np.int16)
    own_in_draws, other_in_draws = (
        along.formula(golds, answers, np.concatenate(weights))
        for weights in ((1 - moved, moved), (moved, 1 - moved))
    )
    return own_in_draws, other_in_draws


def _on_one_scale(answers: object, *, ranks: bool) -> Floats:
    """Values, or their ranks, with mean 0 and deviation 1; of constant ones zeros."""
    from scipy.stats import rankdata

    values = np.asarray(answers, dtype=np.float64)
    moved = rankdata(values) if ranks else values
    moved = moved - moved.mean()
    deviation = moved.std()
    return (
        moved / deviation
        if deviation > 1e-12 * max(1.0, float(np.abs(values).max()))
        else np.zeros(len(moved))
    )


def _correlated(sums: Floats, gold: Floats) -> Floats:
    """Correlation with gold numbers of mean 0 and deviation 1, from sums of shape (draws, 3): y, y² and xy."""
    y, squares, products = sums.T
    spread = squares - y * y / len(gold)
    varies = spread > 1e-9
    return np.where(varies, products / np.sqrt(len(gold) * np.where(varies, spread, 1.0)), 0.0)


def _exchanges(
    count: int, rng: np.random.Generator, draws: int, kind: type[np.floating[Any]] = np.float64
) -> NDArray[Any]:
    """Which items are exchanged, each 0 or 1: shape (draws, count)."""
    raw = np.frombuffer(rng.bytes(draws * ((count + 7) // 8)), dtype=np.uint8).reshape(draws, -1)
    return np.unpackbits(raw, axis=1, count=count).astype(kind)
