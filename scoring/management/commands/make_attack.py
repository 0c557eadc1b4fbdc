"""Make an attack set from the command line."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from scoring.item_sets.attacks import make_attack
from scoring.item_sets.texts import TextsRefused
from scoring.management.find import task_or_error


class Command(BaseCommand):
    help = "Make the texts of an attack's split from those of the test split."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument("task")
        parser.add_argument("attack", help="as the definition calls it: negation or spelling")
        parser.add_argument("--seed", type=int, default=1, help="what the errors are drawn with (default 1)")

    def handle(self, *args: Any, benchmark: str, task: str, attack: str, seed: int, **options: Any) -> None:
        try:
            made = make_attack(
                task=task_or_error(benchmark, task), attack=attack, seed=seed, now=database_now()
            )
        except TextsRefused as refused:
            raise CommandError("The set was not made.\n" + "\n".join(refused.sentences)) from None
        texts = made.texts
        told = f"Texts of {texts.split.slug}, seed {seed}, SHA-256 {texts.sha256}."
        record_command("make_attack", row=texts.split.task, benchmark=benchmark, what=told)
        self.stdout.write(f"{texts}: {texts.item_count:,} items, columns {', '.join(texts.header)}")
        for warning in made.warnings:
            self.stderr.write(f"Warning: {warning}")
