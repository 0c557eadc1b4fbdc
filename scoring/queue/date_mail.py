"""The mail about an end that was moved: to everybody who takes part in the benchmark."""

import datetime as dt
import zoneinfo
from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q

from accounts.formats.instants import in_words
from accounts.mail.outbox import Letter, put_in_post, wanting
from accounts.models import MailKind, User
from benchmarks.models import Phase
from submissions.models import Submission, System


def tell_of_new_end(
    *, phase: Phase, closed_before: dt.datetime, followers: Sequence[Phase], now: dt.datetime
) -> int:
    """Write to all members of teams that take part that a phase ends at another instant, and what opens then.

    Nobody is told of an end that was over already, nor twice of the same one. Returns how many people are written to.
    """
    closes_at = phase.closes_at
    if closes_at is None or closed_before <= now:
        return 0
    people = list(_taking_part(phase))
    about = f"end:{phase.pk}:{closes_at:%Y%m%d%H%M%S}"
    letters = [
        Letter(
            person,
            f"{phase.benchmark}: {phase.title} ends on another date",
            _text(phase, closes_at, closed_before, followers, zoneinfo.ZoneInfo(person.timezone)),
        )
        for person in people
    ]
    put_in_post(kind=MailKind.ORGANISER, about=about, letters=letters, now=now)
    return len(people)


def _taking_part(phase: Phase) -> Sequence[User]:
    """Members of teams with a submission to the benchmark, or that were let in and have none yet."""
    submissions = Submission.objects.live().filter(
        phase__benchmark=phase.benchmark_id, system__kind=System.Kind.SYSTEM
    )
    concerned = Q(teams__in=submissions.values("system__team")) | Q(
        teams__registrations__benchmark=phase.benchmark_id, teams__registrations__approved_at__isnull=False
    )
    people = wanting(User.objects.filter(concerned), MailKind.ORGANISER)
    return list(people.distinct().order_by("email"))


def _text(
    phase: Phase,
    closes_at: dt.datetime,
    closed_before: dt.datetime,
    followers: Sequence[Phase],
    zone: zoneinfo.ZoneInfo,
) -> str:
    moved = "later" if closes_at > closed_before else "earlier"
    paragraphs = [
        f"The phase {phase.title} of {phase.benchmark} ends {moved} than announced: on "
        f"{in_words(closes_at, zone)}, not on {in_words(closed_before, zone)}. That instant is the first that is "
        "too late.",
        *(f"{follower.title} opens when it closes." for follower in followers),
        f"{settings.SITE_URL}/benchmarks/{phase.benchmark_id}/rules/",
    ]
    return "\n\n".join(paragraphs)
