"""Items with several accepted answers are read, held against answers, and scored as if the best were the gold label."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score, mean_absolute_error, root_mean_squared_error

from benchmarks.spec import TaskSpec
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue.answers import AnswerKind, Frames, Label, Number, OrderedClass
from catalogue.answers.structured.accepted import as_accepted
from catalogue.answers.structured.slots import frame_text
from catalogue.comparison import Comparison
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.problems import ProblemCode
from scoring.core.figure_bits import PublishedFigure
from scoring.core.ledger import Ledger
from scoring.core.uncertainty.exchange import exchanged
from scoring.core.uncertainty.paired import approximate_randomisation
from scoring.core.uncertainty.replicates import Resamples, one_by_one, replicate_scores
from scoring.core.uncertainty.weights import item_weights
from submissions.intake.predictions.file_writer import write_gold
from submissions.intake.tables.gold import read_gold_file
from tests.contracts.test_answer_kinds import HEAD

LABELS = Label(("no", "maybe", "yes"), several=True)
NUMBERS = Number(0, 10, several=True)
CLASSES = OrderedClass(0, 5, several=True)
FRAMES = Frames(("Book", "Ask"), ("city", "day"), several=True)
ALL = (LABELS, NUMBERS, CLASSES, FRAMES)


def accepted(kind: AnswerKind, *items: tuple[Any, ...]) -> np.ndarray:
    alone = kind.alone
    return kind.gold.array(as_accepted(alone.texts(alone.array(values))) for values in items)


def drawn(kind: AnswerKind, count: int = 60) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    return kind.gold.examples(count, random), kind.examples(count, random)


def task_of(output: str, file: str, metric: str) -> TaskSpec:
    text = f"{HEAD}    {output}\n    file: {file}\n    metrics: [{{name: {metric}, title: M}}]\n"
    return build_spec(parse_yaml(text, "toy.yaml"), "toy.yaml").tasks[0]


TABLE = task_of(
    "labels: ['no', maybe, 'yes']\n    output: {kind: one_label, several_accepted: true}",
    "{path: f.csv, id_column: id, label_column: label}",
    "accuracy",
)
LINES = task_of(
    "output: {kind: number, low: 0, high: 10, several_accepted: true}",
    "{path: f.jsonl, dialect: json_lines, id_column: id, label_column: value}",
    "mae",
)
OBJECTS = task_of(
    "labels: [Book, Ask]\n    output: {kind: frames, slots: [city, day], several_accepted: true}",
    "{path: f.jsonl, dialect: json_lines, id_column: id, label_column: slots}",
    "slot_f1",
)


def test_an_accepted_answer_is_the_gold_label_and_of_any_other_the_first_is():
    gold = accepted(LABELS, (2, 1), (0,), (1, 0), (1, 2))
    compared = Comparison(LABELS, gold, np.array([1, 0, 2, 2], dtype=np.uint8))
    assert LABELS.alone.texts(compared.y_true) == ["maybe", "no", "maybe", "yes"]
    assert compared.matrix.tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 1]]


def test_a_number_is_held_against_the_nearest_that_is_accepted_of_two_the_first():
    gold = accepted(NUMBERS, (1.0, 5.0), (2.0, 4.0), (4.0, 2.0))
    compared = Comparison(NUMBERS, gold, np.array([4.5, 3.0, 3.0]))
    assert compared.y_true.tolist() == [5.0, 2.0, 4.0]


def test_a_frame_is_held_against_the_one_that_it_has_most_in_common_with():
    near, far = (
        frame_text("Ask", {"city": ["Bath"]}),
        frame_text("Book", {"city": ["York"], "day": ["today"]}),
    )
    gold = accepted(FRAMES, (far, near))
    answers = FRAMES.array([frame_text("Ask", {"city": ["Bath"], "day": ["later"]})])
    compared = Comparison(FRAMES, gold, answers)
    assert compared.y_true.tolist() == [near]
    assert metric_for(FRAMES, "slot_f1").value(compared) == pytest.approx(2 / 3)
    assert metric_for(FRAMES, "intent_accuracy").value(compared) == 1


def test_scores_are_those_of_the_best_choice_of_gold_labels():
    """Tried one by one where that can be, and held against scikit-learn."""
    gold = accepted(LABELS, (2, 1), (0,), (1, 0), (1, 2), (0, 2), (2, 0, 1))
    answers = np.array([1, 0, 2, 2, 1, 0], dtype=np.uint8)
    choices = [[int(LABELS.names.index(text)) for text in LABELS.gold.accepted_texts(one)] for one in gold]
    best = max(accuracy_score(chosen, answers) for chosen in product(*choices))
    compared = Comparison(LABELS, gold, answers)
    assert metric_for(LABELS, "accuracy").value(compared) == best
    held = [
        answer if answer in one else one[0] for one, answer in zip(choices, answers.tolist(), strict=True)
    ]
    for name, average in (("f1_macro", "macro"), ("f1_weighted", "weighted"), ("f1_micro", "micro")):
        assert metric_for(LABELS, name).value(compared) == pytest.approx(
            f1_score(held, answers, average=average)
        )
    numbers, answered = drawn(NUMBERS)
    nearest = [
        min(map(float, NUMBERS.gold.accepted_texts(one)), key=lambda number: abs(number - answer))
        for one, answer in zip(numbers.tolist(), answered.tolist(), strict=True)
    ]
    compared = Comparison(NUMBERS, numbers, answered)
    for name, oracle in (("mae", mean_absolute_error), ("rmse", root_mean_squared_error)):
        assert metric_for(NUMBERS, name).value(compared) == pytest.approx(oracle(nearest, answered))


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: str(kind.key))
def test_one_accepted_answer_each_is_no_other_than_a_gold_label(kind):
    alone = kind.alone
    gold, answers = (alone.examples(50, np.random.default_rng(seed)) for seed in (1, 2))
    listed = kind.gold.array(as_accepted([text]) for text in alone.texts(gold))
    assert alone.texts(Comparison(kind, listed, answers).y_true) == alone.texts(gold)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (LABELS, "kappa"),
        (LABELS, "mcc"),
        (LABELS, "mean[accuracy,mcc]"),
        (CLASSES, "kappa_quadratic"),
        (CLASSES, "kendall_tau_b"),
        (NUMBERS, "pearson"),
        (NUMBERS, "r2"),
        (NUMBERS, "ccc"),
    ],
)
def test_what_is_held_against_the_spread_of_gold_labels_is_not_on_offer(kind, name):
    metric_for(kind.alone, name)
    with pytest.raises(UnknownMetricError):
        metric_for(kind, name)
    if not name.startswith("mean"):
        with pytest.raises(UnknownMetricError, match="needs one gold label for each item"):
            metric_for(kind, name)


@pytest.mark.parametrize(
    ("kind", "name"), [(LABELS, "f1_macro"), (NUMBERS, "rmse"), (CLASSES, "mae"), (FRAMES, "slot_f1")]
)
def test_resamples_and_exchanges_go_with_the_answer_that_was_held_against(kind, name):
    gold, first = drawn(kind, 6)
    own = Comparison(kind, gold, first)
    weights = item_weights(b"seed", 6, 40)
    quick = replicate_scores(own, [name], Resamples(weights))[name]
    assert quick == pytest.approx(one_by_one(metric_for(kind, name), own, weights), nan_ok=True)
    answers = np.where(np.arange(6) % 2, own.y_true, kind.examples(6, np.random.default_rng(9)))
    other = Comparison(kind, gold, answers.astype(kind.dtype))
    gaps = {round(gap, 9) for gap in exchanged_by_hand(kind, name, own, other)}
    found = exchanged(own, other, name, rng=np.random.default_rng(1), draws=300)
    assert set(np.round(found, 9).tolist()) <= gaps
    assert len(gaps) > 2
    assert approximate_randomisation(own, own, name, rng=np.random.default_rng(1), draws=50) == 1


def exchanged_by_hand(kind: AnswerKind, name: str, own: Comparison, other: Comparison) -> Iterator[float]:
    """The difference of two systems for every way to exchange answers, each with the gold label that it has."""
    metric = metric_for(kind, name)
    for moved in product([False, True], repeat=len(own.y_true)):
        one, two = (
            metric.value(
                Comparison(
                    kind.alone,
                    np.where(taken, other.y_true, own.y_true),
                    np.where(taken, other.y_pred, own.y_pred),
                )
            )
            for taken in (np.array(moved), ~np.array(moved))
        )
        assert isinstance(one, float)
        assert isinstance(two, float)
        yield one - two


def test_systems_on_other_gold_labels_are_not_compared():
    (gold, answers), other = drawn(LABELS), LABELS.gold.examples(60, np.random.default_rng(8))
    with pytest.raises(ValueError, match="same gold labels"):
        approximate_randomisation(
            Comparison(LABELS, gold, answers),
            Comparison(LABELS, other, answers),
            "accuracy",
            rng=np.random.default_rng(1),
        )


def test_the_ledger_charges_no_less_than_for_one_gold_label():
    """There is more to know of an item, and how often a label is gold is told anew by every answer."""
    answers = drawn(LABELS)[1]
    shown = [PublishedFigure("f1_macro")]
    several, alone = (Ledger(kind, 60, shown) for kind in (LABELS, LABELS.alone))
    assert several.label_bits == pytest.approx(
        60 * np.log2(3 * 4)
    )  # one of three, each other accepted or not
    for turn in range(4):
        moved = np.roll(answers, turn)
        assert several.add(moved).carried >= alone.add(moved).carried
    assert several.spent > alone.spent


@pytest.mark.parametrize(("task", "kind"), [(TABLE, LABELS), (LINES, NUMBERS), (OBJECTS, FRAMES)])
def test_gold_labels_are_read_as_they_are_written(task, kind):
    assert task.output == kind
    gold = kind.gold.examples(40, np.random.default_rng(2))
    ids = [f"i{number}" for number in range(1, 41)]
    read = read_gold_file(write_gold(task, ids, gold), file_name="gold", task=task).content
    assert read is not None
    assert read.gold.ids.ids == tuple(ids)
    assert read.gold.codes.tolist() == gold.tolist()
    assert kind.gold.check("gold", read.gold.codes) == 40


def test_a_further_row_or_a_list_in_json_accepts_a_further_answer():
    rows = read_gold_file(b"id,label\n1,yes\n2,no\n1,maybe\n", file_name="g.csv", task=TABLE).content
    lines = read_gold_file(
        b'{"id": "1", "value": [1, 2.50]}\n{"id": "1", "value": 3}\n', file_name="g", task=LINES
    )
    assert rows is not None
    assert lines.content is not None
    assert rows.gold.codes.tolist() == ['["yes","maybe"]', '["no"]']
    assert lines.content.gold.codes.tolist() == ['["1.0","2.5","3.0"]']


@pytest.mark.parametrize(
    ("task", "data", "line", "code"),
    [
        (TABLE, b"id,label\n1,yes\n2,no\n1,yes\n", 4, ProblemCode.DUPLICATE_ID),
        (TABLE, b"id,label\n1,yes\n1,Maybe\n", 3, ProblemCode.LABEL_CASE),
        (LINES, b'{"id": "1", "value": [1, 11]}\n', 1, ProblemCode.NUMBER_OUT_OF_RANGE),
        (LINES, b'{"id": "1", "value": []}\n', 1, ProblemCode.JSON_WRONG_LENGTH),
        (LINES, b'{"id": "1", "value": [1, "2"]}\n', 1, ProblemCode.JSON_WRONG_TYPE),
        (
            OBJECTS,
            b'{"id": "1", "intent": "Book", "slots": {"town": "Bath"}}\n',
            1,
            ProblemCode.UNKNOWN_LABEL,
        ),
    ],
)
def test_what_is_no_accepted_answer_is_refused_at_its_line(task, data, line, code):
    found = read_gold_file(data, file_name="gold", task=task)
    assert found.content is None
    assert [(problem.code, problem.line) for problem in found.problems] == [(code, line)]


@pytest.mark.parametrize(
    "texts", ["[]", '["yes","yes"]', '["Yes"]', "yes", '"yes"', "[1]", '[["yes"]]', '["yes"'], ids=repr
)
def test_an_array_of_something_else_is_refused(texts):
    with pytest.raises(ValueError, match="`gold` must hold"):
        LABELS.gold.check("gold", LABELS.gold.array([texts]))


@pytest.mark.parametrize(
    ("output", "file", "metric", "said"),
    [
        ("output: {kind: span, several_accepted: true}", "", "exact_match", "has one gold label"),
        (
            "labels: [a, b]\n    output: {kind: one_label, several_accepted: true}",
            "dialect: one_a_line, ",
            "accuracy",
            "an item can have several rows",
        ),
        (
            "labels: [a, b]\n    rarest_label_share: 0.1\n    output: {kind: one_label, several_accepted: true}",
            "",
            "accuracy",
            "rarest_label_share",
        ),
        (
            "labels: [a, b]\n    output: {kind: one_label, several_accepted: true}",
            "",
            "kappa",
            "needs one gold label for each item",
        ),
    ],
)
def test_what_cannot_stand_beside_it_is_refused_in_the_definition(output, file, metric, said):
    with pytest.raises(DefinitionError, match=said):
        task_of(output, f"{{path: f.csv, {file}id_column: id, label_column: label}}", metric)


def test_without_it_digests_stay_and_with_it_they_differ():
    for kind in ALL:
        assert "several" not in kind.alone.signature()
        assert kind.signature() != kind.alone.signature()
        assert kind.numbers() != kind.alone.numbers()
