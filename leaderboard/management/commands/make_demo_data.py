"""Fill an empty demo with made-up gold labels, teams, systems and seven weeks of releases."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.clock import database_now
from benchmarks.models import Benchmark
from leaderboard.demo import story
from scoring.keys import has_private_key


class Command(BaseCommand):
    help = "Fill an empty demo with synthetic gold labels, teams, systems and seven weeks of releases."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SYNTHETIC_DEMO:
            raise CommandError("Synthetic data belong in a demo alone (HELDOUT_MODE=demo). Nothing was changed.")
        if story.is_told():
            self.stdout.write("the demo data are there already")
            return
        if Benchmark.objects.exists():
            raise CommandError("This database has benchmarks of its own. Nothing was changed.")
        if not has_private_key():
            raise CommandError("The past weeks cannot be scored: HELDOUT_GOLD_PRIVATE_KEY_FILE is not set.")
        story.tell(now=database_now(), password=os.environ["HELDOUT_DEMO_PASSWORD"])
        self.stdout.write("made the demo data")
