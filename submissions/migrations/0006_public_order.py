"""Put the ids of every split in public order, and its texts and predictions with them.

They stood in the order of the gold file, which can give labels away. Gold labels stay sealed as they are: scoring goes
by the order that they were sealed in, so that old scores and releases can be made again to the last bit.
"""

import csv
import io
import zlib
from hashlib import sha256

from django.db import migrations

from benchmarks.item_order import in_public_order
from benchmarks.spec import SplitSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import build_spec
from submissions.intake import CanonicalPredictions, ItemIds
from submissions.intake.canonical import content_sha256
from submissions.intake.texts import TextsFile, write_texts


def put_in_public_order(apps, schema_editor):
    splits = apps.get_model("benchmarks", "Split").objects
    moved = set()
    for pk in list(splits.order_by("pk").values_list("pk", flat=True)):
        split = splits.select_related("task__benchmark").get(pk=pk)
        ids = zlib.decompress(split.ids_packed).decode().split("\n")
        ordered = ItemIds(in_public_order(ids))
        if list(ordered.ids) == ids:
            continue
        place = {item: at for at, item in enumerate(ids)}
        order = [place[item] for item in ordered.ids]
        _move_texts(apps, split, ordered)
        moved |= _move_predictions(apps, split, ordered, order)
        splits.filter(pk=pk).update(ids_sha256=ordered.sha256, ids_packed=zlib.compress(ordered.to_bytes()))
    _tell_submissions(apps, moved)


def _move_texts(apps, split, ordered):
    texts = apps.get_model("benchmarks", "Texts").objects.filter(split=split).first()
    if texts is None:
        return
    rows = csv.reader(io.StringIO(zlib.decompress(texts.packed).decode(), newline=""), strict=True)
    columns = next(rows)[1:]
    by_item = {item: tuple(cells) for item, *cells in rows}
    data = write_texts(TextsFile(tuple(columns), tuple(by_item[item] for item in ordered.ids)), ordered)
    texts.packed, texts.sha256 = zlib.compress(data), sha256(data).hexdigest()
    texts.save(update_fields=["packed", "sha256"])


def _move_predictions(apps, split, ordered, order):
    """The ids of the submissions whose predictions were moved."""
    rows = apps.get_model("submissions", "Predictions").objects.filter(split=split)
    before, after = _alignment(split, split.ids_sha256), _alignment(split, ordered.sha256)
    moved = set()
    for pk in list(rows.order_by("pk").values_list("pk", flat=True)):
        row = rows.get(pk=pk)
        was = CanonicalPredictions.from_bytes(bytes(row.codes_packed))
        if len(was.codes) != len(order):
            continue  # of ids that were replaced since; nothing reads it any more
        now = CanonicalPredictions(was.task, was.split, was.codes[order], was.seed)
        row.codes_packed, row.sha256 = now.to_bytes(), now.sha256
        if row.alignment_sha256 == before:
            row.alignment_sha256 = after
        row.save(update_fields=["codes_packed", "sha256", "alignment_sha256"])
        moved.add(row.submission_id)
    return moved


def _alignment(split, ids_sha256):
    """As `submissions.targets.alignment_sha256`; empty where the definition has no such task any more."""
    benchmark = split.task.benchmark
    made = {}
    for one in benchmark.made_splits:
        made.setdefault(one["task"], []).append(SplitSpec(**one["split"], made=True))
    try:
        spec = build_spec(benchmark.definition, benchmark.slug).with_splits(made)
        output = spec.task(split.task.slug).output
    except (DefinitionError, KeyError):
        return ""
    return sha256(f"{output.signature()}\n{ids_sha256}".encode()).hexdigest()


def _tell_submissions(apps, moved):
    """The digest of all predictions of a submission, by which the same content is known again."""
    submissions = apps.get_model("submissions", "Submission").objects
    predictions = apps.get_model("submissions", "Predictions").objects
    for pk in sorted(moved):
        digest = content_sha256(predictions.filter(submission=pk).only("sha256"))
        submissions.filter(pk=pk).update(predictions_sha256=digest)


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0008_disclosure"),
        ("submissions", "0005_quota_of_people"),
    ]

    operations = [migrations.RunPython(put_in_public_order)]
