"""A team's own page, and joining a team: both ask what the team has submitted."""

import uuid

from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.access import reader, signed_in
from accounts.models import Team
from accounts.server.clock import received_at
from accounts.services import InvitationInvalid, invitation_ends_at, invitation_token, read_invitation
from submissions.exceptions import SecondTeam
from submissions.models import System
from submissions.quota.participation import join_team

_ACCOUNT = {"section": "account"}


@signed_in
@require_safe
def team(request: HttpRequest, team: uuid.UUID) -> HttpResponse:
    """A team's members, systems and invitation link."""
    found = get_object_or_404(Team.objects.of(reader(request)), pk=team)
    public = System.objects.public().filter(pk=OuterRef("pk"))
    path = reverse("submissions:join", args=[invitation_token(found)])
    context = _ACCOUNT | {
        "team": found,
        "memberships": found.memberships.select_related("user").order_by("joined_at", "pk"),
        "systems": System.objects.filter(team=found).annotate(is_public=Exists(public)),
        "invitation": request.build_absolute_uri(path),
        "invitation_ends_at": invitation_ends_at(found),
    }
    return render(request, "teams/team.html", context)


@signed_in
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation, after a page that says to what."""
    refusal = ""
    try:
        team = read_invitation(token)
        if request.method == "POST":
            join_team(token=token, user=reader(request), now=received_at(request))
            messages.success(request, f"You are a member of the team {team} now.")
            return redirect(team)
    except InvitationInvalid:
        return render(request, "teams/invitation_invalid.html", _ACCOUNT, status=404)
    except SecondTeam as error:
        refusal = str(error)
    context = _ACCOUNT | {"team": team, "refusal": refusal}
    return render(request, "teams/join.html", context, status=409 if refusal else 200)
