"""Load the public texts of a split from the command line."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from scoring.item_sets.attacks import load_texts_of
from scoring.item_sets.texts import TEST, TextsRefused
from scoring.management.find import task_or_error


class Command(BaseCommand):
    help = "Make a CSV file the public texts of a split: id, then one or more columns of text."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument("task")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--split", default=TEST, help="the test split, or that of an attack, such as paraphrase"
        )

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, split: str, **options: Any) -> None:
        try:
            loaded = load_texts_of(
                task=task_or_error(benchmark, task),
                split_slug=split,
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
            )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except TextsRefused as refused:
            raise CommandError("The texts were not taken.\n" + "\n".join(refused.sentences)) from None
        texts = loaded.texts
        told = f"Texts of {texts.split.slug}, SHA-256 {texts.sha256}."
        record_command("load_texts", row=texts.split.task, benchmark=benchmark, what=told)
        self.stdout.write(f"{texts}: {texts.item_count:,} items, columns {', '.join(texts.header)}")
        for warning in loaded.warnings:
            self.stderr.write(f"Warning: {warning}")
