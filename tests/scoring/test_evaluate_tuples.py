"""Tuples of texts through `manage.py evaluate`: the example's two tasks, and what is refused at which place."""

import json

import pytest

from tests.scoring.test_evaluate import as_json
from tests.scoring.test_evaluate_label_kinds import examples, values  # noqa: F401  # pytest finds the fixture by its name

OPINIONS, PHRASES = ("tuples", "opinions"), ("tuples", "phrases")
BRIGHT, DEAR = ["screen", "bright", "positive"], ["price", "dear", "negative"]
GOLD = {"1": [BRIGHT, DEAR], "2": [], "3": [["keys", "soft", "neutral"]]}


@pytest.fixture
def scored(tmp_path):
    """What `evaluate` says of these files of a task."""

    def _scored(which, gold, predictions, **options):
        files = tmp_path / "gold", tmp_path / ("opinions.jsonl" if which is OPINIONS else "phrases.json")
        for file, text in zip(files, (gold, predictions), strict=True):
            file.write_text(text)
        return as_json(*which, "--gold", files[0], "--predictions", files[1], **options)

    return _scored


def reviews(**triplets):
    return "".join(json.dumps({"id": item, "triplets": listed}) + "\n" for item, listed in triplets.items())


def test_tuples_are_right_where_all_their_parts_are(scored):
    """One of three predicted and three gold triplets is right, two in aspect and sentiment; copies count once."""
    found = {
        "3": [],
        "2": [["it", "odd", "negative"]],
        "1": [DEAR, DEAR, ["screen", "very bright", "positive"]],
    }
    assert values(scored(OPINIONS, reviews(**GOLD), reviews(**found)), "opinions") == {
        "f1_micro": pytest.approx(1 / 3),
        "precision_micro": pytest.approx(1 / 3),
        "recall_micro": pytest.approx(1 / 3),
        "f1_micro[aspect,sentiment]": pytest.approx(2 / 3),
    }


def test_a_system_that_finds_nothing_has_no_precision(scored):
    nothing = reviews(**{item: [] for item in GOLD})
    cell = values(scored(OPINIONS, reviews(**GOLD), nothing), "opinions")
    assert cell | {"precision_micro": None, "recall_micro": 0.0} == cell


def test_phrases_are_compared_without_case_and_white_space_where_a_definition_says_so(scored):
    gold, found = {"a": ["Solar  panel", "grid"], "b": ["wind"]}, {"a": ["solar panel"], "b": ["Wind", "sun"]}
    cell = values(scored(PHRASES, json.dumps(gold), json.dumps(found)), "phrases")
    assert cell == {"f1_micro": pytest.approx(4 / 6), "exact_match": 0}


@pytest.mark.parametrize(
    ("triplets", "code", "told"),
    [
        (
            [["screen", "bright", "Positive"]],
            "unknown_label",
            "“Positive” is no sentiment of this task. Nearest: “positive”.",
        ),
        ([BRIGHT[:2]], "json_wrong_type", 'a list, [["aspect", "opinion", "positive"]]'),
        ("screen", "json_wrong_type", "is not what is expected here"),
        ([["screen", None, "positive"]], "json_wrong_type", "of texts or whole numbers"),
        ([["screen", 1.5, "positive"]], "json_wrong_type", "of texts or whole numbers"),
        ([["screen", str(number), "positive"] for number in range(900)], "cell_too_long", "20,000"),
    ],
    ids=["a value that there is not", "a part too few", "no list", "null", "a fraction", "too long"],
)
def test_what_is_no_list_of_tuples_is_refused_where_it_stands(scored, triplets, code, told):
    found = scored(OPINIONS, reviews(**GOLD), reviews(**GOLD | {"2": triplets}), status=1)
    (problem,) = found["problems"]
    assert (problem["line"], problem["column"], problem["code"]) == (2, "triplets", code)
    assert told in problem["message"]
