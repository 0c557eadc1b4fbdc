"""What happened to each row of a release since the one before it: frozen with the release, row by row, with reasons."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from django.db.models import QuerySet

from benchmarks.models import Phase
from benchmarks.spec import OVERALL, BenchmarkSpec, RowKind
from leaderboard.board.model.serialization import json_bytes
from leaderboard.models import ReleaseCell
from leaderboard.release_cells import AnyCell
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.reports.report import (
    BoardPlace,
    RankedRow,
    ReleaseDraft,
    ReleaseReport,
    ReportPart,
    Slot,
    by_rank,
    called_and_ranked,
)
from scoring.models import GoldVersion, ScoringRun
from submissions.models import Submission, System

ENDED = {Submission.Status.WITHDRAWN: "withdrawn", Submission.Status.DISQUALIFIED: "disqualified"}
WORDS = {
    "entered": "entered",
    "answered": "answered for the first time",
    "replaced": "another submission",
    "corrected": "another submission",  # what releases froze before there was `replaced`
    "gold": "re-scored: gold labels, version {}",
    "scorer": "re-scored: scorer, version {}",
    "metric": "re-scored: metric, version {}",
    "withdrawn": "withdrawn",
    "disqualified": "disqualified",
    "left": "left: no answer counts any more",
}

Place = tuple[str, int, int]
"""A cell of a row: track, split and seed."""
Cells = dict[object, dict[Place, AnyCell]]
Change = tuple[str, str, str]
"""Its kind, from what to what if it says so, and the reason: empty where there is none to give."""


class RowChange(TypedDict):
    """What happened to a row, to the answers to these tasks.

    A `kind` is one of entered, answered (a task for the first time), replaced (another submission counts), gold, scorer
    and metric (the same submission, scored anew), withdrawn, disqualified and left; `step` says from which version to
    which.
    """

    kind: str
    step: str
    reason: str
    tasks: list[str]


class ChangedRow(RankedRow):
    """A row that something happened to."""

    changes: list[RowChange]


class ChangeLogPayload(TypedDict):
    """All changes since the release of that number."""

    since: int
    systems: list[ChangedRow]


class ChangeLog(ReleaseReport[ChangeLogPayload]):
    """Shown on the page of a release, and a file of it: what happened to each row."""

    key = "changes"

    def make(self, draft: ReleaseDraft) -> ChangeLogPayload | None:
        """The changes since the phase's last release, without rows that have none; None where there is none before."""
        before = draft.before
        if before is None:
            return None
        stored = ReleaseCell.objects.of(before).order_by("place")
        phase, changed = draft.release.phase, _systems_of_changed_rows(stored, draft)
        stored = stored.filter(system__in=changed)
        old = _by_row(phase, stored.select_related("submission", "system__team", "task", "score"))
        new = _by_row(phase, (cell for cell in draft.cells if cell.system_id in changed))
        why = _Reasons([cell for rows in (old, new) for row in rows.values() for cell in row.values()])
        systems: list[ChangedRow] = []
        for key in dict.fromkeys([*new, *old]):
            was, now = old.get(key, {}), new.get(key, {})
            if changes := _changes(was, now, why):
                of_row = [cell.system for cell in (*now.values(), *was.values())]
                row = called_and_ranked(of_row, before, draft.boards[OVERALL])
                systems.append({**row, "changes": changes})
        return {"since": before.number, "systems": systems}

    def parts(self, stored: ChangeLogPayload, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall and place.is_archived:
            view = log_view(stored, place.spec)
            yield ReportPart(Slot.CHANGES, "public/reports/change_log.html", view)

    def files(self, stored: ChangeLogPayload, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall and place.is_archived:
            body = json_bytes({"since": stored["since"], "systems": _public(stored)})
            yield RenderedPage(f"{place.path}/changes.json", "application/json", body)


def _systems_of_changed_rows(stored: QuerySet[ReleaseCell], draft: ReleaseDraft) -> set[uuid.UUID]:
    """All systems in rows in which a cell is there or not, or is of another scoring run than in these stored cells."""
    columns = ("system_id", "track", "split_id", "seed", "score__run_id")
    was = {tuple(place): run for *place, run in stored.values_list(*columns)}
    now = {(cell.system_id, cell.track, cell.split_id, cell.seed): cell.score.run_id for cell in draft.cells}
    changed = {place[0] for place in was.keys() | now.keys() if was.get(place) != now.get(place)}
    if not draft.release.phase.one_per_team:
        return changed
    teams = System.objects.filter(pk__in=changed).values("team")
    return set(System.objects.filter(team__in=teams).values_list("pk", flat=True))


def _by_row(phase: Phase, cells: Iterable[AnyCell]) -> Cells:
    rows: Cells = defaultdict(dict)
    for cell in cells:
        is_of_team = phase.one_per_team and cell.system.kind == RowKind.SYSTEM
        key: object = ("team", cell.system.team_id) if is_of_team else cell.system_id
        rows[key][cell.track, cell.split_id, cell.seed] = cell
    return dict(rows)


class _Reasons:
    """Why scores are others than before, read at once for all cells."""

    def __init__(self, cells: Sequence[AnyCell]) -> None:
        runs = ScoringRun.objects.select_related("gold_version")
        self._runs = runs.in_bulk({cell.score.run_id for cell in cells})
        versions = GoldVersion.objects.filter(split__in={run.split_id for run in self._runs.values()})
        notes = versions.values_list("split", "number", "note")
        self._notes = {(split, number): note for split, number, note in notes}
        # Anew: a team may have withdrawn since the cells were read.
        ended = Submission.objects.filter(
            pk__in={cell.submission_id for cell in cells}, status__in=ENDED
        ).values_list("pk", "status", "status_reason")
        self._ended: dict[object, Change] = {
            # Who of a team withdrew is nobody else's business.
            pk: (
                ENDED[Submission.Status(status)],
                "",
                reason if status == Submission.Status.DISQUALIFIED else "",
            )
            for pk, status, reason in ended
        }

    def of_cell(self, was: AnyCell | None, now: AnyCell | None, *, is_new_row: bool) -> Iterator[Change]:
        if was is None:
            yield ("entered" if is_new_row else "answered"), "", ""
        elif now is None:
            yield self._ended.get(was.submission_id, ("left", "", ""))
        elif was.submission_id != now.submission_id:
            if was.submission_id in self._ended:
                yield self._ended[was.submission_id]
            yield "replaced", "", ""
        elif was.score.run_id != now.score.run_id:
            yield from self._of_run(was, now)

    def _of_run(self, was: AnyCell, now: AnyCell) -> Iterator[Change]:
        """What is another between two runs of the same predictions."""
        old, new = self._runs[was.score.run_id], self._runs[now.score.run_id]
        first, last = old.gold_version.number, new.gold_version.number
        if first != last:
            notes = [self._notes.get((new.split_id, number), "") for number in range(first + 1, last + 1)]
            yield "gold", f"{first} → {last}", " ".join(filter(None, notes))
        if was.score.metric_version != now.score.metric_version:
            yield "metric", f"{was.score.metric_version} → {now.score.metric_version}", now.score.metric
        elif old.scorer_version != new.scorer_version:
            yield "scorer", f"{old.scorer_version} → {new.scorer_version}", ""


def _changes(old: Mapping[Place, AnyCell], new: Mapping[Place, AnyCell], why: _Reasons) -> list[RowChange]:
    """The changes of one row, each with the tasks that it is about, in their order."""
    tasks: dict[Change, dict[int, str]] = defaultdict(dict)
    for place in dict.fromkeys([*new, *old]):
        task = (new.get(place) or old[place]).task
        for change in why.of_cell(old.get(place), new.get(place), is_new_row=not old):
            tasks[change][task.position] = task.slug
    return [
        {"kind": kind, "step": step, "reason": reason, "tasks": [slug for _, slug in sorted(slugs.items())]}
        for (kind, step, reason), slugs in tasks.items()
    ]


# On pages


def log_view(report: ChangeLogPayload, spec: BenchmarkSpec) -> dict[str, Any]:
    """The report as everybody may see it, the best ranked row first, each change in words as `what` and `titles`."""
    codes = {task.id: task.code for task in spec.tasks}
    systems = _public(report)
    for change in (changes := [change for system in systems for change in system["changes"]]):
        change["what"] = WORDS[change["kind"]].format(change["step"])
        change["titles"] = ", ".join(codes.get(task, task) for task in change["tasks"])
    has_reasons = any(change["reason"] for change in changes)
    return {"since": report["since"], "systems": systems, "has_reasons": has_reasons}


def _public(report: ChangeLogPayload) -> list[dict[str, Any]]:
    """Its rows in an order that tells no name, without what the team of a hidden system was told or said."""
    return [
        {
            **row,
            "changes": [
                {
                    **change,
                    **({"reason": ""} if not row["system_id"] and change["kind"] in ENDED.values() else {}),
                }
                for change in row["changes"]
            ],
        }
        for row in sorted(report["systems"], key=lambda row: by_rank(row, "rank", "rank_before"))
    ]
