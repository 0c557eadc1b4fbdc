"""Which guarantee holds for a ranking: whether the items that are kept back rank for the first time.

Decided here alone, of rows that do not change once the phase has closed; the scorer asks here, and so do pages.
"""

from django.db.models import Exists, OuterRef, Q

from benchmarks.models import ItemRenewal, Phase, Split
from benchmarks.spec import DEV
from catalogue.disclosure.rule import RANKED_AGAIN, REMAINDER
from scoring.models import Batch
from submissions.models import Predictions


def rankings_before(phase: Phase, split: Split) -> int:
    """How many phases have closed before this one that ranked the items of a split, those kept back among them.

    Before a phase has closed, all that have. One counts from its last cut-off on, scored or not, so that the number
    stays what it is.
    """
    own = Batch.objects.filter(phase=phase, is_final=True).order_by("cut_off_at", "pk").first()
    finals = Batch.objects.filter(phase__benchmark=phase.benchmark_id, is_final=True).exclude(phase=phase)
    if own is not None:
        finals = finals.filter(Q(cut_off_at__lt=own.cut_off_at) | Q(cut_off_at=own.cut_off_at, pk__lt=own.pk))
    if not finals.exists():
        return 0
    renewals = ItemRenewal.objects.filter(split=split)
    if own is not None:
        renewals = renewals.filter(renewed_at__lte=own.cut_off_at)
    ranked = Predictions.objects.filter(
        split=split, submission__phase=OuterRef("pk"), submission__batch_entries__isnull=False
    )
    if newest := renewals.order_by("-renewed_at").first():
        ranked = ranked.filter(
            submission__received_at__gt=newest.renewed_at
        )  # what is kept back since is new
    # Asked phase by phase: the first answer that is found says it.
    return Phase.objects.filter(Exists(ranked), pk__in=finals.values("phase")).count()


def has_ranked(phase: Phase) -> bool:
    """Whether a phase that hides scores has begun its final; opened again, it would rank what it hides once more."""
    return not phase.rule.shows_everything() and Batch.objects.filter(phase=phase, is_final=True).exists()


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
