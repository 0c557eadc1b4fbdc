"""The information contrast model over labels that are kinds of others, as in EXIST: held against its recursion."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.spec.document import DefinitionError
from catalogue.answers import Label, ManyLabels, SoftLabels
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from scoring.core.uncertainty.replicates import replicate_scores
from tests.catalogue.metrics.information_oracles import ORACLES, SOFT_ORACLES
from tests.scoring.test_shared_task_shapes import benchmark, scores

INTENTIONS = ["NO", "DIRECT", "REPORTED", "JUDGEMENTAL"]
OF_INTENTIONS = dict.fromkeys(INTENTIONS[1:], "YES")
DEEP = ["a", "b", "c", "d", "never gold"]
OF_DEEP = {"a": "p", "b": "p", "p": "q", "c": "q", "never gold": "p"}
FILE = {"path": "exist.json", "dialect": "json_list", "id_column": "id", "label_column": "value"}
ITEMS = 60


def in_file(values):
    """As PyEvALL has it, with the name of the test case beside each id."""
    return json.dumps(
        [{"test_case": "EXIST2025", "id": str(at), "value": one} for at, one in enumerate(values)]
    )


def case_of(output, gold, found):
    return SimpleNamespace(output=output, y_true=output.array(gold), y_pred=output.array(found))


def parents_of(mapping):
    return tuple((name, (above,)) for name, above in mapping.items())


@pytest.mark.parametrize(
    ("labels", "parents"), [(["NO", "YES"], {}), (INTENTIONS, OF_INTENTIONS), (DEEP, OF_DEEP)]
)
def test_icm_of_one_label_is_that_of_the_recursion(labels, parents):
    random = np.random.default_rng(1)
    gold = random.integers(len(labels) - 1, size=ITEMS)
    found = np.where(random.random(ITEMS) < 0.5, gold, random.integers(len(labels), size=ITEMS))
    output = {"kind": "one_label"} | ({"parents": parents} if parents else {})
    spec = benchmark(["icm", "icm_norm"], labels=labels, output=output, file=FILE)

    numbers = scores(spec, *(in_file([labels[code] for code in side]) for side in (gold, found)))

    case = case_of(Label(tuple(labels), parents=parents_of(parents)), gold, found)
    assert numbers == pytest.approx([oracle(case) for oracle in ORACLES.values()], abs=1e-9)


def test_icm_of_several_labels_is_that_of_the_recursion():
    random = np.random.default_rng(2)
    labels = ["NO", "STEREOTYPING", "OBJECTIFICATION", "VIOLENCE"]
    parents = dict.fromkeys(labels[1:], "YES")

    def drawn():
        return ["NO"] if random.random() < 0.4 else [name for name in labels[1:] if random.random() < 0.6]

    gold, found = ([drawn() for _ in range(ITEMS)] for _ in range(2))
    spec = benchmark(
        ["icm", "icm_norm"], labels=labels, output={"kind": "many_labels", "parents": parents}, file=FILE
    )

    numbers = scores(spec, in_file(gold), in_file(found))

    kind = ManyLabels(tuple(labels), parents=parents_of(parents))
    case = case_of(kind, *(["|".join(one) for one in side] for side in (gold, found)))
    assert numbers == pytest.approx([oracle(case) for oracle in ORACLES.values()], abs=1e-9)


@pytest.mark.parametrize("sums_to_one", [True, False])
@pytest.mark.parametrize(("labels", "parents"), [(INTENTIONS, OF_INTENTIONS), (DEEP, OF_DEEP)])
def test_icm_of_shares_is_that_of_the_recursion(labels, parents, sums_to_one):
    random = np.random.default_rng(3)

    def drawn():
        votes = random.multinomial(6, np.ones(len(labels)) / len(labels))
        return (votes if sums_to_one else random.integers(7, size=len(labels))) / 6

    gold, found = (np.array([drawn() for _ in range(ITEMS)]) for _ in range(2))
    gold[:, 0] = gold[:, 0] if sums_to_one else 0.1  # all alike, so that nothing is spread about it
    output = {"kind": "soft_labels", "parents": parents, "sums_to_one": sums_to_one}
    spec = benchmark(["icm_soft", "icm_soft_norm"], labels=labels, output=output, file=FILE)

    rows = ([dict(zip(labels, row, strict=True)) for row in side.tolist()] for side in (gold, found))
    numbers = scores(spec, *map(in_file, rows))

    case = case_of(SoftLabels(tuple(labels), parents=parents_of(parents)), gold, found)
    assert numbers == pytest.approx([oracle(case) for oracle in SOFT_ORACLES.values()], abs=1e-9)


def test_who_says_the_gold_labels_has_all_of_their_information():
    spec = benchmark(
        ["icm_norm"], labels=INTENTIONS, output={"kind": "one_label", "parents": OF_INTENTIONS}, file=FILE
    )
    gold = in_file([*INTENTIONS, "NO", "NO"])
    assert scores(spec, gold, gold) == [1.0]
    assert scores(spec, in_file(["NO", "NO"]), in_file(["NO", "DIRECT"])) == [None]


def test_a_label_that_is_near_costs_less_than_one_that_is_far():
    spec = benchmark(
        ["icm"], labels=INTENTIONS, output={"kind": "one_label", "parents": OF_INTENTIONS}, file=FILE
    )
    gold = INTENTIONS
    near, far = (in_file(["NO", one, "REPORTED", "JUDGEMENTAL"]) for one in ("REPORTED", "NO"))
    (of_near,), (of_far,) = scores(spec, in_file(gold), near), scores(spec, in_file(gold), far)
    assert of_near is not None
    assert of_far is not None
    assert of_near > of_far


@pytest.mark.parametrize("name", ["icm", "icm_norm"])
def test_resamples_count_anew_how_rare_labels_are(name):
    random = np.random.default_rng(4)
    kind = Label(tuple(INTENTIONS), parents=parents_of(OF_INTENTIONS))
    gold, found = (kind.array(random.integers(4, size=ITEMS)) for _ in range(2))
    by_item = random.multinomial(ITEMS, np.ones(ITEMS) / ITEMS, size=5).astype(np.uint8)
    metric = metric_for(kind, name)

    numbers = replicate_scores(Comparison(kind, gold, found), [name], by_item)[name]

    drawn = (np.repeat(np.arange(ITEMS), times) for times in by_item)
    each = [metric.value(Comparison(kind, gold[items], found[items])) for items in drawn]
    assert numbers == pytest.approx(each)


def test_labels_of_two_kinds_at_once_have_no_icm():
    with pytest.raises(
        DefinitionError, match="`icm` needs labels each of which is a kind of one other at most"
    ):
        benchmark(
            ["icm"],
            labels=["a", "b"],
            output={"kind": "many_labels", "parents": {"a": ["p", "q"]}},
            file=FILE,
        )


def test_numbers_are_kinds_of_nothing():
    with pytest.raises(
        DefinitionError, match="parents: means nothing where answers are of the kind `number`"
    ):
        benchmark(
            ["pearson"], output={"kind": "number", "low": 0, "high": 1, "parents": {"1": "2"}}, file=FILE
        )


def test_a_task_whose_labels_become_kinds_of_others_is_scored_anew():
    plain, tree = Label(tuple(INTENTIONS)), Label(tuple(INTENTIONS), parents=parents_of(OF_INTENTIONS))
    assert plain.numbers() != tree.numbers()
    assert "parents" not in plain.signature()
