"""The scorer's keys: a ring that opens what older keys were given, and copies for a key that takes over."""

import io
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db import models

from breaking.key_checks import labels_can_be_sealed
from breaking.sealed_columns import SEALED
from scoring.gold.alignment import opened_version
from scoring.gold.box_opening import open_version
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion, SealedCopy, SealedLabels
from submissions.intake.sealing import KeyPair, KeyWrongError, generate_keypair, key_fingerprint, open_sealed
from tests.conftest import NOW, TOY_GOLD
from tests.dump import database_dump
from tests.gold_versions import second_version
from tests.weeks import CUT_OFF, board, run_batch, upload


@pytest.fixture
def ring(settings, tmp_path: Path) -> Path:
    """The folder of a ring, which is empty."""
    folder = tmp_path / "ring"
    folder.mkdir()
    settings.GOLD_KEY_RING = str(folder)
    return folder


def put(ring: Path, pair: KeyPair) -> str:
    fingerprint = key_fingerprint(pair.public)
    (ring / f"{fingerprint}.key").write_text(pair.private + "\n")
    return fingerprint


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


def status_of(*arguments: str) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def newer(toy, ring, settings) -> KeyPair:
    """A new key in the ring, to which new gold labels are sealed; the old one is in its own file."""
    pair = generate_keypair()
    put(ring, pair)
    settings.GOLD_PUBLIC_KEY = pair.public
    return pair


def test_versions_that_were_sealed_to_different_keys_are_all_opened(toy, newer):
    load_gold(task=toy.tasks.get(slug="mood"), data=TOY_GOLD["mood"], file_name="g.csv", now=NOW)

    versions = GoldVersion.objects.filter(split__task__slug="mood")

    assert len({version.key_fingerprint for version in versions}) == 2
    assert len({open_version(version)[1].codes.tobytes() for version in versions}) == 1


def test_a_release_under_an_older_key_is_made_again_with_the_ring(system, phase, newer):
    upload(system, phase)
    run_batch(CUT_OFF)
    opened_version.cache_clear()

    told = command("reproduce", "toy", "1")

    assert "no differences, no failures" in told
    assert board()["release"] == 1


def test_all_that_is_sealed_is_copied_to_the_new_key_and_opens_without_the_old_one(toy, newer, settings):
    fingerprint = key_fingerprint(newer.public)
    before = list(SealedLabels.objects.order_by("pk").values_list("ciphertext", flat=True))

    told = command("reseal", "--to", fingerprint)

    assert "Copied 2 to the key" in told
    assert f"HELDOUT_GOLD_PUBLIC_KEY={newer.public}" in told
    assert list(map(bytes, SealedLabels.objects.order_by("pk").values_list("ciphertext", flat=True))) == list(
        map(bytes, before)
    )
    settings.GOLD_PRIVATE_KEY_FILE = ""
    for version in GoldVersion.objects.all():
        copy = SealedCopy.objects.get(commitment=version.commitment)
        assert open_sealed(bytes(copy.ciphertext), newer.private, version.commitment).ids
        assert open_version(version)[1].ids
    assert status_of("keys", "--check")[0] == 0


def test_resealing_again_changes_nothing(toy, newer):
    fingerprint = key_fingerprint(newer.public)
    command("reseal", "--to", fingerprint)
    copies = list(SealedCopy.objects.values_list("pk", flat=True))

    assert "Copied 0 to the key" in command("reseal", "--to", fingerprint)

    assert list(SealedCopy.objects.values_list("pk", flat=True)) == copies


def test_what_is_damaged_is_named_and_holds_up_nothing_else(toy, newer):
    version = GoldVersion.objects.get(split__task__slug="mood")
    second_version(version, bytes(version.sealed.ciphertext)[:-1], commitment="0" * 64)

    status, told = status_of("reseal", "--to", key_fingerprint(newer.public))

    assert status == 1
    assert "Copied 2" in told
    assert "gold_damaged" in told


def test_a_key_that_is_not_in_the_ring_is_refused(toy, ring):
    with pytest.raises(CommandError, match=r"The ring holds no key 0123456789abcdef"):
        command("reseal", "--to", "0123456789abcdef")


def test_the_private_remainder_stays_the_same_items_after_resealing(toy, newer):
    command("reseal", "--to", key_fingerprint(newer.public))
    task = toy.tasks.get(slug="mood")
    first = GoldVersion.objects.get(split__task=task)

    second = load_gold(task=task, data=TOY_GOLD["mood"], file_name="g.csv", now=NOW).version

    assert second.key_fingerprint != first.key_fingerprint
    assert second.remainder_by == first.remainder_by


def test_neither_keys_nor_labels_stand_in_the_database_after_resealing(toy, newer):
    command("reseal", "--to", key_fingerprint(newer.public))
    assert newer.private.encode() not in database_dump()


def test_a_worker_that_cannot_open_what_is_sealed_fails_the_check_for_deployment(
    toy, settings, ring, tmp_path
):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    put(ring, generate_keypair())
    fingerprint = GoldVersion.objects.earliest("pk").key_fingerprint

    with pytest.raises(SystemCheckError, match=f"2 sealed rows need the key {fingerprint}"):
        call_command("check", deploy=True)
    status, told = status_of("keys", "--check")
    assert status == 1
    assert f"{fingerprint}  NOT HERE" in told
    assert told.count("PROBLEM") == 2, "the key to seal with and the rows, and not each row"
    with pytest.raises(KeyWrongError):
        open_version(GoldVersion.objects.earliest("pk"))


def test_a_public_key_that_is_none_fails_the_check_for_deployment(toy, settings):
    assert not list(labels_can_be_sealed())
    settings.GOLD_PUBLIC_KEY = "foo"
    with pytest.raises(SystemCheckError, match="HELDOUT_GOLD_PUBLIC_KEY is no public key"):
        call_command("check", deploy=True)


def test_a_key_file_under_another_name_is_told(toy, ring):
    (ring / "mine.key").write_text(generate_keypair().private)
    status, told = status_of("keys", "--check")
    assert status == 1
    assert "mine.key: It holds the key " in told


def test_every_column_of_sealed_boxes_is_copied():
    """Whoever adds a column of something sealed names it in `SEALED`, or here as one that holds nothing sealed."""
    plain = {
        "benchmarks.GivenBytes.packed", "benchmarks.ItemRenewal.anchors_packed",
        "benchmarks.ItemRenewal.former_packed", "benchmarks.SplitIds.packed", "benchmarks.Texts.packed",
        "breaking.StarterData.packed",
        "labelling.TaughtRows.packed", "labelling.TrainedWeights.packed",
        "leaderboard.PageBody.packed", "leaderboard.Release.others", "leaderboard.Release.overall",
        "leaderboard.Release.packed_reports", "leaderboard.Release.ranking", "leaderboard.ReleaseHead.board",
        "leaderboard.ReleaseHead.leading", "leaderboard.ReleaseHead.ranked_on", "scoring.OpenedGold.packed",
        "scoring.RunReplicates.packed", "scoring.PairSet.packed", "scoring.SealedCopy.ciphertext",
        # Sealed for the minutes in which it waits; who waits while the key changes is asked to upload it again.
        "leaderboard.Rehearsal.sealed", "leaderboard.Rehearsal.pages",
    }  # fmt: skip
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.BinaryField)
    }
    named = {f"{column.all_rows.model._meta.label}.{column.box}" for column in SEALED}
    assert {name for name in found - plain if not name.startswith("submissions.")} == named
