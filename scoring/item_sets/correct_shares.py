"""What share of its samples an attack transforms correctly (c_a): entered, measured, or asked of two annotators."""

import datetime as dt
from collections.abc import Iterator
from itertools import chain

import numpy as np

from benchmarks.models import Attack, Split, Texts
from benchmarks.services import mark_stale
from catalogue.metrics.metric import Undefined
from scoring.core.measures.correctness import CorrectShare, share_by_annotators, share_by_readability
from scoring.file_refusal import FileRefused
from scoring.item_sets.texts import TEST, read_file, texts_of
from submissions.intake.tables.annotations import read_annotations
from submissions.uploads.expected_splits import item_ids


def set_correct_share(*, attack: Attack, share: float | None, now: dt.datetime, note: str = "") -> None:
    """Enter the share; None takes it back. Boards show it from the next release.

    Raises
    ------
    FileRefused
        If it is not a number from 0 to 1.
    """
    if share is not None and not 0 <= share <= 1:
        raise FileRefused(f"{share} is no share of correct samples: give a number from 0 to 1.")
    _keep(attack, Attack.Method.ENTERED, note, now, share=share)


def share_from_readability(*, attack: Attack, now: dt.datetime, note: str = "") -> CorrectShare:
    """Measure the share over all texts of all sets of the attack, by their Flesch-Kincaid grades.

    Raises
    ------
    FileRefused
        If no set has been made yet.
    """
    try:
        measured = share_by_readability(pair for split in sets_of(attack) for pair in _text_pairs(split))
    except ValueError:
        raise _no_set(attack) from None
    _keep(
        attack,
        Attack.Method.READABILITY,
        note,
        now,
        share=measured.share,
        sample_count=measured.sample_count,
        kappa=measured.kappa,
    )
    return measured


def share_from_annotators(
    *, attack: Attack, data: bytes, file_name: str, now: dt.datetime, note: str = ""
) -> CorrectShare:
    """Take the share from a CSV file in which two annotators say of samples whether they are correct.

    Raises
    ------
    FileRefused
        If the file has problems or no set has been made yet.
    """
    splits = sets_of(attack)
    if not splits:
        raise _no_set(attack)
    ids = {split.task.slug: item_ids(split.pk, split.ids_sha256) for split in splits}
    said = read_annotations(data, file_name=file_name, ids=ids).content_or(FileRefused.because_of)
    measured = share_by_annotators(np.array(said.first), np.array(said.second))
    keep_annotators_share(attack=attack, measured=measured, note=note, now=now)
    return measured


def keep_annotators_share(*, attack: Attack, measured: CorrectShare, note: str, now: dt.datetime) -> None:
    """Keep the share that two annotators found; boards show it from the next release."""
    _keep(
        attack,
        Attack.Method.ANNOTATORS,
        note,
        now,
        share=measured.share,
        sample_count=measured.sample_count,
        kappa=measured.kappa,
    )


def _no_set(attack: Attack) -> FileRefused:
    return FileRefused(f"No {attack.slug} set of {attack.benchmark} has texts yet. Make or upload one first.")


def sets_of(attack: Attack) -> list[Split]:
    """The attack's splits that have texts, in the order of tasks."""
    with_texts = Texts.objects.filter(
        split__task__benchmark=attack.benchmark_id, split__task__is_retired=False
    )
    splits = Split.objects.filter(pk__in=with_texts.values("split")).select_related("task__benchmark")
    return [
        split
        for split in splits.order_by("task__position", "slug")
        if split.task.spec.split(split.slug).attack == attack.slug
    ]


def _text_pairs(split: Split) -> Iterator[tuple[str, str]]:
    test = split.task.splits.get(slug=TEST)
    original, perturbed = texts_of(test), texts_of(split)
    if original is None or perturbed is None or original.header != perturbed.header:
        return
    before = read_file(test, original.csv(), f"{test} texts").rows
    after = read_file(split, perturbed.csv(), f"{split} texts").rows
    yield from zip(chain.from_iterable(before), chain.from_iterable(after), strict=True)


def _keep(
    attack: Attack,
    method: Attack.Method,
    note: str,
    now: dt.datetime,
    *,
    share: float | None,
    sample_count: int | None = None,
    kappa: float | Undefined | None = None,
) -> None:
    Attack.objects.filter(pk=attack.pk).update(
        correct_share=share,
        kappa=None if isinstance(kappa, Undefined) else kappa,
        sample_count=sample_count,
        method=method,
        note=note,
        changed_at=now,
    )
    attack.refresh_from_db()
    mark_stale(attack.benchmark_id)
