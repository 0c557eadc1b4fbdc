"""The texts of test items and attack sets, as files."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from client.errors import ClientError
from client.server import Server

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class SavedTexts(NamedTuple):
    """A file of texts; `is_new` is False where it was there already."""

    path: Path
    item_count: int
    is_new: bool


def fetch_texts(benchmark: str, folder: Path, server: Server) -> Iterator[SavedTexts]:
    """Save every file of texts that the server has as `<split>/<task>.csv` below a folder; known ones stay.

    Raises
    ------
    ClientError
        If a file cannot be had, is not what the server announced, or cannot be written.
    """
    for task in server.benchmark(benchmark)["tasks"]:
        for split in task["splits"]:
            if split.get("texts_sha256"):
                names = [task["id"], split["id"]]
                if not all(_NAME.fullmatch(name) for name in names):
                    raise ClientError(
                        f"{server.url} names a task or split {names}, which cannot name a file."
                    )
                path = folder / split["id"] / f"{task['id']}.csv"
                is_new = _digest_of(path) != split["texts_sha256"]
                if is_new:
                    _save(
                        path,
                        server.download(f"benchmarks/{benchmark}/texts/{task['id']}/{split['id']}.csv"),
                        split["texts_sha256"],
                    )
                yield SavedTexts(path, split["item_count"], is_new)


def _digest_of(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _save(path: Path, data: bytes, expected: str) -> None:
    if sha256(data).hexdigest() != expected:
        raise ClientError(f"{path.name} came damaged, or was changed at this moment. Please try again.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise ClientError(f"{path} cannot be written: {error.strerror}.") from None
