"""How hard each item was for the systems that count, and where most agree on another answer than the gold label."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalogue.answers.base import AnswerKind
from leaderboard.take_home.aligned_answers import ItemAnswers

HEADS = (
    "split",
    "item_set",
    "id",
    "gold",
    "answered_by",
    "share_right",
    "mean_distance",
    "commonest_answer",
    "commonest_share",
    "most_say_otherwise",
)


@dataclass(frozen=True, slots=True)
class ItemDifficulty:
    """One item. Shares are from 0 to 1.

    `share_right` is None without gold labels and where answers are numbers; there `mean_distance` says how far from the
    gold number answers are on average. `most_say_otherwise` where more than half of the systems give one and the same
    answer that is not right: what to look at first when labels are checked.
    """

    split: str
    item_set: int
    id: str
    gold: str
    answered_by: int
    share_right: float | None
    mean_distance: float | None
    commonest_answer: str
    commonest_share: float
    most_say_otherwise: bool

    @property
    def row(self) -> tuple[object, ...]:
        return tuple(getattr(self, head) for head in HEADS)


def by_difficulty(
    lines: Iterable[ItemAnswers], counted: Sequence[int], output: AnswerKind
) -> list[ItemDifficulty]:
    """The items that systems answered, the hardest first; `counted` are the places of the columns that count.

    Of equally hard items those first on whose answer most systems agree.
    """
    items = [item for line in lines if (item := _difficulty(line, counted, output))]
    return sorted(items, key=_hardness)


def _hardness(item: ItemDifficulty) -> tuple[float, float, str, str]:
    share = item.share_right if item.share_right is not None else -(item.mean_distance or 0.0)
    return share, -item.commonest_share, item.split, item.id


def _difficulty(line: ItemAnswers, counted: Sequence[int], output: AnswerKind) -> ItemDifficulty | None:
    answers = Counter(answer for at in counted if (answer := line.answers[at]) is not None)
    total = answers.total()
    if not total:
        return None
    commonest, count = min(answers.items(), key=lambda one: (-one[1], one[0]))
    share_right = distance = None
    is_right = True
    if line.gold is not None and _are_numbers(output):
        accepted = list(map(float, output.gold.accepted_texts(line.gold)))
        distances = {text: min(abs(float(text) - one) for one in accepted) for text in answers}
        distance = sum(distances[text] * n for text, n in answers.items()) / total
    elif line.gold is not None and output.is_right_or_wrong:
        right = sum(n for text, n in answers.items() if output.is_accepted(line.gold, text))
        share_right, is_right = right / total, output.is_accepted(line.gold, commonest)
    return ItemDifficulty(
        line.item_set.split.slug,
        line.item_set.number,
        line.id,
        line.gold or "",
        total,
        share_right,
        distance,
        commonest,
        count / total,
        not is_right and 2 * count > total,
    )


def _are_numbers(output: AnswerKind) -> bool:
    return output.bounds is not None and not output.classes


def doubtful(items: Iterable[ItemDifficulty]) -> Iterator[ItemDifficulty]:
    """Those whose gold label most systems contradict with one voice."""
    return (item for item in items if item.most_say_otherwise)
