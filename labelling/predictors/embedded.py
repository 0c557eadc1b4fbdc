"""The model that the server trains itself: a logistic regression on TF-IDF weights of words and pairs of words.

It is kept as arrays, and answers from these alone, without scikit-learn. The same rows give the same model, in
whatever order they come.
"""

import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from labelling.predictors.prediction import NoPrediction, Prediction

CODE = 1
"""Raise it whenever the same rows may come to other predictions: weights of another code are not asked any more."""
MOST_ROWS = 100_000
MOST_TERMS = 50_000
_WORDS_AND_SIGNS = re.compile(r"\w+|[^\w\s]+")
_STEPS = 1_000
_STRENGTH = 10.0  # C of scikit-learn: how closely it follows its rows

LabelledText = tuple[str, str]
"""A text and its label."""


class CannotTrain(Exception):
    """Why rows make no model, in words for organisers."""


@dataclass(frozen=True, eq=False)
class Weights:
    """A trained model.

    labels : at least two, sorted
    terms : words and pairs of words, sorted
    idf : weights of the terms, shape (n_terms,), at least 1
    slopes : per label and term, shape (n_labels, n_terms)
    offsets : per label, shape (n_labels,)
    version : names rows and code
    """

    labels: tuple[str, ...]
    terms: tuple[str, ...]
    idf: NDArray[np.float32]
    slopes: NDArray[np.float32]
    offsets: NDArray[np.float32]
    version: str

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each term stands."""
        return {term: place for place, term in enumerate(self.terms)}


def version_of(rows: Sequence[LabelledText]) -> str:
    """The name of the model that rows make, whatever their order."""
    digest = hashlib.sha256(json.dumps(sorted(rows)).encode()).hexdigest()
    return f"embedded-{CODE}-{digest[:16]}"


def check_rows(rows: Sequence[LabelledText]) -> None:
    """CannotTrain where rows have fewer than two labels or no words, or are too many."""
    if len(rows) > MOST_ROWS:
        raise CannotTrain(f"There are {len(rows):,} rows; a model is trained on at most {MOST_ROWS:,}.")
    labels = {label for _, label in rows}
    if len(labels) < 2:
        raise CannotTrain(f"The rows have {len(labels)} different labels; expected at least 2.")
    if not any(_WORDS_AND_SIGNS.search(text) for text, _ in rows):
        raise CannotTrain("The texts hold not one word.")


def train(rows: Sequence[LabelledText]) -> Weights:
    """The model that rows make. Errors as `check_rows`."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    check_rows(rows)
    rows = sorted(rows)
    labels = tuple(sorted({label for _, label in rows}))
    words = TfidfVectorizer(analyzer=terms_of, sublinear_tf=True, max_features=MOST_TERMS)
    features = words.fit_transform([text for text, _ in rows])
    found = LogisticRegression(C=_STRENGTH, max_iter=_STEPS).fit(features, [label for _, label in rows])
    slopes, offsets = found.coef_, found.intercept_
    if len(labels) == 2:  # scikit-learn gives the second label's alone
        slopes, offsets = np.concatenate([-slopes, slopes]) / 2, np.concatenate([-offsets, offsets]) / 2
    return Weights(
        labels,
        tuple(words.get_feature_names_out()),
        words.idf_.astype(np.float32),
        slopes.astype(np.float32),
        offsets.astype(np.float32),
        version_of(rows),
    )


def predict(weights: Weights, text: str) -> Prediction:
    """The likeliest label, and of each label its probability; of equally likely ones the first by name."""
    counts = Counter(weights.places[term] for term in terms_of(text) if term in weights.places)
    places = np.fromiter(counts.keys(), dtype=np.intp, count=len(counts))
    times = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))
    values = (1 + np.log(times)) * weights.idf[places]
    length = float(np.linalg.norm(values))
    logits = weights.slopes[:, places] @ (values / length if length else values) + weights.offsets
    likelihoods = np.exp(logits - logits.max())
    likelihoods /= likelihoods.sum()
    scores = {label: round(float(each), 6) for label, each in zip(weights.labels, likelihoods, strict=True)}
    return Prediction(weights.labels[int(np.argmax(likelihoods))], scores, weights.version)


def terms_of(text: str) -> list[str]:
    """The words and signs of a text, in lower case, and its pairs of adjacent ones."""
    words = _WORDS_AND_SIGNS.findall(text.lower())
    return words + [f"{first} {second}" for first, second in pairwise(words)]


def to_bytes(weights: Weights) -> bytes:
    """A model as an archive of arrays (npz); no part of it can hold code."""
    target = io.BytesIO()
    head = {"code": CODE, "labels": weights.labels, "version": weights.version}
    np.savez_compressed(
        target,
        head=_as_array(json.dumps(head)),
        terms=_as_array("\n".join(weights.terms)),
        idf=weights.idf,
        slopes=weights.slopes,
        offsets=weights.offsets,
    )
    return target.getvalue()


def from_bytes(data: bytes) -> Weights:
    """The model in an archive. NoPrediction where it is damaged, or was trained by other code."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            head = json.loads(_as_text(arrays["head"]))
            weights = Weights(
                tuple(head["labels"]),
                tuple(_as_text(arrays["terms"]).split("\n")),
                arrays["idf"],
                arrays["slopes"],
                arrays["offsets"],
                head["version"],
            )
    except (ValueError, KeyError, OSError, EOFError, BadZipFile):
        raise NoPrediction("The weights of the model are damaged. Train it again.") from None
    if head["code"] != CODE:
        raise NoPrediction("The model was trained by an earlier version of this server. Train it again.")
    return weights


def _as_array(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _as_text(array: NDArray[np.uint8]) -> str:
    return array.tobytes().decode()
