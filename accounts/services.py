"""What changes people and teams."""

from __future__ import annotations

import datetime as dt
import uuid

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Membership, Team, User

INVITATION_SALT = "team-invitation"
INVITATION_LIFETIME = dt.timedelta(days=14)


class InvitationInvalid(Exception):
    """The link was altered, is too old, or was replaced by a newer one."""


class TooManyTeams(Exception):
    """The person has founded as many teams as a person may; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "You have founded as many teams as a person may (%(most)s). Enter your system for one of them, or "
                "ask the organisers."
            )
            % {"most": settings.MOST_TEAMS}
        )


@transaction.atomic
def create_team(*, name: str, founder: User, now: dt.datetime) -> Team:
    """Found a team with its first member.

    Raises
    ------
    TooManyTeams
    """
    # Locked, so that of many requests at once no more than the limit get through.
    locked = User.objects.select_for_update(no_key=True).get(pk=founder.pk)
    if locked.founded_teams.count() >= settings.MOST_TEAMS:
        raise TooManyTeams
    team = Team.objects.create(name=name, founder=founder, created_at=now)
    Membership.objects.create(team=team, user=founder, joined_at=now)
    return team


def invitation_token(team: Team) -> str:
    """A token that lets whoever holds it join `team` for the next fortnight."""
    return signing.dumps([str(team.pk), str(team.invitation_nonce)], salt=INVITATION_SALT)


def read_invitation(token: str) -> Team:
    """The team that `token` invites to.

    Raises
    ------
    InvitationInvalid
        If the token was altered, is older than a fortnight or was revoked.
    """
    try:
        team_id, nonce = signing.loads(token, salt=INVITATION_SALT, max_age=INVITATION_LIFETIME)
        return Team.objects.get(pk=team_id, invitation_nonce=nonce)
    except (signing.BadSignature, Team.DoesNotExist, ValueError):
        raise InvitationInvalid from None


def accept_invitation(*, token: str, user: User, now: dt.datetime) -> Team:
    """Join the team that `token` invites to; joining twice changes nothing."""
    team = read_invitation(token)
    Membership.objects.get_or_create(team=team, user=user, defaults={"joined_at": now})
    return team


def revoke_invitations(team: Team) -> None:
    """Make every invitation link given out so far useless."""
    Team.objects.filter(pk=team.pk).update(invitation_nonce=uuid.uuid4())


class LastMember(Exception):
    """A team keeps at least one member: its submissions must belong to somebody."""


@transaction.atomic
def leave_team(*, team: Team, user: User) -> None:
    """Take `user` out of `team`, and make the invitation links useless that they may have kept.

    Raises
    ------
    LastMember
        If nobody would be left.
    """
    Team.objects.select_for_update().get(pk=team.pk)
    if not Membership.objects.filter(team=team).exclude(user=user).exists():
        raise LastMember
    Membership.objects.filter(team=team, user=user).delete()
    revoke_invitations(team)
