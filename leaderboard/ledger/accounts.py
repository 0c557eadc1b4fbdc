"""The ledger of published bits: what releases have told of a benchmark's gold labels, at most, without reading them.

Entries are made after a release is out, by whichever worker comes to it first. Answers to a task as it was before its
labels or items were changed are left out.
"""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, floor, log2
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from numpy.typing import NDArray

from accounts.formats.numbers import grouped, percent
from accounts.mail.outbox import tell_at_once
from benchmarks.models import Benchmark, Task
from benchmarks.services import mark_stale
from benchmarks.spec import PAIR_MEASURES
from catalogue.disclosure.rule import NOISED
from leaderboard.ledger.released_answers import (
    ReleasedAnswer,
    exact_answers,
    judged_answers,
    told_answers,
)
from leaderboard.models import AnswerBudget, LedgerEntry, Release
from scoring.core.honest_leak import honest_bits
from scoring.core.ledger import Beside, Ledger, PublishedFigure, interval_bits
from scoring.core.noised_ledger import NoisedLedger
from scoring.core.uncertainty.weights import REPLICATES
from scoring.models import Score, ScoringRun
from scoring.run_scoring import display_of
from submissions.models import Predictions
from submissions.uploads.expected_splits import alignment_sha256

logger = logging.getLogger(__name__)

ROUNDING = 1e-6
_AnyLedger = Ledger | NoisedLedger
MANY_DECIMALS = 6  # an end of an interval that has more of them is shown with all it has


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
            entries = [
                entry
                for task in benchmark.tasks.order_by("position")
                for entry in entries_of(task, releases, entered_before)
                if entry.release_id in unknown
            ]
            new = [release for release in releases if release.pk in unknown]
            with transaction.atomic():
                LedgerEntry.objects.bulk_create(entries)
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


def entries_of(
    task: Task, releases: Iterable[Release], entered: Collection[int] = ()
) -> Iterator[LedgerEntry]:
    """The task's account after each of its benchmark's releases, the oldest first.

    What honest use tells is reckoned for those alone that are not `entered` yet, because it takes long.
    """
    account = _Account(task)
    releases = list(releases)
    exact, judged = exact_answers(task), judged_answers(task, releases)
    told = told_answers(task, releases)
    for release in releases:
        before = account.spent
        answers = [*told.get(release.pk, ()), *exact.get(release.pk, ()), *judged.get(release.pk, ())]
        count, bound = account.enter(answers)
        yield LedgerEntry(
            release=release,
            task=task,
            answer_count=count,
            bound_bits=bound,
            carried_bits=account.spent - before,
            spent_bits=account.spent,
            label_bits=sum(account.most.values()),
            honest_bits=None if release.pk in entered else account.honest(),
            by_team=account.by_team(),
        )


@dataclass(slots=True)
class _Account:
    """What is known of one task: by the gold labels that answers were held against and the part of the items that were
    scored, of everybody and of each team.

    An attack set has the gold labels of the test set, and so it has its account.
    """

    task: Task
    _all: dict[str, _AnyLedger] = field(default_factory=dict)
    _teams: dict[tuple[str, str], _AnyLedger] = field(default_factory=dict)
    _items: dict[str, tuple[str, str]] = field(default_factory=dict)  # by gold labels and part: ids and part
    _entered: set[tuple[str, str, int]] = field(default_factory=set)
    _answers: dict[str, list[NDArray[Any]]] = field(
        default_factory=dict
    )  # positions of labels, by gold and part
    most: dict[str, float] = field(default_factory=dict)  # by ids, all there is to know of them

    @property
    def spent(self) -> float:
        """Of the labels of each set of items no more than there is to know, however often they were corrected."""
        return self._over_items(self._all)

    def honest(self) -> float | None:
        """What honest use is expected to tell; None where answers are not one label each."""
        output = self.task.spec.output
        if not (output.is_one_label and output.classes):
            return None
        told: dict[str, float] = defaultdict(float)
        for key, answers in self._answers.items():
            ledger = self._all[key]
            bits = honest_bits(
                answers,
                len(output.classes),
                scored_count=ledger.scored_count,
                sigma=ledger.sigma if isinstance(ledger, NoisedLedger) else None,
            )
            told[self._items[key][0]] += min(bits, ledger.spent)
        return sum(min(bits, self.most[items]) for items, bits in told.items())

    def by_team(self) -> dict[str, float]:
        """What each team's answers carry by themselves."""
        teams: dict[str, dict[str, _AnyLedger]] = defaultdict(dict)
        for (key, team), ledger in self._teams.items():
            teams[team][key] = ledger
        return {team: self._over_items(ledgers) for team, ledgers in teams.items()}

    def enter(self, answers: Sequence[ReleasedAnswer]) -> tuple[int, float]:
        """Enter what a release publishes; returns how many answers are new, and what they carry each by itself."""
        new = [answer for answer in answers if self._is_new(answer.run)]
        kept = Predictions.objects.filter(codes__isnull=False).select_related("codes")
        stored = kept.in_bulk({answer.run.predictions_id for answer in new})
        intervals = _intervals(answer.run.pk for answer in new if not answer.is_noised)
        count, bound = 0, 0.0
        for answer in new:
            predictions = stored.get(answer.run.predictions_id)
            if predictions is None or predictions.alignment_sha256 != alignment_sha256(answer.run.split):
                continue
            codes = predictions.canonical().codes
            charges = [
                ledger.add(codes)
                if isinstance(ledger, NoisedLedger)
                else ledger.add(codes, intervals.get(answer.run.pk, Beside()))
                for ledger in self._ledgers(answer)
            ]
            if self.task.spec.output.classes and self.task.spec.output.is_one_label:
                self._answers.setdefault(_key(answer.run), []).append(self.task.spec.output.positions(codes))
            bound += charges[0].bound
            count += 1
        self._compare(answers)
        return count, bound

    def _compare(self, answers: Iterable[ReleasedAnswer]) -> None:
        """Charge what is printed beside the figures of single answers: counts of labels, averages, tests and ranks.

        A single answer is compared with none, but the interval of an average tells of its items as a test does.
        """
        spec = self.task.benchmark.spec
        is_averaged = any(self.task.slug in average.of for average in spec.averages)
        shown: dict[tuple[str, str], set[int]] = defaultdict(set)
        for answer in answers:
            if not answer.is_noised:
                key = _key(answer.run)
                shown[key, ""].add(answer.run.predictions_id)
                shown[key, answer.team].add(answer.run.predictions_id)
        for (key, team), predictions in shown.items():
            ledger = self._teams.get((key, team)) if team else self._all.get(key)
            if not isinstance(ledger, Ledger):
                continue
            if self.task.spec.output.classes and not self._items[key][1]:
                ledger.tell_gold_counts()
            if len(predictions) > 1 or is_averaged:
                ledger.compare()

    def _ledgers(self, answer: ReleasedAnswer) -> tuple[_AnyLedger, _AnyLedger]:
        """Everybody's, and the team's own, of the gold labels and the part of the items that an answer is about."""
        run, split = answer.run, answer.run.split
        key = _key(run)
        self._items[key] = split.ids_sha256, run.part
        self.most[split.ids_sha256] = split.item_count * log2(self.task.spec.output.gold.outcomes())
        if key not in self._all:
            self._all[key] = self._new(run)
        if (key, answer.team) not in self._teams:
            self._teams[key, answer.team] = self._new(run)
        return self._all[key], self._teams[key, answer.team]

    def _new(self, run: ScoringRun) -> _AnyLedger:
        """An empty account of what a run is of. Boards and exports show every metric of a task."""
        spec = self.task.spec
        scored = run.item_count or run.split.item_count
        if run.part == NOISED and (display := display_of(run, scored)):
            return NoisedLedger(spec.output.gold.outcomes(), scored, display.sigma)
        names = [*(use.name for use in spec.metrics), *(PAIR_MEASURES if spec.pairs else ())]
        return Ledger(
            spec.output,
            run.split.item_count,
            [PublishedFigure(name) for name in names],
            scored_count=scored if run.part else None,
            in_clusters=bool(spec.gold.cluster_column),
        )

    def _is_new(self, run: ScoringRun) -> bool:
        key = run.gold_version.commitment, run.part, run.predictions_id
        is_new = key not in self._entered
        self._entered.add(key)
        return is_new

    def _over_items(self, ledgers: Mapping[str, _AnyLedger]) -> float:
        of_parts: dict[tuple[str, str], list[_AnyLedger]] = defaultdict(list)
        for key, ledger in ledgers.items():
            of_parts[self._items[key]].append(ledger)
        spent: dict[str, float] = defaultdict(float)
        for (items, _part), corrected in of_parts.items():
            there_is = max(ledger.label_bits for ledger in corrected)
            spent[items] += min(sum(ledger.spent for ledger in corrected), there_is)
        return sum(min(bits, self.most[items]) for items, bits in spent.items())


def _key(run: ScoringRun) -> str:
    """The gold labels and the part of the items that a run is of."""
    return f"{run.gold_version.commitment} {run.part}"


def _intervals(runs: Iterable[int]) -> dict[int, Beside]:
    """What the intervals of each run's scores say beyond the scores."""
    said: dict[int, Beside] = defaultdict(Beside)
    rows = Score.objects.filter(run__in=set(runs), ci_low__isnull=False, ci_high__isnull=False)
    for run, value, low, high in rows.values_list("run", "value", "ci_low", "ci_high"):
        if low is None or high is None:
            continue
        ends = [Decimal(repr(end)) for end in (low, high) if end != value]
        decimals = max((-int(end.as_tuple().exponent) for end in ends), default=0)
        shown = None if decimals > MANY_DECIMALS else max(0, decimals)
        said[run] += interval_bits(low, high, REPLICATES, shown)
    return said


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
            f"All that is published of {sets} up to this release, tests and ranks among it, can carry at most "
            f"{grouped(self.spent)} of the {grouped(self.all)} bits of {whose} gold labels, had every answer been made "
            "for that."
        )
        if self.honest is None:
            return bound
        return f"{bound} Honest answers are expected to tell {grouped(self.honest)} of them, spread over all labels."


def published_bits(benchmark: Benchmark, release: int, public: Collection[str] = ()) -> dict[str, Bits]:
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
        "Nothing is closed by that. Fewer submissions per team, scores with fewer digits or new test items "
        f"would keep the rest. The account, per team and over time: {address}",
    )
    tell_at_once(
        people=benchmark.organisers.all(),
        subject=f"{benchmark.title}: published scores have used up the budget of bits",
        text="\n\n".join(sentences),
    )
