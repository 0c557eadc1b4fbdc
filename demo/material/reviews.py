"""Made-up sentences about places, and what five made-up workers say of each. Pure."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

LABELS = ("positive", "negative", "neutral")
MIXED = "mixed"
CATEGORIES = (*LABELS, MIXED)

_PLACES = (
    "The cafe on the corner", "This hotel", "The bakery", "Their new branch", "The gallery", "Our campsite",
    "The night ferry", "The reading room", "The old cinema", "The noodle bar",
)  # fmt: skip
_SAYINGS = {
    "positive": ("was better than we had hoped", "made our weekend", "is worth the trip", "won us over"),
    "negative": (
        "let us down",
        "was loud and dirty",
        "kept us waiting for an hour",
        "is not worth the price",
    ),
    "neutral": ("is near the station", "opens at nine", "has two floors", "takes cards"),
    MIXED: ("looks lovely and smells of paint", "is friendly but slow", "has great food and awful chairs"),
}
_ENDINGS = ("", ", by the way", ", my sister says", " this time", ", as always")

_WORKERS = 40
_STEADY = 22  # so many of them never say anything but what most do
_CARELESS = "w40"  # one of the others: nearly always alone with what he says
_CARELESS_EVERY = 18  # items
_DISSENTERS = (0.40, 0.40, 0.20)  # how often nobody, one and two of five disagree


@dataclass(frozen=True, slots=True)
class Review:
    """One item: what most workers say of it, None where they do not agree, and who says what."""

    id: str
    sentence: str
    prompt: str
    label: str | None
    responses: dict[str, list[str]]


def reviews(
    ids: Sequence[str], labels: Sequence[str | None], generator: np.random.Generator, *, prompt: str = ""
) -> list[Review]:
    """A review for each id, of which most workers say that label. With `prompt`, each is made from one of its own."""
    made = []
    for number, (item, label) in enumerate(zip(ids, labels, strict=True)):
        responses = _responses(label, generator, with_careless=number % _CARELESS_EVERY == 0)
        parts = _PLACES, _SAYINGS[label or MIXED], _ENDINGS
        place, saying, ending = (str(generator.choice(part)) for part in parts)
        stem = f"{prompt} {number}" if prompt else ""
        made.append(Review(item, f"{place} {saying}{ending}.", stem, label, responses))
    return made


def json_lines(items: Iterable[Review]) -> bytes:
    return "".join(
        json.dumps(
            {
                "text_id": review.id,
                "sentence": review.sentence,
                **({"prompt": review.prompt} if review.prompt else {}),
                "label_distribution": review.responses,
            }
        )
        + "\n"
        for review in items
    ).encode()


def _responses(
    label: str | None, generator: np.random.Generator, *, with_careless: bool
) -> dict[str, list[str]]:
    """Five workers by category. Without a label, two say one thing, two another and one a third."""
    steady = [f"w{number:02}" for number in range(1, _STEADY + 1)]
    wavering = [f"w{number:02}" for number in range(_STEADY + 1, _WORKERS)]
    said: dict[str, list[str]] = {category: [] for category in CATEGORIES}
    if label is None:
        workers = [str(one) for one in generator.choice(wavering, size=5, replace=False)]
        for category, some in zip(generator.permutation(CATEGORIES), ((0, 2), (2, 4), (4, 5)), strict=False):
            said[str(category)] = workers[slice(*some)]
        return said
    others = [category for category in CATEGORIES if category != label]
    count = int(generator.choice(len(_DISSENTERS), p=_DISSENTERS))
    dissenters = [str(one) for one in generator.choice(wavering, size=count, replace=False)]
    if with_careless:
        dissenters = [_CARELESS, *dissenters[1:]]
    for worker in dissenters:
        said[str(generator.choice(others))].append(worker)
    agreeing = [one for one in (*steady, *wavering) if one not in dissenters]
    said[label] = [str(one) for one in generator.choice(agreeing, size=5 - len(dissenters), replace=False)]
    return said
