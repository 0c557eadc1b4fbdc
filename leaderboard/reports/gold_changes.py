"""What a release says of changed gold labels: whose scores they moved, by how much, and why."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from benchmarks.models import Split
from benchmarks.spec import OVERALL
from breaking.contests.item_labels import label_changes
from breaking.models import Contest
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.serialization import json_bytes
from leaderboard.models import Release, ReleaseCell
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
from scoring.core.measures.seeds import summarise_seeds
from scoring.models import GoldVersion, ScoringRun

Place = tuple[object, int, str]
"""A system's answer: the system's key, the split's and the track."""


class GoldNote(TypedDict):
    """Why a version of gold labels was loaded."""

    version: int
    note: str


class ChangedItem(TypedDict):
    """An item whose label changed; the labels are None where they are not public."""

    item: str
    note: str
    before: str | None
    after: str | None


class ChangedSet(TypedDict):
    """A set of items with other gold labels than before."""

    task: str
    split: str
    title: str
    metric: str
    version_before: int
    version: int
    notes: list[GoldNote]
    items: list[ChangedItem]


class RescoredCell(TypedDict):
    """A value under either version; None where undefined."""

    task: str
    split: str
    track: str
    before: float | None
    after: float | None


class RescoredSystem(RankedRow):
    """A system with the values that were made anew."""

    cells: list[RescoredCell]


class GoldChangesPayload(TypedDict):
    """What changed since the release of that number, on the board of that title."""

    since: int
    board: str
    sets: list[ChangedSet]
    systems: list[RescoredSystem]


class GoldChanges(ReleaseReport[GoldChangesPayload]):
    """Shown on the overall board's page, and a file of the release: what changed gold labels did to scores."""

    key = "gold"

    def make(self, draft: ReleaseDraft) -> GoldChangesPayload | None:
        """What the release says of gold labels that changed since its phase's last one; None where none did.

        A submission that counted then and counts now is listed with the value of its task's first metric under either
        version, also where they are equal; what counts for the first time is not. Labels are told where both versions
        are public, else which items a decision about contests changed; of other corrections the note alone.
        """
        before, board = draft.before, draft.boards[OVERALL]
        moved = _moved_splits(before) if before is not None else set()
        if before is None or not moved:
            return None
        stored = ReleaseCell.objects.of(before).filter(split__in=moved).order_by("place")
        old = _answers(list(stored.select_related("system__team", "task", "split", "score", "disclosed")))
        new = _answers([cell for cell in draft.cells if cell.split_id in moved])
        changed = [
            (old[place], answer)
            for place, answer in new.items()
            if place in old
            and old[place].cell.submission_id == answer.cell.submission_id
            and old[place].version != answer.version
        ]
        if not changed:
            return None
        versions = {(was.version, now.version, now.cell.split_id): now.cell.split for was, now in changed}
        by_system: dict[object, list[tuple[_Answer, _Answer]]] = defaultdict(list)
        for was, now in changed:
            by_system[now.cell.system_id].append((was, now))
        return {
            "since": before.number,
            "board": board.title,
            "sets": [
                _set(split, was, now)
                for (was, now, _), split in sorted(
                    versions.items(), key=lambda item: (item[1].task.position, item[1].slug, item[0])
                )
            ],
            "systems": [
                {**called_and_ranked([pairs[0][1].cell.system], before, board), "cells": _cells(pairs)}
                for pairs in by_system.values()
            ],
        }

    def parts(self, stored: GoldChangesPayload, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall:
            view = changes_view(stored)
            yield ReportPart(Slot.NOTICES, "public/reports/gold_changes_notice.html", view)
            yield ReportPart(Slot.SECTIONS, "public/reports/gold_changes.html", view)

    def files(self, stored: GoldChangesPayload, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall and place.is_archived:
            body = json_bytes(_in_order(stored))
            yield RenderedPage(f"{place.path}/gold-changes.json", "application/json", body)


@dataclass(frozen=True, slots=True)
class _Answer:
    """A submission's answer for one split in a release: its value, and the gold version that it was held against."""

    cell: AnyCell
    value: float | None
    version: int


def _moved_splits(release: Release) -> set[int]:
    """The splits that have other gold labels now than a release was scored with: mostly none, and nothing to read."""
    cells = ReleaseCell.objects.of(release)
    scored = cells.values_list("split", "score__run__gold_version").distinct()
    current = set(GoldVersion.objects.current().values_list("pk", flat=True))
    return {split for split, version in scored if version not in current}


def _answers(cells: Collection[AnyCell]) -> dict[Place, _Answer]:
    """The answers of a release; a value of several seeds is their mean."""
    runs = ScoringRun.objects.only("gold_version_id").in_bulk({cell.score.run_id for cell in cells})
    by_place = defaultdict(list)
    for cell in cells:
        by_place[cell.system_id, cell.split_id, cell.track].append(cell)
    return {
        place: _Answer(own[0], _mean([cell.value for cell in own]), runs[own[0].score.run_id].gold_version_id)
        for place, own in by_place.items()
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return summarise_seeds(known).mean if len(known) == len(values) else None


def _set(split: Split, was: int, now: int) -> ChangedSet:
    """What changed between two versions of one set's gold labels."""
    versions = {version.pk: version for version in GoldVersion.objects.filter(pk__in=[was, now])}
    first, last = versions[was], versions[now]
    between = GoldVersion.objects.filter(split=split, number__gt=first.number, number__lte=last.number)
    task = split.task.spec
    return {
        "task": task.id,
        "split": split.slug,
        "title": f"{task.title}, {task.split(split.slug).title}",
        "metric": task.primary_metric.title,
        "version_before": first.number,
        "version": last.number,
        "notes": [
            {"version": number, "note": note}
            for number, note in between.order_by("number").values_list("number", "note")
        ],
        "items": _items(first, last, list(between.values_list("pk", flat=True))),
    }


def _items(first: GoldVersion, last: GoldVersion, between: Sequence[int]) -> list[ChangedItem]:
    decided = Contest.objects.filter(gold_version__in=between).order_by("decided_at", "item")
    notes = dict(decided.values_list("item", "note"))
    changes = label_changes(first, last)
    if changes is None:
        return [{"item": item, "note": note, "before": None, "after": None} for item, note in notes.items()]
    return [
        {"item": item, "note": notes.get(item, ""), "before": before, "after": after}
        for item, (before, after) in changes.items()
    ]


def _cells(pairs: Sequence[tuple[_Answer, _Answer]]) -> list[RescoredCell]:
    """The values of one system before and after, in the order of tasks and sets."""
    ordered = sorted(pairs, key=lambda pair: (pair[1].cell.task.position, pair[1].cell.split.slug))
    return [
        {
            "task": now.cell.task.slug,
            "split": now.cell.split.slug,
            "track": now.cell.track,
            "before": was.value,
            "after": now.value,
        }
        for was, now in ordered
    ]


# On pages


def changes_view(report: GoldChangesPayload) -> dict[str, Any]:
    """The report as pages show it, the best ranked system first, each cell with its set's `title` and `difference`."""
    titles = {(part["task"], part["split"]): part["title"] for part in report["sets"]}
    return {
        **report,
        "systems": [
            {**system, "cells": [_printed(cell, titles) for cell in system["cells"]]}
            for system in _in_order(report)["systems"]
        ],
    }


def _in_order(report: GoldChangesPayload) -> GoldChangesPayload:
    return {**report, "systems": sorted(report["systems"], key=lambda row: by_rank(row, "rank"))}


def _printed(cell: RescoredCell, titles: Mapping[tuple[str, str], str]) -> dict[str, str]:
    before, after = cell["before"], cell["after"]
    difference = fmt.NONE if before is None or after is None else fmt.score(after - before)
    is_higher = before is not None and after is not None and after > before and difference.strip("0.") != ""
    track = f" ({cell['track']})" if cell["track"] else ""
    return {
        "title": titles[cell["task"], cell["split"]] + track,
        "before": fmt.score(before),
        "after": fmt.score(after),
        "difference": f"+{difference}" if is_higher else difference,
    }
