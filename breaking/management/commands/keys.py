"""The keys of the ring, and whether they open what is sealed."""

from typing import Any

from django.conf import settings

from breaking.sealed_columns import SEALED
from scoring.gold.keys import file_problem, key_files, key_ring
from scoring.gold.resealing import faults, sealed_to, unopenable
from scoring.management.find import TableCommand
from submissions.intake.sealing import key_digest, key_fingerprint


class Command(TableCommand):
    help = "List the keys of this process, and how much is sealed to each. Exit status 1 with --check if some is lost."
    arguments = {
        "--check": {"action": "store_true", "help": "open everything, and hold it against its commitment"}
    }

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        ring, boxes, problems = key_ring(), sealed_to(SEALED), []
        public = settings.GOLD_PUBLIC_KEY
        current = key_fingerprint(public) if public else ""
        if current:
            self.stdout.write(f"New gold labels are sealed to {current} (SHA-256 {key_digest(public)}).")
        else:
            problems.append("No key to seal with is set (HELDOUT_GOLD_PUBLIC_KEY).")
        for fingerprint in sorted({*ring, *boxes, *([current] if current else [])}):
            held = "here" if fingerprint in ring else "NOT HERE"
            self.stdout.write(f"{fingerprint}  {held:<10}{boxes[fingerprint]:>8,} sealed")
        problems += [f"{file}: {problem}" for file in key_files() if (problem := file_problem(file))]
        if current and current not in ring:
            problems.append(f"What is sealed from now on needs the key {current}, which is not here.")
        problems += [
            f"{count:,} sealed rows need the key {fingerprint}, which is not here."
            for fingerprint, count in sorted(unopenable(SEALED, ring).items())
        ]
        if check:
            problems += [f"{name}: {code}" for name, code in faults(SEALED).items()]
        for problem in problems:
            self.stdout.write(f"PROBLEM  {problem}")
        if check and problems:
            raise SystemExit(1)
