"""The page of an invitation to a role."""

from dataclasses import dataclass
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.access import reader, signed_in
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from benchmarks.people.models import RoleInvitation
from benchmarks.people.services import (
    InvitationRefused,
    accept_invitation,
    read_token,
    refuse_invitation,
)


@dataclass(frozen=True)
class RoleInvitationPage(PageContent):
    """What somebody is invited to; without an invitation, only why there is none."""

    template = "accounts/role_invitation.html"
    section = "account"
    invitation: RoleInvitation | None
    refusal: str


@signed_in
def accept_role(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation to a role, after a page that says to what. Whom it is not for learns no name from it."""
    user, now = reader(request), database_now()
    try:
        invitation = read_token(token)
        refuse_invitation(invitation, user, now)
        if request.method == "POST":
            given = accept_invitation(token=token, user=user, now=now)
            messages.success(request, f"You are {given.role} of {given.benchmark} now.")
            return redirect("admin:index")
    except InvitationRefused as refused:
        status = HTTPStatus.FORBIDDEN
        return RoleInvitationPage(None, str(refused)).answer(request, status=status)
    return RoleInvitationPage(invitation, "").answer(request)
