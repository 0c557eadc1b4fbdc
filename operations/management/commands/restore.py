"""Put a backup back into an empty place."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from operations.backups.erasures import NAME as ERASURES
from operations.backups.refusal import BackupRefused, RestoreBrokeOff
from operations.backups.services import chosen, restore_all
from scoring.management.find import TableCommand


class Command(TableCommand):
    help = (
        "Restore a backup into the database and the folder or bucket of uploads that settings name; both have to be "
        "empty. Every file is held against its checksum before anything is written."
    )
    arguments = {
        "folder": {"type": Path, "help": "of a backup, or of several: then the newest"},
        "--erasures": {
            "type": Path,
            "help": f"the list of who was erased since; by default {ERASURES} beside the backup",
        },
    }
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, folder: Path, erasures: Path | None, **options: Any) -> None:
        try:
            done = restore_all(folder=chosen(folder), erasures=erasures)
        except RestoreBrokeOff as broke_off:
            raise CommandError(
                f"{broke_off}\nSee to that, make database and uploads empty again, and restore anew."
            ) from None
        except BackupRefused as refused:
            raise CommandError(f"{refused}\nNothing was restored.") from None
        rows = sum(done.manifest.counts.values())
        self.stdout.write(
            f"Restored the backup of {done.manifest.made_at}: {rows:,} rows, {done.files:,} files."
        )
        for remark in done.remarks:
            self.stdout.write(f"NOTE  {remark}")
        self.stdout.write("Next: `manage.py check_invariants --thoroughly`; start the server.")
