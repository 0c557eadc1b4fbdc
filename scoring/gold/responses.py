"""Load several workers' responses: gold labels are inferred, the file is sealed, and only counts stay readable."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from accounts.formats.numbers import decimal, grouped
from accounts.models import User
from benchmarks.models import Task
from catalogue.metrics.metric import Undefined
from scoring.core.measures.human import LabelScores, human_estimate
from scoring.core.measures.responses import ResponsesReport, report_responses
from scoring.core.measures.votes import majority
from scoring.core.uncertainty.intervals import Interval
from scoring.file_refusal import FileRefused
from scoring.gold.versions import Loaded, confirmed_clues, keep_gold, public_key
from scoring.models import ResponseSet
from submissions.intake import GoldFile, ItemIds
from submissions.intake.canonical import answer_reader
from submissions.intake.sealing import Sealed, seal_file
from submissions.intake.tables.responses import (
    RESPONSES_PER_ITEM,
    RespondedItem,
    read_responses,
    response_format,
)

MAJORITY = RESPONSES_PER_ITEM // 2 + 1
_LONGEST_FILE_NAME = 255
_SHOWN_IDS = 10


@dataclass(frozen=True, slots=True)
class LoadedResponses:
    """A new version of responses, and what deserves a second look."""

    responses: ResponseSet
    warnings: tuple[str, ...]
    clues: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What was done, for the audit log."""
        confirmed = f" Confirmed clues: {', '.join(self.clues)}." if self.clues else ""
        return f"Loaded {self.responses}.{confirmed}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What an organiser is told."""
        responses = self.responses
        kappa, report = responses.report["kappa"], responses.report
        again, f1 = len(report["to_collect_again"]), decimal(responses.human["macro"]["f1"], 3)
        return (
            (
                f"{responses}: gold labels of {grouped(responses.human['items'])} items of "
                f"{grouped(responses.item_count)} were inferred and sealed, commitment "
                f"{responses.gold_version.commitment}."
            ),
            f"Fleiss kappa is undefined. Human estimate: F1 macro {f1}."
            if kappa is None
            else f"Fleiss kappa {decimal(kappa, 3)}. Human estimate: F1 macro {f1}.",
            (
                f"{grouped(len(report['beyond_rule']))} of {grouped(len(report['workers']))} workers "
                f"disagree with the majority more than 80 % of the time; {grouped(again)} items are to "
                "be collected again."
            ),
        )


def load_responses(
    *,
    task: Task,
    split_slug: str,
    data: bytes,
    file_name: str,
    now: dt.datetime,
    user: User | None = None,
    seed: int = 1,
    confirm_clues: bool = False,
) -> LoadedResponses:
    """Make what most workers say a split's gold labels, and keep the file sealed beside what was counted in it.

    Items on which fewer than three of five agree, or agree on what is no label of the task, are not in the split.
    `seed` shuffles the responses of the human estimate.

    Raises
    ------
    FileRefused
        If the task or the file is not fit for it, or the gold labels are refused as `load_gold` would: for clues
        too, unless `confirm_clues` is given.
    """
    labels = _labels(task, split_slug)
    form = response_format(task.spec)
    items = read_responses(data, file_name=file_name, form=form).content_or(FileRefused.because_of)
    inferred = _infer(items, labels)
    report = report_responses({item.id: item.responses for item in items}, form.categories, MAJORITY)
    estimate = human_estimate(
        [[category for _, category in item.responses] for item, _ in inferred.kept],
        [label for _, label in inferred.kept],
        labels,
        seeds=[seed],
    )
    with transaction.atomic():
        gold = _gold(task, inferred)
        sentences = [item.sentence for item, _ in inferred.kept]
        clues = confirmed_clues(
            task, split_slug, gold, are_confirmed=confirm_clues, texts={"sentence": sentences}
        )
        loaded, sealed = _seal(task, split_slug, data, gold, now, user)
        split = loaded.version.split
        responses = ResponseSet.objects.create(
            split=split,
            number=ResponseSet.objects.next_number(split.pk),
            gold_version=loaded.version,
            sealed=sealed.ciphertext,
            key_fingerprint=sealed.key_fingerprint,
            commitment=sealed.commitment,
            item_count=len(items),
            response_count=sum(len(item.responses) for item, _ in inferred.kept),
            report=_report_as_json(report),
            human={
                "seed": seed,
                "items": len(inferred.kept),
                "labels": {
                    label: _with_ends(scores, estimate.intervals[label])
                    for label, scores in estimate.per_label.items()
                },
                "macro": _with_ends(estimate.macro, estimate.macro_interval),
            },
            file_name=file_name[:_LONGEST_FILE_NAME],
            loaded_by=user,
            loaded_at=now,
        )
    differing, states = inferred.differing, "item states" if len(inferred.differing) == 1 else "items state"
    warning = (
        f"{grouped(len(differing))} {states} another gold label than the responses give, which count here: "
        f"{', '.join(differing[:_SHOWN_IDS])}{', …' if len(differing) > _SHOWN_IDS else ''}."
    )
    warnings = (*loaded.warnings, warning) if differing else loaded.warnings
    return LoadedResponses(responses, warnings, clues)


def _with_ends(scores: LabelScores, f1_interval: Interval | None) -> dict[str, float]:
    ends = {"f1_low": f1_interval.low, "f1_high": f1_interval.high} if f1_interval else {}
    return {**scores._asdict(), **ends}


@dataclass(frozen=True, slots=True)
class _Inferred:
    """The items that are in the split with their gold labels, and the ids whose file states another label."""

    kept: tuple[tuple[RespondedItem, str], ...]
    differing: tuple[str, ...]

    def __repr__(self) -> str:
        return f"_Inferred(<{len(self.kept)} items>)"


def _infer(items: Sequence[RespondedItem], labels: Sequence[str]) -> _Inferred:
    settled = [(item, majority([category for _, category in item.responses], MAJORITY)) for item in items]
    kept = tuple((item, label) for item, label in settled if label is not None and label in labels)
    if not kept:
        raise FileRefused(
            f"No item has at least {MAJORITY} responses for one of the labels {', '.join(labels)}, so there "
            "is nothing to score. Please see whether this is the right file."
        )
    differing = tuple(item.id for item, label in settled if item.gold_label not in (None, label))
    return _Inferred(kept, differing)


def _gold(task: Task, inferred: _Inferred) -> GoldFile:
    reader = answer_reader(task.spec.output.gold, task.spec.gold)
    codes = reader.array([reader.value((label,)) for _, label in inferred.kept])
    return GoldFile(ItemIds(tuple(item.id for item, _ in inferred.kept)), codes)


def _seal(
    task: Task, split_slug: str, data: bytes, gold: GoldFile, now: dt.datetime, user: User | None
) -> tuple[Loaded, Sealed]:
    """The new version of gold labels and the sealed file. FileRefused as gold labels are refused."""
    sealed = seal_file(data, public_key())
    loaded = keep_gold(
        task=task,
        gold=gold,
        now=now,
        user=user,
        show_class_counts=False,
        note=f"Inferred from {RESPONSES_PER_ITEM} responses for each of {len(gold.ids):,} items.",
        split_slug=split_slug,
    )
    return loaded, sealed


def _labels(task: Task, split_slug: str) -> tuple[str, ...]:
    """The labels that can be gold. FileRefused where responses make no gold labels for such a split."""
    output = task.spec.output
    if not output.is_one_label or output.several:
        raise FileRefused("Responses make gold labels only where an answer is one label of a set.")
    known = [split.id for split in task.spec.gold_splits]
    if split_slug not in known:
        raise FileRefused(
            f"No split {split_slug} has gold labels of its own here. These have: {', '.join(known)}."
        )
    return output.gold_labels


def _report_as_json(report: ResponsesReport) -> dict[str, Any]:
    return {
        "items": report.items,
        "classes": dict(report.classes),
        "responses": dict(report.responses),
        "largest": {str(size): count for size, count in report.largest.items()},
        "kappa": None if isinstance(report.kappa, Undefined) else report.kappa,
        "workers": [asdict(worker) for worker in report.workers],
        "never_disagreeing": report.never_disagreeing,
        "beyond_rule": list(report.beyond_rule),
        "to_collect_again": list(report.to_collect_again),
    }
