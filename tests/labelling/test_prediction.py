"""A model's answer is read whole, declared and finite, or not at all; a fault is told without repeating the answer."""

import json

import pytest

from labelling.predictors.prediction import Prediction, UnfitPrediction, read_prediction

LABELS = ("positive", "negative", "neutral")
GOOD = {"label": "negative", "scores": {"positive": 0.2, "negative": 0.8}, "model_version": "v1"}


def read(**changes: object) -> Prediction:
    return read_prediction(json.dumps({**GOOD, **changes}).encode(), LABELS)


def test_a_good_answer_is_read_and_kept_as_it_is():
    prediction = read(remark="further keys are not read")
    assert prediction == Prediction("negative", {"positive": 0.2, "negative": 0.8}, "v1")
    assert Prediction.from_json(json.loads(json.dumps(prediction.as_json()))) == prediction
    assert read(scores={}).scores == {}
    assert read(scores={"neutral": 3}).scores == {"neutral": 3.0}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"<html>secret</html>", "no JSON"),
        (b"[" * 50_000, "no JSON"),
        (b"1" * 5_000, "no JSON"),
        (b'["negative"]', "no object"),
        (b'{"label": "negative", "label": "positive"}', "stands twice"),
        (b'{"label": "negative", "scores": {"negative": NaN}, "model_version": "1"}', "holds NaN"),
        (
            b'{"label": "negative", "scores": {"negative": -Infinity}, "model_version": "1"}',
            "holds -Infinity",
        ),
        (b'{"label": "negative", "scores": {"negative": 1e999}, "model_version": "1"}', "no finite number"),
        (
            b'{"label": "negative", "scores": {"negative": 1%s}, "model_version": "1"}' % (b"0" * 400),
            "no finite",
        ),
    ],
)
def test_a_body_that_is_no_answer_is_refused_in_words(body: bytes, words: str):
    with pytest.raises(UnfitPrediction, match=words) as refused:
        read_prediction(body, LABELS)
    assert "secret" not in str(refused.value)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"label": "secret"}, "none of the labels that it was sent: positive, negative, neutral"),
        ({"label": None}, "none of the labels"),
        ({"label": ["negative"]}, "none of the labels"),
        ({"label": "Negative"}, "none of the labels"),
        ({"scores": [0.1, 0.9]}, "no object"),
        ({"scores": {"secret": 0.1}}, "another label"),
        ({"scores": {"negative": "0.9"}}, "score of “negative” is no finite number"),
        ({"scores": {"negative": True}}, "no finite number"),
        ({"scores": {"negative": None}}, "no finite number"),
        ({"model_version": ""}, "model_version"),
        ({"model_version": 3}, "model_version"),
        ({"model_version": "secret" * 20}, "1 to 100"),
        ({"model_version": "a\nb"}, "control characters"),
    ],
)
def test_an_answer_beside_the_contract_is_refused_in_words(changes: dict[str, object], words: str):
    with pytest.raises(UnfitPrediction, match=words) as refused:
        read(**changes)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("missing", GOOD)
def test_an_answer_that_lacks_a_key_is_refused(missing: str):
    body = json.dumps({key: value for key, value in GOOD.items() if key != missing}).encode()
    with pytest.raises(UnfitPrediction, match=f"no “{missing}”"):
        read_prediction(body, LABELS)
