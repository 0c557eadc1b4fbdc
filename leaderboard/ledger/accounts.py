"""The ledger of published bits: what releases have told of a benchmark's gold labels, at most, without reading them.

Entries are made after a release is out, by whichever worker comes to it first. Answers to a task as it was before its
labels or items were changed are left out.
"""

import datetime as dt
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.formats.numbers import grouped, percent
from accounts.mail.outbox import tell_at_once
from benchmarks.models import Benchmark
from benchmarks.services import mark_stale
from leaderboard.ledger.kept_entries import entries_of_retired
from leaderboard.ledger.task_account import entries_of
from leaderboard.models import AnswerBudget, LedgerEntry, Release, TeamBits

logger = logging.getLogger(__name__)

ROUNDING = 1e-6


def _mark(release: Release) -> None:
    mark_stale(release.benchmark_id)


def keep_ledger(print_again: Callable[[Release], None] = _mark) -> list[Release]:
    """Enter every release that is not in the ledger yet; returns those entered. Two workers at once enter each once.

    `print_again` is called for each of them, in the transaction that enters it: neither is done without the other. It
    marks the benchmark as stale, too, for whoever draws pages locks the printing before and the log after.
    """
    missing = Release.objects.filter(ledger_entries__isnull=True, benchmark__tasks__isnull=False)
    entered: list[Release] = []
    for benchmark in Benchmark.objects.filter(pk__in=missing.values("benchmark")):
        releases = Release.objects.of(benchmark.pk).order_by("number")
        unknown = set(missing.filter(benchmark=benchmark).values_list("pk", flat=True))
        entered_before = {release.pk for release in releases} - unknown
        try:
            new = [release for release in releases if release.pk in unknown]
            tasks = list(benchmark.tasks.order_by("position"))
            counted = [entries_of(task, releases, entered_before) for task in tasks if not task.is_retired]
            entries = [entry for own, _teams in counted for entry in own if entry.release_id in unknown]
            entries += [entry for task in tasks if task.is_retired for entry in entries_of_retired(task, new)]
            with transaction.atomic():
                LedgerEntry.objects.bulk_create(entries)
                _keep_teams([teams for _own, teams in counted])
                for release in new:
                    print_again(release)
        except IntegrityError:
            continue  # another worker was faster
        except Exception:
            # What is published stands; one benchmark that cannot be counted must not hold up the others.
            logger.exception("the releases of %s could not be entered in the ledger", benchmark.pk)
            continue
        entered += new
        tell_of_budget(benchmark, entries)
    return entered


def _keep_teams(rows: Sequence[TeamBits]) -> None:
    """In place of what was kept of the same tasks."""
    TeamBits.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["task"], update_fields=["by_team"]
    )


# What is said of it


@dataclass(frozen=True, slots=True)
class Bits:
    """How much of gold labels can be known, in whole bits: no less than counted, of no more than there are.

    `honest` is what honest use is expected to tell, never more than `spent`; None where no model says so.
    """

    spent: int
    all: int
    honest: int | None = None

    def sentences(self, *, of_one: bool) -> str:
        """What page, API and admin say of one test set, or of all of a benchmark together."""
        sets, whose = ("this test set", "its") if of_one else ("these test sets", "their")
        bound = (
            f"All that is published of answers to {sets} up to this release, tests and ranks among it, can carry at "
            f"most {grouped(self.spent)} of the {grouped(self.all)} bits of {whose} gold labels, had every answer been "
            "made for that."
        )
        if self.honest is None:
            return bound
        return f"{bound} Honest answers are expected to tell {grouped(self.honest)} of them, spread over all labels."


def published_bits(benchmark: Benchmark, release: int, public: Collection[str]) -> dict[str, Bits]:
    """By task, and under an empty name for all together, how much a release and those before it can have told.

    Nothing before the release is in the ledger, and nothing of the tasks whose gold labels are `public`.
    """
    rows = LedgerEntry.objects.filter(
        release__benchmark=benchmark, release__number=release, label_bits__gt=0, task__is_retired=False
    ).exclude(task__slug__in=public)
    by_task: dict[str, tuple[float, float, float | None]] = {
        task: (spent, most, honest)
        for task, spent, most, honest in rows.values_list(
            "task__slug", "spent_bits", "label_bits", "honest_bits"
        )
    }
    if by_task:
        spent, most, honest = zip(*by_task.values(), strict=True)
        known = [bits for bits in honest if bits is not None]
        by_task[""] = sum(spent), sum(most), sum(known) if len(known) == len(honest) else None
    return {task: in_whole(*bits) for task, bits in by_task.items()}


def in_whole(spent: float, most: float, honest: float | None = None) -> Bits:
    """What is known in whole bits, rounded up, and what there is, rounded down."""
    all_bits = floor(most + ROUNDING)
    at_most = min(ceil(spent - ROUNDING), all_bits)
    return Bits(at_most, all_bits, None if honest is None else min(ceil(honest - ROUNDING), at_most))


def set_budget(*, benchmark: Benchmark, percent: int, now: dt.datetime) -> None:
    """Say how many percent of each task's gold labels may be told before organisers are written to; 1 to 100."""
    values = {"share": percent / 100, "changed_at": now}
    AnswerBudget.objects.update_or_create(benchmark=benchmark, defaults=values)


def tell_of_budget(benchmark: Benchmark, entries: Iterable[LedgerEntry]) -> None:
    """Write to the organisers about tasks whose budget these entries are the first to exceed."""
    budget = AnswerBudget.objects.filter(benchmark=benchmark).first()
    if budget is None:
        return
    passed = {
        entry.task: in_whole(entry.spent_bits, entry.label_bits)
        for entry in entries
        if entry.spent_bits > budget.share * entry.label_bits >= entry.spent_bits - entry.carried_bits
    }
    if not passed:
        return
    lines = [
        f"  {task.title}: at most {grouped(bits.spent)} of {grouped(bits.all)} bits"
        for task, bits in passed.items()
    ]
    address = f"{settings.SITE_URL}/admin/benchmarks/benchmark/{benchmark.pk}/change/"
    sentences = (
        f"What has been published can tell more than {percent(budget.share, 0)} of the gold labels of these tasks of "
        f"{benchmark.title}, if somebody has set out to collect it:",
        "\n".join(lines),
        "Nothing is closed by that. A smaller quota, a rule that shows less while a phase runs, or new test items "
        f"would keep the rest. The account, per team and over time: {address}",
    )
    tell_at_once(
        people=benchmark.organisers.all(),
        subject=f"{benchmark.title}: published scores have used up the budget of bits",
        text="\n\n".join(sentences),
    )
