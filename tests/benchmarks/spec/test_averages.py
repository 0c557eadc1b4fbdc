import doctest
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import benchmarks.spec.averages
from benchmarks.spec import AverageSpec, MissingTask
from benchmarks.spec.averages import AverageResult, average, averages


def mean_of(*parts: str, name: str = "overall", missing: MissingTask = MissingTask.UNRANKED) -> AverageSpec:
    return AverageSpec(id=name, title=name, of=parts, missing=missing)


def test_average_is_the_plain_mean_of_its_parts():
    assert average(mean_of("a", "b", "c"), {"a": 0.0, "b": 0.5, "c": 1.0, "other": 9.0}).value == 0.5


@pytest.mark.parametrize("values", [{"a": 0.8}, {"a": 0.8, "b": None}])
@pytest.mark.parametrize(
    ("missing", "result"),
    [
        (MissingTask.UNRANKED, AverageResult(None, "missing_task")),
        (MissingTask.ZERO, AverageResult(0.4, None)),
        (MissingTask.PARTIAL, AverageResult(0.8, None)),
    ],
)
def test_average_treats_a_missing_task_as_its_policy_says(values, missing, result):
    assert average(mean_of("a", "b", missing=missing), values) == result


@pytest.mark.parametrize(
    ("missing", "result"),
    [
        (MissingTask.UNRANKED, AverageResult(None, "missing_task")),
        (MissingTask.ZERO, AverageResult(0.0, None)),
        (MissingTask.PARTIAL, AverageResult(None, "no_task")),
    ],
)
def test_average_without_any_task_is_zero_only_where_missing_counts_zero(missing, result):
    assert average(mean_of("a", "b", missing=missing), {}) == result


def test_average_counts_a_score_of_zero_as_present():
    assert average(mean_of("a", "b"), {"a": 0.0, "b": 0.0}).value == 0.0


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_average_does_not_depend_on_the_order_of_its_parts(numbers, random):
    values = {f"task {number}": value for number, value in enumerate(numbers)}
    shuffled = list(values)
    random.shuffle(shuffled)

    assert average(mean_of(*shuffled), values) == average(mean_of(*values), values)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_average_refuses_a_value_that_is_not_finite(value):
    with pytest.raises(ValueError, match="`overall` was given a value that is not finite"):
        average(mean_of("a"), {"a": value})


@pytest.mark.parametrize("parts", [(), ("a", "b", "a")])
def test_average_refuses_no_parts_and_a_part_named_twice(parts):
    with pytest.raises(ValueError, match="`overall` must be of at least one part, each named once"):
        average(mean_of(*parts), {"a": 1.0, "b": 1.0})


# EI-reg English is a mean of emotions, and the overall score a mean of such means.
TREE = (
    mean_of("top", "valence", name="overall"),
    mean_of("anger", "joy", name="emotions"),
    mean_of("emotions", "sarcasm", name="top"),
)
TASK_VALUES = {"anger": 0.2, "joy": 0.4, "sarcasm": 0.7, "valence": 1.0}


@pytest.mark.parametrize("order", list(itertools.permutations(TREE)))
def test_averages_resolve_nested_ones_in_any_order_of_declaration(order):
    results = averages(order, TASK_VALUES)

    assert list(results) == [spec.id for spec in order]
    assert {key: result.value for key, result in results.items()} == pytest.approx(
        {"emotions": 0.3, "top": 0.5, "overall": 0.75}
    )


def test_averages_pass_an_undefined_part_upwards():
    results = averages(TREE, TASK_VALUES | {"joy": None})

    assert set(results.values()) == {AverageResult(None, "missing_task")}


def test_averages_let_each_level_apply_its_own_policy():
    tree = (mean_of("low", "c", missing=MissingTask.PARTIAL), mean_of("a", "b", name="low"))

    results = averages(tree, {"a": 0.1, "b": None, "c": 0.6})

    assert results == {"overall": AverageResult(0.6, None), "low": AverageResult(None, "missing_task")}


@pytest.mark.parametrize(
    "circle",
    [
        [mean_of("overall")],
        [mean_of("b", name="a"), mean_of("c", name="b"), mean_of("a", name="c")],
    ],
)
def test_averages_refuse_a_circle(circle):
    with pytest.raises(ValueError, match=r"made of each other in a circle: \w+ → \w+"):
        averages(circle, {})


@pytest.mark.parametrize(
    ("specs", "values"),
    [([mean_of("a"), mean_of("b")], {"a": 1.0, "b": 1.0}), ([mean_of("a")], {"a": 1.0, "overall": 1.0})],
)
def test_averages_refuse_an_id_that_stands_for_two_things(specs, values):
    with pytest.raises(ValueError, match="Each id may stand for one average only"):
        averages(specs, values)


def test_docstring_examples_give_what_they_say():
    result = doctest.testmod(benchmarks.spec.averages)

    assert result.attempted > 0
    assert result.failed == 0
