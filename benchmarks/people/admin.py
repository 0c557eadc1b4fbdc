"""Roles and invitations in the admin, and who enters it: whoever has a role, without anybody setting “staff”."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminSelectWidget

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.models import User
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.models import Benchmark
from benchmarks.people.models import BenchmarkRole, Role, RoleInvitation
from benchmarks.people.request_rights import may_begin, may_enter
from benchmarks.people.rights import Right
from benchmarks.people.services import CannotGiveRole, give_role, invite, take_role, withdraw_invitation

_sign_in = admin.site.login


def _login(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """Whoever may enter is there already, and who may begin a benchmark does so; others sign in where everyone does."""
    home = reverse("admin:index")
    if may_enter(request):
        return HttpResponseRedirect(home)
    if request.user.is_authenticated and may_begin(request) and request.GET.get("next") == home:
        return HttpResponseRedirect(reverse("admin:benchmarks_task_new"))
    return _sign_in(request, extra_context)


admin.site.has_permission = may_enter  # type: ignore[method-assign]  # asked by every page of the admin
admin.site.login = _login  # type: ignore[method-assign]  # the documented way


class RoleForm(forms.Form):
    """What somebody is to be."""

    role = forms.TypedChoiceField(choices=Role.choices, coerce=Role, widget=UnfoldAdminSelectWidget)


class InvitationForm(RoleForm):
    """Whom to write to, and what they are to be."""

    address = forms.EmailField(label="E-mail address", widget=UnfoldAdminEmailInputWidget)
    field_order = ("address", "role")


INVITE = Ask(
    label="Invite",
    icon="person_add",
    right=Right.GIVE_ROLES,
    question=Question(
        title="Invite somebody to {row}",
        sentences=(
            "They get a mail with a link that serves once, within two weeks, for a person who has confirmed that "
            "address; who has no account yet signs up with it.",
            "Owners do everything, also give roles and delete. Organisers do everything else. Annotators label "
            "in campaigns and vote on contested labels, and see nothing else. Readers see the organisers' pages "
            "without gold labels and change nothing.",
        ),
        button="Send the invitation",
    ),
    form=InvitationForm,
    do=lambda benchmark, address, role, user, now: invite(
        benchmark=benchmark, address=address, role=role, by=user, now=now
    ),
    refused=(CannotGiveRole,),
    done="{address} was written to. The role begins once the invitation is accepted.",
    log="Invited {address} as {role}.",
)


def roles_tables(benchmark: Benchmark, now: dt.datetime) -> list[Table]:
    """Who has a role, and which invitations wait."""
    roles = benchmark.roles.select_related("user", "given_by")
    waiting = benchmark.role_invitations.filter(
        accepted_at=None, withdrawn_at=None, invited_at__gt=now - RoleInvitation.LIFETIME
    )
    return [
        Table(
            "Roles",
            ("Who", "Role", "Since", "Given by"),
            [
                (link(one, one.user), one.role, in_words(one.given_at), one.given_by or "the server")
                for one in roles
            ],
        ),
        Table(
            "Invitations that wait",
            ("Address", "Role", "Until"),
            [(link(one, one.address), one.role, in_words(one.ends_at)) for one in waiting],
            empty="None.",
        ),
    ]


def _change(*, role: BenchmarkRole, new: Role, by: User, now: dt.datetime) -> Done:
    give_role(benchmark=role.benchmark, user=role.user, role=new, by=by, now=now)
    return Done(f"{role.user} is {new.value} of {role.benchmark} now.")


def _take(*, role: BenchmarkRole, by: User) -> Done:
    take_role(role=role, by=by)
    back = reverse("admin:benchmarks_benchmarkrole_changelist")
    return Done(f"{role.user} has no role in {role.benchmark} any more.", leads_to=HttpResponseRedirect(back))


class ChangeRoleForm(forms.Form):
    """The role in place of the one held."""

    new = forms.TypedChoiceField(
        label="Role", choices=Role.choices, coerce=Role, widget=UnfoldAdminSelectWidget
    )


@admin.register(BenchmarkRole)
class BenchmarkRoleAdmin(OrganisedAdmin):
    """Who has which role in a benchmark; its owners change that."""

    benchmark_path = "benchmark"
    list_display = ("user", "role", "benchmark", "given_at", "given_by")
    list_select_related = ("user", "benchmark", "given_by")
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter), "role")
    fields = ("benchmark", "user_name", "role", "given_at", "given_by_name")
    actions_detail = ("change_role", "take_away")

    user_name = column("who", lambda role: f"{role.user} ({role.user.email})")
    given_by_name = column("given by", lambda role: str(role.given_by or "the server"))
    change_role = Ask(
        label="Change role",
        icon="manage_accounts",
        right=Right.GIVE_ROLES,
        question=Question(title="Another role for {row}", sentences=(), button="Change role"),
        form=ChangeRoleForm,
        do=_change,
        refused=(CannotGiveRole,),
    )
    take_away = Ask(
        label="Take away",
        icon="person_remove",
        variant=ActionVariant.DANGER,
        right=Right.GIVE_ROLES,
        question=Question(
            title="Take the role away: {row}",
            sentences=("They lose it at once. What they have done stays.",),
            button="Take away",
        ),
        do=_take,
        refused=(CannotGiveRole,),
    )


@admin.register(RoleInvitation)
class RoleInvitationAdmin(OrganisedAdmin):
    """Who was invited to which role, and whether they have accepted."""

    benchmark_path = "benchmark"
    read_right = Right.RUN
    list_display = ("address", "role", "benchmark", "invited_at", "accepted_at", "withdrawn_at")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    fields = ("benchmark", "address", "role", "invited_by_name", "invited_at", "accepted_at", "withdrawn_at")
    actions_detail = ("withdraw_it",)

    invited_by_name = column("invited by", lambda invitation: str(invitation.invited_by or "nobody"))
    withdraw_it = Ask(
        label="Withdraw",
        icon="block",
        right=Right.GIVE_ROLES,
        question=Question(
            title="Withdraw the invitation of {row.address}",
            sentences=("The link in their mail leads nowhere then.",),
            button="Withdraw",
        ),
        do=lambda role_invitation, user, now: withdraw_invitation(
            invitation=role_invitation, by=user, now=now
        ),
        refused=(CannotGiveRole,),
        done="The invitation of {row.address} is withdrawn.",
        log="Withdrawn.",
        shown=lambda one: one.accepted_at is None and one.withdrawn_at is None,
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("benchmark", "invited_by")
