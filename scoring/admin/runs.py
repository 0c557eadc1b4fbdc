"""Scoring runs in the admin: how each comparison went. Scores are not shown before they are published."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from accounts.admin_look import coloured
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, link, was_confirmed
from scoring.models import ScoringRun
from scoring.queue.runs import ensure_runs
from submissions.models import Submission

COLOURS = {
    "waiting": "info",
    "running": "info",
    "done": "success",
    "failed": "danger",
}


@admin.register(ScoringRun)
class ScoringRunAdmin(OrganisedAdmin):
    """One run per predictions, which are of one split and one seed, gold version and scorer version."""

    benchmark_path = "submission__phase__benchmark"
    list_display = (
        "id",
        "submission_link",
        "split",
        "seed",
        "gold",
        "state",
        "attempt",
        "error",
        "created_at",
        "finished_at",
    )
    list_filter = (
        "status",
        ("error", admin.AllValuesFieldListFilter),
        ("submission__phase", admin.RelatedOnlyFieldListFilter),
    )
    linked_lookups = ("submission__exact", "gold_version__exact")
    search_fields = ("submission__system__name", "submission__system__team__name", "split__task__slug")
    fields = (
        ("submission_link", "split", "seed"),
        ("gold", "scorer_version", "code_commit"),
        ("state", "error", "attempt"),
        ("created_at", "hinted_at", "lease_expires_at"),
        ("deadline_at", "finished_at"),
    )
    actions = ("retry",)
    audited = ("status", "error", "attempt")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return (
            super()
            .get_queryset(request)
            .select_related("submission__system", "split__task", "gold_version", "predictions")
        )

    @admin.display(description="submission", ordering="submission__system__name")
    def submission_link(self, run: ScoringRun) -> Any:
        return link(run.submission)

    @admin.display(ordering="predictions__seed")
    def seed(self, run: ScoringRun) -> int:
        return run.predictions.seed

    @admin.display(description="gold version", ordering="gold_version__number")
    def gold(self, run: ScoringRun) -> int:
        return run.gold_version.number

    @coloured("status", COLOURS, ordering="status")
    def state(self, run: ScoringRun) -> str:
        return run.get_status_display()

    @admin.action(description="Retry what failed")
    def retry(self, request: HttpRequest, queryset: QuerySet[ScoringRun]) -> HttpResponse | None:
        """Set failed runs going anew, after saying which; the others are left alone."""
        chosen = list(queryset)
        failed = [run for run in chosen if run.status == ScoringRun.Status.FAILED]
        submissions = list(Submission.objects.live().filter(pk__in={run.submission_id for run in failed}))
        if not was_confirmed(request):
            return self.ask(request, _question(chosen, failed), selected=chosen, action="retry")
        ensure_runs(submissions, now=database_now())
        for run in failed:
            self.log_change(request, run, f"Set going again after: {run.get_error_display()}")
        count = len(submissions)
        self.message_user(
            request,
            (
                (
                    f"The failed runs of {count} submission wait for a worker again. "
                    "What they give is shown with the next release."
                )
                if count == 1
                else (
                    f"The failed runs of {count} submissions wait for a worker again. "
                    "What they give is shown with the next release."
                )
            ),
        )
        return None


def _question(chosen: list[ScoringRun], failed: list[ScoringRun]) -> Question:
    left_out = len(chosen) - len(failed)
    rows = [(link(run), link(run.submission), run.split, run.get_error_display()) for run in failed]
    return Question(
        title=(
            f"Retry {len(failed)} scoring run" if len(failed) == 1 else f"Retry {len(failed)} scoring runs"
        ),
        sentences=(
            " ".join(
                [
                    "All failed runs of their submissions are handed to the workers again.",
                    *([f"{left_out} of those chosen did not fail and are left alone."] if left_out else []),
                ]
            ),
            "What they give is shown with the next release, not before.",
        ),
        button="Retry",
        tables=(
            Table(
                "Failed",
                ("Run", "Submission", "Set", "Fault"),
                rows,
                empty="None of them failed.",
            ),
        ),
    )
