"""From a corpus to loaded pairs on the command line."""

import io

import pytest
from django.core.management import CommandError, call_command

from scoring.models import PairSet
from tests.feelings import DEFINITION, PAIRS, load_all_gold

CORPUS = """\
Id,Sentence,Who,Sex,Origin,Mood
mystery-1,Ann is sad,Ann,f,north,sad
mystery-2,Bob is sad,Bob,m,south,sad
mystery-3,Eve is sad,Eve,f,south,sad
mystery-4,she is sad,she,f,,sad
mystery-5,he is sad,he,m,,sad
mystery-6,she is here,she,f,,
mystery-7,he is here,he,m,,
mystery-8,it is here,it,,,
"""
BY_SEX = ["--id", "Id", "--by", "Sex", "--first", "f", "--second", "m", "--cell", "Mood"]
ALIKE = ["--cell-unless", "Who", "Origin", "--same", "she=he"]


def manage(*arguments: str) -> str:
    output = io.StringIO()
    call_command(*arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.csv"
    path.write_text(CORPUS, encoding="utf-8")
    return path


@pytest.fixture
def feelings(sync, gold_keys):
    benchmark = sync(DEFINITION)
    load_all_gold(benchmark)
    return benchmark


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "gender.csv"
    path.write_bytes(PAIRS)
    return path


def test_items_alike_in_the_cells_make_a_pair_and_names_are_taken_together(corpus):
    assert manage("derive_pairs", str(corpus), *BY_SEX, *ALIKE).splitlines() == [
        "pair,group,id",
        "1 / sad,f,mystery-1",
        "1 / sad,f,mystery-3",
        "1 / sad,m,mystery-2",
        "2 / sad / he,f,mystery-4",
        "2 / sad / he,m,mystery-5",
        "3 / he,f,mystery-6",
        "3 / he,m,mystery-7",
    ]


def test_an_empty_stratum_gets_a_name(corpus):
    options = ["--stratum", "Mood", "--no-stratum", "neutral"]
    lines = manage("derive_pairs", str(corpus), *BY_SEX, *ALIKE, *options).splitlines()
    assert lines[0] == "pair,group,id,stratum"
    assert lines[1].endswith(",sad")
    assert lines[-1].endswith(",neutral")


def test_the_file_is_written_where_it_is_wanted(corpus, tmp_path):
    said = manage("derive_pairs", str(corpus), *BY_SEX, *ALIKE, "--output", str(tmp_path / "pairs.csv"))
    assert said.endswith("pairs.csv: 3 pairs\n")
    assert (tmp_path / "pairs.csv").read_text().count("\n") == 8


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (CORPUS, [*BY_SEX, "--cell", "Who"], "has no item of m"),
        (CORPUS, [*BY_SEX, "--stratum", "Moods"], "no column Moods; its columns are: Id, Sentence"),
        (CORPUS, [*BY_SEX, "--same", "she"], "takes pairs such as she=he"),
        (CORPUS, BY_SEX[:-2], "in which columns"),
        (CORPUS, [*BY_SEX[:5], "f", "--second", "f", "--cell", "Mood"], "the same group"),
        (CORPUS.replace(",sad\nmystery-2", "\nmystery-2"), BY_SEX, "Line 2 has another number of cells"),
        (CORPUS.replace(",f,", ",w,").replace(",m,", ",v,"), BY_SEX, "No row has f or m in the column Sex"),
        ('Id,Sex,Mood\n"a"b,f,sad\n', BY_SEX, "Line 2 is no line of a CSV file"),
        ("", BY_SEX, "its columns are: none"),
    ],
)
def test_a_corpus_that_does_not_pair_up_is_refused_with_a_reason(corpus, text, options, sentence):
    corpus.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=sentence):
        manage("derive_pairs", str(corpus), *options)


def test_a_corpus_that_is_not_utf8_or_not_there_is_refused(corpus, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        manage("derive_pairs", str(tmp_path / "nothing.csv"), *BY_SEX)
    corpus.write_bytes(CORPUS.replace("Ann", "Änn").encode("latin-1"))
    with pytest.raises(CommandError, match="not valid UTF-8"):
        manage("derive_pairs", str(corpus), *BY_SEX)


def test_pairs_are_loaded_for_one_task(feelings, pairs):
    said = manage("load_pairs", "feelings", "joy", "equity", "gender", str(pairs), "--title", "She and he")
    assert said == "feelings/joy/equity gender 1: 4 pairs, she minus he\n"
    assert PairSet.objects.get().title == "She and he"


def test_pairs_are_loaded_for_all_tasks_that_they_fit(feelings, pairs):
    said = manage("load_pairs", "feelings", "all", "equity", "gender", str(pairs))
    assert [line.partition(" ")[0] for line in said.splitlines()] == [
        "feelings/joy/equity",
        "feelings/level/equity",
        "Left",
    ]
    assert PairSet.objects.count() == 2


def test_the_groups_may_be_named_in_the_other_order(feelings, pairs):
    names = ["--first", "he", "--second", "she"]
    assert "he minus she" in manage("load_pairs", "feelings", "joy", "equity", "gender", str(pairs), *names)


def test_a_malformed_file_is_refused_with_its_line(feelings, pairs):
    pairs.write_bytes(PAIRS.replace(b"mystery-2", b"mystery-1"))
    with pytest.raises(CommandError, match=r"gender\.csv, line 3, column id: The id “mystery-1” stands"):
        manage("load_pairs", "feelings", "joy", "equity", "gender", str(pairs))


@pytest.mark.parametrize("place", [["nothing", "joy", "equity"], ["feelings", "joy", "dev"]])
def test_an_unknown_split_is_refused_with_those_there_are(feelings, pairs, place):
    with pytest.raises(CommandError, match="There is no split"):
        manage("load_pairs", *place, "gender", str(pairs))


def test_a_file_that_is_not_there_is_refused(feelings, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        manage("load_pairs", "feelings", "joy", "equity", "gender", str(tmp_path / "nothing.csv"))
