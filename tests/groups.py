"""A small benchmark with seeds, tracks and an attack, and groups of predictions for it."""

from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.models import Benchmark, Phase
from scoring.gold.versions import load_gold
from submissions.models import System
from submissions.services import PredictionUpload, Receipt, submit_predictions
from tests.conftest import NOW
from tests.uploads import zip_of

DEBATES = """
id: debates
title: Debates
summary: Two data sets.
url: https://example.org/debates
citation: Nobody, 2026.
seeds: 3
bundle: {files: any, also_allowed: [README.md]}
attacks: [{id: spelling, title: Spelling, correct_share: 0.5}]
tracks: [{id: "full", title: "All data", share: 1}, {id: "tenth", title: "A tenth of the data", share: 0.1}]
task_defaults:
  instructions: Say what it is.
  licence: CC0
  citation: Nobody, 2026.
  file: {path: "{task}.csv", id_column: id, label_column: label}
  splits: [{id: test, title: Test}, {id: spelling, title: Spelling, attack: spelling}]
  labels: [con, pro]
  metrics: [{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}]
tasks:
  - {id: claims, code: CLA, title: Claims, summary: "For or against?", test_size: 4}
  - {id: posts, code: POS, title: Posts, summary: "For or against?", test_size: 4}
averages: [{id: overall, title: Overall, of: all tasks, missing: unranked}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 5}
    counting: latest
    publish_automatically: true
"""
GOLD = "con pro con pro"
FILES = ("claims.csv", "posts.csv", "spelling/claims.csv", "spelling/posts.csv")


def labels(answers: str = GOLD) -> bytes:
    """A file of either data set."""
    return b"id,label\n" + b"".join(f"d{at},{label}\n".encode() for at, label in enumerate(answers.split()))


def load_debates(sync: Callable[[str], Benchmark], *, attacked: bool = True) -> Phase:
    """The benchmark with its gold labels; the attack's too where it has been made."""
    benchmark = sync(DEBATES)
    for task in benchmark.tasks.all():
        for split in ("test", "spelling") if attacked else ("test",):
            load_gold(task=task, data=labels(), file_name=f"{task.slug}.csv", now=NOW, split_slug=split)
    phase: Phase = benchmark.phases.get()
    return phase


def group_files(seeds: Iterable[int] = (1, 2, 3), names: Iterable[str] = FILES) -> dict[str, bytes]:
    """Files of several seeds: with the n-th seed the first n - 1 labels are wrong."""
    names = list(names)
    return {f"seed{seed}/{name}": labels(_with_wrong(seed - 1)) for seed in seeds for name in names}


def _with_wrong(count: int) -> str:
    turned = {"con": "pro", "pro": "con"}
    return " ".join(turned[label] if at < count else label for at, label in enumerate(GOLD.split()))


def group_zip(seeds: Iterable[int] = (1, 2, 3), names: Iterable[str] = FILES) -> bytes:
    """The same as a zip."""
    return zip_of(group_files(seeds, names))


def submit_group(
    system: System, phase: Phase, data: bytes | None = None, *, file_name: str = "group.zip", **more: Any
) -> Receipt:
    """Submit to the benchmark as the first member of the system's team."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    return submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=user,
            data=group_zip() if data is None else data,
            file_name=file_name,
            **{"received_at": NOW, **more},
        )
    )
