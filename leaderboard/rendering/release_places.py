"""Where systems stood in each release, and who led it: kept at publication, so that nobody reads earlier boards."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import BinaryField
from django.db.models.functions import Cast

from benchmarks.fields import unpacked
from leaderboard.board.model.board import Board
from leaderboard.board.model.leading_rows import leading_rows
from leaderboard.board.model.serialization import from_dict, head_of
from leaderboard.board.tables.system_lines import PlaceInRelease, places
from leaderboard.models import Release, ReleaseHead, ReleasePlace
from submissions.models import System

HELD = 2048
"""So many heads stay in the memory of a process, of a few kilobytes each."""
_KEPT = ("score", "rank", "rank_low", "rank_high", "instead")


def keep_places(releases: Iterable[Release]) -> None:
    """Store the places of systems in these releases, for good; part of the transaction that publishes them."""
    for release in releases:
        board = from_dict(release.ranking)
        found = places(board)
        known = System.objects.filter(pk__in=found).values_list("pk", flat=True)
        ReleaseHead.objects.create(
            release=release,
            board=head_of(release.ranking),
            ranked_on=release.reports_for_later.get("ranked_on"),
            ranked=len(board.ranked),
            leading=leading_rows(release.ranking),
        )
        ReleasePlace.objects.bulk_create(_row(release, key, found[str(key)]) for key in known)


def _row(release: Release, system: UUID, place: PlaceInRelease) -> ReleasePlace:
    return ReleasePlace(release=release, system_id=system, **{name: getattr(place, name) for name in _KEPT})


def places_of(system: UUID, benchmark: str) -> dict[int, PlaceInRelease]:
    """The places of a system in the releases of a benchmark, by their numbers."""
    rows = ReleasePlace.objects.filter(system=system, release__benchmark=benchmark)
    return {
        number: PlaceInRelease(*said)
        for number, *said in rows.values_list("release__number", *_KEPT, "release__head__ranked")
    }


def scored_in(system: UUID, benchmark: str) -> set[int]:
    """The numbers of a benchmark's releases whose overall boards have a score of a system."""
    rows = ReleasePlace.objects.filter(system=system, release__benchmark=benchmark, score__isnull=False)
    return set(rows.values_list("release__number", flat=True))


def heads_of(benchmark: str, before: int | None = None) -> list[tuple[Board, Any]]:
    """The overall boards of releases as frozen, with their leading rows alone, the newest first: all, or `before` one.

    With each the report `ranked_on`, None where it has none. What is not kept of a release is taken from its ranking.
    """
    releases = Release.objects.of(benchmark)
    if before is not None:
        releases = releases.filter(number__lt=before)
    packed = (Cast(f"head__{name}", BinaryField()) for name in ("board", "leading", "ranked_on"))
    kept: list[tuple[int, Any, Any, Any]] = list(releases.values_list("number", *packed))
    lacking = [number for number, board, leading, _ in kept if board is None or leading is None]
    columns = ("number", "ranking", "reports_for_later")
    frozen = {
        number: (from_dict({**head_of(ranking), **leading_rows(ranking)}), reports.get("ranked_on"))
        for number, ranking, reports in releases.filter(number__in=lacking).values_list(*columns)
    }
    return [
        frozen.get(number) or _head(bytes(board), bytes(leading), None if report is None else bytes(report))
        for number, board, leading, report in kept
    ]


@lru_cache(maxsize=HELD)
def _head(board: bytes, leading: bytes, ranked_on: bytes | None) -> tuple[Board, Any]:
    """One of `heads_of`, of what is stored of it: that never changes, and every printing reads all."""
    report = None if ranked_on is None else unpacked(ranked_on)
    return from_dict({**unpacked(board), **unpacked(leading)}), report
