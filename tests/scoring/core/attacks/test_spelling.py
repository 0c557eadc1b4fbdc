"""Spelling errors: two per text, as fingers on a QWERTY keyboard make them."""

import re

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from scoring.core.attacks import perturb
from scoring.core.attacks.spelling import NEIGHBOURS, misspelt

# Written out from a keyboard, not computed: the rule under test must not be its own oracle.
KEYS_BESIDE = {
    "q": "wa", "w": "qeas", "e": "wrsd", "r": "etdf", "t": "ryfg", "y": "tugh", "u": "yihj", "i": "uojk",
    "o": "ipkl", "p": "ol", "a": "qwsz", "s": "awedxz", "d": "serfcx", "f": "drtgvc", "g": "ftyhbv",
    "h": "gyujnb", "j": "huikmn", "k": "jiolm", "l": "kop", "z": "asx", "x": "zsdc", "c": "xdfv",
    "v": "cfgb", "b": "vghn", "n": "bhjm", "m": "njk",
}  # fmt: skip

seeds = st.integers(0, 2**31 - 1)
words = st.text("abcdefghijklmnopqrstuvwxyzABCDEXYZé", min_size=1, max_size=9)
sentences = st.lists(
    st.one_of(words, st.sampled_from([",", "don't", "#Brexit", "@someone", "2016"])), max_size=12
)
texts = st.one_of(sentences.map(" ".join), st.text(max_size=60))


def attempt(text: str, seed: int = 1) -> str | None:
    return misspelt(text, np.random.default_rng(seed))


def spelt(text: str, seed: int = 1) -> str:
    """The text with its errors; texts that cannot have them are not looked at."""
    made = attempt(text, seed)
    if made is None:
        reject()
    return made


def words_of(text: str) -> list[tuple[int, int]]:
    """Where the words of at least four letters stand."""
    return [match.span() for match in re.finditer(r"[^\W\d_]{4,}", text)]


def changed_places(before: str, after: str) -> list[int]:
    return [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]


def as_swap(before: str, after: str, places: list[int]) -> bool:
    """Whether these two places show two letters that changed places, in any case."""
    first, second = places
    old, new = before[first : second + 1].lower(), after[first : second + 1].lower()
    return second == first + 1 and old[0] != old[1] and new == old[::-1]


def test_neighbours_are_those_of_the_keyboard():
    assert {key: set(near) for key, near in NEIGHBOURS.items()} == {
        key: set(near) for key, near in KEYS_BESIDE.items()
    }


@given(texts, seeds)
def test_exactly_two_errors_a_swap_and_a_neighbour(text, seed):
    after = spelt(text, seed)
    places = changed_places(text, after)
    assert len(places) == 3
    splits = [[place for place in places if place != replaced] for replaced in places]
    fitting = [
        replaced
        for replaced, rest in zip(places, splits, strict=True)
        if as_swap(text, after, rest) and after[replaced].lower() in KEYS_BESIDE[text[replaced].lower()]
    ]
    assert fitting


@given(texts, seeds)
def test_only_words_of_four_letters_are_touched(text, seed):
    after = spelt(text, seed)
    long = words_of(text)
    assert all(any(start <= place < end for start, end in long) for place in changed_places(text, after))


@given(texts, seeds)
def test_the_errors_stand_in_two_words_where_there_are_two(text, seed):
    after = spelt(text, seed)
    places = changed_places(text, after)
    touched = {span for span in words_of(text) for place in places if span[0] <= place < span[1]}
    on_keyboard = [
        span
        for span in words_of(text)
        if re.search("[a-zA-Z]", text[slice(*span)])
        and "@" not in _token_around(text, span[0])
        and "://" not in _token_around(text, span[0])
        and not _token_around(text, span[0]).lower().startswith("www.")
    ]
    assert len(touched) == min(2, len(on_keyboard))


def _token_around(text: str, place: int) -> str:
    return next(match[0] for match in re.finditer(r"\S+", text) if match.start() <= place < match.end())


@given(texts, seeds)
def test_case_and_all_other_characters_stay_in_place(text, seed):
    after = spelt(text, seed)
    assert [letter.isupper() for letter in after] == [letter.isupper() for letter in text]


@given(texts, seeds)
def test_the_same_seed_makes_the_same_text(text, seed):
    assert attempt(text, seed) == attempt(text, seed)


@given(st.lists(st.sampled_from(["a", "to", "the", "123", "don't", "...", ""])).map(" ".join), seeds)
def test_a_text_without_a_long_word_is_left_alone(text, seed):
    assert attempt(text, seed) is None


@given(st.text("abcdefgh", min_size=4, max_size=8), seeds)
def test_a_single_word_takes_both_errors_at_different_places(word, seed):
    assume(len(set(word)) > 1)
    assert len(changed_places(word, spelt(word, seed))) == 3


@pytest.mark.parametrize("text", ["aaaa bbbb", "мама мыла раму", "éaéb"])
def test_a_text_without_letters_to_swap_is_left_alone(text):
    assert attempt(text) is None


@pytest.mark.parametrize(
    "pointer", ["https://example.org/pages", "www.example.org", "@somebody", "mail@example.org"]
)
def test_what_points_elsewhere_is_left_alone(pointer):
    made = {spelt(f"{pointer} #hashtag word", seed) for seed in range(50)}
    assert all(text.split()[0] == pointer for text in made)
    assert "#hashtag" not in {text.split()[1] for text in made}  # the words of a hashtag are words


def test_doubled_letters_are_never_what_is_swapped():
    made = {spelt("eees word", seed) for seed in range(100)}
    swapped = {text.split()[0] for text in made if text.split()[1] != "word"}
    assert all(sorted(word) != sorted("eees") or word == "eese" for word in swapped)


ITEMS = [("i1", ("First claim here", "Some other words")), ("i2", ("Second claim there", "More words again"))]


def attacked(items, seed=7, columns=("claim", "text")):
    ids, rows = zip(*items, strict=True)
    return dict(
        zip(ids, perturb("spelling", ids=ids, columns=columns, rows=rows, seed=seed).rows, strict=True)
    )


def test_the_order_of_items_makes_no_difference():
    assert attacked(ITEMS) == attacked(ITEMS[::-1])


def test_another_seed_another_item_and_another_column_make_other_errors():
    same = ("The same long sentence stands everywhere", "The same long sentence stands everywhere")
    many = [(f"i{number}", same) for number in range(4)]
    made = [text for seed in (1, 2) for row in attacked(many, seed).values() for text in row]
    assert len(set(made)) == 16


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5), seeds)
def test_every_text_of_every_item_is_accounted_for(rows, seed):
    ids = [f"i{number}" for number in range(len(rows))]
    made = perturb("spelling", ids=ids, columns=["a", "b"], rows=rows, seed=seed)
    assert [len(row) for row in made.rows] == [2] * len(rows)
    pairs = [
        (old, new)
        for before, after in zip(rows, made.rows, strict=True)
        for old, new in zip(before, after, strict=True)
    ]
    assert made.text_count == sum(bool(old.strip()) for old, _ in pairs)
    assert made.untouched == sum(bool(old.strip()) and old == new for old, new in pairs)
