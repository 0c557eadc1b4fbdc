"""What a submission answered, by id: the labels that a round may be drawn against."""

from collections.abc import Collection

from django.db.models import Prefetch, QuerySet

from benchmarks.models import Task
from benchmarks.spec import TaskSpec
from submissions.models import Predictions, Submission
from submissions.uploads.answer_summary import answered_splits, predictions_to_list
from submissions.uploads.expected_splits import alignment_sha256, item_ids

FIRST_SEED = 1


class LabelsDiffer(Exception):
    """A submission gives one id two labels; `item` is that id, `splits` are where it does."""

    def __init__(self, item: str, *splits: str) -> None:
        super().__init__(item)
        self.item = item
        self.splits = splits


def submissions_answering(task: Task) -> QuerySet[Submission]:
    """The submissions that answer any of the task's splits and were not taken back, the newest first."""
    answers = Predictions.objects.filter(split__task=task).values("submission")
    listed = Submission.objects.live().filter(pk__in=answers).select_related("system__team")
    own = predictions_to_list().filter(split__task=task)
    return listed.prefetch_related(Prefetch("predictions", own, to_attr="of_task"))


def in_a_line(submission: Submission) -> str:
    """One of these submissions, told with what it answers: "Larch, Team North, 2 Nov 2026, 09:00 UTC: test, dev"."""
    splits = [one.split for one in answered_splits(submission.of_task)]  # type: ignore[attr-defined]  # set by the prefetch
    at = f"{submission.received_at:%d %b %Y, %H:%M} UTC"
    return f"{submission.system}, {submission.system.team}, {at}: {', '.join(splits)}"


def stored_labels(submission: Submission, task: TaskSpec, ids: Collection[str]) -> dict[str, str]:
    """The labels that a submission stores for those ids of a task, in whichever of its splits they stand.

    Of several seeds the first one counts. Left out are attack sets, whose ids are those of other texts, and what was
    answered before the task's labels or a split's ids were changed.

    Raises
    ------
    LabelsDiffer
        If two splits share an id and were answered differently.
    """
    wanted = frozenset(ids)
    found: dict[str, tuple[str, str]] = {}
    stored = submission.predictions.filter(split__task__slug=task.id, seed=FIRST_SEED)
    for one in stored.select_related("split__task__benchmark", "codes").order_by("split_id"):
        split = one.split.slug
        if task.split(split).attack or one.alignment_sha256 != alignment_sha256(one.split):
            continue
        codes = one.canonical().codes
        labels = task.output.texts(codes)
        answered = item_ids(one.split_id, one.split.ids_sha256).ids
        for item, label in zip(answered, labels, strict=True):
            if item in wanted:
                before, where = found.setdefault(item, (label, split))
                if before != label:
                    raise LabelsDiffer(item, where, split)
    return {item: label for item, (label, _) in found.items()}
