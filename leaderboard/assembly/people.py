"""Rows of people: estimates from the responses behind gold labels, and samples that people answered in campaigns."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Benchmark
from benchmarks.spec import BenchmarkSpec, RowKind
from benchmarks.spec.averages import averages
from labelling.models import Outcome
from leaderboard.board.model.board import BoardRow, Cell
from scoring.disclosure.guarded_labels import guards_labels
from scoring.models import GoldVersion, ResponseSet

HUMAN_ESTIMATE = "Human estimate"
OF_PEOPLE = "People"

Place = tuple[str, str]
"""A task and a split."""


@dataclass(frozen=True)
class PeopleOnSplit:
    """What people score on a split: their cells by metric, and how many responses that is made of.

    `sample` items of the split were answered; 0 where it is all of them.
    """

    cells: Mapping[str, Cell]
    responses: int
    people: int = 0
    sample: int = 0


@dataclass(frozen=True)
class PeopleRow:
    """One row of people, whatever the columns of a board are."""

    name: str
    splits: Mapping[Place, PeopleOnSplit]

    def source(self, places: Iterable[Place]) -> str:
        """Whose answers the cells of these places are."""
        shown = [self.splits[place] for place in places]
        responses = sum(each.responses for each in shown)
        if not any(each.sample for each in shown):
            return f"five synthetic annotators of {responses:,} responses"
        sizes = {each.sample for each in shown}
        items = f"{min(sizes):,}" if len(sizes) == 1 else f"{min(sizes):,} to {max(sizes):,}"
        samples = "a sample" if len(shown) == 1 else "samples"
        return f"{responses:,} answers on {samples} of {items} items"


def people_rows(benchmark: Benchmark) -> tuple[PeopleRow, ...]:
    """The rows that stand beside the benchmark's current gold labels.

    They are made of gold labels that nobody has seen, so there are none while a phase keeps some to itself.
    """
    if guards_labels(benchmark):
        return ()
    estimated = dict(_of_responses(benchmark))
    return (*((PeopleRow(HUMAN_ESTIMATE, estimated),) if estimated else ()), *_of_campaigns(benchmark))


def board_rows(
    people: Sequence[PeopleRow], spec: BenchmarkSpec, columns: Mapping[str, tuple[str, str, str]]
) -> Iterator[BoardRow]:
    """The rows of people that have a cell in any of the columns; `columns` are task or average, metric and split."""
    for row in people:
        cells: dict[str, Cell] = {}
        places: dict[Place, None] = {}
        for key, (name, metric, split) in columns.items():
            found = row.splits.get((name, split))
            if found is not None and metric in found.cells:
                cells[key] = found.cells[metric]
                places[name, split] = None
            elif cell := _average(row, spec, name, split):
                cells[key] = cell
        if places:
            yield BoardRow(row.name, None, "", RowKind.HUMAN, cells, source=row.source(places))


def _average(row: PeopleRow, spec: BenchmarkSpec, average: str, split: str) -> Cell | None:
    """An average of what people score, where they have answered every task of it."""
    parts = (part for declared in spec.averages for part in declared.each() if part.metric)
    measured = {task.id: (task.id, task.primary_metric.name) for task in spec.tasks} | {
        part.key: (part.id, part.metric) for part in parts
    }
    values = {
        key: cell.value
        for key, (task, metric) in measured.items()
        if (found := row.splits.get((task, split)))
        and (cell := found.cells.get(metric))
        and cell.value is not None
    }
    result = averages(spec.averages, values).get(average)
    return None if result is None or result.value is None else Cell(result.value, None)


def _of_responses(benchmark: Benchmark) -> Iterator[tuple[Place, PeopleOnSplit]]:
    current = ResponseSet.objects.current().filter(
        split__task__benchmark=benchmark, split__task__is_retired=False
    )
    for responses in current.select_related("split__task").defer("sealed", "report"):
        scores = {f"f1_{label}": of_label for label, of_label in responses.human["labels"].items()}
        scores["f1_macro"] = responses.human["macro"]
        cells = {
            metric: Cell(one["f1"], None, one.get("f1_low"), one.get("f1_high"))
            for metric, one in scores.items()
        }
        place = (responses.split.task.slug, responses.split.slug)
        yield place, PeopleOnSplit(cells, responses.response_count)


def _of_campaigns(benchmark: Benchmark) -> Iterator[PeopleRow]:
    """A row for each name that campaigns with human rows bear, of the last outcome of each that fits current gold."""
    outcomes = Outcome.objects.filter(
        campaign__benchmark=benchmark, campaign__purpose="human_row", campaign__task__is_retired=False
    )
    current = set(
        GoldVersion.objects.current().filter(split__task__benchmark=benchmark).values_list("pk", flat=True)
    )
    rows: defaultdict[str, dict[Place, PeopleOnSplit]] = defaultdict(dict)
    for outcome in outcomes.select_related("campaign__task").order_by("campaign__closed_at", "number"):
        campaign, report = outcome.campaign, outcome.report
        if campaign.task is None or report["gold_version"] not in current:
            continue
        name = campaign.row_name or OF_PEOPLE
        rows[name][campaign.task.slug, campaign.split_slug] = _on_sample(report)
    for name, splits in rows.items():
        yield PeopleRow(name, splits)


def _on_sample(report: Mapping[str, Any]) -> PeopleOnSplit:
    cells = {
        metric: Cell(one["value"], one["undefined"], one["low"], one["high"])
        for metric, one in report["scores"].items()
    }
    return PeopleOnSplit(cells, report["answers"], report["people"], report["sample"])
