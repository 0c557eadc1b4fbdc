"""A bundle of another server taken over: metric held against a submission, definition synced, labels sealed."""

import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from accounts.models import User
from benchmarks.models import Benchmark, Task
from benchmarks.spec import TaskSpec
from benchmarks.spec.model import MetricUse
from scoring.definitions.editing import begin_benchmark
from scoring.file_refusal import FileRefused
from scoring.gold.versions import load_gold
from scoring.reproduction.evaluation import evaluate_file
from submissions.intake.bundles.metric_clues import fitting
from submissions.intake.bundles.proposal import ImportProposal, ProposedGold
from submissions.intake.bundles.reference import Reference, read_answers
from submissions.intake.tables.task_proposal import propose

_NUMBER = re.compile(r"[-+]?\d+(?:\.(\d+))?%?")


@dataclass(frozen=True, slots=True)
class MetricCheck:
    """What a metric gives for a submission whose score is known; `agrees` to the digits that were typed."""

    name: str
    title: str
    value: float | None
    agrees: bool


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


def check_metrics(
    proposal: ImportProposal, *, data: bytes, file_name: str, known: str, task: str = "", split: str = ""
) -> list[MetricCheck]:
    """Every metric that fits a task, on a submission to the bundle's competition, beside its known score there.

    Parameters
    ----------
    data
        The submission as that competition takes it: a file, or a zip of one.
    known
        The score as it is printed there, such as 0.8421 or 84.21.

    Raises
    ------
    FileRefused
        If the submission does not answer the labels of the bundle, or the score is no number.
    """
    typed = _NUMBER.fullmatch(known.strip())
    if typed is None:
        raise FileRefused(f"Expected the score as a number, such as 0.8421; found {known[:40]!r}.")
    gold = _gold_of(proposal, task, split)
    answers, why = read_answers(data, file_name)
    if answers is None:
        raise FileRefused(why)
    declared = proposal.spec.task(gold.task)
    metrics = fitting(type(declared.output))
    uses = tuple(MetricUse(name, metric.title) for name, metric in metrics.items())
    tried = replace(declared, metrics=uses)
    evaluation = evaluate_file(
        replace(proposal.spec, tasks=(tried,)),
        tried,
        gold=(gold.source, gold.data),
        predictions=(tried.path_of(gold.split), _as_sent(answers, declared)),
        split=gold.split,
    )
    digits, wanted = len(typed[1] or ""), float(known.strip().rstrip("%"))
    values = evaluation.document["tasks"][gold.task][gold.split]
    return [
        MetricCheck(name, metric.title, values[name]["value"], _agrees(values[name]["value"], wanted, digits))
        for name, metric in metrics.items()
    ]


def _agrees(value: float | None, wanted: float, digits: int) -> bool:
    """Whether a value is what was typed, itself or in per cent."""
    if value is None:
        return False
    within = 0.5 * 10**-digits + 1e-9
    return bool(abs(value - wanted) <= within or abs(100 * value - wanted) <= within)


def _gold_of(proposal: ImportProposal, task: str, split: str) -> ProposedGold:
    fits = [one for one in proposal.gold if task in ("", one.task) and split in ("", one.split)]
    if not fits:
        raise FileRefused("The bundle gives no labels that a submission could be held against.")
    if len({one.task for one in fits}) > 1:
        raise FileRefused(
            f"Which task does it answer? There are {', '.join(sorted({one.task for one in fits}))}."
        )
    return next((one for one in fits if one.split == "test"), fits[0])


def _as_sent(answers: Reference, task: TaskSpec) -> bytes:
    """A submission to another competition as a file of the task, whatever its columns are called there."""
    form, guess = task.file, propose(answers.table, answers.path)
    names = form.columns or (form.id_column, form.label_column)
    columns = (guess.id_column, *(name for name in answers.table.header if name != guess.id_column))
    if len(columns) > len(names):
        columns = (guess.id_column, *guess.label_columns)
    if not answers.table.seen and len(columns) != len(names):
        raise FileRefused(f"{answers.path} has {len(answers.table.header)} columns; expected {len(names)}.")
    return answers.as_file(columns, names)


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
