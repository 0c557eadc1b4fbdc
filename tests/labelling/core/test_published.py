"""Answers of people that were published, and what was published of them."""

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from itertools import compress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.aggregation.ag2 import Ag2
from labelling.core.aggregation.dawid_skene import DawidSkeneFit, dawid_skene
from labelling.core.agreement import agreement_with_others, report_agreement
from labelling.core.answers import GivenAnswer, Work
from labelling.core.best_worst import (
    BestWorstAnswers,
    Reliability,
    best_worst_answers,
    best_worst_scores,
    split_half_reliability,
)
from labelling.core.cut_points import CutPoints, UnfitCutPoints
from labelling.core.quality import CheckRule
from tests.conftest import CASES
from tests.scoring.core.case_files import expected_numbers, read_jsonl, read_table

pytestmark = [
    pytest.mark.cases,
    pytest.mark.published,
    pytest.mark.skipif(not CASES.is_dir(), reason="The published cases are no part of the project."),
]

RUDDIT = CASES / "ruddit_bws"
RUDDIT_ITEMS = 6_000
SNOW = CASES / "snow2008_emotions"
OBSERVERS = CASES / "dawid_skene_1979"
DYNASENT = CASES / "dynasent_v1_1"
SENTIMENTS = ("positive", "negative", "neutral", "mixed")


def rows_of(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", newline="") as file:
        _header, *rows = csv.reader(file)
    return iter(rows)


def ruddit_row(row: list[str]) -> list[int]:
    """Four items, best and worst as numbers. The placeholder `g` stands for as many items as it is shown times."""
    shown, (best, worst) = row[:4], row[4:]
    numbers = [RUDDIT_ITEMS + place if item == "g" else int(item) for place, item in enumerate(shown)]
    last = len(shown) - 1 - shown[::-1].index(worst)
    return [*numbers, numbers[shown.index(best)], numbers[last]]


def as_answers(rows: list[list[int]], tuples: list[int]) -> BestWorstAnswers:
    table = np.array(rows)
    return BestWorstAnswers(np.array(tuples), table[:, :4], table[:, 4], table[:, 5])


@pytest.fixture(scope="module")
def ruddit_rows() -> list[list[str]]:
    return list(rows_of(RUDDIT / "answers.csv.gz"))


@pytest.fixture(scope="module")
def ruddit_work(ruddit_rows: list[list[str]]) -> Work:
    """The answers about tuples without a placeholder; items bear names that sort as their numbers do."""
    given, shown = [], {}
    for number, row in enumerate(row for row in ruddit_rows if "g" not in row):
        names = [f"{int(item):04}" for item in row]
        unit = "-".join(sorted(names[:4]))
        shown[unit] = tuple(sorted(names[:4]))
        given.append(GivenAnswer(unit, number, (names[4], names[5])))
    return Work((), shown, given)


def test_counts_of_all_answers_equal_the_published_scores(ruddit_rows):
    expected = expected_numbers(RUDDIT)
    published = [float(row[1]) for row in read_table(RUDDIT / "published_scores.csv", delimiter=",")]
    answers = as_answers([ruddit_row(row) for row in ruddit_rows], list(range(len(ruddit_rows))))

    scores = 2 * best_worst_scores(answers, RUDDIT_ITEMS + 4)[:RUDDIT_ITEMS] - 1

    assert len(ruddit_rows) == expected["rows"]
    assert np.abs(scores - published).max() <= 0.0005 + 1e-9
    assert scores.sum() == pytest.approx(expected["all_rows"]["sum"], abs=1e-9)
    assert scores[[0, 5_999]] == pytest.approx(
        [expected["all_rows"]["item_0"], expected["all_rows"]["item_5999"]], abs=1e-9
    )


def test_every_answer_that_names_one_item_as_best_and_worst_is_refused(ruddit_rows):
    impossible = [row for row in ruddit_rows if row[4] == row[5]]

    refused = 0
    for row in impossible:
        shown = {"t": tuple(row[:4])}
        with pytest.raises(ValueError, match="two different items"):
            best_worst_answers(Work((), shown, [GivenAnswer("t", 1, (row[4], row[5]))]))
        refused += 1
    assert refused == expected_numbers(RUDDIT)["rows_that_name_one_item_as_best_and_worst"] == 557


def test_the_rule_scores_tuples_without_placeholder_as_counted(ruddit_work):
    counted = [float(row[2]) for row in read_table(RUDDIT / "scores_plain.csv", delimiter=",")]

    values = AGGREGATION_RULES["best_worst_counts"].settle(ruddit_work, {}, Random(1))

    assert len(ruddit_work.answers) == expected_numbers(RUDDIT)["rows_without_placeholder"]
    assert list(values.values()) == pytest.approx(counted, abs=1e-9)


def test_halves_of_the_answers_agree_as_computed_elsewhere(ruddit_work):
    expected = expected_numbers(RUDDIT)["split_half_100_rounds"]["without_placeholder"]
    answers, items = best_worst_answers(ruddit_work)

    found = split_half_reliability(answers, len(items), np.random.default_rng(1), rounds=30)

    assert isinstance(found, Reliability)
    assert found.pearson == pytest.approx(expected["pearson"], abs=expected["tolerance"])
    assert found.spearman == pytest.approx(expected["spearman"], abs=expected["tolerance"])


@pytest.fixture(scope="module")
def emotions() -> Work:
    with (SNOW / "answers.csv").open(newline="") as file:
        (_, _, *labels), *rows = csv.reader(file)
    given = [
        GivenAnswer(row[0], int(row[1][1:]), tuple(compress(labels, (cell == "1" for cell in row[2:]))))
        for row in rows
    ]
    return Work(tuple(labels), {answer.unit: (answer.unit,) for answer in given}, given)


def test_ag2_labels_headlines_as_computed_elsewhere(emotions):
    expected = expected_numbers(SNOW)
    written: dict[str, Any] = {
        item: None if labels is None else tuple(label for label in labels if label != "neutral")
        for item, labels in expected["ag2"].items()
    }

    values = Ag2().settle(emotions, {}, Random(1))

    assert {
        item: tuple(sorted(value)) if isinstance(value, tuple) else value for item, value in values.items()
    } == written
    counts = expected["ag2_counts"]
    assert [figure.value for figure in Ag2().figures(emotions, {}, Random(1))] == [
        counts["labelled"], counts["neutral"], counts["set_aside"],
    ]  # fmt: skip


@pytest.fixture(scope="module")
def observed() -> DawidSkeneFit:
    rows = read_table(OBSERVERS / "answers.csv", delimiter=",")
    given = [GivenAnswer(f"{int(item):02}", int(worker), label) for item, worker, _, label in rows]
    return dawid_skene(Work(("1", "2", "3", "4"), {answer.unit: (answer.unit,) for answer in given}, given))


def test_dawid_and_skene_of_their_own_patients_has_every_number(observed):
    expected = expected_numbers(OBSERVERS)

    assert observed.class_shares == pytest.approx(expected["class_shares"], abs=1e-8)
    assert observed.error_rates == pytest.approx(
        np.array(expected["error_rates_worker_true_answer"]), abs=1e-8
    )
    assert observed.posterior == pytest.approx(np.array(expected["posterior"]), abs=1e-8)
    assert observed.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-8)
    assert [1 + int(shares.argmax()) for shares in observed.posterior] == expected["label"]


def test_shares_of_classes_are_those_that_were_published(observed):
    assert [round(share, 2) for share in observed.class_shares] == expected_numbers(OBSERVERS)[
        "published_class_shares"
    ]


def test_agreement_on_emotions_is_as_computed_elsewhere(emotions):
    expected = expected_numbers(SNOW)
    basic = ("anger", "fear", "joy", "sadness")

    found = report_agreement(emotions, means={"basic": basic})

    assert set(found.classes) == set(expected["agreement"])
    for name, figures in expected["agreement"].items():
        told = found.classes[name]
        assert told.pairs.value == pytest.approx(figures["pairs_agreeing"], abs=1e-9)
        assert told.fleiss.value == pytest.approx(figures["fleiss_kappa"], abs=1e-9)
        assert told.alpha.value == pytest.approx(figures["krippendorff_alpha"], abs=1e-9)
    for mean, figures in (
        (found.overall, expected["mean_over_7"]),
        (found.means["basic"], expected["mean_over_anger_fear_joy_sadness"]),
    ):
        assert mean.pairs.value == pytest.approx(figures["pairs_agreeing"], abs=1e-9)
        assert mean.fleiss.value == pytest.approx(figures["fleiss_kappa"], abs=1e-9)


def dynasent_work(split: str) -> Work:
    rows = read_jsonl(DYNASENT / "gold" / expected_numbers(DYNASENT)[split]["file"])
    numbers: dict[str, int] = {}
    given = [
        GivenAnswer(row["text_id"], numbers.setdefault(worker, len(numbers)), label)
        for row in rows
        for label, workers in row["label_distribution"].items()
        for worker in workers
    ]
    return Work(SENTIMENTS, {row["text_id"]: (row["text_id"],) for row in rows}, given)


@pytest.mark.parametrize(
    ("split", "never", "workers", "beyond"), [("round2_dev", 116, 244, 4), ("round2_test", 106, 240, None)]
)
def test_validators_agree_and_never_disagree_as_often_as_published(split, never, workers, beyond):
    work = dynasent_work(split)

    overall, found = report_agreement(work).overall, agreement_with_others(work)

    assert overall.fleiss.value == pytest.approx(
        expected_numbers(DYNASENT)[split]["fleiss_kappa_4cats"], abs=1e-9
    )
    assert len(found) == workers
    assert sum(each.agreed == each.compared for each in found) == never
    assert beyond is None or sum(each.is_beyond_rule for each in found) == beyond


@pytest.mark.parametrize("emotion", ["anger", "fear", "joy", "sadness"])
def test_cut_points_of_a_campaign_give_the_official_classes_of_its_tweets(emotion):
    intervals = expected_numbers(CASES / "ait2018_cut_points")[emotion]
    rows = read_table(CASES / "ait2018_ei_reg_en" / "gold" / f"2018-EI-reg-En-{emotion}-gold.txt")
    scores = {row[0]: float(row[3]) for row in rows if "mystery" not in row[0]}  # those were never scored

    def between(campaign: str) -> CutPoints:
        """Cuts where the next class begins: a score on a cut is in the class above."""
        classes = intervals[campaign]
        return CutPoints(
            campaign, tuple(map(int, classes)), tuple(classes[each]["smallest"] for each in list(classes)[1:])
        )

    own, earlier = between("dev_and_test"), between("train")
    official = {int(name): each["tweets"] for name, each in intervals["test"].items()}
    assert Counter(own.classes_of(scores, "dev_and_test").values()) == official
    assert Counter(earlier.classes_of(scores, "train").values()) != official
    with pytest.raises(UnfitCutPoints, match="another intensity"):
        earlier.classes_of(scores, "dev_and_test")


def test_the_eighty_percent_rule_drops_as_many_validators_as_published():
    workers = agreement_with_others(dynasent_work("round2_dev"), fewest_others=2)

    compared = [each for each in workers if each.compared]
    assert sum(CheckRule(0.2, least=1).excludes(each.agreed, each.compared) for each in workers) == 4
    assert sum(each.agreed == each.compared for each in compared) == 116
    assert len(workers) == 244
