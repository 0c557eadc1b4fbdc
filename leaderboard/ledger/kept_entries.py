"""What the account goes on from where answers cannot be counted again: tasks that are retired, files that are gone."""

from collections.abc import Iterable

from django.db.models import Max, Q, Sum

from benchmarks.models import Task
from benchmarks.spec import DEV
from leaderboard.models import LedgerEntry, Release
from scoring.models import ToldAnswer
from scoring.queue.wanted_runs import OF_RETIRED_ITEMS
from submissions.models import Predictions
from submissions.uploads.expected_splits import alignment_sha256


def uncountable(task: Task) -> set[int]:
    """Predictions that no account can enter any more, though it is the labels of today that their scores told of.

    They are gone with their file, or were made for other labels to choose from. Of items that were renewed since
    nothing is counted.
    """
    gone: set[int] = set()
    for split in task.splits.all():
        others = Q(codes__isnull=True) | ~Q(alignment_sha256=alignment_sha256(split))
        answers = Predictions.objects.filter(others, split=split).exclude(OF_RETIRED_ITEMS)
        gone.update(answers.values_list("pk", flat=True))
    return gone


def entries_of_retired(task: Task, releases: Iterable[Release]) -> list[LedgerEntry]:
    """The account of a task that the definition names no more, after these releases, none of which is entered.

    Nothing is published of it any more and it is not counted again. Feedback that was told of it since its last entry
    is charged by itself.
    """
    before = LedgerEntry.objects.filter(task=task).order_by("-release__number").first()
    if before is None:
        return []
    told = ToldAnswer.objects.filter(
        run__split__task=task, bits__gt=0, told_at__gt=before.release.published_at
    ).aggregate(bits=Sum("bits"))
    spent = min(before.spent_bits + (told["bits"] or 0.0), before.label_bits)
    nothing = dict.fromkeys(("answer_count", "bound_bits", "carried_bits"), 0)
    entries = [
        LedgerEntry(
            release=release,
            task=task,
            spent_bits=spent,
            label_bits=before.label_bits,
            honest_bits=before.honest_bits,
            **nothing,
        )
        for release in releases
    ]
    if entries:
        entries[0].carried_bits = spent - before.spent_bits
    return entries


def told_in_place_of(task: Task) -> float:
    """The bits that tasks told of the same items, going by ids, which the definition names no more.

    The task was called otherwise then, or so it has to be supposed.
    """
    items = task.splits.exclude(slug=DEV).values("ids_sha256")
    former = LedgerEntry.objects.filter(
        task__benchmark=task.benchmark_id, task__is_retired=True, task__splits__ids_sha256__in=items
    ).exclude(task=task)
    spent = former.values("task").annotate(most=Max("spent_bits")).values_list("most", flat=True)
    return float(sum(spent))
