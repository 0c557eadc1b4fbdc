"""The members of a zip by their paths, read one at a time within limits. Nothing is ever written to a disk."""

import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from posixpath import dirname, normpath
from typing import IO, BinaryIO, cast

from submissions.intake.bundles.report import BundleRefused, Fate, Note, refused

MOST_MEMBERS = 5_000
LARGEST_MEMBER = 64 << 20
MOST_UNPACKED = 256 << 20
LARGEST_DIRECTORY = 4 << 20
_CHUNK = 1 << 20
_IGNORED = ("__MACOSX/", ".git/")
_HIDDEN = ("._", ".DS_Store", "Thumbs.db")


class Budget:
    """How many bytes may still be unpacked, of a bundle and the zips in it together."""

    def __init__(self, left: int = MOST_UNPACKED) -> None:
        self.left = left


class _WithinReach:
    """A zip as a file, of which no more is read at once than a directory of MOST_MEMBERS may need.

    The library reads the directory in one piece, and makes of each of its bytes ten.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > LARGEST_DIRECTORY:
            raise _DirectoryTooLarge
        return self._file.read(size)


class _DirectoryTooLarge(Exception):
    """That of a zip with far more members than are read."""


class Archive:
    """A zip whose members all stay in their folder.

    Raises
    ------
    BundleRefused
        If it is no zip, has too many members, or one that leaves the folder, is a link or is encrypted.
    """

    def __init__(self, file: BinaryIO, name: str, budget: Budget | None = None) -> None:
        self.name, self._budget = name, budget or Budget()
        try:
            self._zip = zipfile.ZipFile(cast(IO[bytes], _WithinReach(file)))
            members = self._zip.infolist()
        except _DirectoryTooLarge:
            raise refused(
                name,
                "zip",
                f"its directory has more than {LARGEST_DIRECTORY >> 20} MB; expected at most {MOST_MEMBERS:,} members",
            ) from None
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
            raise refused(name, "zip", "this is no zip file that can be read") from None
        if len(members) > MOST_MEMBERS:
            raise refused(name, "zip", f"it has {len(members):,} members; expected at most {MOST_MEMBERS:,}")
        if faults := [fault for member in members if (fault := self._fault(member))]:
            raise BundleRefused(*faults[:20])
        self._members = {
            normpath(member.filename): member
            for member in members
            if not member.is_dir() and not _is_clutter(member.filename)
        }
        self.doubles = sorted({path for path in _doubles(members) if not _is_clutter(path)})

    def _fault(self, member: zipfile.ZipInfo) -> Note | None:
        path = member.filename
        shown = path.encode("unicode_escape").decode()[:120]
        parts = path.replace("\\", "/").split("/")
        kind = stat.S_IFMT(member.external_attr >> 16)
        checks = (
            (
                path.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in path,
                f"the name of the member {shown} leaves the folder",
            ),
            (kind == stat.S_IFLNK, f"the member {shown} is a link"),
            (kind not in (0, stat.S_IFREG, stat.S_IFDIR), f"the member {shown} is no file"),
            (member.flag_bits & 1, f"the member {shown} is encrypted"),
        )
        why = next((why for is_wrong, why in checks if is_wrong), "")
        return Note(self.name, "member", Fate.REFUSED, why) if why else None

    @property
    def paths(self) -> list[str]:
        return sorted(self._members)

    def has(self, path: str) -> bool:
        return normpath(path) in self._members

    def below(self, folder: str) -> list[str]:
        """The members of a folder and of those in it."""
        start = normpath(folder) + "/"
        return [path for path in self.paths if path.startswith(start) or start == "./"]

    def read(self, path: str, *, at_most: int = LARGEST_MEMBER) -> bytes:
        """The bytes of a member. BundleRefused where they are too many, or broken."""
        parts: list[bytes] = []
        size = 0
        try:
            with self._zip.open(self._members[normpath(path)]) as stream:
                while chunk := stream.read(_CHUNK):
                    size += len(chunk)
                    self._budget.left -= len(chunk)
                    if size > at_most:
                        raise refused(
                            path,
                            "member",
                            f"it unpacks to more than {at_most:,} bytes, the most that is read",
                        )
                    if self._budget.left < 0:
                        raise refused(self.name, "zip", f"it unpacks to more than {MOST_UNPACKED:,} bytes")
                    parts.append(chunk)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, RuntimeError):
            raise refused(
                path, "member", "its bytes are broken, or packed in a way that is not known"
            ) from None
        return b"".join(parts)

    def inner(self, path: str) -> "Archive":
        """A zip in the zip, under the same limits."""
        return Archive(BytesIO(self.read(path)), path, self._budget)

    def root(self) -> str:
        """The folder that everything stands in, with its slash; empty where there are several."""
        firsts = {path.partition("/")[0] for path in self._members if "/" in path}
        is_one = len(firsts) == 1 and all("/" in path for path in self._members)
        return f"{firsts.pop()}/" if is_one else ""


def joined(base: str, path: str) -> str | None:
    """A path that a bundle names, from its folder `base`; None where it leaves the bundle."""
    if path.startswith(("/", "\\")) or "\0" in path or (len(path) > 1 and path[1] == ":"):
        return None
    found = normpath(base + path.replace("\\", "/"))
    return (
        None
        if found == ".." or found.startswith("../") or (base and not f"{found}/".startswith(base))
        else found
    )


def _doubles(members: Iterable[zipfile.ZipInfo]) -> list[str]:
    counts = Counter(member.filename for member in members if not member.is_dir())
    return [path for path, count in counts.items() if count > 1]


def _is_clutter(path: str) -> bool:
    name = path[len(dirname(path)) :].lstrip("/")
    return any(part in path for part in _IGNORED) or name.startswith(_HIDDEN)
