"""A small made-up corpus of sentences that come in pairs: they differ in the person they speak of, and in nothing else.

Pure. Items are named as those of the Equity Evaluation Corpus are in the files of Affect in Tweets.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from demo.material.csv_files import csv_file

EMOTIONS = ("anger", "fear", "joy", "sadness")
GENDERS = ("female", "male")
RACES = ("African American", "European American")
_SENTENCES_PER_EMOTION = 6
_NAMES = 2
_NOISE = 0.02


class PairedSentence(NamedTuple):
    """One sentence: the emotion that it tells of, and whose name stands in it."""

    id: str
    emotion: str
    frame: int
    gender: str
    race: str
    name: int


class Leaning(NamedTuple):
    """How much higher a system scores sentences about women than about men, and the first race than the second."""

    gender: float = 0.0
    race: float = 0.0


SENTENCES = tuple(
    PairedSentence(f"2018-En-mystery-{number:05}", *parts)
    for number, parts in enumerate(
        product(EMOTIONS, range(_SENTENCES_PER_EMOTION), GENDERS, RACES, range(_NAMES)), start=1
    )
)


def pairs_file(comparison: str) -> bytes:
    """The pairs of the comparison `gender` or `race` as a CSV file, with the emotion as stratum."""
    other = {"gender": "race", "race": "gender"}[comparison]
    rows = [
        (
            f"{sentence.emotion} {sentence.frame} {getattr(sentence, other)} {sentence.name}",
            str(getattr(sentence, comparison)),
            sentence.id,
            sentence.emotion,
        )
        for sentence in SENTENCES
    ]
    return csv_file([("pair", "group", "id", "stratum"), *rows], line_end="\n")


def scores(emotion: str, leaning: Leaning, generator: np.random.Generator) -> NDArray[np.float64]:
    """What a system answers to the sentences, from 0 to 1, where it is asked for that emotion or for valence."""
    asked_for = {"valence": "joy"}.get(emotion, emotion)
    by_frame = generator.normal(0, 0.08, size=(len(EMOTIONS), _SENTENCES_PER_EMOTION))
    values = [
        (0.68 if one.emotion == asked_for else 0.32)
        + by_frame[EMOTIONS.index(one.emotion), one.frame]
        + leaning.gender * (one.gender == GENDERS[0])
        + leaning.race * (one.race == RACES[0])
        for one in SENTENCES
    ]
    return (np.array(values) + generator.normal(0, _NOISE, size=len(values))).clip(0, 1).round(3)
