"""Open a benchmark's next round: from candidates with responses and a system's predictions to its files."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import Prefetch, QuerySet

from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from benchmarks.models import Task
from benchmarks.spec import TaskSpec
from catalogue.layouts.text_lines import decode, physical_lines
from catalogue.metrics.metric import Undefined
from scoring.core import score
from scoring.core.measures.responses import report_responses
from scoring.core.rounds import (
    FOR_GOLD,
    FOR_PARTS,
    Shortage,
    draw_round,
    fitting_sizes,
    gold_label,
    may_be_drawn,
)
from scoring.file_refusal import FileRefused
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.canonical import answer_reader
from submissions.intake.tables.responses import (
    RESPONSES_PER_ITEM,
    SENTENCE,
    RespondedItem,
    ResponseFormat,
    read_responses,
    response_format,
)
from submissions.intake.tables.texts import TextsFile, write_texts
from submissions.models import Predictions, Submission
from submissions.uploads.answer_summary import answered_splits, predictions_to_list
from submissions.uploads.expected_splits import alignment_sha256, item_ids

DEV, TEST, TRAIN = "dev", "test", "train"
REPORT = "report.json"
FIRST_SEED = 1
_SHOWN_IDS = 5

NamedFile = tuple[str, bytes]  # its name and what it holds


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
    FileRefused
        If a file has problems, the submission lacks an item, a part of that size cannot be at chance, or there are
        too few candidates.
    """
    labels = _labels(task)
    _check_numbers(labels, size_dev, size_test, seed)
    form = response_format(task)
    read = read_responses(responses[1], file_name=responses[0], form=form)
    items = read.content_or(FileRefused.because_of)
    by_id = {item.id: item for item in items}
    if isinstance(predictions, Submission):
        predicted = _stored(predictions, task, items, labels)
    else:
        predicted = _predicted(predictions, task, tuple(by_id))
    try:
        drawn = draw_round(items, predicted, labels=labels, size_dev=size_dev, size_test=size_test, seed=seed)
    except ValueError as error:  # a prediction that is never right, where a task has such a label
        raise FileRefused(str(error)) from None
    if isinstance(drawn, Shortage):
        raise _too_few(drawn, labels, size_dev, size_test)
    ids = {DEV: drawn.dev, TEST: drawn.test, TRAIN: drawn.train}
    parts = {part: [by_id[item] for item in of_part] for part, of_part in ids.items()}
    report = {
        "task": task.id,
        "seed": seed,
        "responses": _origin(responses),
        "predictions": _origin(predictions),
        "candidates": _counts(items, form),
        DEV: _counts(parts[DEV], form) | _success(parts[DEV], task, predicted),
        TEST: _counts(parts[TEST], form) | _success(parts[TEST], task, predicted),
        TRAIN: _counts(parts[TRAIN], form),
        "set_aside": list(drawn.set_aside),
    }
    lines = dict(zip(by_id, physical_lines(decode(responses[1]), len(items)), strict=True))
    files = _files(parts, lines, form)
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    return DrawnRound(files | {REPORT: text.encode()}, report)


def _labels(task: TaskSpec) -> tuple[str, ...]:
    """The labels that can be gold. FileRefused where no round can be drawn of such a task."""
    labels = task.output.gold_labels
    if len(labels) < 2 or task.output.several:
        raise FileRefused(f"{task.id}: rounds are drawn only where an answer is one label of a set.")
    return labels


def _check_numbers(labels: Sequence[str], size_dev: int, size_test: int, seed: int) -> None:
    if seed < 0:
        raise FileRefused(f"The seed is {seed}; it must be 0 or more.")
    for part, size in ((DEV, size_dev), (TEST, size_test)):
        nearest = dict.fromkeys(fitting_sizes(size, len(labels)))
        if size not in nearest:
            raise FileRefused(
                f"{part} cannot have {grouped(size)} items: where {len(labels)} labels are balanced and "
                f"the system is right on exactly one in {len(labels)} of each, their number is a "
                f"multiple of {len(labels) ** 2}. Nearest: {' and '.join(map(grouped, nearest))}."
            )


def _predicted(predictions: NamedFile, task: TaskSpec, ids: tuple[str, ...]) -> dict[str, str]:
    name, data = predictions
    read = read_labels(data, file_name=name, target=SplitTarget(task, TEST, ItemIds(ids)))
    return dict(zip(ids, task.output.texts(read.content_or(FileRefused.because_of).codes), strict=True))


def _stored(
    submission: Submission, task: TaskSpec, items: Sequence[RespondedItem], labels: Sequence[str]
) -> dict[str, str]:
    """What the submission says of the items. FileRefused if it leaves out one that could be drawn."""
    needed = [item.id for item in items if may_be_drawn(item, labels)]
    answers = stored_labels(submission, task, [item.id for item in items])
    missing = [item for item in needed if item not in answers]
    if missing:
        shown = ", ".join(missing[:_SHOWN_IDS]) + (", …" if len(missing) > _SHOWN_IDS else "")
        raise FileRefused(
            f"The submission {submission} has no predictions in {task.id} for {grouped(len(missing))} of the "
            f"{grouped(len(needed))} candidates that could be drawn: {shown}. Let the system answer a "
            "split that holds them, or give its predictions as a file."
        )
    return answers


def _too_few(shortage: Shortage, labels: Sequence[str], size_dev: int, size_test: int) -> FileRefused:
    less = f"or ask for less: dev and test together can have {grouped(shortage.most)} items."
    advice = "Collect more of these"
    return FileRefused(
        f"There are too few candidates with at least {FOR_PARTS} of {RESPONSES_PER_ITEM} responses for "
        f"{grouped(size_dev)} items of dev and {grouped(size_test)} of test, written with prompts that differ:",
        *map(str, shortage.lacks),
        f"{advice}, {less}" if shortage.most >= 2 * len(labels) ** 2 else f"{advice}.",
    )


def _origin(source: NamedFile | Submission) -> dict[str, str]:
    if isinstance(source, Submission):
        return {
            "submission": str(source.pk),
            "system": str(source.system),
            "sha256": source.file_sha256,
        }
    return {"file": source[0], "sha256": sha256(source[1]).hexdigest()}


def _files(
    parts: Mapping[str, Sequence[RespondedItem]], lines: Mapping[str, str], form: ResponseFormat
) -> dict[str, bytes]:
    """The responses of every part, each line as it was but for the gold label, and the texts of dev and test."""
    files = {}
    for part, items in parts.items():
        objects = [{**json.loads(lines[item.id]), form.gold_key: gold_label(item)} for item in items]
        written = [json.dumps(row, ensure_ascii=False) + "\n" for row in objects]
        files[f"{part}.jsonl"] = "".join(written).encode()
    for part in (DEV, TEST):
        texts = TextsFile((SENTENCE,), tuple((item.sentence,) for item in parts[part]))
        files[f"{part}-texts.csv"] = write_texts(texts, ItemIds(tuple(item.id for item in parts[part])))
    return files


def _counts(items: Sequence[RespondedItem], form: ResponseFormat) -> dict[str, Any]:
    """How many items there are of each category, and how far the responses agree."""
    if not items:
        return {"items": 0}
    report = report_responses({item.id: item.responses for item in items}, form.categories, FOR_GOLD)
    return {
        "items": report.items,
        "categories": dict(report.classes),
        "largest": {str(size): count for size, count in report.largest.items()},
        "kappa": None if isinstance(report.kappa, Undefined) else report.kappa,
    }


def _success(items: Sequence[RespondedItem], task: TaskSpec, predicted: Mapping[str, str]) -> dict[str, Any]:
    """How the system does on dev or test."""
    gold = [gold_label(item) or "" for item in items]
    system = [predicted[item.id] for item in items]
    cells, labels = Counter(zip(gold, system, strict=True)), task.output.gold_labels
    reader = answer_reader(task.output.gold, task.gold)
    y_true, y_pred = (reader.array([reader.value((label,)) for label in each]) for each in (gold, system))
    scores = score(task.output, [metric.name for metric in task.metrics], y_true, y_pred).values
    return {
        "predicted": {label: {other: cells[label, other] for other in labels} for label in labels},
        "scores": {each.metric: each.value for each in scores},
        "ratings": _ratings(items, labels),
    }


def _ratings(items: Sequence[RespondedItem], labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """How many items of each label have each rating; empty where none has one."""
    counts = Counter((item.rating, gold_label(item)) for item in items)
    ratings = sorted({item.rating for item in items} - {""})
    return {rating: {label: counts[rating, label] for label in labels} for rating in ratings}


def submissions_answering(task: Task) -> QuerySet[Submission]:
    """The submissions that answer any of the task's splits and were not taken back, the newest first."""
    answers = Predictions.objects.filter(split__task=task).values("submission")
    listed = Submission.objects.live().filter(pk__in=answers).select_related("system__team")
    own = predictions_to_list().filter(split__task=task)
    return listed.prefetch_related(Prefetch("predictions", own, to_attr="of_task"))


def in_a_line(submission: Submission) -> str:
    """A submission, told with what it answers: "Larch, Team North, Mon 2 Nov 2026, 09:00 UTC: test, dev"."""
    splits = [answered.split for answered in answered_splits(submission.of_task)]  # type: ignore[attr-defined]  # set by the prefetch
    at = in_words(submission.received_at)
    return f"{submission.system}, {submission.system.team}, {at}: {', '.join(splits)}"


def stored_labels(submission: Submission, task: TaskSpec, ids: Collection[str]) -> dict[str, str]:
    """The labels that a submission stores for those ids of a task, in whichever of its splits they stand.

    Of several seeds the first one counts. Left out are attack sets, whose ids are those of other texts, and what was
    answered before the task's labels or a split's ids were changed.

    Raises
    ------
    FileRefused
        If two splits share an id and were answered differently.
    """
    wanted = frozenset(ids)
    by_item: dict[str, tuple[str, str]] = {}
    stored = submission.predictions.filter(split__task__slug=task.id, seed=FIRST_SEED, codes__isnull=False)
    for predictions in stored.select_related("split__task__benchmark", "codes").order_by("split_id"):
        split = predictions.split.slug
        if task.split(split).attack or predictions.alignment_sha256 != alignment_sha256(predictions.split):
            continue
        labels = task.output.texts(predictions.canonical().codes)
        answered = item_ids(predictions.split_id, predictions.split.ids_sha256).ids
        for item, label in zip(answered, labels, strict=True):
            if item in wanted:
                before, where = by_item.setdefault(item, (label, split))
                if before != label:
                    raise FileRefused(
                        f"The submission answers {item} in {where} and in {split}, and not alike, "
                        "so it does not say which label is meant. Give the system's predictions for the candidates "
                        "as a file."
                    )
    return {item: label for item, (label, _) in by_item.items()}
