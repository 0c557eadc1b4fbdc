"""What changes people and teams."""

import datetime as dt
import uuid

from django.conf import settings
from django.core import signing
from django.db import connection, models, transaction
from django.db.models.functions import Now

from accounts.audit.log import record
from accounts.events.log import note
from accounts.formats.names import look_of
from accounts.models import EventKind, Membership, Team, User

INVITATION_SALT = "team-invitation"
_FOUNDING = 0x7465616D  # "team"; any number that nothing else here takes
INVITATION_LIFETIME = dt.timedelta(days=7)


class InvitationInvalid(Exception):
    """The link was altered, is too old, or was replaced by a newer one."""


class NameTaken(Exception):
    """There is a team whose name looks the same."""


class TooManyTeams(Exception):
    """The person has founded as many teams as a person may; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            f"You have founded as many teams as a person may ({settings.MOST_TEAMS}). Enter your system "
            "for one of them, or ask the organisers."
        )


@transaction.atomic
def create_team(*, name: str, founder: User, now: dt.datetime) -> Team:
    """Found a team with its first member.

    Raises
    ------
    NameTaken, TooManyTeams
    """
    # Locked, so that of many requests at once no more than the limit get through.
    if User.objects.held(founder).founded_teams.count() >= settings.MOST_TEAMS:
        raise TooManyTeams
    _wait_for_other_founders()
    look = look_of(name)
    if any(look_of(other) == look for other in Team.objects.values_list("name", flat=True)):
        raise NameTaken
    team = Team.objects.create(name=name, founder=founder, created_at=now)
    Membership.objects.create(team=team, user=founder, joined_at=now)
    note(founder, EventKind.TEAM, f"founded {team}")
    return team


def _wait_for_other_founders() -> None:
    """Have one team be founded after the other: of two whose names look the same at once, each saw only the others."""
    if connection.vendor == "postgresql":  # SQLite has one writer at a time
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_FOUNDING])


def invitation_token(team: Team) -> str:
    """A token that lets whoever holds it join `team`, for a week after it was made or until it is revoked."""
    return signing.Signer(salt=INVITATION_SALT).sign_object([str(team.pk), str(team.invitation_nonce)])


def invitation_ends_at(team: Team) -> dt.datetime | None:
    """Until when the team's link lets people join; None where it no longer does."""
    made_at = _inviting().filter(pk=team.pk).values_list("invitation_made_at", flat=True).first()
    return made_at and made_at + INVITATION_LIFETIME


def _inviting() -> models.QuerySet[Team]:
    """The teams whose link is not too old, by the database's clock."""
    return Team.objects.filter(invitation_made_at__gt=Now() - INVITATION_LIFETIME)


def read_invitation(token: str) -> Team:
    """The team that `token` invites to.

    Raises
    ------
    InvitationInvalid
        If the token was altered, is older than a week or was revoked.
    """
    try:
        team_id, nonce = signing.Signer(salt=INVITATION_SALT).unsign_object(token)
        return _inviting().get(pk=team_id, invitation_nonce=nonce)
    except (signing.BadSignature, Team.DoesNotExist, ValueError):
        raise InvitationInvalid from None


@transaction.atomic
def accept_invitation(*, token: str, user: User, now: dt.datetime) -> Team:
    """Join the team that `token` invites to; joining twice changes nothing."""
    team = read_invitation(token)
    _, has_joined = Membership.objects.get_or_create(team=team, user=user, defaults={"joined_at": now})
    if has_joined:
        record(row=team, kind="join", by="the website", actor=user, what=f"{user} joined by an invitation.")
        note(user, EventKind.TEAM, f"joined {team}")
    return team


def revoke_invitations(team: Team) -> None:
    """Make every invitation link given out so far useless, and a new one that lives from now on."""
    Team.objects.filter(pk=team.pk).update(invitation_nonce=uuid.uuid4(), invitation_made_at=Now())


class LastMember(Exception):
    """A team keeps at least one member: its submissions must belong to somebody."""


class NotTheOwner(Exception):
    """Only the owner of a team removes members."""


def owner_of(team: Team, without: User | None = None) -> User | None:
    """Who owns a team: the member who has been in it longest, so its founder until they leave.

    Whoever is kept out of the site owns nothing: nobody else could remove members. With `without`: who would own it if
    that person left; None where nobody would be left.
    """
    members = Membership.objects.filter(team=team, user__is_active=True).select_related("user")
    members = members.order_by("joined_at", "pk")
    longest = (members.exclude(user=without) if without else members).first()
    return longest.user if longest else None


@transaction.atomic
def leave_team(*, team: Team, user: User) -> None:
    """Take `user` out of `team`, and make the invitation links useless that they may have kept.

    Where the owner leaves, the team passes to the member who has been in it longest.

    Raises
    ------
    LastMember
        If nobody would be left.
    """
    Team.objects.select_for_update().get(pk=team.pk)
    owner, next_owner = owner_of(team), owner_of(team, without=user)
    if next_owner is None:
        raise LastMember
    if not Membership.objects.filter(team=team, user=user).delete()[0]:
        return
    revoke_invitations(team)
    passed_on = f" The team belongs to {next_owner} now." if owner == user else ""
    record(row=team, kind="leave", by="the website", actor=user, what=f"{user} left.{passed_on}")
    note(user, EventKind.TEAM, f"left {team}")


@transaction.atomic
def remove_member(*, team: Team, member: User, by: User) -> None:
    """Take `member` out of `team`, as its owner, and make the invitation links useless that they may have kept.

    Raises
    ------
    NotTheOwner
        If `by` does not own the team.
    LastMember
        If that is the owner: who owns a team leaves it.
    """
    Team.objects.select_for_update().get(pk=team.pk)
    if owner_of(team) != by:
        raise NotTheOwner
    if member == by:
        raise LastMember
    if Membership.objects.filter(team=team, user=member).delete()[0]:
        revoke_invitations(team)
        record(row=team, kind="remove member", by="the website", actor=by, what=f"{by} removed {member}.")
        note(member, EventKind.TEAM, f"removed from {team}", by=by)
