"""The predictions behind a release, made public once its gold labels are: so that anybody can score them again."""

import datetime as dt
import logging
from hashlib import sha256
from typing import Any

from django.db import transaction

from benchmarks.log_entries import append_public
from leaderboard.models import Page, Release, ReleaseCell
from leaderboard.pages.board_pages import predictions_path
from leaderboard.publication.archive import archive_pages, predictions_page
from leaderboard.publication.log_entries import log_pages, renderer
from leaderboard.publication.services import next_printing, put_pages, take_press
from scoring.gold.opening import phases_are_over
from scoring.models import GoldVersion
from submissions.models import Submission
from submissions.systems.file_removals import awaiting_deletion, delete_bytes
from transparency.core.entries import EntryKind
from transparency.models import LogEntry

logger = logging.getLogger(__name__)


class CannotPublishPredictions(Exception):
    """Predictions may not become public now; the message says why."""


def refuse_predictions(release: Release, now: dt.datetime) -> None:
    """CannotPublishPredictions while a phase is open or gold labels are sealed: predictions tell of them."""
    if not phases_are_over(release.benchmark.phases.all(), now):
        raise CannotPublishPredictions(
            "A phase is open, or something that came in time is still to be scored."
        )
    sealed = _gold(release).filter(opened__isnull=True).count()
    if sealed:
        raise CannotPublishPredictions(
            f"{sealed} of the gold versions that scored this release are sealed. Make gold labels public first: "
            "predictions and scores together tell of them."
        )


def publish_predictions(release: Release, now: dt.datetime) -> str:
    """Put the predictions behind a release beside it, as a zip; returns its address. It cannot be undone.

    Raises
    ------
    CannotPublishPredictions
        See `refuse_predictions`.
    """
    refuse_predictions(release, now)
    return _put(release)


def _put(release: Release) -> str:
    page = predictions_page(release)
    digest = sha256(page.body).hexdigest()
    with transaction.atomic():
        take_press(release.benchmark_id)
        put_pages([page], release.benchmark, 0)
        pages = archive_pages(release.pk)  # which name its address from now on, and have it among them
        put_pages(pages, release.benchmark, next_printing())
        if not _is_logged(release, digest):
            facts: dict[str, Any] = {
                "release": release.number,
                "sha256": digest,
                "pages": {page.path: digest},
            }
            facts["renderer"] = renderer()
            append_public(kind=EntryKind.PREDICTIONS, benchmark=release.benchmark_id, facts=facts)
        log_pages(release.benchmark_id, pages, reason="predictions were published", release=release.number)
    return page.path


def finish_removals() -> int:
    """Take removed files out of public predictions, then delete their bytes; returns of how many submissions.

    What fails for one is tried again with the next sweep and holds up no other: the bytes go last.
    """
    finished = 0
    for submission in awaiting_deletion():
        try:
            _take_out(submission)
            delete_bytes(submission)
        except Exception:
            logger.exception("the removed file of submission %s could not be deleted", submission.pk)
        else:
            finished += 1
    return finished


def _take_out(submission: Submission) -> None:
    """Make the public predictions of releases that hold a submission anew, where they are public."""
    for release in Release.objects.with_any_of(ReleaseCell.objects.filter(submission=submission)):
        if Page.objects.filter(pk=predictions_path(release.benchmark_id, release.number)).exists():
            _put(release)  # they are public already, so nothing speaks against fewer


def _is_logged(release: Release, digest: str) -> bool:
    entries = LogEntry.objects.filter(kind=EntryKind.PREDICTIONS, benchmark=release.benchmark_id)
    return any(
        (facts := entry.facts)["release"] == release.number and facts["sha256"] == digest for entry in entries
    )


def _gold(release: Release) -> Any:
    used = ReleaseCell.objects.of(release).values("score__run__gold_version")
    return GoldVersion.objects.filter(pk__in=used)


def may_publish(release: Release, now: dt.datetime) -> bool:
    """Whether the predictions behind a release may become public now and are not."""
    try:
        refuse_predictions(release, now)
    except CannotPublishPredictions:
        return False
    return not Page.objects.filter(pk=predictions_path(release.benchmark_id, release.number)).exists()
