"""Shared tasks as their organisers would write them here: each number is held against one that is made otherwise."""

import json
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.metrics import f1_score, matthews_corrcoef, recall_score

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from client.files.check_data import CheckData
from client.files.tables import upload_of
from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_file
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.predictions.file_writer import sample_answers, write_predictions

TOPICS = 125  # as many as SemEval-2017 Task 4 B has in English
FRAME = {
    "id": "shapes",
    "title": "Shapes",
    "summary": "Tasks of others.",
    "url": "https://example.org/shapes",
    "citation": "Nobody, 2026.",
    "bundle": {"files": "any"},
    "phases": [
        {
            "id": "main",
            "title": "Main",
            "release": {"when": "at-close"},
            "lasts_days": 7,
            "quota": {"total": 3},
            "counting": "latest",
        }
    ],
}
WORDS = dict.fromkeys(("code", "title", "summary", "instructions", "licence", "citation"), "x")


def benchmark(metrics: list[Any], **task: Any) -> BenchmarkSpec:
    measured = [{"name": name, "title": name} if isinstance(name, str) else name for name in metrics]
    document = FRAME | {"tasks": [WORDS | {"id": "task", "metrics": measured} | task]}
    return load_definition(yaml.safe_dump(document, sort_keys=False), "shapes.yaml")


def scores(spec: BenchmarkSpec, gold: str, answers: str) -> list[float | None]:
    """The value of each metric in the order of the definition."""
    task = spec.tasks[0]
    found: dict[str, Any] = evaluate_file(
        spec, task, gold=("gold", gold.encode()), predictions=(task.file.path, answers.encode())
    ).document["tasks"]["task"]["test"]
    return [found[use.name]["value"] for use in task.metrics]


def problems(spec: BenchmarkSpec, gold: str, answers: str) -> list[tuple[int | None, str | None, str]]:
    """The line, column and code of each mistake."""
    with pytest.raises(FileRefused) as refused:
        scores(spec, gold, answers)
    return [(problem.line, problem.column, problem.code) for problem in refused.value.problems]


def test_recall_is_averaged_over_as_many_topics_as_a_shared_task_has():
    random = np.random.default_rng(1)
    topics = np.arange(20 * TOPICS) % TOPICS
    gold, answers = random.choice(["negative", "positive"], (2, len(topics)))
    spec = benchmark(
        ["mean_over[recall_macro,topic]"],
        labels=["negative", "positive"],
        file={"path": "b.csv", "id_column": "id", "label_column": "label"},
        gold_file={
            "path": "gold.csv",
            "columns": ["id", "topic", "label"],
            "id_column": "id",
            "label_column": "label",
            "group_columns": ["topic"],
        },
    )
    of_gold = "".join(
        f"{at},{topic},{label}\n" for at, (topic, label) in enumerate(zip(topics, gold, strict=True))
    )
    of_answers = "".join(f"{at},{label}\n" for at, label in enumerate(answers))

    found = scores(spec, f"id,topic,label\n{of_gold}", f"id,label\n{of_answers}")

    of_topics = [
        recall_score(gold[topics == topic], answers[topics == topic], average="macro")
        for topic in range(TOPICS)
    ]
    assert found == [pytest.approx(np.mean(of_topics), abs=1e-12)]


TAGS = [["OK", "BAD", "OK", "OK"], ["BAD", "OK"], ["OK"]]
FOUND = [["OK", "OK", "BAD", "OK"], ["BAD", "BAD"], ["OK"]]


NUMBERS = [[0, 1, 1], [1], [0, 0]]
CHANGED = [[0, 0, 1], [1], [0, 1]]


def in_lines(lists: list[list[Any]]) -> str:
    return "".join(f"{json.dumps({'id': str(at), 'tags': one})}\n" for at, one in enumerate(lists))


def tagged(metrics: list[Any], labels: list[str], **of_file: Any) -> BenchmarkSpec:
    file = {"path": "tags.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "tags"}
    return benchmark(metrics, labels=labels, output={"kind": "token_labels"}, file=file | of_file)


def test_tags_of_words_are_scored_as_tasks_of_quality_estimation_do():
    gold, found = (list(chain.from_iterable(lists)) for lists in (TAGS, FOUND))
    of_ok, of_bad = f1_score(gold, found, average=None, labels=["OK", "BAD"])
    formula = (
        "ratio(2 * right[OK], predicted[OK] + gold[OK]) * ratio(2 * right[BAD], predicted[BAD] + gold[BAD])"
    )
    metrics = [
        "mcc",
        "f1_BAD",
        "f1_macro[OK,BAD]",
        {"name": "multiplied", "title": "F1-mult", "formula": formula},
        {"name": "bad", "title": "Share of BAD", "formula": "predicted[BAD] / tokens"},
    ]

    numbers = scores(tagged(metrics, ["OK", "BAD"]), in_lines(TAGS), in_lines(FOUND))

    wanted = [matthews_corrcoef(gold, found), of_bad, (of_ok + of_bad) / 2, of_ok * of_bad, 3 / 7]
    assert numbers == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("dialect", ["json_lines", "json_list"])
def test_lists_may_hold_labels_that_are_numbers(dialect):
    spec = tagged(["f1_macro"], ["0", "1"], dialect=dialect, labels_as="numbers")
    of_lines = (lambda text: text) if dialect == "json_lines" else in_a_list
    gold, found = (list(chain.from_iterable(lists)) for lists in (NUMBERS, CHANGED))

    numbers = scores(spec, of_lines(in_lines(NUMBERS)), of_lines(in_lines(CHANGED)))

    assert numbers == pytest.approx([f1_score(gold, found, average="macro")], abs=1e-12)
    in_quotes = in_lines([[0, 0, 1], [1], ["0", 1]])
    line = 3 if dialect == "json_lines" else 1
    assert problems(spec, of_lines(in_lines(NUMBERS)), of_lines(in_quotes)) == [
        (line, "tags", "json_wrong_type")
    ]


def in_a_list(lines: str) -> str:
    return f"[{', '.join(lines.splitlines())}]"


# A row for each part of an answer

SPANS = {
    "path": "si.tsv",
    "dialect": "long_tsv",
    "columns": ["article", "start", "end"],
    "id_column": "article",
}
OF_ARTICLES = "111\t0\t40\n111\t60\t90\n222\t3\t50\n333\t\t\n"


def propaganda() -> BenchmarkSpec:
    """Span identification, as in SemEval-2020 Task 11: articles without spans have no rows in the answers."""
    metrics = ["partial_f1", "partial_precision", "partial_recall"]
    return benchmark(metrics, output={"kind": "character_spans"}, file=SPANS | {"headerless": True})


def test_spans_of_articles_may_stand_a_row_each_in_any_order():
    numbers = scores(propaganda(), OF_ARTICLES, "111\t0\t20\n222\t3\t50\n111\t70\t95\n")

    precision, recall = (1 + 1 + 20 / 25) / 3, (1 / 2 + 20 / 30 + 1) / 3
    assert numbers == pytest.approx([2 * precision * recall / (precision + recall), precision, recall])


def test_an_article_without_a_row_has_no_span():
    left_out = scores(propaganda(), OF_ARTICLES, "222\t3\t50\n")

    said = scores(propaganda(), OF_ARTICLES, "333\t\t\n222\t3\t50\n111\t\t\n")

    assert left_out == said == pytest.approx([1 / 2, 1, 1 / 3])


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ("111\t0\t20\n444\t3\t50\n444\t60\t70\n", [(2, "article", "unknown_id")]),
        ("111\tx\t20\n222\t1.0\t9\n", [(1, "start", "not_a_number"), (2, "start", "not_a_number")]),
        ("111\t0\t20\n222\t9\t4\n", [(2, "start", "number_out_of_range")]),
        ("111\t0\t20\n\n222\t9\t14\n", [(2, None, "blank_line")]),
        (
            "111\t0\t20\n111\t\t\n222\t\t\n222\t\t\n",
            [(2, "start", "empty_label"), (4, "start", "empty_label")],
        ),
        ("111\t0\t20\n222\t9\n", [(2, None, "short_row")]),
        ("111,0,20\n", [(1, None, "short_row")]),
        ("article\tstart\tend\n111\t0\t20\n", [(1, None, "header_repeated")]),
    ],
)
def test_each_mistake_in_rows_of_spans_is_told_once_where_it_stands(answers, wanted):
    assert problems(propaganda(), OF_ARTICLES, answers) == wanted


def test_spans_with_types_may_have_texts_beside_them():
    """As in ProfNER and SMM4H, whose rows end with the text of the mention."""
    columns = ["tweet_id", "begin", "end", "type", "extraction"]
    spec = benchmark(
        ["span_f1"],
        output={"kind": "character_spans", "types": ["JOB", "STATE"], "keys": ["begin", "end", "type"]},
        file=SPANS | {"columns": columns, "id_column": "tweet_id"},
    )
    header = "\t".join(columns) + "\n"
    gold = f"{header}1\t0\t4\tJOB\tcook\n1\t10\t14\tSTATE\tidle\n2\t\t\t\t\n"

    assert scores(spec, gold, f"{header}1\t0\t4\tJOB\t-\n1\t10\t14\tJOB\t-\n") == [0.5]
    wrong = f"{header}1\t0\t4\tJOBS\t-\n1\t10\t14\t\t-\n"
    assert problems(spec, gold, wrong) == [(2, "type", "unknown_label"), (3, "type", "unknown_label")]


def test_relations_of_abstracts_may_stand_a_row_each():
    """As in BioCreative V CDR: pairs of a chemical and a disease in an abstract."""
    spec = benchmark(
        ["f1_micro", "precision_micro", "recall_micro"],
        output={"kind": "tuples", "parts": ["chemical", "disease"]},
        file={
            "path": "cdr.csv",
            "dialect": "long_csv",
            "columns": ["pmid", "chemical", "disease"],
            "id_column": "pmid",
        },
    )
    gold = "pmid,chemical,disease\n1,D1,D2\n1,D1,D3\n2,D5,D6\n3,,\n"

    numbers = scores(spec, gold, 'pmid,chemical,disease\n2,D5,D7\n1,"D1",D2\n2,D5,D6\n1,D1,D2\n')

    assert numbers == pytest.approx([2 / 3, 2 / 3, 2 / 3])


def test_codes_of_documents_may_stand_a_row_each():
    """As in CodiEsp (CLEF eHealth 2020)."""
    spec = benchmark(
        ["f1_micro"],
        labels=["a1", "b2", "c,3"],
        output={"kind": "many_labels"},
        file={"path": "codes.csv", "dialect": "long_csv", "id_column": "document", "label_column": "code"},
    )
    gold = 'document,code\n1,a1\n1,b2\n2,"c,3"\n'

    assert scores(spec, gold, 'document,code\n1,a1\n2,b2\n2,"c,3"\n') == pytest.approx([2 / 3])
    twice = "document,code\n1,a1\n2,x9\n1,a1\n"
    assert sorted(problems(spec, gold, twice)) == [(3, "code", "unknown_label"), (4, "code", "label_twice")]


@pytest.mark.parametrize(
    ("output", "mistake"),
    [
        (
            {"kind": "character_spans", "written": "positions"},
            "long_tsv holds lists of labels, ranges and tuples",
        ),
        ({"kind": "tuples", "parts": ["chemical"]}, "the column 'chemical' is missing"),
        ({"kind": "text"}, "a text is read from other dialects"),
    ],
)
def test_what_has_no_parts_or_no_columns_for_them_is_a_mistake(output, mistake):
    with pytest.raises(DefinitionError, match=mistake):
        benchmark(["exact_match"], output=output, file=SPANS | {"label_column": "start"})


def test_a_sample_of_a_long_table_can_be_read():
    spec = propaganda()
    ids = ItemIds(("111", "222"))

    sample = write_predictions(spec.tasks[0], ids.ids, sample_answers(spec.tasks[0].output, 2))

    read = read_labels(sample, file_name="si.tsv", target=SplitTarget(spec.tasks[0], "test", ids))
    assert read.content_or(AssertionError).codes.tolist() == ["[]", "[]"]


def test_a_data_frame_or_a_mapping_makes_a_long_table():
    spec, ids = propaganda(), ItemIds(("111", "222", "333"))
    target = SplitTarget(spec.tasks[0], "test", ids)
    material = CheckData(spec, (target,))
    frame = pd.DataFrame({"article": ["111", "222", "111"], "start": [0, 3, 60], "end": [4, 50, 90]})

    of_frame = upload_of(frame, material, task="task")
    of_mapping = upload_of({"222": [(3, 50)], "111": [[60, 90], [0, 4]], "333": []}, material, task="task")

    for upload in (of_frame, of_mapping):
        read = read_labels(upload.data, file_name="si.tsv", target=target)
        assert read.content_or(AssertionError).codes.tolist() == ["[[0,4],[60,90]]", "[[3,50]]", "[]"]


def test_attachment_scores_are_f1_of_rows_of_tokens():
    """As in the CoNLL shared tasks on dependencies, where tokens are given."""
    random = np.random.default_rng(5)
    lengths = [4, 1, 7]
    gold, found = (
        [
            (f"s{sentence}", token, int(random.integers(3)), str(random.choice(["nsubj", "obj"])))
            for sentence, length in enumerate(lengths)
            for token in range(1, length + 1)
        ]
        for _ in range(2)
    )
    spec = benchmark(
        ["f1_micro", "f1_micro[token,head]", "exact_match"],
        output={"kind": "tuples", "parts": ["token", "head", "relation"]},
        file={"path": "trees.tsv", "dialect": "long_tsv", "id_column": "sentence"},
    )

    def written(rows: list[tuple[Any, ...]]) -> str:
        return "".join(
            "\t".join(map(str, row)) + "\n" for row in [("sentence", "token", "head", "relation"), *rows]
        )

    las, uas, trees = scores(spec, written(gold), written(found))

    pairs = list(zip(gold, found, strict=True))
    assert las == pytest.approx(np.mean([one[2:] == other[2:] for one, other in pairs]))
    assert uas == pytest.approx(np.mean([one[2] == other[2] for one, other in pairs]))
    of_sentences = [
        all(one == other for one, other in pairs if one[0] == f"s{sentence}")
        for sentence in range(len(lengths))
    ]
    assert trees == pytest.approx(np.mean(of_sentences))


HEADS = {
    "kind": "tuples",
    "parts": ["token", "head", "relation"],
    "values": {"token": "whole_numbers", "head": "whole_numbers"},
}
TREES = {"path": "trees.tsv", "dialect": "long_tsv", "id_column": "sentence"}
TREE = "sentence\ttoken\thead\trelation\ns1\t1\t2\tnsubj\ns1\t2\t0\troot\n"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("2.0", "Write 2. Programs write a point where a column of numbers has an empty cell."),
        ("02", "Write 2."),
        ("+2", "Write 2."),
        (" 2", "Write 2."),
        ("2e0", "Write 2."),
        ("-0", "Write 0."),
        ("", "Write a whole number."),
        ("two", "Write a whole number."),
        ("2.5", "Write a whole number."),
        ("nan", "Write a whole number."),
        ("1" * 400, "Write a whole number."),
    ],
)
def test_whole_numbers_that_are_written_otherwise_are_refused_and_not_just_wrong(written, told):
    """As pandas writes heads of tokens once one of them is missing: 2.0 in place of 2 was no head of any tree."""
    spec = benchmark(["f1_micro"], output=HEADS, file=TREES)
    answers = TREE.replace("s1\t1\t2\t", f"s1\t1\t{written}\t")
    with pytest.raises(FileRefused) as refused:
        scores(spec, TREE, answers)
    (problem,) = refused.value.problems
    assert (problem.line, problem.column, problem.code) == (2, "head", "not_a_number")
    assert problem.message.endswith(told)


def test_whole_numbers_may_stand_in_json_as_numbers_and_as_texts_and_below_zero():
    spec = benchmark(
        ["f1_micro"],
        output=HEADS,
        file={"path": "trees.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "tree"},
    )
    gold = '{"id": "s1", "tree": [[1, 2, "nsubj"], [2, -1, "root"]]}\n'
    assert scores(spec, gold, gold.replace("2,", '"2",').replace("-1", '"-1"')) == [1.0]
    assert problems(spec, gold, gold.replace("-1", "1.0")) == [(1, "tree", "json_wrong_type")]
    assert problems(spec, gold, gold.replace("-1", '"1.0"')) == [(1, "tree", "not_a_number")]


def test_answers_made_up_of_whole_numbers_are_taken():
    spec = benchmark(["f1_micro"], output=HEADS, file=TREES)
    target = SplitTarget(spec.tasks[0], "test", ItemIds(("s1", "s2")))
    answers = spec.tasks[0].output.examples(2, np.random.default_rng(1))
    sample = write_predictions(spec.tasks[0], target.ids.ids, answers)
    assert read_labels(sample, file_name="trees.tsv", target=target).content is not None


# Labels that are kinds of others, lists in an order, items without a label

TECHNIQUES = ["Doubt", "Loaded words", "Name calling", "Smears"]
KINDS_OF = {
    "Name calling": "Ad hominem",
    "Smears": ["Ad hominem"],
    "Doubt": "Ad hominem",
    "Ad hominem": "Ethos",
}


def test_labels_that_are_near_in_a_hierarchy_count_for_something():
    """As in SemEval-2024 Task 4: micro averages over labels and all that they are kinds of."""
    spec = benchmark(
        ["hierarchical[f1_micro]", "hierarchical[precision_micro]", "hierarchical[recall_micro]", "f1_micro"],
        labels=TECHNIQUES,
        output={"kind": "many_labels", "parents": KINDS_OF},
        file={"path": "t.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "tags"},
    )
    gold = in_lines([["Smears"], [], ["Loaded words", "Doubt"]])
    found = in_lines([["Name calling"], ["Loaded words"], ["Loaded words", "Smears"]])

    # Right are Ad hominem and Ethos, nothing, and Loaded words, Ad hominem and Ethos.
    right, predicted, wanted = 2 + 3, 3 + 1 + 4, 3 + 4
    assert scores(spec, gold, found) == pytest.approx(
        [2 * right / (predicted + wanted), right / predicted, right / wanted, 2 * 1 / (4 + 3)]
    )


@pytest.mark.parametrize(
    ("parents", "mistake"),
    [
        (KINDS_OF | {"Ethos": "Smears"}, "is a kind of itself"),
        ({"Smear": "Ethos"}, "'Smear' is neither a label nor what another label is a kind of"),
        (["Smears"], "expected a mapping"),
        ({"Smears": 3}, "expected a mapping"),
    ],
)
def test_a_hierarchy_that_is_none_is_a_mistake(parents, mistake):
    with pytest.raises(DefinitionError, match=mistake):
        benchmark(
            ["f1_micro"],
            labels=TECHNIQUES,
            output={"kind": "many_labels", "parents": parents},
            file={"path": "t.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "tags"},
        )


def test_codes_may_be_ranked_by_the_order_of_their_lines():
    """As in CodiEsp, whose runs have a document and a code a line, the best first."""
    spec = benchmark(
        ["map", "f1_2"],
        output={"kind": "ranked_list"},
        file={
            "path": "codes.tsv",
            "dialect": "trec",
            "columns": ["document", "code"],
            "id_column": "document",
            "label_column": "code",
        },
        gold_file={"path": "codes.qrels", "dialect": "trec"},
    )
    gold = "1 0 a1 1\n1 0 b2 1\n2 0 c3 1\n"

    numbers = scores(spec, gold, "1\tx9\n2\tc3\n1\tb2\n1\ta1\n")

    assert numbers == pytest.approx([((1 / 2 + 2 / 3) / 2 + 1) / 2, (2 * 1 / (2 + 2) + 2 * 1 / (2 + 1)) / 2])
    of_scores = '{"1": {"x9": 3, "a1": 1, "b2": 2}, "2": {"c3": 1}}'
    assert scores(spec, gold, of_scores) == pytest.approx(numbers)


@pytest.mark.parametrize(
    ("dialect", "gold"),
    [
        ("json_lines", '{"id": "1", "l": "a"}\n{"id": "2"}\n{"id": "3", "l": null}\n{"id": "4", "l": "b"}\n'),
        ("json_list", '[{"id": "1", "l": "a"}, {"id": "2"}, {"id": "3", "l": ""}, {"id": "4", "l": "b"}]'),
        ("json_by_id", '{"1": {"l": "a"}, "2": {}, "3": {"l": null}, "4": {"l": "b"}}'),
        ("one_a_line", "a\n\n\nb\n"),
    ],
)
def test_gold_files_may_lack_labels_of_items_that_are_not_scored(dialect, gold):
    column = {} if dialect == "one_a_line" else {"label_column": "l"}
    column |= {"id_column": "id"} if dialect in ("json_lines", "json_list") else {}
    spec = benchmark(
        ["accuracy"],
        labels=["a", "b"],
        file={"path": "answers.csv", "id_column": "id", "label_column": "label"},
        gold_file={"path": "gold", "dialect": dialect, "empty_labels": "unscored"} | column,
    )

    assert scores(spec, gold, "id,label\n1,a\n2,b\n3,a\n4,a\n") == [0.5]
    assert problems(spec, gold, "id,label\n1,a\n4,a\n") == [(None, "id", "missing_ids")]


def test_an_empty_list_is_an_answer_where_a_missing_one_is_none():
    file = {"path": "t.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "tags"}
    spec = benchmark(
        ["exact_match"],
        labels=["a", "b"],
        output={"kind": "many_labels"},
        file=file,
        gold_file=file | {"empty_labels": "unscored"},
    )

    found = scores(spec, in_lines([["a"], []]) + '{"id": "2"}\n', in_lines([["a"], ["b"], ["b"]]))

    assert found == [0.5]
