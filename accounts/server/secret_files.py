"""Files of secrets, which are written once and never over another."""

import os
from pathlib import Path


def write_new_secret(path: Path, text: str) -> None:
    """Keep a secret in a new file that only its owner may read. Where it cannot be written whole, no file is left.

    Raises
    ------
    FileExistsError
        If the file is there already: the secret in it may be needed.
    OSError
        If it cannot be written.
    """
    with open(path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        try:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            path.unlink()
            raise
