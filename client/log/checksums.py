"""Check a folder, or the zip of one, against its checksums and the signature of the server that wrote them."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from client.errors import ClientError
from transparency.core.checksum_notes import ChecksumNote, read_checksum_note
from transparency.core.signed_notes import BadNote, Verifier

CHECKSUMS, CHECKSUM_NOTE = "SHA256SUMS", "SHA256SUMS.note"
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_PIECE = 1 << 20
_LARGEST = 64 << 20
_UNREADABLE = (
    OSError,
    zipfile.BadZipFile,
    RuntimeError,  # a file of the zip has a password
    NotImplementedError,  # it is packed in a way that this Python does not know
)


class _Files(Protocol):
    def names(self) -> set[str]:
        """Paths from the folder's top, with slashes."""

    def opened(self, name: str) -> IO[bytes]:
        """One of them, to be read."""


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    """What was signed and by whom, how many files there are, and what is wrong, a sentence for each."""

    note: ChecksumNote
    signed_by: str
    file_count: int
    wrong: tuple[str, ...]


def check_folder(place: Path, verifiers: Sequence[Verifier]) -> CheckedFolder:
    """Hold every file against its checksum, and the checksums against the signature. No server is asked.

    Raises
    ------
    ClientError
        If it cannot be read, or has no checksums or no signature.
    BadNote
        If none of the keys has signed these checksums.
    """
    try:
        with _opened(place) as files:
            names = files.names()
            for name in (CHECKSUMS, CHECKSUM_NOTE):
                if name not in names:
                    raise ClientError(
                        f"{place} has no {name}, so nothing says what it held when it was made."
                    )
            sums = _whole(files, CHECKSUMS)
            note, key = _signed(_whole(files, CHECKSUM_NOTE).decode("utf-8", "replace"), verifiers)
            if sha256(sums).hexdigest() != note.sha256:
                raise BadNote(f"{CHECKSUMS} is not the one that was signed: it was changed.")
            wrong = tuple(_differences(files, names, sums.decode("utf-8", "replace")))
            return CheckedFolder(note, str(key), len(names) - 2, wrong)
    except _UNREADABLE as error:
        raise ClientError(f"{place} cannot be read: {error}.") from None


def _whole(files: _Files, name: str) -> bytes:
    with files.opened(name) as stream:
        return stream.read(_LARGEST)


def _signed(note: str, verifiers: Sequence[Verifier]) -> tuple[ChecksumNote, Verifier]:
    """What is signed, and by which of the keys. BadNote of the last one where none has signed it."""
    fault = BadNote("There is no key to check the signature with. Give the server's with --key.")
    for verifier in verifiers:
        try:
            return read_checksum_note(note, verifier), verifier
        except BadNote as error:
            fault = error
    raise fault


def _differences(files: _Files, names: set[str], sums: str) -> Iterator[str]:
    listed: set[str] = set()
    for number, line in enumerate(sums.splitlines(), start=1):
        found = _LINE.fullmatch(line)
        if found is None:
            yield f"{CHECKSUMS}, line {number}: this is no checksum."
            continue
        digest, name = found.groups()
        listed.add(name)
        if name not in names:
            yield f"{name} is missing."
        elif _digest(files, name) != digest:
            yield f"{name} was changed."
    for name in sorted(names - listed - {CHECKSUMS, CHECKSUM_NOTE}):
        yield f"{name} was not there when this was made."


def _digest(files: _Files, name: str) -> str:
    """The SHA-256 of a file; empty where its bytes cannot be read."""
    found = sha256()
    try:
        with files.opened(name) as stream:
            while piece := stream.read(_PIECE):
                found.update(piece)
    except (OSError, zipfile.BadZipFile, ValueError, EOFError):
        return ""
    return found.hexdigest()


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def names(self) -> set[str]:
        return {file.relative_to(self._path).as_posix() for file in self._path.rglob("*") if file.is_file()}

    def opened(self, name: str) -> IO[bytes]:
        return (self._path / PurePosixPath(name)).open("rb")


class _Zip:
    """A zip whose files stand in one folder, or at its top."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        names = [name for name in archive.namelist() if not name.endswith("/")]
        firsts = {name.partition("/")[0] for name in names if "/" in name}
        is_one = len(firsts) == 1 and all("/" in name for name in names)
        self._top = f"{firsts.pop()}/" if is_one else ""
        self._names = [name.removeprefix(self._top) for name in names]
        if len(set(self._names)) < len(self._names):
            raise ClientError("A file stands in this zip twice, so nobody can say which one was meant.")

    def names(self) -> set[str]:
        return set(self._names)

    def opened(self, name: str) -> IO[bytes]:
        return self._archive.open(self._top + name)


@contextmanager
def _opened(place: Path) -> Iterator[_Files]:
    if place.is_dir():
        yield _Folder(place)
        return
    with zipfile.ZipFile(place) as archive:
        yield _Zip(archive)
