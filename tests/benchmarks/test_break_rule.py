"""What a definition says of breaker teams' minimal pairs."""

import re

import pytest

from benchmarks.spec import BreakRuleSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from tests.benchmarks.test_loader import DEFINITIONS

BIBI = re.sub(r"(?m)^break_rule: .*\n", "", (DEFINITIONS / "bibi.yaml").read_text("utf-8"))
RAFT = (DEFINITIONS / "raft.yaml").read_text("utf-8")


def rule_of(text: str) -> BreakRuleSpec | None:
    return load_definition(text, "x.yaml").break_rule


def test_a_definition_need_not_say_what_pairs_are_held_against():
    assert rule_of(RAFT) is None


def test_every_part_of_the_rule_may_be_left_out():
    assert rule_of(BIBI + "\nbreak_rule: {}\n") == BreakRuleSpec(
        None, None, from_scratch=False, needs_rationale=False
    )


def test_the_rule_is_read_as_it_is_written():
    text = "break_rule: {largest_token_share: 0.4, largest_token_edits: 6, from_scratch: true, needs_rationale: true}"
    assert rule_of(f"{BIBI}\n{text}\n") == BreakRuleSpec(0.4, 6, from_scratch=True, needs_rationale=True)


@pytest.mark.parametrize(
    ("rule", "mistake"),
    [
        ("{largest_token_share: 40}",
         "x.yaml: break_rule.largest_token_share: expected a number from 0 to 1, found 40.0"),
        ("{largest_token_share: few}", "x.yaml: break_rule.largest_token_share: expected a number, found text ('few')"),
        ("{largest_token_edits: 0}",
         "x.yaml: break_rule.largest_token_edits: expected a whole number from 1 to 1000, found 0"),
        ("{from_scratch: maybe}", "x.yaml: break_rule.from_scratch: expected true or false, found text ('maybe')"),
        ("{rationale: true}",
         "x.yaml: break_rule.rationale: is not a key of this place; did you mean 'needs_rationale'?"),
        ("{categories: [idiom, idiom]}", "x.yaml: break_rule.categories: 'idiom' is listed twice"),
        ("{categories: ['two  spaces']}",
         "x.yaml: break_rule.categories: 'two  spaces' is none; expected 1 to 60 characters in one line"),
        ("strict", "x.yaml: break_rule: expected a mapping, found text ('strict')"),
    ],
)  # fmt: skip
def test_a_wrong_rule_is_a_mistake_at_its_place(rule: str, mistake: str):
    with pytest.raises(DefinitionError) as caught:
        load_definition(f"{BIBI}\nbreak_rule: {rule}\n", "x.yaml")
    assert caught.value.mistakes == (mistake,)


def test_a_rule_needs_a_task_of_pairs():
    with pytest.raises(DefinitionError) as caught:
        load_definition(f"{RAFT}\nbreak_rule: {{}}\n", "x.yaml")
    (mistake,) = caught.value.mistakes
    assert (
        mistake == "x.yaml: break_rule: no task has `pairs`; expected one whose items come in minimal pairs"
    )
