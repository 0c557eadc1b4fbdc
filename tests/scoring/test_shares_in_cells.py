"""Shares of labels, and probabilities, in one cell: a list or an object as JSON writes it, as in LeWiDi."""

import csv
import io
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from benchmarks.spec.document import DefinitionError
from client.errors import ClientError
from client.files.check_data import CheckData
from client.files.tables import upload_of
from scoring.file_refusal import FileRefused
from submissions.intake import ItemIds, SplitTarget
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.file_writer import form_of_file, write_predictions
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

LABELS = ["0", "1", "2"]
GOLD = [[0.25, 0.75, 0], [1, 0, 0], [0.2, 0.4, 0.4]]
FOUND = [[0.5, 0.25, 0.25], [0.75, 0.25, 0], [0, 0.5, 0.5]]
TABLES: dict[str, dict[str, Any]] = {
    "csv": {"dialect": "csv"},
    "semicolons": {"dialect": "csv", "delimiter": "semicolon"},
    "quoted tabs": {"dialect": "csv", "delimiter": "tab"},
    "tsv": {"dialect": "tsv"},
    "headerless": {"dialect": "tsv", "headerless": True, "columns": ["id", "soft"]},
}
SIGNS = {"csv": ",", "semicolons": ";"}


def spec_of(table="csv", written="list", **output):
    file = {"path": "soft", "id_column": "id", "label_column": "soft"} | TABLES.get(table, {"dialect": table})
    return benchmark(
        ["manhattan_distance", "cross_entropy"],
        labels=LABELS,
        output={"kind": "soft_labels", "written": written} | output,
        file=file,
    )


def answer(row, written):
    return row if written == "list" else dict(zip(LABELS, row, strict=True))


def in_table(rows, table="csv", written="list"):
    """The cells as programs write them: CSV with quotes where they are needed, TSV without any."""
    cells = [json.dumps(answer(row, written)) for row in rows]
    lines = [] if table == "headerless" else [("id", "soft")]
    lines += list(zip(map(str, range(len(rows))), cells, strict=True))
    if table in ("tsv", "headerless"):
        return "".join("\t".join(line) + "\n" for line in lines)
    out = io.StringIO()
    csv.writer(out, delimiter=SIGNS.get(table, "\t"), lineterminator="\n").writerows(lines)
    return out.getvalue()


def in_json(rows, dialect, written):
    answers = {str(at): answer(row, written) for at, row in enumerate(rows)}
    objects = [{"id": item, "soft": one} for item, one in answers.items()]
    match dialect:
        case "json_lines":
            return "".join(f"{json.dumps(one)}\n" for one in objects)
        case "json_list":
            return json.dumps(objects)
        case "json":
            return json.dumps({"soft": answers})
    raise ValueError(dialect)


def by_hand():
    gold, found = np.array(GOLD, dtype=float), np.array(FOUND, dtype=float)
    return [
        np.abs(gold - found).sum(axis=1).mean(),
        -(gold * np.log(np.maximum(found, 1e-12) + 1e-9)).sum(axis=1).mean(),
    ]


@pytest.mark.parametrize("written", ["list", "object"])
@pytest.mark.parametrize("table", TABLES)
def test_a_cell_may_hold_the_shares_of_all_labels(table, written):
    """As in LeWiDi 2025, whose participants send an id, a tab and a list."""
    spec = spec_of(table, written)
    found = scores(spec, in_table(GOLD, table, written), in_table(FOUND, table, written))
    assert found == pytest.approx(by_hand(), abs=1e-9)


@pytest.mark.parametrize("written", ["list", "object"])
@pytest.mark.parametrize("dialect", ["json", "json_lines", "json_list"])
def test_in_json_they_stand_as_what_they_are(dialect, written):
    spec = spec_of(dialect, written)
    found = scores(spec, in_json(GOLD, dialect, written), in_json(FOUND, dialect, written))
    assert found == pytest.approx(by_hand(), abs=1e-9)


@pytest.mark.parametrize("written", ["list", "object"])
@pytest.mark.parametrize("table", TABLES)
def test_a_file_that_is_written_is_read_quickly_and_the_same(table, written):
    task = spec_of(table, written).tasks[0]
    target = FileTarget(task, (SplitTarget(task, "test", ItemIds(("0", "1", "2"))),))
    answers = task.output.array(FOUND)

    found = read_ordinary(write_predictions(task, target.ids.ids, answers), target)

    assert found is not None
    assert found.tolist() == answers.tolist()


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        ("csv", 'id,soft\n<id of a test item>,"[0.3'),
        ("semicolons", "id;soft\n<id of a test item>;[0.3"),
        ("headerless", "<id of a test item>\t[0.3"),
    ],
)
def test_the_page_of_a_task_shows_such_a_cell_and_no_label_alone(table, shown):
    assert form_of_file(spec_of(table).tasks[0]).startswith(shown)


def test_gold_labels_may_be_votes_and_leave_out_labels_that_nobody_gave():
    gold = 'id\tsoft\n0\t{"0": 1, "1": 3}\n1\t{"0": 4}\n2\t{"0": 1, "2": 2, "1": 2}\n'
    assert scores(spec_of("tsv", "object"), gold, in_table(FOUND, "tsv", "object")) == pytest.approx(
        by_hand(), abs=1e-9
    )


@pytest.mark.parametrize(
    ("written", "cell", "code", "told"),
    [
        ("list", "[0.5, 0.5]", "json_wrong_type", "a list of 3 numbers, those of 0, 1, 2 in this order"),
        ("list", "[0.5 0.25 0.25]", "json_wrong_type", "Write commas between the numbers"),
        ("list", '{"0": 0.5, "1": 0.25, "2": 0.25}', "json_wrong_type", "a list of 3 numbers"),
        ("list", "0.5", "json_wrong_type", "a list of 3 numbers"),
        ("list", "", "empty_label", "There is nothing here"),
        ("list", '["0.5", 0.25, 0.25]', "not_a_number", "is not a number"),
        ("list", "[NaN, 0.25, 0.25]", "number_not_finite", "is not a finite number"),
        ("list", "[1.5, -0.25, -0.25]", "number_out_of_range", "The share 1.5 lies outside 0 to 1"),
        ("list", "[0.5, 0.25, 0.5]", "probability_sum", "add up to 1.25"),
        ("object", "{'0': 0.5, '1': 0.25, '2': 0.25}", "json_wrong_type", "write it with json.dumps"),
        ("object", "{0: 0.5, 1: 0.25, 2: 0.25}", "json_wrong_type", "write it with json.dumps"),
        ("object", '{"0": 0.5, "1": 0.5}', "json_missing_key", "has no key “2”"),
        ("object", '{"0": 0.5, "1": 0.5, "3": 0}', "json_unknown_key", "has the key “3”, which is no label"),
        ("object", '{"0": 0.5, "0": 0.25, "1": 0, "2": 0.25}', "json_wrong_type", "an object with a number"),
    ],
)
def test_what_is_no_such_cell_is_told_with_its_line_and_what_is_expected(written, cell, code, told):
    spec, gold = spec_of("tsv", written), in_table(GOLD, "tsv", written)
    wrong = in_table(FOUND, "tsv", written).splitlines()
    wrong[2] = f"1\t{cell}"

    with pytest.raises(FileRefused) as refused:
        scores(spec, gold, "\n".join(wrong) + "\n")

    first = refused.value.problems[0]
    assert (first.line, first.column, first.code) == (3, "soft", code)
    assert told in first.message


def test_quotes_that_pandas_adds_between_tabs_are_told_where_none_belong():
    spec, gold = spec_of("tsv", "object"), in_table(GOLD, "tsv", "object")
    assert problems(spec, gold, in_table(FOUND, "quoted tabs", "object"))[0] == (2, "soft", "stray_quote")


def test_probabilities_may_stand_so_too():
    spec = benchmark(
        ["log_loss"],
        labels=["a", "b"],
        output={"kind": "probabilities", "written": "list"},
        file={"path": "p.csv", "id_column": "id", "label_column": "p"},
        gold_file={"path": "gold.csv", "id_column": "id", "label_column": "label"},
    )
    found = scores(spec, "id,label\n1,a\n2,b\n", 'id,p\n2,"[0.25, 0.75]"\n1,"[0.5,0.5]"\n')
    assert found == pytest.approx([-(np.log(0.5) + np.log(0.75)) / 2])


def test_people_may_give_several_labels_or_none():
    """As in EXIST, task 3: the share of annotators who see each kind of sexism."""
    gold = [[0.5, 0.75, 1], [1, 1, 1], [0, 0, 0]]
    spec = benchmark(
        ["manhattan_distance"],
        labels=LABELS,
        output={"kind": "soft_labels", "sums_to_one": False},
        file={"path": "soft", "dialect": "json_list", "id_column": "id", "label_column": "soft"},
    )

    found = scores(spec, in_json(gold, "json_list", "object"), in_json(FOUND, "json_list", "object"))

    assert found == pytest.approx([np.abs(np.array(gold) - np.array(FOUND)).sum(axis=1).mean()])
    assert "which add up to 1" not in spec.tasks[0].output.describe()


@pytest.mark.parametrize("written", ["list", "object"])
@pytest.mark.parametrize("table", TABLES)
def test_lists_and_mappings_of_a_program_make_such_cells(table, written):
    spec = spec_of(table, written)
    material = CheckData(spec, (SplitTarget(spec.tasks[0], "test", ItemIds(("0", "1", "2"))),))
    answers = {str(at): answer(row, written) for at, row in enumerate(FOUND)}
    frame = pd.DataFrame({"id": list(answers), "soft": list(answers.values())})

    for given in (answers, frame):
        sent = upload_of(given, material, task="task").data.decode()
        assert scores(spec, in_table(GOLD, table, written), sent) == pytest.approx(by_hand(), abs=1e-9)


def test_lists_of_spans_make_cells_too():
    spec = benchmark(
        ["character_f1"],
        output={"kind": "character_spans"},
        file={"path": "spans.csv", "id_column": "id", "label_column": "spans"},
    )
    material = CheckData(spec, (SplitTarget(spec.tasks[0], "test", ItemIds(("0", "1"))),))
    sent = upload_of({"0": [[0, 4], [6, 8]], "1": []}, material, task="task").data.decode()
    assert scores(spec, sent, sent) == [1.0]


@pytest.mark.parametrize("dialect", ["csv", "json_lines"])
def test_mappings_are_numbers_by_their_labels_in_any_order(dialect):
    columns = {"columns": ["id", *LABELS]} if dialect == "csv" else {"label_column": "soft"}
    spec = benchmark(
        ["manhattan_distance"],
        labels=LABELS,
        output={"kind": "soft_labels"},
        file={"path": "soft", "dialect": dialect, "id_column": "id"} | columns,
    )
    material = CheckData(spec, (SplitTarget(spec.tasks[0], "test", ItemIds(("0",))),))
    one, other = (
        upload_of({"0": dict(zip(order, shares, strict=True))}, material, task="task").data
        for order, shares in ((LABELS, [0.5, 0.25, 0.25]), (["2", "0", "1"], [0.25, 0.5, 0.25]))
    )
    assert one == other
    with pytest.raises(ClientError, match="expected a number for each of 0, 1, 2; found 0, 1"):
        upload_of({"0": {"0": 0.5, "1": 0.5}}, material, task="task")


@pytest.mark.parametrize(
    "metric", ["cross_entropy", "kl_divergence", "js_divergence", "earth_movers_distance"]
)
def test_distances_between_shares_that_add_up_to_1_need_such(metric):
    with pytest.raises(DefinitionError, match=f"`{metric}` needs shares that add up to 1"):
        benchmark(
            [metric],
            labels=LABELS,
            output={"kind": "soft_labels", "sums_to_one": False},
            file={"path": "s", "id_column": "id", "columns": ["id", *LABELS]},
        )
