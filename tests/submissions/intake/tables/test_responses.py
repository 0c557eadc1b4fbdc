"""Files of responses: read strictly, and told about without what anybody answered."""

import json
from pathlib import Path
from typing import Any

import pytest

from submissions.intake import Problem, ProblemCode
from submissions.intake.tables.responses import RespondedItem, ResponseFormat, read_responses

RESPONSES = {"positive": ["w1", "w4"], "mixed": [], "neutral": ["w2", "w3", "w5"]}


def item(**changes: Any) -> dict[str, Any]:
    plain = {
        "text_id": "t1",
        "sentence": "It was there.",
        "label_distribution": RESPONSES,
        "gold_label": "neutral",
    }
    return {key: value for key, value in (plain | changes).items() if value is not ...}


def lines(*items: dict[str, Any]) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in items).encode()


def problem(data: bytes) -> Problem:
    """The only problem of a file that is not taken."""
    result = read_responses(data, file_name="round.jsonl")
    assert result.content is None
    (found,) = result.problems
    return found


def test_an_item_keeps_its_responses_in_the_order_of_the_file():
    (read,) = read_responses(lines(item()), file_name="round.jsonl").content_or(AssertionError)
    workers = (
        ("w1", "positive"),
        ("w4", "positive"),
        ("w2", "neutral"),
        ("w3", "neutral"),
        ("w5", "neutral"),
    )
    assert read == RespondedItem("t1", workers, "It was there.", "", False, "neutral")


def test_stated_gold_and_prompt_may_be_missing_or_null():
    data = lines(item(gold_label=...), item(text_id="t2", gold_label=None, prompt=None))
    read = read_responses(data, file_name="round.jsonl").content_or(AssertionError)
    assert [(each.gold_label, each.prompt) for each in read] == [(None, ""), (None, "")]


@pytest.mark.parametrize("prompt", [{"prompt": "Was it?"}, {"prompt_data": {"prompt_sentence": "Was it?"}}])
def test_a_prompt_is_read_from_either_place(prompt):
    (read,) = read_responses(lines(item(**prompt)), file_name="round.jsonl").content_or(AssertionError)
    assert read.prompt == "Was it?"


@pytest.mark.parametrize(
    ("said", "has_prompt"),
    [
        ({}, False),
        ({"prompt": "Was it?"}, True),
        ({"has_prompt": True}, True),
        ({"has_prompt": False, "prompt": "Was it?"}, False),
        ({"has_prompt": None, "prompt": "Was it?"}, True),
    ],
)
def test_whether_there_was_a_prompt_is_as_the_file_says_else_by_its_text(said, has_prompt):
    (read,) = read_responses(lines(item(**said)), file_name="round.jsonl").content_or(AssertionError)
    assert read.has_prompt is has_prompt


@pytest.mark.parametrize(
    ("said", "rating"),
    [({}, ""), ({"review_rating": 4}, "4"), ({"review_rating": "4.5"}, "4.5"), ({"review_rating": None}, "")],
)
def test_the_rating_of_the_source_review_is_read_as_it_stands(said, rating):
    (read,) = read_responses(lines(item(**said)), file_name="round.jsonl").content_or(AssertionError)
    assert read.rating == rating


def test_the_real_files_are_read(cases: Path):
    for path, count in (("round01-yelp-test", 3600), ("round02-dynabench-dev", 720)):
        file = cases / "dynasent_v1_1" / "gold" / f"dynasent-v1.1-{path}.jsonl"
        result = read_responses(file.read_bytes(), file_name=file.name)
        assert (len(result.content or ()), result.problems) == (count, ())


FAULTS: list[tuple[bytes, ProblemCode, str | None]] = [
    (b"not JSON\n", ProblemCode.JSON_SYNTAX, None),
    (b'["t2"]\n', ProblemCode.JSON_WRONG_TYPE, None),
    (b"\n", ProblemCode.BLANK_LINE, None),
    (lines(item(text_id=...)), ProblemCode.JSON_MISSING_KEY, "text_id"),
    (lines(item(text_id="t2", sentence=...)), ProblemCode.JSON_MISSING_KEY, "sentence"),
    (lines(item(text_id="t2", has_prompt="yes")), ProblemCode.JSON_WRONG_TYPE, "has_prompt"),
    (lines(item(text_id="t2", review_rating=[5])), ProblemCode.JSON_WRONG_TYPE, "review_rating"),
    (lines(item(text_id="t2", label_distribution=...)), ProblemCode.JSON_MISSING_KEY, "label_distribution"),
    (
        b'{"text_id": "t2", "text_id": "t2",' + lines(item(text_id=...))[1:],
        ProblemCode.JSON_DOUBLED_KEY,
        "text_id",
    ),
    (lines(item()), ProblemCode.DUPLICATE_ID, "text_id"),
    (lines(item(text_id="")), ProblemCode.EMPTY_ID, "text_id"),
    (lines(item(text_id=" t2")), ProblemCode.ID_SPELLING, "text_id"),
    (lines(item(text_id=2)), ProblemCode.JSON_WRONG_TYPE, "text_id"),
    (lines(item(text_id="t2", sentence=" ")), ProblemCode.TEXT_MISSING, "sentence"),
    (lines(item(text_id="t2", sentence="a\0b")), ProblemCode.CONTROL_CHARACTER, "sentence"),
    (lines(item(text_id="t2", prompt=["p"])), ProblemCode.JSON_WRONG_TYPE, "prompt"),
    (lines(item(text_id="t2", gold_label="kanary")), ProblemCode.UNKNOWN_CATEGORY, "gold_label"),
    (lines(item(text_id="t2", gold_label=["neutral"])), ProblemCode.JSON_WRONG_TYPE, "gold_label"),
]
FAULTY_RESPONSES: list[tuple[Any, ProblemCode]] = [
    (["w1"], ProblemCode.JSON_WRONG_TYPE),
    ({"positive": "w1 w2 w3 w4 w5"}, ProblemCode.JSON_WRONG_TYPE),
    ({"positive": ["w1", "w2", "w3", "w4", 5]}, ProblemCode.JSON_WRONG_TYPE),
    ({"positive": ["w1", "w2", "w3", "w4", " "]}, ProblemCode.WORKER_NAME),
    (RESPONSES | {"unsure": ["w6"]}, ProblemCode.UNKNOWN_CATEGORY),
    (RESPONSES | {"mixed": ["w1"]}, ProblemCode.WORKER_TWICE),
    (RESPONSES | {"mixed": ["w6"]}, ProblemCode.RESPONSE_COUNT),
    (RESPONSES | {"positive": ["w1"]}, ProblemCode.RESPONSE_COUNT),
    ({}, ProblemCode.RESPONSE_COUNT),
]


@pytest.mark.parametrize(("line", "code", "key"), FAULTS)
def test_a_faulty_line_is_refused_with_its_number_and_key(line, code, key):
    found = problem(lines(item()) + line + lines(item(text_id="t3")))
    assert (found.code, found.file, found.line, found.column) == (code, "round.jsonl", 2, key)


@pytest.mark.parametrize(("responses", "code"), FAULTY_RESPONSES)
def test_faulty_responses_are_refused_with_their_line(responses, code):
    found = problem(lines(item(), item(text_id="t2", label_distribution=responses)))
    assert (found.code, found.line, found.column) == (code, 2, "label_distribution")


def test_a_category_that_stands_twice_is_refused():
    text = lines(item()).decode().replace('"mixed": []', '"positive": []').encode()
    assert problem(text).code is ProblemCode.JSON_DOUBLED_KEY


def test_a_problem_shows_neither_the_line_nor_an_answer():
    broken = lines(item(), item(text_id="t2", gold_label="neutral")).replace(b'"neutral"}', b"neutral}")
    found = read_responses(broken, file_name="round.jsonl").problems
    assert [each.line for each in found] == [1, 2]
    assert "neutral" not in repr(found)


def test_an_unknown_gold_label_is_not_repeated():
    assert "kanary" not in repr(problem(lines(item(gold_label="kanary"))))


def test_a_problem_says_what_was_found_and_what_was_expected():
    found = problem(lines(item(label_distribution={"positive": ["w1", "w2"]})))
    assert (found.found, found.expected) == ("2", "5")
    assert found.message == "The item has 2 responses. Every item needs exactly 5."


def test_other_numbers_of_responses_and_categories_may_be_asked_for():
    form = ResponseFormat(categories=("yes", "no"), width=3, id_key="id", gold_key="label")
    data = lines(
        {"id": "a", "sentence": "So?", "label_distribution": {"no": ["u", "v"], "yes": ["w"]}, "label": "no"}
    )
    (read,) = read_responses(data, file_name="f.jsonl", form=form).content_or(AssertionError)
    assert read.responses == (("u", "no"), ("v", "no"), ("w", "yes"))
    assert read.gold_label == "no"


def test_a_file_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("submissions.intake.tables.responses.MAX_ITEMS", 2)
    found = problem(lines(*(item(text_id=f"t{number}") for number in range(4))))
    assert (found.code, found.line) == (ProblemCode.TOO_MANY_ROWS, 3)


def test_a_file_too_large_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("submissions.intake.tables.responses.MAX_UPLOAD_BYTES", 20)
    assert problem(lines(item())).code is ProblemCode.FILE_TOO_LARGE


def test_an_empty_file_is_refused():
    assert problem(b"").code is ProblemCode.EMPTY_FILE
