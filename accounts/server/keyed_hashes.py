"""Hashes that this server alone can make, also after its secret key was changed."""

import hmac

from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed_hashes(salt: str, value: str) -> list[bytes]:
    """The hashes under today's key and those before it that still hold, the newest first."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [salted_hmac(salt, value, secret=key, algorithm="sha256").digest() for key in keys]


def is_one_of(text: str, known: list[str]) -> bool:
    """Whether a text that somebody has sent is one of these; how long that takes tells nothing of them."""
    found = False
    for one in known:
        found |= hmac.compare_digest(text.encode(), one.encode())
    return found
