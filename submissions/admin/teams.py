"""Teams in the admin: whom to write to, and what becomes of a team."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.admin_look import ActionVariant, TabularInline
from accounts.models import Membership, Team, User
from accounts.server.clock import database_now
from accounts.services import revoke_invitations
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.links import link, page_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import is_superuser, organised
from submissions.admin.bans import ban_address
from submissions.admin.names import REPLACE_ON_BOARDS, remove_name_button, systems_in
from submissions.participants import TeamRegistration
from submissions.quota.groups import link_member
from submissions.quota.standing_bans import standing_ban
from submissions.systems.board_names import CannotName, stands_elsewhere
from submissions.systems.name_removals import remove_team_name
from submissions.systems.team_merges import CannotMerge, merge_teams

if TYPE_CHECKING:
    BaseFormSet = forms.BaseInlineFormSet[Any, Model, forms.ModelForm[Any]]
else:
    BaseFormSet = forms.BaseInlineFormSet


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


class PersonSelect(AutocompleteSelect):
    """A list that is searched for one person; what is no person's number is shown as nobody."""

    def optgroups(self, name: str, value: Sequence[str], attr: Any = None) -> Any:
        """The person chosen, if there is one: a value that the field refuses would be asked of the database."""
        return super().optgroups(name, [one for one in value if self._is_person(one)], attr)

    def _is_person(self, value: str) -> bool:
        try:
            return self.choices.field.to_python(value) is not None
        except ValidationError:
            return False


class MemberInline(TabularInline):
    """Who submits for the team."""

    model = Membership
    formset = MembersFormSet
    fields = ("user", "joined_at")
    readonly_fields = ("joined_at",)
    autocomplete_fields = ("user",)
    verbose_name = "member"
    extra = 0

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The field of the person, over a list that takes any value."""
        widget = PersonSelect(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **kwargs, widget=widget)

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


def _remove_everywhere(*, team: Team, reason: str, user: User, now: dt.datetime) -> str:
    """Organisers do it where all that the team has sent is theirs; operators always."""
    if stands_elsewhere(team, user):
        raise CannotName(
            f"{team} has also sent something to benchmarks that others run. Replace its name on your boards, or ask "
            "whoever runs the server."
        )
    return remove_team_name(team=team, reason=reason, now=now)


def _bans_table(request: HttpRequest, team: Team) -> Table:
    """For each benchmark of whoever asks that the team has to do with: whether it is banned, or the link to do that."""
    of_team = Q(phases__submissions__system__team=team) | Q(phases__refusals__system__team=team)
    own = Benchmark.objects.filter(
        of_team | Q(registrations__team=team), pk__in=organised(request)
    ).distinct()
    rows = []
    for benchmark in own:
        ban = standing_ban(benchmark=benchmark, team=team)
        said = link(ban, f"banned: {ban.reason}") if ban else page_link(ban_address(benchmark, team), "Ban…")
        rows.append((benchmark, said))
    return Table("Takes part in", ("Benchmark", ""), rows)


@admin.register(Team)
class TeamAdmin(OrganisedAdmin):
    """Organisers see whom to write to; superusers rename a team and put people in and out."""

    list_display = ("name", "created_at")
    search_fields = ("name", "members__email", "members__name")
    fields = ("name", "created_at")
    readonly_fields = ("created_at",)
    inlines = (MemberInline,)
    actions_detail = ("merge", "replace_on_boards", "remove_team_name")
    replace_on_boards = REPLACE_ON_BOARDS
    remove_team_name = remove_name_button(_remove_everywhere, "team", changes_row=False)
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
        sent, asked = systems_in(slugs), TeamRegistration.objects.filter(benchmark__in=slugs)
        return rows.filter(Q(pk__in=sent.values("team")) | Q(pk__in=asked.values("team")))

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
        shown.append(_bans_table(request, row))
        people = [(person.name, person.email) for person in row.members.order_by("email")]
        return [Table("Members", ("Name", "E-mail address"), people), *shown]
