"""Agreement over all answers of a campaign, per class, and as means over classes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isnan
from typing import NamedTuple

import numpy as np

from labelling.core.aggregation.rule import classes_of_question
from labelling.core.agreement.decisions import WHOLE, Decision, by_part, decisions_of
from labelling.core.agreement.measures import (
    AnswerScale,
    Codes,
    Floats,
    alphas,
    counted,
    fleiss_kappas,
    pair_shares,
    paired,
)
from labelling.core.answers import Value, Work
from scoring.core.uncertainty.intervals import Interval, interval
from scoring.core.uncertainty.weights import REPLICATES, item_weights

ONE_CATEGORY = "All answers are the same."
NO_PAIRS = "No item has two answers."
UNEQUAL = "Items have different numbers of answers."
NUMBERS = "Answers are numbers, which hardly ever are the same."


@dataclass(frozen=True, slots=True)
class AgreementEstimate:
    """A figure with its 95 % interval over other items; without a value `because` says in a sentence why."""

    value: float | None
    interval: Interval | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the answers of items with at least two agree.

    items, answers : how many are compared
    pairs : share of pairs of answers about the same item that agree, 0 to 1
    fleiss, alpha : Fleiss' kappa and Krippendorff's alpha; 1 is full agreement, 0 chance
    """

    items: int
    answers: int
    pairs: AgreementEstimate
    fleiss: AgreementEstimate
    alpha: AgreementEstimate


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """`overall` is the mean over the parts where an answer decides several things at once, such as several labels.

    `classes` are each against all others, or the parts; `means` are over those that were asked for.
    """

    overall: Agreement
    classes: Mapping[str, Agreement] = field(default_factory=dict)
    means: Mapping[str, Agreement] = field(default_factory=dict)


_Draw = Callable[[int], Floats]
"""Of so many items the weights in each resample."""


class _Figures(NamedTuple):
    """Pairs, Fleiss and alpha in rows: of the items as they are, and of the same items drawn again."""

    items: int
    answers: int
    values: Floats
    replicates: Floats
    because: tuple[str, str, str]


def report_agreement(
    work: Work,
    scale: AnswerScale | None = None,
    *,
    seed: bytes = b"agreement",
    replicates: int = REPLICATES,
    means: Mapping[str, Sequence[str]] | None = None,
) -> AgreementReport:
    """How far the workers agree, with intervals by drawing the items again.

    Parameters
    ----------
    work : Work
    scale : AnswerScale, optional
        By which alpha counts how far two answers differ; without it that of the question: whole numbers are ordered,
        other numbers an interval, all else names.
    seed : bytes
        The same answers and seed give the same intervals.
    replicates : int
        How often items are drawn again.
    means : mapping of name to classes, optional
        Over which classes means are wanted besides, such as over four basic emotions.

    References
    ----------
    Fleiss (1971), doi:10.1037/h0031619; Krippendorff (2011); for classes one by one and their means Mohammad et al.
    (2018), doi:10.18653/v1/S18-1001, section 4.1.

    Examples
    --------
    >>> from labelling.core.answers import GivenAnswer
    >>> given = [("i", 1, "a"), ("i", 2, "a"), ("j", 1, "b"), ("j", 2, "a")]
    >>> work = Work(("a", "b"), {"i": ("i",), "j": ("j",)}, [GivenAnswer(*each) for each in given])
    >>> report_agreement(work).overall.pairs
    AgreementEstimate(value=0.5, interval=Interval(low=0.095, high=0.905), because='')
    """
    draw = lru_cache(maxsize=1)(lambda count: item_weights(seed, count, replicates).astype(np.float64))
    parts = by_part(decisions_of(work))
    scale = scale or _scale_of(work)
    if set(parts) <= {WHOLE}:
        decisions = parts.get(WHOLE, [])
        overall = _figures(decisions, _numbers(decisions, work), scale, draw)
        classes = {} if scale is AnswerScale.INTERVAL else _one_by_one(decisions, work, draw)
    else:
        order = sorted(parts, key=work.options.index) if work.options else sorted(parts)
        classes = {
            part: _figures(parts[part], _numbers(parts[part], work), AnswerScale.NOMINAL, draw)
            for part in order
        }
        overall = _mean(list(classes.values()))
    return AgreementReport(
        overall=_told(overall),
        classes={name: _told(figures) for name, figures in classes.items()},
        means={
            name: _told(_mean([classes[wanted] for wanted in over])) for name, over in (means or {}).items()
        },
    )


def _scale_of(work: Work) -> AnswerScale:
    value = work.answers[0].value if work.answers else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return AnswerScale.NOMINAL
    return AnswerScale.ORDINAL if isinstance(value, int) else AnswerScale.INTERVAL


def _numbers(decisions: Sequence[Decision], work: Work) -> Floats:
    """Each value as a number: itself where it is one, and else its place among the classes."""
    values = [decision.value for decision in decisions]
    if all(isinstance(value, int | float) for value in values):
        return np.array(values, dtype=np.float64)
    classes: Sequence[Value] = classes_of_question(work) if work.options else sorted(set(values), key=repr)
    place = {value: number for number, value in enumerate(classes)}
    return np.array([place[value] for value in values], dtype=np.float64)


def _one_by_one(decisions: Sequence[Decision], work: Work, draw: _Draw) -> dict[str, _Figures]:
    """Each class against all others."""
    return {
        str(name): _figures(
            decisions,
            np.array([float(decision.value == name) for decision in decisions]),
            AnswerScale.NOMINAL,
            draw,
        )
        for name in classes_of_question(work)
    }


def _figures(decisions: Sequence[Decision], values: Floats, scale: AnswerScale, draw: _Draw) -> _Figures:
    _, codes = np.unique([decision.item for decision in decisions], return_inverse=True)
    items, values, count = paired(codes.astype(np.intp), values)
    if not count:
        return _Figures(0, 0, np.full((3, 1), np.nan), np.full((3, 1), np.nan), (NO_PAIRS,) * 3)
    return _Figures(
        count,
        len(items),
        _rows(items, values, scale, np.ones((1, count))),
        _rows(items, values, scale, draw(count)),
        _reasons(items, scale),
    )


def _rows(items: Codes, values: Floats, scale: AnswerScale, weights: Floats) -> Floats:
    """Pairs, Fleiss and alpha, shape (3, n_rows)."""
    found = np.full((3, len(weights)), np.nan)
    found[2] = alphas(items, values, scale, weights)
    if scale is not AnswerScale.INTERVAL:
        counts = counted(items, values)
        found[0] = pair_shares(counts, weights)
        if _are_equal(items):
            found[1] = fleiss_kappas(counts, weights)
    return found


def _reasons(items: Codes, scale: AnswerScale) -> tuple[str, str, str]:
    """Why each figure has no value, where it has none."""
    if scale is AnswerScale.INTERVAL:
        return NUMBERS, NUMBERS, ONE_CATEGORY
    return NO_PAIRS, ONE_CATEGORY if _are_equal(items) else UNEQUAL, ONE_CATEGORY


def _are_equal(items: Codes) -> bool:
    return bool(np.ptp(np.bincount(items)) == 0)


def _mean(figures: Sequence[_Figures]) -> _Figures:
    """The mean over classes of those that are defined; a class in which all answers are the same has no kappa."""
    known = [each for each in figures if each.items]
    if not known:
        return _Figures(0, 0, np.full((3, 1), np.nan), np.full((3, 1), np.nan), (NO_PAIRS,) * 3)
    return _Figures(
        known[0].items,
        known[0].answers,
        _mean_of_known([each.values for each in known]),
        _mean_of_known([each.replicates for each in known]),
        known[0].because,
    )


def _mean_of_known(rows: Sequence[Floats]) -> Floats:
    stacked = np.stack(rows)
    known = ~np.isnan(stacked)
    count = known.sum(axis=0)
    sums = np.where(known, stacked, 0.0).sum(axis=0)
    means: Floats = np.divide(sums, count, out=np.full(sums.shape, np.nan), where=count > 0)
    return means


def _told(figures: _Figures) -> Agreement:
    estimates = [
        AgreementEstimate(None, because=because)
        if isnan(value := float(row[0]))
        else AgreementEstimate(value, interval(value, drawn, low, 1.0))
        for row, drawn, low, because in zip(
            figures.values, figures.replicates, (0.0, -1.0, -1.0), figures.because, strict=True
        )
    ]
    return Agreement(figures.items, figures.answers, *estimates)
