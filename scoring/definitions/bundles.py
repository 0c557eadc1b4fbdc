"""A bundle of another server taken over: definition synced, labels sealed."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from accounts.models import User
from benchmarks.models import Benchmark, Task
from scoring.definitions.editing import begin_benchmark
from scoring.file_refusal import FileRefused
from scoring.gold.versions import load_gold
from submissions.intake.bundles.proposal import ImportProposal


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of an import: the benchmark, and sentences about labels that were sealed or were not."""

    benchmark: Benchmark
    sealed: tuple[str, ...]
    refused: tuple[str, ...]


def choose_metric(document: dict[str, Any], task: str, metric: str) -> None:
    """Have a metric fill a task's column in a proposed definition. LookupError where there is no such task."""
    found = next((one for one in document["tasks"] if one["id"] == task), None)
    if found is None:
        known = ", ".join(one["id"] for one in document["tasks"])
        raise LookupError(f"The bundle gives no task {task}. It gives {known}.")
    others = [use for use in found["metrics"][1:] if use["name"] != metric]
    found["metrics"] = [{"name": metric, "title": metric.replace("_", " ").capitalize()}, *others]


@transaction.atomic
def import_proposal(
    proposal: ImportProposal, *, user: User | None, now: dt.datetime, confirm_clues: bool
) -> Taken:
    """Begin the benchmark that a bundle gives, as a draft, and seal the labels that were in it.

    A draft, because much of a proposal is guessed: its organiser corrects it before anybody sees it. Labels that are
    refused, as where clues tell of them, are left for the organiser to load.

    Raises
    ------
    DefinitionError
        If its id is taken, or something in it cannot be kept.
    """
    benchmark = begin_benchmark(proposal.document, file_name="bundle", user=user, now=now, is_draft=True)
    sealed, refused = [], []
    for gold in proposal.gold:
        task = Task.objects.select_related("benchmark").get(benchmark=benchmark, slug=gold.task)
        place = f"{gold.task}, {gold.split}"
        try:
            with transaction.atomic():
                loaded = load_gold(
                    task=task, data=gold.data, file_name=gold.source, now=now, user=user,
                    note="From a bundle.", split_slug=gold.split, confirm_clues=confirm_clues,
                )  # fmt: skip
        except FileRefused as error:
            refused.append(f"{place}: {' '.join(error.sentences)}")
        else:
            sealed.append(f"{place}: {loaded.items_in_words} sealed, commitment {loaded.version.commitment}")
    return Taken(benchmark, tuple(sealed), tuple(refused))
