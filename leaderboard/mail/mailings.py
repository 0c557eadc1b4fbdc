"""Mail from organisers to those who take part: who gets it, and sending it once."""

import datetime as dt
import uuid
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet

from accounts.mail.outbox import Letter, put_in_post, wanting
from accounts.models import Mail, MailKind, User
from benchmarks.models import Benchmark, Phase
from benchmarks.notices.models import Mailing
from breaking.models import PairFile
from submissions.models import Refusal, Submission, System

Audience = Mailing.Audience
_WEEK = dt.timedelta(days=7)


def recipients(
    benchmark: Benchmark, audience: Audience, phase: Phase | None, now: dt.datetime
) -> QuerySet[User]:
    """The people of an audience who want mail from organisers, by address.

    All members of a team are written to, not only whoever sent its files; teams of baselines are none.

    Parameters
    ----------
    phase
        Whose submissions, refused files or pairs are meant; all phases of the benchmark if None.
    """
    phases = Phase.objects.filter(benchmark=benchmark)
    chosen = phases if phase is None else phases.filter(pk=phase.pk)
    if audience == Audience.SUBMITTED:
        people = _submitters(chosen)
    elif audience == Audience.FAULTY:
        people = _submitters(chosen, status=Submission.Status.FAILED) | _refused(chosen, now)
    elif audience == Audience.ABSENT:
        there = User.objects.filter(_submitters(chosen)).values("pk")
        people = (_submitters(phases) | Q(acceptances__terms__benchmark=benchmark)) & ~Q(pk__in=there)
    else:
        files = PairFile.objects.accepted().filter(phase__in=chosen, team__isnull=False)
        people = Q(teams__in=files.values("team"))
    return wanting(User.objects.filter(people), MailKind.ORGANISER).distinct().order_by("email")


def _submitters(phases: QuerySet[Phase], **about: Any) -> Q:
    submissions = Submission.objects.live().filter(phase__in=phases, system__kind=System.Kind.SYSTEM, **about)
    return Q(teams__in=submissions.values("system__team"))


def _refused(phases: QuerySet[Phase], now: dt.datetime) -> Q:
    """Teams with a file refused since the cut-off before this window, or since the phase opened."""
    condition = Q(pk__in=[])
    for phase in phases:
        since = phase.opens_at if phase.weekday is None else phase.cut_off_after(now) - _WEEK
        refused = Refusal.objects.filter(phase=phase, received_at__lte=now)
        if since is not None:
            refused = refused.filter(received_at__gte=since)
        condition |= Q(teams__in=refused.values("system__team"))
    return condition


def letter_text(benchmark: Benchmark, text: str) -> str:
    """The mail as it is put in the post; the way out of such mail is added to every one."""
    page = f"{settings.SITE_URL}/benchmarks/{benchmark.slug}/"
    return f"{text.strip()}\n\nThe organisers of {benchmark}\n{page}"


@transaction.atomic
def send_mailing(
    *,
    mailing: uuid.UUID,
    benchmark: Benchmark,
    audience: Audience,
    phase: Phase | None,
    subject: str,
    text: str,
    by: User,
    now: dt.datetime,
) -> Mailing:
    """Put one mail for each recipient in the post. The same `mailing` again sends nothing more.

    A sweep sends them one by one; see `accounts.mail.outbox`.
    """
    stored, is_new = Mailing.objects.get_or_create(
        pk=mailing,
        defaults={
            "benchmark": benchmark,
            "audience": audience,
            "phase": phase,
            "subject": subject,
            "text": text,
            "written_by": by,
            "confirmed_at": now,
        },
    )
    if is_new:
        whole = letter_text(benchmark, text)
        people = recipients(benchmark, audience, phase, now)
        letters = [Letter(person, f"{benchmark}: {subject}", whole) for person in people]
        put_in_post(kind=MailKind.ORGANISER, about=stored.about, letters=letters, now=now)
    return stored


def mails_of(mailing: Mailing) -> QuerySet[Mail]:
    """What became of it for each person, by address."""
    return Mail.objects.filter(about=mailing.about).select_related("user").order_by("user__email")


def given_up(mailing: Mailing) -> QuerySet[Mail]:
    """The mails of it that did not get through."""
    return mails_of(mailing).filter(status=Mail.Status.FAILED)


def counts_of(mailing: Mailing) -> dict[str, int]:
    """How many mails there are of each status, by its words."""
    rows = Mail.objects.filter(about=mailing.about).order_by().values_list("status").annotate(n=Count("pk"))
    return {str(Mail.Status(status).label): count for status, count in rows}
