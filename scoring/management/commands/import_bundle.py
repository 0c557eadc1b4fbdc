"""Take a competition over from a bundle of CodaLab or Codabench."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import CommandError

from accounts.audit.log import record_command
from accounts.formats.mailboxes import mailbox
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import build_spec
from scoring.definitions.bundles import choose_metric, import_proposal
from scoring.file_refusal import FileRefused
from scoring.management.find import CONFIRM_CLUES, TableCommand
from scoring.reproduction.known_scores import check_metrics
from submissions.intake.bundles.proposal import ImportProposal, read_bundle
from submissions.intake.bundles.report import BundleRefused


class Command(TableCommand):
    help = (
        "Read a bundle of CodaLab (1.5) or Codabench (2): print what it gives here and, line by line, what cannot be "
        "carried. Nothing is made before --confirm, and no program in it is ever run."
    )
    arguments = {
        "file": {"type": Path},
        "--confirm": {"action": "store_true", "help": "begin the benchmark, and seal the labels"},
        "--write": {"type": Path, "help": "write the proposed definition there, to be edited"},
        "--id": {"default": "", "help": "the id of the benchmark, in place of one made of its title"},
        "--metric": {
            "action": "append",
            "default": [],
            "metavar": "TASK=METRIC",
            "help": "what fills a task's column, in place of what is proposed",
        },
        "--public-gold": {"action": "store_true", "help": "the bundle was public, so its labels are"},
        "--sample": {"type": Path, "help": "a submission whose score there is known"},
        "--score": {"default": "", "help": "that score as it is printed there"},
        "--task": {"default": "", "help": "which task the submission answers"},
        "--split": {"default": "", "help": "which split it answers"},
        "--organiser": {"default": "", "help": "address of the person whom the benchmark belongs to"},
        "--confirm-clues": CONFIRM_CLUES,
    }

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            with file.open("rb") as stream:
                proposal = read_bundle(stream, file.name, gold_is_public=options["public_gold"])
            proposal = _chosen(proposal, options["id"], options["metric"])
            self._report(proposal)
            if options["sample"]:
                self._check(proposal, options)
            if options["write"]:
                options["write"].write_text(_yaml(proposal), "utf-8")
            if options["confirm"]:
                self._take(proposal, options)
            else:
                self.stdout.write("Nothing was made. Give --confirm to begin the benchmark.")
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be read or written: {error.strerror}.") from None
        except BundleRefused as error:
            raise CommandError("\n".join(("The bundle was not taken.", *map(str, error.notes)))) from None
        except (DefinitionError, FileRefused, LookupError) as error:
            raise CommandError(str(error)) from None

    def _report(self, proposal: ImportProposal) -> None:
        spec = proposal.spec
        self.stdout.write(
            f"{spec.title} ({spec.id}), from a bundle of version {proposal.competition.version}"
        )
        for task in spec.tasks:
            metrics = ", ".join(metric.name for metric in task.metrics)
            splits = ", ".join(split.id for split in task.splits)
            self.stdout.write(f"  task {task.id}: {task.output.describe()}; {metrics}; {splits}")
        for phase in spec.phases:
            limits = ", ".join(f"{limit.most} {limit.period.value}" for limit in phase.limits)
            self.stdout.write(f"  phase {phase.id}: {phase.opens_at} to {phase.closes_at}; {limits}")
        for page in spec.pages:
            self.stdout.write(f"  page {page.id}: {page.title}")
        for gold in proposal.gold:
            self.stdout.write(
                f"  labels of {gold.task}, {gold.split}: {gold.item_count:,} from {gold.source}"
            )
        for note in proposal.notes:
            self.stdout.write(str(note))

    def _check(self, proposal: ImportProposal, options: dict[str, Any]) -> None:
        sample: Path = options["sample"]
        checks = check_metrics(
            proposal, data=sample.read_bytes(), file_name=sample.name, known=options["score"],
            task=options["task"], split=options["split"],
        )  # fmt: skip
        for check in checks:
            value = "undefined" if check.value is None else f"{check.value:.6f}"
            self.stdout.write(f"  {check.name:<24} {value:<12} {'agrees' if check.agrees else ''}".rstrip())
        if not any(check.agrees for check in checks):
            self.stdout.write(f"No metric gives {options['score']} for this submission.")

    def _take(self, proposal: ImportProposal, options: dict[str, Any]) -> None:
        email = options["organiser"]
        user = User.objects.filter(email__iexact=mailbox(email), is_staff=True).first() if email else None
        if email and user is None:
            raise CommandError(f"There is no member of staff with the address {email}.")
        taken = import_proposal(
            proposal, user=user, now=database_now(), confirm_clues=options["confirm_clues"]
        )
        record_command(
            "import_bundle", row=taken.benchmark, benchmark=taken.benchmark.pk, what="Begun from a bundle."
        )
        for sentence in taken.sealed:
            self.stdout.write(sentence)
        self.warn(f"not loaded: {sentence}" for sentence in taken.refused)
        self.stdout.write(
            f"{taken.benchmark} was begun at /benchmarks/{taken.benchmark.pk}/ as a draft. Nobody sees it without a "
            "role in it, before “Who sees it” on its home opens it."
        )


def _chosen(proposal: ImportProposal, name: str, metrics: list[str]) -> ImportProposal:
    """The proposal with another id and metrics."""
    document = proposal.document
    if name:
        document["id"] = name
    for words in metrics:
        task, _, metric = words.partition("=")
        choose_metric(document, task, metric)
    return replace(proposal, spec=build_spec(document, "the definition"))


def _yaml(proposal: ImportProposal) -> str:
    return yaml.safe_dump(proposal.document, sort_keys=False, allow_unicode=True, width=100)
