"""The scorer's private keys: a ring in which the key of a sealed box is found by its fingerprint.

A web server is given none of them.
"""

import logging
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from submissions.intake.sealing import KeyMissingError, KeyPair, KeyWrongError, key_fingerprint, pair_of

logger = logging.getLogger(__name__)


def key_files() -> list[Path]:
    """The files of private keys that this process was given: one, and those of its ring."""
    named = settings.GOLD_PRIVATE_KEY_FILE
    ring = sorted(Path(settings.GOLD_KEY_RING).glob("*.key")) if settings.GOLD_KEY_RING else []
    return [*([Path(named)] if named else []), *ring]


def has_private_key() -> bool:
    return bool(key_files())


def key_ring() -> dict[str, KeyPair]:
    """The pairs of keys by fingerprint. A file that holds no key, or another than it is called, is passed over."""
    ring: dict[str, KeyPair] = {}
    for file in key_files():
        if problem := file_problem(file):
            logger.error("%s: %s", file, problem)
        else:
            pair = pair_of(_read(file))
            ring.setdefault(key_fingerprint(pair.public), pair)
    return ring


def file_problem(file: Path) -> str:
    """What is wrong with a file of a private key, in words; empty where nothing is."""
    try:
        fingerprint = key_fingerprint(pair_of(_read(file)).public)
    except OSError as error:
        return f"It cannot be read: {error.strerror}."
    except (KeyWrongError, KeyMissingError, UnicodeDecodeError):
        return "It holds no private key."
    is_of_ring = file.suffix == ".key" and str(file) != str(settings.GOLD_PRIVATE_KEY_FILE)
    if is_of_ring and file.stem != fingerprint:
        return f"It holds the key {fingerprint}; call it {fingerprint}.key."
    return ""


def demo_key_file(data: Path) -> Path:
    """Where a demo keeps the private key in its data folder."""
    return data / "keys" / "gold.private"


def _read(file: Path) -> str:
    """The text of a key file. OSError, UnicodeDecodeError."""
    status = file.stat()
    return _read_as_of(file, status.st_mtime_ns, status.st_ino)


@lru_cache(maxsize=64)
def _read_as_of(file: Path, changed: int, number: int) -> str:
    return file.read_text(encoding="ascii").strip()
