"""What teams state of their systems: read as people write it, shown short, refused where it cannot be."""

import pytest

from catalogue.declared_facts import DeclaredFacts, read_size, size_in_words


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("7B", 7 * 10**9),
        (" 350 m ", 350 * 10**6),
        ("1.3T", 1_300_000_000_000),
        ("125,000,000", 125 * 10**6),
        ("12k", 12_000),
    ],
)
def test_a_size_is_read_as_people_write_it(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "big", "7 GB", "-7B", "7B params", "1e9"])
def test_what_is_no_size_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ValueError, match=r"such as 350M, 7B or 1\.3T"):
        read_size(text)


@pytest.mark.parametrize(
    ("size", "words"), [(999, "999"), (1_000, "1K"), (7 * 10**9, "7B"), (999_999_999, "1B")]
)
def test_a_size_is_written_short(size: int, words: str) -> None:
    assert size_in_words(size) == words


@pytest.mark.parametrize(
    "fields",
    [
        {"parameters": 0},
        {"examples": -1},
        {"parameters": 10**16},
        {"weights": "free"},
        {"training_data": "all"},
        {"cost": -1.0},
        {"cost": float("nan")},
    ],
)
def test_what_cannot_be_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="Expected"):
        DeclaredFacts.from_dict(fields)


def test_what_is_written_down_is_read_again_and_silence_leaves_nothing() -> None:
    facts = DeclaredFacts(7 * 10**9, "open", "further", 0.0)
    assert DeclaredFacts.from_dict(facts.as_dict()) == facts
    assert DeclaredFacts().as_dict() == {}
    assert (facts.size, facts.labels, facts.price) == ("7B", ("open weights", "further data"), "$0.00")
    assert DeclaredFacts(cost=2600.4).price == "$2,600"
