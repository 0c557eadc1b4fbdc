"""More shared tasks as their organisers would write them here, each number held against one that is made otherwise."""

import json

import numpy as np
import pytest
from sklearn.metrics import fbeta_score, mean_absolute_percentage_error, root_mean_squared_log_error

from benchmarks.spec.document import DefinitionError
from tests.scoring.test_shared_task_shapes import benchmark, scores

GOLD = np.array([1.0, 2.5, 4.0, 0.5, 8.0])
ANSWERS = np.array([1.5, 2.0, 4.0, 1.0, 6.0])


def numbers(values):
    return "id,y\n" + "".join(f"{at},{value}\n" for at, value in enumerate(values.tolist()))


def forecast(formula):
    return benchmark(
        [{"name": "error", "title": "Error", "formula": formula, "better": "lower", "range": [0, "any"]}],
        output={"kind": "number", "low": -100, "high": 100},
        file={"path": "y.csv", "id_column": "id", "label_column": "y"},
    )


FORECASTS = {
    "MAPE": ("relative_error / items", mean_absolute_percentage_error(GOLD, ANSWERS)),
    "RMSLE": ("sqrt(squared_log_error / items)", root_mean_squared_log_error(GOLD, ANSWERS)),
    "sMAPE of M4": (
        "100 * symmetric_error / items",
        np.mean(200 * np.abs(GOLD - ANSWERS) / (np.abs(GOLD) + np.abs(ANSWERS))),
    ),
    "WAPE": ("absolute_error / gold", np.abs(GOLD - ANSWERS).sum() / GOLD.sum()),
}


@pytest.mark.parametrize("what", FORECASTS)
def test_forecasts_are_scored_by_errors_relative_to_their_size(what):
    formula, wanted = FORECASTS[what]
    assert scores(forecast(formula), numbers(GOLD), numbers(ANSWERS)) == [pytest.approx(wanted, abs=1e-12)]


@pytest.mark.parametrize(
    ("formula", "gold", "answer", "wanted"),
    [
        ("relative_error / items", 0, 0, 0),
        ("relative_error / items", 0, 1, None),
        ("symmetric_error / items", 0, 0, 0),
        ("symmetric_error / items", 0, 1, 2),
        ("squared_log_error / items", 1, -1, None),
    ],
)
def test_an_error_that_would_divide_by_zero_has_no_value_unless_all_is_right(formula, gold, answer, wanted):
    rows = numbers(np.array([gold, 1])), numbers(np.array([answer, 1]))
    found = scores(forecast(formula), *rows)
    assert found == [wanted if wanted is None else wanted / 2]


EDITS = [[[0, 1, "a"], [2, 3, "b"]], [[1, 1, "the"]], []]
FOUND = [[[0, 1, "a"]], [[1, 1, "a"], [4, 5, ""]], [[0, 0, "x"]]]


def edits(lists):
    return "".join(f"{json.dumps({'id': str(at), 'edits': one})}\n" for at, one in enumerate(lists))


def of_edits(*metrics):
    return benchmark(
        list(metrics),
        output={"kind": "tuples", "parts": ["start", "end", "correction"]},
        file={"path": "e", "dialect": "json_lines", "id_column": "id", "label_column": "edits"},
    )


def flags(wanted, found):
    """Whether each different tuple of each item is gold, and whether it is predicted."""
    pairs = [
        (one in map(tuple, gold), one in map(tuple, answer))
        for gold, answer in zip(wanted, found, strict=True)
        for one in {*map(tuple, gold), *map(tuple, answer)}
    ]
    return zip(*pairs, strict=True)


@pytest.mark.parametrize("beta", ["0.5", "1", "2"])
def test_corrections_are_scored_by_f_beta(beta):
    """Grammatical error correction counts precision twice as much as recall: F0.5 of edits, as in BEA-2019."""
    gold, answers = flags(EDITS, FOUND)
    wanted = fbeta_score(list(gold), list(answers), beta=float(beta))
    assert scores(of_edits(f"f_beta[{beta}]"), edits(EDITS), edits(FOUND)) == [
        pytest.approx(wanted, abs=1e-12)
    ]


def test_detection_is_f_beta_of_the_places_alone():
    gold, answers = flags(
        [[one[:2] for one in item] for item in EDITS], [[one[:2] for one in item] for item in FOUND]
    )
    wanted = fbeta_score(list(gold), list(answers), beta=0.5)
    found = scores(of_edits("f_beta[0.5,start,end]"), edits(EDITS), edits(FOUND))
    assert found == [pytest.approx(wanted, abs=1e-12)]


@pytest.mark.parametrize("name", ["f_beta[0]", "f_beta[x]", "f_beta[0.5,where]", "f_beta[0.5,start,start]"])
def test_an_f_beta_that_means_nothing_is_a_mistake(name):
    with pytest.raises(DefinitionError, match="There is no metric"):
        of_edits(name)


SPANS = [[[0, 4], [10, 20]], [], [[3, 5]], []]
MARKED = [[[0, 4], [15, 25]], [], [], [[0, 1]]]


def test_hallucinated_spans_are_scored_by_intersection_over_union():
    """As in SemEval-2025 Task 3 (Mu-SHROOM), whose scorer takes sets of characters and 1 where both are empty."""

    def characters(spans):
        return {place for start, end in spans for place in range(start, end)}

    pairs = [(characters(gold), characters(found)) for gold, found in zip(SPANS, MARKED, strict=True)]
    wanted = np.mean([len(one & two) / len(one | two) if one or two else 1.0 for one, two in pairs])
    spec = benchmark(
        ["character_jaccard"],
        output={"kind": "character_spans"},
        file={"path": "e", "dialect": "json_lines", "id_column": "id", "label_column": "edits"},
    )
    assert scores(spec, edits(SPANS), edits(MARKED)) == [pytest.approx(wanted, abs=1e-12)]


def test_answers_to_list_questions_are_scored_question_by_question():
    """As in BioASQ: the mean over questions of precision, recall and F1 of the items of a list."""
    gold = [["aspirin", "ibuprofen"], ["TP53"], ["liver", "heart", "lung"]]
    found = [["aspirin"], ["TP53", "BRCA1"], ["brain"]]
    of_questions = []
    for wanted, named in zip(gold, found, strict=True):
        right = len({*wanted} & {*named})
        precision, recall = right / len(named), right / len(wanted)
        f1 = 2 * precision * recall / (precision + recall) if right else 0.0
        of_questions.append((precision, recall, f1))
    spec = benchmark(
        ["precision_samples", "recall_samples", "f1_samples"],
        output={"kind": "tuples", "ignore_case": True},
        file={"path": "a.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "items"},
    )

    numbers = scores(spec, in_lines(gold), in_lines(found))

    assert numbers == pytest.approx(np.mean(of_questions, axis=0).tolist(), abs=1e-12)


def test_parts_of_tuples_are_scored_item_by_item_too():
    spec = benchmark(
        ["f1_samples[start,end]", "f1_samples"],
        output={"kind": "tuples", "parts": ["start", "end", "text"]},
        file={"path": "a.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "items"},
    )

    assert scores(spec, in_lines(EDITS), in_lines(FOUND)) == pytest.approx([(2 / 3 + 2 / 3) / 3, (2 / 3) / 3])


def in_lines(lists):
    return "".join(f"{json.dumps({'id': str(at), 'items': one})}\n" for at, one in enumerate(lists))


def test_recommendations_are_scored_by_what_a_short_list_can_hold():
    """As on Kaggle: three relevant documents cannot all stand among the first two."""
    spec = benchmark(
        ["map_capped_2", "map_cut_2", "recall_capped_2"],
        output={"kind": "ranked_list"},
        file={"path": "run.txt", "dialect": "trec"},
        gold_file={"path": "qrels.txt", "dialect": "trec"},
    )
    gold = "".join(f"q1 0 d{at} 1\n" for at in (1, 2, 3)) + "q2 0 d9 1\n"
    run = "q1 Q0 d1 1 9 s\nq1 Q0 d2 2 8 s\nq1 Q0 d3 3 7 s\nq2 Q0 d8 1 9 s\nq2 Q0 d9 2 8 s\n"

    assert scores(spec, gold, run) == pytest.approx([(1 + 1 / 2) / 2, (2 / 3 + 1 / 2) / 2, 1.0])
