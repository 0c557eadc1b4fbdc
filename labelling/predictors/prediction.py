"""What a model says of a text, and how its answer is read: whole, declared and finite, or not at all. Pure."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

LONGEST_VERSION = 100


class NoPrediction(Exception):
    """Why a model said nothing of a text, in a sentence for organisers that repeats nothing of its answer."""


class UnfitPrediction(NoPrediction):
    """The model answered, and the answer cannot be used."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model says of one text.

    label : one of the campaign's labels
    scores : a finite number for some or all of the labels, higher for those it rather believes
    model_version : 1 to `LONGEST_VERSION` characters; the same as long as the same text gets the same prediction
    """

    label: str
    scores: Mapping[str, float]
    model_version: str

    def as_json(self) -> dict[str, Any]:
        """What a column of JSON keeps of it."""
        return {"label": self.label, "scores": dict(self.scores), "model_version": self.model_version}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Prediction":
        return cls(**kept)


def read_prediction(body: bytes, labels: Sequence[str]) -> Prediction:
    """The prediction in an answer's body; keys beside `label`, `scores` and `model_version` are not read.

    Raises
    ------
    UnfitPrediction
        If it is no JSON object in UTF-8, lacks one of the keys, or holds a label that is not declared, a number that is
        not finite or a version that is too long.
    """
    answer = _object(body)
    for key in ("label", "scores", "model_version"):
        if key not in answer:
            raise UnfitPrediction(f"Its answer has no “{key}”. Expected label, scores and model_version.")
    declared = ", ".join(labels)
    if answer["label"] not in labels:
        raise UnfitPrediction(f"Its “label” is none of the labels that it was sent: {declared}.")
    return Prediction(answer["label"], _scores(answer["scores"], labels), _version(answer["model_version"]))


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise UnfitPrediction("Its answer is no JSON. Expected an object in UTF-8.") from None
    if not isinstance(answer, dict):
        raise UnfitPrediction("Its answer is JSON, but no object. Expected label, scores and model_version.")
    return answer


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UnfitPrediction("A key stands twice in its answer; expected once.")
    return found


def _no_constant(name: str) -> NoReturn:
    raise UnfitPrediction(f"Its answer holds {name}. Expected finite numbers.")


def _scores(scores: Any, labels: Sequence[str]) -> dict[str, float]:
    if not isinstance(scores, dict):
        raise UnfitPrediction("Its “scores” are no object. Expected a number for each label.")
    if not scores.keys() <= set(labels):
        raise UnfitPrediction(f"Its “scores” hold another label than those it was sent: {', '.join(labels)}.")
    for label, score in scores.items():
        if isinstance(score, bool) or not isinstance(score, int | float) or not _is_finite(score):
            raise UnfitPrediction(f"Its score of “{label}” is no finite number.")
    return {label: float(scores[label]) for label in labels if label in scores}


def _is_finite(score: float) -> bool:
    try:
        return math.isfinite(score)
    except OverflowError:  # a whole number that no float can hold
        return False


def _version(version: Any) -> str:
    if not isinstance(version, str) or not 0 < len(version) <= LONGEST_VERSION or not version.isprintable():
        raise UnfitPrediction(
            f"Its “model_version” is no text of 1 to {LONGEST_VERSION} characters without control characters."
        )
    return version
