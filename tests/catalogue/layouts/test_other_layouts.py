"""Files as other programs write them: values of JSON that are no texts, nested keys, and one answer a line."""

from typing import Any

import pytest

from benchmarks.spec import MetricUse, TaskSpec
from catalogue.answers import AnswerKind, Label, Number
from catalogue.layouts import CSV, JSON_LINES, JSON_LIST, LAYOUTS, ONE_A_LINE, TSV, FileFormat, Layout
from catalogue.layouts.form import BOOLEANS, NUMBERS
from submissions.intake import ItemIds, SplitTarget, read_gold_file, read_labels

TRUTH = Label(("true", "false"))
CHOICE = Label(("0", "1", "2", "3"))
Place = tuple[str, int | None, str | None]


def task_of(kind: AnswerKind, **form: Any) -> TaskSpec:
    file = FileFormat(**{"path": "f", "id_column": "idx", "label_column": "label"} | form)
    return TaskSpec(
        id="t", code="T", title="T", summary="", instructions="", licence="", citation="", test_size=2,
        output=kind, file=file, metrics=(MetricUse("accuracy", "A"),),
    )  # fmt: skip


def read(text: str, task: TaskSpec, ids: tuple[str, ...] = ("0", "1")) -> list[Any] | list[Place]:
    """The answers, or where each problem stands."""
    found = read_labels(text.encode(), file_name="f", target=SplitTarget(task, "test", ItemIds(ids)))
    if found.content is None:
        return [(problem.code.value, problem.line, problem.column) for problem in found.problems]
    return found.content.codes.tolist()


BOOLEAN = task_of(TRUTH, layout=JSON_LINES, numeric_ids=True, labels_as=BOOLEANS)
NUMBERED = task_of(CHOICE, layout=JSON_LINES, numeric_ids=True, labels_as=NUMBERS)


def pair(first: str, second: str) -> str:
    return f'{{"idx": 0, "label": {first}}}\n{{"idx": 1, "label": {second}}}\n'


@pytest.mark.parametrize(
    ("task", "labels", "found"),
    [
        (BOOLEAN, ("true", "false"), [0, 1]),
        (BOOLEAN, ("true", '"false"'), [("json_wrong_type", 2, "label")]),
        (BOOLEAN, ("true", "0"), [("json_wrong_type", 2, "label")]),
        (BOOLEAN, ("true", "null"), [("json_wrong_type", 2, "label")]),
        (NUMBERED, ("1", "3"), [1, 3]),
        (NUMBERED, ("1", "1.0"), [("unknown_label", 2, "label")]),
        (NUMBERED, ("1", "1e0"), [("unknown_label", 2, "label")]),
        (NUMBERED, ("1", "4"), [("unknown_label", 2, "label")]),
        (NUMBERED, ("1", '"1"'), [("json_wrong_type", 2, "label")]),
        (NUMBERED, ("1", "true"), [("json_wrong_type", 2, "label")]),
        (NUMBERED, ("1", "9" * 2000), [("cell_too_long", 2, "label")]),
    ],
)
def test_labels_are_taken_as_json_values_of_one_type_alone(task, labels, found):
    assert read(pair(*labels), task) == found


@pytest.mark.parametrize("item", ['"1"', "1.0", "1e0", "true", "-0"])
def test_a_numeric_id_that_is_written_otherwise_is_told_once(item):
    text = pair("1", "1").replace('"idx": 1', f'"idx": {item}')
    assert read(text, NUMBERED)[0] == ("json_wrong_type", 2, "idx")


def test_an_id_in_quotes_is_not_reported_as_missing_too():
    assert len(read(pair("1", "1").replace('"idx": 1', '"idx": "1"'), NUMBERED)) == 1


NESTED = task_of(CHOICE, layout=JSON_LINES, id_column="doc.id", label_column="answer.label")


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ('{"doc": {"id": "1"}, "answer": {"label": "2", "why": [1, {"a": null}]}}', [0, 2]),
        ('{"doc": {"id": "1"}, "answer.label": "2", "answer": {"label": "3"}}', [0, 2]),
        ('{"doc": {"id": "1"}, "answer": "2"}', [("json_missing_key", 2, "answer.label")]),
        ('{"doc": {"id": "1"}, "answer": {}}', [("json_missing_key", 2, "answer.label")]),
        (
            '{"doc": {"id": "1"}, "answer": {"label": "2", "label": "3"}}',
            [("json_doubled_key", 2, "answer.label")],
        ),
    ],
)
def test_keys_lead_through_objects(second, found):
    assert read('{"doc": {"id": "0"}, "answer": {"label": "0"}}\n' + second + "\n", NESTED) == found


LISTED = task_of(CHOICE, layout=JSON_LIST, id_column="id", label_column="label")
TWO = '[\n  {\n    "id": "0",\n    "label": "0"\n  },\n  %s\n]\n'


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ('{"label": "2", "id": "1", "text": [1, {"a": null}]}', [0, 2]),
        ('{\n    "id": "1",\n    "label": "4"\n  }', [("unknown_label", 8, "label")]),
        ('{\n    "id": "1",\n    "label": 2\n  }', [("json_wrong_type", 8, "label")]),
        ('{\n    "id": "1"\n  }', [("json_missing_key", 6, "label")]),
        ('{\n    "id": "1",\n    "label": "2",\n    "label": "3"\n  }', [("json_doubled_key", 9, "label")]),
        ('{"id": "0", "label": "2"}', [("duplicate_id", 6, "id"), ("missing_ids", None, "id")]),
        ('"1"', [("json_wrong_type", 6, None), ("missing_ids", None, "id")]),
        ('{"id": "1", "label": "2"},', [("json_syntax", 7, None)]),
    ],
)
def test_objects_in_a_list_are_read_wherever_their_lines_break(second, found):
    assert read(TWO % second, LISTED) == found


@pytest.mark.parametrize(
    ("text", "code"),
    [("[]", "no_rows"), ('{"id": "0", "label": "0"}', "json_wrong_type"), ("", "empty_file")],
)
def test_what_is_no_list_of_objects_is_told_at_once(text, code):
    assert [found[0] for found in read(text, LISTED)] == [code]


BY_ID = task_of(CHOICE, layout=LAYOUTS["json_by_id"], id_column="id", label_column="answer")
UNDER_A_KEY = task_of(CHOICE, layout=LAYOUTS["json_by_id"], id_column="id", label_column="Prediction")


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ('"1":\n "2"', [0, 2]),
        ('"1":\n "4"', [("unknown_label", 4, "answer")]),
        ('"1": 2', [("json_wrong_type", 3, "answer")]),
        ('"1": {"answer": "2"}', [("json_wrong_type", 3, "answer")]),
        ('"0": "2"', [("duplicate_id", 3, "id"), ("missing_ids", None, "id")]),
        ('"7": "2"', [("unknown_id", 3, "id"), ("missing_ids", None, "id")]),
        ('"1": "2"\n "2": "2"', [("json_syntax", 4, None)]),
    ],
)
def test_an_object_leads_from_ids_to_answers(second, found):
    assert read(f'{{\n"0": "0",\n{second}}}\n', BY_ID) == found


@pytest.mark.parametrize(
    ("second", "found"),
    [
        ('{"id": 7, "Prediction": "2"}', [0, 2]),
        ('"2"', [("json_wrong_type", 3, None)]),
        ('{"prediction": "2"}', [("json_missing_key", 3, "Prediction")]),
        ('{"Prediction":\n "4"}', [("unknown_label", 4, "Prediction")]),
        ('{"Prediction": "2",\n"Prediction": "3"}', [("json_doubled_key", 4, "Prediction")]),
    ],
)
def test_an_object_leads_from_ids_to_objects_with_the_answer_under_a_key(second, found):
    assert read(f'{{\n"0": {{"Prediction": "0"}},\n"1": {second}}}\n', UNDER_A_KEY) == found


@pytest.mark.parametrize(
    ("text", "code"), [("{}", "no_rows"), ('[{"id": "0", "answer": "0"}]', "json_wrong_type")]
)
def test_what_is_no_object_by_ids_is_told_at_once(text, code):
    assert [found[0] for found in read(text, BY_ID)] == [code]


LINES = task_of(CHOICE, layout=ONE_A_LINE, id_column="line")
IDS = ("10", "9", "11")  # in public order 9, 10, 11


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1\n2\n3\n", [2, 1, 3]),
        ("1\r\n2\r\n3", [2, 1, 3]),
        ("1\n2\n", [("missing_ids", 3, None)]),
        ("1\n\n3\n", [("blank_line", 2, "label")]),
        ("1\n\n2\n3\n", [("blank_line", 2, "label")]),
        ("1\n2\n3\n0\n0\n", [("too_many_rows", 4, None)]),
        (
            "1\n2\n3\n0\n \n \n",
            [("blank_line", 5, "label"), ("blank_line", 6, "label"), ("too_many_rows", 4, None)],
        ),
        ("label\n1\n2\n3\n", [("header_repeated", 1, None)]),
        ("1\n2\n4\n", [("unknown_label", 3, "label")]),
        ("1\n2 \n3\n", [("label_spacing", 2, "label")]),
        ("1\n\x002\n3\n", [("nul_character", 2, "label")]),
        ("1\n" + "2" * 1001 + "\n3\n", [("cell_too_long", 2, "label")]),
        ("1\n\n", [("missing_ids", 2, None)]),
    ],
)
def test_one_answer_a_line_is_told_once_and_at_its_line(text, found):
    assert read(text, LINES, IDS) == found


def test_lines_of_a_gold_file_are_numbered_from_one():
    gold = read_gold_file(b"3\n0\n", file_name="f", task=LINES).content_or(AssertionError).gold
    assert (gold.ids.ids, gold.codes.tolist()) == (("1", "2"), [3, 0])
    refused = read_gold_file(b"3\n\n0\n", file_name="f", task=LINES)
    assert [(problem.code.value, problem.line) for problem in refused.problems] == [("blank_line", 2)]


# Logs of language models' runs

YES_NO = Label(("no", "yes"))
SAMPLES = task_of(
    YES_NO, layout=LAYOUTS["lm_eval_samples"], id_column="doc_id", label_column="filtered_resps"
)


def logged(item: int, answer: str, more: str = "") -> str:
    return (
        f'{{"doc_id": {item}, "doc": {{"q": "Is it?", "choices": {{"text": ["no", "yes"]}}}}, "target": "1", '
        f'"arguments": {{"gen_args_0": {{"arg_0": "Q: Is it?", "arg_1": {{"until": ["\\n"]}}}}}}, '
        f'"resps": [["x"]], "filtered_resps": {answer}, "doc_hash": "ab", "acc": 1.0{more}}}\n'
    )


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('["yes"]', [0, 1]),
        ('[" yes\\n"]', [0, 1]),
        ('"yes"', [0, 1]),
        ('[["yes"]]', [0, 1]),
        ('[["-4.5", "False"], ["-1.25", "True"]]', [0, 1]),
        ("[[-4.5, false], [-1e-3, true]]", [0, 1]),
        ('[["-1.0", "False"], ["-1.0", "True"]]', [0, 0]),
        ('[["-4.5", "False"]]', [("json_wrong_length", 2, "filtered_resps")]),
        ('[["-4.5", "False"], ["x", "True"]]', [("json_wrong_length", 2, "filtered_resps")]),
        ('["yes", "no"]', [("json_wrong_length", 2, "filtered_resps")]),
        ("[]", [("json_wrong_length", 2, "filtered_resps")]),
        ("[true]", [("json_wrong_type", 2, "filtered_resps")]),
        ('["perhaps"]', [("unknown_label", 2, "filtered_resps")]),
        ('[""]', [("empty_label", 2, "filtered_resps")]),
    ],
)
def test_a_sample_log_of_the_harness_has_one_response_or_a_likeliest_choice(answer, found):
    assert read(logged(0, '["no"]') + logged(1, answer), SAMPLES) == found


def test_of_several_filters_the_one_that_the_definition_names_counts():
    text = "".join(
        logged(item, f'["{answer}"]', f', "filter": "{name}"')
        for name, answer in (("strict-match", "no"), ("flexible-extract", "yes"))
        for item in (0, 1)
    )
    named = task_of(
        YES_NO, layout=LAYOUTS["lm_eval_samples"], id_column="doc_id", label_column="filtered_resps",
        log_filter="flexible-extract",
    )  # fmt: skip
    assert read(text, named) == [1, 1]
    assert read(text, SAMPLES) == [("duplicate_id", 3, "doc_id"), ("duplicate_id", 4, "doc_id")]


INSPECT = LAYOUTS["inspect_log"]
COMPLETION = task_of(YES_NO, layout=INSPECT, id_column="id", label_column="output.completion")
SCORED = task_of(YES_NO, layout=INSPECT, id_column="id", label_column="scores.match.answer")


def inspect_log(*samples: tuple[str, str, str]) -> str:
    listed = ",\n".join(
        f'{{"id": {item}, "epoch": 1, "messages": [{{"role": "user", "content": [[[[[[[{{}}]]]]]]]}}],\n'
        f' "output": {{"model": "m", "completion": {completion}}},\n'
        f' "scores": {{"match": {{"value": "C", "answer": {answer}}}}}}}'
        for item, completion, answer in samples
    )
    return f'{{"version": 2, "status": "success", "samples": [\n{listed}\n]}}\n'


@pytest.mark.parametrize(
    ("task", "second", "found"),
    [
        (COMPLETION, ("1", '" yes"', '"no"'), [0, 1]),
        (SCORED, ("1", '"well, yes"', '"yes"'), [0, 1]),
        (COMPLETION, ('"1"', '"yes"', '"no"'), [0, 1]),
        (COMPLETION, ("1", '"Yes."', '"yes"'), [("unknown_label", 6, "output.completion")]),
        (SCORED, ("1", '"yes"', "null"), [("json_wrong_type", 7, "scores.match.answer")]),
        (COMPLETION, ("0", '"yes"', '"no"'), [("duplicate_id", 5, "id"), ("missing_ids", None, "id")]),
        (COMPLETION, ("null", '"yes"', '"no"'), [("json_wrong_type", 5, "id"), ("missing_ids", None, "id")]),
    ],
)
def test_a_log_of_inspect_is_read_by_its_samples(task, second, found):
    assert read(inspect_log(("0", '"no"', '"no"'), second), task) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[]", ("json_wrong_type", 1, None)),
        ('{"eval": {}}', ("json_missing_key", 1, None)),
        ('{\n"samples": 3}', ("json_wrong_type", 2, None)),
    ],
)
def test_what_is_no_log_of_inspect_is_refused(text, found):
    assert read(text, COMPLETION) == [found]


# Ranges

CLIPPED = task_of(Number(0, 1, clip=True), id_column="id")


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("0.5", "1.5"), [0.5, 1.0]),
        (("-3", "1e300"), [0.0, 1.0]),
        (("0.5", "-0"), [0.5, 0.0]),
        (("0.5", "1e999"), [("number_not_finite", 3, "label")]),
        (("0.5", "inf"), [("number_not_finite", 3, "label")]),
        (("0.5", "high"), [("not_a_number", 3, "label")]),
    ],
)
def test_numbers_outside_a_range_count_as_its_nearer_end_where_it_is_clipped(cells, found):
    text = f"id,label\n0,{cells[0]}\n1,{cells[1]}\n"
    assert read(text, CLIPPED) == found
    assert read(text.replace("\n1,", '\n"1",'), CLIPPED) == found  # which the patient reader reads


def test_gold_labels_are_never_clipped():
    (problem,) = read_gold_file(b"id,label\n0,1.5\n", file_name="f", task=CLIPPED).problems
    assert (problem.code.value, problem.line, problem.column) == ("number_out_of_range", 2, "label")


def test_a_range_that_is_not_clipped_has_the_signature_of_before():
    assert Number(0, 1).signature() == "Number(low=0, high=1)"
    assert Number(0, 1, clip=True).signature() == "Number(low=0, high=1, clip=True)"


# Texts that are sent back

TEXTS = {"id_column": "id", "columns": ("id", "text", "label")}
SENT = ("It is  here.", "Was it\x07 you?")


def echoed(first: str, second: str, layout: Layout = TSV) -> str:
    rows = (["id", "text", "label"], ["0", first, "2"], ["1", second, "3"])
    return "".join(layout.delimiter.join(row) + "\n" for row in rows)


@pytest.mark.parametrize("layout", [CSV, TSV])
@pytest.mark.parametrize("text", ["", "something\x00 else", "a\u2028b\x85c", "one \r two", "x" * 900])
def test_texts_that_are_not_compared_refuse_nobody(layout, text):
    assert read(echoed("some text", text, layout), task_of(CHOICE, layout=layout, **TEXTS)) == [2, 3]


def answers_to_texts(text: str, **form: Any) -> list[Any] | list[Place]:
    """The answers of a file to the items of a gold file that has the texts as they were SENT."""
    task = task_of(CHOICE, layout=TSV, **TEXTS, **form)
    gold = read_gold_file(echoed(*SENT).encode(), file_name="f", task=task).content_or(AssertionError)
    return read(text, task, gold.gold.ids.ids)


@pytest.mark.parametrize(
    ("second", "found"),
    [
        (SENT[1], [2, 3]),
        ("Was it you?", [2, 3]),
        ("  Was\xa0it\u2028\x00you? ", [2, 3]),
        ("was it you?", [("unknown_id", 3, "id")]),
        ("Wasit you?", [("unknown_id", 3, "id")]),
    ],
)
def test_texts_may_be_compared_without_regard_to_white_space_and_control_characters(second, found):
    assert answers_to_texts(echoed("It is here.", second), loose_columns=("text",))[: len(found)] == found


def test_texts_may_be_compared_to_the_letter():
    task = task_of(CHOICE, layout=TSV, **TEXTS, more_id_columns=("text",))
    ids = ('["0", "It is here."]', '["1", "Was it you?"]')
    assert read(echoed("It is here.", "Was it you?"), task, ids) == [2, 3]
    assert read(echoed("It is  here.", "Was it you?"), task, ids)[0] == ("unknown_id", 2, "id")
    assert read(echoed("It is here.", "Was it\x07 you?"), task, ids)[0] == ("control_character", 3, None)
