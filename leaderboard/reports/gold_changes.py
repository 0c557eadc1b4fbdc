"""What a release says of changed gold labels: whose scores they moved, by how much, and why."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Split
from benchmarks.spec import OVERALL
from breaking.contests.item_labels import label_changes
from breaking.models import Contest
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from leaderboard.models import Release, ReleaseCell
from leaderboard.pages.rendered_page import RenderedPage
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot, Stored
from scoring.core.measures.seeds import summarise_seeds
from scoring.models import GoldVersion, ScoringRun

Place = tuple[object, int, str]
"""A system's answer: the system's key, the split's and the track."""


class GoldChanges(ReleaseReport):
    """Shown on the overall board's page, and a file of the release: what changed gold labels did to scores."""

    key = "gold"

    def make(self, draft: ReleaseDraft) -> Stored | None:
        return gold_changes(draft.release, draft.cells, draft.boards)

    def parts(self, stored: Stored, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall:
            view = changes_view(stored)
            yield ReportPart(Slot.NOTICES, "public/reports/gold_changes_notice.html", view)
            yield ReportPart(Slot.SECTIONS, "public/reports/gold_changes.html", view)

    def files(self, stored: Stored, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall and place.is_archived:
            yield changes_json(place.path, stored)


def gold_changes(
    release: Release, cells: Sequence[ReleaseCell], boards: Mapping[str, Board]
) -> dict[str, Any] | None:
    """What a release that is about to be published says of gold labels that changed since its phase's last one.

    A submission that counted then and counts now is listed with the value of its task's first metric under either
    version, also where they are equal; what counts for the first time is not. Labels are told where both versions are
    public, else which items a decision about contests changed; of other corrections the note alone.

    Returns
    -------
    None where no gold labels changed, else `{"since", "board", "sets": [{"task", "split", "title",
    "metric", "version_before", "version", "notes": [{"version", "note"}], "items": [{"item", "note", "before",
    "after"}]}], "systems": [{"system", "system_id", "team", "rank_before", "rank", "cells": [{"task", "split", "track",
    "before", "after"}]}]}`. `since` is the number of the release before; values are null where undefined, labels
    where they are not public.
    """
    before = (
        Release.objects.filter(phase=release.phase, number__lt=release.number).order_by("-number").first()
    )
    moved = _moved_splits(before) if before is not None else set()
    if before is None or not moved:
        return None
    old = _answers(_cells_of(before, moved))
    new = _answers([cell for cell in cells if cell.split_id in moved])
    changed = {
        place: (old[place], answer)
        for place, answer in new.items()
        if place in old and old[place].is_rescored_as(answer)
    }
    if not changed:
        return None
    versions = {(one.split.pk, was.version, one.version): one.split for was, one in changed.values()}
    return {
        "since": before.number,
        "board": boards[OVERALL].title,
        "sets": [_set(split, was, now) for (_, was, now), split in sorted(versions.items(), key=_in_order)],
        "systems": list(_systems(changed, before, boards[OVERALL])),
    }


@dataclass(frozen=True, slots=True)
class _Answer:
    """A submission's answer for one split in a release: its value, and the gold version that it was held against."""

    cell: ReleaseCell
    value: float | None
    version: int

    @property
    def split(self) -> Split:
        return self.cell.split

    def is_rescored_as(self, other: _Answer) -> bool:
        """Whether the other is the same submission under other gold labels."""
        is_same = self.cell.submission_id == other.cell.submission_id
        return is_same and self.version != other.version


def _moved_splits(release: Release) -> set[int]:
    """The splits that have other gold labels now than a release was scored with: mostly none, and nothing to read."""
    scored = release.cells.order_by().values_list("split", "score__run__gold_version").distinct()
    current = set(GoldVersion.objects.current().values_list("pk", flat=True))
    return {split for split, version in scored if version not in current}


def _cells_of(release: Release, splits: Collection[int]) -> list[ReleaseCell]:
    rows = ReleaseCell.objects.filter(release=release, split__in=splits)
    return list(rows.select_related("system__team", "task", "split", "score", "disclosed"))


def _answers(cells: Collection[ReleaseCell]) -> dict[Place, _Answer]:
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


def _in_order(one: tuple[tuple[int, int, int], Split]) -> tuple[int, str, int]:
    (_, was, _), split = one
    return split.task.position, split.slug, was


def _set(split: Split, was: int, now: int) -> dict[str, Any]:
    """What changed between two versions of one set's gold labels."""
    versions = {one.pk: one for one in GoldVersion.objects.filter(pk__in=[was, now])}
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


def _items(first: GoldVersion, last: GoldVersion, between: Sequence[int]) -> list[dict[str, Any]]:
    decided = Contest.objects.filter(gold_version__in=between).order_by("decided_at", "item")
    notes = dict(decided.values_list("item", "note"))
    changes = label_changes(first, last)
    if changes is None:
        return [{"item": item, "note": note, "before": None, "after": None} for item, note in notes.items()]
    return [
        {"item": item, "note": notes.get(item, ""), "before": before, "after": after}
        for item, (before, after) in changes.items()
    ]


def _systems(
    changed: Mapping[Place, tuple[_Answer, _Answer]], before: Release, board: Board
) -> Iterator[dict[str, Any]]:
    ranks_before = {row["system_id"]: row["rank"] for row in before.boards[OVERALL]["rows"]}
    ranks = {row.system_id: row.rank for row in board.rows}
    by_system = defaultdict(list)
    for (system, _, _), pair in changed.items():
        by_system[system].append(pair)
    for pairs in by_system.values():
        system = pairs[0][1].cell.system
        key = str(system.pk)
        yield {
            "system": system.name,
            "system_id": key,
            "team": system.team.name,
            "rank_before": ranks_before.get(key),
            "rank": ranks.get(key),
            "cells": [
                {
                    "task": now.cell.task.slug,
                    "split": now.split.slug,
                    "track": now.cell.track,
                    "before": was.value,
                    "after": now.value,
                }
                for was, now in sorted(
                    pairs, key=lambda pair: (pair[1].cell.task.position, pair[1].split.slug)
                )
            ],
        }


# On pages


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One system's value in one set, before and after, as it is printed; ranks stand on a system's first row alone."""

    system: str
    system_id: str | None
    title: str
    before: str
    after: str
    difference: str
    rank_before: str
    rank: str
    row_count: int


@dataclass(frozen=True, slots=True)
class ChangesView:
    """What changed, as a page says it."""

    since: int
    board: str
    sets: Sequence[Mapping[str, Any]]
    rows: tuple[ChangeRow, ...]


def changes_view(report: Mapping[str, Any]) -> ChangesView:
    """The report as pages show it, the best ranked system first."""
    titles = {(one["task"], one["split"]): one["title"] for one in report["sets"]}
    systems = sorted(report["systems"], key=_by_rank)
    rows = tuple(row for system in systems for row in _rows(system, titles))
    return ChangesView(report["since"], report["board"], report["sets"], rows)


def _by_rank(system: Mapping[str, Any]) -> tuple[float, int, str]:
    """By what it is called now, where ranks are shared: real names would tell which of hidden ones is which."""
    rank = system["rank"]
    return float("inf") if rank is None else rank, len(system["system"]), system["system"]


def _rows(system: Mapping[str, Any], titles: Mapping[tuple[str, str], str]) -> Iterator[ChangeRow]:
    for at, cell in enumerate(system["cells"]):
        before, after = cell["before"], cell["after"]
        track = f" ({cell['track']})" if cell["track"] else ""
        yield ChangeRow(
            system=system["system"],
            system_id=system["system_id"],
            title=titles[cell["task"], cell["split"]] + track,
            before=fmt.score(before),
            after=fmt.score(after),
            difference=_signed(before, after),
            rank_before=_rank(system["rank_before"]),
            rank=_rank(system["rank"]),
            row_count=0 if at else len(system["cells"]),
        )


def _signed(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        return fmt.NONE
    shown = fmt.score(after - before)
    return f"+{shown}" if after > before and shown.strip("0.") else shown


def _rank(rank: int | None) -> str:
    return fmt.NONE if rank is None else str(rank)


def changes_json(base: str, report: Mapping[str, Any]) -> RenderedPage:
    """The report as a file of its release, systems in the order of the page."""
    ordered = {**report, "systems": sorted(report["systems"], key=_by_rank)}
    body = json.dumps(ordered, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return RenderedPage(f"{base}/gold-changes.json", "application/json", body.encode() + b"\n")
