"""Write published pages into a folder that opens without a server and can be hosted anywhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.server.clock import database_now
from benchmarks.models import Benchmark
from leaderboard.take_home.archive_contents import folder_facts
from leaderboard.take_home.crate import FolderFacts
from leaderboard.take_home.site.static_site import CannotArchive, make_static_site


class Command(BaseCommand):
    help = (
        "Write the published pages of a benchmark, or of the whole site, into a folder that opens without a server, "
        "with all tables as files, the signed log and checksums."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark", nargs="?", help="its id, such as raft; none with --all")
        parser.add_argument("folder", type=Path, help="where to; it must not be there yet, or be empty")
        parser.add_argument("--all", action="store_true", dest="whole", help="every benchmark of the site")

    def handle(self, *args: Any, benchmark: str | None, folder: Path, whole: bool, **options: Any) -> None:
        if whole == bool(benchmark):
            raise CommandError("Name a benchmark and a folder, or --all and a folder.")
        row = Benchmark.objects.filter(pk=benchmark).first() if benchmark else None
        if benchmark and row is None:
            raise CommandError(f"There is no benchmark {benchmark!r}.")
        now = database_now()
        if row is not None:
            facts = folder_facts(row, now, f"{row.title}: leaderboard, archived")
        else:
            site = settings.SITE_URL
            facts = FolderFacts(f"Leaderboards of {site}, archived", f"All pages of {site}.", site, now, site)
        try:
            made = make_static_site(folder, now, facts, row)
        except CannotArchive as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{folder}: {made.page_count} pages, {made.file_count} files, {made.size / 1e6:.1f} MB."
        )
