"""Teams that take part once an organiser has approved them: registered by their first upload, and approved."""

import datetime as dt
from collections.abc import Collection

from django.conf import settings
from django.db import transaction

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.mail.outbox import Letter, put_in_post, tell_at_once
from accounts.models import MailKind, Team, User
from benchmarks.models import Benchmark
from submissions.exceptions import AwaitingApproval
from submissions.models import Submission
from submissions.participants import TeamRegistration


def refuse_unapproved(*, benchmark: Benchmark, team: Team, user: User, now: dt.datetime) -> None:
    """AwaitingApproval where organisers approve teams and have not approved this one; it is registered by that.

    Teams that have submitted before go on. The organisers are told of a new one, so call it outside of transactions.
    """
    if benchmark.registration == Benchmark.Registration.OPEN:
        return
    if Submission.objects.answers().filter(phase__benchmark=benchmark, system__team=team).exists():
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
    since = registration.asked_at
    raise AwaitingApproval(
        f"A team takes part in {benchmark} once its organisers have approved it. {team} is registered since "
        f"{day_in_utc(since)}, {time_in_utc(since)} UTC, and waits for them; its members get a mail when it is "
        "approved. Then send the file again: it was not kept, and nothing was counted against your quota."
    )


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
        put_in_post(kind=MailKind.ORGANISER, about=f"registration:{one.pk}", letters=letters, now=now)
    TeamRegistration.objects.filter(pk__in=[one.pk for one in approved]).update(approved_at=now)
    return len(approved)
