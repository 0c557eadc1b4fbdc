"""Submissions in the admin: what was sent, what became of it, and taking one off the board."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.defaultfilters import filesizeformat
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant, button, coloured
from accounts.formats.instants import in_words
from accounts.server.clock import database_now
from benchmarks.admin.base import (
    OrganisedAdmin,
    Question,
    Table,
    address,
    link,
    list_link,
    page_link,
    was_confirmed,
)
from scoring.item_sets.equity import has_report
from scoring.models import BatchEntry, EquityResult, ScoringRun
from scoring.queue.quarantine import is_quarantined
from scoring.queue.runs import ensure_runs
from submissions.exceptions import CannotChange
from submissions.models import Refusal, Submission
from submissions.systems.status_texts import WORDS, Passed, StatusView, StepState, describe
from submissions.systems.status_transitions import Status, disqualify
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
    list_display = ("received_at", "system", "team", "phase", "track", "state", "cut_off_at", "twin")
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
    actions_detail = ("disqualify", "score_again")
    audited = ("status", "status_reason", "cut_off_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        same = Submission.objects.filter(
            predictions_sha256=OuterRef("predictions_sha256"), phase__benchmark=OuterRef("phase__benchmark")
        ).exclude(system__team=OuterRef("system__team"))
        rows: QuerySet[Any] = (
            super().get_queryset(request).select_related("system__team", "phase", "submitted_by")
        )
        annotated: QuerySet[Any] = rows.annotate(has_twin=Exists(same))
        return annotated

    @admin.display(description="team", ordering="system__team__name")
    def team(self, submission: Submission) -> Any:
        return link(submission.system.team)

    @admin.display(description="sent by")
    def sent_by(self, submission: Submission) -> str:
        return f"{submission.submitted_by.name} <{submission.submitted_by.email}>"

    @coloured("status", COLOURS, ordering="status")
    def state(self, submission: Submission) -> str:
        return str(WORDS[Status(submission.status)])

    @admin.display(description="what its team reads")
    def sentence(self, submission: Submission) -> str:
        return _described(submission).sentence

    @admin.display(description="what happens next")
    def next_step(self, submission: Submission) -> str:
        return _described(submission).next_step

    @admin.display(description="same predictions", ordering="has_twin")
    def twin(self, submission: Any) -> str:
        return "as another team" if submission.has_twin else ""

    @admin.display(description="size")
    def size(self, submission: Submission) -> str:
        return str(filesizeformat(submission.file_size))

    @admin.display(description="tasks answered")
    def tasks(self, submission: Submission) -> str:
        return ", ".join(
            one.task_title
            + ("" if one.is_test else f" ({one.split})")
            + (": " + f"{one.seeds} seeds" if one.seeds > 1 else "")
            for one in answered_splits(predictions_to_list().filter(submission=submission))
        )

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        return [*_twins(row), _timeline(row), _batches(row), _runs(row), *_equity(row), _refusals(row)]

    @button("Disqualify", icon="block", variant=ActionVariant.DANGER)
    def disqualify(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take one submission off the board, for a public reason."""
        submission = self.row_or_404(request, object_id)
        answer = self._disqualify(request, [submission])
        return answer if answer else HttpResponseRedirect(address(submission))

    @admin.action(description="Disqualify with a public reason")
    def disqualify_selected(
        self, request: HttpRequest, queryset: QuerySet[Submission]
    ) -> HttpResponse | None:
        """Take the selected submissions off the board, for one public reason."""
        return self._disqualify(request, list(queryset), action="disqualify_selected")

    def _disqualify(
        self, request: HttpRequest, submissions: list[Submission], action: str = ""
    ) -> HttpResponse | None:
        form = ReasonForm(request.POST if was_confirmed(request) else None)
        if not form.is_valid():
            question = _disqualification(submissions, form)
            row = None if action else submissions[0]
            return self.ask(request, question, row=row, selected=submissions if action else (), action=action)
        for submission in submissions:
            self._disqualify_one(request, submission, form.cleaned_data["reason"])
        return None

    def _disqualify_one(self, request: HttpRequest, submission: Submission, reason: str) -> None:
        try:
            with transaction.atomic():
                disqualify(submission=submission, reason=reason, now=database_now())
                self.log_change(request, submission, f"Disqualified: {reason}")
        except CannotChange as refused:
            messages.error(request, f"{submission}: {refused}")
        else:
            messages.success(
                request,
                f"{submission} was disqualified. It is on no later board.",
            )

    @button("Score again", icon="refresh")
    def score_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Score one submission again."""
        submission = self.row_or_404(request, object_id)
        answer = self._score_again(request, [submission])
        return answer if answer else HttpResponseRedirect(address(submission))

    @admin.action(description="Score again")
    def score_again_selected(
        self, request: HttpRequest, queryset: QuerySet[Submission]
    ) -> HttpResponse | None:
        """Score the selected submissions again."""
        return self._score_again(request, list(queryset), action="score_again_selected")

    def _score_again(
        self, request: HttpRequest, submissions: list[Submission], action: str = ""
    ) -> HttpResponse | None:
        scorable = [one for one in submissions if one.status in SCORABLE]
        if not was_confirmed(request):
            row = None if action else submissions[0]
            selected = submissions if action else ()
            return self.ask(
                request, _scoring(submissions, scorable), row=row, selected=selected, action=action
            )
        created = ensure_runs(scorable, now=database_now())
        for submission in scorable:
            self.log_change(request, submission, "Set to be scored again.")
        messages.success(
            request,
            (
                "{submissions} looked at: {runs} added, failed runs set going again. What they give is "
                "shown with the next release."
            ).format(
                submissions=(
                    f"{len(scorable)} submission" if len(scorable) == 1 else f"{len(scorable)} submissions"
                ),
                runs=(f"{created} scoring run" if created == 1 else f"{created} scoring runs"),
            ),
        )
        return None


def _disqualification(submissions: list[Submission], form: ReasonForm) -> Question:
    return Question(
        title=(
            f"Disqualify {len(submissions)} submission"
            if len(submissions) == 1
            else f"Disqualify {len(submissions)} submissions"
        ),
        sentences=(
            (
                "A disqualified submission counts on no later board; releases that are out already keep "
                "it. Its team sees the reason, and so does everybody on the system's page."
            ),
            "A submission that still waits for its cut-off gives its slot back. This cannot be undone.",
        ),
        button="Disqualify",
        form=form,
        is_grave=True,
        tables=(_chosen(submissions),),
    )


def _scoring(submissions: list[Submission], scorable: list[Submission]) -> Question:
    left_out = len(submissions) - len(scorable)
    others = (
        [f"{left_out} of those chosen wait for their cut-off or have ended, and are left alone."]
        if left_out
        else []
    )
    return Question(
        title=(
            f"Score {len(scorable)} submission again"
            if len(scorable) == 1
            else f"Score {len(scorable)} submissions again"
        ),
        sentences=(
            " ".join(
                [
                    (
                        "Runs that are missing under the present gold labels and scorer are added, and "
                        "runs that failed are set going again. Scores that exist are kept: the same "
                        "predictions under the same gold labels would only give the same numbers."
                    ),
                    *others,
                ]
            ),
            "What the runs give is shown with the next release, not before.",
        ),
        button="Score again",
        tables=(_chosen(submissions),),
    )


def _chosen(submissions: list[Submission]) -> Table:
    rows = [(link(one), one.system.team, one.phase, one.get_status_display()) for one in submissions]
    return Table("Chosen", ("Submission", "Team", "Phase", "Status"), rows)


def _twins(submission: Any) -> list[Table]:
    if not submission.has_twin:
        return []
    same = Submission.objects.filter(
        predictions_sha256=submission.predictions_sha256,
        phase__benchmark=submission.phase.benchmark_id,
    ).exclude(system__team=submission.system.team_id)
    rows = [
        (link(one), one.system.team, one.get_status_display())
        for one in same.select_related("system__team")[:20]
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
    rows = [(one.title, in_words(one.at) if one.at else "", STATES[one.state], one.note) for one in steps]
    return Table("Timeline", ("Step", "When", "State", ""), rows)


def _batches(submission: Submission) -> Table:
    entries = BatchEntry.objects.filter(submission=submission).select_related("batch__phase")
    rows = [
        (link(one.batch), one.get_outcome_display(), one.batch.get_status_display())
        for one in entries.order_by("batch__cut_off_at")
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
    rows = [(link(one), in_words(one.received_at), len(one.problems) + one.more) for one in refused]
    title = "Uploads of the same system that were refused"
    return Table(title, ("File", "Received", "Problems"), rows, empty="None.")
