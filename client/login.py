"""Which server to talk to, and the token for it: from the environment, else as `heldout login` stored them."""

import json
import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import typer

from client.errors import ClientError

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Login(NamedTuple):
    """A server's address without its last slash, and a token for it; either may be empty."""

    url: str = ""
    token: str = ""


def folder() -> Path:
    """The person's own folder for this program."""
    return Path(typer.get_app_dir("heldout"))


def checked_url(url: str) -> str:
    """The address without its last slash.

    Raises
    ------
    ClientError
        If it is no address, or would send passwords and tokens through the network unencrypted.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ClientError(
            f"{url!r} is no server's address. Expected something like https://heldout.example.org."
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ClientError(
            f"{url} is not encrypted, so your token could be read on its way. Use https:// instead."
        )
    return url.rstrip("/")


def load() -> Login:
    """What HELDOUT_URL and HELDOUT_TOKEN say, else what is stored."""
    stored = _stored()
    url = os.environ.get("HELDOUT_URL", "")
    token = os.environ.get("HELDOUT_TOKEN", "")
    if not url:
        return Login(stored.url, token or stored.token)
    url = checked_url(url)
    # A stored token belongs to the server it was stored for and is sent to no other.
    return Login(url, token or (stored.token if stored.url == url else ""))


def _stored() -> Login:
    try:
        stored = json.loads(_file().read_text(encoding="utf-8"))
        return Login(checked_url(str(stored["url"])), str(stored["token"]))
    except FileNotFoundError:
        return Login()
    except (ClientError, OSError, ValueError, KeyError, TypeError):
        raise ClientError(f"{_file()} cannot be read. Please run `heldout login URL` again.") from None


def store(login: Login) -> Path:
    """Keep address and token where only this person may read them; returns the file."""
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.chmod(_file(), 0o600)  # an older file may have had another mode
            json.dump({"url": login.url, "token": login.token}, file)
    except OSError as error:
        raise ClientError(f"The token could not be stored in {_file()}: {error.strerror}.") from None
    return _file()


def _file() -> Path:
    return folder() / "login.json"
