"""Files that hold something else than answers: what is sent instead is named, once, whatever the task's layout."""

import io
import zipfile

import pytest

from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_file
from submissions.intake.tables.labelled import read_given
from tests.scoring.test_shared_task_shapes import benchmark, problems

PAGE = "<!DOCTYPE html>\n<html>\n<head><title>404</title></head>\n<body>Not found</body>\n</html>\n"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
OTHERS = {
    "a page": (PAGE, "web_page"),
    "a page on one line": (PAGE.replace("\n", ""), "web_page"),
    "XML": ("<?xml version='1.0'?>\n<a>\n<b/>\n</a>\n", "web_page"),
    "a pointer of Git LFS": (POINTER, "git_pointer"),
    "a pointer of git-annex": (
        "../.git/annex/objects/a1/b2/SHA256E-s9--c.csv/SHA256E-s9--c.csv\n",
        "git_pointer",
    ),
    "a PDF": ("%PDF-1.4\n1 0 obj\n<< >>\nendobj\n", "not_text"),
    "UTF-16 without its mark": ("id,label\n1,a\n2,b\n".encode("utf-16-le").decode("latin-1"), "utf_16_or_32"),
}
CSV = {"path": "a", "id_column": "id", "label_column": "label"}
LINES = CSV | {"dialect": "json_lines"}
FORMS = {
    "csv": (CSV, "id,label\n1,a\n2,b\n"),
    "json_lines": (LINES, '{"id": "1", "label": "a"}\n{"id": "2", "label": "b"}\n'),
    "one_a_line": ({"path": "a", "dialect": "one_a_line", "label_column": "label"}, "a\nb\na\nb\n"),
}


def spec_of(form):
    return benchmark(["f1_macro"], labels=["a", "b"], file=FORMS[form][0])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("what", OTHERS)
def test_another_kind_of_file_is_named_once(form, what):
    content, code = OTHERS[what]
    gold = FORMS[form][1]
    assert problems(spec_of(form), gold, content) == [(None, None, code)]
    assert problems(spec_of(form), content, gold) == [(None, None, code)]


@pytest.mark.parametrize("what", OTHERS)
def test_no_task_is_proposed_for_another_kind_of_file(what):
    content, code = OTHERS[what]
    read = read_given(content.encode(), file_name="gold.txt")
    assert [problem.code for problem in read.problems] == [code]


def test_a_page_on_every_line_is_a_file_of_texts():
    spec = benchmark(["exact_match"], output={"kind": "text"}, file=FORMS["one_a_line"][0])
    pages = b"<html><p>a</p></html>\n<html><p>b</p></html>\n"
    found = evaluate_file(spec, spec.tasks[0], gold=("gold", pages), predictions=("a", pages)).document
    assert found["tasks"]["task"]["test"]["exact_match"]["value"] == 1


@pytest.mark.parametrize("content", ['[{"id": "1", "label": "a"}]', '{"id": "1", "label": "a"}\n', "{\n"])
def test_json_in_place_of_a_table_is_named(content):
    assert problems(spec_of("csv"), FORMS["csv"][1], content) == [(1, None, "header_missing")]


@pytest.mark.parametrize(
    "content",
    [
        '{"id": {"0": "1", "1": "2"}, "label": {"0": "a", "1": "b"}}\n',
        "id,label\n1,a\n2,b\n",
        '[{"id": "1", "label": "a"}]',
        '{\n "id": "1",\n "label": "a"\n}\n',
    ],
)
def test_what_cannot_be_json_lines_is_told_once(content):
    assert problems(spec_of("json_lines"), FORMS["json_lines"][1], content) == [
        (1, None, "json_not_by_lines")
    ]


def test_one_bad_line_of_json_is_told_at_its_line():
    answers = "# a comment\n" + FORMS["json_lines"][1]
    assert problems(spec_of("json_lines"), FORMS["json_lines"][1], answers) == [(1, None, "json_syntax")]


def test_an_emptied_row_of_a_spreadsheet_is_told_once():
    answers = FORMS["csv"][1] + ",\n"
    assert problems(spec_of("csv"), FORMS["csv"][1], answers) == [(4, None, "blank_line")]


def test_a_number_that_a_spreadsheet_shortened_is_told_once():
    gold = "id,label\n100000,a\n2,b\n"
    assert problems(spec_of("csv"), gold, gold.replace("100000", "1E+05")) == [(2, "id", "unknown_id")]


def sentence(spec, gold, answers):
    with pytest.raises(FileRefused) as refused:
        evaluate_file(spec, spec.tasks[0], gold=("gold", gold.encode()), predictions=("a", answers.encode()))
    return refused.value.problems[0].message


@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        ("0,5", "If the comma is that of a decimal number, write a point"),
        ("\u22120.5", "Write the sign as the hyphen of the keyboard"),
        ("50%", "without the sign of percent"),
    ],
)
def test_a_number_in_another_notation_comes_with_what_to_do(cell, advice):
    spec = benchmark(["mae"], output={"kind": "number", "low": 0, "high": 1}, file=CSV)
    assert advice in sentence(spec, "id,label\n1,0.5\n", f"id,label\n1,{cell}\n")


def test_an_empty_column_at_the_end_is_told_as_one():
    answers = FORMS["csv"][1].replace("\n", ",\n")
    assert "a column without a name" in sentence(spec_of("csv"), FORMS["csv"][1], answers)


def test_an_id_with_a_character_that_nobody_sees_is_known_again():
    answers = FORMS["csv"][1].replace("\n1,", "\n\u200b1,")
    assert problems(spec_of("csv"), FORMS["csv"][1], answers) == [(2, "id", "id_spelling")]


def test_what_macos_keeps_beside_a_file_counts_for_nothing():
    spec, gold = spec_of("csv"), FORMS["csv"][1].encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a", gold)
        archive.writestr("._a", b"\0\5\x16\7")
    read = evaluate_file(spec, spec.tasks[0], gold=("gold", gold), predictions=("a.zip", packed.getvalue()))
    assert read.document["tasks"]["task"]["test"]["f1_macro"]["value"] == 1


def test_a_header_that_stands_twice_in_a_gold_file_is_no_item():
    read = read_given(b"id,label\n1,a\nid,label\n2,b\n", file_name="gold.csv")
    assert [(problem.line, problem.code) for problem in read.problems] == [(3, "header_repeated")]


OTHER_TEXTS = {
    "YAML": ("id: moods\ntitle: Moods\ntasks:\n  - id: a\n    labels: [x, y]\n", "other_text"),
    "a list in YAML": ("- id: 1\n  label: good\n- id: 2\n  label: bad\n", "other_text"),
    "ids and labels in YAML": ("1: good\n2: bad\n3: good\n", "other_text"),
    "YAML that says where it begins": ("---\nlabels: x, y\nlabels: z, w\n", "other_text"),
    "LaTeX": ("\\documentclass{article}\n\\begin{document}\na, b\n\\end{document}\n", "other_text"),
    "BibTeX": ("@article{a,\n  title={x},\n  year={2020}\n}\n", "other_text"),
    "what Python printed": (
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'a, b'\n",
        "other_text",
    ),
    "a conflict": ("id,label\n<<<<<<< HEAD\n1,good\n=======\n1,bad\n>>>>>>> x\n", "other_text"),
    "an error with a code": ('{"error": {"code": 404, "message": "Not found"}}', "server_error"),
    "an error of one key": ('{"detail": "Authentication credentials were not provided."}\n', "server_error"),
    "an error over several lines": (
        '{\n  "message": "Not Found",\n  "documentation_url": "https://x.org",\n  "status": "404"\n}\n',
        "server_error",
    ),
    "an error with an id": ('{"id": "req-1", "error": "Unauthorized"}', "server_error"),
}


@pytest.mark.parametrize("what", OTHER_TEXTS)
def test_no_task_is_proposed_for_a_text_that_holds_no_items(what):
    content, code = OTHER_TEXTS[what]
    (problem,) = read_given(content.encode(), file_name="gold.txt").problems
    assert (problem.code, problem.line) == (code, 1)


@pytest.mark.parametrize(
    "content",
    [
        "id,label\n1,a\n2,b\n",
        "id,text,label\n1,Note: this,a\n2,Note: that,b\n",
        "id\ttext\tlabel\n1\t- one\ta\n2\t- two\tb\n",
        "- Hello\n- Hi there\n- Bye\n",
        "A: hello\nB: hi\nA: bye\n",
        "Sci-Fi and more: space\nDrama: home\n",
        '{"id": "1", "label": "a"}\n',
        '{"id": "1", "message": "hello", "label": "a"}\n',
        '{"error": "none", "id": "1"}\n{"error": "one", "id": "2"}\n',
        '{"1": {"message": "x"}, "2": {"message": "y"}}\n',
    ],
)
def test_what_may_hold_items_is_taken_for_no_other_text(content):
    read = read_given(content.encode(), file_name="gold.txt")
    assert not {problem.code for problem in read.problems} & {"other_text", "server_error"}


def test_whoever_says_that_there_is_a_text_a_line_is_believed():
    read = read_given(b"1: good\n2: bad\n", file_name="gold.txt", layout="one_a_line")
    assert read.content is not None
    assert read.content.column("label") == ["1: good", "2: bad"]
