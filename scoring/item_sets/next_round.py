"""Open a benchmark's next round: from candidates with responses and a system's predictions to its files."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from accounts.formats.numbers import grouped
from benchmarks.spec import TaskSpec
from catalogue.layouts.text_lines import decode, physical_lines
from catalogue.metrics.metric import Undefined
from scoring.core import score
from scoring.core.measures.responses import report_responses
from scoring.core.rounds import (
    FOR_GOLD,
    FOR_PARTS,
    RESPONSES,
    Round,
    Shortage,
    draw_round,
    fitting_sizes,
    gold_label,
    may_be_drawn,
)
from scoring.file_refusal import FileRefused
from scoring.gold.responses import responses_form
from scoring.item_sets.stored_labels import LabelsDiffer, stored_labels
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.answers import answer_reader
from submissions.intake.tables.responses import SENTENCE, RespondedItem, ResponseFormat, read_responses
from submissions.intake.tables.texts import TextsFile, write_texts
from submissions.models import Submission

DEV, TEST, TRAIN = "dev", "test", "train"
REPORT = "report.json"
_SHOWN_IDS = 5

NamedFile = tuple[str, bytes]
"""The name of a file and what it holds."""


class RoundRefused(FileRefused):
    """No round was drawn; `sentences` name lines, or what is short."""


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """The files of a round by name, and what the organiser should know of it.

    `dev.jsonl` and `test.jsonl` give gold labels away. `report` holds counts, and no ids but those set aside.
    """

    files: Mapping[str, bytes]
    report: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"DrawnRound({', '.join(self.files)})"


def open_round(
    *,
    task: TaskSpec,
    responses: NamedFile,
    predictions: NamedFile | Submission,
    size_dev: int,
    size_test: int,
    seed: int,
) -> DrawnRound:
    """Draw dev and test on which the system that predicted is at chance, and write their files.

    `responses` are JSON lines as `load_responses` takes them. `predictions` are the system's labels: a file for all
    those items in the form of the task's own files, or a submission that answers, in any split of the task, every
    item that could be drawn. `task` gives the labels and the forms.

    Raises
    ------
    RoundRefused
        If a file has problems, the submission lacks an item, a part of that size cannot be at chance, or there are
        too few candidates.
    """
    labels = _labels(task)
    _check_numbers(labels, size_dev, size_test, seed)
    form = responses_form(task)
    items = _items(responses, form)
    if isinstance(predictions, Submission):
        predicted = _stored(predictions, task, items, labels)
    else:
        predicted = _predicted(predictions, task, items)
    try:
        drawn = draw_round(items, predicted, labels=labels, size_dev=size_dev, size_test=size_test, seed=seed)
    except ValueError as error:  # a prediction that is never right, where a task has such a label
        raise RoundRefused(str(error)) from None
    if isinstance(drawn, Shortage):
        raise _too_few(drawn, labels, size_dev, size_test)
    counts = _Counts(task, labels, form, items, predicted)
    report = {
        "task": task.id,
        "seed": seed,
        "responses": _origin(responses),
        "predictions": _origin_of_labels(predictions),
        "candidates": counts.of([item.id for item in items]),
        DEV: counts.of_part(drawn.dev),
        TEST: counts.of_part(drawn.test),
        TRAIN: counts.of(drawn.train),
        "set_aside": list(drawn.set_aside),
    }
    files = _files(drawn, responses[1], items, form)
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    return DrawnRound(files | {REPORT: text.encode()}, report)


def _labels(task: TaskSpec) -> tuple[str, ...]:
    """The labels that can be gold. RoundRefused where no round can be drawn of such a task."""
    labels = task.output.gold_labels
    if len(labels) < 2:
        raise RoundRefused(f"{task.id}: rounds are drawn only where an answer is one label of a set.")
    return labels


def _check_numbers(labels: Sequence[str], size_dev: int, size_test: int, seed: int) -> None:
    if seed < 0:
        raise RoundRefused(f"The seed is {seed}; it must be 0 or more.")
    step = len(labels) ** 2
    for part, size in ((DEV, size_dev), (TEST, size_test)):
        nearest = dict.fromkeys(fitting_sizes(size, len(labels)))
        near = " and ".join(map(grouped, nearest))
        if size not in nearest:
            raise RoundRefused(
                f"{part} cannot have {grouped(size)} items: where {len(labels)} labels are balanced and "
                f"the system is right on exactly one in {len(labels)} of each, their number is a "
                f"multiple of {step}. Nearest: {near}."
            )


def _items(responses: NamedFile, form: ResponseFormat) -> list[RespondedItem]:
    name, data = responses
    return read_responses(data, file_name=name, form=form).content_or(RoundRefused.because_of)


def _predicted(predictions: NamedFile, task: TaskSpec, items: Sequence[RespondedItem]) -> dict[str, str]:
    """The system's label for every item. RoundRefused if the file has problems or leaves one out."""
    name, data = predictions
    ids = ItemIds(tuple(item.id for item in items))
    read = read_labels(data, file_name=name, target=SplitTarget(task, TEST, ids))
    codes = read.content_or(RoundRefused.because_of).codes
    return dict(zip(ids.ids, task.output.texts(codes), strict=True))


def _stored(
    submission: Submission, task: TaskSpec, items: Sequence[RespondedItem], labels: Sequence[str]
) -> dict[str, str]:
    """What the submission says of the items. RoundRefused if it leaves out one that could be drawn."""
    needed = [item.id for item in items if may_be_drawn(item, labels)]
    try:
        found = stored_labels(submission, task, [item.id for item in items])
    except LabelsDiffer as differ:
        raise RoundRefused(
            f"The submission answers {differ.item} in {' and in '.join(differ.splits)}, and not alike, "
            "so it does not say which label is meant. Give the system's predictions for the candidates "
            "as a file."
        ) from None
    missing = [item for item in needed if item not in found]
    if missing:
        shown = ", ".join(missing[:_SHOWN_IDS]) + (", …" if len(missing) > _SHOWN_IDS else "")
        raise RoundRefused(
            f"The submission {submission} has no predictions in {task.id} for {grouped(len(missing))} of the "
            f"{grouped(len(needed))} candidates that could be drawn: {shown}. Let the system answer a "
            "split that holds them, or give its predictions as a file."
        )
    return found


def _too_few(shortage: Shortage, labels: Sequence[str], size_dev: int, size_test: int) -> RoundRefused:
    least = 2 * len(labels) ** 2
    advice = "Collect more of these."
    if shortage.most >= least:
        advice = (
            "Collect more of these, or ask for less: dev and test together can have "
            f"{grouped(shortage.most)} items."
        )
    return RoundRefused(
        f"There are too few candidates with at least {FOR_PARTS} of {RESPONSES} responses for "
        f"{grouped(size_dev)} items of dev and {grouped(size_test)} of test, written with prompts that differ:",
        *map(str, shortage.lacks),
        advice,
    )


def _origin(file: NamedFile) -> dict[str, str]:
    return {"file": file[0], "sha256": sha256(file[1]).hexdigest()}


def _origin_of_labels(predictions: NamedFile | Submission) -> dict[str, str]:
    if not isinstance(predictions, Submission):
        return _origin(predictions)
    system = predictions.system
    return {"submission": str(predictions.pk), "system": str(system), "sha256": predictions.file_sha256}


def _files(
    drawn: Round, data: bytes, items: Sequence[RespondedItem], form: ResponseFormat
) -> dict[str, bytes]:
    """The responses of every part, each line as it was but for the gold label, and the texts of dev and test."""
    lines = dict(zip((item.id for item in items), physical_lines(decode(data), len(items)), strict=True))
    gold = {item.id: gold_label(item) for item in items}
    sentences = {item.id: item.sentence for item in items}
    files = {}
    for part, ids in ((DEV, drawn.dev), (TEST, drawn.test), (TRAIN, drawn.train)):
        objects = [{**json.loads(lines[item]), form.gold_key: gold[item]} for item in ids]
        files[f"{part}.jsonl"] = "".join(
            json.dumps(one, ensure_ascii=False) + "\n" for one in objects
        ).encode()
    for part, ids in ((DEV, drawn.dev), (TEST, drawn.test)):
        texts = TextsFile((SENTENCE,), tuple((sentences[item],) for item in ids))
        files[f"{part}-texts.csv"] = write_texts(texts, ItemIds(ids))
    return files


class _Counts:
    """What a report says of a part."""

    def __init__(
        self,
        task: TaskSpec,
        labels: Sequence[str],
        form: ResponseFormat,
        items: Sequence[RespondedItem],
        predicted: Mapping[str, str],
    ) -> None:
        self._task = task
        self._labels = labels
        self._categories = form.categories
        self._items = {item.id: item for item in items}
        self._predicted = predicted

    def of(self, ids: Sequence[str]) -> dict[str, Any]:
        """How many items there are of each category, and how far the responses agree."""
        if not ids:
            return {"items": 0}
        responses = {item: self._items[item].responses for item in ids}
        found = report_responses(responses, self._categories, FOR_GOLD)
        return {
            "items": found.items,
            "categories": dict(found.classes),
            "largest": {str(size): count for size, count in found.largest.items()},
            "kappa": None if isinstance(found.kappa, Undefined) else found.kappa,
        }

    def of_part(self, ids: Sequence[str]) -> dict[str, Any]:
        """The same for dev or test, and how the system does there."""
        gold = [gold_label(self._items[item]) or "" for item in ids]
        system = [self._predicted[item] for item in ids]
        cells = Counter(zip(gold, system, strict=True))
        reader = answer_reader(self._task.output, self._task.gold)
        y_true, y_pred = (reader.array([reader.value((one,)) for one in each]) for each in (gold, system))
        metrics = [metric.name for metric in self._task.metrics]
        scores = score(self._task.output, metrics, y_true, y_pred).values
        return {
            **self.of(ids),
            "predicted": {one: {other: cells[one, other] for other in self._labels} for one in self._labels},
            "scores": {each.metric: each.value for each in scores},
        }
