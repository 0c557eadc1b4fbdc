"""What is written is read back as the same answers, in every dialect and for every kind of output."""

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import benchmarks
from benchmarks.spec import FileFormat, SplitSpec, TaskSpec
from benchmarks.spec.loader import load_definition
from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    ConfidentLabel,
    Frames,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    RankedList,
    Span,
    TokenLabels,
)
from catalogue.layouts import CONLL, JSON, JSON_LINES, ONE_A_LINE, TREC, TSV
from catalogue.layouts.row_ids import IdMaker
from submissions.intake import CanonicalPredictions, ItemIds, SplitTarget, read_gold_file, read_upload
from submissions.intake.predictions.file_writer import (
    form_of_file,
    write_files,
    write_gold,
    write_predictions,
    zip_of,
)
from tests.at_length import examples
from tests.submissions.intake import kinds
from tests.submissions.intake.uploads import ANY

DEFINITIONS = sorted((Path(benchmarks.__file__).parent / "definitions").glob("*.yaml"))

# A machine that is busy with other tests makes no example wrong.
UNHURRIED = settings(max_examples=examples(50), suppress_health_check=[HealthCheck.too_slow])
_LATIN = st.characters(min_codepoint=32, max_codepoint=126)
CELLS = st.text(_LATIN | st.sampled_from('",\u00e9\u4e16\U0001f622'), min_size=1, max_size=12).filter(
    str.strip
)
LATIN_CELLS = st.text(_LATIN | st.sampled_from('",\u00e9'), min_size=1, max_size=12).filter(str.strip)


def answers_for(output: AnswerKind, count: int) -> st.SearchStrategy[np.ndarray]:
    """Canonical arrays of `count` answers of that kind."""

    def of(values: st.SearchStrategy, dtype: Any) -> st.SearchStrategy[np.ndarray]:
        return st.lists(values, min_size=count, max_size=count).map(
            lambda found: np.array(found, dtype=dtype)
        )

    match output:
        case Label(names=names):
            return of(st.integers(0, len(names) - 1), "u1")
        case OrderedClass(low=low, high=high):
            return of(st.integers(low, high), "<i2")
        case LabelSubset(names=names):
            return of(st.integers(0, 2 ** len(names) - 1), "<u8")
        case Number(low=low, high=high):
            return of(st.floats(low, high).map(lambda value: value + 0.0), "<f8")
        case ConfidentLabel(names=names):
            confidence = st.floats(0, 1).map(lambda value: value + 0.0)
            return of(st.tuples(st.integers(0, len(names) - 1), confidence), LABEL_WITH_CONFIDENCE)
        case Span():
            return of(CELLS, np.dtypes.StringDType())
        case _:
            raise TypeError(output)


LABELS_TO_QUOTE = kinds.task_of(
    Label(("neither, or both", 'say "no"', "plain")), FileFormat("data/q.csv", "ID", "Label")
)
WIDE_SUBSET = kinds.task_of(
    LabelSubset(tuple(f"label {number}" for number in range(64))),
    FileFormat("w.csv", "id", "label 0", columns=("id", *(f"label {number}" for number in range(64)))),
)
SCORES = kinds.task_of(Number(-3, 1e300), FileFormat("s.jsonl", "id", "score", layout=JSON_LINES))
CLASSES_IN_JSON = kinds.task_of(OrderedClass(-3, 3), FileFormat("s.json", "id", "a", layout=JSON))
WRITTEN = {
    "number": kinds.NUMBER,
    "classes": kinds.CLASSES,
    "subset": kinds.SUBSET,
    "64 labels": WIDE_SUBSET,
    "latin-1": kinds.STANCE,
    "label and confidence": kinds.RUMOUR,
    "json": kinds.POSTS,
    "json lines": kinds.SENTENCES,
    "numbers in json lines": SCORES,
    "classes in json": CLASSES_IN_JSON,
    "span": kinds.SPANS,
    "labels to quote": LABELS_TO_QUOTE,
}


def cells_of(task: TaskSpec) -> st.SearchStrategy[str]:
    cells = LATIN_CELLS if task.file.encoding == "latin-1" else CELLS
    return cells.map(str.strip)


@pytest.mark.parametrize("task", WRITTEN.values(), ids=WRITTEN.keys())
@UNHURRIED
@given(data=st.data())
def test_written_predictions_read_back_as_the_same_answers(task, data):
    ids = data.draw(st.lists(cells_of(task), min_size=1, max_size=6, unique=True))
    answers = data.draw(answers_for(task.output, len(ids)))

    found = kinds.read(write_predictions(task, ids, answers), task, tuple(ids))

    assert found.codes.dtype == answers.dtype
    assert found.codes.tolist() == answers.tolist()


@UNHURRIED
@given(data=st.data())
def test_ids_of_several_columns_that_repeat_read_back(data):
    pairs = data.draw(
        st.lists(st.tuples(CELLS | st.just("two\nlines"), st.sampled_from("12[")), min_size=1, max_size=6)
    )
    maker = IdMaker(repeats=True)
    ids = data.draw(st.permutations([maker.make(pair) for pair in pairs]))
    answers = data.draw(answers_for(kinds.NEWS.output, len(ids)))

    found = kinds.read(write_predictions(kinds.NEWS, ids, answers), kinds.NEWS, tuple(ids))

    assert found.codes.tolist() == answers.tolist()


@UNHURRIED
@given(data=st.data())
def test_ids_of_one_column_that_repeat_read_back(data):
    task = kinds.task_of(Label(("no", "yes")), FileFormat("p.csv", "id", "label", repeats=True))
    maker = IdMaker(repeats=True)
    ids = [maker.make((cell,)) for cell in data.draw(st.lists(st.sampled_from(["a", "[", "[1]", '["a",2]'])))]
    answers = data.draw(answers_for(task.output, len(ids)))

    if ids:
        found = kinds.read(write_predictions(task, ids, answers), task, tuple(ids))
        assert found.codes.tolist() == answers.tolist()


@pytest.mark.parametrize("task", WRITTEN.values(), ids=WRITTEN.keys())
@UNHURRIED
@given(data=st.data())
def test_written_gold_reads_back_as_the_same_labels(task, data):
    ids = data.draw(st.lists(cells_of(task), min_size=1, max_size=6, unique=True))
    labels = data.draw(answers_for(task.output, len(ids)))
    if isinstance(task.output, Label):
        labels[:] = 0  # a label that may stand in a gold file
    if isinstance(task.output, ConfidentLabel):
        labels["confidence"] = 1  # gold labels have none

    read = read_gold_file(write_gold(task, ids, labels), file_name="gold", task=task)

    assert read.content is not None, read.problems
    assert read.content.gold.ids.ids == tuple(ids)
    assert read.content.gold.codes.tolist() == labels.tolist()


def test_a_file_says_in_its_columns_what_the_format_asks_for():
    written = write_predictions(kinds.NUMBER, ("a1", "a2"), np.array([0.25, 1.0]))

    assert written == b"ID\tTweet\tAffect\tScore\na1\t-\tjoy\t0.25\na2\t-\tjoy\t1.0\n"


def test_cells_are_quoted_only_where_they_need_it():
    written = write_predictions(LABELS_TO_QUOTE, ("1", "2", "3"), np.array([0, 1, 2], dtype="u1"))

    assert written == b'ID,Label\n1,"neither, or both"\n2,"say ""no"""\n3,plain\n'


def test_a_cell_that_the_format_cannot_hold_is_refused():
    task = kinds.task_of(Span(), FileFormat("s.txt", "id", "span", layout=TSV))

    with pytest.raises(ValueError, match=r"s\.txt has no way to write"):
        write_predictions(task, ("a",), np.array(["two\twords"], dtype=np.dtypes.StringDType()))


def test_fewer_answers_than_ids_are_refused():
    with pytest.raises(ValueError, match="zip"):
        write_predictions(LABELS_TO_QUOTE, ("1", "2"), np.array([0], dtype="u1"))


# Whole uploads


def predictions(target: SplitTarget, codes: np.ndarray, seed: int = 1) -> CanonicalPredictions:
    return CanonicalPredictions(target.task.id, target.split, codes, seed)


def test_splits_of_one_file_stand_in_it_together():
    task = replace(
        kinds.NUMBER, splits=(SplitSpec("test", "Test"), SplitSpec("equity", "E", ids_with="mystery"))
    )
    targets = [
        SplitTarget(task, "test", ItemIds(("a", "b"))),
        SplitTarget(task, "equity", ItemIds(("mystery-1",))),
    ]
    answers = [predictions(targets[0], np.array([0.1, 0.2])), predictions(targets[1], np.array([0.3]))]

    files = write_files(targets, answers)

    read = read_upload(
        zip_of(files), file_name="u.zip", benchmark=replace(ANY, tasks=(task,)), targets=targets
    )
    assert list(files) == ["tweets.txt"]
    assert {one.split: one.codes.tolist() for one in read.predictions} == {
        "test": [0.1, 0.2],
        "equity": [0.3],
    }


def test_half_of_a_file_is_refused():
    task = replace(
        kinds.NUMBER, splits=(SplitSpec("test", "Test"), SplitSpec("equity", "E", ids_with="mystery"))
    )
    targets = [
        SplitTarget(task, "test", ItemIds(("a",))),
        SplitTarget(task, "equity", ItemIds(("mystery-1",))),
    ]

    with pytest.raises(ValueError, match="task/equity is not answered"):
        write_files(targets, [predictions(targets[0], np.array([0.1]))])


def test_tasks_that_share_a_json_file_stand_in_it_together():
    first, second = replace(kinds.POSTS, id="a"), replace(kinds.RUMOUR, id="b")
    targets = [SplitTarget(first, "test", ItemIds(("1",))), SplitTarget(second, "test", ItemIds(("2", "3")))]
    rumours = np.array([(0, 0.5), (1, 1.0)], dtype=LABEL_WITH_CONFIDENCE)

    files = write_files(
        targets, [predictions(targets[0], np.array([1], dtype="u1")), predictions(targets[1], rumours)]
    )

    assert json.loads(files["answer.json"]) == {
        "subtaska": {"1": "deny"},
        "subtaskb": {"2": ["true", 0.5], "3": ["false", 1.0]},
    }


def test_a_zip_of_the_same_files_is_the_same_zip():
    files = {"data/mood/predictions.csv": b"ID,Label\n"}

    assert zip_of(files) == zip_of(dict(files))
    with zipfile.ZipFile(io.BytesIO(zip_of(files))) as archive:
        assert archive.read("data/mood/predictions.csv") == b"ID,Label\n"


def test_seeds_stand_in_folders_of_their_own():
    target = SplitTarget(LABELS_TO_QUOTE, "test", ItemIds(("1",)))
    answers = [predictions(target, np.array([seed], dtype="u1"), seed) for seed in (1, 2)]

    assert write_files([target], answers, seeds=2) == {
        "seed1/data/q.csv": b'ID,Label\n1,"say ""no"""\n',
        "seed2/data/q.csv": b"ID,Label\n1,plain\n",
    }


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_an_upload_for_every_split_of_a_benchmark_is_taken(path):
    spec = load_definition(path.read_text("utf-8"), path.name)
    targets = [
        SplitTarget(task, split.id, three_ids(task, split.ids_with))
        for task in spec.tasks
        for split in task.splits
    ]
    answers = [
        predictions(target, three_answers(target.task.output), seed)
        for target in targets
        for seed in range(1, spec.seeds + 1)
    ]

    files = write_files(targets, answers, seeds=spec.seeds)

    read = read_upload(zip_of(files), file_name="u.zip", benchmark=spec, targets=targets)
    assert read.problems == ()
    assert {one.sha256 for one in read.predictions} == {one.sha256 for one in answers}


TAGS = TokenLabels(("NOUN", "VERB"))


@pytest.mark.parametrize(
    ("output", "form", "shown"),
    [
        (Label(("bad", "good")), {"layout": JSON_LINES}, '{"id": "<id of a test item>", "label": "bad"}'),
        (
            Label(("0", "1")),
            {"layout": JSON_LINES, "numeric_ids": True, "labels_as": "numbers"},
            '{"id": 1, "label": 0}',
        ),
        (Frames(("Ask", "Book"), ("city",)), {"layout": JSON_LINES}, '"intent": "Ask", "slots": {}}'),
        (RankedList(), {"layout": TREC}, "<query> Q0 document 1 1 run"),
        (
            RankedList(),
            {"layout": TREC, "columns": ("tag", "rank", "id", "label", "score", "answers")},
            "run 1 <query> document 1 -",
        ),
        (TAGS, {"layout": CONLL}, "<token>\tNOUN\n<token>\tNOUN"),
        (TAGS, {"layout": CONLL, "id_line": "# id = "}, "# id = 1\n<token>\tNOUN\n<token>\tNOUN"),
        (Label(("bad", "good")), {"layout": TSV}, ""),
        (Label(("bad", "good")), {"layout": ONE_A_LINE}, ""),
    ],
    ids=[
        "JSON",
        "numbers",
        "frames",
        "TREC",
        "named fields",
        "tokens",
        "named sentences",
        "table",
        "answers alone",
    ],
)
def test_the_form_of_a_file_that_is_no_table_is_shown(output, form, shown):
    task = kinds.task_of(
        output, FileFormat(**{"path": "f", "id_column": "id", "label_column": "label"} | form)
    )
    assert form_of_file(task).endswith(shown)
    assert bool(form_of_file(task)) == bool(shown)


def three_ids(task: TaskSpec, text: str) -> ItemIds:
    maker = IdMaker(repeats=task.file.repeats)
    return ItemIds([maker.make([f"{text}{number}"] * len(task.file.id_columns)) for number in range(3)])


def three_answers(output: AnswerKind) -> np.ndarray:
    """Three answers of that kind."""
    match output:
        case Number(low=low, high=high):
            return np.array([low, high, (low + high) / 2])
        case OrderedClass(low=low):
            return np.array([low, low + 1, low], dtype="<i2")
        case LabelSubset():
            return np.array([0, 1, 3], dtype="<u8")
        case ConfidentLabel():
            return np.array([(0, 1.0), (1, 0.5), (0, 0.0)], dtype=LABEL_WITH_CONFIDENCE)
        case Span():
            return np.array(["who", "a dog", "who"], dtype=np.dtypes.StringDType())
        case _:
            return np.array([0, 1, 0], dtype="u1")
