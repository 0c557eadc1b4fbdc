"""Attack sets: texts of their own, the ids and the sealed gold labels of the test split."""

import csv
import datetime as dt
import io
from typing import Any

import pytest

from accounts.models import User
from benchmarks.models import Benchmark, Split, Task, Texts
from scoring.file_refusal import FileRefused
from scoring.gold.versions import GoldRefused, load_gold
from scoring.item_sets.attacks import load_texts_of, make_attack, upload_attack_texts
from scoring.item_sets.texts import load_texts
from scoring.models import GoldVersion, Score
from scoring.queue.batches import close_due
from scoring.queue.runs import score_all_due
from submissions.intake.sealing import open_sealed
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.attacks import ATTACKED, REWORDED, TEXTS, load_attacked
from tests.conftest import NOW
from tests.groups import labels
from tests.pages import all_rendered
from tests.uploads import zip_of

CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)


@pytest.fixture
def task(sync, gold_keys) -> Task:
    return load_attacked(sync)


def make(task: Task, attack: str = "spelling", seed: int = 7) -> Any:
    return make_attack(task=task, attack=attack, seed=seed, now=NOW)


def upload(task: Task, data: bytes = REWORDED) -> Any:
    return upload_attack_texts(task=task, attack="paraphrase", data=data, file_name="reworded.csv", now=NOW)


def rows_of(texts: Texts) -> dict[str, list[str]]:
    _, *rows = csv.reader(io.StringIO(texts.csv().decode()))
    return {item: cells for item, *cells in rows}


def answer(system: System, task: Task, *names: str) -> None:
    user = User.objects.filter(memberships__team=system.team).first()
    assert user is not None
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=task.benchmark.phases.get(),
            user=user,
            data=zip_of({name: labels() for name in names}),
            file_name="answers.zip",
            received_at=NOW,
        )
    )


@pytest.fixture
def answered(system: System, task: Task) -> Task:
    """Its spelling set has been answered."""
    make(task)
    answer(system, task, "spelling/claims.csv")
    return task


def test_ids_are_those_of_the_test_split_in_its_order(task):
    made = make(task)
    test = task.splits.get(slug="test")
    assert (made.texts.split.ids_sha256, made.texts.split.item_count) == (test.ids_sha256, 4)
    assert list(rows_of(made.texts)) == ["d0", "d1", "d2", "d3"]


def test_every_text_column_is_perturbed(task):
    before, after = rows_of(Texts.objects.get(split__slug="test")), rows_of(make(task).texts)
    assert [old == new for item in before for old, new in zip(before[item], after[item], strict=True)] == [
        False, False, False, True, False, False, False, False,
    ]  # fmt: skip  # “No!” has no word of four letters


def test_texts_left_alone_are_counted(task):
    (warning,) = make(task).warnings
    assert warning.startswith("1 of 8 texts stay as they are")


def test_negation_stands_before_every_sentence(task):
    assert rows_of(make(task, "negation").texts)["d0"] == [
        "false is not true and School days should be longer",
        "false is not true and Parents would welcome that. false is not true and It is cheaper.",
    ]


def test_the_same_seed_again_changes_nothing(task):
    first = make(task).texts
    again = make_attack(task=task, attack="spelling", seed=7, now=CUT_OFF).texts
    assert (again.pk, again.sha256, again.made_at) == (first.pk, first.sha256, NOW)


def test_another_seed_makes_other_texts_as_long_as_nobody_has_answered(task):
    first, second = make(task).texts, make(task, seed=8).texts
    assert first.sha256 != second.sha256
    assert Texts.objects.get(split__slug="spelling").seed == 8


def test_gold_labels_are_the_test_splits_under_the_same_commitment(task, gold_keys):
    make(task)
    test, attacked = (
        GoldVersion.objects.get(split__task=task, split__slug=slug) for slug in ("test", "spelling")
    )
    assert (attacked.commitment, bytes(attacked.sealed.ciphertext)) == (
        test.commitment,
        bytes(test.sealed.ciphertext),
    )
    opened = [
        open_sealed(bytes(one.sealed.ciphertext), gold_keys.private, one.commitment)
        for one in (test, attacked)
    ]
    assert opened[0].codes.tolist() == opened[1].codes.tolist()


def test_predictions_on_an_attack_set_are_scored(system, task):
    make(task)
    answer(system, task, "claims.csv", "spelling/claims.csv")
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    scores = Score.objects.filter(metric="f1_macro").values_list("run__split__slug", "value")
    assert sorted(scores) == [("spelling", 1.0), ("test", 1.0)]


def test_new_gold_of_the_test_split_goes_to_its_attack_sets(task):
    make(task)
    turned = labels("pro con pro con")
    version = load_gold(task=task, data=turned, file_name="gold.csv", now=NOW).version
    attacked = GoldVersion.objects.current().get(split__slug="spelling")
    assert (attacked.number, attacked.commitment) == (2, version.commitment)


def test_a_set_that_is_made_later_has_the_newest_gold(task):
    version = load_gold(task=task, data=labels(), file_name="gold.csv", now=NOW).version
    make(task)
    attacked = GoldVersion.objects.get(split__slug="spelling")
    assert (attacked.number, attacked.commitment) == (2, version.commitment)


def test_making_a_set_again_adds_no_gold(task):
    make(task)
    make(task, seed=8)
    assert GoldVersion.objects.filter(split__slug="spelling").count() == 1


def test_a_made_set_has_the_pages_rendered_anew(task):
    all_rendered()
    make(task)
    assert Benchmark.objects.stale().exists()


def test_an_uploaded_paraphrase_gets_ids_and_gold_alike(task):
    texts = upload(task).texts
    assert (texts.split.slug, texts.seed) == ("reworded", None)
    assert rows_of(texts)["d1"] == ["The school day ought to grow", "Never!"]
    assert GoldVersion.objects.filter(split=texts.split).count() == 1


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (REWORDED.replace(b"d3,", b"d9,"), "reworded.csv, line 2, column id: “d9” is not an id"),
        (REWORDED.replace(b"d1,", b"d2,"), "reworded.csv, line 4, column id: The id “d2” stands on line 3"),
        (
            REWORDED.replace(b"claim,text", b"text,claim"),
            "reworded.csv, line 1: The columns are id, text, claim",
        ),
    ],
)
def test_a_paraphrase_of_other_ids_or_columns_is_refused(task, data, told):
    with pytest.raises(FileRefused) as refused:
        upload(task, data)
    assert told in str(refused.value)
    assert not Split.objects.filter(slug="reworded").exists()


@pytest.mark.parametrize(
    ("attack", "seed", "told"),
    [
        ("paraphrase", 7, "paraphrase sets are not made here."),
        ("shouting", 7, "no attack “shouting” on debates/claims. It has spelling, negation, paraphrase."),
        ("spelling", -1, "-1 cannot be a seed"),
        ("spelling", 2**31, "2147483648 cannot be a seed"),
    ],
)
def test_what_cannot_be_made_is_refused(task, attack, seed, told):
    with pytest.raises(FileRefused) as refused:
        make(task, attack, seed)
    assert told in str(refused.value)


def test_nothing_is_made_without_texts(sync, gold_keys):
    with pytest.raises(FileRefused, match="The test split of debates/claims has no texts yet"):
        make(load_attacked(sync, with_texts=False))


def test_nothing_is_made_without_gold(sync):
    with pytest.raises(FileRefused, match="debates/claims has no gold labels yet"):
        make(sync(ATTACKED).tasks.get(slug="claims"))


@pytest.mark.parametrize("split", ["test", "reworded"])
def test_no_texts_are_loaded_without_gold(sync, split):
    task = sync(ATTACKED).tasks.get(slug="claims")
    with pytest.raises(FileRefused, match="debates/claims has no gold labels yet"):
        load_texts_of(task=task, split_slug=split, data=TEXTS, file_name="texts.csv", now=NOW)


def test_texts_that_systems_have_answered_stay(answered):
    before = Texts.objects.get(split__slug="spelling").sha256
    with pytest.raises(FileRefused, match=r"Predictions have been accepted for spelling: .*“spelling-2”"):
        make(answered, seed=8)
    assert Texts.objects.get(split__slug="spelling").sha256 == before


def test_the_texts_that_an_answered_set_was_made_of_stay(answered):
    test = answered.splits.get(slug="test")
    with pytest.raises(FileRefused, match="Predictions have been accepted for spelling"):
        load_texts(split=test, data=TEXTS.replace(b"No!", b"Yes!"), file_name="texts.csv", now=NOW)


def test_an_answered_set_may_be_made_again_as_it_was(answered):
    assert make(answered).texts.seed == 7


def test_the_ids_of_an_answered_set_are_fixed_for_the_test_split_too(answered):
    with pytest.raises(GoldRefused, match="its ids are fixed"):
        load_gold(task=answered, data=labels("con pro con"), file_name="gold.csv", now=NOW)


def test_other_texts_take_back_what_was_made_of_the_earlier_ones(task):
    make(task)
    test = task.splits.get(slug="test")
    loaded = load_texts(split=test, data=TEXTS.replace(b"No!", b"Yes!"), file_name="texts.csv", now=NOW)
    assert "make or upload them again: spelling" in loaded.warnings[0]
    assert not Texts.objects.filter(split__slug="spelling").exists()


def test_other_ids_take_back_all_texts(task):
    make(task)
    loaded = load_gold(task=task, data=labels("con pro con"), file_name="gold.csv", now=NOW)
    assert "these texts were taken back: spelling, test" in loaded.warnings[-1]
    assert not Texts.objects.exists()
    assert Split.objects.get(task=task, slug="spelling").item_count == 3


def test_the_same_ids_in_another_order_keep_the_texts(task):
    make(task)
    header, *rows = labels().splitlines(keepends=True)
    load_gold(task=task, data=header + b"".join(reversed(rows)), file_name="gold.csv", now=NOW)
    assert Texts.objects.count() == 2
    assert make(task).warnings  # they can still be read


def test_an_attack_of_the_same_kind_is_made_with_a_number(sync, gold_keys):
    load_attacked(sync)
    listed = "{id: negation, title: Negation, correct"
    splits = "splits: [{id: test, title: Test},"
    more = ATTACKED.replace(listed, "{id: spelling-2, title: Errors}, " + listed)
    more = more.replace(splits, splits + " {id: spelling-2, title: Errors, attack: spelling-2},")
    task = sync(more).tasks.get(slug="claims")
    assert make(task, "spelling-2", seed=8).texts.split.slug == "spelling-2"
