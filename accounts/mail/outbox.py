"""The one place that writes mail: `put_in_post` to people who take part, `tell_at_once` to those who run a benchmark.

What is put in the post is kept in the database, within the transaction that it tells of; a sweep sends it after that
transaction is over, and a mail server that is down delays it without losing it.
"""

import datetime as dt
import logging
import textwrap
import time
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import F, QuerySet
from django.urls import reverse

from accounts.mail.smtp import MayHaveArrived, is_refused_for_good
from accounts.models import Mail, MailKind, User
from accounts.server.clock import has_come

logger = logging.getLogger(__name__)

Status = Mail.Status

UNSUBSCRIBE_SALT = "unsubscribe"
WIDTH = 76
MAX_LINE = 150
PER_SWEEP = 50
SECONDS_PER_SWEEP = 120  # a slow server may not have a sweep broken off while it takes a mail
RETRY_AFTER = tuple(dt.timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480, 1440))
MAX_ATTEMPTS = len(RETRY_AFTER) + 1
LEASE = dt.timedelta(minutes=15)  # longer than a worker may take for a whole sweep
LONGEST_AHEAD = RETRY_AFTER[-1] + LEASE  # no mail is due later than that
_AUTOMATIC = {"Auto-Submitted": "auto-generated"}
# So many failures one after the other are no fault of these mails: the server is down, and the others can wait.
FAILURES_IN_A_ROW = 3


class UnsubscribeInvalid(Exception):
    """The link was altered, or a part of it is missing."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What to write to one person. Lines of `text` are wrapped when it is sent; the footer is added then."""

    user: User
    subject: str
    text: str


def wanting(people: QuerySet[User], kind: MailKind) -> QuerySet[User]:
    """Those of `people` who may be written to about things of that kind."""
    return people.filter(is_active=True, **{_preference(kind): True})


def put_in_post(*, kind: MailKind, about: str, letters: Iterable[Letter], now: dt.datetime) -> None:
    """Have letters sent by the next sweep, to everybody who wants mail of that kind.

    Parameters
    ----------
    about
        The occasion, such as `publication:raft:12`; up to 120 characters. Who was written to about it before, or has
        a letter about it waiting, is not written to again.
    """
    Mail.objects.bulk_create(
        [
            Mail(
                user=letter.user,
                kind=kind,
                about=about,
                subject=_one_line(letter.subject),
                text=letter.text,
                created_at=now,
                due_at=now,
            )
            for letter in letters
            if is_wanted(letter.user, kind)
        ],
        ignore_conflicts=True,
    )


def tell_at_once(*, people: Iterable[User], subject: str, text: str) -> None:
    """Write one mail to those who have to do something here, such as organisers; it cannot be switched off.

    Call it outside of transactions. The pages say the same, so a mail server that is down holds nothing up.
    """
    write_to([person.email for person in people if person.is_active], subject=subject, text=text)


def write_to(to: list[str], *, subject: str, text: str) -> None:
    """Write one mail to addresses, also of people without an account. To be called outside of transactions."""
    message = EmailMessage(_one_line(subject), f"{wrapped(text.strip())}\n", to=to, headers=_AUTOMATIC)
    try:
        message.send()
    except OSError as error:
        logger.warning("mail to %d people was not sent: %s", len(to), type(error).__name__)


def send_due(now: dt.datetime) -> int:
    """Send what waits, the oldest first; returns how many were sent. Two sweeps at once send nothing twice.

    A mail that the server refuses is tried again later and later, and given up after `MAX_ATTEMPTS`; at once where it
    refuses it for good. One whose sending was cut short, or about which the server fell silent once it had all of it,
    is given up at once, too: nobody can say whether it arrived.
    """
    ends_at = time.monotonic() + SECONDS_PER_SWEEP
    come = has_come("due_at", now, longest=LONGEST_AHEAD)
    Mail.objects.filter(come, status=Status.SENDING).update(
        status=Status.FAILED, error="The worker stopped while it was being sent; it may have arrived."
    )
    due = Mail.objects.filter(come, status=Status.WAITING).order_by("due_at", "created_at", "pk")
    sent = failures = 0
    for mail in due.select_related("user")[:PER_SWEEP]:
        if not _claim(mail, now):
            continue
        failed = _send(mail, now)
        sent += failed is None
        failures = 0 if failed is None or is_refused_for_good(failed) else failures + 1
        if failures == FAILURES_IN_A_ROW or time.monotonic() > ends_at:
            break
    return sent


def send_again(mails: QuerySet[Mail], *, now: dt.datetime) -> int:
    """Put those of the mails that were given up back in the post, as if nobody had tried; returns how many.

    What was sent stays sent. One whose sending was cut short may arrive twice. One without a text has none to be sent:
    see `forget_texts`.
    """
    return (
        mails.filter(status=Status.FAILED)
        .exclude(text="")
        .update(status=Status.WAITING, attempts=0, due_at=now, sent_at=None, error="")
    )


def forget_texts(now: dt.datetime, kept: dt.timedelta) -> int:
    """Forget what was written in old mails that nobody sends any more; how many. Their occasions stay known."""
    over = Mail.objects.filter(
        created_at__lt=now - kept, status__in=(Status.SENT, Status.FAILED, Status.UNWANTED)
    )
    return over.exclude(text="").update(text="")


def _claim(mail: Mail, now: dt.datetime) -> bool:
    """Whether this process is the one that sends it; nobody does if the person has switched it off meanwhile."""
    waiting = Mail.objects.filter(pk=mail.pk, status=Status.WAITING, attempts=mail.attempts)
    if not is_wanted(mail.user, MailKind(mail.kind)):
        waiting.update(status=Status.UNWANTED)
        return False
    return bool(waiting.update(status=Status.SENDING, attempts=F("attempts") + 1, due_at=now + LEASE))


def _send(mail: Mail, now: dt.datetime) -> Exception | None:
    """Send it, and note what became of it; returns why it was not sent."""
    row = Mail.objects.filter(pk=mail.pk)
    try:
        _message(mail).send()
    except Exception as error:  # noqa: BLE001  # one mail, whatever is wrong with it, must not hold up the others
        logger.warning("mail %s was not sent: %s", mail.pk, type(error).__name__)
        failed: dict[str, object] = {"status": Status.FAILED}
        is_over = isinstance(error, MayHaveArrived) or is_refused_for_good(error)
        if mail.attempts + 1 < MAX_ATTEMPTS and not is_over:
            failed = {"status": Status.WAITING, "due_at": now + RETRY_AFTER[mail.attempts]}
        row.update(**failed, error=_one_line(f"{type(error).__name__}: {error}"))
        return error
    row.update(status=Status.SENT, sent_at=now, error="")
    return None


def _message(mail: Mail) -> EmailMessage:
    """The mail as it is sent: plain text, and headers by which its reader's program can unsubscribe (RFC 8058)."""
    unsubscribe = settings.SITE_URL + reverse(
        "accounts:unsubscribe", args=[unsubscribe_token(mail.user, MailKind(mail.kind))]
    )
    return EmailMessage(
        mail.subject,
        as_sent(mail.text, MailKind(mail.kind), unsubscribe),
        to=[mail.user.email],
        headers=_AUTOMATIC
        | {
            "Message-ID": f"<{mail.pk}@{urlsplit(settings.SITE_URL).hostname}>",
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def as_sent(text: str, kind: MailKind, unsubscribe: str) -> str:
    """A mail's whole text: lines wrapped, and the footer with the links by which its reader gets no more of it."""
    footer = (
        f"{settings.SITE_URL} writes to you about {kind.label}.\n"
        f"To get no more of it:\n{unsubscribe}\n"
        f"To choose what you are sent:\n{settings.SITE_URL + reverse('accounts:mail')}"
    )
    return f"{wrapped(text.strip())}\n\n-- \n{wrapped(footer)}\n"


def wrapped(text: str) -> str:
    """The text with no line longer than a mail should have, but for addresses; indented lines stay indented."""
    wrapper = textwrap.TextWrapper(WIDTH, break_long_words=False, break_on_hyphens=False)
    lines = []
    for line in text.splitlines():
        wrapper.initial_indent = wrapper.subsequent_indent = line[: len(line) - len(line.lstrip())]
        lines.append(wrapper.fill(line.strip()))
    return "\n".join(lines)


def unsubscribe_token(user: User, kind: MailKind) -> str:
    """A token with which whoever holds it can switch off one kind of mail to one person; it does not grow old."""
    return signing.dumps([user.pk, kind.value], salt=UNSUBSCRIBE_SALT)


def read_unsubscribe(token: str) -> tuple[User, MailKind]:
    """Whose mail of which kind `token` switches off.

    Raises
    ------
    UnsubscribeInvalid
    """
    try:
        user, kind = signing.loads(token, salt=UNSUBSCRIBE_SALT)
        return User.objects.get(pk=user), MailKind(kind)
    except (signing.BadSignature, User.DoesNotExist, ValueError):
        raise UnsubscribeInvalid from None


def unsubscribe(*, user: User, kind: MailKind) -> None:
    User.objects.filter(pk=user.pk).update(**{_preference(kind): False})


def is_wanted(user: User, kind: MailKind) -> bool:
    """Whether a person may be written to about things of that kind."""
    return user.is_active and bool(getattr(user, _preference(kind)))


def _preference(kind: MailKind) -> str:
    return f"mail_{kind.value}"


def _one_line(text: str) -> str:
    """A line break in a name would end the header, and with it the mail."""
    return " ".join(text.split())[:MAX_LINE]
