"""Check what always holds, and say where it does not."""

import datetime as dt
from typing import Any

from django.core.management.base import CommandError

from accounts.server.clock import database_now
from operations.checking import check
from operations.invariants import INVARIANTS
from scoring.gold.keys import has_private_key
from scoring.management.find import TableCommand


class Command(TableCommand):
    help = "Check what always holds in database and files. Exit status 1 if something does not. Nothing is written."
    arguments = {
        "--thoroughly": {
            "action": "store_true",
            "help": "read every file and look at every release, not the newest",
        },
        "--as-of": {
            "type": dt.datetime.fromisoformat,
            "metavar": "INSTANT",
            "help": "judge what is late as at that instant, such as that of a backup: 2026-11-23T02:00:00Z",
        },
        "--only": {
            "action": "append",
            "default": [],
            "metavar": "KEY",
            "help": "such as I4; can be repeated",
        },
    }

    def handle(
        self, *args: Any, thoroughly: bool, only: list[str], as_of: dt.datetime | None, **options: Any
    ) -> None:
        if unknown := [key for key in only if key not in INVARIANTS]:
            raise CommandError(
                f"There is no invariant {unknown[0]}. There are {', '.join(INVARIANTS.keys())}."
            )
        count = 0
        for invariant, found in check(as_of or database_now(), thoroughly=thoroughly, keys=only):
            self.stdout.write(f"{'VIOLATED' if found else 'holds':<10}{invariant.key:<5}{invariant.title}")
            for violation in found:
                self.stdout.write(f"{'':<10}{violation}")
            count += len(found)
        if not has_private_key():
            self.stdout.write("This process has no private key, so that I9 says nothing here.")
        self.stdout.write(f"{count or 'no'} {'violation' if count == 1 else 'violations'}")
        if count:
            raise SystemExit(1)
