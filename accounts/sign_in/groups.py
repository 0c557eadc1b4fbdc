"""Groups at the OpenID Connect provider, and what people may do here because of them."""

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any

from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.db import transaction

from accounts.events.log import note
from accounts.models import EventKind, ProviderGrant, User

OIDC, STAFF = "oidc", "staff"


def follow_groups_of(user: User, sign_in: SocialLogin) -> None:
    """Give and take what the groups say that a sign-in over the provider tells of."""
    if sign_in.account.provider == OIDC:
        follow_groups(user, _claimed(sign_in.account.extra_data))


@transaction.atomic
def follow_groups(user: User, groups: Collection[str]) -> None:
    """Give and take so that what the provider has given is what these groups say. Superusers stay as they are.

    What a person has without the provider is not touched, and what the provider gave ends with the group.
    """
    if user.is_superuser:
        return
    wanted = {role for group, role in settings.GROUP_ROLES if group in groups}
    grants = {one.given: one for one in ProviderGrant.objects.filter(user=user)}
    for given in sorted(wanted):
        if _give(user, given):
            ProviderGrant.objects.get_or_create(user=user, given=given)
    for given in sorted(grants.keys() - wanted):
        _take(user, given)
        grants[given].delete()


def _give(user: User, given: str) -> bool:
    """Whether the person has it by the provider from now on; not where they have it, or there is nothing to have."""
    if given != STAFF:
        return bool(import_module(settings.GROUP_ROLES_IN_BENCHMARKS).give(user, *given.split("/")))
    if user.is_staff:
        return False
    _set_staff(user, is_staff=True)
    return True


def _take(user: User, given: str) -> None:
    if given != STAFF:
        import_module(settings.GROUP_ROLES_IN_BENCHMARKS).take(user, *given.split("/"))
    elif user.is_staff:
        _set_staff(user, is_staff=False)


def _set_staff(user: User, *, is_staff: bool) -> None:
    user.is_staff = is_staff
    user.save(update_fields=["is_staff"])
    note(
        user,
        EventKind.ROLE,
        f"{'may' if is_staff else 'may no longer'} begin benchmarks, by a group at the provider",
    )


def _claimed(told: Any) -> set[str]:
    """The groups of a sign-in: userinfo and token may each have them, as a list or as one."""
    found: set[str] = set()
    parts = (told, told.get("userinfo"), told.get("id_token")) if isinstance(told, Mapping) else ()
    for part in parts:
        claim = part.get(settings.GROUPS_CLAIM) if isinstance(part, Mapping) else None
        found |= {one for one in (claim if isinstance(claim, list) else [claim]) if isinstance(one, str)}
    return found
