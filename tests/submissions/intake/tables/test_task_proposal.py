"""What a table of ids and labels is taken for, by its columns and cells."""

import pytest

from catalogue.answers import Label, Number, OrderedClass, Span
from submissions.intake.tables.labelled import read_labelled
from submissions.intake.tables.task_proposal import Proposal, propose


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
    ],
    ids=["words", "two", "classes", "eleven", "twelve", "share", "signed", "wide", "mixed"],
)
def test_numbers_classes_and_labels_are_told_apart_by_the_rule(cells, kind, low, high):
    found = proposed(column(cells))
    assert (found.kind, found.low, found.high) == (kind, low, high)


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
