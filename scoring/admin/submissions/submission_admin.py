"""The list of submissions and the page of each: what was sent and what became of it."""

from math import inf
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat

from accounts.formats.numbers import decimal
from benchmarks.admin.asks import Selected
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Table, column
from benchmarks.spec import TEST
from scoring.admin.submissions.buttons import DISQUALIFY, HOLD_BACK, LET_GO, REMOVE_FILE, SCORE_AGAIN
from scoring.admin.submissions.tables import described, tables_of
from submissions.models import Submission
from submissions.systems.status_texts import WORDS
from submissions.systems.status_transitions import Status
from submissions.uploads.answer_summary import answered_splits, predictions_to_list

COLOURS = {
    WORDS[Status.ACCEPTED]: "info",
    WORDS[Status.SCORING]: "info",
    WORDS[Status.SCORED]: "warning",
    WORDS[Status.PUBLISHED]: "success",
    WORDS[Status.FAILED]: "danger",
}


class TwinFilter(admin.SimpleListFilter):
    """Whether another team sent the same predictions."""

    title = "same predictions"
    parameter_name = "twin"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "as another team")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(has_twin=True) if self.value() == "yes" else queryset


@admin.register(Submission)
class SubmissionAdmin(OrganisedAdmin):
    """Read-only: a submission changes by what its team, the cut-off and the buttons do."""

    benchmark_path = "phase__benchmark"
    related = ("system__team", "phase", "submitted_by")
    annotations = {
        "has_twin": Exists(
            Submission.objects.filter(
                predictions_sha256=OuterRef("predictions_sha256"),
                phase__benchmark=OuterRef("phase__benchmark"),
            ).exclude(system__team=OuterRef("system__team"))
        )
    }
    list_display = (
        "received_at",
        "system",
        "team",
        "phase",
        "track",
        "state",
        "published",
        "cut_off",
        "twin",
    )
    list_filter = ("status", ("phase", admin.RelatedOnlyFieldListFilter), TwinFilter)
    linked_lookups = ("system__exact",)
    search_fields = ("system__name", "system__team__name", "file_name")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("system", "team"),
                    ("phase", "track"),
                    "sent_by",
                    "state",
                    "sentence",
                    "next_step",
                    "twin",
                )
            },
        ),
        ("File", {"fields": (("file_name", "size"), "tasks", "file_sha256", "predictions_sha256")}),
    )
    actions = ("disqualify_selected", "score_again_selected")
    actions_detail = ("hold_back", "let_go", "disqualify", "score_again", "remove_file")
    audited = ("status", "status_reason", "cut_off_at", "held_back_at", "let_go_at")

    hold_back, let_go = HOLD_BACK, LET_GO
    disqualify, disqualify_selected = DISQUALIFY, Selected(DISQUALIFY, "Disqualify with a public reason")
    score_again, score_again_selected = SCORE_AGAIN, Selected(SCORE_AGAIN)
    remove_file = REMOVE_FILE

    team = column("team", lambda submission: link(submission.system.team), ordering="system__team__name")
    sent_by = column(
        "sent by", lambda submission: f"{submission.submitted_by.name} <{submission.submitted_by.email}>"
    )
    state = column("status", lambda submission: _word(submission), ordering="status", colours=COLOURS)
    sentence = column("what its team reads", lambda submission: described(submission).sentence)
    next_step = column("what happens next", lambda submission: described(submission).next_step)
    twin = column(
        "same predictions",
        lambda submission: "as another team" if submission.has_twin else "",
        ordering="has_twin",
    )
    published = column("published scores", lambda submission: _published(submission))
    cut_off = column("cut-off", "cut_off_at", ordering="cut_off_at")
    size = column("size", lambda submission: filesizeformat(submission.file_size))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # Scores are joined: a fetch of their own names thousands of them, one by one, which SQLite refuses.
        cells = apps.get_model("leaderboard", "ReleaseCell").objects.select_related("score", "disclosed")
        shown = Prefetch("release_cells", cells.prefetch_related("task", "split"))
        return super().get_queryset(request).prefetch_related(shown)

    @admin.display(description="tasks answered")
    def tasks(self, submission: Submission) -> str:
        return ", ".join(
            answer.task_title
            + ("" if answer.is_test else f" ({answer.split})")
            + (": " + f"{answer.seeds} seeds" if answer.seeds > 1 else "")
            for answer in answered_splits(predictions_to_list().filter(submission=submission))
        )

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        return tables_of(row)


_MOST_SHOWN = 3
"""Scores in a row of the list; the result that its team reads has all."""


def _word(submission: Submission) -> str:
    return "Held back" if submission.is_held_back else WORDS[Status(submission.status)]


def _published(submission: Any) -> str:
    """What the newest release that shows it says of the first splits it answers: the mean over its seeds."""
    cells = list(submission.release_cells.all())
    newest = max((_ended(cell) for cell in cells), default=None)
    by_split: dict[str, list[float | None]] = {}
    for cell in sorted(cells, key=lambda cell: cell.split.slug != TEST):
        if _ended(cell) == newest:
            split = "" if cell.split.slug == TEST else f" {cell.split.slug}"
            by_split.setdefault(f"{cell.task.spec.code}{split}", []).append(cell.value)
    shown = [f"{name} {_mean(values)}" for name, values in by_split.items()]
    more = len(shown) - _MOST_SHOWN
    return ", ".join(shown) if more <= 1 else f"{', '.join(shown[:_MOST_SHOWN])} and {more} more"


def _ended(cell: Any) -> float:
    """The number of the release that has it no more."""
    return inf if cell.until is None else cell.until


def _mean(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return decimal(sum(known) / len(known), 3) if len(known) == len(values) else "undefined"
