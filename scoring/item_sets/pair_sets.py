"""Load pairs of items: read strictly, kept in numbered versions."""

import datetime as dt
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction

from accounts.models import User
from benchmarks.models import Split
from scoring.file_refusal import FileRefused
from scoring.models import PairSet
from submissions.intake.pairs.item_pairs import read_pairs
from submissions.uploads.expected_splits import item_ids

_COMPARISON = re.compile(r"[-a-zA-Z0-9_]{1,64}")


@dataclass(frozen=True, slots=True)
class PairsUpload:
    """One file of pairs and what the organiser says of it.

    `comparison` is its short name, such as `gender`. `first` and `second` name the groups in the order of the
    comparison; empty: in the order in which they appear.
    """

    comparison: str
    data: bytes
    file_name: str
    title: str = ""
    first: str = ""
    second: str = ""


def load_pairs(*, split: Split, upload: PairsUpload, now: dt.datetime, user: User | None = None) -> PairSet:
    """Make the file the split's current pairs for that comparison; earlier versions stay.

    Predictions on the split are tested by the next sweep.

    Raises
    ------
    FileRefused
        If the file has problems, or answers on this split are neither numbers nor ordered classes.
    """
    _check_words(upload)
    if not has_ordered_answers(split):
        raise FileRefused(
            f"Answers of {split} are neither numbers nor ordered classes, so none is higher than another."
        )
    file = read_pairs(
        upload.data,
        file_name=upload.file_name,
        ids=item_ids(split.pk, split.ids_sha256),
        split=split.slug,
        first=upload.first,
        second=upload.second,
    ).content_or(FileRefused.because_of)
    with transaction.atomic():
        Split.objects.select_for_update().filter(pk=split.pk).values_list("pk").get()  # one upload at a time
        newest = PairSet.objects.filter(split=split, comparison=upload.comparison).first()
        return PairSet.objects.create(
            split=split,
            comparison=upload.comparison,
            title=upload.title.strip() or upload.comparison.replace("_", " ").capitalize(),
            number=newest.number + 1 if newest else 1,
            first=file.first,
            second=file.second,
            packed=zlib.compress(upload.data),
            pair_count=len(file.pairs),
            item_count=file.item_count,
            sha256=sha256(upload.data).hexdigest(),
            file_name=upload.file_name[:255],
            uploaded_by=user,
            uploaded_at=now,
        )


@transaction.atomic
def load_pairs_everywhere(
    *, splits: Sequence[Split], upload: PairsUpload, now: dt.datetime, user: User | None = None
) -> list[PairSet]:
    """Load the file for every one of these splits that has its ids; returns the new pair sets.

    Raises
    ------
    FileRefused
        If it fits none of them; the problems told are those with the split that it fits best.
    """
    loaded: list[PairSet] = []
    refusals: list[FileRefused] = []
    for split in splits:
        if has_ordered_answers(split):
            try:
                loaded.append(load_pairs(split=split, upload=upload, now=now, user=user))
            except FileRefused as refused:
                refusals.append(refused)
    if loaded:
        return loaded
    if not refusals:
        raise FileRefused("No such split has ids and answers that are numbers or ordered classes.")
    raise min(refusals, key=lambda refused: len(refused.problems) + refused.more)


def has_ordered_answers(split: Split) -> bool:
    """Whether one answer can be higher than another."""
    return split.task.spec.output.has_bounds


def _check_words(upload: PairsUpload) -> None:
    first, second, length = upload.first, upload.second, len(upload.title)
    faults = {
        f"“{upload.comparison}” cannot name a comparison: give 1 to 64 letters, digits, hyphens or "
        "underscores.": not _COMPARISON.fullmatch(upload.comparison),
        f"The title has {length} characters; at most 120 fit.": length > 120,
        f"Both groups are named “{first}”. Name the two that are compared.": first and first == second,
        "Name both groups in their order, or neither.": bool(first) != bool(second),
    }
    if any(faults.values()):
        raise FileRefused(*(sentence for sentence, is_so in faults.items() if is_so))
