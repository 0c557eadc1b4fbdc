"""What makes, uses and ends API tokens."""

import datetime as dt
import secrets
from collections.abc import Collection

from django.conf import settings
from django.db import DatabaseError, models, transaction
from django.db.models.functions import Coalesce
from django.utils.module_loading import import_string
from knox.settings import CONSTANTS

from accounts.events.log import note
from accounts.models import ApiToken, EventKind, User
from accounts.tokens.scopes import Scope

MOST_TOKENS = 10  # of one person, at once
LIFE_DAYS = 180
LONGEST_LIFE_DAYS = 365
# How exactly a token's last use is known. A row is not written for every request.
USE_NOTED_EVERY = dt.timedelta(minutes=10)


class TooManyTokens(Exception):
    """The person has as many tokens as a person may; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            f"You have {MOST_TOKENS} API tokens, the most that a person may have. End one that you no longer use "
            "on your account page."
        )


@transaction.atomic
def create_token(
    *,
    user: User,
    name: str,
    scopes: Collection[Scope],
    now: dt.datetime,
    benchmark: str = "",
    days: int = LIFE_DAYS,
) -> tuple[ApiToken, str]:
    """A new token and its text, which is kept nowhere. It ends after so many days, from 1 to LONGEST_LIFE_DAYS.

    Raises
    ------
    TooManyTokens
    ValueError
        Without a scope, or with another number of days.
    """
    if not scopes or not 1 <= days <= LONGEST_LIFE_DAYS:
        raise ValueError(f"a token needs a scope and 1 to {LONGEST_LIFE_DAYS} days")
    User.objects.held(user)  # of many requests at once, no more get through
    if tokens_of(user, now).count() >= MOST_TOKENS:
        raise TooManyTokens
    stored, text = ApiToken.objects.create(
        user=user,
        expiry=dt.timedelta(days=days),
        name=name,
        scope=" ".join(one for one in Scope.values if one in scopes),
        benchmark=benchmark,
    )
    note(user, EventKind.TOKEN_MADE, f"{stored}, may {', '.join(stored.scopes)}")
    return stored, text


def tokens_of(user: User, now: dt.datetime) -> models.QuerySet[ApiToken]:
    """The tokens that let somebody in, newest first."""
    found: models.QuerySet[ApiToken] = ApiToken.objects.filter(user=user, expiry__gt=now)
    return found.order_by("-created", "digest")


def end_token(*, user: User, key: str) -> ApiToken | None:
    """End the person's token that begins with `key`; the one that was ended, if there was one."""
    found: ApiToken | None = ApiToken.objects.filter(
        user=user, token_key=key[: CONSTANTS.TOKEN_KEY_LENGTH]
    ).first()
    if found is not None and len(key) == CONSTANTS.TOKEN_KEY_LENGTH:
        ApiToken.objects.filter(pk=found.pk).delete()
        note(user, EventKind.TOKEN_ENDED, str(found))
        return found
    return None


def end_all_tokens(user: User) -> int:
    """End every token of a person; how many there were."""
    ended = int(ApiToken.objects.filter(user=user).delete()[0])
    if ended:
        note(user, EventKind.TOKEN_ENDED, f"all {ended} of them")
    return ended


def forget_ended_tokens(now: dt.datetime) -> int:
    """Delete the tokens whose time is over; how many there were."""
    return int(ApiToken.objects.filter(expiry__lt=now).delete()[0])


def forget_idle_tokens(now: dt.datetime, idle: dt.timedelta) -> int:
    """End the tokens that nobody has used for so long; how many there were."""
    used_at = Coalesce("last_used_at", "created")
    ended = list(
        ApiToken.objects.annotate(used_at=used_at).filter(used_at__lt=now - idle).select_related("user")
    )
    for token in ended:
        ApiToken.objects.filter(pk=token.pk).delete()
        note(token.user, EventKind.TOKEN_ENDED, f"{token}, unused for {idle.days} days")
    return len(ended)


@transaction.atomic
def sign_out_everywhere(user: User) -> None:
    """End every session and every token of a person."""
    end_all_tokens(user)
    User.objects.filter(pk=user.pk).update(sessions_nonce=secrets.token_hex(16))
    note(user, EventKind.SIGN_OUT_EVERYWHERE)


def note_use(token: ApiToken, now: dt.datetime) -> None:
    """Note that a token was used just now, if that was not noted of late. What is read does not wait for it."""
    if token.last_used_at is None or token.last_used_at < now - USE_NOTED_EVERY:
        try:
            with transaction.atomic():
                ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
        except DatabaseError:  # full, or read-only: whoever only reads is answered all the same
            return


def benchmarks_for_tokens(user: User) -> list[tuple[str, str]]:
    """Id and title of each benchmark that a token may be limited to. Accounts know none; a setting names who does."""
    found: list[tuple[str, str]] = import_string(settings.TOKEN_BENCHMARKS)(user)
    return found
