"""Teams that would take part in a benchmark whose organisers approve them, in the admin."""

from django import forms
from django.contrib import admin
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant
from benchmarks.admin.asks import Ask, Selected
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, column
from submissions.participants import TeamRegistration
from submissions.quota.registrations import CannotDecline, approve, decline


class DeclineForm(forms.Form):
    """Why a team does not take part."""

    reason = forms.CharField(
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="The team's members read it in the mail, and whoever of them sends a file.",
    )


@admin.register(TeamRegistration)
class TeamRegistrationAdmin(OrganisedAdmin):
    """Teams that would take part in a benchmark whose organisers approve them, and those that were approved."""

    benchmark_path = "benchmark"
    related = ("benchmark", "team", "asked_by")
    list_display = ("team", "benchmark", "asked_at", "approved_at", "declined_at")
    list_filter = (
        ("benchmark", admin.RelatedOnlyFieldListFilter),
        ("approved_at", admin.EmptyFieldListFilter),
        ("declined_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("team__name",)
    fields = (
        "team_page",
        "benchmark",
        "asked_by",
        "asked_at",
        "approved_at",
        "declined_at",
        "decline_reason",
    )
    actions_detail = ("approve", "decline")
    actions = ("approve_selected",)
    audited = ("approved_at", "declined_at", "decline_reason")

    approve = Ask(
        label="Approve",
        icon="how_to_reg",
        variant=ActionVariant.PRIMARY,
        question=lambda registrations: Question(
            title=f"Approve {', '.join(str(one.team) for one in registrations)}",
            sentences=("Their members get a mail and may send files from then on.",),
            button="Approve",
        ),
        do=approve,
        of_many=True,
        done="Approved: {result}.",
        log="Approved.",
        shown=lambda registration: registration.approved_at is None,
    )
    approve_selected = Selected(approve)
    decline = Ask(
        label="Decline",
        icon="person_off",
        variant=ActionVariant.DANGER,
        question=Question(
            title="Decline {row}",
            sentences=(
                "The team's members get a mail with your reason, and their files are not taken.",
                "You can still approve the team later.",
            ),
            button="Decline",
        ),
        form=DeclineForm,
        do=decline,
        refused=(CannotDecline,),
        done="{row} is declined.",
        log="Declined: {reason}",
        shown=lambda registration: registration.state == TeamRegistration.State.WAITING,
    )
    team_page = column("team", lambda registration: link(registration.team))
