"""The environment that settings are read from, with the mode the server runs in.

A value that cannot be read stops the process with a sentence that names the variable; one that is empty is not set.
"""

import os
import re
import warnings
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


class Mode(StrEnum):
    """How much the server may assume about its surroundings."""

    PRODUCTION = "production"
    DEMO = "demo"
    TEST = "test"


env = environ.Env()
DATA_DIR = Path(os.environ.get("HELDOUT_DATA") or BASE_DIR / "var").resolve()

# `make demo` writes this file, so that manage.py run by hand finds the same server. The environment wins over it.
ENV_FILE = DATA_DIR / "heldout.env"
if ENV_FILE.is_file():
    environ.Env.read_env(ENV_FILE)

_Read = TypeVar("_Read")
PASSWORDS = "; write / ? @ and % of a password as %2F %3F %40 and %25"
_RATE = re.compile(r"[1-9]\d*/(s|sec|second|m|min|minute|h|hour|d|day)", re.ASCII)
_ON, _OFF = ("true", "yes", "y", "on", "1"), ("false", "no", "n", "off", "0")


def one_of(name: str, values: Collection[str], default: str) -> str:
    """A variable that takes one of these words."""
    found = env.str(name, default="") or default
    if found not in values:
        raise ImproperlyConfigured(f"{name} is “{found}”. Expected one of: {', '.join(values)}.")
    return found


def is_on(name: str, *, default: bool) -> bool:
    """Whether a variable says yes; a slip of writing must not switch off what keeps a server safe."""
    found = env.str(name, default="").strip()
    if found and found.lower() not in (*_ON, *_OFF):
        raise ImproperlyConfigured(f"{name} is “{found}”. Expected true or false.")
    return found.lower() in _ON if found else default


def whole_number(name: str, default: int, least: int = 0) -> int:
    """A variable that holds a number of at least so many."""
    found = env.str(name, default="").strip() or str(default)
    if not (found.isascii() and found.isdigit() and int(found) >= least):
        raise ImproperlyConfigured(f"{name} is “{found}”. Expected a whole number, {least} or more.")
    return int(found)


def understood(name: str, value: str, read: Callable[[str], _Read], form: str) -> _Read:
    """What `read` makes of the value of a variable, which may hold a password and so is not repeated."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # one would repeat the password
            return read(value)
    except (ImproperlyConfigured, ValueError, KeyError, Warning):
        raise ImproperlyConfigured(f"{name} cannot be read. Expected {form}.") from None


def broker_address(url: str) -> str:
    """The broker's address; empty is the folder of messages."""
    if url and "://" not in url:
        raise ImproperlyConfigured(
            f"HELDOUT_BROKER_URL cannot be read. Expected amqp://user:password@host:5672//{PASSWORDS}."
        )
    return url or "filesystem://"


def site_address(url: str) -> str:
    """The site's public address without a slash at its end, for paths are added to it; may be empty."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ImproperlyConfigured(
            f"HELDOUT_SITE_URL is “{url}”. Expected an address such as https://heldout.example.org."
        )
    return url.rstrip("/")


def port_numbers(name: str, ports: Sequence[str]) -> list[int]:
    """Ports of other hosts."""
    if wrong := [
        port for port in ports if not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536)
    ]:
        raise ImproperlyConfigured(
            f"{name} holds “{wrong[0]}”. Expected numbers of ports, with commas, such as 443,8443."
        )
    return [int(port) for port in ports]


def upload_rate(rate: str) -> str:
    """How many uploads a user may send in which time; empty is 600 an hour."""
    if rate and not _RATE.fullmatch(rate):
        raise ImproperlyConfigured(
            f"HELDOUT_UPLOAD_RATE is “{rate}”. Expected so many a second, minute, hour or day, such as 600/hour."
        )
    return rate or "600/hour"


def secret(name: str) -> str:
    """A value from the variable `name`, or from the file that `name`_FILE points at; empty where neither is set."""
    path = env.str(f"{name}_FILE", default="")
    if not path:
        return str(env.str(name, default=""))
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as fault:
        why = (fault.strerror if isinstance(fault, OSError) else "") or "it is no text in UTF-8"
        raise ImproperlyConfigured(
            f"The file that {name}_FILE names, {path}, cannot be read: {why}."
        ) from None


MODE = Mode(one_of("HELDOUT_MODE", [*Mode], Mode.PRODUCTION))
IS_PRODUCTION = MODE is Mode.PRODUCTION


def folder_digest(folder: Path) -> str:
    """A digest of the names and contents of a folder's files."""
    digest = sha256()
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        digest.update(f"{path.relative_to(folder)}\n".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]
