"""Batches in the admin: how what came before a cut-off was scored, and giving the word for its release."""

import logging
from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpRequest

from accounts.admin_look import ActionVariant, coloured
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.spec import OVERALL
from leaderboard.admin.batch_watch import watch_table
from leaderboard.admin.releases.board_table import HIDDEN, board_table
from leaderboard.assembly.release_boards import build_boards
from leaderboard.models import Release
from leaderboard.publication.failed_batches import note_failure
from leaderboard.publication.services import NotReady, publish
from leaderboard.querysets import FROZEN
from leaderboard.reports.measured.metric_packages import packages_behind, sentences
from scoring.disclosure.standings import Standing, standings
from scoring.disclosure.tries import with_tries
from scoring.models import Batch, BatchEntry
from submissions.models import Predictions

logger = logging.getLogger(__name__)

SET_ASIDE = "set aside"
TAKEN_BACK = "taken back, because the phase was opened again"
COLOURS = {
    SET_ASIDE: "danger",
    "being scored": "info",
    "waits for its release": "warning",
    "released": "success",
}
STATUS_WORDS = {
    Batch.Status.SCORING: "being scored",
    Batch.Status.SCORED: "waits for its release",
    Batch.Status.RELEASED: "released",
    Batch.Status.EMPTY: "empty",
}


@admin.register(Batch)
class BatchAdmin(OrganisedAdmin):
    """Everything accepted before one cut-off, how it was scored, and publishing it."""

    benchmark_path = "phase__benchmark"
    related = ("phase", "release")
    annotations = {
        f"{outcome}_count": Count("entries", filter=Q(entries__outcome=outcome))
        for outcome in BatchEntry.Outcome
    }
    unread_columns = tuple(f"release__{name}" for name in FROZEN)
    list_display = ("cut_off", "phase", "state", "scored", "failed", "pending", "release_link")
    list_filter = ("status", ("phase", admin.RelatedOnlyFieldListFilter))
    fields = ("phase", "cut_off", "state", "set_aside_because", "closed_at", "scored_at", "release_link")
    actions_detail = ("publish",)
    audited = ("status",)

    publish = Ask(
        label="Publish",
        icon="campaign",
        variant=ActionVariant.PRIMARY,
        question=lambda batch: _publication(batch),
        do=lambda batch, now: publish(batch=_scored(batch), now=now),
        done=lambda batch, release: Done(
            f"Release {release.number} is published.",
            f"Published as release {release.number}.",
            leads_to=release,
        ),
        refused=(NotReady,),
        unforeseen=lambda batch, error: _set_aside(batch, error),
        leads_back=True,
        shown=lambda batch: batch.status == Batch.Status.SCORED,
    )
    cut_off = column("cut-off", "cut_off_at", ordering="cut_off_at")
    scored = column("Scored", lambda batch: int(batch.scored_count), ordering="scored_count")
    failed = column("Failed", lambda batch: int(batch.failed_count), ordering="failed_count")
    pending = column("Pending", lambda batch: int(batch.pending_count), ordering="pending_count")

    @coloured("status", COLOURS, ordering="status")
    def state(self, batch: Batch) -> str:
        if batch.status == Batch.Status.SCORED and batch.set_aside_because:
            return SET_ASIDE
        if batch.status == Batch.Status.EMPTY and any(getattr(batch, name) for name in self.annotations):
            return TAKEN_BACK
        return STATUS_WORDS[Batch.Status(batch.status)]

    @admin.display(description="release")
    def release_link(self, batch: Batch) -> Any:
        release = getattr(batch, "release", None)
        return link(release, f"release {release.number}") if release else None

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        entries = row.entries.select_related("submission__system__team").order_by("submission__received_at")
        rows = [
            (
                link(entry.submission),
                entry.submission.system.team,
                entry.get_outcome_display(),
                entry.submission.get_status_display(),
                entry.submission.status_reason,
            )
            for entry in entries
        ]
        headers = ("Submission", "Team", "Outcome in this batch", "Now", "Reason")
        return [Table("Submissions", headers, rows, empty="Nothing was submitted."), watch_table(row)]


def _scored(batch: Batch) -> Batch:
    if batch.status != Batch.Status.SCORED:
        raise NotReady(
            f"This batch is {STATUS_WORDS[Batch.Status(batch.status)]}: there is nothing to publish."
        )
    return batch


def _set_aside(batch: Batch, error: Exception) -> str:
    logger.error("the batch %s could not be published", batch.pk, exc_info=error)
    return note_failure(batch, error, database_now())


def _publication(batch: Batch) -> Question:
    phase = _scored(batch).phase
    number = Release.objects.next_number(phase.benchmark_id)
    rows = with_tries(batch, standings(batch))
    boards = build_boards(phase=phase, rows=rows, release=number, published_at=database_now())
    failed = batch.entries.filter(outcome=BatchEntry.Outcome.FAILED).count()
    left_out = f" {failed} of the batch could not be scored and are not on it." if failed else ""
    hidden = f" {HIDDEN}" if phase.benchmark.is_anonymous else ""
    mixed = [said for one in packages_behind(phase.benchmark.spec, rows) for said in sentences(one)]
    again = (
        ["To have all of them scored anew, load the gold labels again before you publish."] if mixed else []
    )
    return Question(
        title=f"Publish release {number} of {phase.benchmark}",
        sentences=(
            f"This is the board as it would stand now.{left_out} {_who_has_seen(rows)}{hidden}",
            "Publishing puts every page in place at once. A release is permanent: it is numbered, can be cited "
            "and is never changed; mistakes are put right by the next one.",
            *mixed,
            *again,
        ),
        button=f"Publish release {number}",
        tables=(watch_table(batch), board_table(boards[OVERALL])),
    )


def _who_has_seen(rows: Iterable[Standing]) -> str:
    """Whether releases have shown the same answers before, of this phase or another."""
    sent = {answer.submission.pk for row in rows for answer in row.answers.values()}
    alike = Predictions.objects.filter(split=OuterRef("split"), sha256=OuterRef("sha256"))
    shown = Exists(alike.filter(submission__release_cells__isnull=False))
    known = Predictions.objects.filter(shown, submission__in=sent)
    count = known.values("submission").distinct().count()
    if not count:
        return "Nobody but organisers has seen these scores."
    return f"Submissions with answers whose scores a release has shown before: {count} of {len(sent)}."
