"""Metrics of entities: one is right if its first token, its last token and its type are those of a gold one.

Which labels mark an entity is a matter of rules. Strict ones go by the letter of the scheme that the definition
declares: in IOB2 an I- that no B- precedes belongs to none. Those of conlleval let it begin one.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from catalogue.answers import AnswerKind, TokenEntities
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Statistic, SumsOfItems
from catalogue.metrics.tokens.scores import (
    MACRO,
    MICRO_F1,
    MICRO_PRECISION,
    MICRO_RECALL,
    NONE_SEEN,
    WEIGHTED,
    f1,
    macro,
    of_all,
    of_table,
    precision,
    recall,
    weighted,
)
from catalogue.metrics.tokens.tables import TokenTable, conll_table, strict_table

_UNDEFINED = {NONE_SEEN: "There is no entity, neither in the gold labels nor in the predictions."}
_STRICT = 'seqeval 1.2.2, {}(mode="strict", scheme=<the declared one>, {}, zero_division=0)'
_CONLL = "seqeval 1.2.2, {}({}, zero_division=0), as conlleval (doi:10.3115/1119176.1119195)"


def f1_of_entities(table: TokenTable) -> float | Undefined:
    """F1 of entities of all types: right ones twice, relative to predicted and gold ones together.

    From 0 (none right) to 1 (exactly the gold ones). Undefined, with code `none_seen`, where there is no entity,
    neither in the gold labels nor in the predictions; seqeval says 0 there.

    Parameters
    ----------
    table : TokenTable
        Per type and item how many entities are right, predicted and gold.

    Returns
    -------
    float or Undefined

    References
    ----------
    doi:10.3115/1119176.1119195; seqeval 1.2.2, `f1_score(average="micro")`.

    Examples
    --------
    Of two predicted and two gold ones, one is right.

    >>> f1_of_entities(_EXAMPLE)
    0.5
    """
    return of_all(f1, table)


def precision_of_entities(table: TokenTable) -> float | Undefined:
    """Share of the predicted entities that are right.

    From 0 (none, or none predicted though there are gold ones) to 1 (all). Undefined, with code `none_seen`, where
    there is no entity, neither in the gold labels nor in the predictions.

    Parameters
    ----------
    table : TokenTable
        Per type and item how many entities are right, predicted and gold.

    Returns
    -------
    float or Undefined

    References
    ----------
    doi:10.3115/1119176.1119195; seqeval 1.2.2, `precision_score(average="micro", zero_division=0)`.

    Examples
    --------
    >>> precision_of_entities(_EXAMPLE)
    0.5
    """
    return of_all(precision, table)


def recall_of_entities(table: TokenTable) -> float | Undefined:
    """Share of the gold entities that are found.

    From 0 (none, or none there though some are predicted) to 1 (all). Undefined, with code `none_seen`, where there
    is no entity, neither in the gold labels nor in the predictions.

    Parameters
    ----------
    table : TokenTable
        Per type and item how many entities are right, predicted and gold.

    Returns
    -------
    float or Undefined

    References
    ----------
    doi:10.3115/1119176.1119195; seqeval 1.2.2, `recall_score(average="micro", zero_division=0)`.

    Examples
    --------
    >>> recall_of_entities(_EXAMPLE)
    0.5
    """
    return of_all(recall, table)


def f1_macro_of_entities(table: TokenTable) -> float | Undefined:
    """Mean of the F1 of the types that have an entity, in the gold labels or in the predictions.

    From 0 (none right) to 1 (exactly the gold ones). Undefined, with code `none_seen`, where no type has one.

    Parameters
    ----------
    table : TokenTable
        Per type and item how many entities are right, predicted and gold.

    Returns
    -------
    float or Undefined

    References
    ----------
    seqeval 1.2.2, `f1_score(average="macro", zero_division=0)`.

    Examples
    --------
    One type is all right, the other is never.

    >>> f1_macro_of_entities(_EXAMPLE)
    0.5
    """
    return of_table(macro, table)


def f1_weighted_of_entities(table: TokenTable) -> float | Undefined:
    """Mean of the F1 of the types, each weighted by how many gold entities it has.

    From 0 (none right, or no gold entity) to 1 (exactly the gold ones). Undefined, with code `none_seen`, where there
    is no entity, neither in the gold labels nor in the predictions.

    Parameters
    ----------
    table : TokenTable
        Per type and item how many entities are right, predicted and gold.

    Returns
    -------
    float or Undefined

    References
    ----------
    seqeval 1.2.2, `f1_score(average="weighted", zero_division=0)`.

    Examples
    --------
    >>> f1_weighted_of_entities(_EXAMPLE)
    0.5
    """
    return of_table(weighted, table)


# One entity of the first type that is right, one of the second that is missed, and one that is not there.
_EXAMPLE = TokenTable(np.array([[1.0], [0.0]]), np.array([[1.0], [1.0]]), np.array([[1.0], [1.0]]))

_Formula = Callable[[TokenTable], float | Undefined]


class _Measure(NamedTuple):
    """A formula, the same along resamples, and what seqeval calls it."""

    formula: _Formula
    resampled: SumsOfItems[TokenTable]
    function: str
    average: str = 'average="micro"'


_MEASURES = {
    "f1_micro": _Measure(f1_of_entities, MICRO_F1, "f1_score"),
    "precision_micro": _Measure(precision_of_entities, MICRO_PRECISION, "precision_score"),
    "recall_micro": _Measure(recall_of_entities, MICRO_RECALL, "recall_score"),
    "f1_macro": _Measure(f1_macro_of_entities, MACRO, "f1_score", 'average="macro"'),
    "f1_weighted": _Measure(f1_weighted_of_entities, WEIGHTED, "f1_score", 'average="weighted"'),
}


class _RulesOfMetric(NamedTuple):
    """Which labels are an entity: what names and titles end with, how entities are counted, and seqeval's call."""

    suffix: str
    remark: str
    table: Callable[[Comparison], tuple[TokenTable]]
    reference: str


_RULES = (
    _RulesOfMetric("", "", strict_table, _STRICT),
    _RulesOfMetric("_conll", ", conlleval", conll_table, _CONLL),
)


def entity_metric(kind: AnswerKind, name: str) -> Metric[TokenTable] | None:
    """The metric `f1_<type>`, `precision_<type>` or `recall_<type>`, with `_conll` behind it as conlleval counts.

    None where the name is no such name.

    Examples
    --------
    >>> entity_metric(TokenEntities(("person",)), "f1_person_conll").title
    'F1 of person, conlleval'
    >>> entity_metric(TokenEntities(("person",)), "f1_place") is None
    True
    """
    measure, _, of = name.partition("_")
    if f"{measure}_micro" not in _MEASURES:
        return None
    for rules in _RULES:
        type_name = of.removesuffix(rules.suffix)
        if f"{type_name}{rules.suffix}" == of and type_name in kind.entity_types:
            of_all, place = _MEASURES[f"{measure}_micro"], kind.entity_types.index(type_name)
            return _metric(
                name, f"{measure} of {type_name}", rules, of_all._replace(average="average=None"), place
            )
    return None


def _metric(
    name: str, title: str, rules: _RulesOfMetric, measure: _Measure, place: int | None = None
) -> Metric[TokenTable]:
    """The metric of all types, or of the one at that place alone."""

    def collect(comparison: Comparison) -> tuple[TokenTable]:
        (table,) = rules.table(comparison)
        return (table if place is None else table.of_name(place),)

    return Metric(
        name=name,
        title=f"{title[0].upper()}{title[1:]}{rules.remark}",
        kinds=(TokenEntities,),
        statistic=Statistic(collect, DeterminedBy.ITEMS),
        formula=measure.formula,
        resampled=measure.resampled,
        reference=rules.reference.format(measure.function, measure.average),
        undefined=_UNDEFINED,
    )


METRICS = tuple(
    _metric(f"{name}{rules.suffix}", name.replace("_", " "), rules, measure)
    for rules in _RULES
    for name, measure in _MEASURES.items()
)
