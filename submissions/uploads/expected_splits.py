"""What an upload has to answer: the splits with ids that its phase takes, with their tasks' specifications."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from hashlib import sha256

from django.conf import settings

from accounts.formats.instants import day_in_utc, time_in_utc
from benchmarks.models import Benchmark, ItemRenewal, Phase, Split
from benchmarks.spec import BenchmarkSpec, BundleRule, PhaseKind, TaskSpec, taken_elsewhere
from catalogue.answers import AnswerKind
from catalogue.problems import quoted
from submissions.exceptions import PhaseNotReady, UnknownTrack, WrongPhase
from submissions.intake import Elsewhere, ItemIds, SplitTarget


def splits_by_name(benchmark: Benchmark) -> dict[tuple[str, str], Split]:
    """The splits of a benchmark's tasks by (task, split), in no order."""
    splits = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False).select_related("task")
    rows = {(split.task.slug, split.slug): split for split in splits.order_by()}
    for row in rows.values():
        row.task.benchmark = benchmark  # the caller's row, so that nobody fetches it again per split
    return rows


def alignment_sha256(split: Split) -> str:
    """Digest of what canonical predictions mean: the kind of answer with its labels, and the split's ids."""
    return _alignment(split.task.spec.output, split.ids_sha256)


@lru_cache(maxsize=512)
def _alignment(output: AnswerKind, ids_sha256: str) -> str:
    return sha256(f"{output.signature()}\n{ids_sha256}".encode()).hexdigest()


def known_track(spec: BenchmarkSpec, track: str) -> str:
    """The id of a track; that of the main one where none is named, and nothing where there are none.

    Raises
    ------
    UnknownTrack
    """
    known = [one.id for one in spec.tracks]
    if track and track not in known:
        there_is = f"Its tracks are {', '.join(known)}." if known else "It has no tracks; name none."
        named = {"benchmark": spec.title, "track": quoted(track)}
        raise UnknownTrack(f"{'{benchmark} has no track {track}.'.format(**named)} {there_is}")
    return track or spec.main_track


def split_targets(phase: Phase) -> list[SplitTarget]:
    """One target per split that has ids and that the phase takes, in the order of the definition.

    Raises
    ------
    WrongPhase
        If the phase takes minimal pairs.
    PhaseNotReady
        If no file can be checked as a whole: a task has no ids yet and every zip must answer it, or none has any.
    """
    spec, splits = phase.benchmark.spec, splits_taken(phase)
    waiting = [task.id for task in spec.tasks if _waits(phase, task, splits)]
    if waiting and (spec.bundle is BundleRule.COMPLETE or not splits):
        raise PhaseNotReady(_not_ready(phase, waiting))
    return [
        SplitTarget(task=spec.task(row.task.slug), split=row.slug, ids=item_ids(row.pk, row.ids_sha256))
        for row in sorted(splits.values(), key=_place)
    ]


def splits_taken(phase: Phase) -> dict[tuple[str, str], Split]:
    """The splits with ids that a phase takes predictions for, by (task, split).

    Raises
    ------
    WrongPhase
    """
    as_set = phase.as_spec()
    if as_set.kind is PhaseKind.BREAK:
        raise WrongPhase(
            "The phase {phase} takes minimal pairs, not predictions. Pairs are handed in at {address}.".format(
                phase=phase.title, address=f"{settings.SITE_URL}/benchmarks/{phase.benchmark_id}/pairs/"
            )
            + _when_scored(phase)
        )
    return {
        name: row
        for name, row in splits_by_name(phase.benchmark).items()
        if as_set.takes(row.task.spec, row.slug)
    }


def belonging_elsewhere(phase: Phase) -> dict[tuple[str, str], Elsewhere]:
    """By task and split that the phase does not take, a sentence that names the phase that does, and its ids."""
    others = list(phase.benchmark.phases.exclude(pk=phase.pk))
    for other in others:
        other.benchmark = phase.benchmark
    sentences = taken_elsewhere(phase.taking(), (other.taking() for other in others))
    rows = splits_by_name(phase.benchmark) if sentences and phase.targets else {}
    return {
        place: Elsewhere(
            sentence, item_ids(rows[place].pk, rows[place].ids_sha256) if place in rows else None
        )
        for place, sentence in sentences.items()
    }


def _waits(phase: Phase, task: TaskSpec, splits: Collection[tuple[str, str]]) -> bool:
    """Whether what a phase asks of a task is not there yet; systems are built for tasks that pairs are made for."""
    if phase.targets:
        return any(row["task"] == task.id and (task.id, row["split"]) not in splits for row in phase.targets)
    if phase.kind == Phase.Kind.PREDICTIONS:
        return (task.id, "test") not in splits
    has_part = phase.kind != Phase.Kind.BUILD or bool(task.pairs)
    return has_part and not any(of == task.id for of, _ in splits)


def _not_ready(phase: Phase, waiting: Sequence[str]) -> str:
    breaking = phase.benchmark.phases.filter(kind=Phase.Kind.BREAK).order_by("-closes_at").first()
    if phase.kind != Phase.Kind.SCORE or breaking is None:
        return (
            f"The organiser has not loaded the gold labels of {', '.join(waiting)} yet, so no file can "
            "be checked. Please try again later."
        )
    return (
        f"The sets of pairs of {', '.join(waiting)} are being made of what breakers handed in until "
        f"{day_in_utc(breaking.closes_at)}, {time_in_utc(breaking.closes_at)} UTC. That takes minutes, "
        "or, where pairs are unusually large, until the organiser has looked at them. Please come back "
        "in an hour."
    )


def _when_scored(phase: Phase) -> str:
    after = phase.benchmark.phases.filter(kind=Phase.Kind.SCORE, opens_at__isnull=False).first()
    if after is None:
        return ""
    sentence = (
        f"Predictions for them are taken in the phase {after.title}, from {day_in_utc(after.opens_at)}, "
        f"{time_in_utc(after.opens_at)} UTC."
    )
    return f" {sentence}"


def _place(split: Split) -> tuple[int, int, str]:
    """Where a split stands in the order of the definition; those that are not named there come last, by their names."""
    named = [one.id for one in split.task.spec.splits]
    return split.task.position, named.index(split.slug) if split.slug in named else len(named), split.slug


@lru_cache(maxsize=512)
def item_ids(split_id: int, ids_sha256: str) -> ItemIds:
    """The ids of a split, indexed once per process; the digest is part of the key because ids may be replaced.

    Splits with the same ids, such as the test split and what attacks make of it, share one index.
    """
    first = Split.objects.filter(ids_sha256=ids_sha256, pk__lt=split_id).order_by("pk").first()
    if first is not None:
        return item_ids(first.pk, ids_sha256)
    split = Split.objects.filter(pk=split_id, ids_sha256=ids_sha256).first()
    if split is None:  # of before a renewal
        former = ItemRenewal.objects.filter(split=split_id, former_sha256=ids_sha256)
        return ItemIds.from_bytes(former.earliest("gold_number").former_ids())
    return ItemIds.from_bytes(split.ids_text())
