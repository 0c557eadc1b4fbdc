"""Claims of rows of an earlier leaderboard, in the admin: accepted, or refused with a reason."""

from django import forms
from django.contrib import admin
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question
from submissions.claims.services import CannotClaim, accept_claim, refuse_claim
from submissions.participants import RowClaim


class RefuseClaimForm(forms.Form):
    """Why a row is not this team's."""

    reason = forms.CharField(
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="The members of the team read it.",
    )


@admin.register(RowClaim)
class RowClaimAdmin(OrganisedAdmin):
    """Rows of an earlier leaderboard that teams say are their own."""

    benchmark_path = "benchmark"
    related = ("benchmark", "team", "system", "asked_by")
    list_display = ("system_there", "team_there", "date", "team", "benchmark", "asked_at", "state")
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter), "state")
    search_fields = ("system_there", "team_there", "team__name")
    fields = (
        "benchmark",
        "system_there",
        "team_there",
        "date",
        "team",
        "system",
        "note",
        "asked_by",
        "asked_at",
        "state",
        "decided_by",
        "decided_at",
        "reason",
    )
    actions_detail = ("accept", "refuse")
    audited = ("state", "reason")

    accept = Ask(
        label="Accept",
        icon="verified",
        variant=ActionVariant.PRIMARY,
        question=lambda claim: Question(
            title=f"Accept that {claim} is {claim.team}'s",
            sentences=(
                "The row names the team from then on, with a link to its system, and stays marked as reported. The "
                "members of the team get a mail.",
                *([f"They say: {claim.note}"] if claim.note else []),
            ),
            button="Accept",
        ),
        do=accept_claim,
        refused=(CannotClaim,),
        done="Accepted: {row}.",
        log="Accepted.",
        shown=lambda claim: claim.state != RowClaim.State.ACCEPTED,
    )
    refuse = Ask(
        label="Refuse",
        icon="block",
        variant=ActionVariant.DANGER,
        question=Question(
            title="Refuse {row}",
            sentences=(
                "The members of the team get a mail with your reason.",
                "You can still accept it later.",
            ),
            button="Refuse",
        ),
        form=RefuseClaimForm,
        do=refuse_claim,
        refused=(CannotClaim,),
        done="Refused: {row}.",
        log="Refused: {reason}",
        shown=lambda claim: claim.state != RowClaim.State.REFUSED,
    )
