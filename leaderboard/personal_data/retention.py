"""What is kept of people, why and for how long: one table, which the sweep goes by and the page about privacy shows."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import ProtectedError, Q

from accounts.events.log import EVENTS_KEPT, forget_clients, forget_old_events
from accounts.mail.outbox import forget_texts
from accounts.models import AccountEvent, SharedCount, User
from accounts.server.append_only_triggers import BLANKED
from accounts.server.clock import has_come
from accounts.server.worker_rounds import last_rounds
from accounts.tokens.services import forget_ended_tokens, forget_idle_tokens
from benchmarks.people.models import RoleInvitation
from leaderboard.models import WebhookDelivery
from leaderboard.personal_data.erasure import erase
from leaderboard.rendering.page_bodies import drop_unused_bodies
from submissions.models import Refusal

UNCONFIRMED = dt.timedelta(days=30)
IDLE_TOKENS = dt.timedelta(days=180)
SHORTLY = dt.timedelta(days=90)
ROUND = "forgetting"
MOST_AT_ONCE = dt.timedelta(days=1)
LONGEST_COUNT = dt.timedelta(days=1)  # of uploads, where HELDOUT_UPLOAD_RATE counts by day


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that is kept of a person: what, why, until when, in words.

    `forget` deletes what is too old and says how much that was; without it somebody or something else ends it.
    """

    what: str
    why: str
    until: str
    forget: Callable[[dt.datetime], int] | None = None


def _days(time: dt.timedelta) -> str:
    return "a year" if time.days == 365 else f"{time.days} days"


def forget_sessions(now: dt.datetime) -> int:
    return Session.objects.filter(expire_date__lt=now).delete()[0]


def forget_counts(now: dt.datetime) -> int:
    """Those that are over, and those of a time in which the clock was ahead: somebody would wait until then."""
    return SharedCount.objects.filter(has_come("expires", now, longest=LONGEST_COUNT)).delete()[0]


def forget_refusals(now: dt.datetime) -> int:
    return Refusal.objects.filter(received_at__lt=now - SHORTLY).delete()[0]


def forget_invitations(now: dt.datetime) -> int:
    return RoleInvitation.objects.filter(invited_at__lt=now - SHORTLY).delete()[0]


def forget_messages(now: dt.datetime) -> int:
    """Those to webhooks. What happened so long ago is told to none again."""
    return WebhookDelivery.objects.filter(created_at__lt=now - SHORTLY).delete()[0]


def forget_unconfirmed(now: dt.datetime) -> int:
    """Accounts that nobody has ever signed in to, by an address that nobody has confirmed.

    Where something has happened to one meanwhile, that stays for its year, and the account is erased.
    """
    nobodys = Q(last_login=None, is_active=True, is_staff=False, is_superuser=False, memberships=None)
    old = User.objects.filter(nobodys, date_joined__lt=now - UNCONFIRMED, socialaccount=None)
    forgotten = 0
    for user in old.exclude(emailaddress__verified=True):
        try:
            user.delete()
        except ProtectedError as kept:
            if not all(isinstance(one, AccountEvent) for one in kept.protected_objects):
                continue
            erase(user=user, now=now, by_operator=True)
        forgotten += 1
    return forgotten


_SESSIONS = dt.timedelta(seconds=settings.SESSION_COOKIE_AGE)
_STAFF_HOURS = settings.STAFF_SESSION_AGE // 3600

KEPT = (
    Kept(
        "Your e-mail addresses, name, time zone and a hash of your password",
        "You sign in with them, teammates see who you are, and results are sent to you.",
        "As long as you have an account. You erase it yourself on the page of your data.",
    ),
    Kept(
        "An account whose address nobody has confirmed",
        "Somebody may have mistyped it, or typed yours.",
        f"{_days(UNCONFIRMED)}.",
        forget_unconfirmed,
    ),
    Kept(
        "That you are signed in: a cookie here, a row there",
        "Else you would type your password for every page. Of two more cookies one is against forged forms; the other "
        "tells pages that are the same for everybody that somebody is signed in here, and not who.",
        f"{_days(_SESSIONS)} after you signed in; {_STAFF_HOURS} hours for those who run benchmarks or this site.",
        forget_sessions,
    ),
    Kept(
        "API tokens, as hashes, with name and last use",
        "Programs sign in with them.",
        f"Until they end, you end them, or nobody has used them for {_days(IDLE_TOKENS)}.",
        lambda now: forget_ended_tokens(now) + forget_idle_tokens(now, IDLE_TOKENS),
    ),
    Kept(
        "How often your network address has tried something of late, such as a password",
        "So that nobody tries them all.",
        "Until the limit no longer counts it, mostly minutes, at most a day.",
        forget_counts,
    ),
    Kept(
        "What happened to your account: sign-ins, wrong passwords, changes of password, tokens, teams and roles",
        "You and the operators can find out who got in, and when.",
        f"{_days(EVENTS_KEPT)}, also if you erase your account, then without a name.",
        forget_old_events,
    ),
    Kept(
        "The network address that each of those came from",
        "It tells your own sign-in from another's.",
        f"{_days(BLANKED[AccountEvent._meta.db_table].after)}.",  # noqa: SLF001  # documented by Django under this name
        forget_clients,
    ),
    Kept(
        "The text of mails to you",
        "It can be sent again when a mail server fails, and organisers see what you were told.",
        f"{_days(SHORTLY)}; that you were written to, and its subject, as long as you have an account.",
        lambda now: forget_texts(now, SHORTLY),
    ),
    Kept(
        "Uploads that were refused: the name of the file and what was wrong with it, not the file",
        "Organisers can help you.",
        f"{_days(SHORTLY)}.",
        forget_refusals,
    ),
    Kept(
        "Your address, where somebody invites you to run a benchmark",
        "Only you may take the invitation.",
        f"{_days(SHORTLY)}.",
        forget_invitations,
    ),
    Kept(
        "What was told to programs of organisers: which system of which team sent something, and when",
        "It can be sent again when such a program was away.",
        f"{_days(SHORTLY)}.",
        forget_messages,
    ),
    Kept(
        "What you submit, for which team and when",
        "Releases rest on it, and can be made again from it to check them.",
        "For good; after you have erased your account it names nobody. Files of a system that is withdrawn are "
        "deleted 14 days later.",
    ),
    Kept(
        "What organisers do to benchmarks, and who did it",
        "Participants can hold them to it.",
        "For good.",
    ),
    Kept(
        "What a page said of you before it was drawn again",
        "Nothing reads it; it waits to be deleted.",
        "An hour.",
        lambda now: drop_unused_bodies(),
    ),
    Kept(
        "A line for each request: when, which kind of page, how long it took, the number of your account",
        "To find faults. It holds no addresses, names or contents.",
        "As long as this server keeps its logs.",
    ),
    Kept(
        "Backups of all of this",
        "So that nothing is lost with a disk.",
        f"The newest {settings.BACKUPS_KEPT}, one a day. Whoever was erased is erased again when one is put back.",
    ),
)
"""Everything that is kept of people."""


def believed(now: dt.datetime) -> dt.datetime:
    """As of when what is too old is deleted: by `now`, but at most a day later than the last round of forgetting.

    A clock that is a year ahead for some hours would have everything deleted that a year deletes. After days without
    workers the rounds make up for them, a day in each.
    """
    last = last_rounds().get(ROUND)
    return min(now, last + MOST_AT_ONCE) if last else now


def forget(now: dt.datetime) -> int:
    """Delete everything that was kept for as long as the table says; returns how much. What fails stops nothing else.

    Raises
    ------
    ExceptionGroup
        What failed, once everything was tried.
    """
    forgotten, failed = 0, []
    for kept in KEPT:
        if kept.forget is None:
            continue
        try:
            forgotten += kept.forget(now)
        except Exception as error:  # noqa: BLE001  # raised below, once the others had their turn
            failed.append(error)
    if failed:
        raise ExceptionGroup("not everything was forgotten", failed)
    return forgotten
