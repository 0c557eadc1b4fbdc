"""A team says that a reported row is its own; an organiser accepts or refuses that."""

import datetime as dt

from django.conf import settings
from django.db import transaction

from accounts.mail.outbox import Letter, put_in_post, tell_at_once
from accounts.models import MailKind, Team, User
from benchmarks.models import Benchmark
from benchmarks.spec import ReportedRow
from submissions.models import System
from submissions.participants import RowClaim

MOST_WAITING = 100
"""Claims of one team in one benchmark that may wait at once."""
State = RowClaim.State


class CannotClaim(Exception):
    """Nothing was changed; the message says why, and what to do."""


def claim_row(
    *,
    benchmark: Benchmark,
    row: ReportedRow,
    team: Team,
    system: System | None,
    note: str,
    user: User,
    now: dt.datetime,
) -> RowClaim:
    """Ask the organisers to say that a row is this team's. They get a mail, so call it outside of transactions.

    Raises
    ------
    CannotClaim
        If the row is another team's already, this team has asked before, or it has asked for very many.
    """
    system_there, team_there, date = row.name
    with transaction.atomic():
        Benchmark.objects.select_for_update().get(pk=benchmark.pk)  # of two at once, both are counted
        claims = RowClaim.objects.filter(benchmark=benchmark)
        of_row = claims.filter(system_there=system_there, team_there=team_there, date=date)
        if of_row.filter(state=State.ACCEPTED).exists():
            raise CannotClaim(
                f"{system_there} has been claimed already. If that is wrong, write to the organisers."
            )
        if before := of_row.filter(team=team).first():
            raise CannotClaim(_asked_before(before))
        if claims.filter(team=team, state=State.WAITING).count() >= MOST_WAITING:
            raise CannotClaim(f"{MOST_WAITING} claims of {team} wait for the organisers, the most that can.")
        claim = RowClaim.objects.create(
            benchmark=benchmark,
            system_there=system_there,
            team_there=team_there,
            date=date,
            team=team,
            system=system,
            note=note.strip(),
            asked_by=user,
            asked_at=now,
        )
    tell_at_once(
        people=benchmark.organisers.all(),
        subject=f"{team} claims a row of {benchmark}",
        text=f"{team} says that {claim} is its own.\n\n{claim.note}\n\nAccept or refuse it here:\n"
        f"{settings.SITE_URL}/admin/submissions/rowclaim/{claim.pk}/change/",
    )
    return claim


def _asked_before(claim: RowClaim) -> str:
    if claim.state == State.REFUSED:
        return (
            f"The organisers have refused this claim of {claim.team}: {claim.reason} If that can be settled, write to "
            "them."
        )
    return f"{claim.team} has claimed {claim} already, and waits for the organisers."


@transaction.atomic
def accept_claim(*, row_claim: RowClaim, user: User, now: dt.datetime) -> None:
    """Have the row name the team, and write to its members. One that was refused can be accepted too.

    Raises
    ------
    CannotClaim
        If it is accepted already, or the row is another team's.
    """
    claim = _locked(row_claim)
    if claim.state == State.ACCEPTED:
        raise CannotClaim("This claim was accepted already. Nothing was changed.")
    others = RowClaim.objects.filter(
        benchmark=claim.benchmark_id,
        system_there=claim.system_there,
        team_there=claim.team_there,
        date=claim.date,
        state=State.ACCEPTED,
    )
    if other := others.first():
        raise CannotClaim(f"The row is {other.team}'s, by a claim that was accepted. Refuse that one first.")
    text = (
        f"The organisers of {claim.benchmark} have accepted that {claim} is your team's. Its row names {claim.team} "
        "now."
    )
    _decide(claim, State.ACCEPTED, "", user, now, text)


@transaction.atomic
def refuse_claim(*, row_claim: RowClaim, reason: str, user: User, now: dt.datetime) -> None:
    """Leave the row without the team, and write the reason to its members. One that was accepted is taken back by it.

    Raises
    ------
    CannotClaim
        If it is refused already.
    """
    claim = _locked(row_claim)
    if claim.state == State.REFUSED:
        raise CannotClaim("This claim was refused already. Nothing was changed.")
    text = (
        f"The organisers of {claim.benchmark} have refused your claim of {claim}. Their reason:\n\n{reason}"
    )
    _decide(claim, State.REFUSED, reason, user, now, text)


def accepted_claims(benchmark: Benchmark) -> dict[tuple[str, str, str], RowClaim]:
    """The accepted claims of a benchmark, by what tells rows apart."""
    claims = RowClaim.objects.filter(benchmark=benchmark, state=State.ACCEPTED).select_related(
        "team", "system"
    )
    return {claim.name: claim for claim in claims}


def _locked(row_claim: RowClaim) -> RowClaim:
    """The claim as it is now; decisions about one benchmark are made one at a time."""
    Benchmark.objects.select_for_update().get(pk=row_claim.benchmark_id)
    return RowClaim.objects.select_related("benchmark", "team").get(pk=row_claim.pk)


def _decide(
    claim: RowClaim, state: RowClaim.State, reason: str, user: User, now: dt.datetime, text: str
) -> None:
    was_shown = claim.state == State.ACCEPTED
    claim.state, claim.reason, claim.decided_by, claim.decided_at = state, reason, user, now
    claim.save(update_fields=["state", "reason", "decided_by", "decided_at"])
    if was_shown or state == State.ACCEPTED:
        Benchmark.objects.filter(pk=claim.benchmark_id).mark_stale(archive=True)
    subject = f"{claim.benchmark}: {claim.system_there} was {state.label}"
    put_in_post(
        kind=MailKind.ORGANISER,
        about=f"claim:{claim.pk}:{now:%Y%m%d%H%M%S}",
        letters=[Letter(member, subject, text) for member in claim.team.members.all()],
        now=now,
    )
