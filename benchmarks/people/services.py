"""Giving roles, taking them away, and inviting people to one by their address."""

import datetime as dt

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet

from accounts.audit.log import record
from accounts.events.log import note
from accounts.formats.mailboxes import mailbox
from accounts.mail.outbox import write_to
from accounts.models import EventKind, User
from benchmarks.models import Benchmark
from benchmarks.people.models import BenchmarkRole, Role, RoleInvitation
from benchmarks.people.rights import Right, roles_with

SALT = "role-invitation"


class CannotGiveRole(Exception):
    """A role that may not be given or taken; the message says why. Nothing was changed."""


class InvitationRefused(Exception):
    """An invitation that this person cannot accept; the message says why, and what to do."""


def may(user: User, right: Right, benchmark: Benchmark) -> bool:
    """Whether somebody has a right in a benchmark; superusers have all."""
    if user.is_superuser and user.is_active:
        return True
    held = BenchmarkRole.objects.filter(benchmark=benchmark, user=user, role__in=roles_with(right))
    return user.is_active and held.exists()


@transaction.atomic
def give_role(
    *,
    benchmark: Benchmark,
    user: User,
    role: Role,
    by: User | None = None,
    now: dt.datetime | None = None,
) -> BenchmarkRole:
    """Give somebody a role in place of the one that they have; `by` is None for the server itself.

    Raises
    ------
    CannotGiveRole
        If `by` may give none, or the last owner would be none any more.
    """
    _lock(benchmark, by)
    given = BenchmarkRole.objects.filter(benchmark=benchmark, user=user).first()
    if given is not None and role != Role.OWNER:
        _keep_an_owner(given)
    before = f" in place of {given.role}" if given is not None else ""
    given = given or BenchmarkRole(benchmark=benchmark, user=user)
    given.role, given.given_by = role, by
    if now is not None:
        given.given_at = now
    given.save()
    what = f"{user.email} is {role.value} now{before}."
    record(row=benchmark, kind="give role", by="roles", actor=by, benchmark=benchmark.pk, what=what)
    note(user, EventKind.ROLE, f"{role.value} of {benchmark}{before}", by=by)
    return given


@transaction.atomic
def take_role(*, role: BenchmarkRole, by: User | None) -> None:
    """Take somebody's role away; everybody may give up their own.

    Raises
    ------
    CannotGiveRole
        If `by` may not, or it is that of the last owner.
    """
    _lock(role.benchmark, None if by == role.user else by)
    held = BenchmarkRole.objects.select_for_update().filter(pk=role.pk).select_related("user").first()
    if held is None:
        raise CannotGiveRole("Somebody has taken this role away already.")
    _keep_an_owner(held)
    what = f"{held.user.email} is no {held.role} any more."
    held.delete()
    note(held.user, EventKind.ROLE, f"no {held.role} of {role.benchmark} any more", by=by)
    record(row=role.benchmark, kind="take role", by="roles", actor=by, benchmark=role.benchmark_id, what=what)


def invite(*, benchmark: Benchmark, address: str, role: Role, by: User, now: dt.datetime) -> RoleInvitation:
    """Write to an address that a role waits for it. To be called outside of transactions.

    A newer invitation of the same address replaces an older one.

    Raises
    ------
    CannotGiveRole
    """
    address = mailbox(address)
    with transaction.atomic():
        _lock(benchmark, by)
        if BenchmarkRole.objects.filter(benchmark=benchmark, user__email__iexact=address).exists():
            raise CannotGiveRole(
                f"{address} has a role in {benchmark} already; change it on the page of that role."
            )
        RoleInvitation.objects.filter(
            benchmark=benchmark, address__iexact=address, accepted_at=None, withdrawn_at=None
        ).update(withdrawn_at=now)
        invitation = RoleInvitation.objects.create(
            benchmark=benchmark, address=address, role=role, invited_by=by, invited_at=now
        )
    write_to(
        [invitation.address],
        subject=f"You are invited to {benchmark} as {role.value}",
        text=f"{by} ({by.email}) invites you to {benchmark} on {settings.SITE_URL} as {role.label}.\n\n"
        f"To accept, open this page within {RoleInvitation.LIFETIME.days} days. Sign in with {invitation.address}, or "
        f"sign up with it if you have no account yet:\n\n{settings.SITE_URL}/roles/{token_of(invitation)}/\n\n"
        "If you do not know what this is about, leave it: nothing happens then.",
    )
    return invitation


def token_of(invitation: RoleInvitation) -> str:
    return signing.Signer(salt=SALT).sign(invitation.nonce.hex)


def read_token(token: str) -> RoleInvitation:
    """The invitation that a link is about.

    Raises
    ------
    InvitationRefused
        If the link was altered or is of none.
    """
    try:
        nonce = signing.Signer(salt=SALT).unsign(token)
        found: RoleInvitation = RoleInvitation.objects.select_related("benchmark", "invited_by").get(
            nonce=nonce
        )
    except (signing.BadSignature, RoleInvitation.DoesNotExist, ValueError):
        raise InvitationRefused(
            "This is no invitation. Please open the link exactly as the mail has it."
        ) from None
    return found


def refuse_invitation(invitation: RoleInvitation, user: User, now: dt.datetime) -> None:
    """InvitationRefused where this person cannot take the role that waits.

    The inviter must still be allowed to give roles: whoever lost that right leaves no door open.
    """
    if invitation.accepted_at is not None:
        raise InvitationRefused("This invitation was accepted already; it serves once.")
    if invitation.withdrawn_at is not None or not _may_still_give(invitation):
        raise InvitationRefused(
            "This invitation was withdrawn. Please ask whoever invited you for a new one."
        )
    if now >= invitation.ends_at:
        raise InvitationRefused(
            f"This invitation has expired: it was open for {RoleInvitation.LIFETIME.days} days. Please ask whoever "
            "invited you for a new one."
        )
    confirmed = EmailAddress.objects.filter(
        user=user, email__iexact=mailbox(invitation.address), verified=True
    )
    if not confirmed.exists():
        raise InvitationRefused(
            f"This invitation is for another e-mail address than yours. You are signed in as {user.email}; sign in "
            "with the address that the mail went to, or add it to your account and confirm it."
        )


@transaction.atomic
def accept_invitation(*, token: str, user: User, now: dt.datetime) -> BenchmarkRole:
    """Take the role that an invitation offers.

    Raises
    ------
    InvitationRefused
    """
    found = read_token(token)
    _lock(found.benchmark, None)
    invitation: RoleInvitation = RoleInvitation.objects.select_for_update(of=("self",)).get(pk=found.pk)
    refuse_invitation(invitation, user, now)
    invitation.accepted_at = now
    invitation.save(update_fields=["accepted_at"])
    if BenchmarkRole.objects.filter(benchmark=invitation.benchmark, user=user).exists():
        raise InvitationRefused("You have a role in this benchmark already; its owner can change it.")
    return give_role(
        benchmark=invitation.benchmark,
        user=user,
        role=Role(invitation.role),
        by=invitation.invited_by,
        now=now,
    )


@transaction.atomic
def withdraw_invitation(*, invitation: RoleInvitation, by: User, now: dt.datetime) -> None:
    """Make the link of an invitation useless.

    Raises
    ------
    CannotGiveRole
    """
    _lock(invitation.benchmark, by)
    waiting = RoleInvitation.objects.filter(pk=invitation.pk, accepted_at=None, withdrawn_at=None)
    if not waiting.update(withdrawn_at=now):
        raise CannotGiveRole("It was accepted or withdrawn already.")


def _may_still_give(invitation: RoleInvitation) -> bool:
    inviter = invitation.invited_by
    return inviter is not None and may(inviter, Right.GIVE_ROLES, invitation.benchmark)


def _lock(benchmark: Benchmark, by: User | None) -> None:
    """Have changes of a benchmark's roles follow one another. CannotGiveRole unless `by` may give them."""
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    if by is not None and not may(by, Right.GIVE_ROLES, benchmark):
        raise CannotGiveRole("Only an owner gives roles and takes them away.")


def _keep_an_owner(held: BenchmarkRole) -> None:
    """To be called with the benchmark locked."""
    if held.role == Role.OWNER and not _other_owners(held.benchmark, held.user).exists():
        raise CannotGiveRole(
            f"{held.user} is the last owner of {held.benchmark}. Make somebody else an owner first."
        )


def owned_alone(user: User) -> list[Benchmark]:
    """The benchmarks that nobody owns but one person; who owns them stays until the transaction ends."""
    owned = BenchmarkRole.objects.filter(user=user, role=Role.OWNER).values("benchmark")
    locked = Benchmark.objects.select_for_update().filter(pk__in=owned).order_by("pk")
    return [benchmark for benchmark in locked if not _other_owners(benchmark, user).exists()]


def _other_owners(benchmark: Benchmark, user: User) -> QuerySet[BenchmarkRole]:
    """Those who own it besides somebody, and are not kept out of the site."""
    owners = BenchmarkRole.objects.filter(benchmark=benchmark, role=Role.OWNER, user__is_active=True)
    return owners.exclude(user=user)
