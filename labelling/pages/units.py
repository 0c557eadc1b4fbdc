"""A unit as a worker sees it: texts and options in that worker's order, and what was chosen before."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labelling.core.questions.question import CampaignQuestion, Sent
from labelling.core.shown_order import drawn_order
from labelling.core.worker_words import filled, words_of
from labelling.models import Assignment, Campaign, Worker
from labelling.units.from_scores import BORDER

_BEST_KEYS, _WORST_KEYS = "1234", "qwer"
_MOST_KEYS = 9


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option, the key that chooses it (empty beyond the ninth), and whether it is chosen."""

    value: str
    text: str
    gloss: str
    alone: bool
    key: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item's texts with their headings, and of a tuple whether it was said to be the best or the worst."""

    id: str
    number: int
    texts: Sequence[tuple[str, str]]
    best_key: str = ""
    worst_key: str = ""
    is_best: bool = False
    is_worst: bool = False

    @property
    def sides(self) -> tuple[Sequence[tuple[str, str]], ...]:
        """The texts before and after a change, where they come in pairs; else all of them on one side."""
        half, odd = divmod(len(self.texts), 2)
        return (self.texts,) if odd else (self.texts[:half], self.texts[half:])

    @property
    def about(self) -> Sequence[tuple[str, str]]:
        """Of two texts that are compared what both are about; they come last."""
        return self.texts[:-2]

    @property
    def two(self) -> tuple[Sequence[tuple[str, str]], ...]:
        """The two texts that are compared, the left one first."""
        return tuple((text,) for text in self.texts[-2:])


@dataclass(frozen=True, slots=True)
class ShownBorder:
    """A class whose beginning is asked for on a ranked list, in words, and how many of how many texts are listed."""

    begins: str
    listed: str


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """One unit of a page. Its fields in the form begin with `name`; `sent` is what they hold to begin with."""

    name: uuid.UUID
    number: int
    client_id: uuid.UUID
    part: str
    question: CampaignQuestion
    items: Sequence[ShownItem]
    options: Sequence[ShownOption]
    sent: Mapping[str, str]
    problem: str = ""
    is_note_shown: bool = False
    border: ShownBorder | None = None


def shown_units(
    campaign: Campaign,
    worker: Worker,
    assignments: Sequence[Assignment],
    sent: Mapping[uuid.UUID, Sent],
    problems: Mapping[uuid.UUID, str],
) -> list[ShownUnit]:
    """Assignments as a page shows them, with what was sent for each and why it was not taken."""
    return [
        _shown(campaign, worker, each, sent.get(each.pk, {}), problems.get(each.pk, ""), number)
        for number, each in enumerate(assignments, start=1)
    ]


def _shown(
    campaign: Campaign, worker: Worker, assignment: Assignment, sent: Sent, problem: str, number: int
) -> ShownUnit:
    question = campaign.asked
    return ShownUnit(
        name=assignment.pk,
        number=number,
        client_id=uuid.uuid4(),
        part=campaign.kind.page,
        question=question,
        items=_items(campaign, worker, assignment, sent),
        options=_options(campaign, worker, question, sent),
        sent={field: values[0] for field, values in sent.items() if values},
        problem=problem,
        is_note_shown=question.wants_reason,
        border=_border(campaign, assignment),
    )


def _border(campaign: Campaign, assignment: Assignment) -> ShownBorder | None:
    of = assignment.unit.source.get(BORDER)
    if of is None:
        return None
    words = words_of(campaign.words)
    return ShownBorder(
        begins=filled(words["border"], label=of["class"]),
        listed=filled(words["listed"], done=of["shown"], total=of["of"]),
    )


def _items(campaign: Campaign, worker: Worker, assignment: Assignment, sent: Sent) -> list[ShownItem]:
    unit = assignment.unit
    shown = list(zip(unit.items, unit.shown, strict=True))
    if len(shown) > 1:
        shown = drawn_order(shown, campaign.order_seed, worker.number, unit.key)
    best, worst = (tuple(sent.get(name, ())) for name in ("best", "worst"))
    return [
        ShownItem(
            id=item,
            number=place + 1,
            texts=[(heading, text) for heading, text in texts],
            best_key=_BEST_KEYS[place : place + 1],
            worst_key=_WORST_KEYS[place : place + 1],
            is_best=item in best,
            is_worst=item in worst,
        )
        for place, (item, texts) in enumerate(shown)
    ]


def _options(campaign: Campaign, worker: Worker, question: CampaignQuestion, sent: Sent) -> list[ShownOption]:
    options = list(question.options)
    if question.options_drawn:
        options = drawn_order(options, campaign.order_seed, worker.number, "options")
    chosen = {*sent.get("label", ()), *sent.get("labels", ())}
    return [
        ShownOption(
            value=option.value,
            text=option.text,
            gloss=option.gloss,
            alone=option.alone,
            key=str(place) if place <= _MOST_KEYS else "",
            is_chosen=option.value in chosen,
        )
        for place, option in enumerate(options, start=1)
    ]
