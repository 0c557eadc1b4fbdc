"""How the answers of an upload are spread, beside the team's last ones, so that a slip is seen before it is scored."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import Team
from benchmarks.models import Phase
from submissions.intake import CanonicalPredictions
from submissions.models import Predictions, Submission
from submissions.uploads.expected_splits import alignment_sha256, splits_by_name


@dataclass(frozen=True, slots=True)
class Bar:
    """One label with its share of the answers, and its share before, both in 0..100; `before` may be unknown."""

    label: str
    count: int
    share: float
    before: float | None


@dataclass(frozen=True, slots=True)
class Spread:
    """The answers to one split of a task. `only` is the answer that all items have, where that is so."""

    task: str
    split: str
    bars: tuple[Bar, ...]
    only: str | None
    has_before: bool


def spreads(
    predictions: Iterable[CanonicalPredictions], *, team: Team, phase: Phase, before: dt.datetime
) -> list[Spread]:
    """One per split whose answers can be told so, of its first seed.

    Beside each stands what the team last had accepted for the split before an instant.
    """
    earlier, seen, found = _earlier(team, phase, before), set(), []
    for one in predictions:
        if (one.task, one.split) not in seen:
            seen.add((one.task, one.split))
            found.append(_spread(one, earlier.get((one.task, one.split)), phase))
    return [spread for spread in found if spread.bars or spread.only is not None]


def spreads_of(submission: Submission) -> list[Spread]:
    """The answers of a submission that was accepted, beside those of the team's last one before it."""
    splits = {row.pk: row for row in splits_by_name(submission.phase.benchmark).values()}
    rows = (
        submission.predictions.select_related("codes")
        .filter(split__in=splits, codes__isnull=False)
        .order_by("split__task__position", "split_id", "seed")
    )
    current = (row for row in rows if row.alignment_sha256 == alignment_sha256(splits[row.split_id]))
    return spreads(
        [row.canonical() for row in current],
        team=submission.system.team,
        phase=submission.phase,
        before=submission.received_at,
    )


def _earlier(team: Team, phase: Phase, before: dt.datetime) -> dict[tuple[str, str], CanonicalPredictions]:
    """What the team last had accepted for each split, as long as its labels and ids are those of now."""
    splits = splits_by_name(phase.benchmark)
    names = {row.pk: name for name, row in splits.items()}
    rows = Predictions.objects.filter(
        submission__in=Submission.objects.live().filter(
            system__team=team, phase=phase, received_at__lt=before
        )
    ).order_by("-submission__received_at", "seed")
    newest: dict[tuple[str, str], int] = {}
    for pk, split, digest in rows.values_list("pk", "split_id", "alignment_sha256"):
        name = names.get(split)
        if name and name not in newest and digest == alignment_sha256(splits[name]):
            newest[name] = pk
    packed = Predictions.objects.select_related("codes").in_bulk(newest.values())
    return {name: packed[pk].canonical() for name, pk in newest.items()}


def _spread(one: CanonicalPredictions, earlier: CanonicalPredictions | None, phase: Phase) -> Spread:
    task = phase.benchmark.spec.task(one.task)
    counts = task.output.distribution(one.codes)
    before = dict(task.output.distribution(earlier.codes)) if earlier else {}
    size, size_before = len(one.codes) or 1, (len(earlier.codes) or 1) if earlier else 1
    bars = tuple(
        Bar(
            label,
            count,
            round(100 * count / size, 1),
            round(100 * before[label] / size_before, 1) if earlier else None,
        )
        for label, count in counts
    )
    split = "" if one.split == "test" else task.split(one.split).title
    return Spread(task.title, split, bars, task.output.only_answer(one.codes), earlier is not None)
