"""SHA256SUMS of a folder, as `sha256sum --check` reads it."""

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from operations.backups.refusal import BackupRefused

NAME = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_PIECE = 1 << 20
_MOST_TOLD = 5


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def write_checksums(folder: Path, known: Mapping[str, str]) -> None:
    """Write the digests of all files of a folder beside them; what is known is not read again."""
    lines = [f"{known.get(name) or digest_of(folder / name)}  {name}\n" for name in _files(folder)]
    (folder / NAME).write_text("".join(lines), "utf-8")


def read_checksums(folder: Path) -> dict[str, str]:
    """The digests by path. BackupRefused where the file is not there or no such list."""
    try:
        lines = (folder / NAME).read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise BackupRefused(
            f"{folder} has no {NAME}: it is no backup, or one that was broken off. Name the folder of a whole one."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BackupRefused(f"{folder / NAME} cannot be read: {error}. Use another backup.") from None
    found = {}
    for number, line in enumerate(lines, start=1):
        if not (match := _LINE.fullmatch(line)):
            raise BackupRefused(f"{folder / NAME}, line {number}: it is no checksum. Use another backup.")
        found[match[2]] = match[1]
    return found


def verify(folder: Path) -> int:
    """Hold every file of a folder against its checksum; returns how many there are.

    Raises
    ------
    BackupRefused
        With the first files that were changed, are missing, or were added.
    """
    wanted, there = read_checksums(folder), set(_files(folder))
    wrong = [f"{name} is missing" for name in wanted if name not in there]
    wrong += [f"{name} was added" for name in sorted(there - wanted.keys())]
    wrong += [
        f"{name} was changed or is torn"
        for name, digest in wanted.items()
        if name in there and digest_of(folder / name) != digest
    ]
    if wrong:
        more = f", and {len(wrong) - _MOST_TOLD} more" if len(wrong) > _MOST_TOLD else ""
        raise BackupRefused(
            f"{folder} is not as it was made: {'; '.join(wrong[:_MOST_TOLD])}{more}. Use another backup."
        )
    return len(wanted)


def _files(folder: Path) -> list[str]:
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != NAME
    )
