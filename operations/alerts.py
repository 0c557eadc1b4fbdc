"""Tell operators what is wrong, once when it begins and once when it is over; the outbox sends it."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings
from django.db import transaction

from accounts.mail.outbox import Letter, put_in_post
from accounts.models import MailKind, User
from operations.models import Alert


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong: `said` in sentences, `count` cases of it.

    It is told once, and again when `fingerprint` has changed; a number that grows every minute does not belong in it.
    """

    said: str
    count: int = 1
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class _News:
    """Something that operators have to hear of."""

    subject: str
    text: str


def settle(kind: str, troubles: Mapping[str, Trouble], *, now: dt.datetime) -> None:
    """Have the alerts of a kind be those of these troubles, by name; one mail tells operators what has changed."""
    with transaction.atomic():
        prefix = f"{kind}:"
        known = {one.key: one for one in Alert.objects.select_for_update().filter(key__startswith=prefix)}
        found = {prefix + name: trouble for name, trouble in troubles.items()}
        news = [one for key, trouble in found.items() if (one := _note(known.get(key), key, trouble, now))]
        news += [_end(known[key]) for key in sorted(known.keys() - found.keys())]
        if news:
            _write(kind, news, now)


def _note(known: Alert | None, key: str, trouble: Trouble, now: dt.datetime) -> _News | None:
    fingerprint = sha256(trouble.fingerprint.encode()).hexdigest()
    if known is None:
        values = {"said": trouble.said, "fingerprint": fingerprint, "since": now, "told_at": now}
        _, is_new = Alert.objects.get_or_create(key=key, defaults={**values, "count": trouble.count})
        return _News(f"{key} is wrong", trouble.said) if is_new else None
    if is_news := known.fingerprint != fingerprint:
        known.told_at = now
    known.said, known.fingerprint, known.count = trouble.said, fingerprint, trouble.count
    known.save()
    return _News(f"{key} has changed", trouble.said) if is_news else None


def _end(known: Alert) -> _News:
    text = f"It was found on {known.since:%Y-%m-%d %H:%M} UTC, and is found no more:\n\n{known.said}"
    news = _News(f"{known.key} is over", text)
    known.delete()
    return news


def _write(kind: str, news: Sequence[_News], now: dt.datetime) -> None:
    """After a stop of all workers thirty rounds may be late, or over, at once."""
    subject, text = news[0].subject, news[0].text
    if len(news) > 1:
        subject = f"{subject}, and {len(news) - 1} more"
        text = "\n\n".join(f"{one.subject}\n\n{one.text}" for one in news)
    letters = [
        Letter(person, f"{settings.SITE_URL}: {subject}", f"{text}\n\n{settings.SITE_URL}/admin/")
        for person in User.objects.operators()
    ]
    put_in_post(kind=MailKind.OPERATION, about=f"{kind}:{now.timestamp():.6f}", letters=letters, now=now)
