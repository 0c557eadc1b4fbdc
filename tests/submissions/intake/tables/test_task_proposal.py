"""What a table of ids and labels is taken for, by its columns and cells."""

from gzip import compress

import pytest

from catalogue.answers import Label, Number, OrderedClass, SoftLabels, Span
from catalogue.layouts import CSV
from submissions.intake import ProblemCode
from submissions.intake.tables.gold_columns import doubts_of_numbers
from submissions.intake.tables.labelled import read_given, read_labelled
from submissions.intake.tables.task_proposal import Proposal, propose, stated_of


def proposed(text: str, name: str = "data.csv") -> Proposal:
    table = read_labelled(text.encode(), file_name=name).content
    assert table is not None
    return propose(table, name)


def column(cells: str) -> str:
    return "id,label\n" + "".join(f"i{number},{cell}\n" for number, cell in enumerate(cells.split()))


@pytest.mark.parametrize(
    ("cells", "kind", "low", "high"),
    [
        ("pro con pro", Label, None, None),
        ("0 1 1", Label, None, None),
        ("-3 0 3", OrderedClass, -3, 3),
        ("1 2 11", OrderedClass, 1, 11),
        ("1 2 12", Number, 1, 12),
        ("0.5 0.25 1", Number, 0, 1),
        ("-0.5 0.25 1", Number, -1, 1),
        ("1.5 7.2 3", Number, 1, 8),
        ("1 2 n/a", Label, None, None),
        ("0 1 2 3 4 5 6 7 8 9", Label, None, None),
    ],
    ids=["words", "two", "classes", "eleven", "twelve", "share", "signed", "wide", "mixed", "digits"],
)
def test_numbers_classes_and_labels_are_told_apart_by_the_rule(cells, kind, low, high):
    found = proposed(column(cells))
    assert (found.kind, found.low, found.high) == (kind, low, high)


@pytest.mark.parametrize(
    ("name", "cells", "kind"),
    [
        ("star_rating", "0 1 2 3", OrderedClass),
        ("Intensity", "0 1 2 3", OrderedClass),
        ("Class Index", "1 2 3 4", Label),
        ("digit", "5 6 7 8", Label),
    ],
)
def test_the_name_of_a_column_tells_a_scale_from_codes(name, cells, kind):
    assert proposed(column(cells).replace("label", name)).kind is kind


@pytest.mark.parametrize(
    ("rows", "columns", "output"),
    [
        (("0.5 0.5 2 1", "0.25 0.75 9 0"), ("no", "yes"), {}),
        (("0.33 0.33 0.33 1", "1 0 0 4"), ("no", "yes", "other"), {"sum_within": 0.02}),
        (("4 1 0 0.5", "0 3 2 0.25"), ("no", "yes", "other"), {}),
    ],
    ids=["shares", "rounded", "votes"],
)
def test_columns_of_shares_or_votes_are_soft_labels(rows, columns, output):
    text = "id,no,yes,other,label\n" + "".join(
        f"i{at},{row.replace(' ', ',')}\n" for at, row in enumerate(rows)
    )
    table = read_labelled(text.encode(), file_name="data.csv").content
    assert table is not None
    found = propose(table, "data.csv")
    assert (found.kind, found.label_columns) == (SoftLabels, columns)
    assert stated_of(table, found.kind, "id", columns, columns)[0] == output


@pytest.mark.parametrize(
    "rows", [("1 2 3", "3 1 2"), ("0 1 0", "1 0 0"), ("0.5 0.5 0.5", "0.5 0.1 0.2"), ("4 1 0", "0 3 3")]
)
def test_ranks_flags_and_sums_of_any_size_are_no_soft_labels(rows):
    text = "id,no,yes,other\n" + "".join(f"i{at},{row.replace(' ', ',')}\n" for at, row in enumerate(rows))
    assert proposed(text).kind is not SoftLabels


@pytest.mark.parametrize("kind", [OrderedClass, Label])
def test_no_order_is_measured_with_a_straight_line(kind):
    assert kind.metric != "pearson"


SEMEVAL = (
    '101\t@USER Chronically wrong, as usual, "sources" say\tOFF\n'
    "102\t#Tea time: nothing to see, really\tNOT\n"
    "103\tA third one, with commas, many of them\tNOT\n"
)


def read(text: str, headerless: bool | None = None):
    found = read_labelled(text.encode(), file_name="data", headerless=headerless)
    assert found.content is not None, found.problems
    return found.content


@pytest.mark.parametrize(
    ("text", "delimiter", "layout"),
    [
        (SEMEVAL, "\t", "tsv"),
        ("id\ttweet, raw\tlabel\na\tone, two\tx\n", "\t", "tsv"),
        ("id,text\nb,a\tb\nc,d\n", ",", "csv"),
        ('id;text;label\na;"one; two";x\nb;three, four;y\n', ";", "csv"),
        ("id|label\na|x\nb|y\n", "|", "csv"),
        ("id,label\na,x\nb,y,z\n".replace(",z", ""), ",", "csv"),
    ],
    ids=["semeval", "commas in the header", "one tab", "semicolons", "bars", "commas"],
)
def test_what_separates_the_cells_is_found(text, delimiter, layout):
    table = read(text)
    assert (table.delimiter, table.layout.key) == (delimiter, layout)
    assert len(table.header) > 1


def test_a_quoted_cell_may_hold_a_semicolon_between_semicolons():
    assert read('id;text\na;"one; ""two"""\n').rows == (("a", 'one; "two"'),)


@pytest.mark.parametrize(
    ("text", "is_headerless"),
    [
        (SEMEVAL, True),
        ("t0,A text.,good\nt1,Another.,bad\nt2,A third.,good\n", True),
        ("a,,x\nb,c,y\n", True),
        ("tweet_no,stance_of_it\nt1,FAVOR\nt2,AGAINST\n", False),
        ("id,label\nlabel,label\n", False),
        ("ID,joy,anger\nt1,0,1\n", False),
    ],
    ids=["number", "label again", "empty", "names", "known names", "subset"],
)
def test_whether_the_first_line_names_the_columns_is_found(text, is_headerless):
    table = read(text)
    assert table.is_headerless is is_headerless
    if is_headerless:
        assert table.header == tuple(f"column {place}" for place in range(1, len(table.header) + 1))
        assert table.lines[0] == 1


def test_whoever_knows_better_says_whether_the_first_line_names_the_columns():
    assert len(read(SEMEVAL, headerless=False).rows) == 2
    assert read("id,label\na,x\n", headerless=True).rows[0] == ("id", "label")


def test_a_table_of_one_column_is_refused_with_what_can_separate_cells():
    found = read_labelled(b"id\na\nb\n", file_name="data")
    assert [one.code for one in found.problems] == ["header_delimiter"]
    assert "tabs, commas, semicolons or vertical bars" in found.problems[0].message


@pytest.mark.parametrize("delimiter", [",", ";", "\t"], ids=ascii)
def test_rows_that_were_emptied_at_the_end_of_a_table_are_left_out(delimiter):
    text = "id,label,text\na,x,one\nb,y,two\n,,\n , ,\n".replace(",", delimiter)
    table = read_labelled(text.encode(), file_name="data").content
    assert table
    assert [row[0] for row in table.rows] == ["a", "b"]


def test_an_empty_row_amid_others_is_refused():
    found = read_labelled(b"id,label\na,x\n,\nb,y\n", file_name="data")
    assert [(one.code, one.line) for one in found.problems] == [("blank_line", 3)]


def test_many_words_that_stand_in_their_texts_are_spans():
    rows = "".join(f"i{n},What did cook{n} eat for dinner?,cook{n}\n" for n in range(101))
    assert proposed("id,question,answer\n" + rows).kind is Span


def test_without_names_that_tell_the_columns_are_known_by_their_cells():
    found = proposed(
        "alpha,beta,gamma\nyes,k1,A sentence that is long enough.\nno,k2,Another one of that length.\nyes,k3,x\n"
    )
    assert (found.id_column, found.label_columns) == ("beta", ("alpha",))


def test_title_and_id_come_from_the_name_of_the_file():
    found = proposed(column("a b a"), "C:\\data\\Film reviews_2.final.csv")
    assert (found.title, found.slug) == ("Film reviews 2 final", "film-reviews-2-final")


def test_a_name_that_holds_no_letter_still_gives_an_id():
    assert proposed(column("a b a"), "例.csv").slug == "new-task"


def test_a_quoted_cell_may_run_over_lines_and_later_problems_keep_their_line():
    read = read_labelled(b'id,text,label\na,"one\ntwo",x\nb,y\n', file_name="data.csv")
    assert [(one.line, one.code) for one in read.problems] == [(4, "short_row")]


def test_no_problem_repeats_what_stood_in_the_file():
    read = read_labelled(b"id,label\na,secret,more\n", file_name="data.csv")
    assert "secret" not in repr(read)


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        ("O B-a I-a O B-a", "iob2"),
        ("I-a I-a O I-a B-a", "iob1"),
        ("B-a I-a E-a O S-a", "bioes"),
        ("B-a L-a O O U-a", "bilou"),
    ],
)
def test_the_scheme_of_entities_is_read_off_their_labels(labels, scheme):
    lines = "".join(f"w\t{label}\n" for label in labels.split())
    table = read_given(f"{lines}\n{lines}".encode(), file_name="data").content
    assert table is not None
    found = propose(table, "data")
    output, _ = stated_of(table, found.kind, "sentence", found.label_columns, ())
    assert output == {"types": ["a"], "scheme": scheme}


def test_a_line_of_tokens_that_begins_as_a_comment_is_no_comment():
    text = "# a remark\n#wow\tO\nAnn\tB-a\n\n# another\nBath\tO\n"
    table = read_given(text.encode(), file_name="data").content
    assert table is not None
    assert table.gold_column("token").parts == (("#wow", "Ann"), ("Bath",))
    assert table.seen is not None
    assert table.seen.options["skipped"] == ["# "]


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ('{"id": "a", "label": "x, y"}\n{"id": "b", "label": "z"}\n', "json_lines"),
        ('{\n"a": {"label": "x"},\n"b": {"label": "y"}\n}\n', "json_by_id"),
        ('{"a": {"label": "x"}, "b": {"label": "y"}}\n', "json_by_id"),
        ('{"a": "x",\n "b": "y"}\n', "json_by_id"),
        ("{" + ",".join(f'\n"i{at}": ["x",\n"y"]' for at in range(90)) + "\n}", "json_by_id"),
        ("A text, of a few words.\nAnother one without.\nA third, with, commas.\n", "one_a_line"),
        ("a\t0\tb\t1\nc\t0\td\t0\n", "table"),
        ("a1\tDoubt\t0\t5\na1\tSlogans\t7\t9\na2\tDoubt\t0\t4\n", "table"),
        ("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n", "trec"),
        ("id,text\na,one\nb,two\n", "table"),
        ("id\na\nb\n", "table"),
    ],
    ids=[
        "objects",
        "objects by ids",
        "objects by ids on a line",
        "labels by ids",
        "long lists by ids",
        "texts",
        "four columns and no query twice",
        "spans",
        "qrels",
        "commas",
        "a column's name",
    ],
)
def test_a_file_is_taken_for_what_it_looks_like(text, layout):
    read = read_given(text.encode(), file_name="data")
    found = read.content.layout.key if read.content and read.content.seen else "table"
    assert found == layout


def test_a_column_that_says_the_same_of_every_item_holds_no_labels():
    found = proposed("key,topic,view\na,pets,good\nb,pets,bad\nc,pets,good\n")
    assert found.label_columns == ("view",)


def test_a_line_that_is_no_object_is_told_by_its_number():
    read = read_given(b'{"id": "a", "label": "x"}\n{"id": "b", "label": }\n', file_name="data")
    assert [problem.line for problem in read.problems] == [2]


EXPORTED = {
    "UTF-16": "id,label\na,x y\nb,z\n".encode("utf-16"),
    "UTF-16, the high byte first": b"\xfe\xff" + "id\tlabel\na\tx y\nb\tz\n".encode("utf-16-be"),
    "Excel's separator": b"\xef\xbb\xbfsep=;\r\nid;label\r\na;x y\r\nb;z\r\n",
    "a separator that is seldom seen": b"sep=|\nid|label\na|x y\nb|z\n",
    "tabs and quotes": b'"id"\t"label"\n"a"\t"x y"\n"b"\tz\n',
}


@pytest.mark.parametrize("data", EXPORTED.values(), ids=EXPORTED)
def test_what_spreadsheet_programs_export_is_read(data):
    table = read_given(data, file_name="data").content
    assert table is not None
    assert (table.header, table.rows) == (("id", "label"), (("a", "x y"), ("b", "z")))


def test_a_tab_within_quotes_is_a_tab_and_participants_send_csv():
    table = read_given(b'"id"\t"text"\n"a"\t"one\ttwo ""x"""\n', file_name="data").content
    assert table is not None
    assert (table.rows, table.layout) == ((("a", 'one\ttwo "x"'),), CSV)


def test_judgements_in_json_are_seen_where_somebody_says_what_they_are():
    data = b'{"q1": {"d1": 1, "d2": 0},\n"q2": {"d1": 2}}\n'
    table = read_given(data, file_name="qrels.json", layout="trec").content
    assert table is not None
    assert (table.rows, table.lines) == ((("q1", "d1:1 d2:0"), ("q2", "d1:2")), (1, 2))


def test_texts_that_begin_with_a_bracket_are_no_json():
    assert read("[deleted],bad\n{sigh} what,good\n[1] one,bad\n").rows[0] == ("[deleted]", "bad")


def test_faults_below_the_line_of_a_separator_keep_their_line():
    read = read_given(b"sep=;\nid;label\na;x\nb;y;z\n", file_name="data")
    assert [(one.line, one.code) for one in read.problems] == [(4, "long_row")]


@pytest.mark.parametrize(
    ("data", "line", "code"),
    [
        (b'[["a", "x"],\n["b", "y"]]\n', 1, "json_not_by_lines"),
        (b'{\n  "version": "1",\n  "data": [{"id": "a", "label": "x"}]\n}\n', 1, "json_not_by_lines"),
        (b'{"tone": {"a": "x", "b": "y"}, "view": {"a": "y", "b": "y"}}\n', 1, "json_not_by_lines"),
        ("id,label\na,x\n".encode("utf-16-le"), None, "utf_16_or_32"),
        (b'"id"\t"label"\n"a"\t"x\\"y"\n', 2, "text_after_quote"),
        (b"PK\x03\x04\x14\x00[Content_Types].xml", None, "spreadsheet"),
    ],
    ids=[
        "list",
        "object",
        "subtasks",
        "UTF-16",
        "quote of another kind",
        "workbook",
    ],
)
def test_a_file_of_another_make_is_told_what_it_is(data, line, code):
    read = read_given(data, file_name="data")
    assert [(one.line, one.code) for one in read.problems] == [(line, code)]


def test_a_file_in_gzip_is_what_it_holds():
    text, lines = b"id,label\na,x\nb,y\n", b'{"id": "a", "label": "x"}\n{"id": "b", "label": "y"}\n'
    for data in (text, lines):
        assert read_given(compress(data), file_name="f.gz").content == read_given(data, file_name="f").content


def test_gzip_that_unpacks_to_far_too_much_is_refused():
    (problem,) = read_given(compress(b"0" * (33 * 2**20), 1), file_name="f.gz").problems
    assert problem.code is ProblemCode.FILE_TOO_LARGE


def test_the_title_is_the_name_of_the_file_without_its_ending():
    for ending in (".conll", ".csv.gz"):
        assert proposed(column("pro con pro"), f"film names{ending}").title == "Film names"


@pytest.mark.parametrize(
    ("cells", "separator"),
    [
        (("a;b", "c", "a", "c;a"), ";"),
        (("a | b", "c", "a", "", "c | a"), "|"),
        (("'a, b'", "c", "a", "'c, a'"), ","),
        (("'Austin, TX'", "'Dallas, TX'", "'Rye, NY'"), ""),
        (("'0,5'", "'1,5'", "'2,5'", "'0,0'", "'5,5'"), ""),
        (("'Well, yes'", "'No, never'", "'Well, no'"), ""),
        (("\"['a', 'b']\"", "['c']", "['a']", "\"['c', 'a']\""), ""),
    ],
    ids=["semicolons", "bars", "commas", "cities", "decimal commas", "sentences", "lists of Python"],
)
def test_several_labels_in_a_cell_are_a_list_where_they_come_again(cells, separator):
    rows = "".join(
        f"i{at},{cell.replace(chr(39), chr(34)) if cell[0:1] == chr(39) else cell}\n"
        for at, cell in enumerate(cells)
    )
    table = read_labelled(f"id,labels\n{rows}".encode(), file_name="data.csv").content
    assert table is not None
    found = propose(table, "data.csv")
    stated = stated_of(table, found.kind, "id", found.label_columns, ())[1]
    assert (found.kind.key == "many_labels", stated.get("separator", "")) == (bool(separator), separator)


def test_numbers_among_which_a_few_cells_hold_none_are_doubted():
    rows = "".join(f"i{at},{cell}\n" for at, cell in enumerate(("0.5", "0.25", "nan", "0.75")))
    table = read_labelled(f"id,score\n{rows}".encode(), file_name="data.csv").content
    assert table is not None
    (doubt,) = doubts_of_numbers(table, "score")
    assert doubt.startswith("Line 4, column score: here and on 0 further lines stands no number")
