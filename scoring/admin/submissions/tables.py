"""Tables on the page of a submission: its way, its batches and runs, and what else the same system sent."""

from typing import Any

from accounts.formats.instants import in_words
from accounts.server.clock import database_now
from benchmarks.admin.organised.links import link, list_link, page_link
from benchmarks.admin.organised.organised_admin import Table
from scoring.item_sets.equity import has_report
from scoring.models import BatchEntry, EquityResult, ScoringRun
from scoring.queue.quarantine import is_quarantined
from submissions.models import Refusal, Submission
from submissions.systems.status_texts import Passed, StatusView, StepState, describe

STATES = {
    StepState.DONE: "done",
    StepState.NOW: "next",
    StepState.TODO: "to come",
    StepState.FAILED: "failed",
}


def tables_of(submission: Any) -> list[Table]:
    """All of them, for a row that says whether another team `has_twin`."""
    return [
        *_twins(submission),
        _timeline(submission),
        _batches(submission),
        _runs(submission),
        *_equity(submission),
        _refusals(submission),
    ]


def _twins(submission: Any) -> list[Table]:
    if not submission.has_twin:
        return []
    same = Submission.objects.filter(
        predictions_sha256=submission.predictions_sha256,
        phase__benchmark=submission.phase.benchmark_id,
    ).exclude(system__team=submission.system.team_id)
    rows = [
        (link(other), other.system.team, other.get_status_display())
        for other in same.select_related("system__team")[:20]
    ]
    return [
        Table(
            "Same predictions from other teams",
            ("Submission", "Team", "Status"),
            rows,
        )
    ]


def described(submission: Submission) -> StatusView:
    passed = Passed(is_quarantined=is_quarantined(submission))
    return describe(submission, now=database_now(), passed=passed)


def _timeline(submission: Submission) -> Table:
    steps = described(submission).steps
    rows = [
        (step.title, in_words(step.at) if step.at else "", STATES[step.state], step.note) for step in steps
    ]
    return Table("Timeline", ("Step", "When", "State", ""), rows)


def _batches(submission: Submission) -> Table:
    entries = BatchEntry.objects.filter(submission=submission).select_related("batch__phase")
    rows = [
        (link(entry.batch), entry.get_outcome_display(), entry.batch.get_status_display())
        for entry in entries.order_by("batch__cut_off_at")
    ]
    return Table(
        "Batches",
        ("Batch", "Outcome", "The batch is"),
        rows,
        empty="Its cut-off has not come yet.",
    )


def _runs(submission: Submission) -> Table:
    """A line for all the seeds of a split that have fared alike; the list has a line for each."""
    runs = ScoringRun.objects.filter(submission=submission).select_related("split__task", "gold_version")
    alike: dict[tuple[object, ...], list[ScoringRun]] = {}
    for run in runs:
        alike.setdefault((run.split_id, run.gold_version_id, run.status, run.error), []).append(run)
    rows = [
        (
            link(several[0], several[0].split.task.title),
            several[0].split.slug,
            several[0].gold_version.number,
            len(several),
            several[0].get_status_display(),
            max(run.attempt for run in several),
            several[0].get_error_display(),
            in_words(several[0].finished_at) if several[0].finished_at else "",
        )
        for several in alike.values()
    ]
    title = list_link(ScoringRun, "Scoring runs", submission__exact=submission.pk)
    headers = (
        "Task",
        "Split",
        "Gold version",
        "Seeds",
        "Status",
        "Attempts",
        "Fault",
        "Finished",
    )
    return Table(title, headers, rows, empty="It has not been scored yet.")


def _equity(submission: Submission) -> list[Table]:
    if not has_report(submission):
        return []
    report = page_link(f"{submission.get_absolute_url()}equity/", "Equity report")
    tested = EquityResult.objects.filter(predictions__submission=submission, stratum="").count()
    return [Table("Equity", ("Report", "Comparisons tested"), [(report, tested)])]


def _refusals(submission: Submission) -> Table:
    refused = Refusal.objects.filter(system=submission.system_id, phase=submission.phase_id)[:10]
    rows = [
        (link(refusal), in_words(refusal.received_at), len(refusal.problems) + refusal.more)
        for refusal in refused
    ]
    title = "Uploads of the same system that were refused"
    return Table(title, ("File", "Received", "Problems"), rows, empty="None.")
