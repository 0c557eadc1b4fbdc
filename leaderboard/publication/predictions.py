"""The predictions behind a release, made public once its gold labels are: so that anybody can score them again."""

import csv
import datetime as dt
import io
import json
import logging
import zipfile
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from django.db import transaction

from benchmarks.log_entries import append_public
from benchmarks.models import Split
from leaderboard.models import Page, Release, ReleaseCell
from leaderboard.pages.board_pages import predictions_path
from leaderboard.publication.archive import archive_pages
from leaderboard.publication.log_entries import log_pages, renderer
from leaderboard.publication.services import next_printing, put_pages, take_press
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.rendered_page import RenderedPage
from scoring.gold.opening import phases_are_over
from scoring.models import GoldVersion, Score
from submissions.models import Submission
from submissions.systems.file_removals import awaiting_deletion, delete_bytes
from submissions.uploads.expected_splits import item_ids
from transparency.core.entries import EntryKind
from transparency.models import LogEntry

logger = logging.getLogger(__name__)

MANIFEST = "predictions.json"
ZIP_TYPE = "application/zip"
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the same predictions give the same bytes


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
        pages = archive_pages(release.pk)  # which name its address from now on
        put_pages([page, *pages], release.benchmark, next_printing())
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


def predictions_page(release: Release) -> RenderedPage:
    """The zip: a table `id,label` for each answer of the release, and a list of them with their exact scores."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        files = []
        for number, cell in enumerate(_cells(release), start=1):
            name = f"{cell.task.slug}/{cell.split.slug}/{number}.csv"
            archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY), _table(cell), zipfile.ZIP_DEFLATED)
            files.append(_about(cell, release) | {"file": name})
        manifest = {
            "benchmark": release.benchmark_id,
            "release": release.number,
            "definition": release.reports["definition"]["document"],
            "files": files,
            "removed": [
                {"submission": str(pk), "removed_at": at.isoformat(), "reason": reason}
                for pk, at, reason in _removed(release)
            ],
        }
        text = json.dumps(manifest, ensure_ascii=False, allow_nan=False, indent=1)
        archive.writestr(zipfile.ZipInfo(MANIFEST, _FIRST_DAY), text, zipfile.ZIP_DEFLATED)
    return RenderedPage(predictions_path(release.benchmark_id, release.number), ZIP_TYPE, buffer.getvalue())


def _gold(release: Release) -> Any:
    used = ReleaseCell.objects.of(release).values("score__run__gold_version")
    return GoldVersion.objects.filter(pk__in=used)


def _cells(release: Release) -> Iterable[ReleaseCell]:
    related = ("submission", "system__team", "task__benchmark", "split", "score__run__predictions__codes")
    kept = ReleaseCell.objects.of(release).filter(submission__file_removed_at=None)
    return kept.select_related(*related, "score__run__gold_version").order_by("place")


def _removed(release: Release) -> Iterable[tuple[Any, dt.datetime, str]]:
    """Submissions of the release whose files are gone: the id, since when and why."""
    standing = ReleaseCell.objects.of(release).values("submission")
    gone = Submission.objects.filter(pk__in=standing, file_removed_at__isnull=False)
    return gone.order_by("pk").values_list("pk", "file_removed_at", "file_removed_because")


def _about(cell: ReleaseCell, release: Release) -> dict[str, Any]:
    """What is said of one file: whose it is, as pages name it, and its scores."""
    run = cell.score.run
    said = {
        "system": cell.system.name,
        "system_id": str(cell.system.pk),
        "team": cell.system.team.name,
        "submission": str(cell.submission_id),
    }
    scores = Score.objects.filter(run=run).order_by("metric").values_list("metric", "value")
    return {
        **naming(release.benchmark).report(said),
        "task": cell.task.slug,
        "split": cell.split.slug,
        "track": cell.track,
        "seed": cell.seed,
        "part": run.part,
        "gold_version": run.gold_version.number,
        "scores": dict(scores),
    }


def _table(cell: ReleaseCell) -> bytes:
    split: Split = cell.split.as_of(cell.score.run.gold_version.number)
    output = cell.task.spec.output
    buffer = io.StringIO(newline="")
    rows = csv.writer(buffer, lineterminator="\n")
    rows.writerow(("id", "label"))
    ids = item_ids(split.pk, split.ids_sha256).ids
    rows.writerows(zip(ids, output.texts(cell.score.run.predictions.canonical().codes), strict=True))
    return buffer.getvalue().encode()


def may_publish(release: Release, now: dt.datetime) -> bool:
    """Whether the predictions behind a release may become public now and are not."""
    try:
        refuse_predictions(release, now)
    except CannotPublishPredictions:
        return False
    return not Page.objects.filter(pk=predictions_path(release.benchmark_id, release.number)).exists()
