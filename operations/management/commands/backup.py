"""Back up database and uploaded files."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from operations.backups.refusal import BackupRefused
from operations.backups.services import backup
from operations.rounds import BACKUP, told
from scoring.management.find import TableCommand
from submissions.uploads.storage import upload_storage


class Command(TableCommand):
    help = "Write a backup into a new folder of FOLDER, named by its instant. Private keys are never in it."
    arguments = {
        "folder": {"type": Path, "help": "where backups are kept; better on another disk"},
        "--keep": {"type": int, "default": 0, "help": "remove all but that many of the newest; 0 keeps all"},
        "--tell": {"action": "store_true", "help": "write to superusers if it fails, as workers have it do"},
    }

    def handle(self, *args: Any, folder: Path, keep: int, tell: bool, **options: Any) -> None:
        uploads = upload_storage().folder
        if uploads and folder.resolve().is_relative_to(uploads.resolve()):
            raise CommandError(f"{folder} is within the folder of uploads. Name one that is not.")
        try:
            with told(BACKUP, by_worker=tell):
                made = backup(into=folder, keep=keep)
        except BackupRefused as refused:
            raise CommandError(str(refused)) from None
        size = sum(path.stat().st_size for path in made.rglob("*") if path.is_file())
        self.stdout.write(f"{made}: {size:,} bytes")
