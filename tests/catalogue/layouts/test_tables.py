"""Tables with more than an id and a label: tabs, columns that nobody compares, composite ids, line breaks in cells."""

import pytest

from submissions.intake import ItemIds
from tests.submissions.intake.kinds import NEWS, NUMBER, STANCE, gold, places, problems_in, read, tweets

HEADER = "Headline,Body ID,Stance\n"
NEWS_GOLD = HEADER + '"Cat, seen\non moon",7,agree\nDog,8,disagree\nDog,8,agree\n'
NEWS_IDS = gold(NEWS_GOLD, NEWS).ids.ids


def test_what_stands_in_a_column_that_nobody_compares_does_not_matter():
    odd = tweets("0.5", "0.25", "1").replace("some text", 'he said "no", 1"')
    assert read(odd, NUMBER).sha256 == read(tweets("0.5", "0.25", "1"), NUMBER).sha256


def test_a_fixed_column_must_say_what_the_task_says():
    file = tweets("0.5", "0.25", "1", dimension="anger")
    assert places(file, NUMBER) == [("fixed_cell", line, "Affect") for line in (2, 3, 4)]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("ID\tTweet\tAffect\tScore\n", ""), ("header_missing", 1, None)),
        (("ID\tTweet", "Id\tTweet"), ("header_spelling", 1, None)),
        (("ID\tTweet", "Tweet\tID"), ("header_order", 1, None)),
        (("ID\tTweet\tAffect\tScore", "ID,Tweet,Affect,Score"), ("header_delimiter", 1, None)),
        (("a2\tsome text\tjoy\t0.25", "a2\tsome text\t0.25"), ("short_row", 3, None)),
        (("\t0.25\n", "\t0.25\t\n"), ("long_row", 3, None)),
        (("a2\t", "a2 \t"), ("id_spelling", 3, "ID")),
        (("a2\t", "b2\t"), ("unknown_id", 3, "ID")),
        (("a2\t", "a1\t"), ("duplicate_id", 3, "ID")),
        (("\t0.25\n", "\t0\x07.25\n"), ("control_character", 3, None)),
        (("a2\t", "a\u20282\t"), ("unicode_line_break", 3, None)),
        (("some text", "x" * 1001), ("cell_too_long", 2, "Tweet")),
    ],
)
def test_faults_of_form_are_placed(change, problem):
    assert places(tweets("0.5", "0.25", "1").replace(*change), NUMBER)[0] == problem


def test_an_ignored_column_must_still_be_utf_8():
    (problem,) = problems_in(tweets("0.5", "0.25", "1").encode().replace(b"some", b"s\xe9me", 1), NUMBER)
    assert (problem.code, problem.line) == ("invalid_utf8", 2)


def test_latin_1_is_read_where_the_definition_says_so():
    file = "ID\tTweet\tStance\na1\tcaf\xe9 \x93quoted\x94\tNONE\na2\ty\tNONE\na3\tz\tFAVOR\n".encode(
        "latin-1"
    )
    assert read(file, STANCE).codes.tolist() == [2, 2, 1]


def test_a_table_of_tabs_may_be_in_any_order_and_have_crlf():
    header, *rows = tweets("0.5", "0.25", "1").splitlines()
    shuffled = "\r\n".join([header, *rows[::-1]]) + "\r\n"
    assert read(shuffled, NUMBER).codes.tolist() == [0.5, 0.25, 1.0]


# Composite ids


def test_ids_of_several_columns_can_be_listed_one_a_line():
    assert ItemIds.from_bytes(ItemIds(NEWS_IDS).to_bytes()).ids == NEWS_IDS


def test_the_nth_row_of_an_id_answers_its_nth_in_the_gold_file():
    file = HEADER + 'Dog,8,agree\n"Cat, seen\non moon",7,disagree\nDog,8,disagree\n'
    assert read(file, NEWS, NEWS_IDS).codes.tolist() == [1, 0, 1]


def test_a_line_break_in_a_cell_is_the_same_in_a_file_with_crlf():
    assert read(NEWS_GOLD.replace("\n", "\r\n"), NEWS, NEWS_IDS).codes.tolist() == [0, 1, 0]


def test_the_line_of_a_fault_is_the_physical_one_though_cells_break_lines():
    assert places(NEWS_GOLD.replace("Dog,8,disagree", "Dog,8,maybe"), NEWS, NEWS_IDS) == [
        ("unknown_label", 4, "Stance")
    ]


def test_an_id_that_stands_too_often_is_refused():
    (problem,) = problems_in(NEWS_GOLD + "Dog,8,agree\n", NEWS, NEWS_IDS)
    assert (problem.code, problem.line) == ("duplicate_id", 6)
    assert "has it 2 times" in problem.message


def test_an_id_that_stands_too_seldom_is_missing():
    assert places(NEWS_GOLD.removesuffix("Dog,8,agree\n"), NEWS, NEWS_IDS)[0][0] == "missing_ids"


def test_a_headline_that_does_not_match_is_refused_and_the_nearest_named():
    problem = problems_in(NEWS_GOLD.replace("Dog,8,disagree", "Dogs,8,disagree"), NEWS, NEWS_IDS)[0]
    assert (problem.code, problem.line, problem.column) == ("unknown_id", 4, "Headline")
    assert problem.expected == "Dog"


def test_a_quote_that_never_closes_is_told_on_its_own_line():
    assert places(HEADER + '"Cat,7,agree\nDog,8,agree\nDog,8,agree\n', NEWS, NEWS_IDS)[0][:2] == (
        "unclosed_quote",
        2,
    )
