"""Bring the database in line with the YAML definitions."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

import benchmarks
from accounts.audit.log import record_command
from accounts.server.clock import database_now
from benchmarks.models import Benchmark
from benchmarks.services import sync_benchmark
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.phases import scored_twice
from scoring.definitions.editing import spec_of

DEFINITIONS = Path(benchmarks.__file__).parent / "definitions"


class Command(BaseCommand):
    help = "Read every definition and create or update its rows. Doing it again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--definitions", type=Path, default=DEFINITIONS, help="folder of YAML files")
        parser.add_argument("--check", action="store_true", help="only say what is wrong with the files")

    def handle(self, *args: Any, definitions: Path, check: bool, **options: Any) -> None:
        read = []
        mistakes: list[str] = []
        for path in sorted(definitions.glob("*.yaml")):
            try:
                document = parse_yaml(path.read_text(encoding="utf-8"), path.name)
                read.append((spec_of(document, path.name), document))
            except DefinitionError as error:
                mistakes += error.mistakes
        if mistakes:
            raise CommandError("Nothing was changed. Please mend:\n" + "\n".join(mistakes))
        if not read:
            raise CommandError(f"No *.yaml file stands in {definitions}.")
        for spec, _ in read:
            for sentence in scored_twice(spec, spec.phases):
                self.stderr.write(f"Warning: {spec.id}: {sentence}.")
        if not check:
            for position, (spec, document) in enumerate(read):
                self._sync(spec, document, position)

    def _sync(self, spec: Any, document: dict[str, Any], position: int) -> None:
        try:
            report = sync_benchmark(spec=spec, document=document, position=position, now=database_now())
        except DefinitionError as error:
            raise CommandError(f"{spec.id} was not changed. Please mend:\n{error}") from None
        for line in (*report.changes, *report.left_alone):
            self.stdout.write(line)
        if not report.changes:
            self.stdout.write(f"{spec.id}: nothing to change")
            return
        row, changes = Benchmark.objects.get(pk=spec.id), "; ".join(report.changes)
        record_command("sync_benchmarks", row=row, benchmark=spec.id, what=changes)
