"""Rehearse a restore."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from operations.backups.drill import drill
from operations.backups.refusal import BackupRefused
from operations.backups.services import chosen
from operations.rounds import DRILL, told
from scoring.gold.keys import demo_key_file, has_private_key
from scoring.management.find import TableCommand


class Command(TableCommand):
    help = (
        "Restore a backup into a scratch database and folder, check what always holds, and make the newest release of "
        "each benchmark again. Exit status 1 if something is wrong. The real server is not touched."
    )
    arguments = {
        "folder": {"type": Path, "help": "of a backup, or of several: then the newest"},
        "--database-url": {
            "default": "",
            "help": "an empty database to restore into, in place of one that is made",
        },
        "--tell": {"action": "store_true", "help": "write to superusers if it fails, as workers have it do"},
    }

    def handle(self, *args: Any, folder: Path, database_url: str, tell: bool, **options: Any) -> None:
        if settings.SYNTHETIC_DEMO and not has_private_key():
            settings.GOLD_PRIVATE_KEY_FILE = str(demo_key_file(settings.DATA_DIR))
        if not has_private_key():
            raise CommandError(
                "This process has no private key, so no score can be made again. Run the drill where a worker runs, "
                "with HELDOUT_GOLD_PRIVATE_KEY_FILE or HELDOUT_GOLD_KEY_RING."
            )
        try:
            with told(DRILL, by_worker=tell):
                backup = chosen(folder)
                done = drill(folder=backup, database_url=database_url)
                self.stdout.write(done.output)
                if done.failures:
                    raise CommandError(
                        f"{backup}: the restored server fails {' and '.join(done.failures)}; see above."
                    )
        except BackupRefused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(
            f"{backup.name}: restored in {done.restore_seconds:.1f} s, everything checked in {done.seconds:.1f} s."
        )
