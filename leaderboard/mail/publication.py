"""The mail to a team when something that it sent is published: where its own systems stand, and a link."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from accounts.mail.outbox import Letter
from accounts.models import Membership
from benchmarks.spec import OVERALL, RowKind
from leaderboard.board.analysis.own_result import OwnResult, own_result, own_row
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import standing_in_words
from leaderboard.models import Release
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
    def score(self) -> float | None:
        return self.row.value(self.board.rank_by)

    @property
    def line(self) -> str:
        if self.board.by_column:
            return f"  {self.row.system}: {self.rank}"
        name = self.board.column(self.board.rank_by).name
        score = fmt.score(self.score)
        where = (
            f"{self.rank} in {self.board.title}, {score}"
            if self.board.task
            else f"{self.rank}, {name} {score}"
        )
        return f"  {self.row.system}: {where}{''.join(f'{chr(10)}    {told}' for told in self._told())}"

    def _told(self) -> Iterator[str]:
        """What has changed, what was decided about the neighbours, and where most is to be gained."""
        if self.result is None:
            return
        yield " ".join([self.result.lead, *self.result.verdicts])
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
    rankings: Sequence[Board],
) -> list[Letter]:
    """A letter to each member of the teams whose submissions a release is the first to publish.

    It calls other teams' systems what public pages call them, so that it may be sent also where they are anonymous:
    `rankings` are the overall boards of this release and those before it as everybody sees them, the newest first.
    """
    ours = Submission.objects.filter(pk__in=published, system__kind=System.Kind.SYSTEM)
    memberships = Membership.objects.filter(team__in=ours.values("system__team"))
    systems: dict[uuid.UUID, list[System]] = defaultdict(list)
    for standing in rows:
        systems[standing.system.team_id].append(standing.system)
    places: dict[str | None, dict[str, _Place]] = defaultdict(dict)
    for key, board in boards.items():
        ranked = sum(row.rank is not None for row in board.systems)
        for row in board.systems:
            result = _result(release, row, rankings) if key == OVERALL else None
            places[row.system_id][key] = _Place(board, row, ranked, result)
    texts: dict[uuid.UUID, tuple[str, str]] = {}
    letters: dict[int, Letter] = {}
    for membership in memberships.select_related("user").order_by("pk"):
        if membership.team_id not in texts:
            own = sorted(systems[membership.team_id], key=lambda system: system.name)
            texts[membership.team_id] = _written(
                release, {system: _scored(places[str(system.pk)]) for system in own}
            )
        subject, text = texts[membership.team_id]
        before = letters.get(membership.user_id)  # of somebody in two teams
        letters[membership.user_id] = (
            Letter(membership.user, _is_out(release), f"{before.text}\n\n{text}")
            if before
            else Letter(membership.user, subject, text)
        )
    return list(letters.values())


def _result(release: Release, row: BoardRow, rankings: Sequence[Board]) -> OwnResult | None:
    names = public_names(release.benchmark) if release.benchmark.is_anonymous else {}
    called = {str(pk): name.name for pk, name in names.items()}
    known = own_row(
        rankings[0], submission="", system=row.system_id or "", pseudonym=called.get(row.system_id or "", "")
    )
    return own_result(rankings[0], known, rankings[1:], release.benchmark.spec) if known else None


def _written(release: Release, own: Mapping[System, Sequence[_Place]]) -> tuple[str, str]:
    """Subject and text for one team, with the places of its systems."""
    head = [f"{system} has {places[0].rank}" for system, places in own.items() if places]
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


def _scored(places: Mapping[str, _Place]) -> list[_Place]:
    """A system's place on the overall board, else on the first boards on which it has a score."""
    scored = {key: place for key, place in places.items() if place.score is not None}
    return [scored[OVERALL]] if OVERALL in scored else list(scored.values())[:MOST_BOARDS]


def _hidden(release: Release, own: Iterable[System]) -> str:
    """What others read in place of the names, where systems are anonymous."""
    if not release.benchmark.is_anonymous:
        return ""
    names = public_names(release.benchmark)
    hidden = [
        f"{system} is called {names[system.pk]}" for system in own if system.kind == RowKind.SYSTEM.value
    ]
    return f"Systems are anonymous until the organiser lifts that: for others, {', '.join(hidden)}."
