"""Loading gold labels: strict, sealed at once, and never at odds with predictions that were accepted."""

from typing import Any

import pytest

from benchmarks.models import Benchmark, Phase, Split, Task
from scoring.gold.versions import GoldRefused, Loaded, load_gold
from scoring.models import GoldVersion, Score, ScoringRun
from submissions.intake import read_gold_file
from submissions.intake.sealing import KeyPair, open_sealed, open_with_salt, verify_commitment
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.weeks import CUT_OFF, WEEK, board, run_batch, upload

pytestmark = pytest.mark.postgres


@pytest.fixture
def mood(toy: Benchmark) -> Task:
    return toy.tasks.get(slug="mood")


def load(task: Task, data: bytes, **more: Any) -> Loaded:
    return load_gold(task=task, data=data, file_name="gold.csv", now=NOW, **more)


CORRECTED = TOY_GOLD["mood"].replace(b"m6,bad", b"m6,good")
REORDERED = b"ID,Label\nm6,bad\nm5,good\nm4,bad\nm3,bad\nm2,good\nm1,good\n"


def test_what_is_sealed_can_be_opened_with_the_private_key_alone(mood, keypair: KeyPair):
    version = GoldVersion.objects.get(split__task=mood)

    gold = open_sealed(bytes(version.sealed.ciphertext), keypair.private, version.commitment)

    assert [gold.labels[code] for code in gold.codes] == ["good", "good", "bad", "bad", "good", "bad"]


def test_the_published_commitment_can_be_verified_once_gold_is_opened(mood, keypair: KeyPair):
    version = GoldVersion.objects.get(split__task=mood)
    sealed = bytes(version.sealed.ciphertext)

    salt, gold = open_with_salt(sealed, keypair.private)

    assert verify_commitment(salt, gold, version.commitment)


def test_the_same_gold_labels_never_look_the_same_twice(mood):
    first = GoldVersion.objects.get(split__task=mood)
    second = load(mood, TOY_GOLD["mood"]).version
    assert (first.commitment, bytes(first.sealed.ciphertext)) != (
        second.commitment,
        bytes(second.sealed.ciphertext),
    )


def test_class_counts_stay_unknown_unless_the_organiser_shows_them(mood):
    assert GoldVersion.objects.get(split__task=mood).class_counts is None
    assert load(mood, TOY_GOLD["mood"], show_class_counts=True).version.class_counts == {"bad": 3, "good": 3}


def test_without_a_key_nothing_is_loaded(mood, settings):
    settings.GOLD_PUBLIC_KEY = ""
    with pytest.raises(GoldRefused, match="HELDOUT_GOLD_PUBLIC_KEY"):
        load(mood, TOY_GOLD["mood"])


def test_a_refusal_names_the_line_and_no_label_of_the_file(mood):
    with pytest.raises(GoldRefused) as refused:
        load(mood, TOY_GOLD["mood"].replace(b"m4,bad", b"m4,CANARY"))

    text = "\n".join(refused.value.sentences)
    assert "line 5" in text
    assert "CANARY" not in text


def test_a_refused_file_changes_nothing(mood):
    with pytest.raises(GoldRefused):
        load(mood, b"ID,Label\nm1,good\nm1,bad\n")
    assert GoldVersion.objects.filter(split__task=mood).count() == 1


def test_a_file_of_another_size_than_stated_is_taken_with_a_warning(mood):
    (warning,) = load(mood, b"ID,Label\nm1,good\nm2,bad\n").warnings
    assert "6 test items" in warning
    assert "2" in warning


def test_before_the_first_upload_gold_may_have_other_ids(mood):
    load(mood, b"ID,Label\nn1,good\nn2,bad\n")
    assert Split.objects.get(task=mood).ids_text() == b"n1\nn2"


@pytest.mark.parametrize("row", [b"", b"m6,bad\nm7,good\n", b"m9,bad\n"])
def test_after_the_first_upload_gold_must_answer_the_same_ids(system, phase, mood, row):
    upload(system, phase)
    with pytest.raises(GoldRefused, match="its ids are fixed"):
        load(mood, TOY_GOLD["mood"].replace(b"m6,bad\n", row))


def test_reordered_gold_is_put_in_the_order_of_the_predictions(system, phase, mood):
    upload(system, phase)
    load(mood, REORDERED)

    run_batch(CUT_OFF)

    assert board()["rows"][0]["cells"]["mood"]["value"] == 1.0


def test_gold_reordered_before_the_first_upload_scores_right_too(system, phase, mood):
    load(mood, REORDERED)
    upload(system, phase)

    run_batch(CUT_OFF)

    assert board()["rows"][0]["cells"]["mood"]["value"] == 1.0


def test_corrected_gold_rescores_what_is_published_in_the_next_release(system, phase: Phase, mood):
    upload(system, phase)
    run_batch(CUT_OFF)
    load(mood, CORRECTED)

    run_batch(CUT_OFF + WEEK)

    assert board("/benchmarks/toy/releases/1.json")["rows"][0]["cells"]["mood"]["value"] == 1.0
    assert board()["release"] == 2
    assert board()["rows"][0]["cells"]["mood"]["value"] < 1.0


def test_corrected_gold_leaves_old_scores_in_place(system, phase, mood):
    upload(system, phase)
    run_batch(CUT_OFF)
    before = list(Score.objects.order_by("pk").values())
    load(mood, CORRECTED)

    run_batch(CUT_OFF + WEEK)

    assert list(Score.objects.order_by("pk").values())[: len(before)] == before
    assert ScoringRun.objects.filter(split__task=mood).count() == 2
    assert ScoringRun.objects.exclude(split__task=mood).count() == 1


def test_gold_and_uploads_are_read_by_the_same_rules(mood):
    assert read_gold_file(TOY_GOLD["mood"], file_name="gold.csv", task=mood.spec).content is not None
    assert read_gold_file(TOY_GOLD["colour"], file_name="gold.csv", task=mood.spec).content is None


STATING = TOY_DEFINITION.replace("test_size: 6,", "rarest_label_share: 0.3, MORE,").replace(
    "metrics: [{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}]",
    "metrics: [{name: f1_macro, title: F1 macro}]",
)
RARE = [at < 200 for at in range(2_000)]
THREADED = "gold_file: {path: m.csv, id_column: ID, label_column: Label, columns: [ID, Of, Label], cluster_column: Of}"
SUBSET = (
    "output: {kind: label_subset}, metrics: [{name: f1_bad, title: F1}], file: {path: m.csv, dialect: csv, "
)
RARER_FILES = {
    "a label": (
        "licence: CC0",
        ["ID,Label", *(f"i{at},{'bad' if has else 'good'}" for at, has in enumerate(RARE))],
    ),
    "a set of labels": (
        f"{SUBSET}columns: [ID, bad, good], id_column: ID}}",
        ["ID,bad,good", *(f"i{at},{int(has)},1" for at, has in enumerate(RARE))],
    ),
    # Of 2,000 items 800 have the rarer label, which is plenty if they are drawn one by one, and not by the hundred.
    "whole clusters": (
        THREADED,
        ["ID,Of,Label", *(f"i{at},{at // 100},{'bad' if at < 800 else 'good'}" for at in range(2_000))],
    ),
}


@pytest.mark.parametrize(("more", "lines"), RARER_FILES.values(), ids=RARER_FILES)
def test_labels_that_are_rarer_than_the_noise_of_a_phase_relies_on_are_refused(sync, gold_keys, more, lines):
    task = sync(STATING.replace("MORE", more)).tasks.get(slug="mood")
    with pytest.raises(GoldRefused, match="have the label bad, which is less, or so near to it"):
        load(task, "\n".join(lines).encode(), confirm_clues=True)


def test_labels_that_are_as_frequent_as_stated_are_loaded(sync, gold_keys):
    task = sync(STATING.replace("MORE", "licence: CC0")).tasks.get(slug="mood")
    lines = [f"i{at},{'bad' if at % 2 else 'good'}" for at in range(2_000)]
    assert (
        load(task, "\n".join(["ID,Label", *lines]).encode(), confirm_clues=True).version.item_count == 2_000
    )
