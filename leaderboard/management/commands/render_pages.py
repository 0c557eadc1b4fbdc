"""Render published pages anew from the frozen releases, as after an upgrade that changes templates."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmarks.models import Benchmark
from leaderboard.publication.services import refresh
from leaderboard.publication.site_address import AddressUnknown, refuse_without_address


class Command(BaseCommand):
    help = "Render every benchmark's pages anew. The releases themselves do not change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--archive", action="store_true", help="the pages of earlier releases, too")

    def handle(self, *args: Any, archive: bool, **options: Any) -> None:
        try:
            refuse_without_address()
        except AddressUnknown as error:
            raise CommandError(str(error)) from None
        for benchmark in Benchmark.objects.all():
            refresh(benchmark, archive=archive)
            self.stdout.write(f"{benchmark.slug}: rendered")
