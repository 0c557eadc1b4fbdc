"""The human estimate as a row: how well people do on the gold labels that responses settled on."""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.models import Benchmark
from benchmarks.spec import RowKind
from leaderboard.board.model.board import BoardRow, Cell
from scoring.models import ResponseSet

HUMAN_ESTIMATE = "Human estimate"

HumanEstimates = Mapping[tuple[str, str], tuple[int, Mapping[str, float]]]
"""By task and split, how many responses settled the gold labels, and what people score on them."""


def human_estimates(benchmark: Benchmark) -> HumanEstimates:
    """The estimates that stand beside the benchmark's current gold labels, with F1 macro and that of each label."""
    current = ResponseSet.objects.current().filter(
        split__task__benchmark=benchmark, split__task__is_retired=False
    )
    rows = current.select_related("split__task").defer("sealed", "report")
    return {(one.split.task.slug, one.split.slug): (one.response_count, _scores(one.human)) for one in rows}


def human_row(estimates: HumanEstimates, columns: Mapping[str, tuple[str, str, str]]) -> Iterable[BoardRow]:
    """The row of people, if any of the columns has an estimate; `columns` are task, metric and split by their keys."""
    cells: dict[str, Cell] = {}
    responses: dict[tuple[str, str], int] = {}
    for key, (task, metric, split) in columns.items():
        count, scores = estimates.get((task, split), (0, {}))
        if metric in scores:
            cells[key] = Cell(scores[metric], None)
            responses[task, split] = count
    if cells:
        source = f"five synthetic annotators of {sum(responses.values()):,} responses"
        yield BoardRow(HUMAN_ESTIMATE, None, "", RowKind.HUMAN, cells, source=source)


def _scores(human: Mapping[str, Any]) -> dict[str, float]:
    per_label = {f"f1_{label}": scores["f1"] for label, scores in human["labels"].items()}
    return {**per_label, "f1_macro": human["macro"]["f1"]}
