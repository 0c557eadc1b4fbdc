"""Submissions in the admin: what was sent, what became of it, and taking one off the board."""

import datetime as dt
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import decimal
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask, Done, Selected
from benchmarks.admin.base import OrganisedAdmin, Question, Table, column, link, list_link, page_link
from benchmarks.spec import TEST
from scoring.item_sets.equity import has_report
from scoring.models import BatchEntry, EquityResult, ScoringRun
from scoring.queue.quarantine import is_quarantined
from scoring.queue.runs import ensure_runs
from submissions.exceptions import CannotChange
from submissions.models import Refusal, Submission
from submissions.systems.file_removals import remove_file
from submissions.systems.status_texts import WORDS, Passed, StatusView, StepState, describe
from submissions.systems.status_transitions import (
    ENDED,
    MOST_OF_A_REASON,
    Status,
    disqualify,
    hold_back,
    let_go,
)
from submissions.uploads.answer_summary import answered_splits, predictions_to_list

COLOURS = {
    WORDS[Status.ACCEPTED]: "info",
    WORDS[Status.SCORING]: "info",
    WORDS[Status.SCORED]: "warning",
    WORDS[Status.PUBLISHED]: "success",
    WORDS[Status.FAILED]: "danger",
}
STATES = {
    StepState.DONE: "done",
    StepState.NOW: "next",
    StepState.TODO: "to come",
    StepState.FAILED: "failed",
}
SCORABLE = (Status.SCORING, Status.SCORED, Status.PUBLISHED, Status.FAILED)


class ReasonForm(forms.Form):
    """Why a submission is taken off the board."""

    reason = forms.CharField(
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Public: it stands on the system's page, beside the submission.",
    )


class PrivateReasonForm(forms.Form):
    """Why a submission is held back."""

    reason = forms.CharField(
        max_length=MOST_OF_A_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Its team reads it, and nobody else: name no other team here.",
    )


class FileReasonForm(forms.Form):
    """Why a file is removed."""

    reason = forms.CharField(
        max_length=MOST_OF_A_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Public: it stands in the log, and its team reads it.",
    )


class TwinFilter(admin.SimpleListFilter):
    """Whether another team sent the same predictions."""

    title = "same predictions"
    parameter_name = "twin"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "as another team")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(has_twin=True) if self.value() == "yes" else queryset


def _disqualify(
    *, submissions: list[Submission], reason: str, now: dt.datetime, log: Callable[[Submission, str], None]
) -> Done:
    """Take each off the board that can be; why another cannot stands among the messages."""
    notes = []
    for submission in submissions:
        try:
            with transaction.atomic():
                disqualify(submission=submission, reason=reason, now=now)
                log(submission, f"Disqualified: {reason}")
        except CannotChange as refused:
            notes.append((messages.ERROR, f"{submission}: {refused}"))
        else:
            notes.append((messages.SUCCESS, f"{submission} was disqualified. It is on no later board."))
    return Done(also=notes)


def _score_again(
    *, submissions: list[Submission], now: dt.datetime, log: Callable[[Submission, str], None]
) -> Done:
    scorable = [submission for submission in submissions if submission.status in SCORABLE]
    created = ensure_runs(scorable, now=now)
    for submission in scorable:
        log(submission, "Set to be scored again.")
    runs = "1 scoring run" if created == 1 else f"{created} scoring runs"
    return Done(
        f"{_count(scorable)} looked at: {runs} added, failed runs set going again. What they give is "
        "shown with the next release."
    )


def _count(submissions: list[Submission]) -> str:
    return f"{len(submissions)} submission{'' if len(submissions) == 1 else 's'}"


def _disqualification(submissions: list[Submission]) -> Question:
    return Question(
        title=f"Disqualify {_count(submissions)}",
        sentences=(
            "A disqualified submission counts on no later board; releases that are out already keep "
            "it. Its team sees the reason, and so does everybody on the system's page.",
            "A submission that still waits for its cut-off gives its slot back. This cannot be undone.",
        ),
        button="Disqualify",
        is_grave=True,
        tables=(_chosen(submissions),),
    )


def _scoring(submissions: list[Submission]) -> Question:
    scorable = [submission for submission in submissions if submission.status in SCORABLE]
    left_out = len(submissions) - len(scorable)
    others = f" {left_out} of those chosen wait for their cut-off or have ended, and are left alone."
    return Question(
        title=f"Score {_count(scorable)} again",
        sentences=(
            "Runs that are missing under the present gold labels and scorer are added, and "
            "runs that failed are set going again. Scores that exist are kept: the same "
            f"predictions under the same gold labels would only give the same numbers.{others if left_out else ''}",
            "What the runs give is shown with the next release, not before.",
        ),
        button="Score again",
        tables=(_chosen(submissions),),
    )


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

    hold_back = Ask(
        label="Hold back",
        icon="pan_tool",
        question=Question(
            title="Hold back {row}",
            sentences=(
                "It stands on no board until you let it go; the release of its batch goes out without it. Where an "
                "earlier answer of the row counts by the rule of the phase, that one stands in.",
                "Its team reads the reason on the page of the submission and in a mail. Nobody else sees it; releases "
                "that are out already keep it.",
            ),
            button="Hold it back",
        ),
        form=PrivateReasonForm,
        do=lambda submission, reason, now: hold_back(submission=submission, reason=reason, now=now),
        done="It is held back. The next release goes out without it.",
        log="Held back. {reason}",
        refused=(CannotChange,),
        shown=lambda submission: not (submission.is_held_back or submission.status in ENDED),
    )
    let_go = Ask(
        label="Let it go",
        icon="play_arrow",
        question=Question(
            title="Let {row} go",
            sentences=(
                "It counts again from the next release on, by the rule of the phase. Its team gets a mail.",
            ),
            button="Let it go",
        ),
        do=lambda submission, now: let_go(submission=submission, now=now),
        done="It counts again from the next release on.",
        log="Let go.",
        refused=(CannotChange,),
        shown=lambda submission: submission.is_held_back,
    )

    disqualify = Ask(
        label="Disqualify",
        icon="block",
        variant=ActionVariant.DANGER,
        question=_disqualification,
        form=ReasonForm,
        do=_disqualify,
        of_many=True,
    )
    disqualify_selected = Selected(disqualify, "Disqualify with a public reason")
    score_again = Ask(label="Score again", icon="refresh", question=_scoring, do=_score_again, of_many=True)
    score_again_selected = Selected(score_again)

    remove_file = Ask(
        label="Remove its file",
        icon="delete_forever",
        variant=ActionVariant.DANGER,
        question=Question(
            title="Remove the file of {row}",
            sentences=(
                "The file and the predictions read from it are deleted for ever, here and in published predictions. "
                "Ranks and scores of releases stay, with the digest of the file; the log tells of it, and the release "
                "can be made again without this submission only.",
            ),
            button="Remove it for ever",
            is_grave=True,
        ),
        form=FileReasonForm,
        do=lambda submission, reason, now: remove_file(submission=submission, reason=reason, now=now),
        done="The file is removed.",
        log="Removed its file. {reason}",
        refused=(CannotChange,),
        shown=lambda submission: submission.status in ENDED and submission.file_removed_at is None,
    )

    team = column("team", lambda submission: link(submission.system.team), ordering="system__team__name")
    sent_by = column(
        "sent by", lambda submission: f"{submission.submitted_by.name} <{submission.submitted_by.email}>"
    )
    state = column("status", lambda submission: _word(submission), ordering="status", colours=COLOURS)
    sentence = column("what its team reads", lambda submission: _described(submission).sentence)
    next_step = column("what happens next", lambda submission: _described(submission).next_step)
    twin = column(
        "same predictions",
        lambda submission: "as another team" if submission.has_twin else "",
        ordering="has_twin",
    )
    published = column("published score", lambda submission: _published(submission))
    cut_off = column("cut-off", "cut_off_at", ordering="cut_off_at")
    size = column("size", lambda submission: filesizeformat(submission.file_size))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        shown = ("score", "disclosed", "task", "split")
        return super().get_queryset(request).prefetch_related(*(f"release_cells__{name}" for name in shown))

    @admin.display(description="tasks answered")
    def tasks(self, submission: Submission) -> str:
        return ", ".join(
            answer.task_title
            + ("" if answer.is_test else f" ({answer.split})")
            + (": " + f"{answer.seeds} seeds" if answer.seeds > 1 else "")
            for answer in answered_splits(predictions_to_list().filter(submission=submission))
        )

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        return [*_twins(row), _timeline(row), _batches(row), _runs(row), *_equity(row), _refusals(row)]


def _word(submission: Submission) -> str:
    return "Held back" if submission.is_held_back else WORDS[Status(submission.status)]


def _published(submission: Any) -> str:
    """What the newest release that shows it says of each split it answers: the mean over its seeds."""
    cells = list(submission.release_cells.all())
    newest = max((cell.release_id for cell in cells), default=None)
    by_split: dict[str, list[float | None]] = {}
    for cell in cells:
        if cell.release_id == newest:
            split = "" if cell.split.slug == TEST else f" {cell.split.slug}"
            by_split.setdefault(f"{cell.task.spec.code}{split}", []).append(cell.value)
    return ", ".join(f"{name} {_mean(values)}" for name, values in by_split.items())


def _mean(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return decimal(sum(known) / len(known), 3) if len(known) == len(values) else "undefined"


def _chosen(submissions: list[Submission]) -> Table:
    rows = [
        (link(submission), submission.system.team, submission.phase, submission.get_status_display())
        for submission in submissions
    ]
    return Table("Chosen", ("Submission", "Team", "Phase", "Status"), rows)


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


def _described(submission: Submission) -> StatusView:
    passed = Passed(is_quarantined=is_quarantined(submission))
    return describe(submission, now=database_now(), passed=passed)


def _timeline(submission: Submission) -> Table:
    steps = _described(submission).steps
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
