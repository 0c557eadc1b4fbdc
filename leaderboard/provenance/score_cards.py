"""Where the numbers of a release come from: a card for every score, on one page of the release and as JSON.

The numbers themselves are taken from the boards, so that a card tells no score that no board shows. Of systems that are
anonymous it says neither submission, nor file, nor instant.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Benchmark, Split, Task
from benchmarks.spec import OVERALL, BenchmarkSpec, RowKind
from benchmarks.spec.model import DEV
from leaderboard.assembly.row_cells import TEST
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.models import ReleaseCell
from leaderboard.pages.public_names import Naming, naming
from leaderboard.pages.rendered_page import BenchmarkPage, RenderedPage, html
from leaderboard.pages.rendered_release import PrintedRelease
from leaderboard.provenance.card_html import cards
from scoring.models import GoldVersion, RunReplicates, Score, ScoringRun
from submissions.models import System


@dataclass(frozen=True, kw_only=True)
class ProvenancePage(BenchmarkPage):
    """A card for every score of a release, as HTML, and the gold versions that were used."""

    template = "public/provenance.html"
    release: int
    published_at: dt.datetime
    cards: str
    gold: Sequence[dict[str, Any]]
    anonymous: bool


def provenance_pages(
    printed: PrintedRelease, cells: Sequence[ReleaseCell] | None = None
) -> Iterator[RenderedPage]:
    """The page and its JSON. `cells` are those of the release, where they are at hand; nothing before the first."""
    if not printed.number:
        return
    benchmark = printed.phase.benchmark
    found = _cells_of(benchmark, printed.number) if cells is None else cells
    document = _document(printed, found, naming(benchmark))
    base = f"/benchmarks/{benchmark.slug}/releases/{printed.number}/provenance"
    page = ProvenancePage(
        benchmark=benchmark.spec,
        release=printed.number,
        published_at=printed.boards[OVERALL].board.published_at,
        cards=cards(document["systems"], names_seeds=benchmark.spec.seeds > 1),
        gold=document["gold"],
        anonymous=benchmark.is_anonymous,
    )
    yield html(f"{base}/", page)
    body = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    yield RenderedPage(f"{base}.json", "application/json", body.encode() + b"\n")


def _cells_of(benchmark: Benchmark, number: int) -> list[ReleaseCell]:
    rows = ReleaseCell.objects.filter(release__benchmark=benchmark, release__number=number)
    rows = rows.select_related(
        "submission__system__team", "system__team", "task", "split", "score", "disclosed"
    )
    return list(rows.order_by("pk"))


def _document(printed: PrintedRelease, cells: Sequence[ReleaseCell], names: Naming) -> dict[str, Any]:
    """What the JSON says: gold versions, and under each row of the boards its scores, in the order of the boards."""
    phase, spec = printed.phase, printed.phase.benchmark.spec
    runs = _Runs(cells, spec)
    boards = {key: one.board for key, one in printed.boards.items()}
    rows: dict[str, BoardRow] = {}
    for board in boards.values():
        for row in board.rows:
            rows.setdefault(row.anchor, row)
    by_row = defaultdict(list)
    for cell in cells:
        is_of_team = phase.one_per_team and cell.system.kind == RowKind.SYSTEM
        by_row[("team", cell.system.team_id) if is_of_team else cell.system_id].append(cell)
    place = {anchor: at for at, anchor in enumerate(rows)}
    found = [_row(own, rows, runs, boards, names) for own in by_row.values()]
    found.sort(key=lambda one: (place.get(one["anchor"], len(place)), len(one["system"]), one["system"]))
    return {
        "benchmark": phase.benchmark_id,
        "release": printed.number,
        "gold": runs.gold(),
        "systems": found,
    }


def _row(
    cells: list[ReleaseCell],
    rows: Mapping[str, BoardRow],
    runs: _Runs,
    boards: Mapping[str, Board],
    names: Naming,
) -> dict[str, Any]:
    """One row with its scores: under the name that the boards give it, where one of them shows it."""
    systems = {cell.system_id: cell.system for cell in cells}.values()
    called = [_called(system, names) for system in systems]
    said = next((one for one in called if one["anchor"] in rows), called[-1])
    if said["anchor"] in rows:
        said["system"] = rows[said["anchor"]].system
    ordered = sorted(
        cells,
        key=lambda cell: (
            cell.task.position,
            cell.split.slug != TEST,
            cell.split.slug,
            cell.track,
            cell.seed,
        ),
    )
    scores = [_score(cell, runs, boards, said) for cell in ordered]
    first = {score["task"]: at for at, score in reversed(list(enumerate(scores)))}
    for at, score in enumerate(scores):
        score["anchor"] = f"{said['anchor']}-{score['task']}" if first[score["task"]] == at else ""
    return said | {"scores": scores}


def _called(system: System, names: Naming) -> dict[str, Any]:
    said = {"system": system.name, "system_id": str(system.pk), "team": system.team.name}
    named = names.report(said)
    row = BoardRow(named["system"], named["system_id"], "", RowKind(system.kind), {})
    return {"anchor": row.anchor, **named}


def _score(
    cell: ReleaseCell, runs: _Runs, boards: Mapping[str, Board], said: Mapping[str, Any]
) -> dict[str, Any]:
    run, submission = runs.by_id[cell.score.run_id], cell.submission
    origin = {
        "submission": str(submission.pk),
        "received_at": submission.received_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "file_sha256": submission.file_sha256,
    }
    return {
        "task": cell.task.slug,
        "split": cell.split.slug,
        "title": runs.title(cell.task, cell.split),
        "track": cell.track,
        "seed": cell.seed,
        "shown": _shown(cell, boards, said["anchor"], runs),
        **(origin if said["system_id"] else dict.fromkeys(origin)),
        "gold_version": run.gold_version__number,
        "metrics": runs.metrics_of(cell.task, run.pk),
        "scorer_version": run.scorer_version,
        "code_commit": run.code_commit or None,
        "interval": runs.intervals.get(run.pk) if cell.disclosed_id is None else None,
        "rule": cell.disclosed.rule if cell.disclosed else None,
        "part": run.part or None,
    }


def _shown(cell: ReleaseCell, boards: Mapping[str, Board], anchor: str, runs: _Runs) -> str:
    """What the task's own board shows of it, metric by metric; empty where that board is about other sets."""
    board = boards.get(cell.task.slug)
    if board is None or cell.track not in ("", runs.spec.main_track):
        return ""
    about = DEV if board.rank_by.partition("@")[2] == DEV else TEST
    row = runs.row(board, anchor)
    if row is None or cell.split.slug != about:
        return ""
    found = [(column.metric_title, row.cell(column.key)) for column in board.columns]
    return ", ".join(f"{title} {fmt.score(one.value)}" for title, one in found)


class _Runs:
    """The runs behind cells, with what stands beside them: read at once for all."""

    def __init__(self, cells: Sequence[ReleaseCell], spec: BenchmarkSpec) -> None:
        self.spec = spec
        self._rows: dict[str, dict[str, BoardRow]] = {}
        self._tasks = {task.id: task for task in spec.tasks}
        ids = {cell.score.run_id for cell in cells}
        told = ("pk", "part", "gold_version_id", "gold_version__number", "scorer_version", "code_commit")
        runs = ScoringRun.objects.filter(pk__in=ids).values_list(*told, named=True)
        self.by_id = {run.pk: run for run in runs}
        self._metrics: dict[int, dict[str, int]] = defaultdict(dict)
        versions = Score.objects.filter(run__in=ids).order_by().values_list("run", "metric", "metric_version")
        for run, metric, version in versions:
            self._metrics[run][metric] = version
        rows = RunReplicates.objects.filter(run__in=ids).values_list("run", "method", "count", "seed_id")
        self.intervals = {
            run: {"method": method, "resamples": count, "seed_id": seed} for run, method, count, seed in rows
        }

    def row(self, board: Board, anchor: str) -> BoardRow | None:
        """The row of a task's board that is called so."""
        key = board.task or ""
        if key not in self._rows:
            self._rows[key] = {row.anchor: row for row in board.rows}
        return self._rows[key].get(anchor)

    def title(self, task: Task, split: Split) -> str:
        """What a set of items is called; by its id where the definition has lost the task since."""
        spec = self._tasks.get(task.slug)
        return f"{task.title}, {spec.split(split.slug).title if spec else split.slug}"

    def metrics_of(self, task: Task, run: int) -> list[dict[str, Any]]:
        """The task's metrics that the run measured, with the version of each."""
        spec, measured = self._tasks.get(task.slug), self._metrics[run]
        named = [(use.name, use.title) for use in spec.metrics] if spec else [(one, one) for one in measured]
        return [
            {"name": name, "title": title, "version": measured[name]}
            for name, title in named
            if name in measured
        ]

    def gold(self) -> list[dict[str, Any]]:
        """The gold versions that the runs were held against, by task and set."""
        used = {run.gold_version_id for run in self.by_id.values()}
        versions = GoldVersion.objects.filter(pk__in=used).select_related("split__task")
        ordered = versions.order_by("split__task__position", "split__slug", "number")
        return [
            {
                "task": one.split.task.slug,
                "split": one.split.slug,
                "title": self.title(one.split.task, one.split),
                "version": one.number,
                "commitment": one.commitment,
            }
            for one in ordered
        ]
