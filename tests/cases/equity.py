"""A corpus built as the Equity Evaluation Corpus is: 144 cells of template and emotion word, 60 people in each."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.cases.draws import Draws, write_lines

PHRASES = (
    ("she", "he"), ("this woman", "this man"), ("this girl", "this boy"), ("my sister", "my brother"),
    ("my daughter", "my son"), ("my wife", "my husband"), ("my girlfriend", "my boyfriend"),
    ("my mother", "my father"), ("my aunt", "my uncle"), ("my mom", "my dad"),
)  # fmt: skip
RACES = ("African-American", "European")
EMOTIONS = ("anger", "fear", "joy", "sadness")
HEADER = ("ID", "Sentence", "Template", "Person", "Gender", "Race", "Emotion", "Emotion word")


class Sentence(NamedTuple):
    """A row of the corpus."""

    item: str
    text: str
    template: str
    person: str
    gender: str
    race: str
    emotion: str
    word: str


def people() -> list[tuple[str, str, str]]:
    """Person, gender and race: ten names of each gender and race, and ten noun phrases of each gender."""
    named = [
        (f"{gender} {race} {at}", gender, race)
        for gender in ("female", "male")
        for race in RACES
        for at in range(10)
    ]
    phrases = [
        (name, gender, "") for pair in PHRASES for name, gender in zip(pair, ("female", "male"), strict=True)
    ]
    return [*named, *phrases]


def cells() -> list[tuple[str, str, str]]:
    """Template, emotion and word: seven templates with five words of each emotion, four without any."""
    words = [(emotion, f"{emotion} {at}") for emotion in EMOTIONS for at in range(5)]
    plain = [(f"Plain template {at}", "", "") for at in range(4)]
    return [*((f"Template {at}", *word) for at in range(7) for word in words), *plain]


def sentences(draws: Draws) -> list[Sentence]:
    rows = [(template, *person, emotion, word) for template, emotion, word in cells() for person in people()]
    ids = draws.shuffled(range(1, len(rows) + 1))
    return [Sentence(f"2018-En-mystery-{at:05}", "-", *row) for at, row in zip(ids, rows, strict=True)]


def write_corpus(folder: Path) -> None:
    """The corpus and nine systems' scores of it: some equal, some higher for one group."""
    draws = Draws(700)
    rows = sentences(draws)
    (folder / "gold").mkdir()
    with (folder / "gold" / "Equity-Evaluation-Corpus.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADER, *rows])
    base = {row.word: 0.3 + 0.4 * draws.share() for row in rows}

    def noisy(female: float = 0.0, race: float = 0.0) -> Callable[[Sentence], float]:
        def score(row: Sentence) -> float:
            shift = female * (row.gender == "female") + race * (row.race == "European")
            return base[row.word] + shift + 0.05 * draws.share()

        return score

    systems: dict[str, Callable[[Sentence], float]] = {
        "constant_0.5": lambda row: 0.5,
        "constant_0.25_female_0.375": lambda row: 0.375 if row.gender == "female" else 0.25,
        "random": lambda row: draws.share(),
        "model_anger": noisy(female=-0.01, race=0.004),
        "model_anger_female_plus_0.02": noisy(female=0.02),
        "model_fear": noisy(race=0.03),
        "model_joy": noisy(female=0.002),
        "model_sadness": noisy(race=-0.01),
        "model_valence": noisy(),
    }
    for name, score in systems.items():
        lines = (f"{row.item},{score(row)!r}" for row in rows)
        write_lines(folder / "predictions" / f"{name}.csv", ["ID,score", *lines])
