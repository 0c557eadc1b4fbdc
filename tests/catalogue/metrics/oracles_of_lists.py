"""Oracles of labels for each token, of texts in slots and of tuples: seqeval, and scikit-learn on rows of 0 and 1."""

import json
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import seqeval.metrics
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.scheme import BILOU, IOB1, IOB2, IOBES, Entities
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)

Oracle = Callable[[Any], float | None]

# Labels of tokens


def tokens(case: Any) -> list[list[list[str]]]:
    """The labels of each item, gold and predicted."""
    return [[text.split() for text in side.tolist()] for side in (case.y_true, case.y_pred)]


def entities(function: Callable[..., Any], average: str, *, is_strict: bool) -> Oracle:
    def oracle(case: Any) -> float | None:
        sides, options = tokens(case), {}
        if is_strict:
            scheme = SCHEMES[case.output.scheme]
            options = {"mode": "strict", "scheme": scheme}
            is_seen = any(any(Entities(side, scheme).entities) for side in sides)
        else:  # where it knows no L and no U
            sides = [[[as_bioes(label) for label in item] for item in side] for side in sides]
            is_seen = any(map(get_entities, sides))
        return float(function(*sides, average=average, zero_division=0, **options)) if is_seen else None

    return oracle


def as_bioes(label: str) -> str:
    return {"L": "E", "U": "S"}.get(label[0], label[0]) + label[1:]


def of_labels(function: Callable[..., float], **options: Any) -> Oracle:
    return lambda case: float(
        function(*(list(chain.from_iterable(side)) for side in tokens(case)), **options)
    )


def of_various_labels(function: Callable[..., float], *, else_: float | None) -> Oracle:
    """What is said where all tokens have one label throughout, of which scikit-learn warns, is given."""

    def oracle(case: Any) -> float | None:
        gold, found = (list(chain.from_iterable(side)) for side in tokens(case))
        return float(function(gold, found)) if len({*gold, *found}) > 1 else else_

    return oracle


def balanced(gold: list[str], found: list[str]) -> float:
    return float(recall_score(gold, found, labels=sorted(set(gold)), average="macro", zero_division=0))


# Frames


def frames(case: Any) -> list[list[tuple[str, dict[str, list[str]]]]]:
    return [list(map(json.loads, side.tolist())) for side in (case.y_true, case.y_pred)]


def slots(function: Callable[..., float], *, of_texts: bool = True) -> Oracle:
    """Of rows of 0 and 1 over all triples of a slot, a text and its how-manieth time."""

    def oracle(case: Any) -> float | None:
        sides = [[numbered(parts, of_texts=of_texts) for _, parts in side] for side in frames(case)]
        known = sorted(set().union(*chain.from_iterable(sides)))
        gold, found = (np.array([[int(one in row) for one in known] for row in side]) for side in sides)
        divided_by = {
            f1_score: gold.sum() + found.sum(),
            precision_score: found.sum(),
            recall_score: gold.sum(),
        }
        if not divided_by[function]:
            return None
        return float(function(gold.ravel(), found.ravel(), zero_division=0))

    return oracle


def numbered(parts: dict[str, list[str]], *, of_texts: bool) -> set[tuple[str, str, int]]:
    if not of_texts:
        return {(slot, "", 0) for slot in parts}
    return {
        (slot, text, texts[:at].count(text)) for slot, texts in parts.items() for at, text in enumerate(texts)
    }


def share_of_frames(is_right: Callable[[Any, Any], bool]) -> Oracle:
    return lambda case: float(
        np.mean([is_right(one, other) for one, other in zip(*frames(case), strict=True)])
    )


SCHEMES = {"iob1": IOB1, "iob2": IOB2, "bio": IOB2, "bioes": IOBES, "iobes": IOBES, "bilou": BILOU}
TOKEN_ENTITIES: dict[str, Oracle] = {
    f"{name}{suffix}": entities(function, average, is_strict=is_strict)
    for suffix, is_strict in (("", True), ("_conll", False))
    for name, function, average in (
        ("f1_micro", seqeval.metrics.f1_score, "micro"),
        ("precision_micro", seqeval.metrics.precision_score, "micro"),
        ("recall_micro", seqeval.metrics.recall_score, "micro"),
        ("f1_macro", seqeval.metrics.f1_score, "macro"),
        ("f1_weighted", seqeval.metrics.f1_score, "weighted"),
    )
}
TOKEN_ENTITIES["token_accuracy"] = of_labels(accuracy_score)
TOKEN_LABELS: dict[str, Oracle] = {
    "token_accuracy": of_labels(accuracy_score),
    "f1_macro": of_labels(f1_score, average="macro", zero_division=0),
    "f1_weighted": of_labels(f1_score, average="weighted", zero_division=0),
    "balanced_accuracy": of_labels(balanced),
    "mcc": of_various_labels(matthews_corrcoef, else_=0.0),
    "kappa": of_various_labels(cohen_kappa_score, else_=None),
}
FRAMES: dict[str, Oracle] = {
    "slot_f1": slots(f1_score),
    "slot_precision": slots(precision_score),
    "slot_recall": slots(recall_score),
    "slot_names_f1": slots(f1_score, of_texts=False),
    "exact_match": share_of_frames(lambda gold, found: gold[1] == found[1]),
    "intent_accuracy": share_of_frames(lambda gold, found: gold[0] == found[0]),
    "frame_accuracy": share_of_frames(lambda gold, found: gold == found),
}


def tuple_rows(case: Any) -> list[np.ndarray]:
    """Rows of 0 and 1 over all tuples that there are, gold and predicted."""
    sides = [
        [set(map(tuple, json.loads(text))) for text in side.tolist()] for side in (case.y_true, case.y_pred)
    ]
    known = sorted(set().union(*chain.from_iterable(sides)))
    return [np.array([[int(one in row) for one in known] for row in side]) for side in sides]


def tuples_of_items(function: Callable[..., float]) -> Oracle:
    def oracle(case: Any) -> float:
        # scikit-learn takes no rows without columns, and one that is 0 everywhere changes nothing.
        gold, found = (np.pad(rows.astype(int), ((0, 0), (0, 2))) for rows in tuple_rows(case))
        return float(function(gold, found, average="samples", zero_division=0))

    return oracle


def tuples(function: Callable[..., float]) -> Oracle:
    def oracle(case: Any) -> float | None:
        gold, found = tuple_rows(case)
        needed = {f1_score: gold.sum() + found.sum(), precision_score: found.sum(), recall_score: gold.sum()}
        return float(function(gold.ravel(), found.ravel(), zero_division=0)) if needed[function] else None

    return oracle


TUPLES: dict[str, Oracle] = {
    "f1_micro": tuples(f1_score),
    "precision_micro": tuples(precision_score),
    "recall_micro": tuples(recall_score),
    "f1_samples": tuples_of_items(f1_score),
    "precision_samples": tuples_of_items(precision_score),
    "recall_samples": tuples_of_items(recall_score),
    "exact_match": lambda case: float(np.mean(case.y_true == case.y_pred)),
}
