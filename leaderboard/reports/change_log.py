"""What happened to each row of a release since the one before it: frozen with the release, row by row, with reasons."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Phase
from benchmarks.spec import OVERALL, BenchmarkSpec, RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from leaderboard.models import Release, ReleaseCell
from leaderboard.pages.rendered_page import RenderedPage
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot, Stored
from scoring.models import GoldVersion, ScoringRun
from submissions.models import Submission

ENDED = {Submission.Status.WITHDRAWN: "withdrawn", Submission.Status.DISQUALIFIED: "disqualified"}

Place = tuple[str, int, int]
"""A cell of a row: track, split and seed."""
Cells = dict[object, dict[Place, ReleaseCell]]
Change = tuple[str, str, str]
"""Its kind, from what to what if it says so, and the reason: empty where there is none to give."""


class ChangeLog(ReleaseReport):
    """Shown on the page of a release, and a file of it: what happened to each row."""

    key = "changes"

    def make(self, draft: ReleaseDraft) -> Stored | None:
        return change_log(draft.release, draft.cells, draft.boards)

    def parts(self, stored: Stored, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall and place.is_archived:
            yield ReportPart(Slot.CHANGES, "public/reports/change_log.html", log_view(stored, place.spec))

    def files(self, stored: Stored, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall and place.is_archived:
            yield log_json(place.path, stored)


def change_log(
    release: Release, cells: Sequence[ReleaseCell], boards: Mapping[str, Board]
) -> dict[str, Any] | None:
    """The changes of a release that is about to be published since its phase's last one.

    Returns
    -------
    None where there is none before it, else `{"since": int, "systems": [{"system", "system_id", "team",
    "rank_before", "rank", "changes": [{"kind", "step", "reason", "tasks"}]}]}`. A `kind` is one of entered, answered
    (a task for the first time), replaced (another submission counts), gold, scorer and metric (the same submission,
    scored anew), withdrawn, disqualified and left; `step` says from which version to which. Rows with no change are not
    there.
    """
    before = (
        Release.objects.filter(phase=release.phase, number__lt=release.number).order_by("-number").first()
    )
    if before is None:
        return None
    old, new = _by_row(release.phase, _stored(before)), _by_row(release.phase, cells)
    why = _Reasons([*_flat(old), *_flat(new)])
    ranks_before = {row["system_id"]: row["rank"] for row in before.boards[OVERALL]["rows"]}
    ranks = {row.system_id: row.rank for row in boards[OVERALL].rows}
    rows = []
    for key in dict.fromkeys([*new, *old]):
        found = _changes(old.get(key, {}), new.get(key, {}), why)
        if found:
            systems = [cell.system for cell in (*new.get(key, {}).values(), *old.get(key, {}).values())]
            head = next((one for one in systems if str(one.pk) in ranks), systems[0])
            was = next((str(one.pk) for one in systems if str(one.pk) in ranks_before), "")
            rows.append(
                {
                    "system": head.name,
                    "system_id": str(head.pk),
                    "team": head.team.name,
                    "rank_before": ranks_before.get(was),
                    "rank": ranks.get(str(head.pk)),
                    "changes": found,
                }
            )
    return {"since": before.number, "systems": rows}


def _stored(release: Release) -> list[ReleaseCell]:
    rows = ReleaseCell.objects.filter(release=release)
    rows = rows.select_related("submission", "system__team", "task", "score")
    return list(rows.order_by("pk"))


def _by_row(phase: Phase, cells: Iterable[ReleaseCell]) -> Cells:
    rows: Cells = defaultdict(dict)
    for cell in cells:
        is_of_team = phase.one_per_team and cell.system.kind == RowKind.SYSTEM
        key: object = ("team", cell.system.team_id) if is_of_team else cell.system_id
        rows[key][cell.track, cell.split_id, cell.seed] = cell
    return dict(rows)


def _flat(rows: Cells) -> Iterator[ReleaseCell]:
    for row in rows.values():
        yield from row.values()


def _changes(
    old: Mapping[Place, ReleaseCell], new: Mapping[Place, ReleaseCell], why: _Reasons
) -> list[dict[str, Any]]:
    """The changes of one row, each with the tasks that it is about, in their order."""
    tasks: dict[Change, dict[int, str]] = defaultdict(dict)
    for place in dict.fromkeys([*new, *old]):
        was, now = old.get(place), new.get(place)
        cell = now or was
        if cell is None:
            continue
        for change in _of_cell(was, now, why, is_new_row=not old):
            tasks[change][cell.task.position] = cell.task.slug
    return [
        {"kind": kind, "step": step, "reason": reason, "tasks": [slug for _at, slug in sorted(found.items())]}
        for (kind, step, reason), found in tasks.items()
    ]


def _of_cell(
    was: ReleaseCell | None, now: ReleaseCell | None, why: _Reasons, *, is_new_row: bool
) -> Iterator[Change]:
    if was is None:
        yield ("entered" if is_new_row else "answered"), "", ""
    elif now is None:
        yield why.of_end(was) or ("left", "", "")
    elif was.submission_id != now.submission_id:
        if ended := why.of_end(was):
            yield ended
        yield "replaced", "", ""
    elif was.score.run_id != now.score.run_id:
        yield from why.of_run(was, now)


class _Reasons:
    """Why scores are others than before, read at once for all cells."""

    def __init__(self, cells: Sequence[ReleaseCell]) -> None:
        runs = {cell.score.run_id for cell in cells}
        self._runs = ScoringRun.objects.select_related("gold_version").in_bulk(runs)
        self._notes: dict[tuple[int, int], str] = {}
        splits = {run.split_id for run in self._runs.values()}
        versions = GoldVersion.objects.filter(split__in=splits).values_list("split", "number", "note")
        for split, number, note in versions:
            self._notes[split, number] = note
        # Anew: a team may have withdrawn since the cells were read.
        ended = Submission.objects.filter(
            pk__in={cell.submission_id for cell in cells}, status__in=ENDED
        ).values_list("pk", "status", "status_reason")
        self._ended = {
            # Who of a team withdrew is nobody else's business.
            pk: (ENDED[Submission.Status(status)], reason if status == Submission.Status.DISQUALIFIED else "")
            for pk, status, reason in ended
        }

    def of_end(self, cell: ReleaseCell) -> Change | None:
        """How the submission behind a cell ended; None where it did not."""
        found = self._ended.get(cell.submission_id)
        return (found[0], "", found[1]) if found else None

    def of_run(self, was: ReleaseCell, now: ReleaseCell) -> Iterator[Change]:
        """What is another between two runs of the same predictions."""
        old, new = self._runs[was.score.run_id], self._runs[now.score.run_id]
        first, last = old.gold_version.number, new.gold_version.number
        if first != last:
            notes = [self._notes.get((new.split_id, number), "") for number in range(first + 1, last + 1)]
            yield "gold", f"{first} → {last}", " ".join(note for note in notes if note)
        if was.score.metric_version != now.score.metric_version:
            yield "metric", f"{was.score.metric_version} → {now.score.metric_version}", now.score.metric
        elif old.scorer_version != new.scorer_version:
            yield "scorer", f"{old.scorer_version} → {new.scorer_version}", ""


# On pages


@dataclass(frozen=True, slots=True)
class LogRow:
    """One change of one row, in words; name and ranks stand on a row's first line alone, over `row_count` lines."""

    system: str
    system_id: str | None
    team: str
    rank_before: str
    rank: str
    row_count: int
    what: str
    tasks: str
    reason: str


@dataclass(frozen=True, slots=True)
class LogView:
    """The change log of a release, as a page prints it."""

    since: int
    rows: tuple[LogRow, ...]

    @property
    def has_reasons(self) -> bool:
        """Whether there is a reason to tell of any change."""
        return any(row.reason for row in self.rows)


def log_view(report: Mapping[str, Any], spec: BenchmarkSpec) -> LogView:
    """The report as everybody may see it, the best ranked row first."""
    titles = {task.id: task.code for task in spec.tasks}
    return LogView(report["since"], tuple(row for one in _public(report) for row in _log_rows(one, titles)))


def _public(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Its rows in an order that tells no name, without what the team of a hidden system was told or said."""
    rows = sorted(report["systems"], key=_by_rank)
    return [
        row if row["system_id"] else row | {"changes": [*map(_unreasoned, row["changes"])]} for row in rows
    ]


def _unreasoned(change: dict[str, Any]) -> dict[str, Any]:
    return change | {"reason": ""} if change["kind"] in ENDED.values() else change


def _by_rank(row: Mapping[str, Any]) -> tuple[float, float, int, str]:
    ranks = [float("inf") if rank is None else rank for rank in (row["rank"], row["rank_before"])]
    return ranks[0], ranks[1], len(row["system"]), row["system"]


def _log_rows(row: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[LogRow]:
    for at, change in enumerate(row["changes"]):
        yield LogRow(
            system=row["system"],
            system_id=row["system_id"],
            team=row["team"],
            rank_before=_rank(row["rank_before"]),
            rank=_rank(row["rank"]),
            row_count=0 if at else len(row["changes"]),
            what=_in_words(change["kind"], change["step"]),
            tasks=", ".join(titles.get(task, task) for task in change["tasks"]),
            reason=change["reason"],
        )


def _in_words(kind: str, step: str) -> str:
    words = {
        "entered": "entered",
        "answered": "answered for the first time",
        "replaced": "another submission",
        "corrected": "another submission",  # what releases froze before there was `replaced`
        "gold": "re-scored: gold labels, version %(step)s",
        "scorer": "re-scored: scorer, version %(step)s",
        "metric": "re-scored: metric, version %(step)s",
        "withdrawn": "withdrawn",
        "disqualified": "disqualified",
        "left": "left: no answer counts any more",
    }
    return words[kind] % {"step": step}


def _rank(rank: int | None) -> str:
    return fmt.NONE if rank is None else str(rank)


def log_json(base: str, report: Mapping[str, Any]) -> RenderedPage:
    """The report as a file of its release, in the order of the page."""
    said = {"since": report["since"], "systems": _public(report)}
    body = json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return RenderedPage(f"{base}/changes.json", "application/json", body.encode() + b"\n")
