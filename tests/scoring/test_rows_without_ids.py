"""Tables whose rows name no item: the n-th row answers the n-th, as many shared tasks on CodaLab have it."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from benchmarks.spec.document import DefinitionError
from client.files.check_data import CheckData
from client.files.tables import upload_of
from scoring.file_refusal import FileRefused
from submissions.intake import ItemIds, SplitTarget
from submissions.intake.predictions.file_writer import form_of_file, write_predictions
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

FLAGS = ["pity", "metaphor", "merrier"]
GOLD = np.array([[1, 0, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1]])
FOUND = np.array([[1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]])


def lines(rows, sign=",", header=()):
    return "".join(sign.join(map(str, row)) + "\n" for row in [*([header] if len(header) else []), *rows])


def spec_of(metric="f1_macro", labels=FLAGS, kind="label_subset", **file):
    form = {"path": "answer.txt", "dialect": "one_a_line", "columns": FLAGS} | file
    return benchmark([metric], labels=labels, output={"kind": kind}, file=form)


def of_one(**file):
    return spec_of("f1_1", ["0", "1"], "one_label", columns=["task_a_en"], label_column="task_a_en", **file)


@pytest.mark.parametrize("header", [(), FLAGS])
def test_a_row_of_flags_answers_an_item(header):
    """As in SemEval-2022 Task 4, with a row of flags for each text and no header."""
    spec = spec_of(headerless=not header)
    found = scores(spec, lines(GOLD, header=header), lines(FOUND, header=header))
    assert found == pytest.approx([f1_score(GOLD, FOUND, average="macro")])


def test_a_label_may_stand_below_the_name_of_its_column():
    """As in SemEval-2022 Task 6."""
    gold, found = "task_a_en\n1\n0\n1\n", "task_a_en\n1\n1\n0\n"
    assert scores(of_one(), gold, found) == pytest.approx([0.5])
    assert problems(of_one(), gold, found.replace("task_a_en\n", "")) == [(1, None, "header_missing")]
    assert problems(of_one(), gold, found.replace("task_a", "task_b")) == [(1, None, "header_names")]


def test_columns_that_nobody_compares_may_stand_beside_shares():
    """As in LeWiDi 2023: the hard label, and the share of each."""
    form = {"columns": ["hard", "0", "1"], "headerless": True, "delimiter": "tab"}
    spec = spec_of("manhattan_distance", ["0", "1"], "soft_labels", **form)
    assert scores(spec, "1\t0.25\t0.75\n0\t1\t0\n", "0\t0.5\t0.5\nx\t1\t0\n") == pytest.approx([0.25])


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        (lambda text: text + "1,0,1\n", (5, None, "too_many_rows")),
        (lambda text: text[:-6], (4, None, "missing_ids")),
        (lambda text: text.replace("1,1,0", "1,1"), (3, None, "short_row")),
        (lambda text: text.replace("1,1,0", "1,1,0,"), (3, None, "long_row")),
        (lambda text: text.replace("1,1,0", "1,1,2"), (3, "merrier", "not_zero_or_one")),
        (lambda text: text.replace("1,1,0", '1,"1,0'), (3, None, "unclosed_quote")),
        (lambda text: text.replace("1,1,0", ""), (3, "pity", "blank_line")),
        (lambda text: "pity,metaphor,merrier\n" + text, (1, None, "header_repeated")),
    ],
    ids=["one more", "one less", "short", "long", "no flag", "quote", "blank", "header"],
)
def test_each_mistake_is_told_where_it_stands(changed, place):
    assert problems(spec_of(headerless=True), lines(GOLD), changed(lines(FOUND))) == [place]


def test_a_name_above_answers_is_told_in_words():
    spec = benchmark(["f1_1"], labels=["0", "1"], file={"path": "a.txt", "dialect": "one_a_line"})
    with pytest.raises(FileRefused) as refused:
        scores(spec, "1\n0\n", "task_a_en\n1\n0\n")
    assert [one.message for one in refused.value.problems] == [
        "The first line names the column, but every line of this file is an answer. Remove it."
    ]


@pytest.mark.parametrize("headerless", [True, False])
def test_what_is_written_is_what_is_read(headerless):
    spec = spec_of(headerless=headerless)
    task, ids = spec.tasks[0], ItemIds(("1", "2", "3", "4"))
    material = CheckData(spec, (SplitTarget(task, "test", ids),))
    wanted = lines(FOUND, header=() if headerless else FLAGS)

    by_program = upload_of(dict(zip(ids.ids, FOUND.tolist(), strict=True)), material, task="task")

    assert by_program.data.decode() == wanted
    bits = task.output.array([sum(flag << at for at, flag in enumerate(row)) for row in FOUND.tolist()])
    assert write_predictions(task, ids.ids, bits).decode() == wanted
    assert (form_of_file(task).splitlines()[0] == ",".join(FLAGS)) is not headerless


@pytest.mark.parametrize(
    ("task", "mistake"),
    [
        (
            {"output": {"kind": "soft_labels"}, "columns": None},
            "columns: is missing; expected the whole header",
        ),
        ({"output": {"kind": "probabilities"}}, "gold_file: is missing"),
        ({"output": {"kind": "one_label"}}, "columns: the column 'label' is missing"),
        ({"output": {"kind": "many_labels"}}, "a list of labels is read from"),
    ],
)
def test_a_definition_that_says_too_little_is_a_mistake(task, mistake):
    form = {"path": "a.txt", "dialect": "one_a_line", "columns": task.get("columns", FLAGS)}
    file = {key: value for key, value in form.items() if value}
    with pytest.raises(DefinitionError, match=mistake):
        benchmark(["accuracy"], labels=FLAGS, output=task["output"], file=file)
