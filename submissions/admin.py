"""Teams, systems, refused uploads and quota in the admin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from accounts.admin_look import ActionVariant, TabularInline
from accounts.formats.numbers import grouped
from accounts.models import Membership, Team
from accounts.server.clock import database_now
from accounts.services import revoke_invitations
from benchmarks.admin.asks import Ask, Selected
from benchmarks.admin.base import (
    OrganisedAdmin,
    Question,
    Table,
    column,
    is_superuser,
    link,
    list_link,
    organised,
)
from benchmarks.services import mark_stale
from submissions.claims.admin import RowClaimAdmin
from submissions.fact_sheets.admin import FactListAdmin, FactSheetAdmin
from submissions.models import Refusal, Submission, System
from submissions.participants import GroupUse, TeamRegistration
from submissions.quota.groups import link_member
from submissions.quota.registrations import CannotDecline, approve, decline
from submissions.systems.name_removals import NameIsRemoved, remove_system_name, remove_team_name
from submissions.systems.team_merges import CannotMerge, merge_teams

__all__ = ["FactListAdmin", "FactSheetAdmin", "RowClaimAdmin"]  # registered where they stand

if TYPE_CHECKING:
    BaseFormSet = forms.BaseInlineFormSet[Any, Model, forms.ModelForm[Any]]
    BaseForm = forms.ModelForm[System]
else:
    BaseFormSet, BaseForm = forms.BaseInlineFormSet, forms.ModelForm

PROBLEM_COLUMNS = ("file", "line", "column", "code", "found", "expected", "message")
_PROBLEM_HEADS = (
    "File",
    "Line",
    "Column",
    "Code",
    "Found",
    "Expected",
    "Message",
)


def systems_in(slugs: frozenset[str]) -> QuerySet[System]:
    """Systems that somebody has sent a file for to one of these benchmarks."""
    accepted = Submission.objects.filter(phase__benchmark__in=slugs)
    refused = Refusal.objects.filter(phase__benchmark__in=slugs)
    return System.objects.filter(Q(pk__in=accepted.values("system")) | Q(pk__in=refused.values("system")))


class SystemAdminForm(BaseForm):
    """What organisers may change about a system."""

    class Meta:
        model = System
        fields = ("name", "kind", "description")
        help_texts = {
            "kind": "A baseline stands on the board without a rank. A change shows with the next release."
        }

    def clean_name(self) -> str:
        """A name that no other system of the team has."""
        name: str = self.cleaned_data["name"]
        if System.objects.filter(team=self.instance.team, name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(f"The team has another system named {name!r}. Please choose another name.")
        return name


class RemoveNameForm(forms.Form):
    """Why a name must not be read."""

    reason = forms.CharField(
        max_length=30,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Public, because it stands in place of the name: a few words, such as: offensive",
    )


def _remove_name(do: Callable[..., str], what: str) -> Ask:
    return Ask(
        label="Remove name",
        icon="visibility_off",
        variant=ActionVariant.DANGER,
        question=Question(
            title=f"Remove the name of the {what} {{row}}?",
            sentences=(
                "In its place stands when and why it was removed: on every page and in every export, also of "
                "releases that are out. Ranks and scores stay, and the public log says that a name was removed.",
                "Mails that were sent cannot be taken back, nor what others have copied.",
            ),
            button="Remove the name",
        ),
        form=RemoveNameForm,
        do=do,
        refused=(NameIsRemoved,),
        done="It is called {result} now. Pages are drawn anew within a minute.",
        log="Name removed: {reason}",
        changes_row=True,
        shown=lambda row: row.name_removed_at is None,
    )


@admin.register(System)
class SystemAdmin(OrganisedAdmin):
    """Organisers mend names and descriptions, and say which systems are baselines."""

    is_editable = True
    form = SystemAdminForm
    list_display = ("name", "team", "kind", "created_at")
    list_select_related = ("team",)
    list_filter = ("kind",)
    linked_lookups = ("team__exact",)
    search_fields = ("name", "team__name")
    fields = ("name", "team", "kind", "description", "paper_url", "code_url", "tags", "facts", "created_at")
    readonly_fields = ("team", "paper_url", "code_url", "tags", "facts", "created_at")
    actions_detail = ("remove_system_name",)
    remove_system_name = _remove_name(remove_system_name, "system")

    def of_benchmarks(self, rows: QuerySet[Any], slugs: frozenset[str]) -> QuerySet[Any]:
        return rows.filter(pk__in=systems_in(slugs).values("pk"))

    def benchmark_of(self, row: Any) -> str:
        found = set(row.submissions.values_list("phase__benchmark", flat=True))
        return found.pop() if len(found) == 1 else ""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """A system that also stands on other organisers' boards is theirs as much: only superusers change it."""
        if not self.has_view_permission(request, obj):
            return False
        if obj is None or is_superuser(request):
            return True
        elsewhere = Submission.objects.filter(system=obj.pk).exclude(phase__benchmark__in=organised(request))
        return not elsewhere.exists()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        for benchmark in set(obj.submissions.values_list("phase__benchmark", flat=True)):
            mark_stale(benchmark)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        submissions = Submission.objects.filter(system=row).select_related("phase")
        if not is_superuser(request):
            submissions = submissions.filter(phase__benchmark__in=organised(request))
        rows = [
            (link(one, f"{one.received_at:%Y-%m-%d %H:%M} UTC"), one.phase, one.get_status_display())
            for one in submissions[:10]
        ]
        title = list_link(Submission, "Latest submissions", system__exact=row.pk)
        return [Table(title, ("Received", "Phase", "Status"), rows)]


class MembersFormSet(BaseFormSet):
    """The members of a team, at least one of them."""

    def clean(self) -> None:
        """Refuse to take the last member out: the team's submissions must belong to somebody."""
        super().clean()
        staying = [form for form in self.forms if form.has_changed() or form.instance.pk]
        if not any(not form.cleaned_data.get("DELETE") for form in staying if form.is_valid()):
            raise ValidationError(
                "A team keeps at least one member: its submissions must belong to somebody."
            )


class MemberInline(TabularInline):
    """Who submits for the team."""

    model = Membership
    formset = MembersFormSet
    fields = ("user", "joined_at")
    readonly_fields = ("joined_at",)
    autocomplete_fields = ("user",)
    verbose_name = "member"
    extra = 0

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    has_add_permission = has_view_permission
    has_change_permission = has_view_permission
    has_delete_permission = has_view_permission


class MergeForm(forms.Form):
    """The team that another becomes a part of."""

    into = forms.CharField(
        label="Name of the other team",
        widget=UnfoldAdminTextInputWidget(),
        help_text="Exactly as it is written.",
    )

    def clean_into(self) -> Team:
        """The team of that name."""
        team: Team | None = Team.objects.filter(name=self.cleaned_data["into"].strip()).first()
        if team is None:
            raise ValidationError("There is no team of that name. Names count upper and lower case.")
        return team


@admin.register(Team)
class TeamAdmin(OrganisedAdmin):
    """Organisers see whom to write to; superusers rename a team and put people in and out."""

    list_display = ("name", "created_at")
    search_fields = ("name", "members__email", "members__name")
    fields = ("name", "created_at")
    readonly_fields = ("created_at",)
    inlines = (MemberInline,)
    actions_detail = ("merge", "remove_team_name")
    remove_team_name = _remove_name(remove_team_name, "team")
    merge = Ask(
        label="Merge into another team",
        icon="merge",
        variant=ActionVariant.DANGER,
        question=Question(
            title="Merge {row} into another team?",
            sentences=(
                "Its members, systems and submissions go over to the other team, which keeps its name.",
                "In phases that are not over both share one quota from then on, and what they have used is added up.",
                "Releases that are out stay as they are. This cannot be undone.",
            ),
            button="Merge",
        ),
        form=MergeForm,
        do=merge_teams,
        refused=(CannotMerge,),
        done="{row} is part of {into} now.",
        log="Merged into {into}.",
        changes_row=True,
        shown=lambda team: team.memberships.exists() or team.systems.exists(),
    )

    def of_benchmarks(self, rows: QuerySet[Any], slugs: frozenset[str]) -> QuerySet[Any]:
        return rows.filter(pk__in=systems_in(slugs).values("team"))

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_superuser(request)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        for one in formset.forms:
            if one.instance.joined_at is None:
                one.instance.joined_at = database_now()
        super().save_formset(request, form, formset, change)
        for joined in formset.new_objects:
            link_member(team=joined.team, user=joined.user, now=joined.joined_at)
        if formset.deleted_objects:
            revoke_invitations(form.instance)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        systems = row.systems.all()
        if not is_superuser(request):
            systems = systems.filter(pk__in=systems_in(organised(request)).values("pk"))
        shown = [Table("Systems", ("Name", "Kind"), [(link(one), one.get_kind_display()) for one in systems])]
        if is_superuser(request):
            return shown
        people = [(person.name, person.email) for person in row.members.order_by("email")]
        return [Table("Members", ("Name", "E-mail address"), people), *shown]


@admin.register(Refusal)
class RefusalAdmin(OrganisedAdmin):
    """Uploads that had problems, as their teams saw them."""

    benchmark_path = "phase__benchmark"
    list_display = ("received_at", "file_name", "system", "team", "phase", "number_of_problems")
    list_select_related = ("system__team", "phase")
    list_filter = (("phase", admin.RelatedOnlyFieldListFilter),)
    linked_lookups = ("system__exact",)
    search_fields = ("file_name", "system__name", "system__team__name")
    fields = ("received_at", "file_name", "system", "team", "phase", "sent_by")

    team = column("team", lambda refusal: link(refusal.system.team), ordering="system__team__name")
    sent_by = column("sent by", lambda refusal: f"{refusal.submitted_by.name} <{refusal.submitted_by.email}>")
    number_of_problems = column("problems", lambda refusal: len(refusal.problems) + refusal.more)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        problems = [[problem.get(column) for column in PROBLEM_COLUMNS] for problem in row.problems]
        number = len(problems)
        title = f"{number} problems"
        if row.more:
            title = f"{title}, and {grouped(row.more)} more"
        return [Table(title, [str(head) for head in _PROBLEM_HEADS], problems)]


@admin.register(GroupUse)
class GroupUseAdmin(OrganisedAdmin):
    """How much of their quota people who are linked have used together. It does not tell who they are."""

    benchmark_path = "group__phase__benchmark"
    related = ("group__phase",)
    list_display = ("group", "phase", "window_ends_at", "used", "limit")
    list_filter = (("group__phase", admin.RelatedOnlyFieldListFilter),)
    ordering = ("-window_ends_at", "group")
    fields = ("group", "phase", "window_ends_at", "used", "limit")

    phase = column("phase", "group.phase", ordering="group__phase")
    limit = column("of", "group.phase.quota_limit")


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
