"""What is counted of spans of characters, item by item; spans of different types have nothing in common."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.structured.character_spans import CharacterSpan, spans_of
from catalogue.metrics.statistics import Floats

# Canonical texts of spans.
Texts = Iterable[str]
Spans = list[CharacterSpan]


def character_f1_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item the F1 of its characters; 1 where neither side has any."""
    return np.array([_f1_of_characters(gold, found) for gold, found in _pairs(y_true, y_pred)])


def matches_of_spans(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item, 1 where the spans are exactly the gold ones."""
    return np.array([gold == found for gold, found in zip(y_true, y_pred, strict=True)], dtype=np.float64)


def equal_spans_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item how many spans are equal, predicted, equal again and gold: shape (4, n_items)."""
    rows = []
    for gold, found in _pairs(y_true, y_pred):
        equal = (Counter(gold) & Counter(found)).total()
        rows.append((equal, len(found), equal, len(gold)))
    return np.array(rows, dtype=np.float64).T


def overlaps_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Per item, shape (4, n_items): the shares of predicted spans that gold spans cover, added up; how many are
    predicted; the shares of gold spans that predicted ones cover, added up; how many are gold.

    Before, spans of one type that have a character in common are made one, on either side.
    """
    rows = []
    for gold, found in _pairs(y_true, y_pred):
        gold, found = joined_spans(gold), joined_spans(found)
        common = _common(gold, found)
        of_found = (common.sum(axis=1) / _lengths(found)).sum()
        of_gold = (common.sum(axis=0) / _lengths(gold)).sum()
        rows.append((of_found, len(found), of_gold, len(gold)))
    return np.array(rows, dtype=np.float64).T


def joined_spans(spans: Sequence[CharacterSpan]) -> Spans:
    """Spans of which no two of a type have a character in common; those that only touch stay apart."""
    joined: Spans = []
    for span in sorted(spans, key=lambda span: (span.type, span)):
        if joined and joined[-1].type == span.type and span.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def _f1_of_characters(gold: Spans, found: Spans) -> float:
    gold, found = joined_spans(gold), joined_spans(found)
    characters = int(_lengths(gold).sum() + _lengths(found).sum())
    return 2 * int(_common(gold, found).sum()) / characters if characters else 1.0


def _common(gold: Spans, found: Spans) -> NDArray[np.int64]:
    """How many characters each two spans of one type have in common: shape (n_found, n_gold)."""
    types = {name: place for place, name in enumerate({span.type for span in (*gold, *found)})}
    wanted, given = (
        np.array([(span.start, span.end, types[span.type]) for span in side], dtype=np.int64).reshape(-1, 3)
        for side in (gold, found)
    )
    start = np.maximum(given[:, None, 0], wanted[None, :, 0])
    end = np.minimum(given[:, None, 1], wanted[None, :, 1])
    is_of_type = given[:, None, 2] == wanted[None, :, 2]
    return np.where(is_of_type, np.maximum(end - start, 0), 0)


def _lengths(spans: Spans) -> NDArray[np.int64]:
    return np.array([span.end - span.start for span in spans], dtype=np.int64)


def _pairs(y_true: Texts, y_pred: Texts) -> list[tuple[Spans, Spans]]:
    return [(spans_of(gold), spans_of(found)) for gold, found in zip(y_true, y_pred, strict=True)]
