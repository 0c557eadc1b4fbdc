"""Equity: do a system's answers differ between items that differ only in the group that they speak of?

Organisers upload pairs of such items for a split; the predictions on it are tested as they come in. That needs
neither gold labels nor a key.
"""

from __future__ import annotations

import datetime as dt
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from math import copysign, inf, isinf

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet, Subquery
from numpy.typing import NDArray

from accounts.models import User
from benchmarks.models import Split
from benchmarks.spec import Number, OrderedClasses
from scoring.core.measures.equity import BiasGroup, Pair, PairedTest, pair_scores, paired_test
from scoring.models import EquityResult, PairSet
from submissions.intake import CanonicalPredictions, Problem
from submissions.intake.pairs import PairsFile, read_pairs
from submissions.models import Predictions, Submission
from submissions.targets import alignment_sha256, item_ids

_COMPARISON = re.compile(r"[-a-zA-Z0-9_]{1,64}")
_AT_ONCE = 50


class PairsRefused(Exception):
    """The pairs were not taken; `sentences` say why. `problems` are those of the file, `more` counts the rest."""

    def __init__(self, sentences: Sequence[str], problems: Sequence[Problem] = (), more: int = 0) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)
        self.problems = tuple(problems)
        self.more = more


@dataclass(frozen=True, slots=True)
class PairsUpload:
    """One file of pairs and what the organiser says of it.

    `comparison` is its short name, such as `gender`. `first` and `second` name the groups in the order of the
    comparison; empty: in the order in which they appear.
    """

    comparison: str
    data: bytes
    file_name: str
    title: str = ""
    first: str = ""
    second: str = ""


def load_pairs(*, split: Split, upload: PairsUpload, now: dt.datetime, user: User | None = None) -> PairSet:
    """Make the file the split's current pairs for that comparison; earlier versions stay.

    Predictions on the split are tested by the next sweep.

    Raises
    ------
    PairsRefused
        If the file has problems, or answers on this split are neither numbers nor ordered classes.
    """
    _check_words(upload)
    if not has_ordered_answers(split):
        raise PairsRefused(
            [f"Answers of {split} are neither numbers nor ordered classes, so none is higher than another."]
        )
    file = _read(split, upload)
    with transaction.atomic():
        Split.objects.select_for_update().filter(pk=split.pk).values_list("pk").get()  # one upload at a time
        newest = PairSet.objects.filter(split=split, comparison=upload.comparison).first()
        return PairSet.objects.create(
            split=split,
            comparison=upload.comparison,
            title=upload.title.strip() or upload.comparison.replace("_", " ").capitalize(),
            number=newest.number + 1 if newest else 1,
            first=file.first,
            second=file.second,
            packed=zlib.compress(upload.data),
            pair_count=len(file.pairs),
            item_count=file.item_count,
            sha256=sha256(upload.data).hexdigest(),
            file_name=upload.file_name[:255],
            uploaded_by=user,
            uploaded_at=now,
        )


@transaction.atomic
def load_pairs_everywhere(
    *, splits: Sequence[Split], upload: PairsUpload, now: dt.datetime, user: User | None = None
) -> list[PairSet]:
    """Load the file for every one of these splits that has its ids; returns the new pair sets.

    Raises
    ------
    PairsRefused
        If it fits none of them; the problems told are those with the split that it fits best.
    """
    loaded: list[PairSet] = []
    refusals: list[PairsRefused] = []
    for split in splits:
        if has_ordered_answers(split):
            try:
                loaded.append(load_pairs(split=split, upload=upload, now=now, user=user))
            except PairsRefused as refused:
                refusals.append(refused)
    if loaded:
        return loaded
    if not refusals:
        raise PairsRefused(["No such split has ids and answers that are numbers or ordered classes."])
    raise min(refusals, key=lambda refused: len(refused.problems) + refused.more)


def has_ordered_answers(split: Split) -> bool:
    """Whether one answer can be higher than another."""
    return isinstance(split.task.spec.output, Number | OrderedClasses)


def current_pair_sets() -> QuerySet[PairSet]:
    """The newest version of every comparison of every split."""
    versions = PairSet.objects.filter(split=OuterRef("split"), comparison=OuterRef("comparison"))
    return PairSet.objects.filter(pk=Subquery(versions.order_by("-number").values("pk")[:1]))


def assess_due(now: dt.datetime) -> int:
    """Test what has not been tested yet on current pairs; returns how many tests of all pairs were made.

    Asking twice, or from two places at once, tests once.
    """
    due = _due()
    sets = {one.pk: one for one in PairSet.objects.filter(pk__in={pair_set for pair_set, _ in due})}
    made = 0
    for start in range(0, len(due), _AT_ONCE):
        chunk = due[start : start + _AT_ONCE]
        rows = Predictions.objects.filter(pk__in={predictions for _, predictions in chunk})
        rows = rows.select_related("split__task__benchmark").defer("split__ids_packed")
        found = {one.pk: one for one in rows}
        results = [
            result
            for pair_set, predictions in chunk
            for result in _assess(found[predictions], sets[pair_set], now)
        ]
        EquityResult.objects.bulk_create(results, ignore_conflicts=True)
        made += sum(not result.stratum for result in results)
    return made


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
    codes = CanonicalPredictions.from_bytes(bytes(predictions.codes_packed)).codes
    scores: NDArray[np.float64] = codes.astype(np.float64)
    first, second = pair_scores(scores, [Pair(pair.first, pair.second) for pair in file.pairs])
    strata = np.array([pair.stratum for pair in file.pairs])
    for stratum in ("", *file.strata):
        chosen = strata == stratum if stratum else slice(None)
        test = paired_test(first[chosen], second[chosen])
        is_infinite = test.t is not None and isinf(test.t)
        yield EquityResult(
            predictions=predictions,
            pair_set=pair_set,
            stratum=stratum,
            created_at=now,
            is_t_infinite=is_infinite,
            **{**asdict(test), "t": None if is_infinite else test.t},
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
    ).file


@dataclass(frozen=True, slots=True)
class Tested:
    """One paired test and the group it puts the system in. `stratum` is empty for all pairs together."""

    stratum: str
    test: PairedTest
    group: BiasGroup


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one pair set says of one submission: all pairs first, then each stratum; empty until it was tested."""

    split: Split
    seed: int
    pair_set: PairSet
    rows: tuple[Tested, ...]


def report_for(submission: Submission, *, assessments: int = 1) -> list[Comparison]:
    """The equity report of one submission, on the current pairs, in the order of tasks.

    Groups are told at 0.05 with Bonferroni's correction over `assessments`.
    """
    results: dict[tuple[int, int], list[EquityResult]] = {}
    for result in EquityResult.objects.filter(predictions__submission=submission).order_by("pk"):
        results.setdefault((result.predictions_id, result.pair_set_id), []).append(result)
    sets = current_pair_sets().defer("packed").order_by("comparison")
    predictions = submission.predictions.filter(split__in=sets.order_by().values("split"))
    rows = predictions.select_related("split__task__benchmark").defer("codes_packed", "split__ids_packed")
    of_split: dict[int, list[PairSet]] = {}
    for pair_set in sets.filter(split__predictions__submission=submission).distinct():
        of_split.setdefault(pair_set.split_id, []).append(pair_set)
    return [
        Comparison(
            one.split,
            one.seed,
            pair_set,
            tuple(_tested(result, assessments) for result in results.get((one.pk, pair_set.pk), ())),
        )
        for one in rows.order_by("split__task__position", "split__slug", "seed")
        for pair_set in of_split.get(one.split_id, ())
    ]


def has_report(submission: Submission) -> bool:
    """Whether there are pairs for anything that the submission answers."""
    return PairSet.objects.filter(split__predictions__submission=submission).exists()


def as_test(result: EquityResult) -> PairedTest:
    """The stored test as it was computed."""
    return PairedTest(
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


def _tested(result: EquityResult, assessments: int) -> Tested:
    test = as_test(result)
    return Tested(result.stratum, test, test.group(assessments))


def _check_words(upload: PairsUpload) -> None:
    """Refuse what could not be stored or would say nothing."""
    faults = []
    if not _COMPARISON.fullmatch(upload.comparison):
        faults.append(
            f"“{upload.comparison}” cannot name a comparison: give 1 to 64 letters, digits, hyphens or underscores."
        )
    if len(upload.title) > 120:
        faults.append(f"The title has {len(upload.title)} characters; at most 120 fit.")
    if upload.first and upload.first == upload.second:
        faults.append(f"Both groups are named “{upload.first}”. Name the two that are compared.")
    if bool(upload.first) != bool(upload.second):
        faults.append("Name both groups in their order, or neither.")
    if faults:
        raise PairsRefused(faults)


def _read(split: Split, upload: PairsUpload) -> PairsFile:
    read = read_pairs(
        upload.data,
        file_name=upload.file_name,
        ids=item_ids(split.pk, split.ids_sha256),
        split=split.slug,
        first=upload.first,
        second=upload.second,
    )
    if read.file is None:
        raise PairsRefused(_sentences(read.problems, read.more), read.problems, read.more)
    return read.file


def _sentences(problems: Sequence[Problem], more: int) -> list[str]:
    sentences = []
    for problem in problems:
        place = [problem.file]
        place += [f"line {problem.line}"] if problem.line else []
        place += [f"column {problem.column}"] if problem.column else []
        sentences.append(f"{', '.join(place)}: {problem.message}")
    return [*sentences, f"{more} further problems were found."] if more else sentences
