"""A round of texts that people wrote to fool a model, on a card: what they became, and what a prompt changes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles

from scoring.core.measures.minimality import edit_distance, tokens
from scoring.core.measures.votes import majority
from scoring.core.uncertainty.intervals import Interval, share_interval


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text, its author's prompt, what the model said, each empty for none, and how others read the text."""

    text: str
    predicted: str
    responses: tuple[str, ...]
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class CardShare:
    """`count` of `total`, with the 95 % interval of the share; neither where `total` is 0."""

    count: int
    total: int

    @property
    def interval(self) -> Interval | None:
        """Over other texts, each drawn by itself."""
        return share_interval(self.count, self.total) if self.total else None


@dataclass(frozen=True, slots=True)
class Quartiles:
    """The mean of some numbers, and the values that a quarter, a half and three quarters of them lie below."""

    mean: float
    first: float
    median: float
    third: float


@dataclass(frozen=True, slots=True)
class ConditionFigures:
    """The texts of one condition.

    with_majority : of all texts
    fooled : of the texts that a model was asked about, and whose majority is a label that it can give
    words : words and punctuation marks of a text
    edits : characters to insert, remove and replace between prompt and text; None without prompts
    edited_share : the same over the length of the longer of both, 0 to 1
    """

    texts: int
    with_majority: CardShare
    fooled: CardShare
    words: Quartiles | None
    edits: Quartiles | None
    edited_share: Quartiles | None


@dataclass(frozen=True, slots=True)
class RoundCard:
    """What became of a round.

    distribution : texts by the label of most workers, in the order of the categories
    without_majority : texts on which too few agree
    all : of all texts, whatever their condition
    prompted, unprompted : of those begun with a prompt, and of the others
    """

    distribution: Mapping[str, int]
    without_majority: int
    all: ConditionFigures
    prompted: ConditionFigures
    unprompted: ConditionFigures


def round_card(
    texts: Sequence[WrittenText], categories: Sequence[str], labels: Sequence[str], needed: int = 3
) -> RoundCard:
    """Count what became of the texts of a round.

    Parameters
    ----------
    texts : sequence of WrittenText
    categories : sequence of str
        What a response may be.
    labels : sequence of str
        What the model may say. A text whose majority is another category, such as mixed, cannot tell whether the model
        was fooled, and is not counted there.
    needed : int
        Responses that make a majority; more than half of each text's.

    References
    ----------
    Potts et al. (2021), doi:10.18653/v1/2021.acl-long.186, Tables 4 and 7, Figure 2.

    Examples
    --------
    >>> texts = [WrittenText("So good!", "negative", ("positive",) * 5, prompt="So bad!")]
    >>> card = round_card(texts, ["positive", "negative", "mixed"], ["positive", "negative"])
    >>> card.distribution, card.all.fooled, card.prompted.edits.median
    ({'positive': 1, 'negative': 0, 'mixed': 0}, CardShare(count=1, total=1), 3.0)
    """
    settled = [(each, majority(each.responses, needed)) for each in texts]
    counts = Counter(label for _, label in settled)
    prompted = [(each, label) for each, label in settled if each.prompt]
    unprompted = [(each, label) for each, label in settled if not each.prompt]
    return RoundCard(
        distribution={category: counts[category] for category in categories},
        without_majority=counts[None],
        all=_figures(settled, labels),
        prompted=_figures(prompted, labels),
        unprompted=_figures(unprompted, labels),
    )


def _figures(settled: Sequence[tuple[WrittenText, str | None]], labels: Sequence[str]) -> ConditionFigures:
    told = [(each, label) for each, label in settled if label in labels and each.predicted]
    prompted = [each for each, _ in settled if each.prompt]
    edits = [edit_distance(each.prompt, each.text) for each in prompted]
    longest = [max(len(each.prompt), len(each.text)) for each in prompted]
    return ConditionFigures(
        texts=len(settled),
        with_majority=CardShare(sum(label is not None for _, label in settled), len(settled)),
        fooled=CardShare(sum(each.predicted != label for each, label in told), len(told)),
        words=_quartiles([len(tokens(each.text)) for each, _ in settled]),
        edits=_quartiles(edits),
        edited_share=_quartiles([edit / length for edit, length in zip(edits, longest, strict=True)]),
    )


def _quartiles(numbers: Sequence[float]) -> Quartiles | None:
    if not numbers:
        return None
    if len(numbers) == 1:
        return Quartiles(*[float(numbers[0])] * 4)
    return Quartiles(fmean(numbers), *quantiles(numbers, n=4, method="inclusive"))
