"""Ordered classes from scores: where each class begins, as people have set it on the ranked list of one campaign."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from statistics import median

from catalogue.metrics.metric import Undefined
from labelling.core.agreement.measures import AnswerScale, krippendorff_alpha


class UnfitCutPoints(ValueError):
    """Cut points that make no classes of these scores, in a sentence for the organiser."""


@dataclass(frozen=True, slots=True)
class CutPoints:
    """Where classes begin on the scale of one campaign.

    A class holds the scores from its own cut, that one included, up to the next cut, that one not. The first class has
    all below the first cut, the last all from the last cut on.

    scale : the id of the campaign whose scores are meant; the same number is another intensity on another's scale
    classes : whole numbers that grow, at least two
    cuts : numbers that grow, one fewer than classes
    """

    scale: str
    classes: tuple[int, ...]
    cuts: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.classes) < 2 or len(self.cuts) != len(self.classes) - 1:
            raise UnfitCutPoints(
                f"There must be one cut point fewer than classes, and at least two classes; there are {len(self.cuts)} "
                f"cut points for {len(self.classes)} classes."
            )
        if any(first >= second for first, second in pairwise(self.classes)):
            raise UnfitCutPoints("Classes must grow from the first to the last.")
        if not all(map(isfinite, self.cuts)) or any(first >= second for first, second in pairwise(self.cuts)):
            written = ", ".join(f"{cut:g}" for cut in self.cuts)
            raise UnfitCutPoints(f"Cut points must grow from the first to the last; they are {written}.")

    def class_of(self, score: float) -> int:
        """The class of a score of this scale.

        >>> CutPoints("anger", (0, 1), (0.5,)).class_of(0.5)
        1
        """
        return self.classes[bisect_right(self.cuts, score)]

    def classes_of(self, scores: Mapping[str, float], scale: str) -> dict[str, int]:
        """The class of each item; UnfitCutPoints for scores of another campaign's scale."""
        if scale != self.scale:
            raise UnfitCutPoints(
                f"These cut points were set on the scale of {self.scale}; the scores are of {scale}, where the same "
                "number is another intensity. Set cut points on its own ranked list."
            )
        return {item: self.class_of(score) for item, score in scores.items()}


def ordered_classes(names: Sequence[str]) -> tuple[int, ...]:
    """The classes of a task as whole numbers, lowest first; empty where they are none.

    >>> ordered_classes(("-1", "0", "1")), ordered_classes(("bad", "good"))
    ((-1, 0, 1), ())
    """
    try:
        return tuple(int(each) for each in names)
    except ValueError:
        return ()


@dataclass(frozen=True, slots=True)
class AgreedCutPoints:
    """The median of several people's cut points, and how far they lie apart.

    ranges : the lowest and the highest of each cut point
    between : how many items somebody puts into another class than somebody else
    alpha : Krippendorff's alpha of the classes that each person's cut points give, ordinal; None where it has none
    """

    agreed: CutPoints
    ranges: tuple[tuple[float, float], ...]
    between: int
    alpha: float | None


def agree_on_cut_points(of_people: Sequence[CutPoints], scores: Mapping[str, float]) -> AgreedCutPoints:
    """Of each cut point the median over people, who have set them alone on the same ranked list.

    Parameters
    ----------
    of_people : sequence of CutPoints
        At least one, all with the same scale and classes.
    scores : mapping of item to float
        On that scale.

    References
    ----------
    Mohammad et al. (2018), doi:10.18653/v1/S18-1001, section 3.4.3.

    Examples
    --------
    >>> people = [CutPoints("anger", (0, 1), (cut,)) for cut in (0.4, 0.5, 0.7)]
    >>> found = agree_on_cut_points(people, {"a": 0.1, "b": 0.6, "c": 0.9})
    >>> found.agreed.cuts, found.ranges, found.between
    ((0.5,), ((0.4, 0.7),), 1)
    """
    if not of_people:
        raise UnfitCutPoints("Nobody has set cut points yet.")
    first = of_people[0]
    if any((each.scale, each.classes) != (first.scale, first.classes) for each in of_people):
        raise UnfitCutPoints(
            "All must set cut points between the same classes, on the scale of the same campaign."
        )
    columns = list(zip(*(each.cuts for each in of_people), strict=True))
    given = {item: [each.class_of(score) for each in of_people] for item, score in scores.items()}
    alpha = krippendorff_alpha(
        [item for item, classes in given.items() for _ in classes],
        [each for classes in given.values() for each in classes],
        AnswerScale.ORDINAL,
    )
    return AgreedCutPoints(
        agreed=CutPoints(first.scale, first.classes, tuple(median(column) for column in columns)),
        ranges=tuple((min(column), max(column)) for column in columns),
        between=sum(len(set(classes)) > 1 for classes in given.values()),
        alpha=None if isinstance(alpha, Undefined) else alpha,
    )
