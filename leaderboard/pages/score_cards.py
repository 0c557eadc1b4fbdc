"""Where the numbers of a release come from: a card for every row, listed on a page of the release, and all as JSON.

The numbers themselves are taken from the boards, so that a card tells no score that no board shows. Of systems that are
anonymous it says neither submission, nor file, nor instant.
"""

import datetime as dt
import json
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Split, Task
from benchmarks.spec import DEV, OVERALL, TEST, RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.models import ReleaseCell
from leaderboard.pages.rendered_release import PrintedRelease
from leaderboard.release_cells import AnyCell
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.rendered_page import BenchmarkPage, RenderedPage, html
from leaderboard.reports.measured.metric_packages import UsedPackage, sentences, used_packages
from scoring.disclosure.standings import row_key
from scoring.models import GoldVersion, RunReplicates, Score, ScoringRun
from submissions.models import Submission, System

LISTED = 50  # rows that the page of a release names; from a board every number leads to its card


@dataclass(frozen=True, kw_only=True)
class ProvenancePage(BenchmarkPage):
    """The first rows of a release, each with a link to its card, and the gold versions that were used.

    `others` says how many more rows there are. `mixed` are sentences about columns that two versions of a package made.
    """

    template = "public/provenance.html"
    release: int
    published_at: dt.datetime
    rows: Sequence[Mapping[str, Any]]
    others: int
    gold: Sequence[dict[str, Any]]
    anonymous: bool
    mixed: Sequence[str]


def provenance_pages(
    printed: PrintedRelease, cells: Sequence[AnyCell] | None = None
) -> Iterator[RenderedPage]:
    """The page and its JSON, from which cards are drawn; nothing before the first release.

    `cells` are those of the release, where they are at hand.
    """
    if not printed.number:
        return
    benchmark = printed.phase.benchmark
    if cells is None:
        rows = ReleaseCell.objects.standing_in(printed.phase.pk, printed.number)
        related = ("submission__system__team", "system__team", "task", "split", "score", "disclosed")
        cells = list(rows.select_related(*related).order_by("place"))
    release = _CardsOfRelease(printed, cells)
    document: dict[str, Any] = {
        "benchmark": benchmark.slug,
        "release": printed.number,
        "gold": release.gold(),
        "packages": release.packages(),
        "systems": release.systems(),
    }
    base = f"/benchmarks/{benchmark.slug}/releases/{printed.number}/provenance"
    page = ProvenancePage(
        benchmark=benchmark.spec,
        release=printed.number,
        published_at=printed.boards[OVERALL].board.published_at,
        rows=document["systems"][:LISTED],
        others=max(0, len(document["systems"]) - LISTED),
        gold=document["gold"],
        anonymous=benchmark.is_anonymous,
        mixed=[said for one in document["packages"] for said in sentences(one)],
    )
    yield html(f"{base}/", page)
    body = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    yield RenderedPage(f"{base}.json", "application/json", body.encode() + b"\n")


def origins_page(base: str, boards: Mapping[str, Board]) -> RenderedPage:
    """The file beside the boards at `base`, about the submissions that their cells name: none of anonymous systems.

    It is there even if it tells of none, so that it replaces the one from before names were hidden.
    """
    rows = [row for board in boards.values() for row in board.rows]
    named = {cell.submission for row in rows for cell in row.cells.values() if cell.submission}
    submissions = Submission.objects.only("received_at", "file_sha256").in_bulk(sorted(named))
    document = {
        "release": boards[OVERALL].release,
        "submissions": {str(key): _origin(submission) for key, submission in submissions.items()},
    }
    body = json.dumps(document, separators=(",", ":")).encode() + b"\n"
    return RenderedPage(f"{base}-submissions.json", "application/json", body)


def _origin(submission: Submission) -> dict[str, str]:
    """When a submission came, and the hash of its file."""
    received_at = submission.received_at.isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"received_at": received_at, "file_sha256": submission.file_sha256}


@dataclass(frozen=True, slots=True)
class _Set:
    """A set of items of which cells are, its place among those of a row, and the board that shows it, if one does."""

    task: str
    split: str
    title: str
    order: tuple[int, bool, str]
    board: Board | None


class _CardsOfRelease:
    """The cells of a release beside the boards that show them, and the runs behind them: read at once for all."""

    def __init__(self, printed: PrintedRelease, cells: Sequence[AnyCell]) -> None:
        self._cells, self._phase = cells, printed.phase
        spec = printed.phase.benchmark.spec
        self._names = naming(printed.phase.benchmark)
        # What many cells have in common is said once: by split, and by submission.
        self._sets: dict[int, _Set] = {}
        self._origins: dict[uuid.UUID, dict[str, str]] = {}
        self._tasks, self._main_track = {task.id: task for task in spec.tasks}, spec.main_track
        self._boards = {key: printed_board.board for key, printed_board in printed.boards.items()}
        self._by_anchor = {
            key: {row.anchor: row for row in board.rows} for key, board in self._boards.items()
        }
        self._rows: dict[str, BoardRow] = {}
        for board in self._boards.values():
            for row in board.rows:
                self._rows.setdefault(row.anchor, row)
        ids = {cell.score.run_id for cell in cells}
        # By their submissions, which are few beside them.
        runs = ScoringRun.objects.filter(submission__in={cell.submission_id for cell in cells}).order_by()
        about = ("scorer_version", "code_commit", "libraries")
        fields = ("pk", "part", "gold_version_id", "gold_version__number", *about)
        self._runs = {run.pk: run for run in runs.values_list(*fields, named=True) if run.pk in ids}
        self._measured: dict[int, dict[str, int]] = defaultdict(dict)
        versions = Score.objects.filter(run__in=runs.values("pk")).order_by()
        for run, metric, version in versions.values_list("run", "metric", "metric_version"):
            self._measured[run][metric] = version
        intervals = RunReplicates.objects.filter(run__in=runs.values("pk"))
        self._intervals = {
            run: {"method": method, "resamples": count, "seed_id": seed}
            for run, method, count, seed in intervals.values_list("run", "method", "count", "seed_id")
        }

    def gold(self) -> list[dict[str, Any]]:
        """The gold versions that the runs were held against, by task and set."""
        used = {run.gold_version_id for run in self._runs.values()}
        versions = GoldVersion.objects.filter(pk__in=used).select_related("split__task")
        return [
            {
                "task": gold.split.task.slug,
                "split": gold.split.slug,
                "title": self._title(gold.split.task, gold.split),
                "version": gold.number,
                "commitment": gold.commitment,
            }
            for gold in versions.order_by("split__task__position", "split__slug", "number")
        ]

    def packages(self) -> list[UsedPackage]:
        """The packages whose code made scores, with their versions."""
        noted = [
            (about.task, about.split, self._runs[cell.score.run_id].libraries)
            for cell in self._cells
            if (about := self._set(cell)).task in self._tasks
        ]
        return used_packages(self._phase.benchmark.spec, noted)

    def systems(self) -> list[dict[str, Any]]:
        """Under each row of the boards its scores, in the order of the boards."""
        by_row = defaultdict(list)
        keys: dict[uuid.UUID, str] = {}
        for cell in self._cells:
            if (key := cell.submission_id) not in keys:
                keys[key] = row_key(self._phase, cell.submission)
            by_row[keys[key]].append(cell)
        place = {anchor: at for at, anchor in enumerate(self._rows)}
        systems = [self._row(cells) for cells in by_row.values()]
        systems.sort(
            key=lambda row: (place.get(row["anchor"], len(place)), len(row["system"]), row["system"])
        )
        return systems

    def _row(self, cells: list[AnyCell]) -> dict[str, Any]:
        """One row with its scores: under the name that the boards give it, where one of them shows it."""
        called = [self._called(system) for system in {cell.system_id: cell.system for cell in cells}.values()]
        said = next((entry for entry in called if entry["anchor"] in self._rows), called[-1])
        if said["anchor"] in self._rows:
            said["system"] = self._rows[said["anchor"]].system
        cells.sort(key=lambda cell: (self._set(cell).order, cell.track, cell.seed))
        scores = [self._score(cell, said) for cell in cells]
        seen: set[str] = set()
        for score in scores:
            score["anchor"] = "" if score["task"] in seen else f"{said['anchor']}-{score['task']}"
            seen.add(score["task"])
        return said | {"scores": scores}

    def _called(self, system: System) -> dict[str, Any]:
        said = {"system": system.name, "system_id": str(system.pk), "team": system.team.name}
        named = self._names.report(said)
        row = BoardRow(named["system"], named["system_id"], "", RowKind(system.kind), {})
        return {"anchor": row.anchor, **named}

    def _score(self, cell: AnyCell, said: Mapping[str, Any]) -> dict[str, Any]:
        run, about = self._runs[cell.score.run_id], self._set(cell)
        key = cell.submission_id
        if key not in self._origins:
            self._origins[key] = {"submission": str(key), **_origin(cell.submission)}
        origin = self._origins[key]
        return {
            "task": about.task,
            "split": about.split,
            "title": about.title,
            "track": cell.track,
            "seed": cell.seed,
            "shown": self._shown(about, cell.track, said["anchor"]),
            **(origin if said["system_id"] else dict.fromkeys(origin)),
            "gold_version": run.gold_version__number,
            "metrics": self._metrics(about.task, run.pk),
            "scorer_version": run.scorer_version,
            "code_commit": run.code_commit or None,
            # By name: PostgreSQL keeps the keys of its JSON in an order of its own.
            "libraries": run.libraries and dict(sorted(run.libraries.items())),
            "interval": self._intervals.get(run.pk) if cell.disclosed_id is None else None,
            "rule": cell.disclosed.rule if cell.disclosed_id and cell.disclosed else None,
            "part": run.part or None,
        }

    def _shown(self, about: _Set, track: str, anchor: str) -> str:
        """What the task's own board shows of it, metric by metric; empty where that board is about other sets."""
        board = about.board
        row = self._by_anchor[about.task].get(anchor) if board else None
        if board is None or row is None or track not in ("", self._main_track):
            return ""
        return ", ".join([_score_with_interval(row, column) for column in board.columns])

    def _set(self, cell: AnyCell) -> _Set:
        """Of which set of items a cell is."""
        if (key := cell.split_id) not in self._sets:
            task, split = cell.task, cell.split
            board = self._boards.get(task.slug)
            shown = DEV if board and board.rank_by.partition("@")[2] == DEV else TEST
            self._sets[key] = _Set(
                task.slug,
                split.slug,
                self._title(task, split),
                (task.position, split.slug != TEST, split.slug),
                board if split.slug == shown else None,
            )
        return self._sets[key]

    def _title(self, task: Task, split: Split) -> str:
        """What a set of items is called; by its id where the definition has lost the task since."""
        spec = self._tasks.get(task.slug)
        return f"{task.title}, {spec.split(split.slug).title if spec else split.slug}"

    def _metrics(self, task: str, run: int) -> list[dict[str, Any]]:
        """The task's metrics that the run measured, with the version of each."""
        spec, measured = self._tasks.get(task), self._measured[run]
        titles = {use.name: use.title for use in spec.metrics} if spec else {name: name for name in measured}
        return [
            {"name": name, "title": title, "version": measured[name]}
            for name, title in titles.items()
            if name in measured
        ]


def _score_with_interval(row: BoardRow, column: Column) -> str:
    cell = row.cell(column.key)
    interval = fmt.interval(cell.ci_low, cell.ci_high)
    sure = f" (95 % interval {interval})" if interval else ""
    return f"{column.metric_title} {fmt.score(cell.value)}{sure}"
