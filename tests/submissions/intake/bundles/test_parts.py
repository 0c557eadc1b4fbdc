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


@pytest.mark.parametrize(
    ("data", "header", "rows", "is_numbered"),
    [
        (b"2\n0\n1\n", ("id", "label"), (("1", "2"), ("2", "0"), ("3", "1")), True),
        (b"yes\nno\n\n", ("id", "label"), (("1", "yes"), ("2", "no")), True),
        (b"label\n0.5\n0.25\n", ("id", "label"), (("1", "0.5"), ("2", "0.25")), True),
        (b"1 0 0\n0 0 1\n", ("id", "label"), (("1", "1"), ("2", "3")), True),
        (
            b"1 1 0\n0 0 0\n",
            ("id", "label_1", "label_2", "label_3"),
            (("1", "1", "1", "0"), ("2", "0", "0", "0")),
            True,
        ),
        (b"a,good\nb,bad\n", ("id", "label"), (("a", "good"), ("b", "bad")), False),
        (
            b"text,id,label\nx,7,good\ny,8,bad\n",
            ("id", "text", "label"),
            (("7", "x", "good"), ("8", "y", "bad")),
            False,
        ),
        (b"id\tlabel\n7\tgood\n8\tbad\n", ("id", "label"), (("7", "good"), ("8", "bad")), False),
        (b'{"a": 1, "b": true}', ("id", "label"), (("a", "1"), ("b", "true")), False),
        (b'["x", "y"]', ("id", "label"), (("1", "x"), ("2", "y")), True),
    ],
)
def test_labels_are_found_in_the_forms_that_they_have(data, header, rows, is_numbered):
    found, why = labels(data)
    assert found is not None, why
    assert (found.header, found.rows, found.is_numbered) == (header, rows, is_numbered)


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (b"", "labels.txt", "it is empty"),
        (b"1.5 2.5 3.5\n2 3 4\n", "labels.txt", "several numbers or words a row"),
        (b"\x00\x01", "labels.txt", "no text"),
        (b"x", "labels.npy", "no file that can be read as text"),
        (b'{"a": [1]}', "labels.json", "no single labels"),
        (b"{", "labels.json", "no JSON"),
    ],
)
def test_what_holds_no_labels_says_why(data, name, why):
    found, said = labels(data, name)
    assert found is None
    assert why in said


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
    assert found.rows == sent.rows == (("1", "1"), ("2", "0"))


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("accuracy", [("accuracy",)]),
        ("Balanced accuracy", [("recall_macro",)]),
        ("F1 (macro)", [("f1_macro",)]),
        ("macro_f1", [("f1_macro",)]),
        ("f1_score", [("f1_macro", "token_f1")]),
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
