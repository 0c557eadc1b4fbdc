"""Tables as programs export them, read before anybody said what they are."""

import pytest

from submissions.intake.tables.labelled import LabelledTable, read_given

HEADER = "id\ttext\tlabel\n"


def table(text: str, encoding: str = "utf-8") -> LabelledTable:
    return read_given(text.encode(encoding), file_name="gold.txt").content_or(AssertionError)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_cells_between_tabs_that_a_spreadsheet_program_quoted_are_read_without_the_quotes(encoding):
    """Excel's text files quote but the cells that hold a quote, a comma or a line break, and double a quote within."""
    rows = 'a1\t"He said ""hi"", twice"\tpos\na2\tplain\tneg\na3\t"two\nlines"\tpos\n'

    read = table(HEADER + rows, encoding)

    assert [row[1] for row in read.rows] == ['He said "hi", twice', "plain", "two\nlines"]
    assert read.lines == (2, 3, 4)
    assert read.layout.key == "csv"


@pytest.mark.parametrize("text", ['He said "hi"', '"quoted" and not', '""', '"all of it"', 'inches: 5""'])
def test_quotes_between_tabs_that_are_no_pairs_around_cells_stay(text):
    read = table(f"{HEADER}a1\t{text}\tpos\na2\tplain\tneg\n")

    assert [row[1] for row in read.rows] == [text, "plain"]
    assert read.layout.key == "tsv"


def test_one_wrong_quote_says_that_quotes_between_tabs_are_characters_like_any_other():
    read = table(f'{HEADER}a1\t"He said ""hi"""\tpos\na2\t5" long\tneg\n')

    assert [row[1] for row in read.rows] == ['"He said ""hi"""', '5" long']


def test_columns_without_a_name_are_named_by_their_place():
    """As pandas writes its index, and as a comma at the end of each line makes one more column."""
    read = table(",id,label,\n0,a1,pos,\n1,a2,neg,\n")

    assert read.header == ("column 1", "id", "label", "column 4")
    assert read.rows[1] == ("1", "a2", "neg", "")
