"""Rounds in a definition, and DynaSent's: what its tables say, and which boards it has."""

import pytest

from benchmarks.spec import BenchmarkSpec, RoundSpec, RowKind
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from tests.benchmarks.test_loader import DEFINITIONS

ROUNDS = "  - {id: round-1, title: Round 1, task: round1}\n"
EXTERNAL = ("sst3", "yelp", "amazon")
SETS = ("round1", "round2", *EXTERNAL)
LABELS = ("positive", "negative", "neutral")
ROUNDING = 0.001 + 1e-9
"""Three classes, each off by half a thousandth at most, and their mean as much again."""


@pytest.fixture(scope="module")
def text() -> str:
    return (DEFINITIONS / "dynasent.yaml").read_text("utf-8")


@pytest.fixture(scope="module")
def dynasent(text: str) -> BenchmarkSpec:
    return load_definition(text, "dynasent.yaml")


@pytest.mark.parametrize(
    ("system", "sets"),
    [("Model 0", SETS), ("Model 1", SETS), ("Human estimate", ("round1", "round2"))],
)
def test_published_macro_figures_are_the_means_of_their_classes(dynasent, system, sets):
    values = next(row.values for row in dynasent.reported if row.system == system)
    assert len(values) == len(sets) * 2 * 4
    for name in sets:
        for place in (name, f"{name}@dev"):
            mean = sum(values[f"{place}:f1_{label}"] for label in LABELS) / 3
            assert values[place] == pytest.approx(mean, abs=ROUNDING), (system, place)


def test_both_models_were_at_chance_on_the_round_made_against_them(dynasent):
    values = {row.system: row.values for row in dynasent.reported}
    assert (values["Model 0"]["round1"], values["Model 1"]["round2"]) == (0.333, 0.333)
    assert (values["Model 0"]["round2"], values["Model 1"]["round1"]) == (0.568, 0.814)


def test_the_external_sets_are_in_no_average_and_in_a_group_of_their_own(dynasent):
    (rounds,) = dynasent.averages
    assert rounds.of == ("round1", "round2")
    overall = next(board for board in dynasent.boards if board.id == "overall")
    assert overall.groups[0].columns[0] == "rounds"
    assert (overall.groups[-1].title, overall.groups[-1].columns) == ("External, not ranked", EXTERNAL)
    sizes = {task.id: task.test_size for task in dynasent.tasks}
    assert sizes == {"round1": 3600, "round2": 720, "sst3": 2210, "yelp": 25000, "amazon": 325000}


def test_every_board_of_a_round_has_macro_and_classes_of_test_and_dev(dynasent):
    boards = {board.id: board for board in dynasent.boards if board.axis == "Round"}
    assert list(boards) == ["round-1", "round-2"]
    keys = [group.key(column) for group in boards["round-2"].groups for column in group.columns]
    assert keys == [
        "round2", "round2:f1_positive", "round2:f1_negative", "round2:f1_neutral",
        "round2@dev", "round2@dev:f1_positive", "round2@dev:f1_negative", "round2@dev:f1_neutral",
    ]  # fmt: skip


def test_the_definition_lists_its_rounds(dynasent):
    assert dynasent.rounds == (
        RoundSpec("round-1", "Round 1", "round1"),
        RoundSpec("round-2", "Round 2", "round2"),
    )
    assert [row.system for row in dynasent.reported if row.kind is RowKind.HUMAN] == ["Human estimate"]


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("{id: round-1, title: Round 1, task: rond1}",
         "rounds[round-1].task: no task has the id 'rond1'; did you mean 'round1'?"),
        ("{id: round-1, title: Round 1, task: round2}",
         "rounds: several rounds have the task 'round2'; expected a task of its own for each"),
        ("{id: round-2, title: Round 1, task: round1}", "rounds: the id 'round-2' is used twice"),
        ("{id: round-1, title: Round 1}", "rounds[round-1].task: is missing; expected text"),
        ("{id: round-1, task: round1}", "rounds[round-1].title: is missing; expected text"),
        ("{id: round-1, title: Round 1, task: round1, dev: 600}", "rounds[round-1].dev: is not a key of this place"),
    ],
)  # fmt: skip
def test_a_mistake_in_rounds_is_named_with_its_place(text, line, mistake):
    assert ROUNDS in text
    with pytest.raises(DefinitionError) as caught:
        load_definition(text.replace(ROUNDS, f"  - {line}\n"), "x.yaml")
    assert any(one.startswith(f"x.yaml: {mistake}") for one in caught.value.mistakes), caught.value.mistakes


def test_a_round_needs_dev_and_test(text):
    dev = '      - {id: dev, title: Dev, file: "{task}_dev.csv", gold_file: dynasent-v1.1-round01-yelp-dev.jsonl}\n'
    assert dev in text
    with pytest.raises(DefinitionError) as caught:
        load_definition(text.replace(dev, ""), "x.yaml")
    (mistake,) = caught.value.mistakes
    assert mistake == "x.yaml: rounds[round-1].task: round1 has no split 'dev'; a round has dev and test"
