"""Bring the rows in line with the definitions."""

import datetime as dt
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from json import dumps
from operator import itemgetter
from typing import Any

from django.db import transaction
from django.db.models import Manager, Q

from accounts.formats.instants import in_words
from benchmarks.editions import make_edition
from benchmarks.log_entries import log_definition
from benchmarks.models import (
    Attack,
    Benchmark,
    DefinitionDocument,
    FactList,
    GivenFile,
    Phase,
    PublishedRows,
    Split,
    SplitIds,
    Task,
)
from benchmarks.notices.pages import follow_pages
from benchmarks.notices.services import write_terms
from benchmarks.spec import BenchmarkSpec, Period, PhaseSpec, ReportedRow, SplitSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.item_order import in_public_order
from benchmarks.spec.read_phases import as_rows
from benchmarks.spec.rule_fit import at_once, misfits, mixture
from catalogue.item_lines import Tokens, item_line

QUOTA_FIELDS = {
    Period.CUT_OFF: "quota_limit",
    Period.DAY: "quota_per_day",
    Period.WEEK: "quota_per_week",
    Period.TOTAL: "quota_total",
}


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did, in sentences; empty where nothing had to change."""

    changes: tuple[str, ...]
    left_alone: tuple[str, ...]


@transaction.atomic
def sync_benchmark(
    *, spec: BenchmarkSpec, document: dict[str, Any], position: int, now: dt.datetime
) -> SyncReport:
    """Create or update one benchmark, its tasks and its phases. Doing it again changes nothing.

    A phase that exists is left as the organisers have set it (docs/adr/0003-phases-belong-to-organisers.md);
    where it differs from the definition, the report says so.

    Raises
    ------
    DefinitionError
        If a phase that is not over, as it is set, has a rule that it could not keep under the new definition.
    """
    digest = sha256(dumps(document, default=str).encode()).hexdigest()
    values: dict[str, Any] = {"title": spec.title, "definition_sha256": digest, "position": position}
    benchmark = Benchmark.objects.filter(pk=spec.id).first()
    before = benchmark.definition.document.get("terms") if benchmark else None
    changes = []
    if benchmark is None:
        benchmark = Benchmark.objects.create(
            slug=spec.id,
            is_anonymous=spec.anonymous,
            registration=spec.registration.value,
            registration_opens_at=spec.registration_opens_at,
            registration_closes_at=spec.registration_closes_at,
            **values,
        )
        DefinitionDocument.objects.create(benchmark=benchmark, document=document)
        changes.append(f"{spec.id}: created")
    elif (benchmark.definition_sha256, benchmark.position) != (digest, position):
        Benchmark.objects.filter(pk=spec.id).mark_stale(**values)
        DefinitionDocument.objects.filter(benchmark=benchmark).update(document=document)
        benchmark.refresh_from_db()
        changes.append(f"{spec.id}: definition updated")
    changes += _sync_tasks(benchmark, spec)
    created, left_alone = _sync_phases(benchmark, spec, now)
    _refuse_misfits(benchmark, spec, now)
    attacks = [
        Attack(
            benchmark=benchmark,
            slug=attack.id,
            title=attack.title,
            position=position,
            correct_share=attack.correct_share,
            changed_at=now,
        )
        for position, attack in enumerate(spec.attacks)
    ]
    fact_lists = [
        FactList(
            benchmark=benchmark,
            slug=fact_list.id,
            title=fact_list.title,
            options=list(fact_list.options),
            position=position,
        )
        for position, fact_list in enumerate(spec.fact_lists)
    ]
    changes += created + _add_rows(benchmark.attacks, attacks, "attack created")
    changes += _await_given(benchmark, spec)
    changes += _add_rows(benchmark.fact_lists, fact_lists, "list of the fact sheet created")
    # A definition that is silent takes no terms away: only the admin does. What organisers have written stays.
    if spec.terms and str(before or "").strip() != spec.terms:
        written = write_terms(benchmark=benchmark, text=spec.terms, by=None, now=now)
        changes += [f"{benchmark.slug}: terms, version {written.version}"] if written else []
    pages, kept = follow_pages(benchmark=benchmark, pages=spec.pages, now=now)
    log_definition(benchmark)
    return SyncReport((*changes, *pages), (*left_alone, *kept))


def _sync_tasks(benchmark: Benchmark, spec: BenchmarkSpec) -> list[str]:
    changes = []
    existing = {task.slug: task for task in benchmark.tasks.all()}
    for position, part in enumerate(spec.tasks):
        fingerprint = part.fingerprint()
        task = existing.pop(part.id, None) or Task(benchmark=benchmark, slug=part.id, version=0)
        if task.fingerprint != fingerprint:
            task.version += 1
            why = "because something that can change a number did"
            is_new = task.version == 1
            changes.append(
                f"{task}: created, version 1" if is_new else f"{task}: version {task.version}, {why}"
            )
        task.title, task.position, task.is_retired = part.title, position, False
        task.fingerprint = fingerprint
        task.save()
    for task in existing.values():
        if not task.is_retired:
            Task.objects.filter(pk=task.pk).update(is_retired=True)
            changes.append(f"{task}: retired, because the definition no longer names it")
    return changes


def _sync_phases(benchmark: Benchmark, spec: BenchmarkSpec, now: dt.datetime) -> tuple[list[str], list[str]]:
    created, left_alone = [], []
    # Of a series the newest edition stands for all.
    phases = sorted(
        benchmark.phases.all(), key=lambda phase: (phase.opens_at is not None, phase.opens_at or now)
    )
    existing = {phase.series or phase.slug: phase for phase in phases}
    for position, part in enumerate(spec.phases):
        values = _phase_values(part)
        stated = {"opens_at": part.opens_at, "closes_at": part.closes_at}
        phase = existing.get(part.id)
        if phase is None:
            # It opens at its date, when the one before it closes, or at once.
            after = existing[part.opens_after].closes_at if part.opens_after in existing else None
            opens_at = part.opens_at or after
            lasting = (opens_at or now) + dt.timedelta(days=part.lasts_days) if part.lasts_days else None
            closes_at = part.closes_at or lasting
            phase = Phase(benchmark=benchmark, slug=part.id, position=position, **values)
            phase.opens_at, phase.closes_at = opens_at, closes_at
            if part.editions_per_year:
                make_edition(phase, series=part.id, title=part.title, opens_at=opens_at or now)
            else:
                phase.next_cut_off_at = phase.cut_off_after(max(now, opens_at or now))
            phase.save(force_insert=True)
            existing[part.id] = phase
            created.append(f"{phase}: created, first cut-off {phase.next_cut_off_at:%Y-%m-%d %H:%M} UTC")
        elif different := [
            f"{key}: {_told(getattr(phase, key))} (the definition says {_told(value)})"
            for key, value in [*values.items(), *((key, at) for key, at in stated.items() if at)]
            if getattr(phase, key) != value and not (key == "title" and phase.series)
        ]:
            left_alone.append(f"{phase}: keeps its own {'; '.join(different)}")
    return created, left_alone


def _told(value: Any) -> str:
    """A value of a phase as it stands in a sentence about two of them."""
    if isinstance(value, dt.datetime):
        return in_words(value)
    return "none" if value in (None, "", []) else str(value)


def _refuse_misfits(benchmark: Benchmark, spec: BenchmarkSpec, now: dt.datetime) -> None:
    phases = [phase for phase in benchmark.phases.all() if not phase.is_over(now)]
    windows = [phase.window() for phase in phases]
    mixed = mixture(windows)
    meeting = "" if mixed else at_once(windows)
    mistakes = [f"{spec.id}: phases: {sentence}" for sentence in (mixed, meeting) if sentence]
    mistakes += [
        f"{spec.id}: the phase {phase.slug}, as its organisers have set it, {key}: {sentence}"
        for phase in phases
        for key, sentence in misfits(spec, phase.as_spec(), ends=phase.closes_at is not None)
    ]
    if mistakes:
        raise DefinitionError(mistakes)


def _phase_values(spec: PhaseSpec) -> dict[str, Any]:
    return {
        "title": spec.title,
        "timezone": spec.timezone,
        "weekday": spec.weekday,
        "time": spec.time,
        **{QUOTA_FIELDS[period]: None for period in Period},
        **{QUOTA_FIELDS[limit.period]: limit.most for limit in spec.limits},
        "targets": as_rows(spec.targets),
        "release_not_before": spec.not_before,
        "feedback": spec.feedback.value,
        "counting": spec.counting.value,
        "one_per_team": spec.one_per_team,
        "publish_automatically": spec.publish_automatically,
        "kind": spec.kind.value,
        "disclosure": spec.disclosure.key,
        "editions_per_year": spec.editions_per_year,
    }


def _await_given(benchmark: Benchmark, spec: BenchmarkSpec) -> list[str]:
    """Files that phases name, to be loaded by organisers; of one that several name, the first instant holds."""
    dates: dict[str, dt.datetime | None] = {}
    for given in (given for phase in spec.phases for given in phase.given):
        for name in given.files:
            known = dates.setdefault(name, given.from_at)
            dates[name] = min(known, given.from_at) if known and given.from_at else None
    existing = set(benchmark.given_files.values_list("name", flat=True))
    new = [
        GivenFile(benchmark=benchmark, name=name, given_at=at)
        for name, at in dates.items()
        if name not in existing
    ]
    return [f"{file}: awaited" for file in GivenFile.objects.bulk_create(new)]


def _add_rows(stored: Manager[Any], rows: Iterable[Any], event: str) -> list[str]:
    """Store those that are new; what organisers have made of one that exists stays."""
    existing = set(stored.values_list("slug", flat=True))
    new = stored.bulk_create(row for row in rows if row.slug not in existing)
    return [f"{row}: {event}" for row in new]


def reschedule(*, phase: Phase, now: dt.datetime) -> None:
    """Compute the next cut-off anew after an organiser has changed the schedule."""
    Phase.objects.filter(pk=phase.pk).update(next_cut_off_at=phase.cut_off_after(now))
    # Permanent pages say when the phase is open, too.
    Benchmark.objects.filter(pk=phase.benchmark_id).mark_stale(archive=True)


def end_phase(*, phase: Phase, now: dt.datetime) -> list[Phase]:
    """Have a phase close at `now` instead of its date; returns the phases that open by that.

    To be called with the row as it is under its lock.
    """
    closed_before, phase.closes_at = phase.closes_at, now
    phase.save(update_fields=["closes_at"])
    reschedule(phase=phase, now=now)
    return follow_close(phase=phase, closed_before=closed_before, now=now)


def follow_close(*, phase: Phase, closed_before: dt.datetime | None, now: dt.datetime) -> list[Phase]:
    """Open what was to open when `phase` closes at the instant that it closes now; returns those phases."""
    if closed_before is None or phase.closes_at is None:
        return []
    others = Phase.objects.filter(benchmark=phase.benchmark_id, opens_at=closed_before).exclude(pk=phase.pk)
    followers = list(others.filter(Q(closes_at__isnull=True) | Q(closes_at__gt=phase.closes_at)))
    for follower in followers:
        follower.opens_at = phase.closes_at
        follower.save(update_fields=["opens_at"])
        reschedule(phase=follower, now=max(now, phase.closes_at))
    return followers


def set_split_ids(*, task: Task, slug: str, ids: Iterable[str], tokens: Mapping[str, Tokens] | None) -> Split:
    """Give a split its public ids, and where answers label tokens the items' tokens, by id.

    They are kept in public order, whatever order they are given in.
    """
    ordered = in_public_order(ids)
    ids_text = "\n".join(item_line(item, (tokens or {}).get(item, ())) for item in ordered).encode()
    values = {"item_count": len(ordered), "ids_sha256": sha256(ids_text).hexdigest()}
    split, _ = Split.objects.update_or_create(task=task, slug=slug, defaults=values)
    SplitIds.objects.update_or_create(split=split, defaults={"packed": zlib.compress(ids_text)})
    return split


@transaction.atomic
def keep_made_split(*, task: Task, split: SplitSpec) -> None:
    """Have a set of pairs count among the splits of a task. It takes the place of one of its id."""
    benchmark = Benchmark.objects.select_for_update().get(pk=task.benchmark_id)
    made = {(row["task"], row["split"]["id"]): row["split"] for row in benchmark.made_splits}
    made[task.slug, split.id] = {key: value for key, value in asdict(split).items() if key != "made"}
    rows = [{"task": slug, "split": values} for (slug, _), values in sorted(made.items(), key=itemgetter(0))]
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(made_splits=rows)


@transaction.atomic
def keep_published_rows(*, benchmark: Benchmark, rows: Sequence[ReportedRow], moved_in: bool = False) -> None:
    """Have these rows stand beside those of the definition, in place of what was loaded before; none take it away.

    Rows of a paper and rows that were moved in from another leaderboard are replaced apart from each other.
    """
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    before = PublishedRows.objects.filter(benchmark=benchmark)
    others = [row for one in before for row in one.rows if row.get("moved_in", False) is not moved_in]
    new = [asdict(row) for row in rows]
    kept = [*new, *others] if not moved_in else [*others, *new]
    digest = sha256(dumps(kept).encode()).hexdigest() if kept else ""
    before.delete()
    if kept:
        PublishedRows.objects.create(benchmark=benchmark, rows=kept)
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(published_sha256=digest)


def mark_stale(benchmark_slug: str) -> None:
    """Have the published pages of a benchmark rendered anew at the next sweep."""
    Benchmark.objects.filter(pk=benchmark_slug).mark_stale()
