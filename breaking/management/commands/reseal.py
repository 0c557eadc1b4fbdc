"""Seal everything once more, to another key of the ring."""

from typing import Any

from django.core.management.base import CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from breaking.sealed_columns import SEALED
from scoring.gold.keys import key_ring
from scoring.gold.resealing import reseal
from scoring.management.find import TableCommand
from scoring.models import SealedCopy


class Command(TableCommand):
    help = (
        "Copy all that is sealed to another key of the ring. Nothing is written in plain text, and what was sealed "
        "first stays. It can be broken off and run again. Exit status 1 if something could not be copied."
    )
    arguments = {"--to": {"required": True, "metavar": "FINGERPRINT", "help": "of the new key; see `keys`"}}

    def handle(self, *args: Any, to: str, **options: Any) -> None:
        ring = key_ring()
        if to not in ring:
            known = ", ".join(sorted(ring)) or "none"
            raise CommandError(
                f"The ring holds no key {to}. Its keys: {known}. Put the file {to}.key into the folder that "
                "HELDOUT_GOLD_KEY_RING names."
            )
        done = reseal(SEALED, ring[to], database_now())
        told = f"Copied {done.copied:,} to the key {to}; {done.there:,} were sealed to it before."
        if newest := SealedCopy.objects.last():
            record_command("reseal", row=newest, benchmark="", what=told)
        self.stdout.write(told)
        for name, code in done.failed.items():
            self.stdout.write(f"FAILED  {name}: {code}")
        if done.failed:
            raise SystemExit(1)
        self.stdout.write(
            f"Now set HELDOUT_GOLD_PUBLIC_KEY={ring[to].public} for every process. Keep the older keys offline."
        )
