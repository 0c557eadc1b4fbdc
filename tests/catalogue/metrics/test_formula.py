"""Metrics that a definition declares: what a formula may be, what it may read, and what it says on a board."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from benchmarks.models import Benchmark
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from catalogue.answers import AnswerKind, Label, LabelSubset, Number
from catalogue.answers.declared_metric import DeclaredMetric
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Undefined
from catalogue.metrics.own.formula import FormulaError, declared_metric, parse_formula
from catalogue.metrics.own.item_sums import SumName
from scoring.core.uncertainty.replicates import one_by_one, replicate_scores
from scoring.core.uncertainty.weights import item_weights
from scoring.gold.versions import load_gold
from submissions.models import System
from tests.at_length import examples
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.weeks import CUT_OFF, board, row_of, run_batch, upload

SPAM = Label(names=("spam", "ham", "not sure"))
COST = "(5 * cell[spam, ham] + cell[ham, spam]) / items"
OWN = TOY_DEFINITION.replace(
    "{name: accuracy, title: Accuracy}",
    '{name: missed, title: Missed, formula: "(items - right) / items", better: lower}',
)


def value(kind: AnswerKind, formula: str, gold: np.ndarray, answers: np.ndarray) -> float | Undefined:
    declared = DeclaredMetric("own", formula, low=-np.inf, high=np.inf)
    return declared_metric(kind, declared).value(Comparison(kind, gold, answers))


def codes(*labels: int) -> np.ndarray:
    return np.array(labels, dtype=np.uint8)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_f1_written_as_a_formula_is_f1(pairs):
    gold, answers = codes(*(one for one, _ in pairs)), codes(*(other for _, other in pairs))
    found = value(SPAM, "2 * right['not sure'] / (gold['not sure'] + predicted['not sure'])", gold, answers)

    if isinstance(found, Undefined):
        assert 2 not in {*gold.tolist(), *answers.tolist()}
    else:
        assert found == pytest.approx(
            f1_score(gold, answers, labels=[2], average="macro", zero_division=0), abs=1e-12
        )


def test_cells_tell_which_mistake_was_made():
    assert value(SPAM, COST, codes(0, 0, 1, 2), codes(1, 0, 0, 2)) == 1.5


def test_a_label_may_say_that_nothing_was_decided():
    """c@1 of five items: two are right and one is undecided."""
    kind = Label(names=("yes", "no", "UNKNOWN"), never_right=("UNKNOWN",))
    gold, answers = np.array([0, 0, 1, 1, 1], dtype=np.uint8), np.array([0, 2, 1, 0, 0], dtype=np.uint8)
    found = value(kind, "(right + predicted[UNKNOWN] * right / items) / items", gold, answers)
    assert found == pytest.approx((2 + 1 * 2 / 5) / 5)


def test_numbers_are_summed_as_errors_and_products():
    gold, answers = np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 0.5])
    share = Number(0, 1)

    assert value(share, "sqrt(squared_error / items)", gold, answers) == pytest.approx((0.5 / 3) ** 0.5)
    assert value(share, "within[0.4] / items", gold, answers) == pytest.approx(1 / 3)
    assert value(
        share,
        "(items * product - gold * answer) / sqrt((items * gold_squared - gold * gold) "
        "* (items * answer_squared - answer * answer))",
        gold,
        answers,
    ) == pytest.approx(np.corrcoef(gold, answers)[0, 1])


def test_subsets_are_summed_by_label():
    kind = LabelSubset(names=("joy", "fear"))
    gold, answers = np.array([1, 3, 0], dtype=np.uint64), np.array([3, 2, 0], dtype=np.uint64)

    assert value(
        kind, "mean(right[joy] / gold[joy], right[fear] / predicted[fear])", gold, answers
    ) == pytest.approx((1 / 2 + 1 / 2) / 2)


def test_what_divides_by_nothing_or_leaves_the_range_has_no_value():
    gold, answers = codes(0, 0), codes(1, 1)
    narrow = DeclaredMetric("own", "cell[spam, ham]", low=0, high=1)

    assert isinstance(value(SPAM, "right / gold[ham]", gold, answers), Undefined)
    assert isinstance(declared_metric(SPAM, narrow).value(Comparison(SPAM, gold, answers)), Undefined)


def test_each_resample_is_scored_as_if_it_were_the_split():
    random = np.random.default_rng(5)
    compared = Comparison(
        SPAM, random.integers(3, size=40).astype(np.uint8), random.integers(3, size=40).astype(np.uint8)
    )
    declared = DeclaredMetric("cost", COST, False, 0, 5)
    compared.output = Label(names=SPAM.names, formulas=(declared,))
    weights = item_weights(b"formula", 40, 100)

    found = replicate_scores(compared, ["cost"], weights)["cost"]

    assert found == pytest.approx(one_by_one(declared_metric(SPAM, declared), compared, weights), abs=1e-12)


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os').system('true')",
        "right.__class__",
        "(lambda: right)()",
        "[right for right in (1,)]",
        "right if items else 0",
        "right ** 2",
        "right // items",
        "f'{right}'",
        "open('gold')",
        "sqrt(right, items)",
        "mean(*right)",
        "min()",
        "right := 3",
        "True",
        "right[gold[spam]]",
        "right[:]",
        "right" + " + right" * 200,
        "(" * 300 + "right",
        "0.5",
        "",
    ],
)
def test_a_formula_reads_nothing_but_sums(formula):
    with pytest.raises(FormulaError):
        parse_formula(formula)


@settings(max_examples=examples(300))
@given(st.text(alphabet="right[]()+-*/.,'\" 0123456789eitems_lambda:", max_size=60))
def test_whatever_is_written_is_a_formula_or_refused_in_words(text):
    try:
        found = parse_formula(text).names
    except FormulaError:
        found = (SumName("refused"),)
    assert found


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        ("right[maybe] / items", "'maybe' is none of the declared labels: spam, ham, not sure"),
        ("absolute_error / items", "A formula may use items, right, right[<label>]"),
        ("within[0.1] / items", "nothing that answers of this kind have"),
    ],
)
def test_a_sum_that_answers_do_not_have_is_named_with_those_they_have(formula, told):
    with pytest.raises(FormulaError) as refused:
        declared_metric(SPAM, DeclaredMetric("own", formula))

    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            'formula: "(items - right) ** 2"',
            "metrics[1].formula: at character 1: `(items - right) ** 2` is not allowed",
        ),
        ('formula: "right / itmes"', "metrics[1].formula: `itmes` is nothing"),
        ('formula: "right / items", range: [1, 0]', "metrics[1].range: expected [lowest, highest]"),
        ('formula: "right / items", better: less', "metrics[1].better: expected one of higher, lower"),
    ],
)
def test_a_formula_that_does_not_fit_is_refused_with_its_place(written, told):
    text = OWN.replace('formula: "(items - right) / items", better: lower', written)

    with pytest.raises(DefinitionError) as refused:
        load_definition(text, file_name="toy.yaml")

    assert told in str(refused.value)


def test_a_name_of_the_servers_metrics_cannot_be_given_another_meaning():
    with pytest.raises(DefinitionError, match="that no metric of the server has, found 'accuracy'"):
        load_definition(OWN.replace("{name: missed,", "{name: accuracy,"), file_name="toy.yaml")


def test_another_formula_is_another_task():
    one, other = (
        load_definition(text, file_name="toy.yaml").tasks[0].fingerprint()
        for text in (OWN, OWN.replace("(items - right) / items", "(items - right) / (items + 1)"))
    )

    assert one != other


def test_a_declared_metric_goes_from_the_definition_to_the_board(
    sync: Callable[[str], Benchmark], gold_keys: object, system: System
):
    benchmark = sync(OWN)
    for task in benchmark.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name=f"{task.slug}.csv", now=NOW)
    upload(system, benchmark.phases.get(), mood="good good bad bad good good")
    run_batch(CUT_OFF)

    cell = row_of(board("/benchmarks/toy/tasks/mood.json"), system.name)["cells"]["missed"]

    assert cell["value"] == pytest.approx(1 / 6, abs=1e-4)
    assert 0 < cell["ci_low"] < 1 / 6 < cell["ci_high"] < 1


OFFENCE = Label(names=("OTHER", "OFFENCE"))
MACRO_P = "mean(ratio(right[OTHER], predicted[OTHER]), ratio(right[OFFENCE], predicted[OFFENCE]))"
MACRO_R = "mean(ratio(right[OTHER], gold[OTHER]), ratio(right[OFFENCE], gold[OFFENCE]))"
ICM = " + ".join(
    f"(3 * right[{label}] - predicted[{label}] - gold[{label}]) * log2(items / gold[{label}])"
    for label in OFFENCE.names
)


@pytest.mark.parametrize("answers", [(0, 0, 0, 0, 0), (0, 1, 0, 1, 1), (1, 1, 0, 0, 0)])
def test_the_harmonic_mean_of_macro_precision_and_recall_is_that_of_germeval(answers):
    gold = codes(0, 0, 1, 1, 0)
    of = {"average": "macro", "zero_division": 0}
    precision, recall = precision_score(gold, answers, **of), recall_score(gold, answers, **of)

    found = value(OFFENCE, f"ratio(2 * {MACRO_P} * {MACRO_R}, {MACRO_P} + {MACRO_R})", gold, codes(*answers))

    assert found == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-12)


@pytest.mark.parametrize("answers", [(0, 0, 1, 1, 0), (0, 1, 0, 1, 1), (1, 1, 0, 0, 1)])
def test_icm_of_one_label_is_what_its_definition_says(answers):
    gold = [0, 0, 1, 1, 0]
    content = [-np.log2(gold.count(label) / len(gold)) for label in (0, 1)]
    # 2 IC(answer) + 2 IC(gold) - 3 IC(both), where different labels have nothing in common.
    of_items = [
        content[one] if one == other else -(content[one] + content[other])
        for one, other in zip(gold, answers, strict=True)
    ]

    found = value(OFFENCE, f"({ICM}) / items", codes(*gold), codes(*answers))

    assert found == pytest.approx(np.mean(of_items), abs=1e-12)


def test_a_logarithm_of_nothing_has_no_value():
    assert value(OFFENCE, f"({ICM}) / items", codes(0, 0), codes(0, 1)) == Undefined("no_value")


@pytest.mark.parametrize("formula", ["ratio(right)", "ratio(right, items, items)", "log2(right, items)"])
def test_a_function_takes_as_many_values_as_it_has(formula):
    with pytest.raises(FormulaError, match="is not allowed in a formula"):
        parse_formula(formula)
