"""Starter data, the sentences that breakers change: what is read from a good file, and what is said about a bad one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.spec import FileFormat
from catalogue.answers import Label, Number, Span
from catalogue.problems import Problem
from submissions.intake.file_read import FileRead
from submissions.intake.pairs.starter_data import StarterFile, StarterItem, read_starter, write_starter
from tests.submissions.intake.kinds import task_of

FILE = FileFormat("s.csv", "id", "label", also_written=(("+1", "1"),))
SENTIMENT = task_of(Label(("-1", "0", "1"), never_right=("0",)), FILE)
QASRL = task_of(Span(), FileFormat("q.csv", "id", "answer"))
HEADER = "id,text,label"


def read(*lines: str, task=SENTIMENT) -> FileRead[StarterFile]:
    data = "".join(line + "\n" for line in lines).encode()
    return read_starter(data, file_name="start.csv", task=task)


def only_problem(*lines: str, task=SENTIMENT) -> Problem:
    result = read(*lines, task=task)
    assert result.content is None
    (problem,) = result.problems
    assert problem.file == "start.csv"
    return problem


def test_sentences_have_their_labels_as_the_task_lists_them():
    file = read(HEADER, '1,"Nice, is it?",+1', "2, dull ,-1").content
    assert file is not None
    assert file.items == {"1": StarterItem("Nice, is it?", "1"), "2": StarterItem(" dull ", "-1")}
    assert file.pairs["1"] == ("Nice, is it?", "1")


def test_further_columns_are_kept_with_their_names():
    file = read(f"{HEADER},predicate,question", "1,Ann sang.,Ann,sang,Who sang?", task=QASRL).content
    assert file is not None
    assert file.header == ("id", "text", "label", "predicate", "question")
    assert file.items["1"] == StarterItem("Ann sang.", "Ann", ("sang", "Who sang?"))


def test_tabs_are_read_where_the_first_line_has_them():
    file = read("id\ttext\tlabel\ttopic", '1\tShe said "no", twice.\t-1\tfilm').content
    assert file is not None
    assert file.items["1"] == StarterItem('She said "no", twice.', "-1", ("film",))


def test_one_sentence_may_stand_for_several_questions():
    lines = ["1,Ann saw Bo.,Ann,saw,Who saw?", "2,Ann saw Bo.,Bo,saw,Whom did she see?"]
    assert read(f"{HEADER},predicate,question", *lines, task=QASRL).content is not None


@pytest.mark.parametrize(
    ("lines", "line", "column", "code", "words"),
    [
        ([HEADER, "1,Nice.,1", "1,Dull.,-1"], 3, "id", "duplicate_id", "stands on line 2"),
        ([HEADER, ",Nice.,1"], 2, "id", "empty_id", ""),
        ([HEADER, " 1,Nice.,1"], 2, "id", "id_spelling", ""),
        ([HEADER, "1,  ,1"], 2, "text", "text_missing", "no text"),
        ([HEADER, "1,Nice.,good"], 2, "label", "unknown_label", "good"),
        ([HEADER, "1,Nice.,0"], 2, "label", "unknown_label", "0"),
        ([HEADER, "1,Nice.,"], 2, "label", "empty_label", ""),
        ([HEADER, "1,Nice.,1", "2,Nice.,-1"], 3, "label", "pair_labels_contradict", "on line 2"),
        ([HEADER, "1,Nice.,1", "2,  Nice. ,-1"], 3, "label", "pair_labels_contradict", "on line 2"),
        ([HEADER, "1,Nice."], 2, None, "short_row", ""),
        ([HEADER, "1,Nice, very,1"], 2, None, "long_row", ""),
        ([HEADER, '1,"Nice.,1'], 2, "text", "unclosed_quote", ""),
        ([HEADER], None, None, "no_rows", "no rows"),
        (["1,Nice.,1"], 1, None, "header_missing", "id, text, label"),
        (["id,label,text", "1,1,Nice."], 1, None, "header_order", "id, text, label"),
        (["ID,text,label", "1,Nice.,1"], 1, None, "header_spelling", "id, text, label"),
        (["id;text;label", "1;Nice.;1"], 1, None, "header_delimiter", "id, text, label"),
        (["id,text,label,", "1,Nice.,1,"], 1, None, "header_names", "cannot name a column"),
        (["id,text,label,Text", "1,Nice.,1,x"], 1, None, "header_doubled_column", "twice"),
        ([f"{HEADER},{','.join('abcdefghijklmnopq')}"], 1, None, "header_extra_column", "17 further columns"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_place(lines, line, column, code, words):
    problem = only_problem(*lines)
    assert (problem.line, problem.column, problem.code.value) == (line, column, code)
    assert words in problem.message


def test_a_span_must_stand_in_its_sentence():
    problem = only_problem(HEADER, "1,Ann sang.,Bo", task=QASRL)
    assert (problem.line, problem.column, problem.code.value) == (2, "label", "span_not_in_text")


def test_what_is_written_is_read_again_as_it_was():
    file = read(HEADER, '1,"Nice, ""very""",1', "=2,' =1+1,-1").content
    assert file is not None
    assert read_starter(write_starter(file), file_name="again.csv", task=SENTIMENT).content == file


def test_a_task_without_labels_or_spans_has_no_starter_data():
    with pytest.raises(ValueError, match="neither"):
        read(HEADER, "1,Nice.,0.5", task=task_of(Number(0, 1), FILE))


@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: f"{HEADER}\n{text}".encode(errors="replace"))
)
@example(b"\xff\xfe")
@example(b"id,text,label\n\n\n1,a,1")
def test_nothing_makes_it_raise(data):
    result = read_starter(data, file_name="x", task=SENTIMENT)
    assert (result.content is None) == bool(result.problems)
