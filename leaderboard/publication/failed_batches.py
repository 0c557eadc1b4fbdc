"""Batches that cannot be published: counted, and set aside so that they stop nothing else."""

import datetime as dt

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.formats.instants import in_words
from accounts.mail.outbox import Letter, put_in_post
from accounts.models import MailKind
from accounts.server.database_faults import is_away
from catalogue.metrics.choice import UnknownMetricError
from leaderboard.publication.site_address import AddressUnknown
from scoring.models import Batch

MOST_TRIES = 3


def why_not(error: Exception) -> str:
    """What organisers are told of a publication that failed. Of an unforeseen fault no more than its kind, because its
    message could hold scores that are not shown yet."""
    if isinstance(error, IntegrityError):
        return "Another release came out at the same moment. Please look again."
    if isinstance(error, AddressUnknown):
        return str(error)
    if is_away(error):
        return "The database did not answer. Please try again."
    if isinstance(error, UnknownMetricError):
        return f"{error} Correct the definition, then publish the batch here."
    return (
        f"The server met an unforeseen {type(error).__name__}; its log says where. Have whoever runs "
        "the server look at it, then publish the batch here."
    )


@transaction.atomic
def note_failure(batch: Batch, error: Exception, now: dt.datetime) -> str:
    """Count a publication that failed, and set the batch aside after `MOST_TRIES` of them; returns why it failed.

    Organisers are written to when it is set aside. Publishing it by hand takes it up again.
    """
    reason = why_not(error)
    if isinstance(error, AddressUnknown | IntegrityError) or is_away(error):  # which is no fault of the batch
        return reason
    waiting = Batch.objects.filter(pk=batch.pk, status=Batch.Status.SCORED)
    waiting.update(publish_failures=F("publish_failures") + 1)
    if waiting.filter(publish_failures__gte=MOST_TRIES).update(set_aside_because=reason):
        benchmark = batch.phase.benchmark
        subject = f"{benchmark}: a batch could not be published"
        text = (
            f"The batch of {in_words(batch.cut_off_at)} in {batch.phase} could not be published {MOST_TRIES} times and "
            f"was set aside. Other batches go on.\n\n{reason}\n\n"
            f"{settings.SITE_URL}/admin/scoring/batch/{batch.pk}/change/"
        )
        letters = [Letter(person, subject, text) for person in benchmark.organisers.all()]
        put_in_post(kind=MailKind.FAILURE, about=f"set-aside:{batch.pk}", letters=letters, now=now)
    return reason
