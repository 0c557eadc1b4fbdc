"""Equity: do a system's answers differ between items that differ only in the group that they speak of?

Organisers upload pairs of such items for a split; the predictions on it are tested as they come in. That needs
neither gold labels nor a key.
"""

import datetime as dt
import logging
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import copysign, inf

import numpy as np
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery

from benchmarks.models import Split
from scoring.core.measures.equity import BiasGroup, GroupPair, GroupTest, pair_scores, paired_test
from scoring.models import EquityResult, PairSet
from submissions.intake.pairs.item_pairs import PairsFile, read_pairs
from submissions.models import Predictions, Submission
from submissions.uploads.expected_splits import alignment_sha256, item_ids

logger = logging.getLogger(__name__)

_AT_ONCE = 50


def current_pair_sets() -> QuerySet[PairSet]:
    """The newest version of every comparison of every split."""
    versions = PairSet.objects.filter(split=OuterRef("split"), comparison=OuterRef("comparison"))
    return PairSet.objects.filter(pk=Subquery(versions.order_by("-number").values("pk")[:1]))


def assess_due(now: dt.datetime) -> int:
    """Test what has not been tested yet on current pairs; returns how many tests of all pairs were made.

    Asking twice, or from two places at once, tests once. Predictions that cannot be read hold up nothing else.
    """
    due = _due()
    sets = PairSet.objects.in_bulk({pair_set for pair_set, _ in due})
    total = 0
    for start in range(0, len(due), _AT_ONCE):
        chunk = due[start : start + _AT_ONCE]
        rows = Predictions.objects.select_related("split__task__benchmark")
        by_id = rows.in_bulk([predictions for _, predictions in chunk])
        results: list[EquityResult] = []
        for pair_set, predictions in chunk:
            try:
                results += list(_assess(by_id[predictions], sets[pair_set], now))
            except Exception:  # whatever is wrong with these, batches must go on
                logger.exception("the equity of predictions %s was not tested", predictions)
        EquityResult.objects.bulk_create(results, ignore_conflicts=True)
        total += sum(not result.stratum for result in results)
    return total


def _due() -> list[tuple[int, int]]:
    """Pairs of a current pair set and predictions on its split that have no result under it."""
    if not PairSet.objects.exists():
        return []
    tested = EquityResult.objects.filter(pair_set=OuterRef("pk"), predictions=OuterRef("predictions_id"))
    due = (
        current_pair_sets()
        .annotate(predictions_id=F("split__predictions"))
        .filter(predictions_id__isnull=False)
        .exclude(
            predictions_id__in=Predictions.objects.filter(submission__ended_at__isnull=False).values("pk")
        )
        .filter(~Exists(tested))
    )
    return list(due.order_by("predictions_id", "pk").values_list("pk", "predictions_id"))


def _assess(predictions: Predictions, pair_set: PairSet, now: dt.datetime) -> Iterator[EquityResult]:
    """The tests of all pairs and of each stratum. None where ids or answers have changed since the upload."""
    split = predictions.split
    file = _pairs_of(pair_set.pk, split.pk, split.ids_sha256)
    if file is None or predictions.alignment_sha256 != alignment_sha256(split):
        return
    scores = predictions.canonical().codes.astype(np.float64)
    first, second = pair_scores(scores, [GroupPair(pair.first, pair.second) for pair in file.pairs])
    strata = np.array([pair.stratum for pair in file.pairs])
    for stratum in ("", *file.strata):
        chosen = strata == stratum if stratum else slice(None)
        test = paired_test(first[chosen], second[chosen])
        yield EquityResult(
            predictions=predictions,
            pair_set=pair_set,
            stratum=stratum,
            created_at=now,
            is_t_infinite=test.is_t_infinite,
            **{**asdict(test), "t": test.finite_t},
        )


@lru_cache(maxsize=64)
def _pairs_of(pair_set_id: int, split_id: int, ids_sha256: str) -> PairsFile | None:
    """The pairs of a set by their positions among the split's ids; None where these were replaced by others."""
    pair_set = PairSet.objects.get(pk=pair_set_id)
    return read_pairs(
        zlib.decompress(pair_set.packed),
        file_name=pair_set.file_name,
        ids=item_ids(split_id, ids_sha256),
        split="",
        first=pair_set.first,
        second=pair_set.second,
    ).content


@dataclass(frozen=True, slots=True)
class Tested:
    """One paired test and the group it puts the system in. `stratum` is empty for all pairs together."""

    stratum: str
    test: GroupTest
    group: BiasGroup


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """What one pair set says of one submission: all pairs first, then each stratum; empty until it was tested."""

    split: Split
    seed: int
    pair_set: PairSet
    rows: tuple[Tested, ...]


def report_for(submission: Submission, *, assessments: int = 1) -> list[GroupComparison]:
    """The equity report of one submission, on the current pairs, in the order of tasks.

    Groups are told at 0.05 with Bonferroni's correction over `assessments`.
    """
    results: dict[tuple[int, int], list[EquityResult]] = {}
    for result in EquityResult.objects.filter(predictions__submission=submission).order_by("pk"):
        results.setdefault((result.predictions_id, result.pair_set_id), []).append(result)
    sets = current_pair_sets().defer("packed").order_by("comparison")
    predictions = submission.predictions.filter(split__in=sets.order_by().values("split"))
    rows = predictions.select_related("split__task__benchmark")
    of_split: dict[int, list[PairSet]] = {}
    for pair_set in sets.filter(split__predictions__submission=submission).distinct():
        of_split.setdefault(pair_set.split_id, []).append(pair_set)
    return [
        GroupComparison(
            predictions.split,
            predictions.seed,
            pair_set,
            tuple(
                Tested(result.stratum, test := as_test(result), test.group(assessments))
                for result in results.get((predictions.pk, pair_set.pk), ())
            ),
        )
        for predictions in rows.order_by("split__task__position", "split__slug", "seed")
        for pair_set in of_split.get(predictions.split_id, ())
    ]


def has_report(submission: Submission) -> bool:
    return PairSet.objects.filter(split__predictions__submission=submission).exists()


def as_test(result: EquityResult) -> GroupTest:
    return GroupTest(
        pair_count=result.pair_count,
        mean_first=result.mean_first,
        mean_second=result.mean_second,
        mean_difference=result.mean_difference,
        mean_absolute_difference=result.mean_absolute_difference,
        largest_absolute_difference=result.largest_absolute_difference,
        first_higher_count=result.first_higher_count,
        equal_count=result.equal_count,
        t=copysign(inf, result.mean_difference) if result.is_t_infinite else result.t,
        p=result.p,
    )
