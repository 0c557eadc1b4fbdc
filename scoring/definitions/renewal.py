"""Renew the items of a split between two phases: some are retired, others are new, those that stay are anchors."""

import datetime as dt
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from django.db import transaction

from accounts.formats.numbers import grouped
from accounts.models import User
from benchmarks.models import ItemRenewal, Split, Task
from benchmarks.services import set_split_ids
from catalogue.item_lines import Tokens, ids_in
from scoring.file_refusal import FileRefused
from scoring.gold.versions import Loaded, load_gold
from scoring.item_sets.texts import TEST, drop_texts, with_attacks
from scoring.log_entries import log_renewal
from scoring.models import Batch, GoldVersion, OpeningOrder
from submissions.intake import read_gold_file
from submissions.intake.tables.sealed_gold import is_sealed_gold
from submissions.models import Submission
from submissions.uploads.expected_splits import item_ids


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a gold file would make of a split: the ids of the anchors, how many are retired, and how many are new.

    `tokens` are those of the items by id, where answers label them.
    """

    split: Split
    ids: tuple[str, ...]
    tokens: Mapping[str, Tokens]
    anchors: tuple[str, ...]
    retired: int
    new: int

    @property
    def in_short(self) -> str:
        """The note of the new gold labels where nobody wrote another; it stands where lines of history break."""
        counts = grouped(self.retired), grouped(self.new), grouped(len(self.anchors))
        return "Items renewed: {} retired, {} new, {} kept.".format(*counts)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What it does, for whoever has to confirm it."""
        kept = self.new // 2
        return (
            f"{grouped(len(self.anchors))} items stay as anchors, {grouped(self.retired)} are retired, and "
            f"{grouped(self.new)} are new.",
            "Texts are taken back, and have to be loaded for the new ids; attack sets have to be made again.",
            "What participants handed in before cannot be scored on the new set: they answer it anew. Earlier releases "
            "stay as they are and can still be made again. Lines of history break at this point, with a mark.",
            "All anchors are displayed from now on, wherever they stood: something is known of them. New items are "
            f"displayed or kept back by a coin each. About {grouped(kept)} are kept back then, all of them new, so "
            "that the next phase that keeps items back ranks on them exactly; the standard error of an accuracy of one "
            f"half is {50 / sqrt(max(1, kept)):.1f} points.",
        )


class RenewalRefused(FileRefused):
    """The items were not renewed; nothing was changed."""


def plan_renewal(*, task: Task, data: bytes, file_name: str) -> Renewal:
    """What a gold file would make of a task's test split; nothing is changed.

    Raises
    ------
    RenewalRefused
        If it has problems or no new ids, there is nothing to renew, labels are public, or a phase is not over.
    """
    split = Split.objects.filter(task=task, slug=TEST).first()
    if split is None or not GoldVersion.objects.filter(split=split).exists():
        raise RenewalRefused(f"{task.title} has no items yet. Please load its gold labels with load_gold.")
    _refuse_while_running(split)
    if is_sealed_gold(data):
        raise RenewalRefused(
            f"{file_name} is sealed, and which of its items are new is checked with its labels. Please give the file "
            "that it was made of; its labels are sealed the moment they arrive."
        )
    files = read_gold_file(data, file_name=file_name, task=task.spec, split=TEST)
    given = files.content_or(RenewalRefused.because_of).gold.asked
    ids = given.ids
    former = item_ids(split.pk, split.ids_sha256).ids
    anchors = tuple(sorted(set(ids) & set(former)))
    if len(anchors) == len(ids):
        raise RenewalRefused(
            f"{file_name} has no id that is new: all {grouped(len(ids))} stand in the set already. For other labels of "
            "the same items use load_gold; to renew items, give a file that has new ones."
        )
    retired = {*former} - {*anchors}
    everything_before = {item for renewal in split.renewals.all() for item in ids_in(renewal.former_ids())}
    again = sorted((set(ids) - set(former)) & everything_before)
    if again:
        raise RenewalRefused(
            f"{grouped(len(again))} items of {file_name}, such as {again[0]}, were retired before, and something is "
            "known of them. Please leave them out, or give them back as anchors of a set that has them."
        )
    return Renewal(split, ids, given.tokens_of, anchors, len(retired), len(ids) - len(anchors))


@transaction.atomic
def renew_items(
    *,
    task: Task,
    data: bytes,
    file_name: str,
    now: dt.datetime,
    user: User | None = None,
    note: str = "",
    confirm_clues: bool = False,
) -> tuple[Renewal, Loaded]:
    """Give a task's test split, and what attacks made of it, the items of a gold file, and seal its labels.

    Errors as `plan_renewal` and `load_gold`.
    """
    plan = plan_renewal(task=task, data=data, file_name=file_name)
    split = Split.objects.select_for_update().get(pk=plan.split.pk)
    family = with_attacks(split)
    number = max(GoldVersion.objects.next_number(member.pk) for member in family)
    anchors = zlib.compress("\n".join(plan.anchors).encode())
    for member in family:
        renewal = ItemRenewal.objects.create(
            split=member,
            renewed_at=now,
            gold_number=GoldVersion.objects.next_number(member.pk) if member.pk == split.pk else number,
            former_sha256=member.ids_sha256,
            former_count=member.item_count,
            former_packed=zlib.compress(member.ids_text()),
            anchors_packed=anchors,
            anchor_count=len(plan.anchors),
            retired_count=plan.retired,
            new_count=plan.new,
        )
        set_split_ids(task=task, slug=member.slug, ids=plan.ids, tokens=plan.tokens)
        renewal.split.refresh_from_db()
        log_renewal(renewal)
    drop_texts(family)
    loaded = load_gold(
        task=task,
        data=data,
        file_name=file_name,
        now=now,
        user=user,
        note=note or plan.in_short,
        confirm_clues=confirm_clues,
    )
    return plan, loaded


def _refuse_while_running(split: Split) -> None:
    """RenewalRefused where something handed in still waits to be ranked on the items of today."""
    benchmark = split.task.benchmark
    if OpeningOrder.objects.filter(benchmark=benchmark).exists():
        raise RenewalRefused(
            f"The gold labels of {benchmark.title} are public, and so would those of new items be. Please make a new "
            "benchmark for them."
        )
    over = Batch.objects.filter(phase__benchmark=benchmark, is_final=True)
    gone = (Submission.Status.WITHDRAWN, Submission.Status.DISQUALIFIED)
    handed_in = Submission.objects.filter(
        phase__benchmark=benchmark, predictions__split__in=with_attacks(split)
    )
    running = handed_in.exclude(phase__in=over.values("phase")).exclude(status__in=gone).first()
    if running is not None:
        raise RenewalRefused(
            f"{running.phase.title} is running and has accepted submissions for these items. They could not be scored "
            "any more. Please renew the items when it has closed and its final is released, before anybody hands "
            "something in to the next one."
        )
    waiting = over.filter(status__in=[Batch.Status.SCORING, Batch.Status.SCORED]).first()
    if waiting is not None:
        raise RenewalRefused(
            f"The final of {waiting.phase.title} is not released yet. Please publish it first, and renew the items "
            "then."
        )
