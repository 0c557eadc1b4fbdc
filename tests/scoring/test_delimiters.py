"""Tables whose cells are separated by other signs than commas, and quoted as in CSV."""

import csv
import io

import pytest

from benchmarks.spec.document import DefinitionError
from submissions.intake import ItemIds, SplitTarget
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.file_writer import write_predictions
from submissions.intake.predictions.repair import repaired
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "vertical bar": "|"}
LABELS = ["yes", "no; not at all", 'a "maybe"', "1|2,3"]
ROWS = [("7", "yes"), ("8", "no; not at all"), ("9", 'a "maybe"'), ("10", "1|2,3")]


def spec_of(delimiter, metric="accuracy", **more):
    file = {"path": "t.csv", "id_column": "id", "label_column": "label", "delimiter": delimiter}
    return benchmark([metric], **{"labels": LABELS, "file": file} | more)


def table(sign, rows, quoting=csv.QUOTE_MINIMAL):
    """The table as Python's own writer has it."""
    out = io.StringIO()
    csv.writer(out, delimiter=sign, lineterminator="\n", quoting=quoting).writerows([("id", "label"), *rows])
    return out.getvalue()


def target_of(spec, ids):
    split = SplitTarget(spec.tasks[0], "test", ItemIds(tuple(ids)))
    return FileTarget(spec.tasks[0], (split,))


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("delimiter", SIGNS)
def test_cells_are_separated_by_the_sign_that_the_definition_names(delimiter, quoting):
    spec = spec_of(delimiter)
    gold = table(SIGNS[delimiter], ROWS)

    assert scores(spec, gold, table(SIGNS[delimiter], ROWS, quoting)) == [1.0]
    assert scores(spec, gold, table(SIGNS[delimiter], [*ROWS[:3], ("10", "yes")], quoting)) == [0.75]


@pytest.mark.parametrize("delimiter", SIGNS)
def test_a_file_that_is_written_is_read_quickly_and_the_same(delimiter):
    spec = spec_of(delimiter)
    target = target_of(spec, [item for item, _ in ROWS])
    answers = target.task.output.array([3, 2, 1, 0])

    written = write_predictions(target.task, target.ids.ids, answers)

    found = read_ordinary(written, target)
    assert found is not None
    assert found.tolist() == [3, 2, 1, 0]
    assert written.decode() == table(
        SIGNS[delimiter], [(item, LABELS[code]) for (item, _), code in zip(ROWS, [3, 2, 1, 0], strict=True)]
    )


def test_rows_of_parts_may_be_separated_so_too():
    spec = benchmark(
        ["f1_micro"],
        labels=["A", "B"],
        output={"kind": "many_labels"},
        file={
            "path": "codes.csv",
            "dialect": "long_csv",
            "id_column": "id",
            "label_column": "code",
            "delimiter": "semicolon",
        },
    )
    assert scores(spec, "id;code\n1;A\n1;B\n2;\n", "id;code\n1;B\n1;A\n") == [1.0]


def test_what_is_wrong_is_said_of_the_sign_that_is_expected():
    spec, gold = spec_of("semicolon"), table(";", ROWS)

    assert problems(spec, gold, table(",", ROWS)) == [(1, None, "header_delimiter")]
    assert problems(spec, gold, gold.replace("7;yes", "7;yes;"))[0] == (2, None, "long_row")
    assert problems(spec, gold, gold.replace("7;yes", '7;"yes"x'))[0] == (2, "label", "text_after_quote")


def test_a_file_with_another_sign_is_mended():
    spec = spec_of("semicolon", labels=["yes", "no"])
    ids = ItemIds(("1", "2"))

    mended = repaired(
        b"id,label\n1,yes\n2,no\n",
        file_name="t.csv",
        benchmark=spec,
        targets=[SplitTarget(spec.tasks[0], "test", ids)],
    )

    assert mended is not None
    assert mended.data == b"id;label\n1;yes\n2;no\n"


def test_files_with_commas_keep_the_digest_that_they_had():
    plain = benchmark(
        ["accuracy"], labels=LABELS, file={"path": "t.csv", "id_column": "id", "label_column": "label"}
    )

    assert (
        spec_of("comma").tasks[0].file.numbers()
        == plain.tasks[0].file.numbers()
        == ["t.csv", "id", "label", "utf-8"]
    )
    assert spec_of("tab").tasks[0].file.numbers()[-1] == {"delimiter": "\t"}


@pytest.mark.parametrize(
    ("file", "mistake"),
    [
        ({"delimiter": ";"}, "expected tab, comma, semicolon, vertical bar; found ';'"),
        ({"delimiter": "semicolon", "dialect": "tsv"}, "means nothing in a file of the dialect tsv"),
        (
            {"delimiter": "semicolon", "dialect": "json_lines"},
            "means nothing in a file of the dialect json_lines",
        ),
    ],
)
def test_a_sign_that_cannot_stand_there_is_a_mistake(file, mistake):
    with pytest.raises(DefinitionError, match=mistake):
        benchmark(
            ["accuracy"],
            labels=["a", "b"],
            file={"path": "t", "id_column": "id", "label_column": "label"} | file,
        )
