"""Which items are displayed before the end of a phase, and which are kept back; and what noise is drawn from.

A fair coin for each item, or for each cluster of items that belong together, says on which side it is. The coins follow
from names and from one salt for all hidden labels of a benchmark, which is sealed with the first of them: nobody can
know them before these are public, and anybody can throw them again then. Corrections, other tasks with the same items,
and what attacks made of a test split are cut alike.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from benchmarks.models import Benchmark, ItemRenewal, Split
from benchmarks.spec.model import GoldState
from catalogue.disclosure.keyed_draws import draw_key, kept_back
from catalogue.disclosure.rule import ALL, NOISED, RANKED_AGAIN, REMAINDER
from scoring.gold.alignment import opened_version
from scoring.models import GoldVersion, SealedCopy
from submissions.intake.sealing import GoldLabels, Sealed

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]


def remainder_by(split: Split, sealed: Sealed) -> str:
    """The commitment of the version by whose salt the items of newly sealed gold labels are drawn.

    It is the first of the benchmark whose salt is to stay sealed, so that its tasks and versions are cut alike; a new
    one draws where the salt of then was sealed to another key. Salts that are public, or that an organiser may publish
    while phases run, draw for their own splits alone.
    """
    is_sealed_to_it = Q(key_fingerprint=sealed.key_fingerprint)
    copied = SealedCopy.objects.filter(is_sealed_to_it).values("commitment")
    benchmark = split.task.benchmark
    of_benchmark = GoldVersion.objects.filter(split__task__benchmark=benchmark)
    public = set(
        of_benchmark.filter(split__gold_opened_at__isnull=False).values_list("commitment", flat=True)
    )
    may_become_public = _tasks_of_public_gold(benchmark)
    versions = of_benchmark.filter(is_sealed_to_it | Q(commitment__in=copied)).order_by("pk")
    for own, task, commitment, by in versions.values_list(
        "split", "split__task__slug", "commitment", "remainder_by"
    ):
        drawn_by = by or commitment
        if own == split.pk or (task not in may_become_public and drawn_by not in public):
            return str(drawn_by)
    return sealed.commitment


def splits_that_draw_for_others(benchmark: Benchmark) -> set[int]:
    """The splits by a salt of which hidden gold labels of other sets are drawn; with it, noise could be taken off."""
    hidden = GoldVersion.objects.current().filter(
        split__task__benchmark=benchmark, split__task__is_retired=False, split__gold_opened_at__isnull=True
    )
    others = hidden.exclude(split__task__slug__in=_tasks_of_public_gold(benchmark))
    used = GoldVersion.objects.filter(
        split__task__benchmark=benchmark, commitment__in=others.values("remainder_by")
    )
    return set(used.values_list("split", flat=True))


def _tasks_of_public_gold(benchmark: Benchmark) -> list[str]:
    """Of these an organiser may make labels and salts public while phases run."""
    return [task.id for task in benchmark.spec.tasks if task.gold_state is GoldState.PUBLIC]


@lru_cache(maxsize=64)
def items_of_part(part: str, gold_version_id: int) -> Mask | None:
    """Whether each item of a gold version, in its order, belongs to a part; None for all. Needs the private key."""
    if part in (ALL, RANKED_AGAIN[ALL]):
        return None
    gold = opened_version(gold_version_id)[1]
    names = coin_names(gold)
    is_kept = kept_back(draw_key(_salt_of_draws(gold_version_id), "remainder"), names)
    anchors = _anchors(gold_version_id)
    told = {name for name, item in zip(names, gold.ids, strict=True) if item in anchors}
    is_kept &= np.array([name not in told for name in names], dtype=np.bool_)
    return is_kept if part in (REMAINDER, RANKED_AGAIN[REMAINDER]) else ~is_kept


@lru_cache(maxsize=64)
def places_of_part(part: str, gold_version_id: int) -> Places | None:
    """The places of a part's items among those of a gold version; None for all. Rows are taken by places several times
    as fast as by a mask."""
    mask = items_of_part(part, gold_version_id)
    return None if mask is None else np.flatnonzero(mask)


def _anchors(gold_version_id: int) -> set[str]:
    """The items of a version that stood in the set before it was renewed: with their clusters they are displayed."""
    version = GoldVersion.objects.get(pk=gold_version_id)
    renewals = ItemRenewal.objects.filter(split=version.split_id, gold_number__lte=version.number)
    newest = renewals.order_by("-gold_number").first()
    return newest.anchors() if newest else set()


def noise_key(gold_version_id: int, part: str) -> bytes:
    """The key that the noise of a part is drawn with. Needs the private key."""
    return draw_key(_salt_of_draws(gold_version_id), "noise" if part == NOISED else part)


def coin_names(gold: GoldLabels) -> Sequence[str]:
    """By item the name of its coin: its id, or the first id of its cluster."""
    if gold.clusters is None:
        return gold.ids
    first: dict[int, str] = {}
    for item, cluster in zip(gold.ids, gold.clusters.tolist(), strict=True):
        first[cluster] = min(item, first.get(cluster, item))
    return [first[cluster] for cluster in gold.clusters.tolist()]


def _salt_of_draws(gold_version_id: int) -> bytes:
    by = version = GoldVersion.objects.select_related("split__task").get(pk=gold_version_id)
    if version.remainder_by not in ("", version.commitment):
        of_benchmark = GoldVersion.objects.filter(split__task__benchmark=version.split.task.benchmark_id)
        by = of_benchmark.filter(commitment=version.remainder_by).earliest("pk")
    return opened_version(by.pk)[0]
