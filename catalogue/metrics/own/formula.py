"""Metrics that a definition declares: a formula of sums over items, in a small language of its own.

A formula has numbers, `+ - * /`, brackets, `min`, `max`, `mean`, `sqrt`, `log2`, `ratio`, and the names of sums
(`item_sums`). It is parsed by Python's own parser, of whose tree nothing else is accepted, and worked out here: no name
reaches anything but the sums that it names.

>>> from catalogue.answers import Label
>>> spam = Label(names=("spam", "ham"))
>>> cost = DeclaredMetric("cost", "(5 * cell[spam, ham] + cell[ham, spam]) / items", False, 0, 5)
>>> codes = np.array([0, 0, 1, 1], dtype=np.uint8), np.array([1, 0, 1, 0], dtype=np.uint8)
>>> declared_metric(spam, cost).value(Comparison(spam, *codes))
1.5
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import isnan

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.answers.declared_metric import DeclaredMetric
from catalogue.comparison import Comparison
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.own.item_sums import SumName, UnknownSumError, column_read, item_sum
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic, SumsOfItems, SumsOfWeighted

LONGEST = 500
"""Characters of a formula."""
_NO_VALUE, _NO_NUMBERS = "no_value", "no_numbers"
_UNDEFINED = {_NO_VALUE: "The formula divides by 0 here, or its value lies outside the declared range."}
_OF_COLUMNS = {
    _NO_NUMBERS: "The gold labels lack a column that the formula reads: they were made here, or loaded before it was "
    "named."
}
_OPERATORS: Mapping[type[ast.operator], Callable[[Floats, Floats], Floats]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
}


def _ratio(part: Floats, whole: Floats) -> Floats:
    """Part by whole; 0 where the whole is 0, as scorers say `zero_division=0`."""
    return np.where(whole == 0, 0.0, np.divide(part, whole))


_FUNCTIONS: Mapping[str, Callable[..., Floats]] = {
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "mean": lambda *values: np.asarray(sum(values) / len(values)),
    "sqrt": np.sqrt,
    "log2": np.log2,
    "ratio": _ratio,
}
_VALUES_OF = {"sqrt": 1, "log2": 1, "ratio": 2}  # how many values each of these takes; any other some
_ALLOWED = (
    "Allowed are numbers, + - * /, round brackets, min, max, mean, sqrt, log2, ratio and names of sums."
)


class FormulaError(ValueError):
    """A formula that cannot be worked out; the message says where and what is expected."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, with the sums that it names in their order."""

    tree: ast.expr
    names: tuple[SumName, ...]

    def value(self, sums: Floats) -> Floats:
        """What the formula makes of sums of shape (n_names, ...); NaN where it divides by 0."""
        known = dict(zip(self.names, sums, strict=True))
        with np.errstate(all="ignore"):
            found = np.asarray(_worked_out(self.tree, known) + np.zeros(sums.shape[1:]))
        return np.where(np.isfinite(found), found, np.nan)


@lru_cache(maxsize=512)
def parse_formula(text: str) -> Formula:
    """The formula that a text writes.

    Raises
    ------
    FormulaError
        Where it is no formula, or longer than 500 characters.

    Examples
    --------
    >>> [str(name) for name in parse_formula("right[spam] / (gold[spam] + 1)").names]
    ['right[spam]', 'gold[spam]']
    >>> parse_formula("__import__('os')")
    Traceback (most recent call last):
    catalogue.metrics.own.formula.FormulaError: at character 1: `__import__('os')` is not allowed in a formula. \
Allowed are numbers, + - * /, round brackets, min, max, mean, sqrt, log2, ratio and names of sums.
    """
    if len(text) > LONGEST:
        raise FormulaError(f"a formula has at most {LONGEST} characters; this one has {len(text)}.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = f"at character {error.offset}: " if isinstance(error, SyntaxError) and error.offset else ""
        raise FormulaError(f"{place}this is no formula. {_ALLOWED}") from None
    names = tuple(dict.fromkeys(_names(tree)))
    if not names:
        raise FormulaError("the formula names no sum, so that it says the same of every system.")
    return Formula(tree, names)


@lru_cache(maxsize=512)
def declared_metric(kind: AnswerKind, declared: DeclaredMetric) -> AnyMetric:
    """The metric that a definition declares for that kind of answer.

    Raises
    ------
    FormulaError
        If the formula cannot be worked out, or names a sum that answers of the kind do not have.
    """
    formula = parse_formula(declared.formula)
    try:
        of_items = [item_sum(kind, name) for name in formula.names]
    except UnknownSumError as error:
        raise FormulaError(str(error)) from None

    columns = numbers_read(kind, declared)

    def collect(comparison: Comparison) -> tuple[Comparison]:
        return (comparison,)

    def sums(comparison: Comparison) -> Floats:
        if not columns <= comparison.groups.keys():
            return np.full((len(of_items), len(comparison.y_true)), np.nan)
        return np.stack([of_item(comparison).astype(np.float64) for of_item in of_items])

    def finish(added: Floats) -> Floats:
        value = formula.value(added)
        return np.where((value >= declared.low) & (value <= declared.high), value, np.nan)

    resampled = (SumsOfWeighted if columns else SumsOfItems)(sums, finish)

    def value(comparison: Comparison) -> float | Undefined:
        if not columns <= comparison.groups.keys():
            return Undefined(_NO_NUMBERS)
        found = resampled.of_all(comparison)
        return Undefined(_NO_VALUE) if isnan(found) else found

    return Metric(
        name=declared.name,
        title=declared.name,
        kinds=(type(kind),),
        statistic=Statistic(collect, DeterminedBy.ITEMS),
        formula=value,
        resampled=resampled,
        higher_is_better=declared.higher_is_better,
        low=declared.low,
        high=declared.high,
        undefined=_UNDEFINED | (_OF_COLUMNS if columns else {}),
        reference=f"the benchmark's own formula: {declared.formula}",
    )


def numbers_read(kind: AnswerKind, declared: DeclaredMetric) -> set[str]:
    """The columns of numbers beside the gold labels that a formula reads.

    >>> from catalogue.answers import Number
    >>> numbers_read(Number(0, 1, groups=("sd",)), DeclaredMetric("near", "within[sd] / items", True, 0, 1))
    {'sd'}
    """
    return {column_read(kind, name) for name in parse_formula(declared.formula).names} - {""}


def _names(node: ast.expr) -> Iterator[SumName]:
    """The sums that a formula names; FormulaError where it has anything else than a formula may have."""
    match node:
        case ast.Constant(value=bool()):
            raise _not_allowed(node)
        case ast.Constant(value=int() | float()):
            return
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            yield from _names(left)
            yield from _names(right)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from _names(operand)
        case ast.Call(func=ast.Name(id=word), args=[_, *_] as values, keywords=[]) if word in _FUNCTIONS:
            if len(values) != _VALUES_OF.get(word, len(values)):
                raise _not_allowed(node)
            for value in values:
                yield from _names(value)
        case ast.Name() | ast.Subscript(value=ast.Name()):
            yield _sum_name(node)
        case _:
            raise _not_allowed(node)


def _sum_name(node: ast.expr) -> SumName:
    match node:
        case ast.Name(id=word):
            return SumName(word)
        case ast.Subscript(value=ast.Name(id=word), slice=ast.Tuple(elts=[_, *_] as given)):
            return SumName(word, tuple(map(_given, given)))
        case ast.Subscript(value=ast.Name(id=word), slice=given):
            return SumName(word, (_given(given),))
    raise _not_allowed(node)


def _given(node: ast.expr) -> str:
    """A label or number in square brackets; a label that is no plain word stands in quotes."""
    match node:
        case ast.Name(id=word):
            return word
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=int() | float() as number):
            return str(number)
    raise _not_allowed(node)


def _not_allowed(node: ast.expr) -> FormulaError:
    return FormulaError(
        f"at character {node.col_offset + 1}: `{ast.unparse(node)[:80]}` is not allowed in a formula. {_ALLOWED}"
    )


def _worked_out(node: ast.expr, sums: Mapping[SumName, Floats]) -> Floats:
    match node:
        case ast.Constant(value=int() | float() as number):
            return np.asarray(float(number))
        case ast.BinOp(left=left, op=operator, right=right):
            return _OPERATORS[type(operator)](_worked_out(left, sums), _worked_out(right, sums))
        case ast.UnaryOp(operand=operand):
            return -_worked_out(operand, sums)
        case ast.Call(func=ast.Name(id=word), args=values):
            return _FUNCTIONS[word](*(_worked_out(value, sums) for value in values))
        case _:
            return sums[_sum_name(node)]
