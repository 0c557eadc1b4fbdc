"""Benchmarks, batches and releases in the admin: what is published, and giving the word for it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.admin_look import ActionVariant, button, coloured
from accounts.formats.instants import in_words
from accounts.server.clock import database_now
from benchmarks.admin.base import (
    OrganisedAdmin,
    Question,
    Table,
    address,
    is_superuser,
    link,
    list_link,
    page_link,
    was_confirmed,
)
from benchmarks.models import Benchmark
from benchmarks.notices.terms_admin import HasTerms
from benchmarks.services import mark_stale
from benchmarks.spec import OVERALL
from leaderboard.admin.anonymity_buttons import AnonymityAdmin
from leaderboard.admin.batch_watch import watch_table
from leaderboard.assembly.release_boards import build_boards
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, Cell
from leaderboard.board.model.serialization import from_dict
from leaderboard.board.tables.board_query import groups_in_order
from leaderboard.ledger.admin import HasLedger, ledger_tables
from leaderboard.mail.admin import WritesMail
from leaderboard.models import Release
from leaderboard.publication.failed_batches import note_failure
from leaderboard.publication.removal import CannotRemove, refuse_to_remove, remove_benchmark
from leaderboard.publication.services import NotReady, publish, refresh
from scoring.admin.definition import HasDefinition
from scoring.admin.opening import OpensGold
from scoring.definitions.editing import as_yaml
from scoring.disclosure.standings import Standing, standings
from scoring.models import Batch, BatchEntry
from submissions.models import Predictions

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[Benchmark]
else:
    BaseForm = forms.ModelForm

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


class BenchmarkForm(BaseForm):
    """Who runs a benchmark, and whether it is made up."""

    class Meta:
        model = Benchmark
        fields = ("organisers", "is_synthetic")
        help_texts = {"organisers": "Staff who may run this benchmark here. They need no other permission."}

    def clean_organisers(self) -> Any:
        """Only people who can enter the admin at all."""
        chosen = self.cleaned_data["organisers"]
        outside = [person.email for person in chosen if not person.is_staff]
        if outside:
            raise ValidationError(
                f"Not staff, so they could not enter the admin: {', '.join(outside)}. "
                "Tick “staff status” on their own pages first."
            )
        return chosen


@admin.register(Benchmark)
class BenchmarkAdmin(HasDefinition, HasTerms, WritesMail, OpensGold, HasLedger, AnonymityAdmin):
    """A benchmark as its definition states it; superusers say who runs it."""

    benchmark_path = "pk"
    is_editable = True
    form = BenchmarkForm
    list_display = ("title", "slug", "release", "data")
    fieldsets = (
        (None, {"fields": ("title", "slug", "public_page", "names", "organisers", "is_synthetic")}),
        ("Definition", {"fields": ("definition_sha256", "definition_text"), "classes": ("collapse",)}),
    )
    readonly_fields = ("title", "slug", "public_page", "names", "definition_sha256", "definition_text")
    autocomplete_fields = ("organisers",)
    audited = ("is_anonymous",)
    actions_detail = (
        "export_definition",
        "import_definition",
        "edit_terms",
        "write_mail",
        "render_anew",
        "hide_names",
        "lift_anonymity",
        "open_gold",
        "set_bit_budget",
        "remove",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request).annotate(release_count=Count("releases"))
        return rows

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request)

    @admin.display(description="releases", ordering="release_count")
    def release(self, benchmark: Any) -> Any:
        return list_link(Release, benchmark.release_count, benchmark__slug__exact=benchmark.pk)

    @admin.display(ordering="is_synthetic")
    def data(self, benchmark: Benchmark) -> str:
        return "synthetic" if benchmark.is_synthetic else "real"

    @admin.display(description="public page")
    def public_page(self, benchmark: Benchmark) -> SafeString:
        url = f"/benchmarks/{benchmark.slug}/"
        return page_link(url, url)

    @admin.display(description="definition")
    def definition_text(self, benchmark: Benchmark) -> SafeString:
        return format_html('<pre class="overflow-auto max-h-96 text-xs">{}</pre>', as_yaml(benchmark))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        mark_stale(obj.pk)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        phases = [
            (link(one), in_words(one.next_cut_off_at), one.get_counting_display(), one.quota_limit)
            for one in row.phases.all()
        ]
        tasks = [(link(one, one.title), one.version, _yes(one.is_retired)) for one in row.tasks.all()]
        releases = Release.objects.of(row.pk).defer("boards").select_related("phase")[:5]
        return [
            Table("Phases", ("Phase", "Next cut-off", "What counts", "Quota"), phases),
            Table("Tasks", ("Task", "Version", "Retired"), tasks),
            Table(
                "Latest releases",
                ("Release", "Phase", "Published"),
                [(link(one, one.number), one.phase, in_words(one.published_at)) for one in releases],
                empty="Nothing has been released yet.",
            ),
            *ledger_tables(row),
        ]

    @button("Delete", icon="delete", variant=ActionVariant.DANGER)
    def remove(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Delete a benchmark that nobody has submitted to, with everything that belongs to it."""
        benchmark = self.row_or_404(request, object_id)
        try:
            refuse_to_remove(benchmark)
            if not was_confirmed(request):
                return self.ask(request, _removal(benchmark), row=benchmark)
            with transaction.atomic():
                self.log_change(request, benchmark, "Deleted, with its tasks, phases and gold labels.")
                remove_benchmark(benchmark)
        except CannotRemove as error:
            return self.ask(request, replace(_removal(benchmark), problems=(str(error),)), row=benchmark)
        messages.success(request, f"{benchmark} was deleted.")
        return HttpResponseRedirect(reverse("admin:index"))

    @button("Render pages anew", icon="refresh")
    def render_anew(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Print every page of the benchmark again, after saying that no number changes."""
        benchmark = self.row_or_404(request, object_id)
        if was_confirmed(request):
            refresh(benchmark, archive=True)
            self.log_change(request, benchmark, "Rendered all pages anew.")
            messages.success(request, f"All pages of {benchmark} were rendered anew.")
            return HttpResponseRedirect(address(benchmark))
        question = Question(
            title=f"Render the pages of {benchmark} anew",
            sentences=(
                "Every page, also those of earlier releases, is printed again from the releases as they were "
                "frozen. No number, no rank and no release changes; this helps after an upgrade of the server.",
            ),
            button="Render anew",
        )
        return self.ask(request, question, row=benchmark)


@admin.register(Batch)
class BatchAdmin(OrganisedAdmin):
    """Everything accepted before one cut-off, how it was scored, and publishing it."""

    benchmark_path = "phase__benchmark"
    list_display = ("cut_off_at", "phase", "state", "scored", "failed", "pending", "release_link")
    list_select_related = ("phase", "release")
    list_filter = ("status", ("phase", admin.RelatedOnlyFieldListFilter))
    fields = ("phase", "cut_off_at", "state", "set_aside_because", "closed_at", "scored_at", "release_link")
    actions_detail = ("publish",)
    audited = ("status",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = (
            super().get_queryset(request).select_related("phase", "release").defer("release__boards")
        )
        annotated: QuerySet[Any] = rows.annotate(
            **{
                f"{outcome}_count": Count("entries", filter=Q(entries__outcome=outcome))
                for outcome in BatchEntry.Outcome
            }
        )
        return annotated

    @coloured("status", COLOURS, ordering="status")
    def state(self, batch: Batch) -> str:
        waits = batch.status == Batch.Status.SCORED
        return SET_ASIDE if waits and batch.set_aside_because else STATUS_WORDS[Batch.Status(batch.status)]

    @admin.display(ordering="scored_count")
    def scored(self, batch: Any) -> int:
        return int(batch.scored_count)

    @admin.display(ordering="failed_count")
    def failed(self, batch: Any) -> int:
        return int(batch.failed_count)

    @admin.display(ordering="pending_count")
    def pending(self, batch: Any) -> int:
        return int(batch.pending_count)

    @admin.display(description="release")
    def release_link(self, batch: Batch) -> Any:
        release = getattr(batch, "release", None)
        return link(release, f"release {release.number}") if release else None

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        entries = row.entries.select_related("submission__system__team").order_by("submission__received_at")
        rows = [
            (
                link(one.submission),
                one.submission.system.team,
                one.get_outcome_display(),
                one.submission.get_status_display(),
                one.submission.status_reason,
            )
            for one in entries
        ]
        headers = ("Submission", "Team", "Outcome in this batch", "Now", "Reason")
        return [Table("Submissions", headers, rows, empty="Nothing was submitted."), watch_table(row)]

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        batch = self.get_object(request, unquote(object_id))
        waits = batch is not None and batch.status == Batch.Status.SCORED
        return super().get_actions_detail(request, object_id) if waits else []

    @button("Publish", icon="campaign", variant=ActionVariant.PRIMARY)
    def publish(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Give the word for a release, after showing the board that it would have."""
        batch = self.row_or_404(request, object_id)
        if batch.status != Batch.Status.SCORED:
            messages.error(
                request, f"This batch is {STATUS_WORDS[batch.status]}: there is nothing to publish."
            )
            return HttpResponseRedirect(address(batch))
        now = database_now()
        try:
            if not was_confirmed(request):
                return self.ask(request, _publication(batch), row=batch)
            release = publish(batch=batch, now=now)
        except NotReady as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(address(batch))
        except Exception as error:
            logger.exception("the batch %s could not be published", batch.pk)
            messages.error(request, note_failure(batch, error, now))
            return HttpResponseRedirect(address(batch))
        self.log_change(request, batch, f"Published as release {release.number}.")
        messages.success(request, f"Release {release.number} is published.")
        return HttpResponseRedirect(address(release))


def _removal(benchmark: Benchmark) -> Question:
    return Question(
        title=f"Delete {benchmark}",
        sentences=(
            "Its tasks, splits, phases, texts, terms, sealed gold labels and pages are deleted; this cannot be undone. "
            "The audit log keeps its entries.",
            "Where its definition lies among those of the server, the next sync_benchmarks makes it anew.",
        ),
        button="Delete",
        is_grave=True,
    )


def _publication(batch: Batch) -> Question:
    phase = batch.phase
    number = Release.objects.next_number(phase.benchmark_id)
    rows = standings(batch)
    boards = build_boards(phase=phase, rows=rows, release=number, published_at=database_now())
    failed = batch.entries.filter(outcome=BatchEntry.Outcome.FAILED).count()
    left_out = f" {failed} of the batch could not be scored and are not on it." if failed else ""
    hidden = f" {HIDDEN}" if phase.benchmark.is_anonymous else ""
    return Question(
        title=f"Publish release {number} of {phase.benchmark}",
        sentences=(
            f"This is the board as it would stand now.{left_out} {_who_has_seen(rows)}{hidden}",
            "Publishing puts every page in place at once. A release is permanent: it is numbered, can be cited "
            "and is never changed; mistakes are put right by the next one.",
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
        rows.append((str(row.rank or ""), row.system, first, row.source or row.team, tag, *others))
    first_head, *other_heads = (column.title for column in columns)
    headers = ("Rank", "System", first_head, "Team", "", *other_heads)
    return Table("Preview", headers, rows, empty="No system has a score.", is_wide=True)


def _line(cell: Cell) -> str:
    """All that a cell shows in one line: ".712 (.802) ± .004"."""
    seeds = fmt.missing_seeds(cell.seeds, cell.seeds_wanted)
    shown = (fmt.score(cell.value), fmt.beside(cell.beside), fmt.deviation(cell.deviation), seeds)
    return " ".join(filter(None, shown))


@admin.register(Release)
class ReleaseAdmin(OrganisedAdmin):
    """Releases as they were frozen."""

    benchmark_path = "benchmark"
    list_display = ("number", "benchmark", "phase", "published_at", "public_page")
    list_select_related = ("benchmark", "phase")
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    fields = ("benchmark", "number", "phase", "batch", "published_at", "public_page")
    ordering = ("-published_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("boards")

    @admin.display(description="public page")
    def public_page(self, release: Release) -> SafeString:
        url = f"/benchmarks/{release.benchmark_id}/releases/{release.number}/"
        return page_link(url, url)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        board = _board_table(from_dict(row.boards[OVERALL]))
        hidden = f". {HIDDEN}" if row.benchmark.is_anonymous else ""
        return [replace(board, title=f"Overall board{hidden}")]


def _yes(value: bool) -> str:
    return "yes" if value else ""
