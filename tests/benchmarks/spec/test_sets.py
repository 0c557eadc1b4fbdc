"""Which splits a task's score is about, and what a definition may say of minimal pairs."""

import pytest

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from tests.pairs import DEFINITION

TEST_SPLIT = "      - {id: test, title: Test}\n      - {id: one,"


def spec_of(text: str) -> BenchmarkSpec:
    return load_definition(text, "twins.yaml")


def refusal_of(text: str) -> str:
    with pytest.raises(DefinitionError) as refused:
        spec_of(text)
    return str(refused.value)


def test_without_a_test_split_the_score_is_about_every_set_but_the_development_data():
    assert spec_of(DEFINITION).task("mood").test_splits == ("one", "two")


def test_with_a_test_split_it_is_about_that_alone():
    assert spec_of(DEFINITION.replace("      - {id: one,", TEST_SPLIT)).task("mood").test_splits == ("test",)


def test_a_board_may_not_have_the_id_of_one_that_pairs_bring():
    board = 'boards: [{id: matrix-mood, title: M, axis: A, groups: [{title: "", columns: [mood]}]}]\n'
    assert "matrix-mood" in refusal_of(DEFINITION + board)
    without_pairs = DEFINITION.replace("    pairs: _\n", "").replace(', "mood:pairs_broken_share": 0.4', "")
    without_pairs = without_pairs.replace('"mood:breaker_score": 0.25', "mood: 0.25")
    assert [one.id for one in spec_of(without_pairs + board).boards] == ["matrix-mood"]


def test_figures_about_pairs_may_be_reported_only_of_a_task_with_pairs():
    mistakes = refusal_of(DEFINITION.replace("    pairs: _\n", ""))
    assert "mood:pairs_broken_share" in mistakes
    assert "mood:breaker_score" in mistakes


def test_pairs_are_part_of_what_a_task_measures():
    """Scores of a task that had no pairs before are made anew."""
    plain = DEFINITION.replace("    pairs: _\n", "").split("reported:")
    rest = plain[1][plain[1].index("phases:") :]
    before, after = spec_of(plain[0] + rest), spec_of(DEFINITION)
    assert before.task("mood").fingerprint() != after.task("mood").fingerprint()
