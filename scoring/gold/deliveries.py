"""Gold labels that were sealed on an organiser's machine: handed in unread, looked into and taken by a worker."""

import datetime as dt
import logging
from collections.abc import Sequence

from django.db import transaction

from accounts.models import User
from benchmarks.models import Task
from benchmarks.spec.tasks.gold_columns import unusable_columns
from scoring.gold.box_opening import box_and_key
from scoring.gold.clue_check import CluesFound, check_clues
from scoring.gold.keys import has_private_key
from scoring.gold.versions import GoldRefused, Loaded, keep_sealed, public_key, refuse_other_ids
from scoring.models import SealedDelivery
from submissions.intake import GoldFile, ItemIds
from submissions.intake.sealing import (
    GoldLabels,
    KeyMissingError,
    Sealed,
    VaultError,
    clusters_digest,
    key_fingerprint,
    open_with_salt,
)
from submissions.intake.tables.label_clues import ClueKind
from submissions.intake.tables.sealed_gold import NotSealedGold, SealedGold, read_sealed_gold

logger = logging.getLogger(__name__)
Fault = SealedDelivery.Fault


class Unfit(Exception):
    """What is in a box was not taken; `fault` and codes of clues are all that may leave the worker."""

    def __init__(self, fault: SealedDelivery.Fault, clues: Sequence[str] = ()) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.clues = list(clues)


def hand_in(
    *,
    task: Task,
    data: bytes,
    now: dt.datetime,
    user: User | None = None,
    show_class_counts: bool = False,
    note: str = "",
) -> SealedDelivery:
    """Keep a file that `heldout seal` wrote until a worker has looked into it. No label of it is seen here.

    Raises
    ------
    GoldRefused
        If it is no such file or one for another task, is sealed to another key than this server's, or misses or adds
        ids of a split that has predictions.
    """
    try:
        file = read_sealed_gold(data)
    except NotSealedGold as error:
        raise GoldRefused(str(error)) from None
    _refuse_misplaced(task, file)
    for slug, ids in {file.split: file.ids, **file.others}.items():
        refuse_other_ids(task, slug, ids)
    return SealedDelivery.objects.create(
        task=task,
        split_slug=file.split,
        sealed=file.box,
        commitment=file.commitment,
        key_fingerprint=file.key_fingerprint,
        ids=list(file.ids),
        other_ids={slug: list(ids) for slug, ids in file.others.items()},
        confirmed_clues=list(file.clues),
        show_class_counts=show_class_counts,
        note=note,
        handed_in_by=user,
        handed_in_at=now,
    )


def _refuse_misplaced(task: Task, file: SealedGold) -> None:
    named, here = f"{file.benchmark}/{file.task}", f"{task.benchmark_id}/{task.slug}"
    if named != here:
        raise GoldRefused(
            f"The file was sealed for {named}, and this is {here}. Choose the other task or file."
        )
    splits = [split.id for split in task.spec.gold_splits]
    if file.split not in splits:
        raise GoldRefused(
            f"The file is for the split {file.split}. Splits with gold labels: {', '.join(splits)}."
        )
    own = key_fingerprint(public_key())
    if file.key_fingerprint != own:
        raise GoldRefused(
            f"The file is sealed to the key {file.key_fingerprint}; this server's is {own}. Run `heldout seal` "
            "again with the key of this server."
        )
    ids = dict.fromkeys(file.ids, file.split) | {
        item: slug for slug, others in file.others.items() for item in others
    }
    for item, slug in ids.items():
        claimed = task.spec.split_of(item)
        if (claimed.id if claimed else file.split) != slug:
            raise GoldRefused("The definition puts some ids of the file into another split. Seal it again.")


def check_deliveries(now: dt.datetime) -> list[SealedDelivery]:
    """Look into what waits, the oldest first, and take or refuse it. Only with a private key."""
    if not has_private_key():
        return []
    waiting = SealedDelivery.objects.filter(status=SealedDelivery.Status.WAITING).order_by("pk")
    return [checked for key in waiting.values_list("pk", flat=True) if (checked := _check(key, now))]


def _check(key: int, now: dt.datetime) -> SealedDelivery | None:
    """One that waited, after it was looked into; None where another worker was faster, or it has to wait."""
    with transaction.atomic():
        rows = SealedDelivery.objects.select_for_update().select_related("task__benchmark")
        delivery = rows.filter(pk=key, status=SealedDelivery.Status.WAITING).first()
        if delivery is None:
            return None
        try:
            with transaction.atomic():
                loaded = _take(delivery, now)
            delivery.status, delivery.gold_version = SealedDelivery.Status.TAKEN, loaded.version
        except KeyMissingError:
            return None
        except Unfit as unfit:
            delivery.status, delivery.fault = SealedDelivery.Status.REFUSED, unfit.fault
            delivery.found_clues = unfit.clues
        except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
            logger.error("looking into %s met an unforeseen %s", delivery, type(error).__name__)  # noqa: TRY400  # no traceback
            return None
        delivery.save(update_fields=["status", "gold_version", "fault", "found_clues"])
    return delivery


def _take(delivery: SealedDelivery, now: dt.datetime) -> Loaded:
    """The version that was made of it. KeyMissingError, Unfit."""
    task, box = delivery.task, bytes(delivery.sealed)
    try:
        salt, labels = open_with_salt(*box_and_key(box, delivery.commitment), delivery.commitment)
    except KeyMissingError:
        raise
    except VaultError as error:
        raise Unfit(Fault(error.code)) from None
    _refuse_unfit(delivery, labels)
    unscored = tuple(set(delivery.ids) - set(labels.ids))
    gold = GoldFile(ItemIds(labels.ids), labels.codes, labels.clusters, labels.groups, unscored)
    clusters = clusters_digest(salt, labels)
    sealed = Sealed(box, delivery.commitment, delivery.key_fingerprint, clusters)
    try:
        check_clues(task, delivery.split_slug, gold, are_confirmed=False)
    except CluesFound as found:
        # The order of the organiser's file is not in the box; whoever sealed it was told of it there.
        codes = {clue.kind for clue in found.clues} - {ClueKind.FILE_ORDER}
        if unconfirmed := sorted(codes - {ClueKind(code) for code in delivery.confirmed_clues}):
            raise Unfit(Fault.CLUES, unconfirmed) from None
    try:
        return keep_sealed(
            task=task,
            gold=gold,
            sealed=sealed,
            others=delivery.other_ids,
            now=now,
            user=delivery.handed_in_by,
            show_class_counts=delivery.show_class_counts,
            note=delivery.note,
            split_slug=delivery.split_slug,
        )
    except GoldRefused:
        raise Unfit(Fault.IDS_FIXED) from None


def _refuse_unfit(delivery: SealedDelivery, labels: GoldLabels) -> None:
    output, form, scored = delivery.task.spec.output, delivery.task.spec.gold, set(labels.ids)
    is_whole = form.empty_labels or len(scored) == len(delivery.ids)
    if not is_whole or list(labels.ids) != [item for item in delivery.ids if item in scored]:
        raise Unfit(Fault.OTHER_IDS)
    if labels.labels != output.gold.labels or tuple(labels.groups) != form.group_columns:
        raise Unfit(Fault.OTHER_LABELS)
    try:
        output.gold.check("answers", labels.codes)
    except ValueError:
        raise Unfit(Fault.UNFIT_ANSWERS) from None
    never = set(output.never_right if output.is_one_label else ())
    if never and any(
        not never.isdisjoint(output.gold.accepted_texts(text))
        for text in set(output.gold.texts(labels.codes))
    ):
        raise Unfit(Fault.UNFIT_ANSWERS)
    groups = labels.clusters
    if (groups is not None) != bool(form.cluster_column):
        raise Unfit(Fault.ONE_CLUSTER)
    is_one_cluster = groups is not None and len(groups) > 1 and bool((groups == groups[0]).all())
    if is_one_cluster or unusable_columns(delivery.task.spec, labels.groups):
        raise Unfit(Fault.ONE_CLUSTER)
