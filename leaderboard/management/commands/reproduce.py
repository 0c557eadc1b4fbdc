"""Make a release once more from the uploaded files, and say what differs from what was published."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.gold.keys import demo_key_file, has_private_key


class Command(BaseCommand):
    help = (
        "Recompute every score and board of a release from the stored files. Exit status 1 if anything differs, or if "
        "what should be made again cannot be. Nothing is written."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark", help="its id, such as raft")
        parser.add_argument("release", type=int, help="its number")
        parser.add_argument("--key-file", type=Path, help="file with the scorer's private key")

    def handle(self, *args: Any, benchmark: str, release: int, key_file: Path | None, **options: Any) -> None:
        if key_file or settings.SYNTHETIC_DEMO:
            settings.GOLD_PRIVATE_KEY_FILE = str(key_file or demo_key_file(settings.DATA_DIR))
        if not has_private_key():
            raise CommandError(
                "This process has no private key, so it cannot score. Run it where a worker runs, with "
                "HELDOUT_GOLD_PRIVATE_KEY_FILE, HELDOUT_GOLD_KEY_RING or --key-file."
            )
        releases = Release.objects.of(benchmark).select_related("benchmark", "phase")
        published = releases.filter(number=release).first()
        if published is None:
            known = ", ".join(map(str, releases.values_list("number", flat=True))) or "none"
            raise CommandError(f"{benchmark} has no release {release}. Its releases: {known}.")
        result, board_count = reproduce(published)
        sentences = {
            "NOT MADE AGAIN": result.left_out,
            "FAILED": result.failed,
            "DIFFERS": result.differences,
        }
        for word, said in sentences.items():
            for sentence in said:
                self.stdout.write(f"{word:<16}{sentence}")
        self.stdout.write(
            f"{benchmark} release {release}: {result.score_count} scores of {result.file_count} files and "
            f"{board_count} boards were made again; {_counted(len(result.differences), 'difference')}, "
            f"{_counted(len(result.failed), 'failure')}."
        )
        if result.differences or result.failed:
            raise SystemExit(1)


def _counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"
