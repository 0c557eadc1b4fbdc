"""The demo's data folder: its keys, its settings and the folders that its processes expect. Without Django."""

import fcntl
import secrets
from pathlib import Path
from typing import IO

from accounts.server.secret_files import write_new_secret
from scoring.gold.keys import demo_key_file
from submissions.intake.sealing import generate_keypair
from transparency.core.signed_notes import Signer
from transparency.keys import KeyRole, demo_signing_key_file, write_signing_key

FOLDERS = ("keys", "log", "mail", "uploads", "broker/queue", "broker/control")


class FolderInUse(Exception):
    """Another demo runs on the same data."""


class DemoFolder:
    """A data folder: `settings_file` is read by config/env.py and holds everything but the private keys."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings_file = path / "heldout.env"
        self.private_key_file = demo_key_file(path)
        self.log_key_file = demo_signing_key_file(path, KeyRole.LOG)
        self.receipt_key_file = demo_signing_key_file(path, KeyRole.RECEIPTS)

    def prepare(self) -> None:
        """Create whatever is missing; what is there stays. The folder is its owner's alone."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.path.chmod(0o700)
        for name in FOLDERS:
            (self.path / name).mkdir(parents=True, exist_ok=True)
        if self.settings_file.exists():
            return
        # Key pair first, settings last and in one step: where they are, everything they speak of is there.
        keypair = generate_keypair()
        log, receipts = (Signer.generate(f"heldout-demo/{role.value}") for role in KeyRole)
        for left in (self.private_key_file, self.log_key_file, self.receipt_key_file):
            left.unlink(missing_ok=True)  # by a start that was broken off here
        write_new_secret(self.private_key_file, keypair.private)
        write_signing_key(self.log_key_file, log)
        write_signing_key(self.receipt_key_file, receipts)
        self._write(
            {
                "HELDOUT_MODE": "demo",
                "HELDOUT_SECRET_KEY": secrets.token_urlsafe(48),
                "HELDOUT_GOLD_PUBLIC_KEY": keypair.public,
                "HELDOUT_LOG_PUBLIC_KEY": str(log.verifier),
                "HELDOUT_RECEIPT_PUBLIC_KEY": str(receipts.verifier),
                "HELDOUT_DEMO_PASSWORD": secrets.token_urlsafe(9),
            }
        )

    def lock(self) -> IO[str]:
        """Hold the folder for as long as the returned file is open.

        Raises
        ------
        FolderInUse
        """
        file = (self.path / "demo.lock").open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise FolderInUse from None
        return file

    def settings(self) -> dict[str, str]:
        return dict(
            line.split("=", 1)
            for line in self.settings_file.read_text(encoding="utf-8").splitlines()
            if "=" in line
        )

    def keep_address(self, url: str) -> None:
        """Note under which address the demo is reached, so that commands run beside it publish the same."""
        self._write(self.settings() | {"HELDOUT_SITE_URL": url})

    def _write(self, values: dict[str, str]) -> None:
        draft = self.settings_file.with_suffix(".draft")
        draft.touch(mode=0o600)
        draft.write_text("".join(f"{name}={value}\n" for name, value in values.items()), encoding="utf-8")
        draft.replace(self.settings_file)
