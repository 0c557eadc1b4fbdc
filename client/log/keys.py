"""The public keys of servers, kept since they were first seen, so that a server cannot change them unnoticed."""

import json
from pathlib import Path
from urllib.parse import quote

from client.errors import ClientError
from client.log.sources import LogSource
from client.login import folder
from transparency.core.signed_notes import BadNote, Verifier


def keep_keys(url: str, told: dict[str, str]) -> None:
    """Keep what a server says its keys are.

    Raises
    ------
    ClientError
        If they are not those that were kept before.
    """
    known = _kept(url)
    for role, verifier in told.items():
        if verifier and known.setdefault(role, verifier) != verifier:
            raise ClientError(
                f"{url} has another key for {role} than before: {known[role]} then, {verifier} now. Ask the people who "
                f"run it; if the change is meant, remove {_file(url)}."
            )
    try:
        _file(url).parent.mkdir(parents=True, exist_ok=True)
        _file(url).write_text(json.dumps(known), encoding="utf-8")
    except OSError as error:
        raise ClientError(f"The keys could not be kept in {_file(url)}: {error.strerror}.") from None


def kept_verifiers(role: str) -> list[Verifier]:
    """The keys for `role` of all servers that were ever met."""
    files = sorted((folder() / "keys").glob("*.json"))
    return [read_verifier(key) for file in files if (key := _read(file).get(role))]


def named_verifiers(source: LogSource, role: str) -> list[Verifier]:
    """The key for `role` that a site, or the copy of one, says is its own."""
    told = source.keys().get(role, "")
    return [read_verifier(told)] if told else []


def trusted_verifier(source: LogSource) -> Verifier:
    """The key of the log, believed at the first time and kept from then on. ClientError where there is none."""
    found = named_verifiers(source, "log")
    if not found:
        raise ClientError("This server says no key for its log, so nothing can be checked.")
    if source.is_live:
        keep_keys(source.name, source.keys())
    return found[0]


def read_verifier(text: str) -> Verifier:
    """A key as `name+hash+base64`. ClientError where it is none."""
    try:
        return Verifier.read(text)
    except BadNote as error:
        raise ClientError(str(error)) from None


def _kept(url: str) -> dict[str, str]:
    return _read(_file(url))


def _read(file: Path) -> dict[str, str]:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(role): str(key) for role, key in document.items()} if isinstance(document, dict) else {}


def _file(url: str) -> Path:
    return folder() / "keys" / f"{quote(url, safe='')}.json"
