"""Oracles of spans of characters: sets of places, character by character, as the shared tasks' papers define scores."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

Oracle = Callable[[Any], float | None]
Places = tuple[str, frozenset[int]]


def sides(case: Any) -> list[tuple[list[Places], list[Places]]]:
    """Of each item the gold spans and the predicted ones: the type, and the set of the characters."""
    pairs = zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True)
    return [(places(gold), places(found)) for gold, found in pairs]


def places(text: str) -> list[Places]:
    return [("".join(of_type), frozenset(range(start, end))) for start, end, *of_type in json.loads(text)]


def merged(spans: list[Places]) -> list[Places]:
    """Two spans of one type with a common character become their union, as long as there are such two."""
    spans = list(spans)
    for at, (name, here) in enumerate(spans):
        for other in range(at + 1, len(spans)):
            if spans[other][0] == name and spans[other][1] & here:
                return merged(
                    [
                        *spans[:at],
                        *spans[at + 1 : other],
                        *spans[other + 1 :],
                        (name, here | spans[other][1]),
                    ]
                )
    return spans


def of_characters(case: Any) -> float:
    """SemEval-2021 Task 5: twice the common places by those of both, 1 where there are none."""
    scores = []
    for pair in sides(case):
        gold, found = ({(name, place) for name, places in side for place in places} for side in pair)
        both = len(gold) + len(found)
        scores.append(2 * len(gold & found) / both if both else 1.0)
    return float(np.mean(scores))


def in_either(case: Any) -> float:
    """SemEval-2025 Task 3: the common places by all of either side, 1 where there are none."""
    scores = []
    for pair in sides(case):
        gold, found = ({(name, place) for name, places in side for place in places} for side in pair)
        scores.append(len(gold & found) / len(gold | found) if gold | found else 1.0)
    return float(np.mean(scores))


def all_right(case: Any) -> float:
    return float(np.mean([sorted(gold, key=str) == sorted(found, key=str) for gold, found in sides(case)]))


def partial(measure: str) -> Oracle:
    """SemEval-2020 Task 11: what spans have in common by the length of the predicted, or of the gold span."""

    def oracle(case: Any) -> float | None:
        pairs = [(merged(gold), merged(found)) for gold, found in sides(case)]
        of_found = of_gold = 0.0
        for gold, found in pairs:
            for name, places in gold:
                for other, given in found:
                    common = len(places & given) if name == other else 0
                    of_found += common / len(given)
                    of_gold += common / len(places)
        return measured(measure, of_found, of_gold, pairs)

    return oracle


def equal(measure: str) -> Oracle:
    """Every gold span is right for one predicted span that is the same."""

    def oracle(case: Any) -> float | None:
        right = 0
        for gold, found in sides(case):
            left = list(found)
            for span in gold:
                if span in left:
                    left.remove(span)
                    right += 1
        return measured(measure, right, right, sides(case))

    return oracle


def measured(measure: str, of_found: float, of_gold: float, pairs: list[Any]) -> float | None:
    gold_count, found_count = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
    precision = of_found / found_count if found_count else None
    recall = of_gold / gold_count if gold_count else None
    if measure == "f1":
        if not gold_count and not found_count:
            return 1.0
        return 2 * precision * recall / (precision + recall) if precision and recall else 0.0
    return precision if measure == "precision" else recall


SPANS_OF_CHARACTERS: dict[str, Oracle] = {
    "character_f1": of_characters,
    "character_jaccard": in_either,
    "exact_match": all_right,
    **{f"span_{measure}": equal(measure) for measure in ("f1", "precision", "recall")},
    **{f"partial_{measure}": partial(measure) for measure in ("f1", "precision", "recall")},
}
