"""What is known of one task's gold labels after each release, of everybody and of each team.

A process keeps the account for the next release. One that has none, or whose task was changed, begins it anew.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from math import log2

from benchmarks.models import Task
from benchmarks.spec import DEV, PAIR_MEASURES
from catalogue.disclosure.rule import NOISED
from catalogue.metrics.choice import UnknownMetricError, metric_for
from leaderboard.ledger.kept_entries import told_in_place_of, uncountable
from leaderboard.ledger.released_answers import (
    ReleasedAnswer,
    exact_answers,
    judged_answers,
    told_answers,
)
from leaderboard.models import LedgerEntry, Release, TeamBits
from leaderboard.rendering.held_values import HeldValues
from scoring.core.figure_bits import BITS_OF_A_NUMBER, PublishedFigure
from scoring.core.honest_leak import HonestLeak
from scoring.core.ledger import Beside, Ledger, interval_bits
from scoring.core.noised_ledger import NoisedLedger
from scoring.core.uncertainty.weights import REPLICATES
from scoring.models import Score, ScoringRun
from scoring.run_scoring import display_of, scorer_version
from submissions.models import Predictions
from submissions.uploads.expected_splits import alignment_sha256

MANY_DECIMALS = 6  # an end of an interval that has more of them is shown with all it has
MOST_HELD = 150_000_000  # bytes of answers, of all tasks; a thousand systems of RAFT take 90 million

_AnyLedger = Ledger | NoisedLedger


@dataclass(frozen=True, slots=True)
class _Shown:
    """What boards and exports show of every answer, or showed before the definition was changed.

    Of the `metrics` some may be shown no more: what they told stays told. Those that are `gone` cannot be measured with
    the definition of now. They, and declared `formulas`, which may have been others, are charged for all that a number
    can say, of each run that is not of the `version` of now.
    """

    metrics: tuple[str, ...]
    gone: frozenset[str]
    formulas: frozenset[str]
    version: str

    def gone_from(self, runs: Iterable[int]) -> dict[int, Beside]:
        """By run, what is said by figures that nobody can make again."""
        said: dict[int, Beside] = defaultdict(Beside)
        names = self.gone | self.formulas
        if names:
            rows = Score.objects.filter(run__in=set(runs), metric__in=names)
            for run in rows.exclude(run__scorer_version=self.version).values_list("run", flat=True):
                said[run] += Beside(BITS_OF_A_NUMBER, BITS_OF_A_NUMBER)
        return said


def _shown_of(task: Task) -> _Shown:
    spec, version = task.spec, scorer_version(task.version)
    names = dict.fromkeys([*(use.name for use in spec.metrics), *(PAIR_MEASURES if spec.pairs else ())])
    gone = set()
    if task.version > 1:
        of_before = ScoringRun.objects.filter(split__task=task).exclude(scorer_version=version)
        scores = Score.objects.filter(run__in=of_before.exclude(split__slug=DEV))
        for name in scores.order_by("metric").values_list("metric", flat=True).distinct():
            if _can_be_measured(task, name):
                names.setdefault(name)
            else:
                gone.add(name)
    formulas = frozenset(formula.name for formula in spec.output.formulas)
    return _Shown(tuple(names), frozenset(gone), formulas, version)


def _can_be_measured(task: Task, name: str) -> bool:
    if name in PAIR_MEASURES:
        return True
    try:
        metric_for(task.spec.output, name)
    except UnknownMetricError:
        return False
    return True


def entries_of(
    task: Task, releases: Iterable[Release], entered: Collection[int] = ()
) -> tuple[list[LedgerEntry], TeamBits]:
    """The task's account after its benchmark's releases, the oldest first: after those at least that are not `entered`.

    What honest use tells is reckoned for these alone, because it takes long. What each team's own answers carry is that
    after the last of them. Where predictions are gone, it goes on from what was entered while they were there.
    """
    releases = list(releases)
    account = _resumed(task, releases, entered)
    new = releases[len(account.releases) :]
    exact = exact_answers(task, new)
    judged, told = judged_answers(task, new, account.judged), told_answers(task, new, account.told)
    answers = {
        release.pk: [*told.get(release.pk, ()), *exact.get(release.pk, ()), *judged.get(release.pk, ())]
        for release in new
    }
    gone = uncountable(task)
    lacking = [
        at
        for at, release in enumerate(new)
        if release.pk in entered and any(answer.run.predictions_id in gone for answer in answers[release.pk])
    ]
    if lacking:
        known, new = new[: lacking[-1] + 1], new[lacking[-1] + 1 :]
        account = account.begun_behind(known, [answer for release in known for answer in answers[release.pk]])
    entries = []
    for release in new:
        before = account.spent
        count, bound = account.enter(release, answers[release.pk])
        entries.append(
            LedgerEntry(
                release=release,
                task=task,
                answer_count=count,
                bound_bits=bound,
                carried_bits=account.spent - before,
                spent_bits=account.spent,
                label_bits=sum(account.most.values()),
                honest_bits=None if release.pk in entered else account.honest(),
            )
        )
    teams = TeamBits(task=task, by_team=account.by_team())
    _held.keep(task.pk, account, _version(task))
    return entries, teams


def _resumed(task: Task, releases: Sequence[Release], entered: Collection[int]) -> TaskAccount:
    """The account that this process holds, if it is of the first of these and all of them are entered; or none yet."""
    account = _held.take(task.pk, _version(task))
    if account is None:
        return TaskAccount(task, _told_before=told_in_place_of(task))
    first = releases[: len(account.releases)]
    if account.releases != list(map(_identity, first)) or any(release.pk not in entered for release in first):
        return TaskAccount(task, _told_before=told_in_place_of(task))
    account.task = task
    return account


def _identity(release: Release) -> tuple[int, dt.datetime]:
    return release.pk, release.published_at


def _version(task: Task) -> str:
    """What an account stands on beside answers: how the benchmark scores, and of which items."""
    splits = task.splits.order_by("pk").values_list("pk", "ids_sha256", "item_count")
    return sha256(f"{task.benchmark.spec!r} {task.slug} {list(splits)}".encode()).hexdigest()


@dataclass(slots=True)
class TaskAccount:
    """What is known of one task: by the gold labels that answers were held against and the part of the items that were
    scored, of everybody and of each team.

    An attack set has the gold labels of the test set, and so it has its account.
    """

    task: Task
    _all: dict[str, _AnyLedger] = field(default_factory=dict)
    _teams: dict[tuple[str, str], _AnyLedger] = field(default_factory=dict)
    _items: dict[str, tuple[str, str]] = field(default_factory=dict)  # by gold labels and part: ids and part
    _entered: set[tuple[str, str, int]] = field(default_factory=set)
    _honest: dict[str, HonestLeak] = field(default_factory=dict)  # by gold labels and part, of one label each
    _shown: _Shown | None = None
    most: dict[str, float] = field(default_factory=dict)  # by ids, all there is to know of them
    releases: list[tuple[int, dt.datetime]] = field(default_factory=list)  # that are entered, in their order
    judged: set[int] = field(default_factory=set)  # rows of answers judged through noise that are entered
    told: set[int] = field(default_factory=set)  # and of those told as feedback
    _told_before: float = 0.0  # what was entered before, of answers that cannot be counted again

    @property
    def byte_count(self) -> int:
        """What is kept of answers in memory, in bytes."""
        ledgers = [*self._all.values(), *self._teams.values()]
        return sum(one.byte_count for one in (*ledgers, *self._honest.values()))

    @property
    def spent(self) -> float:
        """Of the labels of each set of items no more than there is to know, however often they were corrected."""
        return min(self._told_before + self._over_items(self._all), sum(self.most.values()))

    def honest(self) -> float | None:
        """What honest use is expected to tell; None where answers are not one label each."""
        output = self.task.spec.output
        if not (output.is_one_label and output.classes):
            return None
        told: dict[str, float] = defaultdict(float)
        for key, leak in self._honest.items():
            ledger = self._all[key]
            sigma = ledger.sigma if isinstance(ledger, NoisedLedger) else None
            bits = leak.bits(scored_count=ledger.scored_count, sigma=sigma)
            told[self._items[key][0]] += min(bits, ledger.spent)
        return sum(min(bits, self.most[items]) for items, bits in told.items())

    def by_team(self) -> dict[str, float]:
        """What each team's answers carry by themselves."""
        teams: dict[str, dict[str, _AnyLedger]] = defaultdict(dict)
        for (key, team), ledger in self._teams.items():
            teams[team][key] = ledger
        return {team: self._over_items(ledgers) for team, ledgers in teams.items()}

    def begun_behind(self, known: Sequence[Release], answers: Iterable[ReleasedAnswer]) -> TaskAccount:
        """An account that goes on from the entry of the last of these releases, which have these answers."""
        entry = LedgerEntry.objects.get(release=known[-1], task=self.task)
        account = TaskAccount(self.task, judged=self.judged, told=self.told, _told_before=entry.spent_bits)
        account.releases = [*self.releases, *map(_identity, known)]
        for answer in answers:
            account._note_items(answer.run)
        return account

    def enter(self, release: Release, answers: Sequence[ReleasedAnswer]) -> tuple[int, float]:
        """Enter what a release publishes; returns how many answers are new, and what they carry each by itself."""
        self.releases.append(_identity(release))
        new = [answer for answer in answers if self._is_new(answer.run)]
        kept = Predictions.objects.filter(codes__isnull=False).select_related("codes")
        stored = kept.in_bulk({answer.run.predictions_id for answer in new})
        exact = [answer.run.pk for answer in new if not answer.is_noised]
        intervals, gone = _intervals(exact), self._what_is_shown.gone_from(exact)
        noised = Score.objects.filter(run__in=[answer.run.pk for answer in new if answer.is_noised])
        levels = dict(noised.values_list("run", "value"))
        count, bound = 0, 0.0
        for answer in new:
            predictions = stored.get(answer.run.predictions_id)
            if predictions is None and answer.told_bits:
                self._tell_by_itself(answer)
                bound += answer.told_bits
                count += 1
            if predictions is None or predictions.alignment_sha256 != alignment_sha256(answer.run.split):
                continue
            codes = predictions.canonical().codes
            charges = [
                ledger.add(codes, levels.get(answer.run.pk))
                if isinstance(ledger, NoisedLedger)
                else ledger.add(
                    codes, intervals.get(answer.run.pk, Beside()) + gone.get(answer.run.pk, Beside())
                )
                for ledger in self._ledgers(answer)
            ]
            output = self.task.spec.output
            if output.classes and output.is_one_label:
                leak = self._honest.setdefault(_key(answer.run), HonestLeak(len(output.classes)))
                leak.add(output.positions(codes))
            bound += charges[0].bound
            count += 1
        self._compare(answers)
        return count, bound

    def _tell_by_itself(self, answer: ReleasedAnswer) -> None:
        """Enter a number that was told of predictions that are gone before any entry could count them."""
        self._note_items(answer.run)
        self._told_before += answer.told_bits

    def _compare(self, answers: Iterable[ReleasedAnswer]) -> None:
        """Charge what is printed beside the figures of single answers: counts of labels, averages, tests and ranks.

        A single answer is compared with none, but the interval of an average tells of its items as a test does.
        """
        spec = self.task.benchmark.spec
        is_averaged = any(self.task.slug in average.of for average in spec.averages)
        counted: set[tuple[str, str]] = set()
        compared: dict[tuple[str, str], set[int]] = defaultdict(set)
        for answer in answers:
            key = _key(answer.run)
            for whose in () if answer.is_noised else ((key, ""), (key, answer.team)):
                if self.task.spec.output.classes and not answer.run.part:
                    counted.add(whose)
                if not answer.is_beside:
                    compared[whose].add(answer.run.predictions_id)
        for whose in counted | compared.keys():
            ledger = self._teams.get(whose) if whose[1] else self._all.get(whose[0])
            if not isinstance(ledger, Ledger):
                continue
            if whose in counted:
                ledger.tell_gold_counts()
            if len(compared[whose]) > 1 or (is_averaged and compared[whose]):
                ledger.compare()

    def _ledgers(self, answer: ReleasedAnswer) -> tuple[_AnyLedger, _AnyLedger]:
        """Everybody's, and the team's own, of the gold labels and the part of the items that an answer is about."""
        run, key = answer.run, self._note_items(answer.run)
        if key not in self._all:
            self._all[key] = self._new(run)
        if (key, answer.team) not in self._teams:
            self._teams[key, answer.team] = self._new(run)
        return self._all[key], self._teams[key, answer.team]

    def _note_items(self, run: ScoringRun) -> str:
        """The gold labels and part of a run, and all there is to know of its items."""
        key, items = _key(run), run.split.ids_sha256
        self._items[key] = items, run.part
        self.most[items] = run.gold_version.item_count * log2(self.task.spec.output.gold.outcomes())
        return key

    def _new(self, run: ScoringRun) -> _AnyLedger:
        """An empty account of what a run is of. What nobody can measure any more may have told items apart."""
        spec = self.task.spec
        scored = run.item_count or run.split.item_count
        if run.part == NOISED and (display := display_of(run, scored)):
            return NoisedLedger(spec.output.gold.outcomes(), scored, display.sigma)
        shown = self._what_is_shown
        return Ledger(
            spec.output,
            run.split.item_count,
            [PublishedFigure(name) for name in shown.metrics],
            scored_count=scored if run.part or spec.gold.empty_labels else None,
            in_clusters=bool(spec.gold.cluster_column or shown.gone),
            in_any_order=spec.file.repeats_in_any_order,
        )

    @property
    def _what_is_shown(self) -> _Shown:
        if self._shown is None:
            self._shown = _shown_of(self.task)
        return self._shown

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


_held: HeldValues[int, TaskAccount] = HeldValues(MOST_HELD, lambda account: account.byte_count)
