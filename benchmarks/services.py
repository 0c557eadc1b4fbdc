"""Bring the rows in line with the definitions."""

import datetime as dt
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from json import dumps
from typing import Any

from django.db import transaction
from django.db.models import Q

from benchmarks.item_order import in_public_order
from benchmarks.models import Attack, Benchmark, DefinitionDocument, FactList, Phase, Split, SplitIds, Task
from benchmarks.notices.terms import write_terms
from benchmarks.spec import BenchmarkSpec, PhaseSpec, SplitSpec


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
    """
    digest = sha256(dumps(document, default=str).encode()).hexdigest()
    values: dict[str, Any] = {"title": spec.title, "definition_sha256": digest, "position": position}
    benchmark = Benchmark.objects.filter(pk=spec.id).first()
    before = benchmark.definition.document.get("terms") if benchmark else None
    changes = []
    if benchmark is None:
        benchmark = Benchmark.objects.create(slug=spec.id, is_anonymous=spec.anonymous, **values)
        DefinitionDocument.objects.create(benchmark=benchmark, document=document)
        changes.append(f"{spec.id}: created")
    elif (benchmark.definition_sha256, benchmark.position) != (digest, position):
        Benchmark.objects.filter(pk=spec.id).mark_stale(**values)
        DefinitionDocument.objects.filter(benchmark=benchmark).update(document=document)
        benchmark.refresh_from_db()
        changes.append(f"{spec.id}: definition updated")
    changes += _sync_tasks(benchmark, spec)
    created, left_alone = _sync_phases(benchmark, spec, now)
    changes += created + _sync_attacks(benchmark, spec, now) + _sync_fact_lists(benchmark, spec)
    changes += _sync_terms(benchmark, spec, before, now)
    return SyncReport(tuple(changes), tuple(left_alone))


def _sync_tasks(benchmark: Benchmark, spec: BenchmarkSpec) -> list[str]:
    changes = []
    existing = {task.slug: task for task in benchmark.tasks.all()}
    for position, task_spec in enumerate(spec.tasks):
        fingerprint = task_spec.fingerprint()
        shown = {"title": task_spec.title, "position": position, "is_retired": False}
        task = existing.pop(task_spec.id, None)
        if task is None:
            Task.objects.create(benchmark=benchmark, slug=task_spec.id, fingerprint=fingerprint, **shown)
            changes.append(f"{benchmark.slug}/{task_spec.id}: created, version 1")
        elif task.fingerprint != fingerprint:
            version = task.version + 1
            Task.objects.filter(pk=task.pk).update(version=version, fingerprint=fingerprint, **shown)
            changes.append(f"{task}: version {version}, because something that can change a number did")
        else:
            Task.objects.filter(pk=task.pk).update(**shown)
    for task in existing.values():
        if not task.is_retired:
            Task.objects.filter(pk=task.pk).update(is_retired=True)
            changes.append(f"{task}: retired, because the definition no longer names it")
    return changes


def _sync_phases(benchmark: Benchmark, spec: BenchmarkSpec, now: dt.datetime) -> tuple[list[str], list[str]]:
    created, left_alone = [], []
    existing = {phase.slug: phase for phase in benchmark.phases.all()}
    for position, phase_spec in enumerate(spec.phases):
        values = _phase_values(phase_spec)
        phase = existing.get(phase_spec.id)
        if phase is None:
            window = _window(phase_spec, existing, now)
            phase = Phase(benchmark=benchmark, slug=phase_spec.id, position=position, **values, **window)
            phase.next_cut_off_at = phase.cut_off_after(max(now, phase.opens_at or now))
            phase.save(force_insert=True)
            existing[phase.slug] = phase
            created.append(f"{phase}: created, first cut-off {phase.next_cut_off_at:%Y-%m-%d %H:%M} UTC")
        else:
            different = [key for key, value in values.items() if getattr(phase, key) != value]
            if different:
                left_alone.append(f"{phase}: keeps its own {', '.join(different)}")
    return created, left_alone


def _phase_values(spec: PhaseSpec) -> dict[str, Any]:
    return {
        "title": spec.title,
        "timezone": spec.timezone,
        "weekday": spec.weekday,
        "time": spec.time,
        "quota_limit": spec.quota,
        "counting": spec.counting.value,
        "one_per_team": spec.one_per_team,
        "publish_automatically": spec.publish_automatically,
        "kind": spec.kind.value,
        "disclosure": spec.disclosure.rule.key,
        "disclosure_digits": spec.disclosure.settings.digits,
        "disclosure_scale": spec.disclosure.settings.scale,
        "remainder": spec.disclosure.remainder,
    }


def _window(spec: PhaseSpec, existing: dict[str, Phase], now: dt.datetime) -> dict[str, dt.datetime | None]:
    """When a new phase opens and closes: at once, or when the one before it closes."""
    before = existing.get(spec.opens_after)
    opens_at = before.closes_at if before else None
    lasts = dt.timedelta(days=spec.lasts_days)
    return {"opens_at": opens_at, "closes_at": (opens_at or now) + lasts if lasts else None}


def _sync_attacks(benchmark: Benchmark, spec: BenchmarkSpec, now: dt.datetime) -> list[str]:
    """New attacks; what an organiser has found out about one that exists stays."""
    existing = set(benchmark.attacks.values_list("slug", flat=True))
    new = [
        Attack(
            benchmark=benchmark,
            slug=attack.id,
            title=attack.title,
            position=position,
            correct_share=attack.correct_share,
            changed_at=now,
        )
        for position, attack in enumerate(spec.attacks)
        if attack.id not in existing
    ]
    return [f"{attack}: attack created" for attack in Attack.objects.bulk_create(new)]


def _sync_terms(benchmark: Benchmark, spec: BenchmarkSpec, before: Any, now: dt.datetime) -> list[str]:
    """A new version where the definition says something new; otherwise what organisers have written stays.

    A definition that is silent takes no terms away: only the admin does.
    """
    if not spec.terms or str(before or "").strip() == spec.terms:
        return []
    written = write_terms(benchmark=benchmark, text=spec.terms, by=None, now=now)
    return [f"{benchmark.slug}: terms, version {written.version}"] if written else []


def _sync_fact_lists(benchmark: Benchmark, spec: BenchmarkSpec) -> list[str]:
    """New lists of the fact sheet; one that exists is the organisers'."""
    existing = set(benchmark.fact_lists.values_list("slug", flat=True))
    new = [
        FactList(
            benchmark=benchmark,
            slug=one.id,
            title=one.title,
            options=list(one.options),
            position=position,
        )
        for position, one in enumerate(spec.fact_lists)
        if one.id not in existing
    ]
    return [f"{one}: list of the fact sheet created" for one in FactList.objects.bulk_create(new)]


def reschedule(*, phase: Phase, now: dt.datetime) -> None:
    """Compute the next cut-off anew after an organiser has changed the schedule."""
    Phase.objects.filter(pk=phase.pk).update(next_cut_off_at=phase.cut_off_after(now))
    mark_stale(phase.benchmark_id)


def end_phase(*, phase: Phase, now: dt.datetime) -> list[Phase]:
    """Have a phase close at `now` instead of its date; returns the phases that open by that.

    To be called with the row as it is under its lock.
    """
    closed_before = phase.closes_at
    phase.closes_at = now
    phase.save(update_fields=["closes_at"])
    reschedule(phase=phase, now=now)
    return follow_close(phase=phase, closed_before=closed_before, now=now)


def follow_close(*, phase: Phase, closed_before: dt.datetime | None, now: dt.datetime) -> list[Phase]:
    """Open what was to open when `phase` closes at the instant that it closes now; returns those phases."""
    if closed_before is None or phase.closes_at is None:
        return []
    followers = Phase.objects.filter(benchmark=phase.benchmark_id, opens_at=closed_before).exclude(
        pk=phase.pk
    )
    moved = list(followers.filter(Q(closes_at__isnull=True) | Q(closes_at__gt=phase.closes_at)))
    for follower in moved:
        follower.opens_at = phase.closes_at
        follower.save(update_fields=["opens_at"])
        reschedule(phase=follower, now=max(now, phase.closes_at))
    return moved


def set_split_ids(*, task: Task, slug: str, ids: Iterable[str]) -> Split:
    """Give a split its public ids. They are kept in public order, whatever order they are given in."""
    ordered = in_public_order(ids)
    ids_text = "\n".join(ordered).encode()
    values = {"item_count": len(ordered), "ids_sha256": sha256(ids_text).hexdigest()}
    split, _ = Split.objects.update_or_create(task=task, slug=slug, defaults=values)
    SplitIds.objects.update_or_create(split=split, defaults={"packed": zlib.compress(ids_text)})
    return split


@transaction.atomic
def keep_made_split(*, task: Task, split: SplitSpec) -> None:
    """Have a set of pairs count among the splits of a task. It takes the place of one of its id."""
    benchmark = Benchmark.objects.select_for_update().get(pk=task.benchmark_id)
    others = [
        one for one in benchmark.made_splits if (one["task"], one["split"]["id"]) != (task.slug, split.id)
    ]
    values = {key: value for key, value in asdict(split).items() if key != "made"}
    made = sorted(
        [*others, {"task": task.slug, "split": values}], key=lambda one: (one["task"], one["split"]["id"])
    )
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(made_splits=made)


def mark_stale(benchmark_slug: str) -> None:
    """Have the published pages of a benchmark rendered anew at the next sweep."""
    Benchmark.objects.filter(pk=benchmark_slug).mark_stale()
