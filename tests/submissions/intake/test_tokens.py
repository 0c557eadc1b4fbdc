"""Files with a label for each token: what is taken, and where a fault is told."""

import pytest

from benchmarks.spec import MetricUse, TaskSpec
from catalogue.answers import TokenEntities
from catalogue.answers.tokens.schemes import Scheme
from catalogue.layouts import CONLL, JSON_LINES, FileFormat
from submissions.intake import ItemIds, Problem, SplitTarget, read_labels
from submissions.intake.predictions.file_writer import sample_files
from submissions.intake.tables.gold import read_gold_file

KIND = TokenEntities(("person", "work-of-art"), Scheme.IOB2)
GOLD = "Ada\tB-person\nLovelace\tI-person\nwrote\tO\n\nNotes\tB-work-of-art\n.\tO\n\nAda\tB-person\nread\tO\nNotes\tO\n"


def task_of(file: FileFormat) -> TaskSpec:
    return TaskSpec(
        id="t", code="T", title="T", summary="", instructions="", licence="", citation="", test_size=0,
        output=KIND, file=file, metrics=(MetricUse("f1_micro", "F1"),),
    )  # fmt: skip


PLAIN = task_of(FileFormat("t.conll", "sentence", "label", layout=CONLL))
LISTS = task_of(FileFormat("t.jsonl", "id", "labels", layout=JSON_LINES))


def gold_ids(task: TaskSpec, gold: str) -> ItemIds:
    read = read_gold_file(gold.encode(), file_name="gold", task=task)
    return read.content_or(refused).gold.ids


def refused(problems: object, more: int) -> AssertionError:
    return AssertionError(problems)


def places(task: TaskSpec, text: str, ids: ItemIds) -> list[tuple[int | None, str | None, str]]:
    found = read_labels(text.encode(), file_name="f", target=SplitTarget(task, "test", ids))
    assert (found.content is None) == bool(found.problems)
    return [(problem.line, problem.column, problem.code.value) for problem in found.problems]


def problem_of(text: str, task: TaskSpec = PLAIN) -> Problem:
    (problem,) = read_labels(
        text.encode(), file_name="f", target=SplitTarget(task, "test", gold_ids(PLAIN, GOLD))
    ).problems
    return problem


@pytest.mark.parametrize(
    ("labels", "found", "said"),
    [
        ('["O"]', "1 label", "The item has 3 tokens, and the answer has 1 label."),
        ('["O", "O"]', "2 labels", "The item has 3 tokens, and the answer has 2 labels."),
    ],
)
def test_one_is_told_in_the_singular(labels: str, found: str, said: str):
    others = '{"id": "2", "labels": ["O", "O"]}\n{"id": "3", "labels": ["O", "O", "O"]}'
    problem = problem_of(f'{{"id": "1", "labels": {labels}}}\n{others}', LISTS)
    assert problem.found == found
    assert problem.message.startswith(said)


def test_gold_labels_make_numbers_of_sentences_ids_and_keep_the_tokens():
    ids = gold_ids(PLAIN, GOLD)
    assert ids.ids == ("1", "2", "3")
    assert ids.tokens[:2] == (("Ada", "Lovelace", "wrote"), ("Notes", "."))
    again = ItemIds.from_bytes(ids.to_bytes())
    assert (again.ids, again.tokens, again.sha256) == (ids.ids, ids.tokens, ids.sha256)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (("wrote\tO", "wrote\tperson"), (3, "label", "unknown_label")),
        (("wrote\tO", "wrote\tB-animal"), (3, "label", "unknown_label")),
        (("wrote\tO", "wrote O"), (3, None, "short_row")),
        (("wrote\tO", "wrote\tO\tO"), (3, None, "long_row")),
        (("wrote\tO", "writes\tO"), (3, "token", "token_differs")),
        (("Lovelace\tI-person\n", ""), (2, "token", "token_count")),
        (("wrote\tO\n", ""), (3, "token", "token_count")),
        (("wrote\tO", "wrote\tO\nagain\tO"), (4, "token", "token_count")),
        (("wrote\tO\n\n", "wrote\tO\n"), (4, None, "sentence_break")),
        (("wrote\tO\n\n", "wrote\tO\n\n\n"), (5, None, "blank_line")),
        (("wrote\tO", "wro\x07te\tO"), (3, None, "control_character")),
        (("\n\nAda\tB-person\nread\tO\nNotes\tO\n", "\n"), (None, "sentence", "missing_ids")),
        (("Notes\tO\n", "Notes\tO\n\nmore\tO\n"), (12, "sentence", "unknown_id")),
    ],
)
def test_one_fault_is_told_once_at_its_line_and_column(change, place):
    assert places(PLAIN, GOLD, gold_ids(PLAIN, GOLD)) == []
    assert places(PLAIN, GOLD.replace(*change), gold_ids(PLAIN, GOLD)) == [place]


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("person", "“person” has no prefix. Write B-person or I-person."),
        ("S-person", "“S” is no prefix of IOB2. Expected B or I."),
        ("B-animal", "“animal” is no type of this task. Expected person or work-of-art."),
    ],
)
def test_a_wrong_label_is_told_by_what_is_wrong_with_it(label, message):
    assert problem_of(GOLD.replace("wrote\tO", f"wrote\t{label}")).message == message


def test_more_columns_lines_that_are_skipped_and_names_of_sentences():
    form = FileFormat(
        "t.conll", "sentence", "ner", layout=CONLL, columns=("form", "pos", "ner"), token_column="form",
        blanks=True, skipped=("-DOCSTART-", "##"), id_line="# id ",
    )  # fmt: skip
    task = task_of(form)
    gold = "-DOCSTART- -X- O\n\n## a note\n# id a7\nAda NNP  B-person\n# CD O\n\n# id a9\nread VBD O\n"
    ids = gold_ids(task, gold)
    assert (ids.ids, ids.tokens) == (("a7", "a9"), (("Ada", "#"), ("read",)))
    other_order = "# id a9\nread - O\n\n# id a7\nAda\t-\tB-person\n# - O\n"
    assert places(task, other_order, ids) == []
    assert places(task, "# id a9\nread - O\n# id a7\nAda - O\n# - O\n", ids) == [(3, None, "sentence_break")]
    assert places(task, "read - O\n\n# id a7\nAda - O\n# - O\n", ids)[0] == (1, None, "empty_id")


def test_a_list_of_labels_must_have_one_for_each_token():
    gold = '{"id": "a", "labels": ["O", "B-person"]}\n{"id": "b", "labels": ["O"]}\n'
    ids = gold_ids(LISTS, gold)
    assert ids.tokens == (("", ""), ("",))
    assert places(LISTS, gold, ids) == []
    assert places(LISTS, gold.replace('["O"]', '["O", "O"]'), ids) == [(2, "labels", "token_count")]
    assert places(LISTS, gold.replace('["O"]', "[]"), ids) == [(2, "labels", "token_count")]
    assert places(LISTS, gold.replace('["O"]', '["o"]'), ids) == [(2, "labels", "label_case")]
    assert places(LISTS, gold.replace('["O"]', '"O"'), ids) == [(2, "labels", "json_wrong_type")]


@pytest.mark.parametrize("task", [PLAIN, LISTS], ids=["conll", "json_lines"])
def test_a_sample_file_has_a_label_for_each_of_the_items_tokens(task):
    ids = gold_ids(PLAIN, GOLD)
    ((_, data),) = sample_files([SplitTarget(task, "test", ids)]).items()
    assert places(task, data.decode(), ids) == []
    assert ("Lovelace\tO" in data.decode()) == (task is PLAIN)
