"""Attack sets: perturbed copies of a test split, with its ids and its gold labels.

The gold labels are copied sealed. What the box holds is bound to nothing but ids and labels, and these are the same,
so the copy opens as the original does and has the same commitment; nothing is opened here.
"""

import datetime as dt
from dataclasses import replace

from django.db import transaction

from accounts.formats.numbers import grouped
from benchmarks.models import Attack, Split, Task, Texts
from benchmarks.services import set_split_ids
from benchmarks.spec import SplitSpec
from scoring.core.attacks import generator_of, perturb
from scoring.file_refusal import FileRefused
from scoring.item_sets.texts import (
    TEST,
    LoadedTexts,
    answered,
    attack_splits,
    load_texts,
    pack,
    read_file,
    refuse_if_answered,
    store,
    texts_of,
)
from scoring.log_entries import log_gold
from scoring.models import GoldVersion, SealedLabels
from submissions.intake.tables.texts import TextsFile
from submissions.uploads.expected_splits import item_ids

LARGEST_SEED = 2**31 - 1


def make_attack(*, task: Task, attack: str, seed: int, now: dt.datetime) -> LoadedTexts:
    """Perturb every text of the test split and keep the result as the texts of the attack's split.

    The same seed again changes nothing.

    Raises
    ------
    FileRefused
        If the definition has no such attack on this task or it is not one that is made here, gold labels or texts
        of the test split are not loaded, or systems have answered the set and its texts would change.
    """
    split = _split_of(task, attack)
    if generator_of(attack) is None:
        raise FileRefused(f"{attack} sets are not made here. Make one elsewhere and upload its texts.")
    if not 0 <= seed <= LARGEST_SEED:
        raise FileRefused(f"{seed} cannot be a seed: give a whole number from 0 to {grouped(LARGEST_SEED)}.")
    test, source = _source(task)
    original = read_file(test, source.csv(), f"{test} texts")
    perturbed = perturb(
        attack,
        ids=item_ids(test.pk, test.ids_sha256).ids,
        columns=original.columns,
        rows=original.rows,
        seed=seed,
    )
    unchanged = (
        f"{grouped(perturbed.untouched)} of {grouped(perturbed.text_count)} texts stay as they are: they "
        "have no word of four letters, or none that could take two errors."
    )
    loaded = _keep(split, test, source, TextsFile(original.columns, perturbed.rows), seed=seed, now=now)
    return replace(loaded, warnings=(unchanged, *loaded.warnings)) if perturbed.untouched else loaded


def upload_attack_texts(
    *, task: Task, attack: str, data: bytes, file_name: str, now: dt.datetime
) -> LoadedTexts:
    """Keep a file as the texts of an attack's split: a paraphrase, or a set that was published elsewhere.

    It has exactly the ids and the columns of the test split's texts.

    Raises
    ------
    FileRefused
        As `make_attack`, and if the file has problems.
    """
    split = _split_of(task, attack)
    test, source = _source(task)
    file = read_file(test, data, file_name)
    if list(file.header) != source.header:
        raise FileRefused(
            f"{file_name}, line 1: The columns are {', '.join(file.header)}; the texts of the test split have "
            f"{', '.join(source.header)}. An attack changes texts, not columns."
        )
    return _keep(split, test, source, file, seed=None, now=now)


def load_texts_of(
    *, task: Task, split_slug: str, data: bytes, file_name: str, now: dt.datetime
) -> LoadedTexts:
    """Keep a file as the texts of a split by its name, whether it is an attack's or not.

    Raises
    ------
    FileRefused
        As `load_texts` and `upload_attack_texts`, and if there is no such split.
    """
    attack = task.spec.split(split_slug).attack
    if attack:
        return upload_attack_texts(task=task, attack=attack, data=data, file_name=file_name, now=now)
    split = task.splits.filter(slug=split_slug).first()
    if split is not None:
        return load_texts(split=split, data=data, file_name=file_name, now=now)
    known = [split.id for split in task.spec.splits]
    unknown = f"{task} has no split “{split_slug}”. It has {', '.join(known)}."
    raise FileRefused(_no_gold(task) if split_slug in known else unknown)


def _no_gold(task: Task) -> str:
    return f"{task} has no gold labels yet. Load them first: their ids are those of the texts."


def follow_test_gold(version: GoldVersion) -> None:
    """Give a new version of the test split's gold labels, and its ids, to the splits that attacks made of it.

    Raises
    ------
    FileRefused
        If systems have answered one of these under other ids.
    """
    for split in attack_splits(version.split.task):
        _follow(version.split, split.slug, version)


def _split_of(task: Task, attack: str) -> SplitSpec:
    split = task.spec.attack_split(attack)
    if split is not None:
        return split
    known = ", ".join(split.attack for split in task.spec.splits if split.attack) or "none"
    raise FileRefused(f"The definition has no attack “{attack}” on {task}. It has {known}.")


def _source(task: Task) -> tuple[Split, Texts]:
    test = task.splits.filter(slug=TEST).first()
    if test is None or not test.gold_versions.exists():
        raise FileRefused(_no_gold(task))
    texts = texts_of(test)
    if texts is None:
        raise FileRefused(f"The test split of {task} has no texts yet. Upload them first.")
    return test, texts


def _keep(
    spec: SplitSpec,
    test: Split,
    source: Texts,
    file: TextsFile,
    *,
    seed: int | None,
    now: dt.datetime,
) -> LoadedTexts:
    """Give the attack's split the test split's ids and gold labels, and these texts."""
    packed = pack(test, file)
    with transaction.atomic():
        locked = Split.objects.select_for_update().get(pk=test.pk)
        if not Texts.objects.filter(pk=source.pk, sha256=source.sha256).exists() or (
            locked.ids_sha256 != test.ids_sha256
        ):
            raise FileRefused("The test split was changed at the same time. Please try again.")
        split = _follow(locked, spec.id, GoldVersion.objects.current().get(split=locked))
        texts = texts_of(split)
        if texts is None or texts.sha256 != packed.sha256:
            refuse_if_answered([split])
            texts = store(split, packed, seed=seed, now=now)
        # A share that was only entered speaks of no samples.
        older = Attack.objects.filter(
            benchmark=test.task.benchmark_id,
            slug=spec.attack,
            sample_count__isnull=False,
            changed_at__lt=texts.made_at,
        )
        log_gold(test.task)
        warning = (
            "The attack's share of correct samples was found out before these texts were there. "
            "Please find it out again."
        )
        return LoadedTexts(texts, (warning,) if older.exists() else ())


def _follow(test: Split, slug: str, gold: GoldVersion) -> Split:
    """The split of that name with the ids of the test split and this version of its gold labels."""
    if answered(test.task.splits.filter(slug=slug).exclude(ids_sha256=test.ids_sha256)):
        raise FileRefused(
            f"Predictions have been accepted for {slug} of {test.task}, with other ids than those of "
            "the test split."
        )
    ids = item_ids(test.pk, test.ids_sha256)
    split = set_split_ids(task=test.task, slug=slug, ids=ids.ids, tokens=ids.tokens_of)
    newest = GoldVersion.objects.current().filter(split=split).first()
    if newest is None or newest.commitment != gold.commitment:
        version = GoldVersion.objects.create(
            split=split,
            number=max(gold.number, GoldVersion.objects.next_number(split.pk)),
            task_version=gold.task_version,
            key_fingerprint=gold.key_fingerprint,
            commitment=gold.commitment,
            remainder_by=gold.remainder_by,
            item_count=gold.item_count,
            class_counts=gold.class_counts,
            note=gold.note,
            loaded_by_id=gold.loaded_by_id,
            loaded_at=gold.loaded_at,
        )
        SealedLabels.objects.create(version=version, ciphertext=gold.sealed.ciphertext)
    return split
