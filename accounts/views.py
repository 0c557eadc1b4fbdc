"""A person's own pages: account, mail, tokens, teams and invitations; and the link that stands in every mail."""

import datetime as dt
import uuid
from typing import Any

from django.contrib import messages
from django.db import IntegrityError
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from knox.models import AuthToken
from knox.settings import CONSTANTS

from accounts.access import form_data, reader, safe_next, signed_in
from accounts.forms import MailForm, ProfileForm, TeamForm
from accounts.mail import outbox
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
    return _own_form(request, ProfileForm(form_data(request), instance=reader(request)), "account")


@signed_in
def mail(request: HttpRequest) -> HttpResponse:
    """The kinds of mail, each to be switched on or off."""
    return _own_form(request, MailForm(form_data(request), instance=reader(request)), "mail")


def _own_form(request: HttpRequest, form: Any, page: str) -> HttpResponse:
    if form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect(f"accounts:{page}")
    return render(
        request,
        f"accounts/{page}.html",
        {"section": "account", "form": form},
        status=422 if form.is_bound else 200,
    )


@signed_in
def tokens(request: HttpRequest) -> HttpResponse:
    """API tokens. A new one is shown in the answer to its own request and never again: only its hash is kept."""
    token = AuthToken.objects.create(reader(request))[1] if request.method == "POST" else None
    return render(
        request,
        "accounts/tokens.html",
        {
            "section": "account",
            "tokens": AuthToken.objects.filter(user=reader(request)).order_by("-created"),
            "token": token,
            "token_key": token and token[: CONSTANTS.TOKEN_KEY_LENGTH],
            "address": request.build_absolute_uri("/"),
        },
        status=201 if token else 200,
    )


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
    counted = Team.objects.filter(pk__in=mine).annotate(member_count=Count("memberships"))
    return render(request, "teams/list.html", {"section": "account", "teams": counted})


@signed_in
def new_team(request: HttpRequest) -> HttpResponse:
    form = TeamForm(form_data(request))
    team = _found(form, reader(request), received_at(request)) if form.is_valid() else None
    if team:
        messages.success(request, f"{team} was founded. Invite others from its page.")
        return redirect(safe_next(request, team.get_absolute_url()))
    return render(
        request,
        "teams/new.html",
        {"section": "account", "form": form, "next": safe_next(request, "")},
        status=422 if form.is_bound else 200,
    )


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
        return render(request, "accounts/unsubscribe_invalid.html", status=404)
    if request.method == "POST":
        outbox.unsubscribe(user=user, kind=kind)
        user.refresh_from_db()
    return render(
        request,
        "accounts/unsubscribe.html",
        {"email": user.email, "kind": kind.label, "is_done": not outbox.is_wanted(user, kind)},
    )
