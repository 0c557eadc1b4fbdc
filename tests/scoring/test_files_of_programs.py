"""Files as programs write them for tasks of others: each is taken for what it is, or told once with what to do."""

import csv
import io
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from benchmarks.spec import BenchmarkSpec
from client.files.check_data import CheckData
from client.files.tables import upload_of
from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_file
from submissions.intake import ItemIds, Problem, SplitTarget, read_labels
from submissions.intake.predictions.repair import repaired
from tests.scoring.test_shared_task_shapes import benchmark, scores
from tests.uploads import zip_of

TABLE = {"dialect": "tsv", "id_column": "sentence_id", "label_column": "label"}
STANCES = "sentence_id\tlabel\n" + "".join(f"s{at}\t{'OBJ' if at % 2 else 'SUBJ'}\n" for at in range(6))


def stances(**of_file: Any) -> BenchmarkSpec:
    return benchmark(["f1_macro"], labels=["OBJ", "SUBJ"], file={"path": "subj.tsv"} | TABLE | of_file)


def told(spec: BenchmarkSpec, gold: str, answers: bytes | str) -> list[Problem]:
    """What is told of a file of answers."""
    with pytest.raises(FileRefused) as refused:
        scores(spec, gold, answers if isinstance(answers, str) else answers.decode())
    return list(refused.value.problems)


def quoted(text: str) -> str:
    """A table of tabs as pandas writes it with `quoting=csv.QUOTE_ALL`."""
    frame = pd.read_csv(io.StringIO(text), sep="\t", dtype=str)
    return str(frame.to_csv(sep="\t", index=False, quoting=csv.QUOTE_ALL))


def test_quotes_around_all_cells_between_tabs_are_told_once():
    (problem,) = told(stances(), STANCES, quoted(STANCES))

    assert (problem.line, problem.column, problem.code) == (1, None, "stray_quote")
    assert "without quotes" in problem.message


def test_quotes_around_all_cells_below_no_header_are_told_once():
    rows, in_quotes = (text.partition("\n")[2] for text in (STANCES, quoted(STANCES)))

    (problem,) = told(stances(headerless=True), rows, in_quotes)

    assert (problem.line, problem.code) == (1, "stray_quote")


@pytest.mark.parametrize("head", ["SENTENCE_ID\tLABEL", "sentence_id \t label"])
def test_other_names_of_columns_are_not_taken_for_quotes(head):
    (problem,) = told(stances(), STANCES, STANCES.replace("sentence_id\tlabel", head))

    assert problem.code == "header_spelling"


@pytest.mark.parametrize(
    ("entries", "is_taken"),
    [
        (["runs/final/subj.tsv"], True),
        (["runs/final/subj.tsv", "runs/.DS_Store", "__MACOSX/runs/final/._subj.tsv"], True),
        (["a/b/c/d/subj.tsv"], True),
        (["a/b/subj.tsv", "a/c/subj.tsv"], False),
    ],
)
def test_a_zip_may_have_folders_in_folders_around_its_files(entries, is_taken):
    spec = stances()
    data = zip_of({name: STANCES if name.endswith("/subj.tsv") else "" for name in entries})

    def score() -> Any:
        gold, answers = ("gold", STANCES.encode()), ("all.zip", data)
        return evaluate_file(spec, spec.tasks[0], gold=gold, predictions=answers).document["tasks"]["task"][
            "test"
        ]

    if is_taken:
        assert score()["f1_macro"]["value"] == 1
    else:
        with pytest.raises(FileRefused):
            score()


NUMBERS = "id,score\n" + "".join(f"a{at},0.{at}5\n" for at in range(1, 6))


def test_a_blank_beside_a_number_is_told_as_what_it_is():
    spec = benchmark(
        ["mae"], output={"kind": "number", "low": 0, "high": 1},
        file={"path": "y.csv", "id_column": "id", "label_column": "score"},
    )  # fmt: skip

    (problem,) = told(spec, NUMBERS, NUMBERS.replace("0.35\n", "0.35 \n"))

    assert (problem.line, problem.column) == (4, "score")
    assert "Remove the blanks" in problem.message
    assert "percent" not in problem.message


RUN = {"dialect": "tsv", "id_column": "post", "label_column": "documents"}
QRELS = "".join(f"q{at} 0 d{at} 1\n" for at in range(3))


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("['d1', 'd9', 'd8']", "json_wrong_type"),
        ('["d1", "d9"]', "json_wrong_type"),
        ("[]", "json_wrong_type"),
        ("d1, d9, d8", "label_spacing"),
        ("d1; d9", "label_spacing"),
    ],
)
def test_a_list_of_documents_as_programs_write_it_is_no_run_of_unknown_ones(written, code):
    spec = benchmark(
        ["recip_rank"], output={"kind": "ranked_list"}, file={"path": "run.tsv"} | RUN,
        gold_file={"path": "qrels.txt", "dialect": "trec"},
    )  # fmt: skip
    run = "post\tdocuments\nq0\td0 d9\nq1\td1 d9 d8\nq2\td2\n"

    assert scores(spec, QRELS, run) == [1.0]
    (problem,) = told(spec, QRELS, run.replace("d1 d9 d8", written))
    assert (problem.line, problem.column, problem.code) == (3, "documents", code)


CODES = "ID,CUIs\na1,C1;C2\na2,C2\na3,\n"
PARTED = {"path": "run.csv", "id_column": "ID", "label_column": "CUIs", "separator": ";"}


@pytest.mark.parametrize(
    ("output", "labels"), [({"kind": "many_labels"}, {"labels": ["C1", "C2"]}), ({"kind": "tuples"}, {})]
)
def test_a_list_as_python_writes_it_is_no_part_of_an_answer(output, labels):
    """Among texts that nobody listed it would be one, and score nothing without a word."""
    spec = benchmark(["f1_micro"], output=output, file=PARTED, **labels)

    (problem,) = told(spec, CODES, CODES.replace("C1;C2", "\"['C1', 'C2']\""))

    assert (problem.line, problem.column) == (2, "CUIs")
    assert "“;”" in problem.message


def test_a_missing_header_is_seen_above_cells_of_several_labels():
    spec = benchmark(["f1_micro"], output={"kind": "many_labels"}, labels=["C1", "C2"], file=PARTED)

    (problem,) = told(spec, CODES, CODES.partition("\n")[2])

    assert (problem.line, problem.code) == (1, "header_missing")


OBJECTS = [{"id": f"5{at}", "value": "YES" if at % 2 else "NO"} for at in range(4)]


@pytest.mark.parametrize(
    ("written", "line", "said"),
    [
        ("".join(f"{json.dumps(one)}\n" for one in OBJECTS), 1, "one list"),
        (json.dumps([one | {"id": int(one["id"])} for one in OBJECTS[:1]] + OBJECTS[1:]), 1, "in quotes"),
        (str(OBJECTS), 1, "double quotes"),
    ],
)
def test_what_is_no_list_of_objects_is_told_with_what_to_do(written, line, said):
    spec = benchmark(
        ["accuracy"], labels=["YES", "NO"],
        file={"path": "e.json", "dialect": "json_list", "id_column": "id", "label_column": "value"},
    )  # fmt: skip

    problem = told(spec, json.dumps(OBJECTS), written)[0]

    assert problem.line == line
    assert said in problem.message


def test_numbers_in_quotes_are_told_to_lose_them():
    spec = benchmark(
        ["accuracy"], labels=["0", "1"],
        file={"path": "p.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "label",
              "labels_as": "numbers"},
    )  # fmt: skip
    gold = "".join(json.dumps({"id": f"i{at}", "label": at % 2}) + "\n" for at in range(4))

    problems = told(spec, gold, gold.replace('"label": 1', '"label": "1"'))

    assert [(problem.line, problem.column) for problem in problems] == [(2, "label"), (4, "label")]
    assert all(problem.message.endswith("Write it without quotes.") for problem in problems)


@pytest.mark.parametrize("headerless", [False, True])
def test_quotes_between_tabs_are_taken_off_by_a_repair(headerless):
    spec = stances(headerless=headerless)
    rows, in_quotes = (text.partition("\n")[2] if headerless else text for text in (STANCES, quoted(STANCES)))
    targets = [SplitTarget(spec.tasks[0], "test", ItemIds(tuple(f"s{at}" for at in range(6))))]

    mended = repaired(in_quotes.encode(), file_name="subj.tsv", benchmark=spec, targets=targets)

    assert mended is not None
    assert mended.data == rows.encode()


CLAIMS = "id\tclaim\n" + "".join(f'c{at}\tShe said "no" {at} times.\n' for at in range(4))


def test_a_text_that_pandas_has_quoted_between_tabs_is_told_and_not_scored_with_its_quotes():
    spec = benchmark(
        ["exact_match"],
        output={"kind": "text"},
        file={"path": "c.tsv", "dialect": "tsv", "id_column": "id", "label_column": "claim"},
    )
    frame = pd.read_csv(io.StringIO(CLAIMS), sep="\t", quoting=csv.QUOTE_NONE)

    assert scores(spec, CLAIMS, CLAIMS.replace('She said "no" 1', '"Never", 1')) == [0.75]
    problems = told(spec, CLAIMS, frame.to_csv(sep="\t", index=False))

    assert [(problem.line, problem.column) for problem in problems] == [(at, "claim") for at in range(2, 6)]
    assert "QUOTE_NONE" in problems[0].message


TWEETS = [f"16200000000000{at}4567" for at in range(10, 14)]


def test_a_number_that_a_spreadsheet_has_rounded_is_told_as_one():
    spec = benchmark(
        ["accuracy"], labels=["0", "1"], file={"path": "t.csv", "id_column": "tweet", "label_column": "label"}
    )
    gold, rounded = (
        "tweet,label\n" + "".join(f"{tweet},1\n" for tweet in tweets)
        for tweets in (TWEETS, [f"{tweet[:15]}{'0' * (len(tweet) - 15)}" for tweet in TWEETS])
    )

    problem, *_ = told(spec, gold, rounded)

    assert (problem.line, problem.code) == (2, "unknown_id")
    assert "15 digits" in problem.message


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_the_line_that_tells_spreadsheets_the_separator_is_told_once(sign):
    spec = benchmark(["mae"], output={"kind": "number", "low": 0, "high": 1},
                     file={"path": "y.csv", "id_column": "id", "label_column": "score"})  # fmt: skip

    (problem,) = told(spec, NUMBERS, f"sep={sign}\n{NUMBERS}")

    assert problem.line == 1
    assert "Remove the line" in problem.message


OF_TWO_NUMBERS: dict[str, dict[str, Any]] = {
    "place": {"output": {"kind": "place", "columns": ["x", "y"]}},
    "soft_labels": {"output": {"kind": "soft_labels"}, "labels": ["x", "y"]},
    "label_subset": {"output": {"kind": "label_subset"}, "labels": ["x", "y"]},
}
WANTED: dict[str, list[Any]] = {
    "place": [(1, 0), (0, 1)],
    "soft_labels": [(1, 0), (0, 1)],
    "label_subset": [1, 2],
}
MEASURES = {"place": "mean_distance_km", "soft_labels": "manhattan_distance", "label_subset": "f1_macro"}


@pytest.mark.parametrize("kind", OF_TWO_NUMBERS)
def test_a_data_frame_or_a_mapping_with_two_numbers_an_item_makes_a_table(kind):
    file = {"path": "two.csv", "id_column": "id", "columns": ["id", "x", "y"]}
    spec = benchmark([MEASURES[kind]], file=file, **OF_TWO_NUMBERS[kind])
    target = SplitTarget(spec.tasks[0], "test", ItemIds(("a", "b")))
    frame = pd.DataFrame({"id": ["a", "b"], "x": [1, 0], "y": [0, 1]})

    of_frame, of_mapping = (
        upload_of(answers, CheckData(spec, (target,)), task="task")
        for answers in (frame, {"b": (0, 1), "a": np.array([1, 0])})
    )

    for upload in (of_frame, of_mapping):
        read = read_labels(upload.data, file_name="two.csv", target=target)
        assert (
            read.content_or(AssertionError).codes.tolist()
            == spec.tasks[0].output.array(WANTED[kind]).tolist()
        )
