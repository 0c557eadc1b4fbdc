"""What every kind of answer holds to."""

import csv
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import ClassVar, get_origin, get_type_hints

import numpy as np
import pytest

from benchmarks.spec import TaskSpec
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue import answers
from catalogue.answers import KINDS, AnswerKind, Label, from_texts
from catalogue.answers.arrays import array_from_bytes, array_to_bytes, dtype_name
from catalogue.answers.reading import JsonShape
from catalogue.comparison import Comparison
from catalogue.layouts import LAYOUTS, TREC, Layout
from catalogue.metrics.choice import metric_for
from submissions.intake import CanonicalPredictions, ItemIds, Problem, SplitTarget, read_labels
from submissions.intake.file_read import FileRead
from submissions.intake.predictions.file_writer import sample_files, write_gold, write_predictions
from submissions.intake.tables.gold import read_gold_file
from tests.catalogue.answer_facts import FACTS

IDS = tuple(f"i{number}" for number in range(1, 41))
HEAD = """
id: toy
title: Toy
summary: One task.
url: https://example.org
citation: Nobody
bundle: {files: any}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 2}
    counting: latest
tasks:
  - id: task
    code: T
    title: Task
    summary: Which one
    instructions: Say so
    licence: CC0
    citation: Nobody
"""


def test_every_kind_has_its_facts_here():
    assert FACTS.keys() == set(KINDS.keys())


def test_every_kind_of_the_folder_is_in_the_registry():
    modules = [import_module(f"catalogue.answers.{found.name}") for found in iter_modules(answers.__path__)]
    classes = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
    written = {each for each in classes if issubclass(each, AnswerKind) and not isabstract(each)}
    assert {each for each in written if not each.is_of_gold_alone} == set(KINDS)


@pytest.mark.parametrize("lacking", sorted(AnswerKind.__abstractmethods__))
def test_a_kind_that_leaves_something_open_cannot_be_declared(lacking):
    """So that nothing is guessed: the ledger, for one, counts no outcomes but those that a kind states."""
    of_label = {name: getattr(Label, name) for name in AnswerKind.__abstractmethods__ - {lacking}}
    with pytest.raises(TypeError, match=lacking):
        type("Unfinished", (AnswerKind,), of_label)()


def file_of(key: str, layout: Layout) -> str:
    """How the definition says that files are written."""
    if layout.has_tokens:
        return "{path: f, dialect: conll, id_line: '# id = ', label_column: answer}"
    own = FACTS[key].own_columns if layout.is_table or KINDS[key].is_subset else ""
    columns = f"columns: [id, {own}]" if own else "label_column: answer"
    path = "f-*" if layout.wrong_path("f") else "f"
    return f"{{path: {path}, dialect: {layout}, id_column: id, {columns}}}"


def task_of(key: str, layout: Layout) -> TaskSpec:
    """A task of that kind, read from a definition."""
    file = file_of(key, layout)
    metric = f"metrics: [{{name: {KINDS[key].metric}, title: M}}]"
    gold = (
        "    gold_file: {path: gold.csv, id_column: id, label_column: answer}\n"
        if KINDS[key].columns_beside_gold(("good", "bad"))
        else ""
    )
    text = f"{HEAD}    {FACTS[key].declared}\n    file: {file}\n{gold}    {metric}\n"
    spec = build_spec(parse_yaml(text, "toy.yaml"), "toy.yaml")
    return spec.tasks[0]


def tasks_of(key: str) -> Iterator[TaskSpec]:
    """A task for every dialect that can hold the kind."""
    for layout in LAYOUTS:
        try:
            yield task_of(key, layout)
        except DefinitionError as refused:
            assert "is read from" in str(refused)  # noqa: PT017  # a dialect that cannot hold the kind says so


@pytest.fixture(params=KINDS.keys())
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def tasks(key: str) -> list[TaskSpec]:
    return list(tasks_of(key))


@pytest.fixture
def kind(tasks: list[TaskSpec]) -> AnswerKind:
    return tasks[0].output


@pytest.fixture
def examples(kind: AnswerKind) -> np.ndarray:
    return kind.examples(len(IDS), np.random.default_rng(7))


@pytest.fixture
def gold_examples(kind: AnswerKind, examples: np.ndarray) -> np.ndarray:
    """Gold labels for which the examples are right as well as any."""
    return FACTS[kind.key].gold_for(kind, examples)


def read(task: TaskSpec, data: bytes) -> FileRead[CanonicalPredictions]:
    return read_labels(data, file_name="f", target=SplitTarget(task, "test", ItemIds(IDS)))


def refused(problems: Sequence[Problem], more: int) -> AssertionError:
    return AssertionError(problems)


def test_a_definition_declares_it(key, tasks):
    assert tasks
    assert {type(task.output) for task in tasks} == {KINDS[key]}
    assert len({task.output for task in tasks}) == 1


def test_it_says_all_that_is_asked(kind):
    hints = get_type_hints(AnswerKind, include_extras=True)
    names = [name for name in AnswerKind.__annotations__ if get_origin(hints[name]) is ClassVar]
    assert names
    assert all(type(getattr(type(kind), name)) in (str, bool) for name in names)
    assert all(getattr(type(kind), name) != "" for name in names)
    assert kind.describe()


def test_digests_of_stored_rows_stay_the_same(key, kind):
    assert kind.signature() == FACTS[key].signature


def test_its_facts_fit_together(kind):
    assert kind.has_bounds == (kind.bounds is not None)
    assert kind.columns("answer") == (kind.own_columns or ("answer",))
    assert set(kind.own_columns) <= {*kind.labels, *(cell.name for cell in kind.json_cells())}
    assert (len(kind.json_cells()) > 1) == (
        kind.json_shape in (JsonShape.LIST, JsonShape.OBJECT, JsonShape.FRAME)
    )
    assert kind.needs_lists == (kind.json_shape in (JsonShape.LIST, JsonShape.MANY, JsonShape.FRAME))
    assert kind.is_one_label == bool(kind.gold_labels)
    assert kind.gold_is_one_label == kind.gold.is_one_label
    assert set(kind.never_right) <= set(kind.labels)
    assert not (kind.is_one_label and not kind.is_one_text)


def test_examples_are_canonical_and_various(kind, examples):
    assert kind.check("answers", examples) == len(IDS)
    assert len(set(kind.texts(examples))) > 1


def test_an_array_of_something_else_is_refused(kind):
    for wrong in (np.array([b"x"]), kind.array([]), kind.array([kind.sample()]).reshape(1, 1), [1]):
        with pytest.raises(ValueError, match="`answers` must"):
            kind.check("answers", wrong)


def test_what_is_written_is_read_again(tasks, examples):
    for task in tasks:
        codes = read(task, write_predictions(task, IDS, examples)).content_or(refused).codes
        assert codes.tolist() == examples.tolist()
        assert codes.dtype == task.output.dtype


def test_gold_labels_are_read_as_they_are_written(tasks, kind, examples, gold_examples):
    for task in tasks:
        found = read_gold_file(write_gold(task, IDS, gold_examples), file_name="gold", task=task)
        assert kind.right(found.content_or(refused).gold.codes, examples).all()


def test_stored_bytes_are_the_answers(kind, examples):
    packed = array_to_bytes(examples)
    again = array_from_bytes(packed, dtype_name(examples))
    assert again.tolist() == examples.tolist()
    assert kind.check("answers", again) == len(IDS)


def test_stored_bytes_stay_the_same(key, kind):
    shown = kind.array([kind.sample(), kind.shown_example()])
    assert sha256(dtype_name(shown).encode() + array_to_bytes(shown)).hexdigest()[:12] == FACTS[key].packed


def test_texts_of_answers_are_read_again(kind, examples):
    again = from_texts(kind.texts(examples), kind.labels, kind.dtype)
    assert again.dtype == examples.dtype
    assert array_to_bytes(again) == array_to_bytes(examples)


def test_what_is_no_answer_is_refused_at_its_line_and_column(key, tasks, examples):
    for task in tasks:
        if task.file.layout == TREC or ".makes." in type(task.file.layout).__module__:
            continue  # no line says which item it alone is about, or an answer does not end its line
        if task.file.layout.has_row_for_each_part:
            continue  # a cell is a part of an answer, and may be what is no answer
        good = write_predictions(task, IDS, examples).decode().splitlines(keepends=True)
        for cell in FACTS[key].refused:
            wrong = list(good)
            line = next(at for at, text in enumerate(wrong) if IDS[2] in text)
            line += task.file.layout.has_tokens
            wrong[line] = with_cell(wrong[line], cell, task)
            found = read(task, "".join(wrong).encode())
            assert found.content is None
            problems = found.problems
            assert {problem.line for problem in problems} <= set(range(line + 1, line + 4))
            assert {problem.column for problem in problems} <= {
                *task.output.columns("answer"),
                *(cell.name for cell in task.output.json_cells()),
                "answer",
                None,
            }


def with_cell(line: str, cell: str, task: TaskSpec) -> str:
    """The row, member or token with another cell for its (first) answer."""
    if task.file.layout.is_table or task.file.layout.has_tokens:
        between = task.file.layout.delimiter
        (cells,) = csv.reader([line.rstrip("\n")], delimiter=between)
        return between.join([cells[0], cell, *cells[2:]]) + "\n"
    head, _, _ = line.rstrip("\n").rpartition('":')  # an answer may have a colon of its own
    is_number = task.output.json_cells()[0].is_number
    value = cell if is_number and cell not in ("", "NaN", "inf", "x") else f'"{cell}"'
    end = {"json_lines": "}\n", "json_list": "},\n", "json_by_id": "},\n"}.get(task.file.layout.key, ",\n")
    match task.output.json_shape:
        case JsonShape.ONE:
            return f'{head}": {value}{end}'
        case JsonShape.OBJECT:
            runs_on, name = line.endswith("{\n"), task.output.json_cells()[0].name
            return (
                f'{line[:-1]}"{name}": {value},\n'
                if runs_on
                else re.sub(f'(?<="{name}": )[^,}}]*', value, line)
            )
        case JsonShape.FRAME:
            is_open = line.endswith("{\n")
            return (
                f'{line[:-1]}"intent": {value},\n'
                if is_open
                else re.sub('(?<="intent": )"[^"]*"', value, line)
            )
        case JsonShape.MANY | JsonShape.WHOLE:
            return re.sub(r"\[.*$", f"[{value}{rest_of(line)}", line)
    is_whole = task.file.layout.key in ("json_lines", "json_list", "json_by_id")
    return f'{head}": [{value}, 0.5]{end}' if is_whole else f'{head}": [{value},\n'


def rest_of(line: str) -> str:
    """What goes on behind a list: its end with the object's, or nothing where it runs on."""
    if "]}" in line:
        return "]},\n" if line.endswith("},\n") else "]}\n"
    return "]," if "]" in line else ","


def test_no_more_gold_labels_are_seen_than_are_counted(tasks, kind):
    ids = [f"i{number}" for number in range(400)]
    gold_file = write_gold(tasks[0], ids, kind.gold.examples(400, np.random.default_rng(1)))
    found = read_gold_file(gold_file, file_name="gold", task=tasks[0])
    assert kind.outcomes() >= len(set(kind.gold.texts(found.content_or(refused).gold.codes)))


def test_answers_are_told_apart_by_their_codes(kind, examples):
    pairs = set(zip(kind.texts(examples), kind.codes(examples).tolist(), strict=True))
    assert len(pairs) == len(set(kind.texts(examples))) == len(set(kind.codes(examples).tolist()))


def test_positions_stand_among_the_classes(kind, examples):
    if not kind.classes:
        with pytest.raises(TypeError):
            kind.positions(examples)
        return
    positions = kind.positions(examples)
    assert positions.min() >= 0
    assert positions.max() < len(kind.classes)


def test_an_answer_is_right_where_it_is_the_gold_label(kind, examples, gold_examples):
    assert kind.right(gold_examples, examples).all()
    other = np.roll(examples, 1)
    assert not kind.right(gold_examples, other).all()
    assert all(map(kind.is_right, kind.gold.texts(gold_examples), kind.texts(examples)))


def test_a_distribution_counts_every_answer(kind, examples):
    counts = kind.distribution(examples)
    if not kind.is_subset and kind.json_shape is not JsonShape.MANY:
        assert sum(count for _, count in counts) in (0, len(IDS))
    by_class = kind.class_counts(examples)
    assert by_class is None or sum(by_class.values()) == len(IDS)
    assert kind.only_answer(examples) is None
    assert kind.only_answer(kind.array([kind.sample()] * 3)) is not None


def test_baselines_answer_canonically(kind, gold_examples):
    common = np.full(3, kind.commonest(gold_examples), dtype=kind.dtype)
    assert kind.check("answers", common) == 3
    assert kind.check("answers", kind.guesses(gold_examples, 5, np.random.default_rng(2))) == 5


def test_a_sample_file_is_an_upload(tasks):
    for task in tasks:
        ((path, data),) = sample_files([SplitTarget(task, "test", ItemIds(IDS))]).items()
        assert path == task.file.path.replace(
            "*", "predictions"
        )  # all items in one file, in place of one for each
        assert read(task, data).content is not None


def test_its_metric_fits_and_is_best_for_the_gold_labels(kind, examples, gold_examples):
    metric = metric_for(kind, kind.metric)
    best = metric.high if metric.higher_is_better else metric.low
    assert metric.value(Comparison(kind, gold_examples, examples)) == pytest.approx(best, abs=1.0)
