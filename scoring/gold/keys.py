"""Where the scorer's private key comes from. A web server is never given it."""

import os
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from scoring.gold.sealing import KeyMissingError


def private_key() -> str:
    """The private key that gold labels are opened with.

    Raises
    ------
    KeyMissingError
        If this process was not given one.
    """
    if not settings.GOLD_PRIVATE_KEY_FILE:
        raise KeyMissingError
    return _read(settings.GOLD_PRIVATE_KEY_FILE)


def demo_key_file(data: Path) -> Path:
    """Where a demo keeps the private key in its data folder."""
    return data / "keys" / "gold.private"


def has_private_key() -> bool:
    return bool(settings.GOLD_PRIVATE_KEY_FILE)


@lru_cache(maxsize=1)
def _read(path: str) -> str:
    return Path(path).read_text(encoding="ascii").strip()


def write_private_key(path: Path, private_key: str) -> None:
    """Keep a new private key in a file that only its owner may read.

    Raises
    ------
    FileExistsError
        If the file is there already: gold labels may be sealed to the key in it.
    OSError
        If it cannot be written.
    """
    with open(path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(private_key + "\n")
        file.flush()
        os.fsync(file.fileno())
