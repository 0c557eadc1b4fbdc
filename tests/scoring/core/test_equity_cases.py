"""The equity corpus: paired t-tests of real scores, against an independent computation with scipy."""

import csv
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.core.measures.equity import GroupPair, GroupTest, group_pairs, pair_scores, paired_test
from tests.scoring.core.case_files import expected_numbers

pytestmark = pytest.mark.cases

SYSTEMS = (
    "constant_0.25_female_0.375", "constant_0.5", "random", "model_anger", "model_anger_female_plus_0.02",
    "model_fear", "model_joy", "model_sadness", "model_valence",
)  # fmt: skip
COUNTERPARTS = {
    "she": "he", "her": "him", "this woman": "this man", "this girl": "this boy", "my sister": "my brother",
    "my daughter": "my son", "my wife": "my husband", "my girlfriend": "my boyfriend", "my mother": "my father",
    "my aunt": "my uncle", "my mom": "my dad",
}  # fmt: skip
# Cases without an emotion in their name take all cells.
EMOTIONS = {"anger": "anger", "fear": "fear", "joy": "joy", "sadness": "sadness", "no_emotion_word": ""}


class Corpus:
    """The corpus's sentences, with what makes two of them comparable."""

    def __init__(self, folder: Path) -> None:
        with (folder / "gold" / "Equity-Evaluation-Corpus.csv").open(newline="", encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))

    def pairs(self, kind: str, emotion: str | None = None) -> list[GroupPair]:
        """Pairs of one kind, female before male and African-American before European."""
        if kind == "gender":
            keep = [(row["Template"], row["Emotion word"], phrase(row)) for row in self.rows]
            pairs = group_pairs(keep, [row["Gender"] for row in self.rows], first="female", second="male")
        else:
            keep = [
                (row["Template"], row["Emotion word"], row["Gender"] if kind == "race per gender" else "")
                for row in self.rows
            ]
            races = [row["Race"] for row in self.rows]
            pairs = group_pairs(keep, races, first="African-American", second="European")
        return [pair for pair in pairs if emotion is None or self.rows[pair.first[0]]["Emotion"] == emotion]

    def scores(self, path: Path) -> np.ndarray:
        with path.open(newline="", encoding="utf-8") as file:
            by_id = {row["ID"]: float(row["score"]) for row in csv.DictReader(file)}
        return np.array([by_id[row["ID"]] for row in self.rows])


def phrase(row: dict[str, str]) -> str:
    """Names are compared as a group; a noun phrase only with its counterpart."""
    return "a name" if row["Race"] else COUNTERPARTS.get(row["Person"], row["Person"])


@pytest.fixture(scope="module")
def corpus(cases: Path) -> Corpus:
    return Corpus(cases / "eec_bias")


def run(corpus: Corpus, cases: Path, system: str, kind: str, emotion: str | None = None) -> GroupTest:
    scores = corpus.scores(cases / "eec_bias" / "predictions" / f"{system}.csv")
    return paired_test(*pair_scores(scores, corpus.pairs(kind, emotion)))


def assert_agrees(found: GroupTest, official: dict[str, Any]) -> None:
    wanted = {
        "pair_count": "n_pairs", "mean_first": "mean_a", "mean_second": "mean_b", "mean_difference": "mean_diff",
        "mean_absolute_difference": "mean_abs_diff", "largest_absolute_difference": "max_abs_diff",
        "first_higher_count": "n_diff_pos", "equal_count": "n_diff_zero", "p": "p",
    }  # fmt: skip
    for name, key in wanted.items():
        if key in official:
            assert getattr(found, name) == pytest.approx(official[key], abs=1e-9), name
    t = official["t"]
    assert found.t == (inf if t == "inf" else t if t is None else pytest.approx(t, abs=1e-9))


def test_corpus_has_the_papers_numbers_of_pairs(corpus):
    assert len(corpus.pairs("gender")) == 1584
    assert len(corpus.pairs("race")) == 144
    assert len(corpus.pairs("race per gender")) == 288


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("gender_female_minus_male", "gender"),
        ("race_AA_minus_EA", "race per gender"),
        ("race_african_american_minus_european_144", "race"),
    ],
)
@pytest.mark.parametrize("system", SYSTEMS)
def test_paired_test_agrees_with_scipy(cases, corpus, system, case, kind):
    assert_agrees(run(corpus, cases, system, kind), expected_numbers(cases / "eec_bias")[system][case])


@pytest.mark.parametrize(("case", "emotion"), EMOTIONS.items())
@pytest.mark.parametrize(("prefix", "kind"), [("gender", "gender"), ("race", "race per gender")])
@pytest.mark.parametrize("system", ["random", "model_anger", "constant_0.5"])
def test_paired_test_per_emotion_agrees_with_scipy(cases, corpus, system, prefix, kind, case, emotion):
    official = expected_numbers(cases / "eec_bias")[system][f"{prefix}_{case}"]

    assert_agrees(run(corpus, cases, system, kind, emotion), official)


@pytest.mark.parametrize(
    ("system", "group"),
    [
        ("constant_0.5", "equal"),
        ("random", "equal"),
        ("constant_0.25_female_0.375", "first_higher"),
        ("model_anger_female_plus_0.02", "first_higher"),
        ("model_anger", "second_higher"),
    ],
)
def test_system_falls_in_a_group_by_gender(cases, corpus, system, group):
    assert run(corpus, cases, system, "gender").group(assessments=438) == group
