"""Places found by words against a dict, which is the slow and obvious way."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.intake import ItemIds
from submissions.intake.id_places import MOST_BYTES, IdPlaces

# Short enough to be alike, and long enough for several words.
texts = st.text(st.sampled_from("ab1é"), min_size=1, max_size=3) | st.text(
    st.sampled_from("ab"), min_size=7, max_size=20
)
splits = st.lists(texts, min_size=1, max_size=12, unique=True)
foreign = st.lists(st.sampled_from([b"", b"a", b"a\x00", b"a\nb", b"\n", b"\xff", b"b" * 99]), max_size=2)


def by_dict(ids: ItemIds, found: list[bytes]) -> list[int] | None:
    places = [ids.index.get(item) for item in found]
    return None if None in places else [place for place in places if place is not None]


def by_words(ids: ItemIds, found: list[bytes]) -> list[int] | None:
    places = ids.places_of(found)
    return None if places is None else places.tolist()


@given(splits, st.data())
def test_any_part_of_a_split_is_found_where_it_stands(split, data):
    ids = ItemIds(split)
    found = data.draw(st.lists(st.sampled_from(ids.encoded), min_size=1, max_size=11))
    is_whole = len(found) == len(ids)  # in which no id may be doubled
    assert by_words(ids, found) == by_dict(ids, found) or (is_whole and len(set(found)) < len(found))


@given(splits, st.randoms(use_true_random=False))
def test_all_ids_of_a_split_are_found_in_any_order(split, rng):
    ids = ItemIds(split)
    found = rng.sample(ids.encoded, len(ids))
    assert by_words(ids, found) == by_dict(ids, found) is not None


@given(splits, splits, foreign, st.randoms(use_true_random=False))
def test_nothing_is_found_that_no_split_has(split, others, strange, rng):
    ids = ItemIds(split)
    found = [*ids.encoded, *map(str.encode, others), *strange]
    rng.shuffle(found)
    found = found[: rng.randint(1, len(found))]
    expected = by_dict(ids, found)
    is_whole = len(found) == len(ids)
    assert by_words(ids, found) == expected or (is_whole and len(set(found)) < len(found))


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 17, MOST_BYTES, MOST_BYTES + 1, 900])
def test_ids_of_every_length_are_found_and_their_beginnings_are_not(length):
    ids = ItemIds([f"{number:x}".rjust(length, "-") for number in range(16)])
    found = random.Random(length).sample(ids.encoded, 16)
    assert by_words(ids, found) == by_dict(ids, found) is not None
    assert by_words(ids, [*found[:9], found[9][:-1]]) is None
    assert by_words(ids, [*found[:9], found[9] + b"1"]) is None
    assert by_words(ids, [*found[:9], found[9] + b"\x00"]) is None


def test_ids_of_equal_keys_are_never_taken_for_each_other():
    # What the second word is less, times its factor, the first word is more.
    factor, first, second = 0x9E3779B97F4A7C15, 0x6161616161616161, 0x61
    pairs = (
        [_two_words(first, second + step), _two_words((first + step * factor) % 2**64, second)]
        for step in range(1, 100)
    )
    ids = next(pair for pair in pairs if not any(byte in (0, 10) for item in pair for byte in item))
    places = IdPlaces(ids)
    assert len(set(places.keys.tolist())) == 1
    for order in ([0, 1], [1, 0]):
        found = places.find([ids[place] for place in order])
        assert found is None or found.tolist() == order


def _two_words(first: int, second: int) -> bytes:
    return first.to_bytes(8, "little") + bytes([second])
