"""JSON files: what is read, and the line of everything that is refused."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catalogue.layouts.json_text import MAX_DEPTH, Member, Node, NumberText, members_at_once, parse_json
from catalogue.problems import RefusedError
from submissions.intake import read_gold_file
from tests.submissions.intake.kinds import POSTS, RUMOUR, SENTENCES, gold, places, problems_in, read

ANSWERS = """{
"subtaskb": {
"a1": ["true", 0.5],
"a2": ["false",
1],
"a3": ["unverified", 0]
}
}
"""
LABELS = '{"subtaska": {"a1": "support", "a2": "deny", "a3": "deny"}, "subtaskb": {}}'


def as_plain(node: Node) -> object:
    """The value as the standard library reads it."""
    value = node.value
    if isinstance(value, NumberText):
        return json.loads(value.text)
    if isinstance(value, list):
        return [as_plain(each) for each in value]
    if isinstance(value, tuple):
        return {member.key: as_plain(member.value) for member in value}
    return value


words = st.text(st.characters(codec="utf-8"), max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=6,
)


@given(values, st.sampled_from([None, 0, 2]), st.booleans())
def test_the_parser_agrees_with_the_standard_library(value, indent, ascii_only):
    assert as_plain(parse_json(json.dumps(value, indent=indent, ensure_ascii=ascii_only))) == value


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \n\\', max_size=40))
def test_the_parser_takes_nothing_that_the_standard_library_refuses(text):
    try:
        parse_json(text)
    except RefusedError:
        return
    json.loads(text)


@given(st.text(alphabet='{}[]",:019.e-trueNaInfity \n\\ud8', max_size=40))
@example('{"a": NaN}')
def test_a_fault_has_the_kind_that_its_finding_says(text):
    refused: RefusedError | None = None
    try:
        parse_json(text)
    except RefusedError as error:
        refused = error
    assert refused is None or refused.kind == (refused.finding.code, refused.finding.pattern)


def test_every_value_knows_its_line():
    root = parse_json('{\n"a": [\n1,\n{"b": null}]}')
    assert isinstance(root.value, tuple)
    (member,) = root.value
    assert isinstance(member, Member)
    assert isinstance(member.value.value, list)
    assert (member.line, [node.line for node in member.value.value]) == (2, [3, 4])


def test_nesting_without_end_is_refused_and_exhausts_nothing():
    with pytest.raises(RefusedError) as caught:
        parse_json("[" * 1_000_000)
    assert caught.value.finding.code == "json_too_deep"
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)


def test_labels_with_confidence_are_read():
    assert read(ANSWERS, RUMOUR).codes.tolist() == [(0, 0.5), (1, 1.0), (2, 0.0)]


def test_labels_with_confidence_survive_storage():
    found = read(ANSWERS, RUMOUR)
    assert np.array_equal(type(found).from_bytes(found.to_bytes()).codes, found.codes)


def test_the_key_of_another_task_is_not_read():
    assert read(LABELS, POSTS).codes.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("0.5", "1.5"), ("number_out_of_range", 3, "subtaskb")),
        (("0.5", "-0.1"), ("number_out_of_range", 3, "subtaskb")),
        (("0.5", "NaN"), ("number_not_finite", 3, None)),
        (("0.5", "-Infinity"), ("number_not_finite", 3, None)),
        (("0.5", "1e309"), ("number_not_finite", 3, "subtaskb")),
        (("0.5", '"0.5"'), ("json_wrong_type", 3, "subtaskb")),
        (("0.5", "true"), ("json_wrong_type", 3, "subtaskb")),
        (("0.5", "0.5, 1"), ("json_wrong_length", 3, "subtaskb")),
        (('"true", 0.5', '"true"'), ("json_wrong_length", 3, "subtaskb")),
        (('["true", 0.5]', '"true"'), ("json_wrong_type", 3, "subtaskb")),
        (('["true", 0.5]', "null"), ("json_wrong_type", 3, "subtaskb")),
        (('"true", 0.5', "true, 0.5"), ("json_wrong_type", 3, "subtaskb")),
        (('"true"', '"True"'), ("label_case", 3, "subtaskb")),
        (('"true"', '"maybe"'), ("unknown_label", 3, "subtaskb")),
        (("\n1]", "\n1.01]"), ("number_out_of_range", 5, "subtaskb")),
        (('"a2"', '"a1"'), ("duplicate_id", 4, "subtaskb")),
        (('"a2"', '"b2"'), ("unknown_id", 4, "subtaskb")),
        (('"a2"', '""'), ("empty_id", 4, "subtaskb")),
        (("0.5", "0.5 0.5"), ("json_syntax", 3, None)),
        (("0.5", "1_0"), ("json_syntax", 3, None)),
        (("0.5", "01"), ("json_syntax", 3, None)),
        (("0.5", ".5"), ("json_syntax", 3, None)),
        (("0.5", "\uff10.\uff15"), ("json_syntax", 3, None)),
        (('"true"', '"\\ud800"'), ("json_syntax", 3, None)),
        (('"true"', "'true'"), ("json_syntax", 3, None)),
        (("[\"true\"", "[" * 9 + '"true"'), ("json_too_deep", 3, None)),
        (("\n}\n}", "\n}\n},"), ("json_syntax", 8, None)),
        (("\n}\n}\n", ""), ("json_syntax", 6, None)),
        (('"subtaskb"', '"subtaskB"'), ("json_unknown_key", 2, None)),
        (('"subtaskb"', '"subtaska"'), ("json_missing_key", None, None)),
        (("\n}\n}", '\n},\n"subtaskb": {}}'), ("json_doubled_key", 8, None)),
        (('"a3": ["unverified", 0]', '"a3": ["true", 0],\n"a1": ["true", 1]'), ("duplicate_id", 7, "subtaskb")),
    ],
)  # fmt: skip
def test_faults_are_placed(change, problem):
    old, new = change
    assert places(ANSWERS.replace(old, new, 1), RUMOUR)[0] == problem


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "json_wrong_type"),
        ('"x"', "json_wrong_type"),
        ('{"subtaskb": []}', "json_wrong_type"),
        ('{"subtaskb": {}}', "no_rows"),
        ("{}", "json_missing_key"),
        ("", "empty_file"),
        ("\ufeff{", "json_syntax"),
        ("{" * 100_000, "json_syntax"),
    ],
)
def test_files_that_are_no_answers_are_refused(text, code):
    assert places(text, RUMOUR)[0][0] == code


def test_a_missing_id_is_named():
    (problem,) = problems_in(ANSWERS.replace(',\n"a3": ["unverified", 0]', ""), RUMOUR)
    assert (problem.code, problem.expected) == ("missing_ids", "a3")


def test_gold_labels_stand_without_confidence():
    found = gold('{"subtaskb": {"x": "true", "y": "unverified"}}', RUMOUR)
    assert (found.ids.ids, [label for label, _ in found.codes.tolist()]) == (("x", "y"), [0, 2])


def test_keys_that_nobody_reads_may_stand_twice_in_a_gold_file():
    assert len(gold('{"subtaskb": {"x": "true"}, "subtaskc": {}, "subtaskc": {}}', RUMOUR).ids) == 1


# JSON lines


LINES = '{"text_id": "a1", "gold_label": "positive", "more": {"w": [1]}}\n{"gold_label": "neutral", "text_id": "a2"}\n'


def test_json_lines_are_read_by_their_keys():
    found = gold(LINES, SENTENCES)
    assert (found.ids.ids, found.codes.tolist()) == (("a1", "a2"), [0, 2])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (('"neutral"', "null"), ("json_wrong_type", 2, "gold_label")),
        (('"neutral"', '"mixed"'), ("unknown_label", 2, "gold_label")),
        (('"neutral"', "3"), ("json_wrong_type", 2, "gold_label")),
        (('"a2"', '"a1"'), ("duplicate_id", 2, "text_id")),
        (('"text_id": "a2"', '"id": "a2"'), ("json_missing_key", 2, "text_id")),
        (('"text_id": "a2"', '"text_id": "a2", "text_id": "a3"'), ("json_doubled_key", 2, "text_id")),
        (('{"gold_label"', '["gold_label"'), ("json_syntax", 2, None)),
        (("}\n{", "}\n\n{"), ("blank_line", 2, None)),
    ],
)
def test_faults_of_json_lines_are_placed(change, problem):
    result = read_gold_file(LINES.replace(*change).encode(), file_name="gold", task=SENTENCES)
    first = result.problems[0]
    assert (first.code.value, first.line, first.column) == problem


def test_ordinary_members_and_others_keep_their_lines_and_values():
    text = '{"a": "x",\n "b" : -1.5e3 ,\n\n "c": "\\u0041", "d":\n 7, "e": [1, "y"], "f": {"g": "z"}}'

    members: Any = parse_json(text).value

    assert [(one.key, one.line, one.value.line, one.value.value) for one in members[:4]] == [
        ("a", 1, 1, "x"),
        ("b", 2, 2, NumberText("-1.5e3")),
        ("c", 4, 4, "A"),
        ("d", 4, 5, NumberText("7")),
    ]
    assert [(one.key, one.line) for one in members[5].value.value] == [("g", 5)]


@pytest.mark.parametrize(
    "text", ['{"a": "x",}', '{"a": 01}', '{"a": 1.}', '{"a": "x" "b": 1}', '{"a": 1x}', '{"a": "x"']
)
def test_what_only_begins_like_an_ordinary_member_is_refused(text):
    with pytest.raises(RefusedError):
        parse_json(text)


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\t",
        '"a"',
        '"b"',
        '"\\u0041"',
        '"',
        "1",
        "-0.5e3",
        "01",
        "true",
        "NaN",
        "\x01",
        "é",
    ]
)
SCRAPS = st.lists(PIECES, max_size=12).map("".join)
FLAT_OBJECTS = st.dictionaries(
    st.text(max_size=3), st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
).map(json.dumps)


NESTED_OBJECTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=12,
).map(lambda value: json.dumps({"a": value}, ensure_ascii=False))


@given(SCRAPS | SCRAPS.map("{{{}}}".format) | FLAT_OBJECTS | NESTED_OBJECTS)
def test_the_quick_way_reads_a_line_as_the_thorough_one_does_or_leaves_it(line):
    if (quick := members_at_once(line, 7)) is not None:
        assert quick == parse_json(line, 7).value


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "7", "label": "good", "seconds": 1.50}',
        '{"id": "7", "id": 8, "spans": [[0, 5, "A"], []], "of": {"a": null, "b": [true, {"c": "[{[{[{[{[{"}]}}',
    ],
)
def test_the_quick_way_is_taken_by_a_line_as_nearly_all_are(line):
    assert members_at_once(line, 3) == parse_json(line, 3).value


def test_the_quick_way_leaves_what_is_nested_too_deep():
    assert members_at_once('{"a": ' + MAX_DEPTH * "[" + MAX_DEPTH * "]" + "}", 1) is None
