"""Lists that stand in one line or cell each: tags of words, labels and key phrases."""

from itertools import chain

import pandas as pd
import pytest
from sklearn.metrics import f1_score, matthews_corrcoef

from client.files.check_data import CheckData
from client.files.tables import upload_of
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.predictions.file_writer import write_predictions
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

GOLD = ["OK BAD OK OK", "BAD OK", "OK"]
FOUND = ["OK OK BAD OK", "BAD BAD", "OK"]
LINES = {"path": "tags.txt", "dialect": "one_a_line", "label_column": "tags", "separator": " "}
TABLE = {"path": "t.tsv", "dialect": "tsv", "id_column": "id", "label_column": "tags", "separator": " "}


def tagged(file, metrics=("mcc", "f1_BAD"), **kind):
    kind = kind or {"labels": ["OK", "BAD"], "output": {"kind": "token_labels"}}
    return benchmark(list(metrics), file=file, **kind)


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


def table(texts):
    return "id\ttags\n" + lines(f"{at}\t{text}" for at, text in enumerate(texts, 1))


@pytest.mark.parametrize(("file", "written"), [(LINES, lines), (TABLE, table)], ids=["lines", "table"])
def test_tags_of_words_may_stand_in_a_line_for_each_sentence(file, written):
    """As in WMT's quality estimation."""
    gold, found = (list(chain.from_iterable(map(str.split, side))) for side in (GOLD, FOUND))

    numbers = scores(tagged(file), written(GOLD), written(FOUND))

    wanted = [matthews_corrcoef(gold, found), f1_score(gold, found, pos_label="BAD")]
    assert numbers == pytest.approx(wanted, abs=1e-12)


def test_entities_may_stand_in_a_line_for_each_sentence():
    """As files of slot filling have them."""
    spec = tagged(LINES, ["f1_micro"], output={"kind": "token_entities", "types": ["city"]})

    assert scores(spec, "O B-city I-city\nB-city\n", "O B-city O\nB-city\n") == [0.5]


WRONG = {
    "one tag less": (["OK BAD OK", "BAD OK", "OK"], (1, "tags", "token_count")),
    "one tag more": (["OK BAD OK OK", "BAD OK", "OK OK"], (3, "tags", "token_count")),
    "another case": (["OK BAD OK OK", "BAD ok", "OK"], (2, "tags", "label_case")),
    "commas": (["OK BAD OK OK", "BAD,OK", "OK"], (2, "tags", "token_count")),
    "a list as Python writes it": (["OK BAD OK OK", "['BAD', 'OK']", "OK"], (2, "tags", "unknown_label")),
    "a blank line": (["OK BAD OK OK", "", "OK"], (2, "tags", "blank_line")),
    "a name above": (["tags", *GOLD], (1, None, "header_repeated")),
    "a line less": (GOLD[:2], (3, None, "missing_ids")),
    "a line more": ([*GOLD, "OK"], (4, None, "too_many_rows")),
}


@pytest.mark.parametrize("what", WRONG)
def test_each_mistake_in_lines_of_tags_is_told_once_where_it_stands(what):
    answers, wanted = WRONG[what]

    assert problems(tagged(LINES), lines(GOLD), lines(answers)) == [wanted]


def test_a_long_sentence_has_room_for_a_tag_each():
    gold = [" ".join(["OK", "BAD"] * 600), "OK"]

    for file, written in ((LINES, lines), (TABLE, table)):
        assert scores(tagged(file), written(gold), written(gold)) == [1.0, 1.0]


def listed():
    file = LINES | {"separator": ";"}
    return tagged(file, ["exact_match"], labels=["a", "b", "c"], output={"kind": "many_labels"})


@pytest.mark.parametrize("gold", ["a;b\n\nc\n", "a;b\n\nc\n\n"])
def test_a_blank_line_is_an_empty_list(gold):
    assert scores(listed(), gold, gold.replace("a;b", "b ; a")) == [1.0]
    assert problems(listed(), gold, gold.removesuffix("\n")[:-1]) == [(gold.count("\n"), None, "missing_ids")]


def test_blank_lines_below_the_last_item_are_no_answers():
    assert scores(listed(), "a;b\n\nc\n", "a\n\nc\n\n\n") == [2 / 3]


def test_key_phrases_may_stand_in_a_line():
    spec = tagged(LINES | {"separator": ";"}, ["f1_micro"], output={"kind": "tuples"})

    assert scores(spec, "solar panel;grid\n\n", "grid; wind\nsun\n") == [pytest.approx(2 / (2 + 3))]


@pytest.mark.parametrize("file", [LINES, TABLE, LINES | {"columns": ["tags", "note"], "delimiter": "tab"}])
def test_what_is_written_is_read_again(file):
    task = tagged(file).tasks[0]
    ids = ItemIds(("1", "2", "3"), [("",) * len(text.split()) for text in GOLD])
    answers = task.output.array(FOUND)

    data = write_predictions(task, ids.ids, answers, ids.tokens)

    read = read_labels(data, file_name="tags", target=SplitTarget(task, "test", ids))
    assert read.content_or(AssertionError).codes.tolist() == FOUND


@pytest.mark.parametrize("cells", [["OK BAD", "OK"], [["OK", "BAD"], ["OK"]]], ids=["texts", "lists"])
def test_a_data_frame_may_hold_lists_or_the_cells_themselves(cells):
    """Cells as they stand in the file ended in an error of Python's JSON."""
    spec = tagged(TABLE)
    target = SplitTarget(spec.tasks[0], "test", ItemIds(("1", "2"), [("", ""), ("",)]))
    frame = pd.DataFrame({"id": ["1", "2"], "tags": cells})

    upload = upload_of(frame, CheckData(spec, (target,)), task="task")

    assert upload.data == b"id\ttags\n1\tOK BAD\n2\tOK\n"
