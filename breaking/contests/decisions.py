"""Decide contested labels: the organiser's choice, and the gold version that follows.

A label that is chosen is sealed. Only `apply_decisions` opens anything, and only a worker calls it.
"""

import datetime as dt
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from benchmarks.models import Split
from benchmarks.services import mark_stale
from breaking.contests.item_labels import label_of_item
from breaking.contests.services import undecided
from breaking.exceptions import ContestRefused
from breaking.models import Contest
from catalogue.answers import as_texts
from catalogue.answers.reading import AnswerReader
from scoring.gold.box_opening import open_sealed_file, open_version
from scoring.gold.versions import GoldRefused, keep_gold, public_key
from scoring.models import GoldVersion
from submissions.intake import GoldFile, ItemIds
from submissions.intake.canonical import answer_reader
from submissions.intake.sealing import seal_file

logger = logging.getLogger(__name__)

Choice = Contest.Choice
_LONGEST_NOTE = 500
_OF_LINES = {Choice.FIRST.value: 0, Choice.LAST.value: -1}
"""Which of an item's lines decides it, where a file gives it several times."""


def decide(
    *, contest: Contest, choice: str, note: str, user: User, now: dt.datetime, label: str = ""
) -> Contest:
    """Decide about a contested label: keep it, take `label`, or that of the first or last line that names the item.

    The gold labels follow as soon as a worker has applied it. `note` is public; a label that is chosen is sealed.
    Of two organisers at once the first decides.

    Raises
    ------
    ContestRefused
        If the choice does not fit the contest, or the label is none of the item's.
    ContestClosed
        If it is decided or was taken back.
    """
    if choice not in Choice.values:
        raise ContestRefused(f"{choice!r} is no choice. There are {', '.join(Choice.values)}.")
    if choice in _OF_LINES and contest.sealed_lines is None:
        raise ContestRefused(f"{contest.item}: its file names it once, so there is no other line to choose.")
    note = " ".join(note.split())
    if len(note) > _LONGEST_NOTE or "\0" in note:
        raise ContestRefused(f"The note may have at most {_LONGEST_NOTE} characters, and no NUL among them.")
    values: dict[str, Any] = {"choice": choice, "note": note, "decided_by": user, "decided_at": now}
    if choice == Choice.LABEL:
        chosen = label_of_item(contest.split, contest.item, label)
        try:
            sealed = seal_file(chosen.encode(), public_key())
        except GoldRefused as refused:
            raise ContestRefused(str(refused)) from None
        values |= {"sealed_label": sealed.ciphertext, "sealed_label_commitment": sealed.commitment}
    with transaction.atomic():
        contest = undecided(contest)
        Contest.objects.filter(pk=contest.pk).update(**values)
        mark_stale(contest.split.task.benchmark_id)
    contest.refresh_from_db()
    return contest


def apply_decisions(now: dt.datetime) -> list[GoldVersion]:
    """Make a new gold version of every split with decisions that change a label. Again, it changes nothing.

    A split that cannot be opened is logged, and the others are done.
    """
    versions: list[GoldVersion] = []
    waiting = Contest.objects.unapplied().values("split")
    for split in Split.objects.filter(pk__in=waiting).select_related("task__benchmark").order_by("pk"):
        try:
            versions += filter(None, [_apply(split, now)])
        except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
            logger.error("decisions about %s met an unforeseen %s", split, type(error).__name__)  # noqa: TRY400  # no traceback
    return versions


@transaction.atomic
def _apply(split: Split, now: dt.datetime) -> GoldVersion | None:
    """The new version of one split; None where every label stands, or another worker was faster."""
    Split.objects.select_for_update().get(pk=split.pk)
    waiting = Contest.objects.unapplied().filter(split=split).select_for_update()
    decided = list(waiting.order_by("decided_at", "item"))
    if not decided:
        return None
    current = GoldVersion.objects.current().get(split=split)
    gold = open_version(current)[1]
    labels = dict(zip(gold.ids, as_texts(gold.codes, gold.labels), strict=True))
    reader = answer_reader(split.task.spec.output.gold, split.task.spec.gold)
    changed = [one for one in decided if _changes(one, labels, reader)]
    version = _keep(split, labels, reader, changed, current, now) if changed else None
    kept = [contest.pk for contest in decided if contest not in changed]
    Contest.objects.filter(pk__in=kept).update(status=Contest.Status.KEPT)
    changed_rows = Contest.objects.filter(pk__in=[contest.pk for contest in changed])
    changed_rows.update(status=Contest.Status.CHANGED, gold_version=version)
    mark_stale(split.task.benchmark_id)
    return version


def _changes(contest: Contest, labels: dict[str, str], reader: AnswerReader) -> bool:
    """Put the chosen label in its place; False where it stands there already, or the item is in the split no more."""
    if contest.item not in labels or contest.choice == Choice.KEEP:
        return False
    label = _chosen(contest)
    if (value := reader.value((label,))) is None:
        raise ValueError("what was chosen is no label of the task any more")
    if value == reader.value((labels[contest.item],)):
        return False
    labels[contest.item] = label
    return True


def _chosen(contest: Contest) -> str:
    if contest.choice == Choice.LABEL:
        sealed = open_sealed_file(bytes(contest.sealed_label or b""), contest.sealed_label_commitment)
        return sealed.decode()
    sealed = open_sealed_file(bytes(contest.sealed_lines or b""), contest.sealed_lines_commitment)
    lines = sorted(json.loads(sealed), key=lambda one: int(one["line"]))
    return str(lines[_OF_LINES[contest.choice]]["label"])


def _keep(
    split: Split,
    labels: Mapping[str, str],
    reader: AnswerReader,
    changed: Sequence[Contest],
    current: GoldVersion,
    now: dt.datetime,
) -> GoldVersion:
    codes = reader.array([reader.value((label,)) for label in labels.values()])
    return keep_gold(
        task=split.task,
        gold=GoldFile(ItemIds(tuple(labels)), codes),
        now=now,
        user=changed[-1].decided_by,
        # While labels are sealed, new counts beside the old ones would tell what became of a single item.
        show_class_counts=current.class_counts is not None and split.gold_opened_at is not None,
        note=_note(changed),
        split_slug=split.slug,
    ).version


def _note(changed: Sequence[Contest]) -> str:
    """Which items have another label and why, in as many words as a note may have. Labels are not named."""
    head = f"{len(changed)} contested label{'s' if len(changed) > 1 else ''} changed: "
    said = "; ".join(f"{one.item} ({one.note})" if one.note else one.item for one in changed)
    room = _LONGEST_NOTE - len(head)
    return head + (said if len(said) <= room else said[: room - 2] + " …")
