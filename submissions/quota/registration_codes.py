"""Registration by code: organisers give a code to whom they like, and a team that types it takes part."""

import datetime as dt
import secrets
from functools import cache

from django.contrib.auth.hashers import check_password, make_password
from django.core.cache import cache as shared_cache
from django.db import transaction

from accounts.models import Team, User
from benchmarks.models import Benchmark
from submissions.exceptions import (
    NotYourTeam,
    RegistrationClosed,
    RegistrationDeclined,
    TooManyCodes,
    WrongRegistrationCode,
)
from submissions.participants import TeamRegistration
from submissions.quota.participation import refuse_unconfirmed
from submissions.quota.registrations import declined_sentence, why_closed
from submissions.quota.standing_bans import refuse_banned

SHORTEST_CODE = 8
_MOST_TRIES, _WINDOW = 5, dt.timedelta(minutes=5)
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Of a code that the server makes; none of them is taken for another."""


def made_code() -> str:
    """A code of 60 random bits, in three parts."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


def set_code(*, benchmark: Benchmark, code: str) -> str:
    """Have teams of a benchmark register by a code from now on; returns it, for the last time.

    Teams that take part go on, and an earlier code is of no use any more. Only a hash of it is stored.

    Parameters
    ----------
    code
        At least `SHORTEST_CODE` characters; one is made where it is empty.
    """
    chosen = code.strip() or made_code()
    Benchmark.objects.filter(pk=benchmark.pk).update(
        registration=Benchmark.Registration.CODE, registration_secret=make_password(chosen)
    )
    return chosen


def register_by_code(*, slug: str, code: str, team: Team, user: User, now: dt.datetime) -> TeamRegistration:
    """Register a team for the benchmark whose code this is.

    A benchmark that is not there, has no code or is hidden is answered like a wrong code, and takes as long.

    Raises
    ------
    NotYourTeam, EmailNotConfirmed, TooManyCodes, WrongRegistrationCode, BannedFromBenchmark, RegistrationClosed,
    RegistrationDeclined
        In this order.
    """
    if not team.memberships.filter(user=user).exists():
        raise NotYourTeam("Only members of a team register it. Ask one of them for an invitation link.")
    refuse_unconfirmed(user)
    _count(user, now)
    by_code = Benchmark.objects.exclude(visibility=Benchmark.Visibility.DRAFT)
    benchmark = by_code.filter(pk=slug, registration=Benchmark.Registration.CODE, archived_at=None).first()
    secret = benchmark.registration_secret if benchmark else ""
    is_right = check_password(code.strip(), secret or _nobodys())
    if benchmark is None or not secret or not is_right:
        raise WrongRegistrationCode(
            f"This is not the code of a benchmark called {slug}. Codes count upper and lower case; you may try "
            f"{_MOST_TRIES} times in {_WINDOW.seconds // 60} minutes. Its organisers give the code."
        )
    refuse_banned(benchmark=benchmark, team=team, user=user, ending="")
    return _register(benchmark, team, user, now)


@transaction.atomic
def _register(benchmark: Benchmark, team: Team, user: User, now: dt.datetime) -> TeamRegistration:
    found = TeamRegistration.objects.select_for_update().filter(benchmark=benchmark, team=team).first()
    if found is None:
        if not benchmark.takes_new_teams(now):
            raise RegistrationClosed(why_closed(benchmark, team, now))
        found, _ = TeamRegistration.objects.get_or_create(
            benchmark=benchmark,
            team=team,
            defaults={"asked_by": user, "asked_at": now, "approved_at": now},
        )
    if found.declined_at is not None:
        raise RegistrationDeclined(declined_sentence(found))
    if found.approved_at is None:  # it had asked while organisers approved teams
        found.approved_at = now
        found.save(update_fields=["approved_at"])
    return found


@cache
def _nobodys() -> str:
    """A hash that no code has, so that a benchmark without one takes as long to answer."""
    return make_password(secrets.token_hex())


def _count(user: User, now: dt.datetime) -> None:
    """TooManyCodes where somebody has tried too often in this window; tries at once are counted one after the other."""
    window = int(now.timestamp() // _WINDOW.total_seconds())
    key = f"codes:{user.pk}:{window}"
    with transaction.atomic():
        User.objects.held(user)
        tries = shared_cache.get(key, 0) + 1
        shared_cache.set(key, tries, _WINDOW.seconds)
    if tries > _MOST_TRIES:
        again_at = dt.datetime.fromtimestamp((window + 1) * _WINDOW.total_seconds(), dt.UTC)
        raise TooManyCodes(
            f"You have typed {_MOST_TRIES} codes within {_WINDOW.seconds // 60} minutes. Try again from "
            f"{again_at:%H:%M} UTC on.",
            again_at=again_at,
        )
