"""A made-up benchmark like the stance benchmark, small enough to compute everything by hand.

Two data sets of ten items, two seeds, two tracks, two attacks. The primary metric is accuracy, so a file with n right
answers scores n/10.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.models import Benchmark, Phase
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.uploads import zip_of

DEFINITION = """
id: tiny
title: Tiny
summary: Two data sets.
url: https://example.org/tiny
citation: Nobody, 2026.
seeds: 2
bundle: {files: any}
attacks:
  - {id: typos, title: Typos, correct_share: 0.5}
  - {id: not, title: Negation, correct_share: 1.0}
tracks: [{id: full, title: 100 %, share: 1}, {id: tenth, title: 10 %, share: 0.1}]
task_defaults:
  summary: "For or against?"
  instructions: Say what it is.
  licence: CC0
  gold: public
  citation: Nobody, 2026.
  test_size: 10
  file: {path: "{task}.csv", id_column: id, label_column: label}
  splits:
    - {id: test, title: Test}
    - {id: typos, title: Typos, attack: typos}
    - {id: not, title: Negated, attack: not}
  labels: [con, pro]
  metrics: [{name: accuracy, title: Accuracy}, {name: f1_pro, title: F1 of pro, beside: true}]
tasks:
  - {id: a, code: A, title: Data set A}
  - {id: b, code: B, title: Data set B}
averages: [{id: overall, title: Overall, of: all tasks, missing: unranked}]
reported:
  - {system: Elder, source: "Nobody, 2020", values: {resilience: 0.596}}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 9}
    counting: latest
    publish_automatically: true
"""
ITEMS = 10
SPLITS = ("test", "typos", "not")

Rights = Mapping[str, Mapping[str, Sequence[int]]]
"""Numbers of right answers by split, data set and seed."""

LARCH: Rights = {
    "test": {"a": (8, 6), "b": (9, 9)},
    "typos": {"a": (6, 4), "b": (7, 7)},
    "not": {"a": (2, 2), "b": (4, 6)},
}
LARCH_TENTH: Rights = {
    "test": {"a": (4, 4), "b": (6, 6)},
    "typos": {"a": (3, 3), "b": (5, 5)},
    "not": {"a": (2, 2), "b": (2, 2)},
}
FIR: Rights = {
    "test": {"a": (10, 10), "b": (8, 8)},
    "typos": {"a": (8, 8), "b": (8, 8)},
    "not": {"a": (7, 7), "b": (7, 7)},
}
YEW: Rights = {"test": {"a": (5,), "b": (5,)}, "typos": {"a": (9,), "b": (9,)}, "not": {"a": (5,), "b": (5,)}}
"""One seed of two, and an attack that helps."""
BASE: Rights = {
    "test": {"a": (1, 1), "b": (1, 1)},
    "typos": {"a": (0, 0), "b": (0, 0)},
    "not": {"a": (0, 0), "b": (0, 0)},
}


def answers(right: int) -> str:
    """A file with that many right answers; every gold label is pro."""
    labels = ["pro"] * right + ["con"] * (ITEMS - right)
    return "".join(f"{item}\n" for item in ["id,label", *(f"i{at},{one}" for at, one in enumerate(labels))])


def load_all(benchmark: Benchmark, splits: Sequence[str] = SPLITS) -> None:
    """Load the gold labels of every task."""
    for task in benchmark.tasks.all():
        for split in splits:
            gold = answers(ITEMS).encode()
            load_gold(task=task, data=gold, file_name="gold.csv", now=NOW, split_slug=split)


def load_tiny(sync: Callable[[str], Benchmark], text: str = DEFINITION) -> Phase:
    """The benchmark with its gold labels."""
    benchmark = sync(text)
    load_all(benchmark)
    phase: Phase = benchmark.phases.get()
    return phase


def files_of(rights: Rights) -> dict[str, str]:
    """The entries of a zip with these scores."""
    return {
        f"seed{seed}/{'' if split == 'test' else f'{split}/'}{task}.csv": answers(right)
        for split, by_task in rights.items()
        for task, by_seed in by_task.items()
        for seed, right in enumerate(by_seed, 1)
    }


def submit(system: System, phase: Phase, rights: Rights, **more: Any) -> Submission:
    """A submission that scores these numbers of right answers out of ten."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    arguments = {"file_name": "group.zip", "received_at": NOW, **more}
    data = zip_of(files_of(rights))
    return submit_predictions(
        PredictionUpload(system=system, phase=phase, user=user, data=data, **arguments)
    ).submission
