"""What formulas of definitions may add up over items, by name: `right`, `gold[spam]`, `absolute_error` and their like.

A sum is a number per item, worked out from its gold label and its answer alone.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind
from catalogue.answers.arrays import has_bit
from catalogue.comparison import Comparison
from catalogue.metrics.groups.weighted import item_weights
from catalogue.metrics.statistics import Floats
from catalogue.metrics.tokens.tables import label_table, right_tokens

OfItems = Callable[[Comparison], NDArray[Any]]


class SumName(NamedTuple):
    """A name in a formula, with what stands in brackets behind it: `cell[spam, ham]`."""

    word: str
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.word}[{', '.join(self.given)}]" if self.given else self.word


class UnknownSumError(ValueError):
    """A name that answers of a kind have no sum for; the message says which they have."""


def _ones(comparison: Comparison) -> NDArray[Any]:
    return np.ones(len(comparison.y_true))


def _right(comparison: Comparison) -> NDArray[Any]:
    return comparison.output.right(comparison.y_true, comparison.y_pred)


def _by(part: Floats, whole: Floats) -> Floats:
    """Part by whole: 0 where both are 0, infinite where the whole alone is, so that a formula has no value then."""
    at_zero = np.where(part > 0, np.inf, 0.0)
    return np.divide(part, whole, out=at_zero, where=whole > 0)


def _log(values: Floats) -> Floats:
    """The natural logarithm of 1 more; NaN below -1."""
    return np.log1p(values, out=np.full(len(values), np.nan), where=values > -1)


def _numbers(formula: Callable[[Floats, Floats], NDArray[Any]]) -> OfItems:
    return lambda comparison: formula(
        comparison.y_true.astype(np.float64), comparison.y_pred.astype(np.float64)
    )


_OF_ALL: dict[str, OfItems] = {"items": _ones, "right": _right}
_OF_NUMBERS: dict[str, OfItems] = {
    "gold": _numbers(lambda gold, answer: gold),
    "answer": _numbers(lambda gold, answer: answer),
    "gold_squared": _numbers(lambda gold, answer: gold * gold),
    "answer_squared": _numbers(lambda gold, answer: answer * answer),
    "product": _numbers(lambda gold, answer: gold * answer),
    "error": _numbers(lambda gold, answer: answer - gold),
    "absolute_error": _numbers(lambda gold, answer: np.abs(answer - gold)),
    "squared_error": _numbers(lambda gold, answer: np.square(answer - gold)),
    "relative_error": _numbers(lambda gold, answer: _by(np.abs(answer - gold), np.abs(gold))),
    "symmetric_error": _numbers(
        lambda gold, answer: _by(2 * np.abs(answer - gold), np.abs(gold) + np.abs(answer))
    ),
    "squared_log_error": _numbers(lambda gold, answer: np.square(_log(answer) - _log(gold))),
}
_OF_LABELS = ("right", "predicted", "gold")


def known_sums(kind: AnswerKind) -> list[str]:
    """The names that formulas for that kind of answer may use, as a reader is told them."""
    names = [word for word in _OF_ALL if _plain(kind, word)]
    if kind.longest_distance is not None:
        names += [*_OF_NUMBERS, "within[<number>]", *(f"within[{column}]" for column in kind.groups)]
    if kind.counted_labels or kind.has_tokens:
        names += [f"{word}[<label>]" for word in _OF_LABELS]
    if kind.has_tokens:
        names.append("tokens")
    if kind.classes:
        names.append("cell[<gold label>, <answer>]")
    return names


def item_sum(kind: AnswerKind, name: SumName) -> OfItems:
    """The numbers that are added up under that name: float, whole number or bool of shape (n_items,).

    Raises
    ------
    UnknownSumError
        If answers of the kind have no such sum; the message names the ones that they have.
    """
    found = _plain(kind, name.word) if not name.given else _bracketed(kind, name)
    if found is None:
        raise UnknownSumError(
            f"`{name}` is nothing that answers of this kind have. A formula may use {', '.join(known_sums(kind))}."
        )
    return found


def _plain(kind: AnswerKind, word: str) -> OfItems | None:
    if kind.longest_distance is not None and word in _OF_NUMBERS:
        return _OF_NUMBERS[word]
    if kind.has_tokens and word == "tokens":
        return lambda comparison: right_tokens(comparison)[1]
    return None if word == "right" and not kind.is_right_or_wrong else _OF_ALL.get(word)


def _bracketed(kind: AnswerKind, name: SumName) -> OfItems | None:
    word, given = name
    if word == "within" and kind.longest_distance is not None and len(given) == 1:
        return _within_column(given[0]) if column_read(kind, name) else _within(given[0], kind.groups)
    if word == "cell" and kind.classes and len(given) == 2:
        gold, answer = (_place(kind.classes, label) for label in given)
        return lambda comparison: (
            (kind.gold.positions(comparison.y_true) == gold) & (kind.positions(comparison.y_pred) == answer)
        )
    if word in _OF_LABELS and len(given) == 1:
        if kind.has_tokens:
            return _of_tokens(word, _place(kind.labels, given[0]))
        if kind.counted_labels:
            return _of_label(kind, word, _place(kind.labels, given[0]))
    return None


def _place(labels: tuple[str, ...], label: str) -> int:
    if label not in labels:
        raise UnknownSumError(f"{label!r} is none of the declared labels: {', '.join(labels)}.")
    return labels.index(label)


def _of_label(kind: AnswerKind, word: str, code: int) -> OfItems:
    def has(of: AnswerKind, answers: NDArray[Any]) -> NDArray[np.bool_]:
        return has_bit(answers, code) if of.is_subset else np.asarray(of.positions(answers) == code)

    if word == "gold":
        return lambda comparison: has(kind.gold, comparison.y_true)
    if word == "predicted":
        return lambda comparison: has(kind, comparison.y_pred)
    return lambda comparison: has(kind.gold, comparison.y_true) & has(kind, comparison.y_pred)


def _of_tokens(word: str, code: int) -> OfItems:
    """Of each item how many tokens have the label: in the gold labels, in the answer, or in both."""

    def count(comparison: Comparison) -> NDArray[Any]:
        (table,) = label_table(comparison)
        of_label: Floats = getattr(table, word)[code]
        return of_label

    return count


def column_read(kind: AnswerKind, name: SumName) -> str:
    """The column of numbers beside the gold labels that a sum reads; empty if it reads none."""
    return name.given[0] if name.word == "within" and name.given[:1] and name.given[0] in kind.groups else ""


def _within_column(column: str) -> OfItems:
    """Items whose error is at most what the column says of each."""

    def count(comparison: Comparison) -> NDArray[Any]:
        gold, answer = (side.astype(np.float64) for side in (comparison.y_true, comparison.y_pred))
        return np.abs(answer - gold) <= item_weights(comparison.groups[column])

    return count


def _within(written: str, columns: Sequence[str]) -> OfItems:
    try:
        most = float(written)
    except ValueError:
        named = f", or one of `group_columns` ({', '.join(columns)})" if columns else ""
        raise UnknownSumError(
            f"`within[{written}]`: expected a number, such as `within[0.5]`{named}: items whose error is at most that."
        ) from None
    return _numbers(lambda gold, answer: np.abs(answer - gold) <= most)
