"""The keys that this process signs with, and those of the site that others check with.

The log is signed where workers run, receipts where files are taken: neither kind of process holds the other's key.
"""

import logging
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.server.secret_files import write_new_secret
from transparency.core.signed_notes import BadNote, Signer, Verifier

logger = logging.getLogger(__name__)


class KeyRole(StrEnum):
    """What a key signs."""

    LOG = "log"
    RECEIPTS = "receipts"

    @property
    def public_setting(self) -> str:
        return f"{self.name.rstrip('S')}_PUBLIC_KEY"

    @property
    def file_setting(self) -> str:
        return f"{self.name.rstrip('S')}_KEY_FILE"


def signer(role: KeyRole) -> Signer | None:
    """The key that this process signs with; None where it was given none.

    Raises
    ------
    ImproperlyConfigured
        If the file cannot be read, or holds no key.
    """
    path = getattr(settings, role.file_setting)
    return read_signing_key(path) if path else None


def signer_at_hand(role: KeyRole) -> Signer | None:
    """The same for what goes on without a signature: a key that cannot be read is logged, and there is none."""
    try:
        return signer(role)
    except ImproperlyConfigured:
        logger.exception("nothing can be signed with the key of %s", role.value)
        return None


def verifier(role: KeyRole) -> Verifier | None:
    """The key that others check signatures with; None where none is set. ImproperlyConfigured where it is no key."""
    text = getattr(settings, role.public_setting)
    if not text:
        return None
    try:
        return Verifier.read(text)
    except BadNote as error:
        raise ImproperlyConfigured(f"HELDOUT_{role.public_setting}: {error}") from None


def verifiers() -> dict[str, str]:
    """By what they sign, the keys that others check signatures with, as text; empty where none is set."""
    return {role.value: str(verifier(role) or "") for role in KeyRole}


def demo_signing_key_file(data: Path, role: KeyRole) -> Path:
    """Where a demo keeps a signing key in its data folder."""
    return data / "keys" / f"{role.value}.private"


@lru_cache(maxsize=4)
def read_signing_key(path: str) -> Signer:
    """The key in a file. ImproperlyConfigured where it cannot be read, or holds none."""
    try:
        return Signer.read(Path(path).read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(
            f"The signing key {path} cannot be read ({type(error).__name__})."
        ) from None
    except BadNote as error:
        raise ImproperlyConfigured(f"{path}: {error}") from None


def write_signing_key(path: Path, signer: Signer) -> None:
    """Keep a new key in a file, which others may check with from now on; raises as `write_new_secret` does."""
    write_new_secret(path, signer.written())
