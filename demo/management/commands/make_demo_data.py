"""Make the demo's database ready: tables, definitions and past weeks of made-up releases."""

import os
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from accounts.server.clock import database_now
from benchmarks.models import Benchmark
from demo import story
from leaderboard.publication.site_address import move_site
from scoring.gold.keys import has_private_key


class Command(BaseCommand):
    help = "Bring the database up to date and, the first time, fill it with synthetic data."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SYNTHETIC_DEMO:
            raise CommandError(
                "Synthetic data belong in a demo alone (HELDOUT_MODE=demo). Nothing was changed."
            )
        call_command("migrate", verbosity=0)
        move_site()
        if not story.is_told():
            self._tell()
        call_command("sync_benchmarks", stdout=self.stdout)
        # Pages are cheap to render, and the templates may have changed since the last start.
        Benchmark.objects.all().mark_stale()

    def _tell(self) -> None:
        if Benchmark.objects.exists():
            raise CommandError("This database has benchmarks that are not the demo's. Nothing was changed.")
        if not has_private_key():
            raise CommandError("The past weeks cannot be scored: HELDOUT_GOLD_PRIVATE_KEY_FILE is not set.")
        only = os.environ.get("HELDOUT_DEMO_BENCHMARKS", ",".join(story.STORIES)).split(",")
        unknown = sorted(set(only) - set(story.STORIES))
        if unknown:
            raise CommandError(
                f"HELDOUT_DEMO_BENCHMARKS names {', '.join(map(repr, unknown))}. The demo has "
                f"{', '.join(story.STORIES)}; name some of them, with commas."
            )
        story.tell(now=database_now(), password=os.environ["HELDOUT_DEMO_PASSWORD"], only=only)
        self.stdout.write("made the demo data")
