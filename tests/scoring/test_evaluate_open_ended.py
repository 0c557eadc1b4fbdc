"""Ranked lists and texts through `manage.py evaluate`, by the examples of the documents, and to a board.

On the published cases every number is the official scorer's, and every bad file is refused at its place.
"""

import json
from math import log2
from pathlib import Path
from typing import Any

import pytest

from scoring.management.commands import evaluate as evaluate_command
from tests.conftest import CASES
from tests.scoring.test_evaluate import as_json

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
EXAMPLE_OF = {"trec_ranking": "ranking", "text_references": "translation"}
OF_PUBLISHED = pytest.mark.skipif(not (CASES / "trec_ranking").is_dir(), reason="needs ../shared/cases")
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\nq2 0 d3 1\nq3 0 d9 -1\nq3 0 d8 1\n"
RUN = "q1 Q0 d2 1 3.5 mine\nq2\tQ0\td3\t1\t0.5\tmine\nq1 Q0 d1 2 3.25 mine\nq2 Q0 d1 2 0.5 mine\n"
REFERENCES = ["A dog barks at the old gate.", "It rains again today.", "Nobody came."]
TEXTS = ["A dog barks at an old gate.", "It rains today.", ""]


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.setattr(evaluate_command, "DEFINITIONS", EXAMPLES)


def values(found: dict[str, Any], task: str) -> dict[str, float]:
    return {name: cell["value"] for name, cell in found["tasks"][task]["test"].items()}


def test_a_run_is_scored_in_the_order_of_its_scores_and_without_the_queries_it_leaves_out(examples, tmp_path):
    gold, run = tmp_path / "qrels.test", tmp_path / "results.test"
    gold.write_text(QRELS)
    run.write_text(RUN)

    found = values(as_json("ranking", "adhoc", "--gold", gold, "--predictions", run), "adhoc")

    # The relevant document of q1 is second. Those of q2 have equal scores, so that d3 comes before d1.
    assert found["recip_rank"] == pytest.approx((1 / 2 + 1) / 2)
    assert found["map"] == pytest.approx((1 / 2 + 1) / 2)
    assert found["ndcg_cut_10"] * 2 / 3 == pytest.approx(found["ndcg_cut_10_missing_as_0"])


OTHER_QRELS = {
    "with BEIR's header": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td1\t2\nq2\td3\t1\nq3\td9\t-1\n",
    "of three fields": "q2 d3 1\nq1 d1 1\nq1 d2 0\nq2 d1 2\nq3 d9 -1\n",
    "in JSON": '{"q1": {"d1": 1, "d2": 0},\n"q2": {"d3": 1, "d1": 2}, "q3": {"d9": -1}}',
}
OTHER_RUNS = {
    "of ranks": "q1\td2\t1\nq2\td3\t1\nq1\td1\t2\nq2\td1\t2\n",
    "in JSON": '{"q2": {"d1": 0.5, "d3": 0.5},\n "q1": {"d1": 3.25, "d2": 3.5}}',
}


@pytest.mark.parametrize("qrels", [QRELS, *OTHER_QRELS.values()], ids=["of TREC", *OTHER_QRELS])
@pytest.mark.parametrize("written", [RUN, *OTHER_RUNS.values()], ids=["of TREC", *OTHER_RUNS])
def test_runs_and_judgements_of_other_makes_are_the_same(examples, tmp_path, qrels, written):
    gold, run = tmp_path / "qrels.test", tmp_path / "results.test"
    gold.write_text(qrels)
    run.write_text(written)

    found = values(as_json("ranking", "adhoc", "--gold", gold, "--predictions", run), "adhoc")

    assert found["map"] == pytest.approx((1 / 2 + 1) / 2)
    # Of q2 the document of grade 1 stands before that of grade 2.
    of_q2 = (1 + 2 / log2(3)) / (2 + 1 / log2(3))
    assert found["ndcg_cut_10"] == pytest.approx((1 / log2(3) + of_q2) / 2)


@pytest.mark.parametrize(
    ("written", "line", "column", "code"),
    [
        ("q1 d2 1\nq1 d1 1\nq2 d1 1\n", 1, "rank", "number_out_of_range"),
        ("q1 d2 1\nq2 d1 12\nq2 d3 9\n", 2, "rank", "number_out_of_range"),
        ("q1 d2 1\nq2 d1 0.5\n", 2, "rank", "not_a_number"),
        ("q1 d2 1\nq1 d2 2\n", 2, "document", "document_twice"),
        ("q1 d2 1\nq1 d1 2\nq2 Q0 d3 1 0.5 mine\n", 3, None, "long_row"),
        ('{"q1": {"d1": 1},\n"q2": [["d1", 2]]}', 2, "q2", "json_wrong_type"),
        ('{"q1": {"d1": 1,\n"d2": "2"}}', 2, "q1", "json_wrong_type"),
        ('{"q1": {"d1": 1,\n"d1": 2}}', 2, "document", "document_twice"),
        ('{"q1": {"d1": 1,\n"d 2": 2}}', 2, None, "id_spelling"),
        ('{"q1": {"d1": 1},\n"q1": {"d2": 2}}', 2, None, "json_doubled_key"),
        ('{"q1": {"d1": NaN}}', 1, None, "number_not_finite"),
        ('{"q1": {"d1": 1e999}}', 1, "score", "number_not_finite"),
    ],
)
def test_a_fault_of_a_run_of_another_make_is_named_once(examples, tmp_path, written, line, column, code):
    gold, run = tmp_path / "qrels.test", tmp_path / "results.test"
    gold.write_text(QRELS)
    run.write_text(written)

    found = as_json("ranking", "adhoc", "--gold", gold, "--predictions", run, status=1)

    assert [(each["line"], each["column"], each["code"]) for each in found["problems"]] == [
        (line, column, code)
    ]


ANSWERS = """
id: answers
title: Answers
summary: Which comments answer a question?
url: https://example.org/answers
citation: Somebody, 2026.
bundle: {files: any}
tasks:
  - id: comments
    code: C
    title: Comments
    summary: Which comments answer a question?
    instructions: Rank the comments of each question.
    licence: CC0
    citation: Somebody, 2026.
    output: {kind: ranked_list}
    file:
      path: run.txt
      dialect: trec
      columns: [run, rank, comment, score, question, answers]
      id_column: question
      label_column: comment
    gold_file: {path: gold.txt, dialect: trec, columns: [query, document, rank, score, grade]}
    metrics: [{name: map, title: MAP}, {name: recip_rank, title: MRR}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 2}
    counting: latest
"""
JUDGED = "q1\td1\t1\t0.9\ttrue\nq1\td2\t2\t0.8\tfalse\nq2\td3\t1\t0.9\tfalse\nq2\td4\t2\t0.8\ttrue\n"
NAMED = "me\t0\td1\t0.1\tq1\ttrue\nme\t0\td2\t0.2\tq1\tfalse\nme\t0\td4\t0.7\tq2\tfalse\nme\t0\td3\t-1\tq2\ttrue\n"


@pytest.fixture
def answered(tmp_path):
    """Evaluates a run whose fields the definition names, against judgements of other fields."""

    def evaluated(run: str, status: int = 0) -> dict[str, Any]:
        for name, text in (("answers.yaml", ANSWERS), ("gold.txt", JUDGED), ("run.txt", run)):
            (tmp_path / name).write_text(text)
        files = ("--gold", tmp_path / "gold.txt", "--predictions", tmp_path / "run.txt")
        return as_json(str(tmp_path / "answers.yaml"), "comments", *files, status=status)

    return evaluated


@pytest.mark.parametrize(
    "above", ["", "run\trank\tcomment\tscore\tquestion\tanswers\n"], ids=["none", "names"]
)
def test_a_run_and_judgements_have_the_fields_that_a_definition_names(answered, above):
    # Of q1 the answer is second, of q2 first.
    assert values(answered(above + NAMED), "comments") == {"map": 0.75, "recip_rank": 0.75}


@pytest.mark.parametrize(
    ("wrong", "column", "code"),
    [
        ("me\t0\td1\t0.1\tq1", "answers", "short_row"),
        ("me\t0\td1\tbest\tq1\ttrue", "score", "not_a_number"),
        ("me\t0\td2\t0.1\tq1\ttrue", "comment", "document_twice"),
        ("me\t0\td1\t0.1\tq9\ttrue", "question", "unknown_id"),
    ],
)
def test_a_fault_in_fields_that_a_definition_names_is_told_by_these_names(answered, wrong, column, code):
    found = answered("\n".join([*NAMED.splitlines()[1:], wrong]), status=1)
    assert [(each["line"], each["column"], each["code"]) for each in found["problems"]] == [(4, column, code)]


@pytest.mark.parametrize(
    ("wrong", "line", "column", "code"),
    [
        ("q1 Q0 d2 1 3.5", 1, "tag", "short_row"),
        ("q1 Q0 d2 1 3.5 mine more", 1, None, "long_row"),
        ("q1 Q0 d2 1 inf mine", 1, "score", "number_not_finite"),
        ("q1 Q0 d2 1 three mine", 1, "score", "not_a_number"),
        ("q7 Q0 d2 1 3.5 mine", 1, "query", "unknown_id"),
        ("q1 Q0 d1 1 3.5 mine", 3, "document", "document_twice"),
        ("", 1, None, "blank_line"),
    ],
)
def test_a_wrong_line_of_a_run_is_named_once(examples, tmp_path, wrong, line, column, code):
    gold, run = tmp_path / "qrels.test", tmp_path / "results.test"
    gold.write_text(QRELS)
    run.write_text("\n".join([wrong, *RUN.split("\n")[1:]]))

    found = as_json("ranking", "adhoc", "--gold", gold, "--predictions", run, status=1)

    assert [(each["line"], each["column"], each["code"]) for each in found["problems"]] == [
        (line, column, code)
    ]


QUESTIONS = """
id: questions
title: Questions
summary: Which text answers a question?
url: https://example.org/questions
citation: Somebody, 2026.
bundle: {files: any}
tasks:
  - id: answers
    code: A
    title: Answers
    summary: Which text answers a question?
    instructions: Answer each question that the passage answers.
    licence: CC0
    citation: Somebody, 2026.
    output: {kind: text, unanswerable: true}
    file: {path: predictions.json, dialect: json_by_id}
    metrics: [{name: exact_match_squad, title: EM}, {name: token_f1_squad, title: F1}, {name: rouge1, title: R}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 2}
    counting: latest
"""
ANSWERED = {"q1": "The Tall Tree.", "q2": "", "q3": "a dog", "q4": "the"}


@pytest.mark.parametrize(
    ("q2", "q3", "q4"), [([], [""], ""), ("", [], [" "])], ids=["empty list first", "empty text first"]
)
def test_an_empty_text_is_right_where_gold_labels_say_that_there_is_no_answer(tmp_path, q2, q3, q4):
    gold = {"q1": ["tall tree", "tree"], "q2": q2, "q3": q3, "q4": q4}
    for name, text in (
        ("questions.yaml", QUESTIONS),
        ("gold.json", json.dumps(gold)),
        ("predictions.json", json.dumps(ANSWERED)),
    ):
        (tmp_path / name).write_text(text)
    files = ("--gold", tmp_path / "gold.json", "--predictions", tmp_path / "predictions.json")

    found = values(as_json(str(tmp_path / "questions.yaml"), "answers", *files), "answers")

    # Without case, articles and full stops q1 is right, and q4 is as empty as its gold label; q3 answers for nothing.
    assert (found["exact_match_squad"], found["token_f1_squad"]) == (0.75, 0.75)
    (tmp_path / "questions.yaml").write_text(QUESTIONS.replace(", unanswerable: true", ""))
    refused = as_json(str(tmp_path / "questions.yaml"), "answers", *files, status=1)
    assert {each["code"] for each in refused["problems"]} == {"empty_label"}


def test_texts_of_lines_are_scored_and_may_be_empty(examples, tmp_path):
    gold, texts = tmp_path / "gold.txt", tmp_path / "translation.txt"
    gold.write_text("".join(f"{text}\n" for text in REFERENCES))
    texts.write_text("".join(f"{text}\n" for text in TEXTS))

    found = values(
        as_json("translation", "wmt17_en_de", "--gold", gold, "--predictions", texts), "wmt17_en_de"
    )

    assert 0 < found["bleu"] < found["chrf"] < 100
    assert found["rouge1"] == pytest.approx((6 / 7 + 6 / 7 + 0) / 3)


def test_the_best_of_several_references_counts(examples, tmp_path):
    gold, texts = tmp_path / "references.jsonl", tmp_path / "e2e.jsonl"
    rows = [
        {"id": "1", "references": ["A pub.", "An inn\nby the river."]},
        {"id": "2", "references": "A café."},
    ]
    gold.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    texts.write_text('{"id": "2", "text": "A bar."}\n{"id": "1", "text": "An inn\\nby the river."}\n')

    found = values(as_json("translation", "e2e", "--gold", gold, "--predictions", texts), "e2e")

    assert found["exact_match"] == 0.5
    assert found["rougeL"] == pytest.approx((1 + 2 / 4) / 2)


# The published cases


def systems(case: str) -> list[str]:
    path = CASES / case / "expected.json"
    return list(json.loads(path.read_text("utf-8"))["systems"]) if path.is_file() else []


@pytest.mark.published
@OF_PUBLISHED
@pytest.mark.parametrize(
    ("case", "system"), [(case, system) for case in EXAMPLE_OF for system in systems(case)]
)
def test_published_files_give_the_official_numbers(examples, case, system):
    folder = CASES / case
    expected = json.loads((folder / "expected.json").read_text("utf-8"))["systems"][system]
    for task, numbers in expected.items():
        files = "--gold", folder / numbers["gold"], "--predictions", folder / numbers["pred"]
        found = values(as_json(EXAMPLE_OF[case], task, *files), task)
        assert found == {name: pytest.approx(numbers[name], abs=1e-9) for name in found}


@pytest.mark.published
@OF_PUBLISHED
@pytest.mark.parametrize("case", EXAMPLE_OF)
def test_bad_files_are_refused_at_their_places(examples, case):
    folder = CASES / case
    tasks = json.loads((folder / "expected.json").read_text("utf-8"))["tasks"]
    for bad in json.loads((folder / "bad" / "expected-problems.json").read_text("utf-8"))["files"]:
        files = "--gold", folder / tasks[bad["task"]]["gold"], "--predictions", folder / bad["file"]
        problem = as_json(EXAMPLE_OF[case], bad["task"], *files, status=1)["problems"][0]
        assert (problem["line"], problem["column"]) == (bad["line"], bad["column"])
