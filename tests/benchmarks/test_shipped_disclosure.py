"""What the shipped definitions show while their phases run."""

from pathlib import Path

import pytest

import benchmarks
from benchmarks.spec import PhaseKind
from benchmarks.spec.document import parse_yaml

HIDDEN = {"raft": "open"}  # the rule of those whose gold labels nobody has
DEFINITIONS = sorted((Path(benchmarks.__file__).parent / "definitions").glob("*.yaml"))


@pytest.mark.parametrize("file", DEFINITIONS, ids=[file.stem for file in DEFINITIONS])
def test_every_phase_that_may_have_a_rule_names_it_and_hidden_labels_are_kept_back(file):
    phases = parse_yaml(file.read_text(), file.name)["phases"]
    of_predictions = [
        one for one in phases if PhaseKind(one.get("kind", "predictions")) is PhaseKind.PREDICTIONS
    ]
    assert [one.get("disclosure") for one in of_predictions] == [HIDDEN.get(file.stem, "exact")] * len(
        of_predictions
    )
