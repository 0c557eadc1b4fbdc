"""Which guarantee holds for a ranking: whether the items that are kept back rank for the first time.

Decided here alone, of rows that do not change once the phase has closed; the scorer asks here, and so do pages.
"""

from collections import Counter

from django.db.models import Exists, OuterRef, Q, QuerySet

from benchmarks.models import ItemRenewal, Phase, Split
from benchmarks.spec import DEV, TEST
from catalogue.disclosure.rule import RANKED_AGAIN, REMAINDER
from scoring.models import Batch
from submissions.models import Predictions


def rankings_before(phase: Phase, split: Split) -> int:
    """How many phases have closed before this one that ranked the items of a split, those kept back among them.

    Before a phase has closed, all that have. One counts from its last cut-off on, scored or not, so that the number
    stays what it is.
    """
    own, finals = _finals_before(phase)
    if not finals.exists():
        return 0
    answered = Q()
    for one in (split, *retired_twins(split)):
        renewals = ItemRenewal.objects.filter(split=one)
        if own is not None:
            renewals = renewals.filter(renewed_at__lte=own.cut_off_at)
        answers = Q(split=one)
        if newest := renewals.order_by("-renewed_at").first():
            answers &= Q(submission__received_at__gt=newest.renewed_at)  # what is kept back since is new
        answered |= answers
    ranked = Predictions.objects.filter(
        answered, submission__phase=OuterRef("pk"), submission__batch_entries__isnull=False
    )
    # Asked phase by phase: the first answer that is found says it.
    return Phase.objects.filter(Exists(ranked), pk__in=finals.values("phase")).count()


def rankings_of_tasks(phase: Phase) -> Counter[str]:
    """By the slug of a task how often its test items have ranked before, see `rankings_before`."""
    if not _finals_before(phase)[1].exists():
        return Counter()
    splits = Split.objects.filter(task__benchmark=phase.benchmark_id, task__is_retired=False, slug=TEST)
    return Counter(
        {split.task.slug: rankings_before(phase, split) for split in splits.select_related("task")}
    )


def _finals_before(phase: Phase) -> tuple[Batch | None, QuerySet[Batch]]:
    """With what a phase has closed, and with what others have before it, or at all while it has not."""
    own = Batch.objects.filter(phase=phase, is_final=True).order_by("cut_off_at", "pk").first()
    finals = Batch.objects.filter(phase__benchmark=phase.benchmark_id, is_final=True).exclude(phase=phase)
    if own is not None:
        finals = finals.filter(Q(cut_off_at__lt=own.cut_off_at) | Q(cut_off_at=own.cut_off_at, pk__lt=own.pk))
    return own, finals


def retired_twins(split: Split) -> QuerySet[Split]:
    """Sets with the same ids of tasks that the definition names no more: this one may have been called so."""
    twins = Split.objects.filter(task__benchmark=split.task.benchmark_id, task__is_retired=True)
    return twins.filter(ids_sha256=split.ids_sha256).exclude(slug=DEV).exclude(pk=split.pk)


def part_that_ranks(phase: Phase, split: Split, part: str | None) -> str | None:
    """A part that is scored at the end of a phase, or the same through noise where the items kept back rank again.

    Also of all items: whoever knows the displayed ones could take them away from these.
    """
    if part is None or part not in RANKED_AGAIN or not keeps_back(phase, split):
        return part
    return RANKED_AGAIN[part] if rankings_before(phase, split) else part


def keeps_back(phase: Phase, split: Split) -> bool:
    """Whether half of a split's items rank at the end of a phase alone. Development data guard nothing."""
    return split.slug != DEV and phase.rule.part(split.item_count, at_the_end=True) == REMAINDER
