"""The mail about submissions that could not be scored: to their teams, and to those who run the benchmark."""

import datetime as dt
import uuid
import zoneinfo
from collections.abc import Collection

from django.conf import settings

from accounts.formats.instants import in_words
from accounts.mail.outbox import Letter, put_in_post
from accounts.models import MailKind, Membership, User
from scoring.models import Batch
from scoring.queue.quarantine import quarantined
from submissions.models import Submission

MOST_NAMED = 20


def tell_about_failures(batch: Batch, failed: Collection[Submission], now: dt.datetime) -> None:
    """Write one mail about a batch to each member of the teams of `failed`, and to each organiser.

    Part of the transaction in which they fail; `failed` must have been fetched with system and team.
    """
    if not failed:
        return
    organisers = list(batch.phase.benchmark.organisers.all())
    teams: dict[User, set[uuid.UUID]] = {}
    memberships = Membership.objects.filter(team__in={submission.system.team_id for submission in failed})
    for membership in memberships.select_related("user"):
        teams.setdefault(membership.user, set()).add(membership.team_id)
    letters = [_letter(person, batch, failed, teams.get(person, set()), True) for person in organisers]
    letters += [
        _letter(
            person,
            batch,
            [submission for submission in failed if submission.system.team_id in own],
            own,
            False,
        )
        for person, own in teams.items()
        if person not in organisers
    ]
    put_in_post(kind=MailKind.FAILURE, about=f"failure:{batch.pk}", letters=letters, now=now)


def _letter(
    person: User,
    batch: Batch,
    failed: Collection[Submission],
    own: Collection[uuid.UUID],
    is_organiser: bool,
) -> Letter:
    zone = zoneinfo.ZoneInfo(person.timezone)
    count, system = len(failed), next(iter(failed)).system
    what = f"{system}" if count == 1 else f"{count} submissions"
    subject = f"{batch.phase.benchmark}: {what} could not be scored"
    named = list(failed)[:MOST_NAMED]
    is_over = quarantined().filter(pk__in=[submission.pk for submission in failed]).count() == count
    paragraphs = [
        f"In the batch of {in_words(batch.cut_off_at, zone)}, {what} could not be scored.",
        *(_about(submission, zone, is_own=submission.system.team_id in own) for submission in named),
    ]
    if count > len(named):
        paragraphs.append(f"And {count - len(named)} more.")
    if is_organiser:
        paragraphs.append(f"What waits and what failed: {settings.SITE_URL}/admin/")
    elif is_over:
        paragraphs.append("You may withdraw the submission on its page and send another file.")
    else:
        paragraphs.append(
            "Nothing needs to be done for the next try. You may also withdraw the submission on its "
            "page and send another file."
        )
    return Letter(person, subject, "\n\n".join(paragraphs))


def _about(submission: Submission, zone: dt.tzinfo, *, is_own: bool) -> str:
    admin_page = f"/admin/submissions/submission/{submission.pk}/change/"
    page = submission.get_absolute_url() if is_own else admin_page
    # A line break in a name must not make it look like another part of the mail.
    name = " ".join(f"{submission.system}: {submission.file_name}".split())
    return (
        "  "
        f"{name}, received {in_words(submission.received_at, zone)}"
        f"\n  {submission.status_reason}\n  {settings.SITE_URL}{page}"
    )
