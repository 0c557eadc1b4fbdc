"""The human estimate as a row: how well people do on the gold labels that responses settled on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Benchmark
from benchmarks.spec import RowKind
from leaderboard.board.model.board import BoardRow, Cell
from scoring.models import ResponseSet

HUMAN_ESTIMATE = "Human estimate"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a column shows: a task's metric on one split."""

    task: str
    split: str
    metric: str


@dataclass(frozen=True, slots=True)
class HumanScores:
    """The current human estimate on one split."""

    response_count: int
    scores: Mapping[str, float]


HumanEstimates = Mapping[tuple[str, str], HumanScores]
"""Human estimates by task and split."""


def human_estimates(benchmark: Benchmark) -> dict[tuple[str, str], HumanScores]:
    """The estimates that stand beside the benchmark's current gold labels, with F1 macro and that of each label."""
    current = ResponseSet.objects.current().filter(
        split__task__benchmark=benchmark, split__task__is_retired=False
    )
    rows = current.select_related("split__task").defer("sealed", "report")
    return {
        (one.split.task.slug, one.split.slug): HumanScores(one.response_count, _scores(one.human))
        for one in rows
    }


def human_row(estimates: HumanEstimates, columns: Mapping[str, Asked]) -> Iterable[BoardRow]:
    """The row of people, if any of the columns has an estimate; `columns` are given by their keys."""
    found = {
        key: (estimates[asked.task, asked.split], asked.metric)
        for key, asked in columns.items()
        if (asked.task, asked.split) in estimates
    }
    cells = {
        key: Cell(of_split.scores[metric], None)
        for key, (of_split, metric) in found.items()
        if metric in of_split.scores
    }
    if cells:
        used = {(columns[key].task, columns[key].split) for key in cells}
        responses = sum(estimates[place].response_count for place in used)
        source = f"five synthetic annotators of {responses:,} responses"
        yield BoardRow(HUMAN_ESTIMATE, None, "", RowKind.HUMAN, cells, source=source)


def _scores(human: Mapping[str, Any]) -> dict[str, float]:
    per_label = {f"f1_{label}": scores["f1"] for label, scores in human["labels"].items()}
    return {**per_label, "f1_macro": human["macro"]["f1"]}
