"""The mail to a team when something that it sent is published: where its own systems stand, and a link."""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from accounts.mail.outbox import Letter
from accounts.models import Membership
from benchmarks.spec import OVERALL, RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.models import Release
from scoring.disclosure.standings import Standing
from submissions.models import Submission, System
from submissions.systems.pseudonyms import public_names

MOST_NAMED = 3  # systems in a subject
MOST_BOARDS = 5  # lines about a system that has no overall score


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a system stands on one board, among so many that carry a rank."""

    board: Board
    row: BoardRow
    ranked: int

    @property
    def rank(self) -> str:
        if not self.row.rank:
            return "no rank"
        return f"rank {self.row.rank} of {self.ranked}"


def publication_letters(
    release: Release,
    boards: Mapping[str, Board],
    rows: Sequence[Standing],
    published: Collection[uuid.UUID],
) -> list[Letter]:
    """A letter to each member of the teams whose submissions a release is the first to publish.

    It names the team's own systems and nobody else's, so that it may be sent also where systems are anonymous.
    """
    ours = Submission.objects.filter(pk__in=published, system__kind=System.Kind.SYSTEM)
    told = Membership.objects.filter(team__in=ours.values("system__team"))
    systems: dict[uuid.UUID, list[System]] = {}
    for standing in rows:
        systems.setdefault(standing.system.team_id, []).append(standing.system)
    places = {key: _places_on(board) for key, board in boards.items()}
    texts: dict[uuid.UUID, tuple[str, str]] = {}
    letters: dict[int, Letter] = {}
    for one in told.select_related("user").order_by("pk"):
        if one.team_id not in texts:
            own = sorted(systems.get(one.team_id, ()), key=lambda system: system.name)
            texts[one.team_id] = _written(release, own, places)
        subject, text = texts[one.team_id]
        before = letters.get(one.user_id)  # of somebody in two teams
        letters[one.user_id] = (
            Letter(one.user, _is_out(release), f"{before.text}\n\n{text}")
            if before
            else Letter(one.user, subject, text)
        )
    return list(letters.values())


def _written(
    release: Release,
    own: Sequence[System],
    places: Mapping[str, Mapping[str | None, _Place]],
) -> tuple[str, str]:
    """Subject and text for one team."""
    found = {system: list(_places(system, places)) for system in own}
    head = [f"{system} has {where[0].rank}" for system, where in found.items() if where]
    if not head or all(where[0].board.task for where in found.values() if where):
        subject = _is_out(release)
    else:
        subject = f"{release.benchmark}, release {release.number}: {_named(head)}"
    lines = [_line(place) for where in found.values() for place in where]
    text = [
        f"Release {release.number} of {release.benchmark} ({release.phase.title}) is out, with what your team sent.",
        "\n".join(lines) or "None of its scores stand on a board: other submissions counted in every task.",
        *filter(None, [release.batch.disclosed_by.rule.texts.in_mail]),
        *_hidden(release, own),
        f"{settings.SITE_URL}/benchmarks/{release.benchmark_id}/releases/{release.number}/",
        f"Your submissions: {f'{settings.SITE_URL}/submissions/'}",
    ]
    return subject, "\n\n".join(text)


def _is_out(release: Release) -> str:
    named = {"benchmark": release.benchmark, "number": release.number}
    return "{benchmark}: release {number} is out".format(**named)


def _named(head: Sequence[str]) -> str:
    """The first few systems of a subject, and how many more there are."""
    named, more = ", ".join(head[:MOST_NAMED]), len(head) - MOST_NAMED
    if more <= 0:
        return named
    return f"{named} and {more} more"


def _places_on(board: Board) -> dict[str | None, _Place]:
    systems = board.systems
    ranked = sum(row.rank is not None for row in systems)
    return {row.system_id: _Place(board, row, ranked) for row in systems}


def _places(system: System, places: Mapping[str, Mapping[str | None, _Place]]) -> Iterator[_Place]:
    """Its place on the overall board, else on those on which it has a score."""
    own = str(system.pk)
    on = {
        key: place
        for key, found in places.items()
        if (place := found.get(own)) and place.board.rank_by in place.row.cells
    }
    scored = {
        key: place for key, place in on.items() if place.row.cell(place.board.rank_by).value is not None
    }
    if OVERALL in scored:
        yield scored[OVERALL]
    else:
        yield from list(scored.values())[:MOST_BOARDS]


def _line(place: _Place) -> str:
    column = place.board.column(place.board.rank_by)
    sentence = (
        "  %(system)s: %(rank)s in %(board)s, %(score)s"
        if place.board.task
        else "  %(system)s: %(rank)s, %(column)s %(score)s"
    )
    return sentence % {
        "system": place.row.system,
        "rank": place.rank,
        "board": place.board.title,
        "column": column.name,
        "score": fmt.score(place.row.cell(column.key).value),
    }


def _hidden(release: Release, own: Sequence[System]) -> Iterator[str]:
    """What others read in place of the names, where systems are anonymous."""
    if release.benchmark.is_anonymous:
        names = public_names(release.benchmark)
        hidden = [
            f"{system} is called {names[system.pk]}" for system in own if system.kind == RowKind.SYSTEM.value
        ]
        yield f"Systems are anonymous until the organiser lifts that: for others, {', '.join(hidden)}."
