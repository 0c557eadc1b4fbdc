"""Who is kept from a benchmark at present, asked of whoever would send something."""

import uuid

from django.db.models import Q

from accounts.formats.instants import day_in_utc
from accounts.models import Membership, Team, User
from benchmarks.models import Benchmark
from submissions.exceptions import BannedFromBenchmark
from submissions.participants import Ban

_NOT_KEPT = "The file was not kept, and nothing was counted against your quota."


def standing_ban(*, benchmark: Benchmark, team: Team, user: User | None = None) -> Ban | None:
    """The ban of a team, of one of its members or of whoever sends for it; None where there is none."""
    whom = Q(teams=team) | Q(people__in=Membership.objects.filter(team=team).values("user"))
    if user is not None:
        whom |= Q(people=user)
    standing = Ban.objects.filter(benchmark=benchmark, lifted_at=None).order_by("banned_at", "pk")
    return standing.filter(whom).first()


def refuse_banned(*, benchmark: Benchmark, team: Team, user: User, ending: str = _NOT_KEPT) -> None:
    """BannedFromBenchmark where the team, a member or the person is kept from the benchmark; the reason is told.

    `ending` says what became of what they sent.
    """
    ban = standing_ban(benchmark=benchmark, team=team, user=user)
    if ban is None:
        return
    who, settled = _whom(ban, team, user)
    raise BannedFromBenchmark(
        f"The organisers of {benchmark} have banned {who} from it on {day_in_utc(ban.banned_at)}: {ban.reason} "
        f"{settled} {ending}".strip()
    )


def _whom(ban: Ban, team: Team, user: User) -> tuple[str, str]:
    """Who of them is banned, and what can be done about it."""
    settled = "If the reason can be settled, write to them; they can lift the ban."
    if ban.teams.filter(pk=team.pk).exists():
        return f"the team {team}", settled
    if ban.people.filter(pk=user.pk).exists():
        about = f", with the team {ban.team}," if ban.team_id else ""
        return f"you{about}", settled
    return (
        f"a member of the team {team}",
        "Nothing of the team is taken as long as that person is in it. If the reason can be settled, write to the "
        "organisers.",
    )


def banned_teams(benchmark: Benchmark) -> dict[uuid.UUID, Ban]:
    """The standing ban of each team of a benchmark that has one, its own or that of a member; four queries."""
    found: dict[uuid.UUID, Ban] = {}
    standing = Ban.objects.filter(benchmark=benchmark, lifted_at=None).order_by("-banned_at", "-pk")
    bans = {ban.pk: ban for ban in standing}
    of_people = Ban.people.through.objects.filter(ban__in=bans).values_list(
        "ban_id", "user__memberships__team"
    )
    of_teams = Ban.teams.through.objects.filter(ban__in=bans).values_list("ban_id", "team_id")
    for pk, team in [*of_people, *of_teams]:
        if team is not None:
            found[team] = bans[pk]
    return found
