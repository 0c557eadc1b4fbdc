"""Pairs are loaded in numbered versions, for the splits that they fit, or refused with their line."""

import pytest

from scoring.file_refusal import FileRefused
from scoring.item_sets.pair_sets import PairsUpload, load_pairs_everywhere
from scoring.models import PairSet
from tests.conftest import NOW
from tests.feelings import DEFINITION, PAIRS, equity_split, load_all_gold, load_gender


@pytest.fixture
def feelings(sync, gold_keys):
    benchmark = sync(DEFINITION)
    load_all_gold(benchmark)
    return benchmark


def test_pairs_are_kept_with_their_groups_in_order_of_appearance(feelings):
    pairs = load_gender(feelings)
    assert (pairs.first, pairs.second, pairs.title) == ("she", "he", "Gender")
    assert (pairs.number, pairs.pair_count, pairs.item_count) == (1, 4, 8)


def test_the_organiser_may_name_title_and_order(feelings):
    pairs = load_gender(feelings, title="Women and men", first="he", second="she")
    assert (pairs.first, pairs.second, pairs.title) == ("he", "she", "Women and men")


def test_loading_again_makes_the_next_version_and_keeps_the_first(feelings):
    load_gender(feelings)
    assert load_gender(feelings).number == 2
    assert PairSet.objects.count() == 2


def test_ordered_classes_can_be_compared(feelings):
    assert load_gender(feelings, task="level").pair_count == 4


def test_answers_without_an_order_are_refused(feelings):
    with pytest.raises(FileRefused, match="neither numbers nor ordered classes"):
        load_gender(feelings, task="words")


def test_problems_name_file_line_and_column(feelings):
    with pytest.raises(FileRefused) as refused:
        load_gender(feelings, PAIRS.replace(b"mystery-4", b"mystery-9"))
    assert refused.value.sentences[0].startswith("gender.csv, line 5, column id: “mystery-9” is not an id")
    assert refused.value.problems[0].code == "unknown_id"
    assert not PairSet.objects.exists()


def test_a_test_item_is_no_item_of_the_equity_split(feelings):
    with pytest.raises(FileRefused, match="“t1” is not an id of this task's equity split"):
        load_gender(feelings, PAIRS.replace(b"mystery-1,", b"t1,"))


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"first": "she", "second": "she"}, "Both groups are named “she”"),
        ({"first": "she"}, "Name both groups in their order, or neither"),
        ({"title": "x" * 121}, "The title has 121 characters"),
    ],
)
def test_what_the_organiser_says_of_the_pairs_is_checked(feelings, said, sentence):
    with pytest.raises(FileRefused, match=sentence):
        load_gender(feelings, **said)


@pytest.mark.parametrize("name", ["", "a b", "x" * 65, "../x"])
def test_a_comparison_needs_a_short_plain_name(feelings, name):
    with pytest.raises(FileRefused, match="cannot name a comparison"):
        everywhere(feelings, PairsUpload(name, PAIRS, "gender.csv"))


def everywhere(benchmark, upload):
    splits = [equity_split(benchmark, task) for task in ("joy", "level", "words")]
    return load_pairs_everywhere(splits=splits, upload=upload, now=NOW)


def test_one_file_is_loaded_for_every_split_that_it_fits(feelings):
    loaded = everywhere(feelings, PairsUpload("gender", PAIRS, "gender.csv"))
    assert [one.split.task.slug for one in loaded] == ["joy", "level"]


def test_a_file_that_fits_no_split_is_refused_with_its_problems(feelings):
    with pytest.raises(FileRefused, match="line 2, column id"):
        everywhere(feelings, PairsUpload("gender", PAIRS.replace(b"mystery-1,", b"t1,"), "gender.csv"))
