"""Make gold labels public once nobody is to answer them any more."""

from __future__ import annotations

import csv
import datetime as dt
import io
import zlib

from django.db import transaction

from benchmarks.models import Split
from benchmarks.services import mark_stale
from scoring.keys import private_key
from scoring.models import GoldVersion, OpenedGold
from scoring.vault import canonical_csv, open_salt, open_sealed


def open_gold(*, version: GoldVersion, now: dt.datetime) -> OpenedGold:
    """Publish the labels of a version and the salt of its commitment. It cannot be undone; again, it changes nothing.

    From then on the split is answered no longer.

    Raises
    ------
    VaultError
        If this process has no private key or not the right one, or the sealed bytes are damaged.
    """
    found = OpenedGold.objects.filter(gold_version=version).first()
    if found is not None:
        return found
    sealed, key = bytes(version.sealed), private_key()
    gold = open_sealed(sealed, key, version.commitment)
    values = {
        "salt": open_salt(sealed, key).hex(),
        "packed": zlib.compress(canonical_csv(gold)),
        "opened_at": now,
    }
    with transaction.atomic():
        opened, _ = OpenedGold.objects.get_or_create(gold_version=version, defaults=values)
        Split.objects.filter(pk=version.split_id, gold_opened_at__isnull=True).update(gold_opened_at=now)
        mark_stale(version.split.task.benchmark_id)
    return opened


def open_newer_versions(now: dt.datetime) -> list[OpenedGold]:
    """Open what has become the current version of a split whose gold labels are public already."""
    newer = GoldVersion.objects.current().filter(split__gold_opened_at__isnull=False, opened__isnull=True)
    return [open_gold(version=version, now=now) for version in newer.select_related("split__task")]


def newest_opened(split: Split) -> OpenedGold | None:
    """The newest version of a split's gold labels that is public; None as long as none is."""
    opened = OpenedGold.objects.filter(gold_version__split=split).select_related("gold_version")
    return opened.order_by("-gold_version__number").first()


def opened_labels(split: Split) -> dict[str, str] | None:
    """The public gold labels of a split, by item in its order, of the newest opened version; None while sealed."""
    opened = newest_opened(split)
    return labels_of(opened) if opened else None


def labels_of(opened: OpenedGold) -> dict[str, str]:
    """The labels of one opened version, by item."""
    rows = csv.reader(io.StringIO(opened.csv().decode(), newline=""))
    next(rows)  # the header
    return dict(rows)
