"""Make a release once more from the uploaded files, and say what differs from what was published."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmarks.models import Benchmark
from catalogue.problems import counted
from leaderboard.management.key_file import add_key_file, use_key_file
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.gold.keys import has_private_key


class Command(BaseCommand):
    help = (
        "Recompute every score and board of a release from the stored files. Exit status 1 if anything differs, or if "
        "what should be made again cannot be. Nothing is written."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "benchmark", nargs="?", help="its id, such as raft; none: the newest release of each benchmark"
        )
        parser.add_argument("release", nargs="?", type=int, help="its number; none: the newest")
        add_key_file(parser)

    def handle(
        self, *args: Any, benchmark: str | None, release: int | None, key_file: Path | None, **options: Any
    ) -> None:
        use_key_file(key_file)
        if not has_private_key():
            raise CommandError(
                "This process has no private key, so it cannot score. Run it where a worker runs, with "
                "HELDOUT_GOLD_PRIVATE_KEY_FILE, HELDOUT_GOLD_KEY_RING or --key-file."
            )
        wrong = [one for one in _chosen(benchmark, release) if not self._reproduce(one)]
        if wrong:
            raise SystemExit(1)

    def _reproduce(self, published: Release) -> bool:
        """Whether nothing differs and nothing has failed."""
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
            f"{published.benchmark_id} release {published.number}: {counted(result.score_count, 'score')} of "
            f"{counted(result.file_count, 'file')} and {counted(board_count, 'board')} made again; "
            f"{_counted(len(result.differences), 'difference')}, "
            f"{_counted(len(result.failed), 'failure')}."
        )
        return not (result.differences or result.failed)


def _chosen(benchmark: str | None, number: int | None) -> list[Release]:
    """The release that is meant, or the newest of each benchmark. CommandError where there is none."""
    releases = Release.objects.whole().select_related("benchmark", "phase")
    if benchmark is None:
        slugs = Benchmark.objects.order_by("pk").values_list("pk", flat=True)
        return [newest for slug in slugs if (newest := releases.of(slug).first())]
    own = releases.of(benchmark)
    published = own.first() if number is None else own.filter(number=number).first()
    if published is None:
        known = ", ".join(map(str, own.values_list("number", flat=True))) or "none"
        asked = "" if number is None else f" {number}"
        raise CommandError(f"{benchmark} has no release{asked}. Its releases: {known}.")
    return [published]


def _counted(count: int, what: str) -> str:
    return counted(count, what) if count else f"no {what}s"
