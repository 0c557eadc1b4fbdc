"""The model that the server trains itself: the same from the same rows, and answering from its arrays alone."""

import io
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from labelling.predictors import embedded
from labelling.predictors.embedded import (
    CannotTrain,
    from_bytes,
    predict,
    terms_of,
    to_bytes,
    train,
    version_of,
)
from labelling.predictors.prediction import NoPrediction

WORDS = {
    "positive": ["lovely", "warm", "friendly", "great", "delicious"],
    "negative": ["cold", "rude", "dirty", "awful", "bland"],
    "neutral": ["open", "street", "table", "menu", "monday"],
}


def rows_of(seed: int, count: int = 120, labels: tuple[str, ...] = tuple(WORDS)) -> list[tuple[str, str]]:
    """Made-up reviews: two words that go with the label, and one that goes with any."""
    lot = Random(seed)
    every = [word for words in WORDS.values() for word in words]
    chosen = [lot.choice(labels) for _ in range(count)]
    return [
        (" ".join([*lot.choices(WORDS[label], k=2), lot.choice(every), "place ."]), label) for label in chosen
    ]


@pytest.fixture(scope="module")
def weights():
    return train(rows_of(1))


def test_it_learns_what_the_rows_hold(weights):
    fresh = rows_of(2)
    right = sum(predict(weights, text).label == label for text, label in fresh)
    assert right > 0.9 * len(fresh)


@pytest.mark.parametrize("labels", [("negative", "positive"), tuple(WORDS)])
def test_it_answers_from_its_arrays_as_scikit_learn_does(labels):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    rows = sorted(rows_of(3, labels=labels))
    words = TfidfVectorizer(analyzer=terms_of, sublinear_tf=True)
    features = words.fit_transform([text for text, _ in rows])
    oracle = LogisticRegression(C=10, max_iter=1000).fit(features, [label for _, label in rows])
    texts = [*(text for text, _ in rows_of(4, 40)), "", "unheard of", "warm warm warm cold"]
    ours = train(rows)
    for text, expected in zip(texts, oracle.predict_proba(words.transform(texts)), strict=True):
        told = predict(ours, text)
        assert [told.scores[label] for label in oracle.classes_] == pytest.approx(list(expected), abs=2e-5)
        assert told.label in told.scores


def test_the_same_rows_in_any_order_make_the_same_model(weights):
    rows = rows_of(1)
    Random(9).shuffle(rows)
    again = train(rows)
    assert again.version == weights.version == version_of(rows)
    assert to_bytes(again) == to_bytes(weights)
    assert train(rows[1:]).version != weights.version


def test_a_model_that_was_kept_is_the_same_model(weights):
    kept = from_bytes(to_bytes(weights))
    texts = [text for text, _ in rows_of(5, 20)]
    assert [predict(kept, text) for text in texts] == [predict(weights, text) for text in texts]


def test_it_answers_in_a_process_without_scikit_learn(weights, tmp_path: Path):
    (tmp_path / "weights").write_bytes(to_bytes(weights))
    program = (
        "import sys, pathlib\n"
        "from labelling.predictors.embedded import from_bytes, predict\n"
        "print(predict(from_bytes(pathlib.Path(sys.argv[1]).read_bytes()), 'a lovely warm place').label)\n"
        "assert not {'sklearn', 'scipy'} & sys.modules.keys()\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "weights"], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "positive"


def test_damaged_weights_and_those_of_other_code_give_no_prediction(weights, monkeypatch):
    data = to_bytes(weights)
    for damaged in (b"", data[:-200], b"PK" + data[2:50]):
        with pytest.raises(NoPrediction, match="damaged"):
            from_bytes(damaged)
    objects = io.BytesIO()
    np.savez(objects, head=np.array([{"code": 1}], dtype=object))
    with pytest.raises(NoPrediction, match="damaged"):
        from_bytes(objects.getvalue())
    monkeypatch.setattr(embedded, "CODE", 2)
    with pytest.raises(NoPrediction, match="earlier version"):
        from_bytes(data)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "0 different labels"),
        ([("one", "a"), ("two", "a")], "1 different labels"),
        ([("", "a"), ("  ", "b")], "not one word"),
    ],
)
def test_rows_that_make_no_model_are_refused_in_words(rows, words):
    with pytest.raises(CannotTrain, match=words):
        train(rows)


def test_what_it_answers_stays_as_long_as_its_code_is_called_the_same(weights):
    """Whoever changes how texts are cut or weighed raises CODE, and these figures with it."""
    told = predict(weights, "The table was cold, the soup warm; lovely!")
    assert embedded.CODE == 1
    assert told.scores == pytest.approx(FIGURES, abs=1e-3)


FIGURES = {"negative": 0.1325, "neutral": 0.0683, "positive": 0.7992}
