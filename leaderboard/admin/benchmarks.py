"""Benchmarks, batches and releases in the admin: what is published, and giving the word for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Count, Exists, Model, OuterRef, Q
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.admin_look import ActionVariant, coloured
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.base import (
    OrganisedAdmin,
    Question,
    Table,
    column,
    is_superuser,
    link,
    list_link,
    page_link,
)
from benchmarks.admin.registration import ASK_FOR_APPROVAL, OPEN_REGISTRATION, REGISTRATION_DATES
from benchmarks.admin.terms import EDIT_TERMS
from benchmarks.models import Benchmark
from benchmarks.people.admin import INVITE, roles_tables
from benchmarks.people.rights import Right
from benchmarks.services import mark_stale
from benchmarks.spec import OVERALL
from leaderboard.admin.anonymity_buttons import HIDE_NAMES, LIFT_ANONYMITY
from leaderboard.admin.archiving import ARCHIVE, BRING_BACK
from leaderboard.admin.batch_watch import watch_table
from leaderboard.admin.date_shift import SHIFT_DATES
from leaderboard.admin.home.page import HasHome, home_address
from leaderboard.admin.home.participant_page import PARTICIPANTS_CSV, ListsParticipants
from leaderboard.admin.phase_rows import ADD_PHASE, REMOVE_PHASE
from leaderboard.admin.predictions import PUBLISH_PREDICTIONS
from leaderboard.admin.take_home import FETCH_HOME, TAKE_HOME
from leaderboard.admin.visibility_buttons import ASK_TO_OPEN, SHOW_TO
from leaderboard.assembly.release_boards import build_boards
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, Cell
from leaderboard.board.model.serialization import from_dict
from leaderboard.board.tables.board_query import groups_in_order
from leaderboard.ledger.admin import SET_BIT_BUDGET, ledger_tables
from leaderboard.mail.admin import WritesMail
from leaderboard.models import Release
from leaderboard.publication.failed_batches import note_failure
from leaderboard.publication.removal import CannotRemove, refuse_to_remove, remove_benchmark
from leaderboard.publication.services import NotReady, publish, refresh
from leaderboard.querysets import BOARDS
from leaderboard.rehearsals.page import Rehearses
from leaderboard.reports.measured.metric_packages import packages_behind, sentences
from scoring.admin.bundles import TakesBundles
from scoring.admin.definition import HasDefinition
from scoring.admin.definitions.texts import EDIT_TEXTS
from scoring.admin.moving_in import MOVE_IN
from scoring.admin.opening import OPEN_GOLD
from scoring.admin.published_rows import LOAD_PUBLISHED, published_table
from scoring.definitions.editing import as_yaml
from scoring.disclosure.standings import Standing, standings
from scoring.disclosure.tries import with_tries
from scoring.models import Batch, BatchEntry
from submissions.admin.codes import SET_REGISTRATION_CODE
from submissions.models import Predictions

logger = logging.getLogger(__name__)

SET_ASIDE = "set aside"
COLOURS = {
    SET_ASIDE: "danger",
    "being scored": "info",
    "waits for its release": "warning",
    "released": "success",
}
HIDDEN = "Public pages show numbers in place of these names."
STATUS_WORDS = {
    Batch.Status.SCORING: "being scored",
    Batch.Status.SCORED: "waits for its release",
    Batch.Status.RELEASED: "released",
    Batch.Status.EMPTY: "empty",
}


def _page(url: str) -> SafeString:
    return page_link(url, url)


def _removal(benchmark: Benchmark) -> Question:
    try:
        refuse_to_remove(benchmark)
        problems: tuple[str, ...] = ()
    except CannotRemove as error:
        problems = (str(error),)
    return Question(
        title=f"Delete {benchmark}",
        sentences=(
            "Its tasks, splits, phases, texts, terms, sealed gold labels and pages are deleted; this cannot be undone. "
            "The audit log keeps its entries.",
            "Where its definition lies among those of the server, the next sync_benchmarks makes it anew.",
        ),
        button="Delete",
        is_grave=True,
        problems=problems,
    )


def _remove(*, benchmark: Benchmark, log: Callable[[Benchmark, str], None]) -> Done:
    refuse_to_remove(benchmark)
    with transaction.atomic():
        log(benchmark, "Deleted, with its tasks, phases and gold labels.")
        remove_benchmark(benchmark)
    return Done(f"{benchmark} was deleted.", leads_to=HttpResponseRedirect(reverse("admin:index")))


@admin.register(Benchmark)
class BenchmarkAdmin(
    HasHome, ListsParticipants, HasDefinition, TakesBundles, Rehearses, WritesMail, OrganisedAdmin
):
    """A benchmark as its definition states it, who runs it, and its buttons."""

    benchmark_path = "pk"
    annotations = {"release_count": Count("releases")}
    is_editable = True
    list_display = ("home_link", "release", "data", "settings_link")
    list_display_links = None
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "title",
                    "name",
                    "public_page",
                    "who_takes_part",
                    "names",
                    "visibility",
                    "is_synthetic",
                )
            },
        ),
        ("Definition", {"fields": ("definition_sha256", "definition_text"), "classes": ("collapse",)}),
    )
    readonly_fields = (
        "title",
        "name",
        "public_page",
        "who_takes_part",
        "names",
        "visibility",
        "definition_sha256",
        "definition_text",
    )
    audited = ("is_anonymous", "registration", "archived_at")
    actions_detail = (
        "add_phase",
        "remove_phase",
        "export_definition",
        "import_definition",
        "load_published",
        "move_in",
        "invite",
        "show_to",
        "ask_to_open",
        "edit_texts",
        "edit_terms",
        "write_mail",
        "render_anew",
        "hide_names",
        "lift_anonymity",
        "ask_for_approval",
        "open_registration",
        "set_registration_code",
        "registration_dates",
        "participants_csv",
        "shift_dates",
        "open_gold",
        "set_bit_budget",
        "take_home",
        "fetch_home",
        "archive",
        "bring_back",
        "remove",
    )

    load_published = LOAD_PUBLISHED
    move_in = MOVE_IN
    invite = INVITE
    add_phase = ADD_PHASE
    remove_phase = REMOVE_PHASE
    show_to = SHOW_TO
    ask_to_open = ASK_TO_OPEN
    edit_texts = EDIT_TEXTS
    edit_terms = EDIT_TERMS
    hide_names = HIDE_NAMES
    lift_anonymity = LIFT_ANONYMITY
    ask_for_approval = ASK_FOR_APPROVAL
    open_registration = OPEN_REGISTRATION
    set_registration_code = SET_REGISTRATION_CODE
    registration_dates = REGISTRATION_DATES
    participants_csv = PARTICIPANTS_CSV
    shift_dates = SHIFT_DATES
    open_gold = OPEN_GOLD
    set_bit_budget = SET_BIT_BUDGET
    take_home = TAKE_HOME
    fetch_home = FETCH_HOME
    render_anew = Ask(
        label="Render pages anew",
        icon="refresh",
        question=Question(
            title="Render the pages of {row} anew",
            sentences=(
                "Every page, also those of earlier releases, is printed again from the releases as they were "
                "frozen. No number, no rank and no release changes; this helps after an upgrade of the server.",
            ),
            button="Render anew",
        ),
        do=lambda benchmark: refresh(benchmark, archive=True),
        done="All pages of {row} were rendered anew.",
        log="Rendered all pages anew.",
    )
    archive = ARCHIVE
    bring_back = BRING_BACK
    remove = Ask(
        label="Delete",
        icon="delete",
        variant=ActionVariant.DANGER,
        right=Right.DELETE,
        question=_removal,
        do=_remove,
        refused=(CannotRemove,),
    )
    name = column("id", "slug")
    names = column(
        "systems are",
        lambda benchmark: "anonymous until you lift that" if benchmark.is_anonymous else "named",
    )
    home_link = column(
        "benchmark", lambda benchmark: page_link(home_address(benchmark.pk), benchmark), ordering="title"
    )
    settings_link = column("settings", lambda benchmark: link(benchmark, "Definition and settings"))
    release = column(
        "releases",
        lambda benchmark: list_link(Release, benchmark.release_count, benchmark__slug__exact=benchmark.pk),
        ordering="release_count",
    )
    data = column(
        "Data", lambda benchmark: "synthetic" if benchmark.is_synthetic else "real", ordering="is_synthetic"
    )
    public_page = column("public page", lambda benchmark: _page(f"/benchmarks/{benchmark.slug}/"))
    who_takes_part = column(
        "participants",
        lambda benchmark: page_link(
            reverse("admin:benchmarks_benchmark_participants", args=[benchmark.pk]), "All teams"
        ),
    )
    definition_text = column(
        "definition",
        lambda benchmark: format_html(
            '<pre class="overflow-auto max-h-96 text-xs">{}</pre>', as_yaml(benchmark)
        ),
    )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        mark_stale(obj.pk)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        return [*roles_tables(row, database_now()), published_table(row), *ledger_tables(row)]


@admin.register(Batch)
class BatchAdmin(OrganisedAdmin):
    """Everything accepted before one cut-off, how it was scored, and publishing it."""

    benchmark_path = "phase__benchmark"
    related = ("phase", "release")
    annotations = {
        f"{outcome}_count": Count("entries", filter=Q(entries__outcome=outcome))
        for outcome in BatchEntry.Outcome
    }
    unread_columns = tuple(f"release__{name}" for name in BOARDS)
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
        waits = batch.status == Batch.Status.SCORED
        return SET_ASIDE if waits and batch.set_aside_because else STATUS_WORDS[Batch.Status(batch.status)]

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
        tables=(watch_table(batch), _board_table(boards[OVERALL])),
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


def _board_table(board: Board) -> Table:
    """The board with the column that ranks it next to the system, so that a narrow screen shows both."""
    columns = [column for group in groups_in_order(board) for column in group.columns]
    rows = []
    for row in board.rows:
        first, *others = (_line(row.cell(column.key)) for column in columns)
        tag = fmt.tag(row.kind, row.system)
        rows.append((str(row.rank or ""), row.system, first, row.under, tag, *others))
    first_head, *other_heads = (column.title for column in columns)
    headers = ("Rank", "System", first_head, "Team", "", *other_heads)
    return Table("Preview", headers, rows, empty="No system has a score.", is_wide=True)


def _line(cell: Cell) -> str:
    """All that a cell shows in one line: ".712 (.802) sd .004"."""
    seeds = fmt.missing_seeds(cell.seeds, cell.seeds_wanted)
    shown = (fmt.score(cell.value), fmt.beside(cell.beside), fmt.deviation(cell.deviation), seeds)
    return " ".join(filter(None, shown))


@admin.register(Release)
class ReleaseAdmin(OrganisedAdmin):
    """Releases as they were frozen."""

    benchmark_path = "benchmark"
    unread_columns = BOARDS
    list_display = ("number", "benchmark", "phase", "published_at", "public_page")
    list_select_related = ("benchmark", "phase")
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    fields = ("benchmark", "number", "phase", "batch", "published_at", "public_page")
    ordering = ("-published_at",)
    actions_detail = ("publish_predictions",)

    publish_predictions = PUBLISH_PREDICTIONS
    public_page = column(
        "public page",
        lambda release: _page(f"/benchmarks/{release.benchmark_id}/releases/{release.number}/"),
    )

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        board = _board_table(from_dict(row.overall))
        hidden = f". {HIDDEN}" if row.benchmark.is_anonymous else ""
        return [replace(board, title=f"Overall board{hidden}")]
