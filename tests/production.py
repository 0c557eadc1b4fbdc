"""Django's deployment check under production settings, with throw-away keys; `python -m tests.production` runs it."""

import secrets
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from transparency.core.signed_notes import Signer
from transparency.keys import KeyRole, write_signing_key

ROOT = Path(__file__).resolve().parents[1]


def deployment_check(folder: Path, *, without: Collection[str] = ()) -> subprocess.CompletedProcess[str]:
    """What `manage.py check --deploy` says of a web server with everything set but the variables of `without`."""
    environment = {
        "PATH": "/usr/bin:/bin",
        "HELDOUT_DATA": str(folder),
        "HELDOUT_SECRET_KEY": secrets.token_urlsafe(64),
        "HELDOUT_ALLOWED_HOSTS": "heldout.example.org",
    }
    for role in KeyRole:
        signer = Signer.generate(f"heldout.example.org/{role.value}")
        environment[f"HELDOUT_{role.public_setting}"] = str(signer.verifier)
        if role is KeyRole.RECEIPTS:
            write_signing_key(folder / "receipts.key", signer)
            environment[f"HELDOUT_{role.file_setting}"] = str(folder / "receipts.key")
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={name: value for name, value in environment.items() if name not in without},
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        done = deployment_check(Path(made))
    sys.exit(done.stderr if done.returncode else 0)
