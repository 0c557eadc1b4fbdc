"""Write everything about a benchmark into one zip, for its organisers."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.server.clock import database_now
from benchmarks.models import Benchmark
from leaderboard.management.key_file import add_key_file, use_key_file
from leaderboard.take_home.made_archives import ArchiveNotMade, contents_in_words, make_file


class Command(BaseCommand):
    help = (
        "Write everything about a benchmark into one zip: scores with all digits, predictions, gold labels where they "
        "may leave, people with addresses. Run it where a worker runs, with the scorer's private key, for gold labels."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark", help="its id, such as raft")
        parser.add_argument("file", type=Path, help="the zip to write; it must not be there yet")
        add_key_file(parser)

    def handle(self, *args: Any, benchmark: str, file: Path, key_file: Path | None, **options: Any) -> None:
        use_key_file(key_file)
        row = Benchmark.objects.filter(pk=benchmark).first()
        if row is None:
            raise CommandError(f"There is no benchmark {benchmark!r}.")
        try:
            taken = make_file(row, file, database_now(), by="manage.py take_home")
        except ArchiveNotMade as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {contents_in_words(taken)}.")
