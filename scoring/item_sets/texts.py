"""The public inputs of a split: read strictly, kept as they were answered."""

import datetime as dt
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction

from benchmarks.models import Split, Task, Texts
from benchmarks.services import mark_stale
from scoring.file_refusal import FileRefused
from submissions.intake.tables.texts import TextsFile, read_texts, write_texts
from submissions.models import Predictions
from submissions.uploads.expected_splits import item_ids

TEST = "test"


@dataclass(frozen=True, slots=True)
class LoadedTexts:
    """The texts of a split, and what the organiser should have a second look at."""

    texts: Texts
    warnings: tuple[str, ...] = ()


def load_texts(*, split: Split, data: bytes, file_name: str, now: dt.datetime) -> LoadedTexts:
    """Make a file the public texts of a split that is no attack's. The same texts again change nothing.

    Attack sets that were made from other texts of a test split are taken back: they must be made again.

    Raises
    ------
    FileRefused
        If the file has problems; or if it would change texts that systems have answered.
    """
    packed = pack(split, read_file(split, data, file_name))
    with transaction.atomic():
        locked = Split.objects.select_for_update().get(pk=split.pk)
        before = texts_of(locked)
        if before and before.sha256 == packed.sha256:
            return LoadedTexts(before)
        family = with_attacks(locked)
        if before:
            refuse_if_answered(family)
        dropped = drop_texts(member for member in family if before and member.pk != locked.pk)
        loaded = store(locked, packed, seed=None, now=now)
    again = (
        "Sets that attacks had made of the earlier texts were taken back; please make or upload them again: "
    )
    return LoadedTexts(loaded, (f"{again}{', '.join(dropped)}.",) if dropped else ())


def read_file(split: Split, data: bytes, file_name: str) -> TextsFile:
    """The texts of a file for that split. FileRefused where it has problems."""
    return read_texts(
        data,
        file_name=file_name,
        task=split.task.spec,
        split=split.slug,
        ids=item_ids(split.pk, split.ids_sha256),
    ).content_or(FileRefused.because_of)


def pack(split: Split, file: TextsFile) -> Texts:
    """The texts as they are kept, not yet stored. It can take seconds, so do it before anything is locked."""
    data = write_texts(file, item_ids(split.pk, split.ids_sha256))
    return Texts(
        header=list(file.header),
        packed=zlib.compress(data),
        sha256=sha256(data).hexdigest(),
        item_count=len(file.rows),
    )


def store(split: Split, packed: Texts, *, seed: int | None, now: dt.datetime) -> Texts:
    """Keep what `pack` gave as the texts of the split."""
    values = {name: getattr(packed, name) for name in ("header", "packed", "sha256", "item_count")}
    texts, _ = Texts.objects.update_or_create(split=split, defaults=values | {"seed": seed, "made_at": now})
    mark_stale(split.task.benchmark_id)
    return texts


def texts_of(split: Split) -> Texts | None:
    return Texts.objects.filter(split=split).first()


def with_attacks(split: Split) -> list[Split]:
    """The split, and if it is a test split those that attacks have made of it: they share its ids and gold labels."""
    return [split, *(attack_splits(split.task) if split.slug == TEST else ())]


def attack_splits(task: Task) -> list[Split]:
    """The splits that attacks have made of a task's test split, in the order of the definition."""
    named = [split.id for split in task.spec.splits if split.attack]
    rows = {row.slug: row for row in task.splits.filter(slug__in=named)}
    return [rows[slug] for slug in named if slug in rows]


def answered(splits: Iterable[Split]) -> list[str]:
    """The slugs of those splits that predictions have been accepted for."""
    rows = Predictions.objects.filter(split__in=list(splits))
    return list(rows.order_by("split__slug").values_list("split__slug", flat=True).distinct())


def refuse_if_answered(splits: Iterable[Split]) -> None:
    """FileRefused if systems have answered any of these splits: their answers are about the texts as they are."""
    slugs = answered(splits)
    if slugs:
        raise FileRefused(
            f"Predictions have been accepted for {', '.join(slugs)}: with other texts, what those systems "
            "answered would be about something else, so the texts stay as they are. For other texts, "
            "add another attack with a split of its own to the definition, such as “spelling-2” "
            "beside “spelling”, and make that set."
        )


def drop_texts(splits: Iterable[Split]) -> list[str]:
    """Take the texts of these splits back; returns the slugs of those that had any."""
    rows = Texts.objects.filter(split__in=list(splits))
    slugs = list(rows.order_by("split__slug").values_list("split__slug", flat=True))
    rows.delete()
    return slugs
