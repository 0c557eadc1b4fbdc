"""Make gold labels public once nobody is to answer them any more."""

import csv
import datetime as dt
import io
import logging
import zlib

from django.db import transaction
from django.db.models import F, Q

from accounts.formats.instants import in_words
from accounts.models import User
from benchmarks.models import Benchmark, Split
from benchmarks.querysets import PhaseQuerySet
from benchmarks.services import mark_stale
from benchmarks.spec.model import GoldState
from scoring.gold.box_opening import open_version
from scoring.gold.holdout_split import splits_that_draw_for_others
from scoring.log_entries import log_opening
from scoring.models import Batch, GoldVersion, OpenedGold, OpeningOrder
from submissions.intake.sealing import VaultError, canonical_csv
from submissions.models import Submission

logger = logging.getLogger(__name__)


class CannotOpen(Exception):
    """Nothing may be made public now; the message says why."""


def open_gold(*, version: GoldVersion, now: dt.datetime) -> OpenedGold:
    """Publish the labels of a version and the salt of its commitment. It cannot be undone; again, it changes nothing.

    From then on the split is answered no longer.

    Raises
    ------
    VaultError
        If this process has no private key or not the right one, or the sealed bytes are damaged.
    """
    if opened := OpenedGold.objects.filter(gold_version=version).first():
        return opened
    salt, gold = open_version(version)
    values = {"salt": salt.hex(), "packed": zlib.compress(canonical_csv(gold)), "opened_at": now}
    with transaction.atomic():
        opened, is_new = OpenedGold.objects.get_or_create(gold_version=version, defaults=values)
        Split.objects.filter(pk=version.split_id, gold_opened_at__isnull=True).update(gold_opened_at=now)
        mark_stale(version.split.task.benchmark_id)
        if is_new:
            clusters = None if gold.clusters is None else gold.clusters.tolist()
            log_opening(opened, clusters, {column: found.cells() for column, found in gold.groups.items()})
    return opened


def open_newer_versions(now: dt.datetime) -> list[OpenedGold]:
    """Open what has become the current version of a split whose gold labels are public already."""
    newer = GoldVersion.objects.current().filter(split__gold_opened_at__isnull=False, opened__isnull=True)
    return [open_gold(version=version, now=now) for version in newer.select_related("split__task")]


def phases_are_over(phases: PhaseQuerySet, now: dt.datetime) -> bool:
    """Whether nothing can be handed in to these phases any more, and what came in time is scored."""
    # The cut-off at the close is taken in when the next one is later.
    goes_on = Q(closes_at__isnull=True) | Q(closes_at__gt=now) | Q(next_cut_off_at__lte=F("closes_at"))
    waiting = [Submission.Status.ACCEPTED, Submission.Status.SCORING]
    return not (
        phases.filter(goes_on).exists()
        or Submission.objects.filter(phase__in=phases, status__in=waiting).exists()
        or Batch.objects.scoring().filter(phase__in=phases).exists()
    )


def may_be_opened(benchmark: Benchmark, now: dt.datetime) -> list[GoldVersion]:
    """The sealed gold labels, current ones, that an organiser may make public now.

    That is all of them once every phase is over; before, those of tasks whose gold labels were public already, unless
    their salts are to stay sealed (`kept_for_their_salts`).
    """
    sealed = GoldVersion.objects.current().filter(
        split__task__benchmark=benchmark, split__task__is_retired=False, opened__isnull=True
    )
    versions = list(sealed.select_related("split__task").order_by("split__task__position", "split__slug"))
    if phases_are_over(benchmark.phases.all(), now):
        return versions
    public = {task.id for task in benchmark.spec.tasks if task.gold_state is GoldState.PUBLIC}
    kept = kept_for_their_salts(benchmark, now)
    return [
        version for version in versions if version.split.task.slug in public and version.split_id not in kept
    ]


def kept_for_their_salts(benchmark: Benchmark, now: dt.datetime) -> set[int]:
    """The splits whose gold labels are not opened while any phase runs, because hidden ones are drawn by their salts.

    Whoever has the salt can throw the coins of these and take the noise off their scores.
    """
    if phases_are_over(benchmark.phases.all(), now):
        return set()
    return splits_that_draw_for_others(benchmark)


def why_not_opened(benchmark: Benchmark, now: dt.datetime) -> str:
    """Why no gold labels may be made public now, and what comes first."""
    phases = benchmark.phases.all()
    sealed = GoldVersion.objects.current().filter(split__task__benchmark=benchmark, opened__isnull=True)
    if not sealed.exists():
        return "Nothing may be opened now: all gold labels that are loaded are public."
    open_ones = [phase for phase in phases if phase.closes_at is None or phase.closes_at > now]
    if open_ones:
        ends = (
            f"{phase.title} closes on {in_words(phase.closes_at)}"
            if phase.closes_at
            else f"{phase.title} has no end"
            for phase in open_ones
        )
        return f"Nothing may be opened before every phase is over: {'; '.join(ends)}."
    return (
        "Every phase is over, and what came in last is still being taken in and scored. As a rule that takes a minute "
        "or two; then the gold labels may be opened."
    )


def order_opening(*, benchmark: Benchmark, by: User, reason: str, now: dt.datetime) -> OpeningOrder:
    """Have a worker make public what may be; it cannot be undone.

    Raises
    ------
    CannotOpen
        If nothing is sealed, or teams may still hand in.
    """
    if not may_be_opened(benchmark, now):
        raise CannotOpen(why_not_opened(benchmark, now))
    values = {"given_by": by, "given_at": now, "reason": reason, "done_at": None}
    order, _is_new = OpeningOrder.objects.update_or_create(benchmark=benchmark, defaults=values)
    return order


def open_ordered(now: dt.datetime) -> list[OpenedGold]:
    """Carry out what organisers have ordered. Only with the private key; again, it changes nothing.

    Earlier versions that scored something, or drew the private remainder, are opened too, as far as this key opens
    them, so that every commitment that was ever published can be checked, and the remainder drawn again. A current
    version that cannot be opened is logged and tried again.
    """
    opened: list[OpenedGold] = []
    for order in OpeningOrder.objects.filter(done_at__isnull=True).select_related("benchmark"):
        for version in may_be_opened(order.benchmark, now):
            earlier = GoldVersion.objects.filter(
                Q(runs__status="done") | Q(commitment=version.remainder_by),
                split=version.split_id,
                number__lt=version.number,
                opened__isnull=True,
            )
            for gold_version in (
                *earlier.select_related("split__task").distinct().order_by("number"),
                version,
            ):
                try:
                    opened.append(open_gold(version=gold_version, now=now))
                except VaultError as error:
                    logger.error("gold labels of %s could not be opened: %s", gold_version, error.code)  # noqa: TRY400  # no traceback
        if not may_be_opened(order.benchmark, now):
            OpeningOrder.objects.filter(pk=order.pk, done_at__isnull=True).update(done_at=now)
    return opened


def newest_opened(split: Split) -> OpenedGold | None:
    """The newest version of a split's gold labels that is public; None as long as none is."""
    opened = OpenedGold.objects.filter(gold_version__split=split).select_related("gold_version")
    return opened.order_by("-gold_version__number").first()


def opened_labels(split: Split) -> dict[str, str] | None:
    """The public gold labels of a split, by item in its order, of the newest opened version; None while sealed."""
    opened = newest_opened(split)
    return labels_of(opened) if opened else None


def labels_of(opened: OpenedGold) -> dict[str, str]:
    """The labels of one opened version, by item."""
    return labels_in(opened.csv())


def labels_in(canonical: bytes) -> dict[str, str]:
    """The labels of a canonical CSV (`submissions.intake.sealing.canonical_csv`), by item."""
    rows = csv.reader(io.StringIO(canonical.decode(), newline=""))
    next(rows)  # the header
    return dict(rows)
