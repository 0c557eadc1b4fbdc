"""Where the numbers of a release come from: a card for every score, on one page of the release and as JSON.

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
from leaderboard.pages.card_html import cards
from leaderboard.pages.rendered_release import PrintedRelease
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.rendered_page import BenchmarkPage, RenderedPage, html
from leaderboard.reports.measured.metric_packages import UsedPackage, sentences, used_packages
from scoring.disclosure.standings import row_key
from scoring.models import GoldVersion, RunReplicates, Score, ScoringRun
from submissions.models import Submission, System


@dataclass(frozen=True, kw_only=True)
class ProvenancePage(BenchmarkPage):
    """A card for every score of a release, as HTML, and the gold versions that were used.

    `mixed` are sentences about columns that two versions of a package made.
    """

    template = "public/provenance.html"
    release: int
    published_at: dt.datetime
    cards: str
    gold: Sequence[dict[str, Any]]
    anonymous: bool
    mixed: Sequence[str]


def provenance_pages(
    printed: PrintedRelease, cells: Sequence[ReleaseCell] | None = None
) -> Iterator[RenderedPage]:
    """The page and its JSON. `cells` are those of the release, where they are at hand; nothing before the first."""
    if not printed.number:
        return
    benchmark = printed.phase.benchmark
    if cells is None:
        rows = ReleaseCell.objects.filter(release__benchmark=benchmark, release__number=printed.number)
        related = ("submission__system__team", "system__team", "task", "split", "score", "disclosed")
        cells = list(rows.select_related(*related).order_by("pk"))
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
        cards=cards(document["systems"], names_seeds=benchmark.spec.seeds > 1),
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


class _CardsOfRelease:
    """The cells of a release beside the boards that show them, and the runs behind them: read at once for all."""

    def __init__(self, printed: PrintedRelease, cells: Sequence[ReleaseCell]) -> None:
        self._cells, self._phase = cells, printed.phase
        spec = printed.phase.benchmark.spec
        self._names = naming(printed.phase.benchmark)
        # What many cells have in common is said once: by split, and by submission.
        self._titles: dict[int, str] = {}
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
        about = ("scorer_version", "code_commit", "libraries")
        fields = ("pk", "part", "gold_version_id", "gold_version__number", *about)
        runs = ScoringRun.objects.filter(pk__in=ids).values_list(*fields, named=True)
        self._runs = {run.pk: run for run in runs}
        self._measured: dict[int, dict[str, int]] = defaultdict(dict)
        versions = Score.objects.filter(run__in=ids).order_by().values_list("run", "metric", "metric_version")
        for run, metric, version in versions:
            self._measured[run][metric] = version
        intervals = RunReplicates.objects.filter(run__in=ids).values_list("run", "method", "count", "seed_id")
        self._intervals = {
            run: {"method": method, "resamples": count, "seed_id": seed}
            for run, method, count, seed in intervals
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
            (cell.task.slug, cell.split.slug, self._runs[cell.score.run_id].libraries)
            for cell in self._cells
            if cell.task.slug in self._tasks
        ]
        return used_packages(self._phase.benchmark.spec, noted)

    def systems(self) -> list[dict[str, Any]]:
        """Under each row of the boards its scores, in the order of the boards."""
        by_row = defaultdict(list)
        for cell in self._cells:
            by_row[row_key(self._phase, cell.submission)].append(cell)
        place = {anchor: at for at, anchor in enumerate(self._rows)}
        systems = [self._row(cells) for cells in by_row.values()]
        systems.sort(
            key=lambda row: (place.get(row["anchor"], len(place)), len(row["system"]), row["system"])
        )
        return systems

    def _row(self, cells: list[ReleaseCell]) -> dict[str, Any]:
        """One row with its scores: under the name that the boards give it, where one of them shows it."""
        called = [self._called(system) for system in {cell.system_id: cell.system for cell in cells}.values()]
        said = next((entry for entry in called if entry["anchor"] in self._rows), called[-1])
        if said["anchor"] in self._rows:
            said["system"] = self._rows[said["anchor"]].system
        cells.sort(
            key=lambda cell: (
                cell.task.position,
                cell.split.slug != TEST,
                cell.split.slug,
                cell.track,
                cell.seed,
            )
        )
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

    def _score(self, cell: ReleaseCell, said: Mapping[str, Any]) -> dict[str, Any]:
        run = self._runs[cell.score.run_id]
        key = cell.submission_id
        if key not in self._origins:
            self._origins[key] = {"submission": str(key), **_origin(cell.submission)}
        origin = self._origins[key]
        return {
            "task": cell.task.slug,
            "split": cell.split.slug,
            "title": self._title(cell.task, cell.split),
            "track": cell.track,
            "seed": cell.seed,
            "shown": self._shown(cell, said["anchor"]),
            **(origin if said["system_id"] else dict.fromkeys(origin)),
            "gold_version": run.gold_version__number,
            "metrics": self._metrics(cell.task, run.pk),
            "scorer_version": run.scorer_version,
            "code_commit": run.code_commit or None,
            "libraries": run.libraries,
            "interval": self._intervals.get(run.pk) if cell.disclosed_id is None else None,
            "rule": cell.disclosed.rule if cell.disclosed else None,
            "part": run.part or None,
        }

    def _shown(self, cell: ReleaseCell, anchor: str) -> str:
        """What the task's own board shows of it, metric by metric; empty where that board is about other sets."""
        board = self._boards.get(cell.task.slug)
        if board is None or cell.track not in ("", self._main_track):
            return ""
        about = DEV if board.rank_by.partition("@")[2] == DEV else TEST
        row = self._by_anchor[cell.task.slug].get(anchor)
        if row is None or cell.split.slug != about:
            return ""
        return ", ".join(_score_with_interval(row, column) for column in board.columns)

    def _title(self, task: Task, split: Split) -> str:
        """What a set of items is called; by its id where the definition has lost the task since."""
        if split.pk not in self._titles:
            spec = self._tasks.get(task.slug)
            called = spec.split(split.slug).title if spec else split.slug
            self._titles[split.pk] = f"{task.title}, {called}"
        return self._titles[split.pk]

    def _metrics(self, task: Task, run: int) -> list[dict[str, Any]]:
        """The task's metrics that the run measured, with the version of each."""
        spec, measured = self._tasks.get(task.slug), self._measured[run]
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
