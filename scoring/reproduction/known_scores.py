"""A submission whose score elsewhere is known, held against every metric that fits: one of them may be that score."""

import re
from dataclasses import dataclass, replace

from benchmarks.spec import TaskSpec
from benchmarks.spec.model import MetricUse
from scoring.file_refusal import FileRefused
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
    if not proposal.gold:
        raise FileRefused("The bundle gives no labels that a submission could be held against.")
    fits = [one for one in proposal.gold if task in ("", one.task) and split in ("", one.split)]
    if len({one.task for one in fits}) != 1:
        there = sorted({f"{one.task} ({one.split})" for one in proposal.gold})
        raise FileRefused(f"Which task does it answer? There are labels of {', '.join(there)}.")
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
