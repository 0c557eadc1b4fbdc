"""Examples of the documents through `manage.py evaluate`: probabilities, lists of labels, preferences, GLUE's shapes.

On the published cases every number is the official scorer's, and every bad file is refused at its place; those of
layouts are in tests/catalogue/layouts.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.spatial.distance import jensenshannon

from scoring.management.commands import evaluate as evaluate_command
from tests.conftest import CASES
from tests.scoring.test_evaluate import as_json, run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SYSTEMS = {
    "probabilities": ["logreg", "gaussian_nb", "forest", "uniform", "logreg_all_sure"],
    "many_labels": ["logreg", "logreg_threshold_0.2", "most_frequent", "nothing", "labels_in_other_order"],
    "pairs_preferred": [
        "gpt-3.5-turbo",
        "pandalm-7b",
        "longer",
        "always_1",
        "always_tie",
        "square_root_of_words",
    ],
    "layouts_one_label": ["svm", "svm_crlf", "svm_shuffled", "nb", "majority", "inverted", "all_zero"],
    "jsonl_superglue": ["overlap", "overlap_shuffled", "svm", "sliding_window", "majority", "random_seed11"],
}
BENCHMARKS = {"probabilities": "calibration", "many_labels": "tags", "pairs_preferred": "preferences"}
BENCHMARKS |= {"layouts_one_label": "glue", "jsonl_superglue": "superglue"}
TASKS = {"tumours": "tumours", "digits": "digits", "bibtex": "tags", "pandalm": "words"}
TASKS |= {"pandalm_scores": "scores"}
TASKS |= {task: task for task in ("cola", "mrpc", "RTE", "entails", "choice", "sense")}
IN_THE_CASES = {
    "f1_1": "f1_positive",
    "f1_macro": "f1_macro_seen",
    "mean[f1_macro,accuracy]": "mean_f1_macro_accuracy",
}
IN_THE_CASES |= {f"mean[f1_{positive},accuracy]": "mean_f1_accuracy" for positive in ("1", "true")}
OF_PUBLISHED = pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/cases")


@pytest.fixture(autouse=True)
def examples(monkeypatch):
    monkeypatch.setattr(evaluate_command, "DEFINITIONS", EXAMPLES)


def values(found: dict[str, Any], task: str) -> dict[str, float]:
    return {name: cell["value"] for name, cell in found["tasks"][task]["test"].items()}


def test_a_table_of_probabilities_is_scored(tmp_path):
    gold, answers = tmp_path / "gold.csv", tmp_path / "tumours.csv"
    gold.write_text("id,label\na,malignant\nb,benign\nc,malignant\nd,benign\n")
    answers.write_text("id,malignant,benign\nd,0.25,0.75\na,1,0\nb,0.5,0.5\nc,0.5,0.5\n")
    found = values(as_json("calibration", "tumours", "--gold", gold, "--predictions", answers), "tumours")
    assert (found["auroc"], found["brier"]) == (0.875, 0.140625)
    assert found["log_loss"] == pytest.approx(0.4184943)


def test_how_likely_each_label_is_is_scored(tmp_path):
    """By hand: of toxic 3 of 4 pairs are in order, of insult all; threat holds for nobody."""
    gold, answers = tmp_path / "gold.csv", tmp_path / "comments.csv"
    gold.write_text("id,toxic,insult,threat\na,1,1,0\nb,0,0,0\nc,1,0,0\nd,0,0,0\n")
    answers.write_text("id,toxic,insult,threat\nd,0.4,0.1,0\na,0.9,0.8,0.1\nb,0.5,0.2,0\nc,0.45,0.2,0\n")
    found = values(as_json("comments", "comments", "--gold", gold, "--predictions", answers), "comments")
    assert found["auroc_macro"] == (0.75 + 1) / 2
    assert found["average_precision_macro"] == pytest.approx(((1 + 2 / 3) / 2 + 1) / 2)
    assert found["lrap"] == 1


def test_gold_labels_of_which_any_number_hold_are_0_and_1(tmp_path):
    gold, answers = tmp_path / "gold.jsonl", tmp_path / "sounds.jsonl"
    all_sounds = ("rain", "birds", "cars", "voices")
    given = [{"id": item, "sounds": dict.fromkeys(all_sounds, 0.5)} for item in "ab"]
    answers.write_text("".join(json.dumps(line) + "\n" for line in given))
    gold.write_text('{"id": "a", "sounds": {"rain": 1}}\n{"id": "b", "sounds": {"rain": 0, "cars": 1}}\n')
    found = values(as_json("comments", "sounds", "--gold", gold, "--predictions", answers), "sounds")
    assert found["average_precision_macro"] == 0.5
    gold.write_text('{"id": "a", "sounds": {"rain": 1}}\n{"id": "b", "sounds": {"rain": 0.5}}\n')
    _, said = run("comments", "sounds", "--gold", gold, "--predictions", answers, status=1)
    assert "line 2: A label's cell must be 0 or 1." in said


def test_a_half_is_no_decision(tmp_path):
    """By hand: tp 2, fp 1, fn 1, two undecided, one right negative; the value 0.50 is one half too."""
    gold, answers = tmp_path / "truth.jsonl", tmp_path / "answers.jsonl"
    truth = dict(zip("abcdefg", [True, True, True, True, False, False, False], strict=True))
    given = dict(zip("abcdefg", ["0.9", "0.6", "0.5", "0.2", "0.50", "0.7", "0.1"], strict=True))
    lines = (json.dumps({"id": item, "same": same, "authors": ["x", "y"]}) for item, same in truth.items())
    gold.write_text("\n".join(lines))
    answers.write_text("".join(f'{{"id": "{item}", "value": {value}}}\n' for item, value in given.items()))
    found = values(
        as_json("verification", "same_author", "--gold", gold, "--predictions", answers), "same_author"
    )
    squares = [0.1, 0.4, 0.5, 0.8, 0.5, 0.7, 0.1]
    expected = {
        "auroc": (3 + 2 + 1.5 + 1) / 12,
        "c_at_1": (3 + 2 * 3 / 7) / 7,
        "f05u": 1.25 * 2 / (1.25 * 2 + 0.25 * (1 + 2) + 1),
        "f1_decided": 2 / 3,
        "brier_complement": 1 - sum(one * one for one in squares) / 7,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    overall = found["mean[auroc,c_at_1,f05u,f1_decided,brier_complement]"]
    assert overall == pytest.approx(sum(expected.values()) / 5)


def test_shares_of_people_are_scored(tmp_path):
    """The gold labels of the first item are votes, those of the second shares."""
    gold, answers = tmp_path / "gold.csv", tmp_path / "irony.csv"
    gold.write_text("id,none,some,strong\na,3,1,0\nb,0.33,0.33,0.33\n")
    answers.write_text("id,none,some,strong\nb,0,0.5,0.5\na,0.5,0.5,0\n")
    found = values(as_json("disagreements", "irony", "--gold", gold, "--predictions", answers), "irony")
    assert found["earth_movers_distance"] == pytest.approx((1 / 4 + 1 / 2) / 2)
    assert found["f1_macro"] == 1.0  # of the first item, since the second has no one label
    assert found["js_distance"] == pytest.approx(
        (jensenshannon([3, 1, 0], [1, 1, 0]) + jensenshannon([1, 1, 1], [0, 1, 1])) / 2
    )


def test_labels_that_nobody_gave_may_be_left_out_of_gold_labels_in_json(tmp_path):
    """As counts are written, and with shares; of answers every label is asked for, and of gold labels a sum of 1."""
    gold, answers = tmp_path / "gold.jsonl", tmp_path / "offence.jsonl"
    files = "--gold", gold, "--predictions", answers
    gold.write_text('{"id": "a", "soft_label": {"1": 4}}\n{"id": "b", "soft_label": {"0": 1.0}}\n')
    answers.write_text(
        '{"id": "a", "soft_label": {"0": 0.25, "1": 0.75}}\n{"id": "b", "soft_label": {"0": 1}}\n'
    )
    problem = as_json("disagreements", "offence", *files, status=1)["problems"][0]
    assert (problem["line"], problem["column"], problem["code"]) == (2, "soft_label", "json_missing_key")
    answers.write_text(answers.read_text().replace('{"0": 1}', '{"0": 1, "1": 0}'))
    found = values(as_json("disagreements", "offence", *files), "offence")
    assert found["manhattan_distance"] == 0.25
    for wrong, code in (
        ("{}", "probability_sum"),
        ('{"1": 0.5}', "probability_sum"),
        ('{"2": 4}', "json_unknown_key"),
    ):
        gold.write_text(f'{{"id": "a", "soft_label": {wrong}}}\n{{"id": "b", "soft_label": {{"0": 1.0}}}}\n')
        problem = as_json("disagreements", "offence", *files, status=1)["problems"][0]
        assert (problem["line"], problem["code"]) == (1, code)


def test_shares_that_do_not_add_up_are_refused_at_their_lines(tmp_path):
    gold, answers = tmp_path / "gold.csv", tmp_path / "irony.csv"
    gold.write_text("id,none,some,strong\na,3,1,0\nb,0.5,0.25,0.2\n")
    answers.write_text("id,none,some,strong\na,0.5,0.5,0.1\n")
    files = "--gold", gold, "--predictions", answers
    problem = as_json("disagreements", "irony", *files, status=1)["problems"][0]
    assert (problem["line"], problem["column"], problem["code"]) == (3, None, "probability_sum")
    assert "0.95" not in json.dumps(problem)  # nothing is told of gold labels
    gold.write_text("id,none,some,strong\na,3,1,0\n")
    problem = as_json("disagreements", "irony", *files, status=1)["problems"][0]
    assert (problem["line"], problem["found"], problem["code"]) == (2, "1.1", "probability_sum")


def test_lists_of_labels_are_scored(tmp_path):
    gold, answers = tmp_path / "gold.jsonl", tmp_path / "tags.jsonl"
    gold.write_text('{"id": "a", "labels": ["web", "biology"]}\n{"id": "b", "labels": []}\n')
    answers.write_text('{"id": "b", "labels": []}\n{"labels": ["biology"], "id": "a"}\n')
    found = values(as_json("tags", "tags", "--gold", gold, "--predictions", answers), "tags")
    assert found["f1_micro"] == pytest.approx(2 / 3)
    assert (found["exact_match"], found["hamming_loss"]) == (0.5, 0.1)


PREFERRED = {"a": ("1", "1"), "b": ("2", "1"), "c": ("tie", "2"), "d": ("2", "tie"), "e": ("tie", "tie")}


def as_words(folder: Path) -> dict[str, float]:
    gold, answers = folder / "gold.jsonl", folder / "preferred.jsonl"
    for file, which in ((gold, 0), (answers, 1)):
        lines = [json.dumps({"id": pair, "preferred": both[which]}) for pair, both in PREFERRED.items()]
        file.write_text("\n".join(lines))
    return values(as_json("preferences", "words", "--gold", gold, "--predictions", answers), "words")


def as_scores(folder: Path) -> dict[str, float]:
    """The words as scores: of any size and sign, written in any way."""
    gold, answers = folder / "gold.csv", folder / "scores.csv"
    written = {"1": "-1,-2.5", "2": "1e-3,900", "tie": "0.50,+.5"}
    gold.write_text(
        "".join(["id,preferred\n", *(f"{pair},{label}\n" for pair, (label, _) in PREFERRED.items())])
    )
    answers.write_text(
        "".join(
            ["id,score_1,score_2\n", *(f"{pair},{written[told]}\n" for pair, (_, told) in PREFERRED.items())]
        )
    )
    return values(as_json("preferences", "scores", "--gold", gold, "--predictions", answers), "scores")


@pytest.mark.parametrize("told", [as_words, as_scores])
def test_ties_of_preferences_count_as_each_metric_says(told, tmp_path):
    found = told(tmp_path)
    assert found["accuracy"] == 0.4
    assert found["accuracy_no_gold_ties"] == pytest.approx(1 / 3)  # a, of a, b and d
    assert found["accuracy_ties_half"] == pytest.approx(3 / 5)  # a and e, and half of c and d
    assert found["agreement_sign"] == 0  # a, against b
    assert (
        found["kendall_tau_b"] == 0
    )  # three pairs of items stand in the gold order, and three in the opposite one
    assert found["share_of_ties"] == 0.4


def test_a_score_that_is_none_is_refused_at_its_column(tmp_path):
    gold, answers = tmp_path / "gold.csv", tmp_path / "scores.csv"
    gold.write_text("id,preferred\na,1\nb,tie\n")
    answers.write_text("id,score_1,score_2\na,1,2\nb,3,high\n")
    files = "--gold", gold, "--predictions", answers
    problem = as_json("preferences", "scores", *files, status=1)["problems"][0]
    assert (problem["line"], problem["column"], problem["code"]) == (3, "score_2", "not_a_number")


def test_equal_scores_are_refused_where_there_are_no_ties(tmp_path, monkeypatch):
    text = (EXAMPLES / "preferences.yaml").read_text("utf-8").replace('["1", "2", tie]', '["1", "2"]')
    (tmp_path / "preferences.yaml").write_text(
        text.replace('    - {name: share_of_ties, title: Ties, formula: "predicted[tie] / items"}', ""),
        "utf-8",
    )
    monkeypatch.setattr(evaluate_command, "DEFINITIONS", tmp_path)
    gold, answers = tmp_path / "gold.csv", tmp_path / "scores.csv"
    gold.write_text("id,preferred\na,1\nb,2\n")
    answers.write_text("id,score_1,score_2\na,1,2\nb,1.0,1\n")
    files = "--gold", gold, "--predictions", answers
    problem = as_json("preferences", "scores", *files, status=1)["problems"][0]
    assert (problem["line"], problem["column"], problem["code"]) == (3, "score_2", "scores_equal")


def test_a_paraphrase_task_is_the_mean_of_two_metrics_and_the_overall_score_of_two_tasks(tmp_path):
    for folder, mrpc in (("gold", "1,1\n2,1\n3,0\n4,0\n"), ("answers", "4,0\n3,1\n2,1\n1,1\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cola.tsv").write_text("a\t1\nb\t0\n")
        (tmp_path / folder / "mrpc.csv").write_text(mrpc)
    found = as_json("glue", "--gold", tmp_path / "gold", "--predictions", tmp_path / "answers")
    assert values(found, "mrpc") == pytest.approx(
        {"mean[f1_1,accuracy]": 0.775, "f1_1": 0.8, "accuracy": 0.75}
    )
    assert found["aggregates"]["overall"]["value"] == pytest.approx((1 + 0.775) / 2)


@pytest.mark.parametrize(
    ("task", "gold", "answer"),
    [("entails", "true", '"true"'), ("choice", "3", "true")],
)
def test_answers_have_the_type_that_the_definition_names(tmp_path, task, gold, answer):
    for folder, label in (("gold", gold), ("answers", answer)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{task}.jsonl").write_text(f'{{"idx": 0, "label": {label}}}\n')
    files = (
        "--gold",
        tmp_path / "gold" / f"{task}.jsonl",
        "--predictions",
        tmp_path / "answers" / f"{task}.jsonl",
    )
    problem = as_json("superglue", task, *files, status=1)["problems"][0]
    assert (problem["line"], problem["column"]) == (1, "label")


@pytest.mark.parametrize(
    ("task", "sizes", "published"),
    [
        ("subtask_a", {"NOT": 620, "OFF": 240}, 0.4189),
        ("subtask_b", {"TIN": 213, "UNT": 27}, 0.4702),
        ("subtask_c", {"IND": 100, "GRP": 78, "OTH": 35}, 0.2130),
    ],
)
def test_a_constant_answer_scores_what_offenseval_published(tmp_path, task, sizes, published):
    """Zampieri et al. 2019 (doi:10.18653/v1/S19-2010): sizes of the test set and its baselines."""
    labels = [label for label, size in sizes.items() for _ in range(size)]
    gold, answers = tmp_path / "gold.csv", tmp_path / f"{task}.csv"
    gold.write_text("".join(f"{post},{label}\n" for post, label in enumerate(labels)))
    answers.write_text("".join(f"{post},{labels[0]}\n" for post in range(len(labels))))
    found = values(as_json("offenseval", task, "--gold", gold, "--predictions", answers), task)
    assert found["f1_macro"] == pytest.approx(published, abs=5e-5)


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path, monkeypatch) -> Path:
    """The folder of the case; its labels stand in the definition."""
    folder = CASES / str(request.param)
    if (folder / "labels.txt").is_file():
        labels = json.dumps((folder / "labels.txt").read_text("utf-8").split())
        text = (EXAMPLES / "tags.yaml").read_text("utf-8")
        example = "[statistics, networks, biology, programming, web]"
        assert example in text
        (tmp_path / "tags.yaml").write_text(text.replace(example, labels), "utf-8")
        monkeypatch.setattr(evaluate_command, "DEFINITIONS", tmp_path)
    return folder


@pytest.mark.published
@OF_PUBLISHED
@pytest.mark.parametrize(
    ("case", "system"), [(case, one) for case in SYSTEMS for one in SYSTEMS[case]], indirect=["case"]
)
def test_published_files_give_the_official_numbers(case, system):
    official = json.loads((case / "expected.json").read_text("utf-8"))["systems"][system]
    of_examples = {task: numbers for task, numbers in official.items() if task in TASKS}
    assert of_examples
    for task, numbers in of_examples.items():
        files = "--gold", case / numbers["gold"], "--predictions", case / numbers["pred"]
        found = values(as_json(BENCHMARKS[case.name], TASKS[task], *files), TASKS[task])
        expected = {name: numbers.get(name, numbers.get(IN_THE_CASES.get(name))) for name in found}
        if "share_of_ties" in found:
            expected["share_of_ties"] = numbers["predicted_ties"] / numbers["n"]
        assert found == {name: pytest.approx(number, abs=1e-9) for name, number in expected.items()}


@pytest.mark.published
@OF_PUBLISHED
@pytest.mark.parametrize("case", ["probabilities", "many_labels", "pairs_preferred"], indirect=True)
def test_bad_files_are_refused_at_their_places(case):
    tasks = json.loads((case / "expected.json").read_text("utf-8"))["tasks"]
    every = json.loads((case / "bad" / "expected-problems.json").read_text("utf-8"))["files"]
    for bad in (one for one in every if one["task"] in TASKS):
        files = "--gold", case / tasks[bad["task"]]["gold"], "--predictions", case / bad["file"]
        problem = as_json(BENCHMARKS[case.name], TASKS[bad["task"]], *files, status=1)["problems"][0]
        # A missing id stands on no line.
        assert (problem["line"] or bad["line"], problem["column"]) == (bad["line"], bad["column"])
