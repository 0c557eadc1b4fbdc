"""Where a log and its pages are read from: a site, or a folder that was filled from one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol

import httpx

from client.errors import ClientError
from client.login import checked_url
from client.server import TIMEOUT
from transparency.core.entries import AS_PUBLISHED

_PART = 500  # entries that are asked for at once


class LogSource(Protocol):
    """What an audit reads; every method raises ClientError where nothing can be read."""

    name: str
    is_live: bool

    def checkpoint(self) -> str:
        """The newest signed note."""

    def entries(self, size: int) -> list[dict[str, Any]]:
        """The first `size` entries."""

    def keys(self) -> dict[str, str]:
        """What the source itself says its keys are."""

    def page(self, path: str) -> bytes | None:
        """What stands at an address, None where nothing does."""


class Site:
    """A running server; what is read is stored too, where a folder is given."""

    is_live = True

    def __init__(self, url: str, copy: Path | None = None) -> None:
        self.url = self.name = url
        self._copy = Mirror(copy) if copy else None
        self._client = httpx.Client(timeout=TIMEOUT, follow_redirects=False)

    def close(self) -> None:
        self._client.close()

    def checkpoint(self) -> str:
        return self._needed("/log/checkpoint").decode()

    def keys(self) -> dict[str, str]:
        return _keys(self._needed("/log/keys"))

    def entries(self, size: int) -> list[dict[str, Any]]:
        found = list(self._entries(size))
        if self._copy:
            self._copy.store("/log/entries", json.dumps({"entries": found}).encode())
        return found

    def page(self, path: str) -> bytes | None:
        return self._read(path)

    def _entries(self, size: int) -> Iterator[dict[str, Any]]:
        for start in range(0, size, _PART):
            end = min(size, start + _PART)
            # Not stored part by part: a folder has them in one file.
            answer = self._answer(f"/log/entries?from={start}&to={end}")
            part = _entries(answer.content)
            if len(part) != end - start:
                raise ClientError(f"{self.url} has signed {size} entries and gives fewer.")
            yield from part

    def _needed(self, path: str) -> bytes:
        data = self._read(path)
        if data is None:
            raise ClientError(
                f"{self.url}{path} is not there. Does this server keep a log, and has it a key?"
            )
        return data

    def _read(self, path: str) -> bytes | None:
        answer = self._answer(path)
        if answer.status_code == HTTPStatus.NOT_FOUND:
            return None
        if self._copy:
            self._copy.store(path, answer.content)
        return answer.content

    def _answer(self, path: str) -> httpx.Response:
        try:
            answer = self._client.get(f"{self.url}{path}")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ClientError(f"{self.url} cannot be reached ({error}).") from None
        if not answer.is_success and answer.status_code != HTTPStatus.NOT_FOUND:
            raise ClientError(f"{self.url}{path} answered HTTP {answer.status_code}.")
        return answer


class Mirror:
    """A folder with a copy of a site: each page under its address, index.html where that ends with a slash."""

    is_live = False

    def __init__(self, folder: Path) -> None:
        self.folder, self.name = folder, str(folder)

    def checkpoint(self) -> str:
        return self._needed("/log/checkpoint").decode()

    def keys(self) -> dict[str, str]:
        return _keys(self._needed("/log/keys"))

    def entries(self, size: int) -> list[dict[str, Any]]:
        found = _entries(self._needed("/log/entries"))
        if len(found) < size:
            raise ClientError(f"{self.folder} has {len(found)} entries, and {size} were signed.")
        return found[:size]

    def page(self, path: str) -> bytes | None:
        """What stands at an address; of an archive the page as it was published, not the one with other links."""
        file = self._file(path)
        for place in (self.folder / AS_PUBLISHED / file.relative_to(self.folder), file):
            try:
                return place.read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                raise ClientError(f"{place} cannot be read: {error.strerror}.") from None
        return None

    def store(self, path: str, data: bytes) -> None:
        """Write what stands at an address. ClientError where that is impossible."""
        file = self._file(path)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        except OSError as error:
            raise ClientError(f"{file} cannot be written: {error.strerror}.") from None

    def _needed(self, path: str) -> bytes:
        data = self.page(path)
        if data is None:
            raise ClientError(
                f"{self.folder} holds no {path}: it is no archive, and no copy made with `heldout audit --save`."
            )
        return data

    def _file(self, path: str) -> Path:
        """The file of an address. ClientError where that would lead out of the folder."""
        parts = path.removeprefix("/").split("/")
        if any(part in ("..", ".") or "\\" in part or ":" in part for part in parts) or "" in parts[:-1]:
            raise ClientError(f"The log names a page {path!r}, for which no file is read or written.")
        return self.folder.joinpath(*parts[:-1], parts[-1] or "index.html")


@contextmanager
def open_source(place: str, copy: Path | None) -> Iterator[LogSource]:
    """The site at an address, or the folder of that name. ClientError where it is neither."""
    if Path(place).is_dir():
        yield Mirror(Path(place))
        return
    site = Site(checked_url(place), copy)
    try:
        yield site
    finally:
        site.close()


def read_note(path: Path) -> str:
    """The text of a checkpoint that was kept. ClientError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ClientError(f"{path} cannot be read ({type(error).__name__}).") from None


def _keys(data: bytes) -> dict[str, str]:
    told = _json(data)
    return {str(role): str(key) for role, key in told.items()}


def _entries(data: bytes) -> list[dict[str, Any]]:
    found = _json(data).get("entries")
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise ClientError("The entries of the log cannot be read: this is no answer of a Heldout server.")
    return found


def _json(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise ClientError("What was read is no JSON of a Heldout server.")
    return document
