"""List the metrics that a definition may name."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.reproduction.metrics_table import as_lines, as_markdown


class Command(BaseCommand):
    help = "List every metric with its range, the better direction and the kinds of answer it is for."
    requires_system_checks: list[str] = []  # Django's own type

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--markdown", action="store_true", help="as it stands in docs/metrics.md")

    def handle(self, *args: Any, markdown: bool, **options: Any) -> None:
        self.stdout.write(as_markdown() if markdown else "\n".join(as_lines()))
