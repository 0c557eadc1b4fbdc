"""A person's own pages: account, mail, teams and invitations; and the link that stands in every mail."""

import datetime as dt
import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.db import IntegrityError
from django.db.models import Count
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import form_data, form_status, reader, safe_next, signed_in
from accounts.forms import MailForm, ProfileForm, TeamForm
from accounts.mail import outbox
from accounts.models import Team, User
from accounts.page_content import PageContent
from accounts.server.clock import received_at
from accounts.services import (
    LastMember,
    NameTaken,
    NotTheOwner,
    TooManyTeams,
    create_team,
    leave_team,
    owner_of,
    remove_member,
    revoke_invitations,
)


@dataclass(frozen=True)
class AccountPage(PageContent):
    """The form for a person's name and time zone."""

    template = "accounts/account.html"
    section = "account"
    form: ProfileForm


@dataclass(frozen=True)
class MailPage(PageContent):
    """The form for the kinds of mail."""

    template = "accounts/mail.html"
    section = "account"
    form: "ModelForm[User]"


@dataclass(frozen=True)
class TeamsPage(PageContent):
    """The reader's teams, each with `member_count`."""

    template = "teams/list.html"
    section = "account"
    teams: Iterable[Team]


@dataclass(frozen=True)
class NewTeamPage(PageContent):
    """The form that founds a team; `next` is where to go on to afterwards, or empty."""

    template = "teams/new.html"
    section = "account"
    form: TeamForm
    next: str


@dataclass(frozen=True)
class LeavePage(PageContent):
    """What leaving a team means, and whom it passes to, if the reader owns it and somebody stays."""

    template = "teams/leave.html"
    section = "account"
    team: Team
    next_owner: User | None


@dataclass(frozen=True)
class RemovePage(PageContent):
    """What removing a member from a team means."""

    template = "teams/remove.html"
    section = "account"
    team: Team
    member: User


@dataclass(frozen=True)
class UnsubscribePage(PageContent):
    """Whose mail of which kind is to be switched off, and whether it is.

    Its form needs no token against forged requests: the address itself proves who it is for.
    """

    template = "accounts/unsubscribe.html"
    email: str
    kind: str
    is_done: bool


@dataclass(frozen=True)
class UnsubscribeInvalidPage(PageContent):
    """What to do with a link that lost a part."""

    template = "accounts/unsubscribe_invalid.html"


@signed_in
def account(request: HttpRequest) -> HttpResponse:
    page = AccountPage(ProfileForm(form_data(request), instance=reader(request)))
    return _own_form(request, page, "accounts:account")


@signed_in
def mail(request: HttpRequest) -> HttpResponse:
    """The kinds of mail, each to be switched on or off."""
    page = MailPage(MailForm(form_data(request), instance=reader(request)))
    return _own_form(request, page, "accounts:mail")


def _own_form(request: HttpRequest, page: AccountPage | MailPage, url_name: str) -> HttpResponse:
    if page.form.is_valid():
        page.form.save()
        messages.success(request, "Saved.")
        return redirect(url_name)
    return page.answer(request, form_status(page.form))


@signed_in
@require_safe
def teams(request: HttpRequest) -> HttpResponse:
    mine = Team.objects.of(reader(request)).values_list("pk")
    counted = Team.objects.filter(pk__in=mine).annotate(member_count=Count("memberships"))
    return TeamsPage(counted).answer(request)


@signed_in
def new_team(request: HttpRequest) -> HttpResponse:
    form = TeamForm(form_data(request))
    team = _found(form, reader(request), received_at(request)) if form.is_valid() else None
    if team:
        messages.success(request, f"{team} was founded. Invite others from its page.")
        return redirect(safe_next(request, team.get_absolute_url()))
    return NewTeamPage(form, safe_next(request, "")).answer(request, form_status(form))


def _found(form: TeamForm, founder: User, now: dt.datetime) -> Team | None:
    """The new team, or None with an error in the form: another took the name a moment ago, or there are too many."""
    try:
        return create_team(name=form.cleaned_data["name"], founder=founder, now=now)
    except (IntegrityError, NameTaken):
        form.add_error("name", "There is a team of this name already. Choose another name.")
    except TooManyTeams as error:
        form.add_error(None, str(error))
    return None


@signed_in
def leave(request: HttpRequest, team: uuid.UUID) -> HttpResponse:
    """Leave a team, after a page that says what it means."""
    found = get_object_or_404(Team.objects.of(reader(request)), pk=team)
    if request.method != "POST":
        user = reader(request)
        next_owner = owner_of(found, without=user) if owner_of(found) == user else None
        return LeavePage(found, next_owner).answer(request)
    try:
        leave_team(team=found, user=reader(request))
    except LastMember:
        messages.error(
            request,
            "You are its last member, and its submissions must belong to somebody. Invite someone first.",
        )
        return redirect(found)
    messages.success(request, f"You have left the team {found}.")
    return redirect("accounts:teams")


@signed_in
def remove(request: HttpRequest, team: uuid.UUID, member: int) -> HttpResponse:
    """Take a member out of a team, after a page that says what it means; for its owner."""
    found = get_object_or_404(Team.objects.of(reader(request)), pk=team)
    removed = get_object_or_404(User, memberships__team=found, pk=member)
    if request.method != "POST" and owner_of(found) == reader(request) != removed:
        return RemovePage(found, removed).answer(request)
    try:
        remove_member(team=found, member=removed, by=reader(request))
        messages.success(request, f"{removed} is no longer in the team {found}.")
    except NotTheOwner:
        messages.error(request, f"Only {owner_of(found)}, who owns the team, removes members.")
    except LastMember:
        messages.error(request, "You own the team. Leave it, and it passes on to another member.")
    return redirect(found)


@signed_in
@require_POST
def revoke(request: HttpRequest, team: uuid.UUID) -> HttpResponse:
    """Make every invitation link given out so far useless; the page then shows a new one."""
    found = get_object_or_404(Team.objects.of(reader(request)), pk=team)
    revoke_invitations(found)
    messages.success(request, "Every link given out so far is useless now. Below is a new one.")
    return redirect(found)


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Switch off one kind of mail, for whoever holds the link: mail programs post to it for their readers (RFC 8058).

    Opening it changes nothing, because programs that look for viruses open every link.
    """
    try:
        user, kind = outbox.read_unsubscribe(token)
    except outbox.UnsubscribeInvalid:
        return UnsubscribeInvalidPage().answer(request, status=404)
    if request.method == "POST":
        outbox.unsubscribe(user=user, kind=kind)
        user.refresh_from_db()
    page = UnsubscribePage(email=user.email, kind=kind.label, is_done=not outbox.is_wanted(user, kind))
    return page.answer(request)
