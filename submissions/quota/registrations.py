"""Teams that take part once an organiser approves them: registered by their first upload, approved or declined."""

import datetime as dt
from collections.abc import Collection

from django.conf import settings
from django.db import transaction

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.mail.outbox import Letter, put_in_post, tell_at_once
from accounts.models import MailKind, Team, User
from benchmarks.models import Benchmark
from submissions.exceptions import (
    AwaitingApproval,
    RegistrationClosed,
    RegistrationCodeNeeded,
    RegistrationDeclined,
)
from submissions.models import Submission
from submissions.participants import TeamRegistration


class CannotDecline(Exception):
    """A registration that does not wait any more; the message says what to do."""


_NOT_KEPT = "The file was not kept, and nothing was counted against your quota."


def refuse_unapproved(*, benchmark: Benchmark, team: Team, user: User, now: dt.datetime) -> None:
    """AwaitingApproval where organisers approve teams and have not approved this one; it is registered by that.

    RegistrationCodeNeeded where teams register with a code and this one has not. RegistrationDeclined where organisers
    have declined it, RegistrationClosed where no new team may come at that instant.

    Teams that have submitted or asked before go on. The organisers are told of a new one, so call it outside of
    transactions.
    """
    is_free = benchmark.registration == Benchmark.Registration.OPEN
    if is_free and benchmark.takes_new_teams(now):
        return
    if Submission.objects.answers().filter(phase__benchmark=benchmark, system__team=team).exists():
        return
    has_asked = TeamRegistration.objects.filter(benchmark=benchmark, team=team)
    if not benchmark.takes_new_teams(now) and not has_asked.exists():
        raise RegistrationClosed(f"{why_closed(benchmark, team, now)} {_NOT_KEPT}")
    if is_free:
        return
    if benchmark.registration == Benchmark.Registration.CODE:
        _refuse_without_code(benchmark, team, has_asked.first())
        return
    registration, is_new = TeamRegistration.objects.get_or_create(
        benchmark=benchmark, team=team, defaults={"asked_by": user, "asked_at": now}
    )
    if registration.approved_at is not None:
        return
    if is_new:
        tell_at_once(
            people=benchmark.organisers.all(),
            subject=f"{team} would take part in {benchmark}",
            text=f"The team {team} waits for your approval. Look at it, and approve it, here:\n\n"
            f"{settings.SITE_URL}/admin/submissions/teamregistration/{registration.pk}/change/",
        )
    if registration.declined_at is not None:
        raise RegistrationDeclined(f"{declined_sentence(registration)} {_NOT_KEPT}")
    since = registration.asked_at
    raise AwaitingApproval(
        f"A team takes part in {benchmark} once its organisers have approved it. {team} is registered since "
        f"{day_in_utc(since)}, {time_in_utc(since)} UTC, and waits for them; its members get a mail when it is "
        "approved. Then send the file again: it was not kept, and nothing was counted against your quota."
    )


def _refuse_without_code(benchmark: Benchmark, team: Team, registration: TeamRegistration | None) -> None:
    """RegistrationCodeNeeded unless the team has registered, with the code or by approval before."""
    if registration is not None and registration.approved_at is not None:
        return
    if registration is not None and registration.declined_at is not None:
        raise RegistrationDeclined(f"{declined_sentence(registration)} {_NOT_KEPT}")
    raise RegistrationCodeNeeded(
        f"A team takes part in {benchmark} once it has registered with the code that its organisers give, and {team} "
        f"has not yet. Type the code at {settings.SITE_URL}/register/?benchmark={benchmark.pk}, or with "
        f"`heldout register {benchmark.pk} TEAM`, and send the file again. {_NOT_KEPT}"
    )


def declined_sentence(registration: TeamRegistration) -> str:
    """Who has declined the team when and why, and what can be done."""
    on = day_in_utc(registration.declined_at) if registration.declined_at else "some day"
    return (
        f"The organisers of {registration.benchmark} have declined the team {registration.team} on {on}: "
        f"{registration.decline_reason} If that can be settled, write to them; they can still approve the team."
    )


def why_closed(benchmark: Benchmark, team: Team, now: dt.datetime) -> str:
    opens, closes = benchmark.registration_opens_at, benchmark.registration_closes_at
    when = (
        f"opens on {day_in_utc(opens)}, {time_in_utc(opens)} UTC"
        if opens and now < opens
        else f"closed on {day_in_utc(closes)}, {time_in_utc(closes)} UTC"
        if closes
        else "is closed"
    )
    return f"The registration for {benchmark} {when}, and {team} has not taken part before."


@transaction.atomic
def approve(*, team_registrations: Collection[TeamRegistration], now: dt.datetime) -> int:
    """Let these teams take part, and write to their members; returns how many were not approved before."""
    waiting = TeamRegistration.objects.select_for_update(of=("self",)).filter(
        pk__in=[one.pk for one in team_registrations], approved_at__isnull=True
    )
    approved = list(waiting.select_related("benchmark", "team"))
    for one in approved:
        text = (
            f"The organisers of {one.benchmark} have approved the team {one.team}. From now on you may send files "
            f"there:\n\n{settings.SITE_URL}/submit/?benchmark={one.benchmark_id}"
        )
        letters = [
            Letter(member, f"{one.team} takes part in {one.benchmark}", text)
            for member in one.team.members.all()
        ]
        put_in_post(
            kind=MailKind.ORGANISER,
            about=f"registration:{one.pk}:{now:%Y%m%d%H%M%S}",
            letters=letters,
            now=now,
        )
    TeamRegistration.objects.filter(pk__in=[one.pk for one in approved]).update(
        approved_at=now, declined_at=None, decline_reason=""
    )
    return len(approved)


@transaction.atomic
def decline(*, team_registration: TeamRegistration, reason: str, now: dt.datetime) -> None:
    """Take nothing from this team, and write the reason to its members. CannotDecline where it waits no more."""
    waiting = TeamRegistration.objects.select_for_update(of=("self",)).filter(
        pk=team_registration.pk, approved_at__isnull=True, declined_at__isnull=True
    )
    registration = waiting.select_related("benchmark", "team").first()
    if registration is None:
        raise CannotDecline("Somebody has approved or declined this team meanwhile. Nothing was changed.")
    registration.declined_at, registration.decline_reason = now, reason
    registration.save(update_fields=["declined_at", "decline_reason"])
    text = (
        f"The organisers of {registration.benchmark} have declined the team {registration.team}. Their reason:\n\n"
        f"{reason}\n\nFiles of the team are not taken there. If the reason can be settled, write to the organisers; "
        "they can still approve the team."
    )
    subject = f"{registration.team} was declined by {registration.benchmark}"
    letters = [Letter(member, subject, text) for member in registration.team.members.all()]
    put_in_post(
        kind=MailKind.ORGANISER,
        about=f"declined:{registration.pk}:{now:%Y%m%d%H%M%S}",
        letters=letters,
        now=now,
    )
