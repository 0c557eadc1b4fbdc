"""What releases tell of answers, one by one: the exact scores of those that count, or what a rule has made of each."""

from collections import defaultdict
from dataclasses import dataclass
from math import isfinite, log2

from benchmarks.models import Task
from benchmarks.spec import RowKind, TaskSpec
from benchmarks.spec.model import DEV
from catalogue.disclosure.precision import MOST_DIGITS
from catalogue.metrics.choice import metric_for
from leaderboard.models import ReleaseCell
from scoring.core.ledger import BITS_OF_A_NUMBER
from scoring.models import Disclosed, ScoringRun


@dataclass(frozen=True, slots=True)
class Told:
    """What a release tells of one answer: all its scores, or, where `bits` is given, one figure of as many bits."""

    run: ScoringRun
    team: str
    bits: float | None = None


def exact_answers(task: Task) -> dict[int, list[Told]]:
    """By release, the answers whose exact scores fill its cells."""
    found = defaultdict(list)
    cells = ReleaseCell.objects.filter(task=task, disclosed__isnull=True).exclude(split__slug=DEV)
    for cell in cells.select_related("score__run__gold_version", "split", "system").order_by(
        "release__number", "pk"
    ):
        run = cell.score.run
        run.split, run.split.task = cell.split, task
        found[cell.release_id].append(Told(run, str(cell.system.team_id)))
    return found


def judged_answers(task: Task) -> dict[int, list[Told]]:
    """By batch, the answers that a rule of disclosure has judged: those too that moved nothing, which tells a bit."""
    found = defaultdict(list)
    rows = Disclosed.objects.filter(run__split__task=task).exclude(run__split__slug=DEV)
    for one in rows.select_related("run__gold_version", "run__split", "run__submission__system").order_by(
        "pk"
    ):
        run, system = one.run, one.run.submission.system
        run.split.task = task
        is_exact = system.kind != RowKind.SYSTEM  # baselines are shown as they are
        bits = None if is_exact else _bits_of(one, task.spec)
        found[one.batch_id].append(Told(run, str(system.team_id), bits))
    return found


def _bits_of(disclosed: Disclosed, task: TaskSpec) -> float:
    """Whether the row's number moved, and to which of the values that it can have."""
    if not disclosed.leads:
        return 1.0
    metric = metric_for(task.output, task.primary_metric.name)
    is_bounded = isfinite(metric.low) and isfinite(metric.high)
    return 1 + (log2((metric.high - metric.low) * 10**MOST_DIGITS + 2) if is_bounded else BITS_OF_A_NUMBER)
