"""Answers that are lists, in one cell of a table, as many shared tasks write several labels of an item."""

import pytest
from sklearn.metrics import f1_score

from benchmarks.spec.document import DefinitionError
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.file_writer import sample_answers, write_predictions
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

LABELS = ["a", "b", "c"]
GOLD = [["a", "b"], ["c"], [], ["a", "c"]]
FOUND = [["a"], ["c", "b"], [], ["c", "a"]]


def spec_of(separator=";", dialect="csv", **more):
    file = {
        "path": "lists",
        "dialect": dialect,
        "id_column": "id",
        "label_column": "labels",
        "separator": separator,
    }
    return benchmark(
        ["f1_samples", "f1_micro"],
        **{"labels": LABELS, "output": {"kind": "many_labels"}, "file": file} | more,
    )


def table(lists, separator=";", mark=","):
    """A table of lists, whose cells stand in quotes where they have the mark of the table in them."""
    cells = [separator.join(one) for one in lists]
    written = [f'"{cell}"' if mark in cell else cell for cell in cells]
    return f"id{mark}labels\n" + "".join(f"{at}{mark}{cell}\n" for at, cell in enumerate(written))


def indicators(lists):
    return [[int(label in one) for label in LABELS] for one in lists]


@pytest.mark.parametrize(("dialect", "mark"), [("csv", ","), ("tsv", "\t")])
@pytest.mark.parametrize("separator", [";", "; ", ",", "|", " "])
def test_labels_may_stand_in_one_cell(dialect, mark, separator):
    """As in SemEval-2025 Task 10, whose rows have narratives with semicolons between them."""
    found = scores(spec_of(separator, dialect), table(GOLD, separator, mark), table(FOUND, separator, mark))

    wanted = [
        f1_score(indicators(GOLD), indicators(FOUND), average=average, zero_division=0)
        for average in ("samples", "micro")
    ]
    assert found == pytest.approx(wanted, abs=1e-12)


def test_blanks_around_a_label_are_no_part_of_it():
    assert scores(spec_of(), table(GOLD), table(GOLD, " ; ")) == [0.75, 1.0]


@pytest.mark.parametrize("cell", ["c  a", "c a ", " c a"])
def test_any_number_of_blanks_is_one(cell):
    """As in GeoLifeCLEF, whose programs leave a blank behind the last species."""
    gold = "id,labels\n1,a c\n"
    assert scores(spec_of(" "), gold, f"id,labels\n1,{cell}\n") == [1.0, 1.0]


def test_texts_of_one_part_may_stand_in_one_cell():
    """Key phrases: an item may have none."""
    spec = benchmark(
        ["f1_micro"],
        output={"kind": "tuples", "ignore_case": True},
        file={"path": "k", "id_column": "id", "label_column": "labels", "separator": ";"},
    )
    gold = table([["Neural net", "SVM"], ["x y"], []])
    assert scores(spec, gold, table([["svm", "neural  net"], [], ["z"]])) == [pytest.approx(2 * 2 / (3 + 3))]


MISTAKES = {
    "a separator at the end": ("a;b;", "empty_label"),
    "another separator": ('"a,b"', "unknown_label"),
    "a label twice": ("a;a", "label_twice"),
    "another case": ("A;b", "label_case"),
    "a list as Python writes it": ("\"['a', 'b']\"", "unknown_label"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_each_mistake_in_a_cell_is_told_once_where_it_stands(what):
    cell, code = MISTAKES[what]
    assert problems(spec_of(), "id,labels\n1,a\n2,\n", f"id,labels\n1,a\n2,{cell}\n") == [(3, "labels", code)]


def test_what_is_left_out_is_missing():
    """Unlike in long tables: every item has a row, and one without labels has an empty cell."""
    found = problems(spec_of(), "id,labels\n1,a\n2,\n", "id,labels\n1,a\n")
    assert found == [(None, "id", "missing_ids")]


@pytest.mark.parametrize(
    ("changed", "mistake"),
    [
        ({"separator": ""}, "one to three characters"),
        ({"separator": "a\tb"}, "one to three characters"),
        ({"dialect": "json_lines"}, "means nothing in a file of the dialect"),
        ({"output": {"kind": "tuples", "parts": ["x", "y"]}}, "means nothing unless an answer is a list"),
        ({"labels": ["a;b", "c"]}, "stands in the label 'a;b' as well"),
    ],
)
def test_a_separator_that_means_nothing_is_a_mistake(changed, mistake):
    file = {"path": "k", "id_column": "id", "label_column": "labels", "separator": ";"}
    file |= {key: value for key, value in changed.items() if key in ("separator", "dialect")}
    task = {"labels": LABELS, "output": {"kind": "many_labels"}} | {
        key: value for key, value in changed.items() if key not in file
    }
    with pytest.raises(DefinitionError, match=mistake):
        benchmark(["f1_micro"], file=file, **task)


def test_an_empty_cell_is_an_answer_and_no_missing_label():
    file = {"path": "k", "id_column": "id", "label_column": "labels", "separator": ";"}
    with pytest.raises(DefinitionError, match="an empty cell is an answer already"):
        spec_of(file=file | {"empty_labels": "unscored"})


def test_a_list_without_a_separator_is_told_where_it_can_stand():
    file = {"path": "k", "id_column": "id", "label_column": "labels"}
    with pytest.raises(
        DefinitionError, match="or say what stands between two of them in a cell, `separator`"
    ):
        spec_of(file=file)


@pytest.mark.parametrize("dialect", ["csv", "tsv"])
def test_what_is_written_is_read_again_quickly_and_patiently(dialect):
    task, ids = spec_of("; ", dialect).tasks[0], ItemIds(["1", "2", "3"])
    target = SplitTarget(task, "test", ids)
    for answers in (task.output.array(["a|c", "", "b"]), sample_answers(task.output, 3)):
        data = write_predictions(task, ids.ids, answers)
        quick = read_ordinary(data, FileTarget(task, (target,)))
        patient = read_labels(b"\xef\xbb\xbf" + data, file_name="lists", target=target).content
        assert quick is not None
        assert patient is not None
        assert quick.tolist() == answers.tolist() == patient.codes.tolist()
