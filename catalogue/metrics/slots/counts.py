"""What is counted of frames, item by item: slots and intents that are right, and slots with their texts."""

from collections import Counter
from collections.abc import Callable

import numpy as np

from catalogue.answers.structured.slots import SlotFrame, frame_of
from catalogue.metrics.statistics import Floats, quotient

# Canonical texts of frames.
Texts = list[str]


def slots_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item, 1 where the slots have exactly the gold texts."""
    return _flags(y_true, y_pred, lambda gold, found: gold.slots == found.slots)


def intents_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item, 1 where the intent is right."""
    return _flags(y_true, y_pred, lambda gold, found: gold.intent == found.intent)


def frames_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item, 1 where all is right."""
    return _flags(y_true, y_pred, lambda gold, found: gold == found)


def pairs_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item how many pairs of a slot and a text are right, predicted and gold: shape (3, n_items)."""
    return _counted(
        y_true, y_pred, lambda frame: [(slot, text) for slot, texts in frame.slots.items() for text in texts]
    )


def names_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item how many slots with a text are right, predicted and gold: shape (3, n_items)."""
    return _counted(y_true, y_pred, lambda frame: list(frame.slots))


def _flags(y_true: Texts, y_pred: Texts, is_right: Callable[[SlotFrame, SlotFrame], bool]) -> Floats:
    pairs = zip(map(frame_of, y_true), map(frame_of, y_pred), strict=True)
    return np.array([is_right(gold, found) for gold, found in pairs], dtype=np.float64)


def _counted(y_true: Texts, y_pred: Texts, parts: Callable[[SlotFrame], list[object]]) -> Floats:
    rows = []
    for gold, found in zip(y_true, y_pred, strict=True):
        wanted, given = Counter(parts(frame_of(gold))), Counter(parts(frame_of(found)))
        rows.append(((wanted & given).total(), given.total(), wanted.total()))
    return np.array(rows, dtype=np.float64).T


def f1_of_counts(sums: Floats) -> Floats:
    """From how many are right, predicted and gold: shape (3, ...). NaN where there are none to divide by."""
    right, predicted, gold = sums
    return quotient(2 * right, predicted + gold)


def precision_of_counts(sums: Floats) -> Floats:
    """From how many are right, predicted and gold: shape (3, ...). NaN where there are none to divide by."""
    right, predicted, _ = sums
    return quotient(right, predicted)


def recall_of_counts(sums: Floats) -> Floats:
    """From how many are right, predicted and gold: shape (3, ...). NaN where there are none to divide by."""
    right, _, gold = sums
    return quotient(right, gold)
