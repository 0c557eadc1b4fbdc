"""Read stored files, and remove what belongs to nobody."""

from typing import Any

from accounts.server.clock import database_now
from catalogue.problems import counted
from operations.rounds import SCRUB, noted
from operations.scrubbing import remove_orphans, scrub
from scoring.management.find import TableCommand


class Command(TableCommand):
    help = "Compare every stored file with its digest, and remove files older than a day that no row has."
    arguments = {"--check": {"action": "store_true", "help": "remove nothing"}}

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        now = database_now()
        with noted(SCRUB):
            read, faults = scrub(slices=None)
        for fault in faults:
            self.stdout.write(f"DAMAGED  {fault}")
        orphans = remove_orphans(now, only_look=check)
        for name in orphans:
            self.stdout.write(f"{'ORPHAN' if check else 'REMOVED':<9}{name}")
        self.stdout.write(
            f"{counted(read, 'file')} read, {len(faults)} damaged, {len(orphans)} without a row."
        )
        if faults:
            raise SystemExit(1)
