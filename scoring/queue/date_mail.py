"""The mail about an end that was moved: to everybody who takes part in the benchmark."""

import datetime as dt
import zoneinfo
from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q

from accounts.formats.instants import in_words
from accounts.mail.outbox import Letter, put_in_post, wanting
from accounts.models import MailKind, User
from benchmarks.models import Benchmark, Phase
from scoring.queue.date_shift import ShiftedDate
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
    people = taking_part(phase.benchmark_id)
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


def tell_of_shift(*, benchmark: Benchmark, shifted: Sequence[ShiftedDate], now: dt.datetime) -> int:
    """Write one mail with all dates that were moved together to everybody who takes part; returns how many people."""
    people = taking_part(benchmark.pk)
    letters = [
        Letter(
            person,
            f"{benchmark}: dates were moved",
            _of_shift(benchmark, shifted, zoneinfo.ZoneInfo(person.timezone)),
        )
        for person in people
    ]
    about = f"shift:{benchmark.pk}:{now:%Y%m%d%H%M%S}"
    put_in_post(kind=MailKind.ORGANISER, about=about, letters=letters, now=now)
    return len(people)


def _of_shift(benchmark: Benchmark, shifted: Sequence[ShiftedDate], zone: zoneinfo.ZoneInfo) -> str:
    lines = [
        f"{one.what} on {in_words(one.after, zone)}, not on {in_words(one.before, zone)}" for one in shifted
    ]
    return "\n\n".join(
        [
            f"The organisers of {benchmark} have moved these dates:",
            "\n".join(lines),
            f"{settings.SITE_URL}/benchmarks/{benchmark.pk}/rules/",
        ]
    )


def taking_part(benchmark: str) -> list[User]:
    """Members of teams with a submission to the benchmark of that id, or that were let in and have none yet, who want
    such mail."""
    submissions = Submission.objects.live().filter(
        phase__benchmark=benchmark, system__kind=System.Kind.SYSTEM
    )
    concerned = Q(teams__in=submissions.values("system__team")) | Q(
        teams__registrations__benchmark=benchmark, teams__registrations__approved_at__isnull=False
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
