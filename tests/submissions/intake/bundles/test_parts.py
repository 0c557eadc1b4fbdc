"""Dates, texts, labels and metrics of bundles, as they are found there."""

import datetime as dt
import time

import pytest

from submissions.intake.bundles.archive import Archive
from submissions.intake.bundles.dates import instant
from submissions.intake.bundles.metric_clues import meanings
from submissions.intake.bundles.reference import read_answers, read_reference
from submissions.intake.bundles.texts import as_markdown, as_plain, decoded, looks_like_html
from tests.submissions.intake.bundles.test_archive import zipped

UTC = dt.UTC


@pytest.mark.parametrize(
    ("text", "read", "assumed"),
    [
        ("2020-01-15 18:53:00+00:00", dt.datetime(2020, 1, 15, 18, 53, tzinfo=UTC), ""),
        ("2020-01-15", dt.datetime(2020, 1, 15, tzinfo=UTC), ""),
        ("2020-01-15T01:00:00+02:00", dt.datetime(2020, 1, 14, 23, tzinfo=UTC), ""),
        ("6-15-2020", dt.datetime(2020, 6, 15, tzinfo=UTC), "the month first"),
        ("8-7-2019 10:30", dt.datetime(2019, 8, 7, 10, 30, tzinfo=UTC), "the month first"),
        ("15/6/2020", dt.datetime(2020, 6, 15, tzinfo=UTC), ""),
        ("2020-1-5 9:00", dt.datetime(2020, 1, 5, 9, tzinfo=UTC), ""),
        ("June 1, 2020", dt.datetime(2020, 6, 1, tzinfo=UTC), ""),
    ],
)
def test_dates_are_read_in_utc(text, read, assumed):
    assert instant(text) == (read, assumed)


@pytest.mark.parametrize("text", ["soon", "13-13-2020", "2020-02-30", "99999999999999"])
def test_what_is_no_date_is_none(text):
    assert instant(text) is None


def test_html_becomes_markdown_without_what_runs():
    html = (
        "<style>p{}</style><h2>Data &amp; more</h2><p>See <a href='https://example.org/a b'>the <b>paper</b></a>.</p>"
        "<ul><li>one</li><li>two</li></ul><script>alert(1)</script><p>1 * 2 &lt;b&gt;</p>"
    )
    assert as_markdown(html) == (
        "## Data & more\n\nSee [the **paper**](<https://example.org/ab>).\n\n- one\n- two\n\n1 \\* 2 \\<b\\>"
    )


@pytest.mark.parametrize(
    "html",
    ["<a ", "<a b='", "</", "<!--", "<![CDATA[", "<p>", "<ul><li>", "<b><p>", "<script>"],
    ids=lambda html: html.strip("<"),
)
def test_tags_that_never_end_are_read_as_fast_as_others(html):
    few, many = (html * count for count in (500, 8_000))
    ratio = min(seconds_of(many) for _ in range(2)) / min(seconds_of(few) for _ in range(5))
    assert ratio < 16 * 5  # 256 where each is read to the end of the page


def seconds_of(html: str) -> float:
    began = time.process_time()
    looks_like_html(html)
    as_markdown(html)
    return time.process_time() - began


def test_comments_are_dropped_and_what_only_looks_like_a_tag_is_text():
    html = "<p>a <!-- <b>hidden</b> -->b</p><p>x < y and y > z <!-- open</p><p>end <a"
    assert as_markdown(html) == "a b\n\nx \\< y and y \\> z \\<!-- open\n\nend \\<a"


def test_terms_are_plain_text():
    assert as_plain("<h1>Rules</h1><p>Be <em>fair</em>.</p>") == "Rules\n\nBe fair."
    assert as_plain("# Rules\n\nBe fair.\n") == "# Rules\n\nBe fair."


def test_latin_1_is_read_and_told():
    assert decoded("naïve".encode("latin-1")) == ("naïve", "Latin-1")


def labels(data: bytes, name: str = "labels.txt"):
    return read_reference(Archive(zipped({f"ref/{name}": data}), "b.zip"), "ref/")


LINES = ("line", "label")
OF_LINES = "One answer a line; the ids are the numbers of the lines"


@pytest.mark.parametrize(
    ("data", "header", "rows", "assumed"),
    [
        (b"2\n0\n1\n", LINES, (("1", "2"), ("2", "0"), ("3", "1")), OF_LINES),
        (b"yes\nno\n\n", LINES, (("1", "yes"), ("2", "no")), OF_LINES),
        (b"label\n0.5\n0.25\n", LINES, (("1", "0.5"), ("2", "0.25")), f"{OF_LINES}; below a header"),
        (b"stance\nfor\nno\n", LINES, (("1", "for"), ("2", "no")), f"{OF_LINES}; below a header"),
        (b"1 0 0\n0 0 1\n", LINES, (("1", "1"), ("2", "3")), "read as the number of the class"),
        (
            b"1 1 0\n0 0 0\n",
            ("id", "label_1", "label_2", "label_3"),
            (("1", "1", "1", "0"), ("2", "0", "0", "0")),
            "a column of 0 and 1 for each label; the ids are the numbers of its rows",
        ),
        (
            b"a,good\nb,bad\nc,good\n",
            ("column 1", "column 2"),
            (("a", "good"), ("b", "bad"), ("c", "good")),
            "CSV without a header",
        ),
        (b"7 good\n8 bad\n", ("column 1", "column 2"), (("7", "good"), ("8", "bad")), "spaces between"),
        (b"7 0.5\n8 1.5\n", ("column 1", "column 2"), (("7", "0.5"), ("8", "1.5")), "spaces between"),
        (
            b"text,id,label\nx,7,good\ny,8,bad\n",
            ("text", "id", "label"),
            (("x", "7", "good"), ("y", "8", "bad")),
            "CSV",
        ),
        (b"id ; label\n7 ; good\n8 ; bad\n", ("id", "label"), (("7", "good"), ("8", "bad")), "CSV"),
        (b"doc|stance\n7|for\n8|no\n", ("doc", "stance"), (("7", "for"), ("8", "no")), "CSV"),
        (b"id\tlabel\n7\tgood\n8\tbad\n", ("id", "label"), (("7", "good"), ("8", "bad")), "TSV"),
        (
            b"text,label\nx,good\nx,bad\ny,bad\n",
            ("id", "text", "label"),
            (("1", "x", "good"), ("2", "x", "bad"), ("3", "y", "bad")),
            "CSV; the ids are the numbers of its rows",
        ),
        (b'{"a": 1, "b": true}', ("id", "answer"), (("a", "1"), ("b", "true")), "A JSON object by ids"),
        (b'["x", "y"]', LINES, (("1", "x"), ("2", "y")), "a list in JSON"),
        (
            b'{"id": "a", "label": "good"}\n{"id": "b", "label": "bad"}\n',
            ("id", "label"),
            (("a", "good"), ("b", "bad")),
            "JSON lines",
        ),
        (
            b"Ann\tB-PER\nran\tO\n\nBob\tB-PER\n",
            ("sentence", "token", "label"),
            (("1", "Ann ran", "B-PER O"), ("2", "Bob", "B-PER")),
            "CoNLL columns",
        ),
        (
            b"1 0 10 1\n1 0 11 0\n2 0 12 2\n",
            ("query", "document"),
            (("1", "10:1 11:0"), ("2", "12:2")),
            "TREC",
        ),
    ],
)
def test_labels_are_found_in_the_forms_that_they_have(data, header, rows, assumed):
    found, why = labels(data)
    assert found is not None, why
    assert (found.table.header, found.table.rows) == (header, rows)
    assert assumed in "; ".join(found.assumed)


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (b"", "labels.txt", "it is empty"),
        (b"1.5 2.5 3.5\n2 3 4\n", "labels.txt", "several numbers a row"),
        (b"\x00\x01", "labels.txt", "no text"),
        (b"x", "labels.npy", "no file that can be read as text"),
        (b"{", "labels.json", "Items in JSON must be objects"),
    ],
)
def test_what_holds_no_labels_says_why(data, name, why):
    found, said = labels(data, name)
    assert found is None
    assert why in said


def test_a_cell_that_python_s_reader_of_csv_gives_up_at_is_read():
    found, _ = labels(b"id,text,label\n1," + 200_000 * b"x" + b",good\n2,y,bad\n")
    assert found is not None
    assert found.table.column("label") == ["good", "bad"]


def test_of_several_files_it_is_the_one_called_like_labels():
    members = {"r/train.data": b"1\n2\n", "r/test.solution": b"3\n4\n", "r/readme.txt": b"x"}
    found, _ = read_reference(Archive(zipped(members), "b.zip"), "r")
    assert found is not None
    assert found.path == "r/test.solution"
    assert "of 3 files" in " ".join(found.assumed)


def test_labels_in_a_zip_of_the_zip_are_read_and_submissions_alike():
    inner = zipped({"a.solution": b"1\n0\n"}).getvalue()
    found, _ = read_reference(Archive(zipped({"ref.zip": inner}), "b.zip"), "ref.zip")
    sent, _ = read_answers(inner, "sent.zip")
    assert found is not None
    assert sent is not None
    assert found.table.rows == sent.table.rows == (("1", "1"), ("2", "0"))


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("accuracy", [("accuracy", "token_accuracy")]),
        ("Balanced accuracy", [("balanced_accuracy", "recall_macro")]),
        ("F1 (macro)", [("f1_macro",)]),
        ("macro_f1", [("f1_macro",)]),
        ("f1_score", [("f1_macro", "token_f1", "f1_micro", "span_f1", "slot_f1")]),
        ("ROUGE-L", [("rougeL",)]),
        ("BLEU", [("bleu",)]),
        ("chrF++", [("chrf",)]),
        ("nDCG@10", [("ndcg_cut_10",)]),
        ("MAP", [("map",)]),
        ("map_capped_10", [("map_capped_10",)]),
        ("span_precision", [("span_precision",)]),
        ("RMSE", [("rmse",)]),
        ("mse_metric", [("mse", "rmse")]),
        ("Pearson correlation", [("pearson",)]),
        ("set1_score", []),
        ("duration", []),
        ("space_accelerator", []),
    ],
)
def test_words_mean_metrics(words, names):
    assert meanings(words) == names


def test_a_submission_that_is_broken_says_so():
    found, why = read_answers(b"PK\x03\x04broken", "sent.zip")
    assert found is None
    assert "no zip" in why
