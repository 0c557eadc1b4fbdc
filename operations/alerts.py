"""Tell operators what is wrong, once when it begins and once when it is over; the outbox sends it."""

import datetime as dt
from collections.abc import Iterable, Mapping
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


def operators() -> Iterable[User]:
    """Who runs this server: the superusers."""
    return User.objects.filter(is_superuser=True, is_active=True).order_by("pk")


def settle(kind: str, troubles: Mapping[str, Trouble], *, now: dt.datetime) -> None:
    """Have the alerts of a kind be those of these troubles, by name, and tell operators what has changed."""
    with transaction.atomic():
        prefix = f"{kind}:"
        known = {one.key: one for one in Alert.objects.select_for_update().filter(key__startswith=prefix)}
        found = {prefix + name: trouble for name, trouble in troubles.items()}
        for key, trouble in found.items():
            _note(known.get(key), key, trouble, now)
        for key in known.keys() - found.keys():
            _end(known[key], now)


def _note(known: Alert | None, key: str, trouble: Trouble, now: dt.datetime) -> None:
    fingerprint = sha256(trouble.fingerprint.encode()).hexdigest()
    if known is None:
        values = {"said": trouble.said, "fingerprint": fingerprint, "since": now, "told_at": now}
        _, is_new = Alert.objects.get_or_create(key=key, defaults={**values, "count": trouble.count})
        if is_new:
            _write(key, f"{key} is wrong", trouble.said, now)
        return
    if is_news := known.fingerprint != fingerprint:
        known.told_at = now
    known.said, known.fingerprint, known.count = trouble.said, fingerprint, trouble.count
    known.save()
    if is_news:
        _write(key, f"{key} has changed", trouble.said, now)


def _end(known: Alert, now: dt.datetime) -> None:
    text = f"It was found on {known.since:%Y-%m-%d %H:%M} UTC, and is found no more:\n\n{known.said}"
    _write(known.key, f"{known.key} is over", text, now)
    known.delete()


def _write(key: str, subject: str, text: str, now: dt.datetime) -> None:
    letters = [
        Letter(person, f"{settings.SITE_URL}: {subject}", f"{text}\n\n{settings.SITE_URL}/admin/")
        for person in operators()
    ]
    put_in_post(kind=MailKind.OPERATION, about=f"{key}:{now.timestamp():.6f}", letters=letters, now=now)
