"""A zip that is written file by file and table by table, so that memory holds no more than a piece of it."""

import csv
import datetime as dt
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import IO, Any

from catalogue.csv_text import as_answer
from leaderboard.take_home.crate import (
    CHECKSUM_NOTE,
    CHECKSUMS,
    FileFacts,
    FolderFacts,
    checksums,
    described,
)
from leaderboard.take_home.signature import checksum_note

_PIECE = 64 * 1024


class ZipWriter:
    """Writes files below one folder of a zip and keeps their digests; `finish` adds what describes them all.

    The same files at the same instant give the same bytes.
    """

    def __init__(self, target: IO[bytes], folder: str, made_at: dt.datetime) -> None:
        self._zip = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._folder, self._at = folder, made_at.astimezone(dt.UTC)
        self.files: list[FileFacts] = []

    def add(self, path: str, data: bytes, description: str = "") -> None:
        with self.open(path, description) as file:
            for start in range(0, len(data), _PIECE):
                file.write(data[start : start + _PIECE])

    @contextmanager
    def open(self, path: str, description: str = "", columns: Sequence[str] = ()) -> Iterator["MeasuredFile"]:
        """A file of the archive to be written from its beginning; one at a time."""
        entry = zipfile.ZipInfo(f"{self._folder}/{path}", self._at.timetuple()[:6])
        entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
        with self._zip.open(entry, "w", force_zip64=True) as stream:
            file = MeasuredFile(stream)
            yield file
        self.files.append(FileFacts(path, file.size, file.digest, description, tuple(columns)))

    def table(
        self,
        path: str,
        heads: Sequence[str],
        rows: Iterable[Sequence[Any]],
        description: str = "",
        *,
        columns: Sequence[str] | None = None,
    ) -> None:
        """A table as CSV. `columns` are those that machines shall be told of; all heads where it is None."""
        with self.open(path, description, heads if columns is None else columns) as file:
            lines = CsvLines(file)
            lines.write(heads)
            for row in rows:
                lines.write(row)

    def finish(self, folder: FolderFacts) -> None:
        """Add RO-Crate, Croissant, Zenodo's file and the signed checksums of everything, and close the zip."""
        for path, data in described(folder, list(self.files)).items():
            self.add(path, data)
        sums = checksums(self.files)
        self.add(CHECKSUMS, sums)
        if note := checksum_note(self._folder, self._at, sums):
            self.add(CHECKSUM_NOTE, note)
        self._zip.close()


class MeasuredFile(io.RawIOBase):
    """Hands on what is written, and knows how much it was and its SHA-256."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._sha256, self.size = stream, sha256(), 0

    @property
    def digest(self) -> str:
        return self._sha256.hexdigest()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._sha256.update(data)
        self.size += len(data)
        return self._stream.write(data)


class CsvLines:
    """Lines of CSV in UTF-8: numbers with all their digits, None as an empty cell, no text that runs as a formula."""

    def __init__(self, file: MeasuredFile) -> None:
        self._file, self._text = file, io.StringIO(newline="")
        self._csv = csv.writer(self._text, lineterminator="\n")

    def write(self, row: Sequence[Any]) -> None:
        self._csv.writerow([_cell(value) for value in row])
        self._file.write(self._text.getvalue().encode())
        self._text.seek(0)
        self._text.truncate()


def _cell(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return as_answer(value) if isinstance(value, str) else value
