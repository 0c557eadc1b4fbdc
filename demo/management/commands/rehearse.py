"""Play a shared task from files, in a database that is thrown away, and say what comes out."""

import json
from argparse import SUPPRESS
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.server.clock import database_now
from benchmarks.models import Benchmark
from demo.rehearsal.apart import DATABASE, keep_template, play_apart
from demo.rehearsal.comparison import as_document, as_report, differences
from demo.rehearsal.event import FolderRefused, read_event
from demo.rehearsal.limits import hold_limits
from demo.rehearsal.outcomes import Played
from demo.rehearsal.play import play
from demo.server.folder import DemoFolder
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.site_address import move_site
from leaderboard.take_home.archive_contents import folder_facts
from leaderboard.take_home.site.static_site import CannotArchive, make_static_site


class Command(BaseCommand):
    help = (
        "Play a shared task from a folder of files in a database of its own, and compare with expected.json."
    )
    requires_system_checks: list[str] = []  # Django's own type

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder", type=Path, help="with benchmark.yaml, gold/, uploads.json: docs/rehearsal.md"
        )
        parser.add_argument(
            "--keep", type=Path, help="a new folder for the database, so that a demo can serve it"
        )
        parser.add_argument(
            "--json", type=Path, help="write here what comes out, in the form of expected.json"
        )
        parser.add_argument(
            "--site", type=Path, help="a new folder for every page as it would be; it opens without a server"
        )
        for name in ("--report", "--template"):  # for the admin's page, and for a database to begin with
            parser.add_argument(name, type=Path, help=SUPPRESS)
        parser.add_argument("--limited", action="store_true", help=SUPPRESS)
        parser.add_argument(
            "--here", action="store_true", help="in the database of these settings, which is empty"
        )

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        if options["here"]:
            self._play(folder, options)
            return
        with TemporaryDirectory(prefix="rehearsal-") as scratch:
            place = DemoFolder(options["keep"] or Path(scratch))
            if (place.path / DATABASE).exists():
                raise CommandError(f"{place.path} has a database already. Please name a new folder.")
            named = [(f"--{name}", options[name]) for name in ("json", "site", "report") if options[name]]
            passed_on = [word for name, path in named for word in (name, str(path))]
            raise SystemExit(play_apart(folder, place, passed_on).returncode)

    def _play(self, folder: Path, options: Mapping[str, Any]) -> None:
        if not settings.SYNTHETIC_DEMO:
            raise CommandError(
                "A rehearsal is played in a demo alone (HELDOUT_MODE=demo). Nothing was changed."
            )
        if options["limited"]:
            hold_limits()
        try:
            event = read_event(folder)
            call_command("migrate", verbosity=0)
            if options["template"]:
                keep_template(options["template"])
            move_site()
            if Benchmark.objects.exists():
                raise CommandError("This database has benchmarks already. Nothing was changed.")
            played = play(event)
        except FolderRefused as refused:
            _write(options["report"], {"refused": refused.mistakes})
            raise CommandError("\n".join(refused.mistakes)) from None
        self._show(played)
        _write(options["json"], as_document(played))
        if options["site"]:
            self._write_site(options["site"], Benchmark.objects.get(pk=event.spec.id))
        found = list(differences(played, event.expected))
        _write(options["report"], as_report(played, event.expected, found))
        for one in found:
            self.stdout.write(f"Otherwise than expected: {one}")
        if event.expected and not found:
            self.stdout.write("All of expected.json came out.")
        if found:
            raise SystemExit(1)

    def _write_site(self, folder: Path, benchmark: Benchmark) -> None:
        refresh_stale()
        now = database_now()
        facts = folder_facts(benchmark, now, f"{benchmark.title}: rehearsal")
        try:
            made = make_static_site(folder, now, facts, benchmark)
        except CannotArchive as error:
            self.stdout.write(f"No pages were written: {error}")
        else:
            self.stdout.write(f"{made.page_count} pages are in {folder}; open its index.html.")

    def _show(self, played: Played) -> None:
        for one in played.timeline:
            self.stdout.write(f"{one.at:%Y-%m-%d %H:%M}  {one.sentence}")
        for name, rows in played.boards.items():
            self.stdout.write(f"\n{name}")
            for row in rows:
                value = "-" if row.value is None else f"{row.value:.6f}"
                self.stdout.write(f"{row.rank or '-':>4}  {value}  {row.team}, upload {row.upload or 'none'}")
        self.stdout.write("")


def _write(path: Path | None, document: Mapping[str, Any]) -> None:
    """As JSON, where a file was named."""
    if path is not None:
        path.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
