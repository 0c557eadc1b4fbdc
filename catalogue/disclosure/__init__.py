"""The rules of disclosure: how much of its scores a phase shows before its end, one module per rule.

Pure: the only randomness is drawn by a key that is handed in (`keyed_draws`). To add a rule, write its module: `RULES`
finds it there. `tests/contracts/test_disclosure.py` holds it to the rest.
"""

from catalogue.disclosure.exact import Exact
from catalogue.disclosure.open_half import OpenHalf
from catalogue.disclosure.protected import Protected
from catalogue.disclosure.rule import HiddenItems, Rule
from catalogue.disclosure.sealed import SealedUntilEnd
from catalogue.registry import Registry, classes_of

RULES = Registry[type[Rule]](
    "rule of disclosure",
    *(found for found in classes_of(__name__) if issubclass(found, Rule)),
    first=("sealed", "protected", "open", "exact"),
)


def proposed_rule(items: HiddenItems) -> type[Rule]:
    """The rule that is proposed for a test set: `sealed`, unless another gives teams more and keeps its promise."""
    return next((rule for rule in RULES if rule.suits(items)), SealedUntilEnd)


__all__ = ["RULES", "Exact", "OpenHalf", "Protected", "Rule", "SealedUntilEnd", "proposed_rule"]
