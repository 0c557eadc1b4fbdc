"""A disk of few megabytes, in memory, that can be filled to its last byte and emptied again."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

STEP = 1 << 16


class SmallDisk:
    """What is kept in `folder`, and the file that takes the room that is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    @contextmanager
    def mounted(self, megabytes: int) -> Iterator[None]:
        """Have the folder be a disk of its own meanwhile; a test is skipped where nothing can be mounted."""
        self.folder.mkdir(parents=True)
        mount, umount = shutil.which("mount"), shutil.which("umount")
        command = [mount or "mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(self.folder)]
        if os.geteuid() != 0 or not (mount and umount) or subprocess.run(command, check=False).returncode:
            pytest.skip("no disk can be mounted: what happens on a full one is NOT tested")
        try:
            yield
        finally:
            subprocess.run([umount or "umount", "--lazy", str(self.folder)], check=True)

    def fill(self) -> None:
        """Leave no byte."""
        with self._filler.open("ab", buffering=0) as filler:
            for size in (STEP, 1):
                try:
                    while filler.write(b"x" * size):
                        pass
                except OSError:
                    continue

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def files(self) -> dict[str, str]:
        """Whatever else lies on it, with the SHA-256 of what is in it."""
        found = [path for path in self.folder.rglob("*") if path.is_file() and path != self._filler]
        return {str(path.relative_to(self.folder)): sha256(path.read_bytes()).hexdigest() for path in found}
