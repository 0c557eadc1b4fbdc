"""The mail to a team when something that it sent is published: where its own systems stand, and a link."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from accounts.mail.outbox import Letter
from accounts.models import Membership
from benchmarks.models import Benchmark
from benchmarks.spec import OVERALL, RowKind
from leaderboard.board.analysis.own_result import OwnResult, own_result
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import standing_in_words
from leaderboard.models import Release
from leaderboard.pages.rendered_release import PrintedRelease, with_all_rows
from leaderboard.rendering.release_places import scored_in
from leaderboard.reports.log_head import LogHeadPayload, LogHeadReport
from scoring.disclosure.standings import Standing
from submissions.models import Submission, System
from submissions.systems.pseudonyms import public_names

MOST_NAMED = 3  # systems in a subject
MOST_BOARDS = 5  # lines about a system that has no overall score


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a system stands on one board, among so many that carry a rank; on the overall one with what that means."""

    board: Board
    row: BoardRow
    ranked: int
    result: OwnResult | None = None

    @property
    def rank(self) -> str:
        return standing_in_words(self.board, self.row, self.ranked)

    @property
    def standing(self) -> str:
        """What goes on from the system's name: "has rank 2 of 9", "is first in 1 of 3 rankings"."""
        return f"{'is' if self.board.by_column else 'has'} {self.rank}"

    @property
    def score(self) -> float | None:
        return self.row.value(self.board.rank_by)

    @property
    def about(self) -> str:
        """What the board ranks by."""
        return self.board.title if self.board.task else self.board.column(self.board.rank_by).name

    @property
    def line(self) -> str:
        score = fmt.score(self.score)
        where = f"{self.rank}, {self.about} {score}"
        if self.board.by_column:
            where = self.rank
        elif self.board.task:
            where = f"{self.rank} in {self.about}, {score}"
        return f"  {self.row.system}: {where}{''.join(f'{chr(10)}    {told}' for told in self._told())}"

    def _told(self) -> Iterator[str]:
        """What has changed, why there is no rank or what was decided about the neighbours, and where most is to gain.

        Where each column is a ranking, those in which the system stands farthest from the top.
        """
        if self.result is None:
            return
        if self.board.by_column:
            yield from filter(None, [self.result.rest])
            return
        why = self.result.why_no_rank
        yield " ".join([self.result.lead, *([f"No rank: {why}."] if why else []), *self.result.verdicts])
        weakest = self.result.weakest
        if weakest and weakest.gain is not None:
            yield (
                f"{weakest.column.name} holds it back most: half of the way to the best there would add "
                f"{fmt.signed(weakest.gain)}."
            )


def publication_letters(
    release: Release,
    boards: Mapping[str, Board],
    rows: Sequence[Standing],
    published: Collection[uuid.UUID],
    printed: PrintedRelease,
) -> list[Letter]:
    """A letter to each member of the teams whose submissions a release is the first to publish.

    Whoever may not open the pages of a benchmark that has become private is told no place and no other system.
    Each calls other teams' systems what public pages call them, so that it may be sent also where they are anonymous:
    `printed` is the release as everybody sees it.
    """
    ours = Submission.objects.filter(pk__in=published, system__kind=System.Kind.SYSTEM)
    found = Membership.objects.filter(team__in=ours.values("system__team"))
    memberships = list(found.select_related("user").order_by("pk"))
    systems: dict[uuid.UUID, list[System]] = {membership.team_id: [] for membership in memberships}
    for standing in rows:
        if standing.system.team_id in systems:
            systems[standing.system.team_id].append(standing.system)
    own_keys = {str(system.pk) for of_team in systems.values() for system in of_team}
    results = _Results(release, printed)
    places: dict[str | None, dict[str, _Place]] = defaultdict(dict)
    for key, board in boards.items():
        for row in board.systems:
            if row.system_id in own_keys:
                result = results.of(row) if key == OVERALL else None
                places[row.system_id][key] = _Place(board, row, board.ranked_count, result)
    texts: dict[tuple[uuid.UUID, bool], tuple[str, str]] = {}
    letters: dict[int, Letter] = {}
    for membership in memberships:
        team, is_shown = membership.team_id, Benchmark.objects.is_shown_to(membership.user, release.benchmark)
        if (team, is_shown) not in texts:
            own = sorted(systems[team], key=lambda system: system.name)
            texts[team, is_shown] = (
                _written(release, {system: _scored(places[str(system.pk)]) for system in own})
                if is_shown
                else (_is_out(release), _in_private(release))
            )
        subject, text = texts[team, is_shown]
        before = letters.get(membership.user_id)  # of somebody in two teams
        letters[membership.user_id] = (
            Letter(membership.user, _is_out(release), f"{before.text}\n\n{text}")
            if before
            else Letter(membership.user, subject, text)
        )
    return list(letters.values())


class _Results:
    """What a release means for its systems, by the overall boards that everybody sees."""

    def __init__(self, release: Release, printed: PrintedRelease) -> None:
        self._benchmark, self._printed = release.benchmark, printed
        self._board, self._earlier = printed.rankings[0], printed.rankings[1:]
        names = public_names(release.benchmark) if release.benchmark.is_anonymous else {}
        self._called = {str(pk): name.name for pk, name in names.items()}
        self._rows = {row.identity: row for row in reversed(self._board.systems)}

    def of(self, row: BoardRow) -> OwnResult | None:
        """What it means for the system of a row as it is frozen; None where pages do not show it."""
        key = row.system_id or ""
        known = self._rows.get((key, "")) or self._rows.get(("", self._called.get(key, "")))
        if known is None:
            return None
        return own_result(self._board, known, self._before(key, known), self._benchmark.spec)

    def _before(self, key: str, known: BoardRow) -> list[Board]:
        """The newest earlier ranking that has a score of the system, of those that can be compared."""
        before = self._printed.before
        was = before.system_like(known) if before else None
        if before is None or (was is not None and was.value(before.rank_by) is not None):
            return [before] if before else []
        comparable = {head.release: head for head in self._earlier if head.ranked_as == self._board.ranked_as}
        scored = scored_in(uuid.UUID(key), self._benchmark.pk)
        newest = max(comparable.keys() & scored, default=None)
        return [] if newest is None else [with_all_rows(self._benchmark, comparable[newest])]


def _written(release: Release, own: Mapping[System, Sequence[_Place]]) -> tuple[str, str]:
    """Subject and text for one team, with the places of its systems."""
    head = [f"{system} {places[0].standing}" for system, places in own.items() if places]
    named = ", ".join(head[:MOST_NAMED])
    if len(head) > MOST_NAMED:
        named += f" and {len(head) - MOST_NAMED} more"
    is_led = head and not all(places[0].board.task for places in own.values() if places)
    subject = f"{release.benchmark}, release {release.number}: {named}" if is_led else _is_out(release)
    lines = [place.line for places in own.values() for place in places]
    text = [
        f"Release {release.number} of {release.benchmark} ({release.phase.title}) is out, with what your team sent.",
        "\n".join(lines) or "None of its scores stand on a board: other submissions counted in every task.",
        "" if release.batch.is_final else release.batch.rule.texts.in_mail,
        _hidden(release, own),
        f"{settings.SITE_URL}/benchmarks/{release.benchmark_id}/releases/{release.number}/",
        f"Your submissions: {settings.SITE_URL}/submissions/",
        _checkpoint(release),
    ]
    return subject, "\n\n".join(filter(None, text))


def _checkpoint(release: Release) -> str:
    """What was signed of the log just before the release, for whoever keeps the mail."""
    head: LogHeadPayload | None = release.reports.get(LogHeadReport.key)
    if head is None:
        return ""
    return (
        f"To check later that nothing of before was changed, keep this checkpoint in a file and run `heldout audit "
        f"{settings.SITE_URL} --since FILE`:\n\n{head['note']}"
    )


def _is_out(release: Release) -> str:
    return f"{release.benchmark}: release {release.number} is out"


def _in_private(release: Release) -> str:
    """The text for those who may not open the pages of a benchmark that is not public any more."""
    return (
        f"Release {release.number} of {release.benchmark} ({release.phase.title}) is out, with what your team sent. "
        "The benchmark is not public any more: its boards are for teams that its organisers have approved. What your "
        f"team scored stays yours:\n\n{settings.SITE_URL}/submissions/"
    )


def _scored(places: Mapping[str, _Place]) -> list[_Place]:
    """A system's place on the overall board, else on the first boards on which it has a score.

    A board of several columns may be ranked by what another board is about; its place there is told once.
    """
    scored = {key: place for key, place in places.items() if place.score is not None}
    if OVERALL in scored:
        return [scored[OVERALL]]
    told: dict[str, _Place] = {}
    for place in scored.values():
        told.setdefault(place.about, place)
    return list(told.values())[:MOST_BOARDS]


def _hidden(release: Release, own: Iterable[System]) -> str:
    """What others read in place of the names, where systems are anonymous."""
    if not release.benchmark.is_anonymous:
        return ""
    names = public_names(release.benchmark)
    hidden = [
        f"{system} is called {names[system.pk]}" for system in own if system.kind == RowKind.SYSTEM.value
    ]
    return f"Systems are anonymous until the organiser lifts that: for others, {', '.join(hidden)}."
