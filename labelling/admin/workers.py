"""Workers of campaigns in the admin: what the numbers say of each, and who goes on."""

import datetime as dt
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped, percent
from accounts.models import User
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.people.rights import Right
from labelling.admin.overview.seconds import in_seconds, median_seconds
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, CampaignFigures, Unit, Worker
from labelling.work.checks import right_answers
from labelling.work.exclusions import (
    MAY_BE_LET_IN,
    MAY_BE_SCREENED_OUT,
    erase_outside_id,
    exclude,
    let_in,
    screen_out,
)

Stage = Worker.Stage
BY_HAND = "organiser"
COLOURS = {
    "works": "success",
    "answers qualification questions": "info",
    "waits to be let in": "warning",
    "excluded": "danger",
    "not qualified": "danger",
    "has stopped": "info",
}


class ToldForm(forms.Form):
    """A reason that the worker reads."""

    reason = forms.CharField(
        label="Why",
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="The worker reads it, and it stands in the list of exclusions.",
    )


def _is_running(worker: Worker) -> bool:
    return worker.campaign.status != Campaign.Status.CLOSED


def numbers_of(worker: Worker) -> dict[str, Any]:
    """What is known of a worker's work, as an exclusion keeps it."""
    return {
        "answered": worker.answered,
        "checks_seen": worker.checks_seen,
        "checks_right": worker.checks_right,
        "seconds": median_seconds(worker.campaign, [worker.pk]).get(worker.pk),
        "agreement": agreement_of(worker),
    }


def agreement_of(worker: Worker) -> float | None:
    """With how much of what the others say a worker agrees, by the newest figures; None where they do not say."""
    figures = CampaignFigures.objects.filter(campaign=worker.campaign).order_by("-made_at").first()
    rows = figures.report.get("workers", []) if figures else []
    counts = next((row[1:] for row in rows if row[0] == worker.number), (0, 0))
    return counts[1] / counts[0] if counts[0] else None


def said_of(worker: Worker) -> list[str]:
    """The same in sentences, for whoever decides."""
    numbers = numbers_of(worker)
    seconds, agreement = numbers["seconds"], numbers["agreement"]
    first = f"{_qualification(worker)}; " if worker.qualification_answered else ""
    return [
        f"{grouped(worker.answered)} answered; {first}{_checks(worker)}.",
        f"Agrees with the majority of the others in {percent(agreement, 0)} of the items that they share."
        if agreement is not None
        else "How far the others agree is not known yet.",
        f"Half of the answers took {in_seconds(seconds)} or less; {grouped(worker.quick)} were faster than the least "
        "time."
        if seconds is not None
        else "The page has told no times.",
    ]


def _excluding(worker: Worker) -> Question:
    return Question(
        title=f"Exclude {worker} of {worker.campaign}",
        sentences=(
            *said_of(worker),
            "The answers are kept and count no longer; as many places are on offer to others again. The work is paid: "
            "an exclusion is no rejection on any platform.",
            "This cannot be undone.",
        ),
        button="Exclude",
        is_grave=True,
    )


def _exclude(*, worker: Worker, reason: str, user: User, now: dt.datetime) -> None:
    exclude(worker=worker, rule=BY_HAND, reason=reason, numbers=numbers_of(worker), user=user, now=now)


def _checks(worker: Worker) -> str:
    if not worker.checks_seen:
        return "no check question"
    return f"{worker.checks_right} of {worker.checks_seen} check questions right"


def _qualification(worker: Worker) -> str:
    if not worker.qualification_answered:
        return "no qualification question"
    answered, right = right_answers(worker, Unit.Part.QUALIFICATION)
    return f"{right} of {answered} qualification questions right"


@admin.register(Worker)
class WorkerAdmin(OrganisedAdmin):
    """Workers, known by a number; no page here shows an answer."""

    read_right = Right.RUN
    benchmark_path = "campaign__benchmark"
    related = ("campaign__benchmark", "user", "outside_id", "invitation")
    made_from = (
        "Workers come by the links of a campaign, or with an account that has the role of an annotator."
    )
    list_display = ("shown", "campaign", "stage_now", "answered", "checks", "quick", "source", "seen_at")
    list_filter = ("stage", "source", ("campaign", admin.RelatedOnlyFieldListFilter))
    search_fields = ("number",)
    ordering = ("campaign", "number")
    fields = (
        ("shown", "of_campaign"),
        ("stage_now", "stage_because"),
        ("source", "who"),
        ("answered", "qualification", "checks", "quick"),
        ("seconds", "agreement"),
        ("joined_at", "seen_at"),
    )
    actions_detail = ("exclude_it", "let_in", "screen_out", "erase_id")

    shown = column("worker", lambda worker: f"Worker {worker.number}", ordering="number")
    of_campaign = column("campaign", lambda worker: link(worker.campaign))
    stage_now = column("stage", lambda worker: worker.get_stage_display(), ordering="stage", colours=COLOURS)
    qualification = column("qualification questions", _qualification)
    checks = column("check questions", _checks)
    seconds = column(
        "seconds per answer, median",
        lambda worker: in_seconds(median_seconds(worker.campaign, [worker.pk]).get(worker.pk)),
    )
    agreement = column(
        "agreement with the others",
        lambda worker: "not known yet" if (share := agreement_of(worker)) is None else percent(share, 0),
    )

    exclude_it = Ask(
        label="Exclude",
        icon="block",
        variant=ActionVariant.DANGER,
        question=_excluding,
        form=ToldForm,
        do=_exclude,
        done="{row} is excluded; others get the units again.",
        log="Excluded: {reason}",
        refused=(CannotChangeCampaign,),
        shown=lambda worker: _is_running(worker) and worker.stage != Stage.EXCLUDED,
    )
    let_in = Ask(
        label="Let in",
        icon="check",
        variant=ActionVariant.PRIMARY,
        question=lambda worker: Question(
            title=f"Let {worker} of {worker.campaign} work?",
            sentences=(*said_of(worker), "From now on they get what is to be labelled."),
            button="Let in",
        ),
        do=let_in,
        done="{row} works from now on.",
        log="Let in.",
        refused=(CannotChangeCampaign,),
        shown=lambda worker: _is_running(worker) and worker.stage in MAY_BE_LET_IN,
    )
    screen_out = Ask(
        label="Screen out",
        icon="close",
        question=lambda worker: Question(
            title=f"Screen out {worker} of {worker.campaign}?",
            sentences=(
                *said_of(worker),
                "They are told that they are not qualified, and get a completion code that says so. What they did is "
                "paid.",
            ),
            button="Screen out",
        ),
        form=ToldForm,
        do=screen_out,
        done="{row} is not qualified.",
        log="Screened out: {reason}",
        refused=(CannotChangeCampaign,),
        shown=lambda worker: _is_running(worker) and worker.stage in MAY_BE_SCREENED_OUT,
    )
    erase_id = Ask(
        label="Erase the outside id",
        icon="person_off",
        question=Question(
            title="Erase by which id a platform knows {row}?",
            sentences=(
                "The answers stay under the number. Pay what is due before: afterwards only the completion code says "
                "whose work it was.",
                "This cannot be undone.",
            ),
            button="Erase",
        ),
        do=erase_outside_id,
        done="The outside id of {row} is erased.",
        log="Outside id erased.",
        shown=lambda worker: hasattr(worker, "outside_id"),
    )

    @admin.display(description="who")
    def who(self, worker: Worker) -> str:
        if worker.user:
            return str(worker.user)
        outside = getattr(worker, "outside_id", None)
        if outside:
            return f"{outside.value} of {outside.platform}"
        return str(worker.invitation) if worker.invitation else "erased"

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        rows = [
            (in_words(one.at), one.reason, one.by or "a rule") for one in row.exclusions.select_related("by")
        ]
        return [Table("Exclusion", ("When", "Why", "By"), rows, empty="Not excluded.")]
