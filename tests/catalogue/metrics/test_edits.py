"""Edits of TER are those of sacrebleu's own function, and no text makes them dear."""

import numpy as np
import pytest
from sacrebleu.metrics.lib_ter import translation_edit_rate

from catalogue.metrics.texts import edits
from catalogue.metrics.texts.edits import edit_count

ABC = [f"w{number}" for number in range(120)]


def drawn(random: np.random.Generator) -> tuple[list[str], list[str]]:
    """Two texts of few or many different words, unlike or with parts of the one moved and exchanged in the other."""
    size = int(random.choice([2, 3, 5, 40]))
    answer, reference = (
        [f"w{word}" for word in random.integers(size, size=random.integers(30))] for _ in range(2)
    )
    if reference and random.random() < 0.6:
        start, end = sorted(random.integers(len(reference), size=2))
        rest, moved = reference[:start] + reference[end:], reference[start:end]
        place = int(random.integers(len(rest) + 1))
        answer = [*rest[:place], *moved, *rest[place:]]
        answer[int(random.integers(len(answer)))] = "other"
    return answer, reference


def test_edits_are_those_of_sacrebleu():
    random = np.random.default_rng(11)
    for _ in range(60):
        answer, reference = drawn(random)
        assert edit_count(answer, reference) == translation_edit_rate(answer, reference)[0]


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ([], ABC),
        (ABC, []),
        ([], []),
        (ABC[::-1], ABC),  # no shift gains anything
        ([*ABC[3:60], *ABC[:3]], ABC[:60]),  # too far away for a shift
        ([*ABC[3:50], *ABC[:3]], ABC[:50]),
        (["a"], ["a", "b"] * 60),  # one far longer than the other: another beam
        (["a", "b"] * 60, ["b"]),
        (["a", "b"] * 40, ["b", "a", "a"] * 27),  # more shifts than are tried
        (ABC[7:] + ABC[:7], ABC),
    ],
    ids=lambda words: f"{len(words)} words",
)
def test_ends_and_limits_are_those_of_sacrebleu(answer, reference):
    assert edit_count(answer, reference) == translation_edit_rate(answer, reference)[0]


def test_tables_of_a_long_text_grow_with_its_length_alone(monkeypatch):
    """sacrebleu goes through 1,000 of them one by one; here a round's grow together, and there are few rounds."""
    rows, cells = edits._rows, []

    def counted(answers, reference):
        for low, row in rows(answers, reference):
            cells.append(len(row))
            yield low, row

    monkeypatch.setattr(edits, "_rows", counted)
    reference = [str(number) for number in range(1600)]
    assert edit_count(reference[::-1], reference) == 1599
    assert len(cells) <= 10 * 1601
    assert sum(cells) <= 10 * 1601 * 100
