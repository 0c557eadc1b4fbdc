"""A person's own pages: account, tokens, teams and invitations."""

import datetime as dt
import uuid

from django.contrib import messages
from django.db import IntegrityError
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from knox.models import AuthToken
from knox.settings import CONSTANTS

from accounts.access import form_data, reader, safe_next, signed_in
from accounts.forms import ProfileForm, TeamForm
from accounts.models import Team, User
from accounts.server.clock import received_at
from accounts.services import (
    LastMember,
    TooManyTeams,
    create_team,
    leave_team,
    revoke_invitations,
)


@signed_in
def account(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(form_data(request), instance=reader(request))
    if form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("accounts:account")
    context = {"section": "account", "form": form}
    return render(request, "accounts/account.html", context, status=422 if form.is_bound else 200)


@signed_in
def tokens(request: HttpRequest) -> HttpResponse:
    """API tokens. A new one is shown in the answer to its own request and never again: only its hash is kept."""
    token = AuthToken.objects.create(reader(request))[1] if request.method == "POST" else None
    context = {
        "section": "account",
        "tokens": AuthToken.objects.filter(user=reader(request)).order_by("-created"),
        "token": token,
        "token_key": token and token[: CONSTANTS.TOKEN_KEY_LENGTH],
        "address": request.build_absolute_uri("/"),
    }
    return render(request, "accounts/tokens.html", context, status=201 if token else 200)


@signed_in
@require_POST
def delete_token(request: HttpRequest, key: str) -> HttpResponse:
    """Make one's own token useless at once."""
    if AuthToken.objects.filter(user=reader(request), token_key=key).delete()[0]:
        messages.success(request, f"The token {key[:8]}… was deleted. Whatever used it is signed out.")
    return redirect("accounts:tokens")


@signed_in
@require_safe
def teams(request: HttpRequest) -> HttpResponse:
    mine = Team.objects.of(reader(request)).values_list("pk")
    found = Team.objects.filter(pk__in=mine).annotate(member_count=Count("memberships"))
    return render(request, "teams/list.html", {"section": "account", "teams": found})


@signed_in
def new_team(request: HttpRequest) -> HttpResponse:
    form = TeamForm(form_data(request))
    team = _found(form, reader(request), received_at(request)) if form.is_valid() else None
    if team:
        messages.success(request, f"{team} was founded. Invite others from its page.")
        return redirect(safe_next(request, team.get_absolute_url()))
    context = {"section": "account", "form": form, "next": safe_next(request, "")}
    return render(request, "teams/new.html", context, status=422 if form.is_bound else 200)


def _found(form: TeamForm, founder: User, now: dt.datetime) -> Team | None:
    """The new team, or None with an error in the form: another took the name a moment ago, or there are too many."""
    try:
        return create_team(name=form.cleaned_data["name"], founder=founder, now=now)
    except IntegrityError:
        form.add_error("name", "There is a team of this name already. Choose another name.")
    except TooManyTeams as error:
        form.add_error(None, str(error))
    return None


@signed_in
def leave(request: HttpRequest, team: uuid.UUID) -> HttpResponse:
    """Leave a team, after a page that says what it means."""
    found = get_object_or_404(Team.objects.of(reader(request)), pk=team)
    if request.method != "POST":
        return render(request, "teams/leave.html", {"section": "account", "team": found})
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
@require_POST
def revoke(request: HttpRequest, team: uuid.UUID) -> HttpResponse:
    """Make every invitation link given out so far useless; the page then shows a new one."""
    found = get_object_or_404(Team.objects.of(reader(request)), pk=team)
    revoke_invitations(found)
    messages.success(request, "Every link given out so far is useless now. Below is a new one.")
    return redirect(found)
