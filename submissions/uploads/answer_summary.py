"""What submissions answer, a line per split, however many seeds it was answered with."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from submissions.models import Predictions


@dataclass(frozen=True, slots=True)
class AnsweredSplit:
    """One split of one task, with how many seeds it was answered and how many labels that is."""

    task: str
    task_title: str
    split: str
    seeds: int
    labels: int

    @property
    def is_test(self) -> bool:
        """True for the split that goes without saying."""
        return self.split == "test"


def predictions_to_list() -> QuerySet[Predictions]:
    """Predictions with all that `answered_splits` reads, in its order, and without the answers themselves."""
    listed = Predictions.objects.select_related("split__task")
    return listed.order_by("split__task__position", "split_id", "seed")


def in_order(predictions: Iterable[Predictions]) -> list[Predictions]:
    """Predictions whose splits and tasks are at hand, in the same order."""
    return sorted(predictions, key=lambda one: (one.split.task.position, one.split_id, one.seed))


def answered_splits(predictions: Iterable[Predictions]) -> list[AnsweredSplit]:
    """The splits of one submission's predictions, in their order."""
    by_split: dict[int, list[Predictions]] = {}
    for one in predictions:
        by_split.setdefault(one.split_id, []).append(one)
    return [
        AnsweredSplit(
            task=several[0].split.task.slug,
            task_title=several[0].split.task.title,
            split=several[0].split.slug,
            seeds=len(several),
            labels=len(several) * several[0].split.item_count,
        )
        for several in by_split.values()
    ]
