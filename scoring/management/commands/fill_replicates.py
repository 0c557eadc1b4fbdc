"""Draw the resamples of scores that have none, so that boards show their intervals."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmarks.models import Benchmark
from scoring.gold.keys import has_private_key
from scoring.uncertainty.replicate_backfill import fill_in_replicates


class Command(BaseCommand):
    help = "Draw the resamples of scores that were made before there were any. It may be run at any time, also twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark", nargs="?", default="", help="its id; all benchmarks without one")

    def handle(self, *args: Any, benchmark: str, **options: Any) -> None:
        if benchmark and not Benchmark.objects.filter(pk=benchmark).exists():
            raise CommandError(f"There is no benchmark {benchmark}.")
        if not has_private_key():
            raise CommandError("Only a process with the key to the gold labels can draw resamples.")
        drawn, left = fill_in_replicates(benchmark)
        self.stdout.write(f"{drawn} scored splits have resamples now; {left} still have none.")
