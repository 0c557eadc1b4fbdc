"""Rows of one id in any order: the official scorer of spans' techniques reorders them so that most are right."""

import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec
from scoring.core.repeated_rows import in_best_order
from scoring.gold.versions import load_gold
from scoring.models import ScoringRun
from scoring.reproduction.evaluation import evaluate_file
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, run_batch

TABLE = 'path: "data/mood/predictions.csv", id_column: ID, label_column: Label, columns: [ID, start, Label]'
OWN = f"test_size: 6, file: {{{TABLE}, more_id_columns: [start], repeats: true"
IN_ORDER = TOY_DEFINITION.replace("test_size: 6", f"{OWN}}}")
REPEATED = TOY_DEFINITION.replace("test_size: 6", f"{OWN}, repeats_in_any_order: true}}")
GOLD = "ID,start,Label\na,0,good\na,0,bad\na,5,good\nb,0,bad\nb,0,bad\nb,0,good\n"
SWAPPED = "ID,start,Label\nb,0,good\nb,0,bad\na,0,bad\nb,0,good\na,0,good\na,5,bad\n"


def spec_of(text):
    return build_spec(parse_yaml(text, "toy.yaml"), "toy.yaml")


def test_the_definition_is_as_meant():
    assert REPEATED != TOY_DEFINITION != IN_ORDER


@given(st.data())
def test_no_order_of_the_rows_is_right_more_often_and_none_changes_the_number(data):
    task = spec_of(REPEATED).task("mood")
    size = data.draw(st.integers(1, 5))
    codes = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    gold, answers = (np.array(data.draw(codes), dtype=np.uint8) for _ in range(2))
    ids = [json.dumps(["a", "0", *([time] if time > 1 else [])]) for time in range(1, size + 1)]
    best = in_best_order(task, ids, gold, answers)
    assert sorted(best.tolist()) == sorted(answers.tolist())
    assert (best == gold).sum() == max((np.array(order) == gold).sum() for order in permutations(answers))
    shuffled = np.array(data.draw(st.permutations(answers.tolist())), dtype=np.uint8)
    assert in_best_order(task, ids, gold, shuffled).tolist() == best.tolist()


def by_hand(text):
    spec = spec_of(text)
    gold, predictions = ("gold.csv", GOLD.encode()), ("mood.csv", SWAPPED.encode())
    found = evaluate_file(spec, spec.task("mood"), gold=gold, predictions=predictions)
    cells = found.document["tasks"]["mood"]["test"]
    return {name: cells[name]["value"] for name in ("accuracy", "f1_macro")}


def test_two_labels_of_one_span_may_stand_in_any_order():
    """Right are both of a from 0, the good and one bad of b; a from 5 and the other bad are wrong."""
    assert by_hand(REPEATED)["accuracy"] == pytest.approx(4 / 6)
    assert by_hand(IN_ORDER)["accuracy"] == pytest.approx(2 / 6)


@pytest.mark.usefixtures("gold_keys")
def test_a_released_score_does_not_depend_on_the_order_either(sync, system):
    benchmark = sync(REPEATED)
    for slug, data in (("mood", GOLD.encode()), ("colour", TOY_GOLD["colour"])):
        load_gold(task=benchmark.tasks.get(slug=slug), data=data, file_name="gold.csv", now=NOW)
    files = {"mood": SWAPPED.encode(), "colour": TOY_GOLD["colour"]}
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=benchmark.phases.get(),
            user=system.team.members.first(),
            data=zip_of({f"data/{task}/predictions.csv": file for task, file in files.items()}),
            file_name="all.zip",
            received_at=NOW,
        )
    )
    run_batch(CUT_OFF)
    run = ScoringRun.objects.get(split__task__slug="mood")
    assert {one.metric: one.value for one in run.scores.all()} == by_hand(REPEATED)


PHASE = "counting: best\n    one_per_team: true\n    lasts_days: 28\n    disclosure: open"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (", repeats: true", "", "means nothing without `repeats: true`"),
        (
            "labels: [bad, good]",
            "output: {kind: label_with_confidence}, labels: [bad, good]",
            "expected answers and gold labels that are one label each",
        ),
        ("counting: latest", PHASE, "Rows of one id are matched"),
    ],
)
def test_what_cannot_be_said_of_repeated_rows_is_refused(old, new, told):
    assert old in REPEATED
    with pytest.raises(DefinitionError, match=told):
        spec_of(REPEATED.replace(old, new))
