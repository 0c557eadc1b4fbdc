"""Delete a benchmark that nobody has submitted to, with the role that owns the tables."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from benchmarks.models import Benchmark
from leaderboard.publication.removal import CannotRemove, remove_benchmark


class Command(BaseCommand):
    """What *Delete* in the admin does, where the service's role may not."""

    help = "Delete a benchmark that nobody has submitted to."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("benchmark")

    def handle(self, *, benchmark: str, **options: Any) -> None:
        found = Benchmark.objects.filter(pk=benchmark).first()
        if found is None:
            raise CommandError(f"There is no benchmark {benchmark}.")
        try:
            remove_benchmark(found)
        except CannotRemove as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"{found} was deleted.")
