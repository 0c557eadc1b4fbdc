"""What a path holds, as the bytes of an upload."""

import io
import zipfile
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from client.errors import ClientError
from submissions.intake import MAX_UPLOAD_BYTES

MAX_FILES = 1000
MAX_FOLDER_BYTES = 2 * MAX_UPLOAD_BYTES


class Upload(NamedTuple):
    """An upload before it is sent."""

    file_name: str
    data: bytes


def read_upload_at(path: Path, *, one_file: str = "") -> Upload:
    """A file as it is, or a folder as a zip, unless `one_file` says why it must be a file.

    Raises
    ------
    ClientError
        If there is nothing, or nothing that could be read or sent.
    """
    try:
        if path.is_dir():
            if one_file:
                raise ClientError(f"{path} is a folder. {one_file}")
            return Upload(f"{path.resolve().name or 'predictions'}.zip", pack(path))
        _refuse_larger(path, path.stat().st_size, MAX_UPLOAD_BYTES)
        return Upload(path.name, path.read_bytes())
    except FileNotFoundError:
        raise ClientError(f"There is no file or folder {path}.") from None
    except (OSError, ValueError) as error:
        raise ClientError(f"{path} cannot be read: {error}.") from None


def pack(folder: Path) -> bytes:
    """A zip of the folder's files, hidden ones left out. The same files always give the same bytes."""
    files = list(islice((path for path in folder.rglob("*") if path.is_file()), MAX_FILES + 1))
    if len(files) > MAX_FILES:
        raise ClientError(
            f"{folder} holds more than {MAX_FILES:,} files. Give the folder of your predictions alone."
        )
    _refuse_larger(folder, sum(file.stat().st_size for file in files), MAX_FOLDER_BYTES)
    names = {file.relative_to(folder).as_posix(): file for file in files}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(names):
            if not any(part.startswith(".") for part in name.split("/")):
                entry = zipfile.ZipInfo(name)  # dated 1980, whatever the file's own date
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, names[name].read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _refuse_larger(path: Path, size: int, limit: int) -> None:
    if size > limit:
        raise ClientError(f"{path} has {size / 2**20:,.0f} MB; at most {limit >> 20} MB are read.")
