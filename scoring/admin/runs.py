"""Scoring runs in the admin: how each comparison went. Scores are not shown before they are published."""

import datetime as dt
from collections.abc import Callable

from django.contrib import admin, messages

from benchmarks.admin.asks import Ask, Done, Selected
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from scoring.models import ScoringRun
from scoring.queue.wanted_runs import ensure_runs
from submissions.models import Submission

COLOURS = {
    "waiting": "info",
    "running": "info",
    "done": "success",
    "failed": "danger",
}


def _failed(runs: list[ScoringRun]) -> list[ScoringRun]:
    return [run for run in runs if run.status == ScoringRun.Status.FAILED]


def _retry(failed: list[ScoringRun], now: dt.datetime, log: Callable[[ScoringRun, str], None]) -> Done:
    """Set failed runs going anew; the others that were chosen are left alone."""
    submissions = list(Submission.objects.live().filter(pk__in={run.submission_id for run in failed}))
    ensure_runs(submissions, now=now)
    for run in failed:
        log(run, f"Set going again after: {run.get_error_display()}")
    of = "1 submission" if len(submissions) == 1 else f"{len(submissions)} submissions"
    message = (
        f"The failed runs of {of} wait for a worker again. What they give is shown with the next release."
    )
    return Done(also=((messages.INFO, message),))


def _question(chosen: list[ScoringRun], failed: list[ScoringRun]) -> Question:
    left_out = len(chosen) - len(failed)
    others = [f"{left_out} of those chosen did not fail and are left alone."] if left_out else []
    return Question(
        title=f"Retry {len(failed)} scoring run" if len(failed) == 1 else f"Retry {len(failed)} scoring runs",
        sentences=(
            " ".join(["All failed runs of their submissions are handed to the workers again.", *others]),
            "What they give is shown with the next release, not before.",
        ),
        button="Retry",
        tables=(
            Table(
                "Failed",
                ("Run", "Submission", "Set", "Fault"),
                [(link(run), link(run.submission), run.split, run.get_error_display()) for run in failed],
                empty="None of them failed.",
            ),
        ),
    )


@admin.register(ScoringRun)
class ScoringRunAdmin(OrganisedAdmin):
    """One run per predictions, which are of one split and one seed, gold version and scorer version."""

    benchmark_path = "submission__phase__benchmark"
    related = ("submission__system", "split__task", "gold_version", "predictions")
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

    submission_link = column(
        "submission", lambda run: link(run.submission), ordering="submission__system__name"
    )
    seed = column("Seed", "predictions.seed", ordering="predictions__seed")
    gold = column("gold version", "gold_version.number", ordering="gold_version__number")
    state = column("status", lambda run: run.get_status_display(), ordering="status", colours=COLOURS)
    retry = Selected(
        Ask(
            question=lambda runs: _question(runs, _failed(runs)),
            do=lambda scoring_runs, now, log: _retry(_failed(scoring_runs), now, log),
            of_many=True,
        ),
        "Retry what failed",
    )
