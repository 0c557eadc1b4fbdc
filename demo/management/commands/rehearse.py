"""Play a shared task from files, in a database that is thrown away, and say what comes out."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from benchmarks.models import Benchmark
from demo.rehearsal.comparison import as_document, differences
from demo.rehearsal.event import FolderRefused, read_event
from demo.rehearsal.outcomes import Played
from demo.rehearsal.play import play
from demo.server.folder import DemoFolder
from leaderboard.publication.site_address import move_site

ADDRESS = "http://localhost:8000"


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
            "--here", action="store_true", help="in the database of these settings, which is empty"
        )

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        if options["here"]:
            self._play(folder, options["json"])
            return
        with TemporaryDirectory(prefix="rehearsal-") as scratch:
            place = DemoFolder(options["keep"] or Path(scratch))
            if (place.path / "heldout.sqlite3").exists():
                raise CommandError(f"{place.path} has a database already. Please name a new folder.")
            place.prepare()
            place.keep_address(ADDRESS)
            self._play_apart(folder, place, options["json"])

    def _play_apart(self, folder: Path, place: DemoFolder, out: Path | None) -> None:
        """In a process of its own, which knows nothing of the database of these settings."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("HELDOUT_", "DJANGO_"))
        }
        environment = kept | {
            "HELDOUT_MODE": "demo",
            "HELDOUT_DATA": str(place.path),
            "HELDOUT_GOLD_PRIVATE_KEY_FILE": str(place.private_key_file),
        }
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "rehearse", str(folder), "--here"]
        command += ["--json", str(out)] if out else []
        raise SystemExit(subprocess.run(command, env=environment, check=False).returncode)  # noqa: S603  # ours

    def _play(self, folder: Path, out: Path | None) -> None:
        if not settings.SYNTHETIC_DEMO:
            raise CommandError(
                "A rehearsal is played in a demo alone (HELDOUT_MODE=demo). Nothing was changed."
            )
        try:
            event = read_event(folder)
            call_command("migrate", verbosity=0)
            move_site()
            if Benchmark.objects.exists():
                raise CommandError("This database has benchmarks already. Nothing was changed.")
            played = play(event)
        except FolderRefused as refused:
            raise CommandError("\n".join(refused.mistakes)) from None
        self._show(played)
        if out is not None:
            out.write_text(json.dumps(as_document(played), indent=1) + "\n", "utf-8")
        found = list(differences(played, event.expected))
        for one in found:
            self.stdout.write(f"Otherwise than expected: {one}")
        if event.expected and not found:
            self.stdout.write("All of expected.json came out.")
        if found:
            raise SystemExit(1)

    def _show(self, played: Played) -> None:
        for one in played.timeline:
            self.stdout.write(f"{one.at:%Y-%m-%d %H:%M}  {one.sentence}")
        for name, rows in played.boards.items():
            self.stdout.write(f"\n{name}")
            for row in rows:
                value = "-" if row.value is None else f"{row.value:.6f}"
                self.stdout.write(f"{row.rank or '-':>4}  {value}  {row.team}, upload {row.upload or 'none'}")
        self.stdout.write("")
