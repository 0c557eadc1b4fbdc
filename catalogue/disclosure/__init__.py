"""The rules of disclosure: how much of a new score a phase shows while it runs, one module per rule.

Pure: what stands so far and a new answer go in; the number to show and the new state come out (`rule.Rule`). Nothing
is remembered here, and the only randomness is the generator passed in. To add a rule, write its module: `RULES` finds
it there. `tests/contracts/test_disclosure.py` holds it to the rest.
"""

from catalogue.disclosure.exact import Exact
from catalogue.disclosure.ladder import Ladder
from catalogue.disclosure.noisy_ladder import NoisyLadder
from catalogue.disclosure.precision import Precision
from catalogue.disclosure.rule import Rule
from catalogue.disclosure.sparing import Sparing
from catalogue.registry import Registry, classes_of

RULES = Registry[type[Rule]](
    "rule of disclosure",
    *(found for found in classes_of(__name__) if issubclass(found, Rule)),
    first=("exact", "precision", "ladder", "noisy_ladder", "sparing"),
)

__all__ = ["RULES", "Exact", "Ladder", "NoisyLadder", "Precision", "Rule", "Sparing", "rule_of_code"]


def rule_of_code(code: str) -> Rule:
    """The rule with its setting, from the code that was stored; UnknownMember where there is none."""
    key, _space, setting = code.partition(" ")
    return RULES[key].of_code(setting)
