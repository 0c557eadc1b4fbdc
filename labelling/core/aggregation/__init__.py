"""The rules by which answers become a value per item, a module each.

Pure: what is drawn is drawn by the generator that is handed in. To add a rule, write its class in a module here:
`AGGREGATION_RULES` finds it there. `tests/contracts/test_aggregation_rules.py` holds it to the rest.
"""

from collections.abc import Collection

from catalogue.registry import Registry, classes_of
from labelling.core.aggregation.rule import AggregationRule

AGGREGATION_RULES = Registry[AggregationRule](
    "rule of aggregation",
    *(rule() for rule in classes_of(__name__) if issubclass(rule, AggregationRule)),
    first=("majority", "plurality", "at_least", "ag2", "dawid_skene", "best_worst_counts"),
)


def rules_for(question_kinds: Collection[str]) -> list[AggregationRule]:
    """The rules that read answers to a question of one of these kinds, the one that is proposed first."""
    return [rule for rule in AGGREGATION_RULES if not set(rule.question_kinds).isdisjoint(question_kinds)]
