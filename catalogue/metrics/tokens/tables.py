"""From labels of tokens to how many of each name are right, predicted and in the gold labels, item by item."""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import TokenEntities
from catalogue.answers.tokens import BETWEEN
from catalogue.answers.tokens.schemes import CONLL, OUTSIDE, Rules, prefix_code
from catalogue.comparison import Comparison
from catalogue.metrics.statistics import Floats

Codes = NDArray[np.intp]


class TokenTable(NamedTuple):
    """How often each name (a label, or the type of an entity) is right, predicted and gold in each item.

    Whole numbers, each of shape (n_names, n_items).
    """

    right: Floats
    predicted: Floats
    gold: Floats

    def of_name(self, place: int) -> "TokenTable":
        """The table of that name alone."""
        return TokenTable(*(side[place : place + 1] for side in self))


class _Entities(NamedTuple):
    """Entities in the order of the tokens: one whole number for each place and type, its type, and its item."""

    keys: Codes
    types: Codes
    items: Codes


def strict_table(comparison: Comparison) -> tuple[TokenTable]:
    """Entities by the letter of the declared scheme."""
    return (_entities(comparison, _marked(comparison).scheme.rules),)


def conll_table(comparison: Comparison) -> tuple[TokenTable]:
    """Entities as conlleval reads them."""
    return (_entities(comparison, CONLL),)


def label_table(comparison: Comparison) -> tuple[TokenTable]:
    """Tokens by their labels."""
    names, count = comparison.output.labels, len(comparison.y_true)
    gold, predicted, items = aligned(comparison)
    is_right = gold == predicted
    return (
        TokenTable(
            _counted(gold[is_right], items[is_right], len(names), count),
            _counted(predicted, items, len(names), count),
            _counted(gold, items, len(names), count),
        ),
    )


def right_tokens(comparison: Comparison) -> tuple[Floats, Floats]:
    """Of each item how many tokens are right, and how many it has."""
    gold, predicted, items = aligned(comparison)
    count = len(comparison.y_true)
    return (
        np.bincount(items[gold == predicted], minlength=count).astype(np.float64),
        np.bincount(items, minlength=count).astype(np.float64),
    )


def aligned(comparison: Comparison) -> tuple[Codes, Codes, Codes]:
    """Codes of gold labels and of predictions token by token, and the items of the tokens."""
    code_of = {label: code for code, label in enumerate(comparison.output.labels)}
    gold, predicted = _lists(comparison)
    items = np.repeat(np.arange(len(gold)), list(map(len, gold)))
    return _codes(gold, code_of), _codes(predicted, code_of), items


def _marked(comparison: Comparison) -> TokenEntities:
    return cast(TokenEntities, comparison.output)  # metrics of entities are for these alone


def _lists(comparison: Comparison) -> tuple[list[list[str]], list[list[str]]]:
    """The labels of each item. A prediction has as many as the gold labels: the first label where more are missing."""
    gold, predicted = (
        [text.split(BETWEEN) for text in side.tolist()] for side in (comparison.y_true, comparison.y_pred)
    )
    first = comparison.output.labels[0]
    for at, (one, other) in enumerate(zip(gold, predicted, strict=True)):
        if len(one) != len(other):  # intake takes no such file
            predicted[at] = [*other[: len(one)], *repeat(first, len(one) - len(other))]
    return gold, predicted


def _codes(lists: Sequence[Sequence[str]], code_of: dict[str, int]) -> Codes:
    return np.fromiter(map(code_of.__getitem__, chain.from_iterable(lists)), dtype=np.intp)


def _counted(names: Codes, items: Codes, name_count: int, item_count: int) -> Floats:
    cells = np.bincount(names * item_count + items, minlength=name_count * item_count)
    return cells.reshape(name_count, item_count).astype(np.float64)


def _entities(comparison: Comparison, rules: Rules) -> TokenTable:
    kind, item_count = _marked(comparison), len(comparison.y_true)
    types = kind.types
    labels = {label: code for code, label in enumerate(kind.labels)}
    prefixes = np.array([prefix_code(label) for label in kind.labels])
    type_of = np.array([0, *(types.index(label[2:]) + 1 for label in kind.labels[1:])])
    lists = _lists(comparison)
    lengths = np.array([len(of_item) + 1 for of_item in lists[0]])  # with the O behind each item
    item_of = np.repeat(np.arange(item_count), lengths)
    gold, predicted = (
        _entities_of(
            _codes([[*of_item, OUTSIDE] for of_item in side], labels), prefixes, type_of, item_of, rules
        )
        for side in lists
    )
    is_shared = np.isin(gold.keys, predicted.keys, assume_unique=True)
    return TokenTable(
        _counted(gold.types[is_shared], gold.items[is_shared], len(types), item_count),
        *(_counted(side.types, side.items, len(types), item_count) for side in (predicted, gold)),
    )


def _entities_of(labels: Codes, prefixes: Codes, type_of: Codes, item_of: Codes, rules: Rules) -> _Entities:
    types = type_of[labels]
    starts, stops = rules.spans(prefixes[labels], types)
    found = types[starts] - 1
    keys = (starts * (len(labels) + 1) + stops) * (int(type_of.max()) + 1) + found
    return _Entities(keys, found, item_of[starts])
