"""`manage.py evaluate` on real files: official numbers for the acceptable ones, the place of the fault for the rest.

The expected refusals are ours: what the official scorers make of these files stands in `expected.json`.
"""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from benchmarks.spec import FileFormat
from catalogue.answers import Number
from scoring.management.commands import evaluate as evaluate_command
from submissions.intake import ItemIds, SplitTarget, read_labels
from tests.submissions.intake.kinds import task_of

EMOTIONS = ("anger", "fear", "joy", "sadness")


def evaluate(*arguments: object) -> dict[str, Any]:
    """What the command prints; it must not exit with an error."""
    out = io.StringIO()
    call_command("evaluate", *map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def first_problem(*arguments: object) -> tuple[str, int | None, str | None]:
    """Code, line and column of the first problem; the command must exit with status 1."""
    out = io.StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("evaluate", *map(str, arguments), "--json", stdout=out, stderr=io.StringIO())
    assert exit_.value.code == 1
    problem = json.loads(out.getvalue())["problems"][0]
    return problem["code"], problem["line"], problem["column"]


def values(result: dict[str, Any], task: str, split: str = "test") -> dict[str, float | None]:
    return {name: cell["value"] for name, cell in result["tasks"][task][split].items()}


def expected_in(folder: Path) -> dict[str, Any]:
    official: dict[str, Any] = json.loads((folder / "expected.json").read_text("utf-8"))
    return official


def assert_equal(found: dict[str, float | None], official: dict[str, float]) -> None:
    for name, number in official.items():
        value = found[name]
        assert value is not None, name
        assert abs(value - number) <= 1e-9, (name, value, number)


# RAFT


@pytest.mark.parametrize("system", ["model", "model_shuffled", "gold_as_pred", "majority", "random"])
def test_raft_files_give_the_official_numbers(cases, system):
    folder = cases / "raft_public_train50"
    official = expected_in(folder)["systems"][system]
    found = evaluate("raft", "--gold", folder / "gold", "--predictions", folder / "predictions" / system)
    for task, numbers in official.items():
        if not task.startswith("_"):
            own = {
                "accuracy": numbers["accuracy"],
                "f1_macro": numbers["f1_macro_official_sklearn_labels_seen"],
            }
            assert_equal(values(found, task), own)
    assert abs(found["aggregates"]["overall"]["value"] - official["_mean_over_11_tasks"]) <= 1e-9


# Affect in Tweets


@pytest.mark.parametrize(
    "system", ["model", "model_shuffled", "random", "constant_0.5", "constant_0.100", "constant_0.700"]
)
def test_emotion_intensities_give_the_official_numbers(cases, system):
    folder = cases / "ait2018_ei_reg_en"
    official = expected_in(folder)[system]
    found = evaluate("ait2018", "--gold", folder / "gold", "--predictions", folder / "predictions" / system)
    for emotion in EMOTIONS:
        numbers = official[emotion]
        keys = [key for key in ("pearson", "pearson_gold_ge_0.5") if numbers[key] is not None]
        assert_equal(values(found, f"EI-reg-en-{emotion}"), {key: numbers[key] for key in keys})
    bottom_line = found["aggregates"]["EI-reg-en"]
    assert abs(bottom_line["value"] - (official["macro_avg"]["pearson"] or 0.0)) <= 1e-9
    if official["macro_avg"]["pearson_gold_ge_0.5"] is not None:
        stratum = bottom_line["metrics"]["pearson_gold_ge_0.5"]["value"]
        assert abs(stratum - official["macro_avg"]["pearson_gold_ge_0.5"]) <= 1e-9
    assert found["aggregates"]["EI-oc-en"] == {"value": None, "undefined": "missing_task"} | {
        "metrics": found["aggregates"]["EI-oc-en"]["metrics"]
    }


def anger(cases: Path, system: str) -> tuple[object, ...]:
    folder = cases / "ait2018_ei_reg_en"
    return (
        "ait2018", "EI-reg-en-anger",
        "--gold", folder / "gold" / "2018-EI-reg-En-anger-gold.txt",
        "--predictions", folder / "predictions" / system / "EI-reg_en_anger_pred.txt",
    )  # fmt: skip


def test_a_prediction_constant_on_a_stratum_scores_0_there(cases):
    system = "edge_constant_only_on_gold_ge_0.5"
    official = expected_in(cases / "ait2018_ei_reg_en")[system]["anger"]
    found = values(evaluate(*anger(cases, system)), "EI-reg-en-anger")
    assert_equal(found, {"pearson": official["pearson"]})
    assert (
        official["pearson_gold_ge_0.5"] == pytest.approx(0, abs=1e-9) or not official["pearson_gold_ge_0.5"]
    )
    assert found["pearson_gold_ge_0.5"] == 0.0


SCORE = "Intensity Score"


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ("edge_duplicate_id_replaces_other", ("duplicate_id", 7, "ID")),
        ("edge_extra_row_unknown_id", ("unknown_id", 1304, "ID")),
        ("edge_inf_string", ("number_not_finite", 9, SCORE)),
        ("edge_missing_header", ("header_missing", 1, None)),
        ("edge_mystery_unknown_id_ignored", ("unknown_id", 1004, "ID")),
        ("edge_nan_strings", ("number_not_finite", 9, SCORE)),
        ("edge_one_row_missing", ("missing_ids", None, "ID")),
        ("edge_out_of_range", ("number_out_of_range", 26, SCORE)),
        ("edge_unparsable_NONE_becomes_0.5", ("not_a_number", 2, SCORE)),
    ],
)
def test_faulty_intensities_are_refused(cases, system, problem):
    assert first_problem(*anger(cases, system)) == problem


OFFICIAL_CLASSES = {
    "pearson": "pearson",
    "pearson_some": "pearson_some_emotion",
    "kappa_quadratic": "qwk",
    "kappa_quadratic_some": "qwk_some_emotion",
}


def valence(cases: Path, system: str, gold: str = "gold") -> tuple[object, ...]:
    folder = cases / "ait2018_v_oc_en"
    return (
        "ait2018", "V-oc-en",
        "--gold", folder / gold / "2018-Valence-oc-En-gold.txt",
        "--predictions", folder / "predictions" / system / "V-oc_en_pred.txt",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("system", "gold"),
    [
        *((system, "gold") for system in ("model", "model_shuffled", "majority", "random")),
        ("edge_bare_integers", "gold"),
        ("edge_never_predicts_top_class", "gold"),
        ("edge_two_labels_only", "gold"),
        ("edge_gold_missing_top_class", "gold_missing_top_class"),
    ],
)
def test_valence_classes_give_the_official_numbers(cases, system, gold):
    official = expected_in(cases / "ait2018_v_oc_en")[system]["valence"]
    found = values(evaluate(*valence(cases, system, gold)), "V-oc-en")
    assert_equal(found, {ours: official[theirs] for ours, theirs in OFFICIAL_CLASSES.items()})


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ("edge_duplicate_id_replaces_other", ("duplicate_id", 7, "ID")),
        ("edge_empty_label", ("empty_label", 5, "Intensity Class")),
        ("edge_float_label", ("class_without_number", 5, "Intensity Class")),
        ("edge_label_not_in_gold_9", ("class_out_of_range", 2, "Intensity Class")),
        ("edge_one_row_missing", ("missing_ids", None, "ID")),
    ],
)
def test_faulty_classes_are_refused(cases, system, problem):
    assert first_problem(*valence(cases, system)) == problem


def emotions(cases: Path, system: str) -> tuple[object, ...]:
    folder = cases / "ait2018_e_c_en"
    return (
        "ait2018", "E-c-en",
        "--gold", folder / "gold" / "2018-E-c-En-gold.txt",
        "--predictions", folder / "predictions" / system / "E-C_en_pred.txt",
    )  # fmt: skip


@pytest.mark.parametrize(
    "system",
    [
        "all_one",
        "all_zero",
        "edge_trust_never_predicted",
        "model",
        "model_shuffled",
        "random",
    ],
)
def test_emotion_subsets_give_the_official_numbers(cases, system):
    official = expected_in(cases / "ait2018_e_c_en")[system]["all"]
    own = {"jaccard": official["jaccard_accuracy"]} | {key: official[key] for key in ("f1_micro", "f1_macro")}
    assert_equal(values(evaluate(*emotions(cases, system)), "E-c-en"), own)


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ("edge_12_columns", ("short_row", 6, None)),
        ("edge_duplicate_id_replaces_other", ("duplicate_id", 7, "ID")),
        ("edge_float_cell_1.0", ("not_zero_or_one", 2, "trust")),
        ("edge_one_bad_cell_zeroes_row", ("not_zero_or_one", 2, "trust")),
        ("edge_unparsable_row_becomes_all_zero", ("not_zero_or_one", 2, "anger")),
        ("edge_value_2", ("not_zero_or_one", 6, "trust")),
    ],
)
def test_faulty_subsets_are_refused(cases, system, problem):
    assert first_problem(*emotions(cases, system)) == problem


# Stance


def fnc1(cases: Path, system: str) -> tuple[object, ...]:
    gold = "first2000.csv" if system.startswith("edge2000") else "competition_test_stances.csv"
    folder = cases / "fnc1"
    return (
        "stance", "fnc1", "--gold", folder / "gold" / gold,
        "--predictions", folder / "predictions" / f"{system}.csv",
    )  # fmt: skip


@pytest.mark.parametrize(
    "system",
    [
        "model_b", "model_a", "majority_unrelated",
        "edge2000_all_agree", "edge2000_model_b", "edge2000_never_disagree", "edge2000_random",
    ],
)  # fmt: skip
def test_fnc1_files_give_the_official_numbers(cases, system):
    official = expected_in(cases / "fnc1")[system]
    own = {key: official[key] for key in ("accuracy", "f1_macro", "f1_micro")}
    own |= {"fnc1": official["official_score"], "fnc1_relative": official["relative_percent"]}
    assert_equal(values(evaluate(*fnc1(cases, system)), "fnc1"), own)


def test_arc_takes_the_layout_of_fnc1(cases):
    stance, task, *files = fnc1(cases, "model_a")
    assert values(evaluate(stance, "arc", *files), "arc") == values(evaluate(stance, task, *files), "fnc1")


def test_fnc1_rows_may_stand_in_any_order(cases):
    shuffled = values(evaluate(*fnc1(cases, "edge2000_shuffled_rows")), "fnc1")
    assert shuffled == values(evaluate(*fnc1(cases, "edge2000_model_b")), "fnc1")


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ("edge2000_bad_header", ("header_names", 1, None)),
        ("edge2000_empty_label", ("empty_label", 7, "Stance")),
        ("edge2000_extra_200_rows", ("unknown_id", 2002, "Headline")),
        ("edge2000_label_uppercase", ("label_case", 7, "Stance")),
        ("edge2000_truncated_to_1500", ("missing_ids", None, "Headline")),
    ],
)
def test_faulty_fnc1_files_are_refused(cases, system, problem):
    assert first_problem(*fnc1(cases, system)) == problem


@pytest.mark.parametrize("system", ["majority", "random", "model"])
def test_perspectrum_files_give_the_official_numbers(cases, system):
    folder = cases / "mdl_stance_metrics"
    official = expected_in(folder)["perspectrum"][system]
    found = evaluate(
        "stance", "perspectrum", "--gold", folder / "gold",
        "--predictions", folder / "predictions" / f"perspectrum.{system}.csv",
    )  # fmt: skip
    own = {"f1_macro": official["F1_macro"], "f1_micro": official["F1_micro"], "accuracy": official["ACC"]}
    assert_equal(values(found, "perspectrum"), own)


def task_b(cases: Path, system: str) -> tuple[object, ...]:
    folder = cases / "semeval2016t6"
    return (
        "stance", "semeval2016t6b", "--gold", folder / "gold" / "SemEval2016-Task6-subtaskB-testdata-gold.txt",
        "--predictions", folder / "predictions" / f"{system}.txt",
    )  # fmt: skip


@pytest.mark.parametrize(
    "system",
    [
        "B_edge_UNKNOWN_label", "B_majority_AGAINST", "B_majority_NONE", "B_model_a.aligned", "B_never_FAVOR",
        "B_random", "B_model_b.aligned", "B_model_b.raw", "B_model_c.aligned",
        "B_model_c.raw",
    ],
)  # fmt: skip
def test_semeval_2016_files_give_the_official_numbers(cases, system):
    official = expected_in(cases / "semeval2016t6")[system]
    own = {"f1_favor_against": official["macro_f_favor_against"]}
    for label in ("FAVOR", "AGAINST"):
        own |= {f"{measure}_{label}": official[label][measure] for measure in ("f1", "precision", "recall")}
    assert_equal(values(evaluate(*task_b(cases, system)), "semeval2016t6b"), own)


def test_rows_are_matched_by_id_where_the_official_scorer_goes_by_position(cases):
    system = "B_edge_shuffled_perfect_rows"
    assert expected_in(cases / "semeval2016t6")[system]["macro_f_favor_against"] < 0.5
    assert values(evaluate(*task_b(cases, system)), "semeval2016t6b")["f1_favor_against"] == 1.0


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        ("B_edge_lowercase_label", ("label_case", 5, "Stance")),
        ("B_edge_no_header", ("header_missing", 1, None)),
        ("B_edge_one_row_missing", ("missing_ids", None, "ID")),
        ("B_model_a.raw", ("long_row", 2, None)),
    ],
)
def test_faulty_semeval_2016_files_are_refused(cases, system, problem):
    assert first_problem(*task_b(cases, system)) == problem


# RumourEval


def rumours(cases: Path, task: str, predictions: Path) -> tuple[object, ...]:
    gold = cases / "rumoureval2019" / "gold" / "final-eval-key.twitter-only.json"
    return "rumoureval2019", task, "--gold", gold, "--predictions", predictions


def restricted(cases: Path, system: str, folder: Path) -> Path:
    """The file without the Reddit ids, for which there are no gold labels here."""
    case = cases / "rumoureval2019"
    gold = json.loads((case / "gold" / "final-eval-key.twitter-only.json").read_text("utf-8"))
    found = json.loads((case / "predictions" / f"{system}.json").read_text("utf-8"))
    own = {
        key: {item: answer for item, answer in answers.items() if item in gold.get(key, {})}
        for key, answers in found.items()
    }
    path = folder / "answer.json"
    path.write_text(json.dumps(own, indent=0), "utf-8")
    return path


@pytest.mark.parametrize(
    "system",
    [
        "model_a", "model_b", "model_c",
        "model_d", "majority_comment_false", "perfect_conf1", "perfect_unverified_conf0",
        "random",
    ],
)  # fmt: skip
def test_rumoureval_files_give_the_official_numbers(cases, system, tmp_path):
    official = expected_in(cases / "rumoureval2019")[system]
    path = restricted(cases, system, tmp_path)
    a = values(evaluate(*rumours(cases, "A", path)), "A")
    b = values(evaluate(*rumours(cases, "B", path)), "B")
    assert_equal(a, {"accuracy": official["taskA_accuracy"], "f1_macro": official["taskA_macro_f1"]})
    own = {"accuracy": official["taskB_accuracy"], "rmse": official["taskB_rmse"]}
    assert_equal(b, own | {"f1_macro": official["taskB_macro_f1"]})


def test_both_subtasks_are_read_from_one_folder(cases, tmp_path):
    restricted(cases, "random", tmp_path)
    found = evaluate("rumoureval2019", "--gold", cases / "rumoureval2019" / "gold", "--predictions", tmp_path)
    assert set(found["tasks"]) == {"A", "B"}


@pytest.mark.parametrize(
    ("system", "task", "problem"),
    [
        ("edge_b_confidence_out_of_range", "B", ("number_out_of_range", 1073, "subtaskbenglish")),
        ("edge_b_three_values", "B", ("json_wrong_length", 1071, "subtaskbenglish")),
        ("edge_half_of_A_missing", "A", ("missing_ids", None, "subtaskaenglish")),
        ("edge_half_of_A_missing", "B", ("missing_ids", None, "subtaskbenglish")),
        ("edge_no_subtask_b", "B", ("json_missing_key", None, None)),
        ("edge_unknown_label_A", "A", ("unknown_label", 3, "subtaskaenglish")),
        ("model_d", "A", ("unknown_id", 4, "subtaskaenglish")),
    ],
)
def test_faulty_rumoureval_files_are_refused(cases, system, task, problem):
    path = cases / "rumoureval2019" / "predictions" / f"{system}.json"
    assert first_problem(*rumours(cases, task, path)) == problem


def test_a_subtask_that_was_not_asked_for_may_be_missing(cases):
    path = cases / "rumoureval2019" / "predictions" / "edge_no_subtask_b.json"
    official = expected_in(cases / "rumoureval2019")["edge_no_subtask_b"]
    own = {"accuracy": official["taskA_accuracy"], "f1_macro": official["taskA_macro_f1"]}
    assert_equal(values(evaluate(*rumours(cases, "A", path)), "A"), own)


# DynaSent

SETS = {
    "round1_test": ("round1", "dynasent-v1.1-round01-yelp-test.jsonl"),
    "round2_test": ("round2", "dynasent-v1.1-round02-dynabench-test.jsonl"),
    "round2_dev": ("round2", "dynasent-v1.1-round02-dynabench-dev.jsonl"),
}


def sentences(cases: Path, name: str, system: str) -> tuple[object, ...]:
    task, gold = SETS[name]
    folder = cases / "dynasent_v1_1"
    return (
        "dynasent", task, "--gold", folder / "gold" / gold,
        "--predictions", folder / "predictions" / f"{name}.{system}.csv",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("round1_test", "majority_positive"), ("round1_test", "model_0"), ("round1_test", "never_neutral"),
        ("round1_test", "model"), ("round2_dev", "model_1"),
        ("round2_test", "majority_positive"), ("round2_test", "model_1"), ("round2_test", "never_neutral"),
        ("round2_test", "model"),
    ],
)  # fmt: skip
def test_dynasent_files_give_the_official_numbers(cases, name, system):
    official = expected_in(cases / "dynasent_v1_1")[name]["systems"][system]
    own = {"f1_macro": official["macro_f1_over_3_labels"]}
    own |= {f"f1_{label}": numbers["f1"] for label, numbers in official["per_class"].items()}
    assert_equal(values(evaluate(*sentences(cases, name, system)), SETS[name][0]), own)


@pytest.mark.parametrize(("name", "line"), [("round1_test", 2), ("round2_test", 2)])
def test_a_label_outside_the_three_is_refused(cases, name, line):
    problem = first_problem(*sentences(cases, name, "predicts_mixed_sometimes"))
    assert problem == ("unknown_label", line, "prediction")


# Build It Break It


def pairs_file(cases: Path, builder: int, team: int) -> Path:
    (path,) = (cases / "bibi2017_sentiment" / "predictions" / f"Builder_Team_{builder}").glob(f"Team{team}_*")
    return path


def with_header(path: Path, folder: Path) -> Path:
    """A builder's file in the form the task asks for: three of seven left out the header, or the tabs."""
    rows = [line.split() for line in path.read_text("utf-8").splitlines()]
    rows = [row for row in rows if "sentence_id" not in row[0]]
    text = "".join("\t".join(row) + "\n" for row in [["sentence_id", "sentence", "label"], *rows])
    copy = folder / path.name
    copy.write_text(text, "utf-8")
    return copy


def pair_arguments(cases: Path, team: int, predictions: Path) -> tuple[object, ...]:
    gold = cases / "bibi2017_sentiment" / "gold" / f"Team{team}_breaker_test.tsv"
    return "bibi", "sentiment", "--gold", gold, "--predictions", predictions


@pytest.mark.parametrize("team", [1, 2])
@pytest.mark.parametrize("builder", range(1, 8))
def test_minimal_pairs_give_the_official_numbers(cases, builder, team, tmp_path):
    official = expected_in(cases / "bibi2017_sentiment")[f"B{builder}_vs_T{team}"]
    path = pairs_file(cases, builder, team)
    path = path if builder <= 3 else with_header(path, tmp_path)
    found = values(evaluate(*pair_arguments(cases, team, path)), "sentiment")
    own = {
        "accuracy": official["accuracy"],
        "f1_macro": official["macro_over_present_labels"]["f1"],
        "f1_weighted": official["weighted"]["f1"],
        "f1_-1": official["f1"][0],
        "f1_1": official["f1"][2],
        "pairs_both": official["pairs_both_correct"],
        "pairs_broken": official["pairs_exactly_one_correct"],
        "pairs_none": official["pairs_none_correct"],
    }
    assert_equal(found, own)


@pytest.mark.parametrize("builder", range(4, 8))
def test_a_file_of_pairs_without_header_is_refused(cases, builder):
    code, line, _ = first_problem(*pair_arguments(cases, 1, pairs_file(cases, builder, 1)))
    assert (code, line) in {("header_missing", 1), ("header_delimiter", 1), ("header_names", 1)}


@pytest.mark.parametrize(("team", "line"), [(3, 98), (4, 8)])
def test_a_gold_file_that_repeats_pairs_is_refused(cases, team, line):
    problem = first_problem(*pair_arguments(cases, team, pairs_file(cases, 1, team)))
    assert problem == ("duplicate_id", line, "sentence_id")


def test_a_folder_of_breaker_sets_is_scored_set_by_set(cases, tmp_path, monkeypatch):
    """Where the definition names the sets of a finished year."""
    dev = "      - {id: dev, title: Development data, file: sentiment_dev.tsv,"
    sets = [
        f'      - {{id: team{team}, title: T{team}, file: "Team{team}_*", gold_file: Team{team}_breaker_test.tsv}}\n'
        for team in (1, 2)
    ]
    definition = (evaluate_command.DEFINITIONS / "bibi.yaml").read_text("utf-8")
    assert dev in definition
    (tmp_path / "bibi.yaml").write_text(definition.replace(dev, "".join(sets) + dev), "utf-8")
    monkeypatch.setattr(evaluate_command, "DEFINITIONS", tmp_path)
    gold, predictions = tmp_path / "gold", tmp_path / "predictions"
    for folder in (gold, predictions):
        folder.mkdir()
    for team in (1, 2):
        source = cases / "bibi2017_sentiment" / "gold" / f"Team{team}_breaker_test.tsv"
        (gold / source.name).write_bytes(source.read_bytes())
        source = pairs_file(cases, 1, team)
        (predictions / source.name).write_bytes(source.read_bytes())
    found = evaluate("bibi", "--gold", gold, "--predictions", predictions)
    assert set(found["tasks"]["sentiment"]) == {"team1", "team2"}


@pytest.mark.parametrize("team", [3, 4])
@pytest.mark.parametrize("builder", range(1, 8))
def test_repeated_pairs_give_the_official_numbers_once_the_organiser_has_kept_one(
    cases, builder, team, tmp_path
):
    """The official scorer keeps the last row of an id, in the gold file and in the predictions."""
    official = expected_in(cases / "bibi2017_sentiment")[f"B{builder}_vs_T{team}"]
    source = cases / "bibi2017_sentiment" / "gold" / f"Team{team}_breaker_test.tsv"
    gold = tmp_path / source.name
    header, *rows = source.read_text("utf-8").splitlines()
    gold.write_text("\n".join([header, *last_of_each_id(rows)]), "utf-8")
    (tmp_path / "predictions").mkdir()
    predictions = with_header(pairs_file(cases, builder, team), tmp_path / "predictions")
    header, *rows = predictions.read_text("utf-8").splitlines()
    predictions.write_text("\n".join([header, *last_of_each_id(rows)]), "utf-8")
    found = values(evaluate("bibi", "sentiment", "--gold", gold, "--predictions", predictions), "sentiment")
    own = {"accuracy": official["accuracy"], "f1_macro": official["macro_over_present_labels"]["f1"]}
    own |= {"f1_weighted": official["weighted"]["f1"], "pairs_broken": official["pairs_exactly_one_correct"]}
    assert_equal(found, own)


def last_of_each_id(rows: list[str]) -> list[str]:
    return list({row.split("\t")[0]: row for row in rows}.values())


# The Equity Evaluation Corpus


@pytest.mark.parametrize("system", ["model_anger", "model_valence", "random", "constant_0.5"])
def test_scores_of_the_equity_corpus_are_read(cases, system):
    folder = cases / "eec_bias"
    with (folder / "gold" / "Equity-Evaluation-Corpus.csv").open(newline="", encoding="utf-8") as corpus:
        ids = [row["ID"] for row in csv.DictReader(corpus)]
    task = task_of(Number(0, 1), FileFormat("scores.csv", "ID", "score"))
    data = (folder / "predictions" / f"{system}.csv").read_bytes()
    target = SplitTarget(task, "equity", ItemIds(ids))
    read = read_labels(data, file_name="scores.csv", target=target)
    assert read.content is not None, read.problems
    assert len(read.content.codes) == 8640
