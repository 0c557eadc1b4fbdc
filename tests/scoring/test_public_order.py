"""Public ids stand in an order that follows from the ids alone; that of a gold file, which can tell all, is nowhere."""

from __future__ import annotations

import json
import random
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import QuerySet

from benchmarks.item_order import in_public_order
from benchmarks.models import Benchmark, Split, Texts
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.gold.opening import open_gold
from scoring.gold.sealing import KeyPair, open_sealed
from scoring.gold.versions import load_gold
from scoring.item_sets.attacks import make_attack
from scoring.item_sets.texts import load_texts
from scoring.models import GoldVersion, Score
from submissions.models import Predictions, Submission
from tests.api.conftest import UPLOADS, client_of
from tests.conftest import NOW, TOY_DEFINITION
from tests.kinds import ITEMS, drawn, file_of, make_kinds, send_kinds
from tests.pages import read
from tests.quiz import new_system
from tests.weeks import CUT_OFF, WEEK, run_batch

COUNT = 200
ONE_TASK = TOY_DEFINITION.replace("test_size: 6", f"test_size: {COUNT}").replace(
    "files: complete", "files: any"
)
IDS = [f"{draw:06x}" for draw in random.Random(8).sample(range(16**6), COUNT)]
LABELS = dict(zip(IDS, ["bad"] * 93 + ["good"] * 107, strict=True))


def told(benchmark: Benchmark, order: list[str], api, system) -> dict[str, str]:
    """All that goes through the ids one by one, once gold labels and texts were loaded in that order."""
    gold = "ID,Label\n" + "".join(f"{item},{LABELS[item]}\n" for item in order)
    split = load_gold(
        task=benchmark.tasks.get(slug="mood"), data=gold.encode(), file_name="gold.csv", now=NOW
    ).version.split
    texts = "id,text\n" + "".join(f"{item},Text of {item}\n" for item in order)
    load_texts(split=split, data=texts.encode(), file_name="texts.csv", now=NOW)
    browser = client_of(None)
    incomplete = SimpleUploadedFile("mood.csv", f"ID,Label\n{IDS[0]},bad\n".encode())
    form = {"system": str(system.pk), "phase": "toy/main", "task": "mood", "file": incomplete}
    return {
        "ids": json.dumps(browser.get("/api/v1/benchmarks/toy/tasks/mood/ids/").json()["ids"]),
        "texts": read(browser.get("/benchmarks/toy/texts/mood/test.csv")).decode(),
        "sample": read(browser.get("/benchmarks/toy/samples/main/mood/")).decode(),
        "problems": json.dumps(api.post(UPLOADS, form).json()["problems"]),
    }


def test_whatever_order_a_gold_file_has_the_same_is_public(sync, gold_keys, owner, system):
    benchmark, api = sync(ONE_TASK), client_of(owner)
    shuffled = random.Random(1).sample(IDS, COUNT)

    by_label, mixed = told(benchmark, IDS, api, system), told(benchmark, shuffled, api, system)

    assert by_label == mixed
    assert "missing" in by_label["problems"]
    assert all(IDS[1] in text for name, text in by_label.items() if name != "problems")


def test_who_guesses_labels_by_the_place_of_their_ids_finds_no_more_than_by_chance(sync, gold_keys, client):
    gold = "ID,Label\n" + "".join(f"{item},{label}\n" for item, label in LABELS.items())
    load_gold(task=sync(ONE_TASK).tasks.get(slug="mood"), data=gold.encode(), file_name="gold.csv", now=NOW)

    ids = client.get("/api/v1/benchmarks/toy/tasks/mood/ids/").json()["ids"]

    right = sum(LABELS[item] == ("bad" if at < COUNT / 2 else "good") for at, item in enumerate(ids))
    assert abs(right - COUNT / 2) < 25


def test_people_find_ids_where_they_look_for_them():
    assert in_public_order(["q10", "q9", "09", "9", "10_a", "a"]) == ["09", "9", "10_a", "a", "q9", "q10"]


@pytest.mark.parametrize(("ids", "is_told"), [(IDS, False), ([f"s{at}" for at in range(COUNT)], True)])
def test_ids_that_were_numbered_label_by_label_are_told_to_the_organiser(sync, gold_keys, ids, is_told):
    gold = "ID,Label\n" + "".join(
        f"{item},{label}\n" for item, label in zip(ids, LABELS.values(), strict=True)
    )

    loaded = load_gold(
        task=sync(ONE_TASK).tasks.get(slug="mood"), data=gold.encode(), file_name="gold.csv", now=NOW
    )

    assert any("tell of the labels" in warning for warning in loaded.warnings) == is_told


# A database from before ids had a public order.


@pytest.fixture
def before(sync, gold_keys, system, monkeypatch) -> Benchmark:
    """Every kind of answer, scored and released; ids, texts and predictions in the order of the gold files."""
    with monkeypatch.context() as patch:
        patch.setattr("benchmarks.services.in_public_order", list)
        benchmark = make_kinds(sync)
        make_attack(task=benchmark.tasks.get(slug="thread"), attack="spelling", seed=1, now=NOW)
    send_kinds(benchmark, system, 1)
    send_kinds(benchmark, system, 2, at=NOW + WEEK / 168)
    run_batch(CUT_OFF)
    assert all(split.ids_text().decode().split("\n") == ITEMS for split in Split.objects.all())
    return benchmark


def released(release: Release) -> QuerySet[Score]:
    return Score.objects.filter(run__in=release.cells.values("score__run"))


def values_of(system: str, gold_version: int = 1) -> dict[str, float | None]:
    """What the first answers of a system scored."""
    first = Submission.objects.filter(system__name=system).earliest("received_at")
    scores = Score.objects.filter(run__submission=first, run__gold_version__number=gold_version)
    return {f"{one.run.split} {one.metric}": one.value for one in scores.select_related("run__split__task")}


def migrate() -> None:
    migration = import_module("submissions.migrations.0006_public_order")
    state = MigrationLoader(connection).project_state()  # the tables are those of today
    migration.put_in_public_order(state.apps, SimpleNamespace(connection=connection))


@pytest.fixture
def after(before) -> Benchmark:
    migrate()
    return before


def test_ids_and_texts_that_stood_in_the_order_of_a_gold_file_are_put_in_public_order(after):
    assert {split.ids_text().decode() for split in Split.objects.all()} == {"\n".join(in_public_order(ITEMS))}
    for texts in Texts.objects.all():
        assert [line.split(",")[0] for line in texts.csv().decode().split("\n")[1:-1:2]] == in_public_order(
            ITEMS
        )
    (changed,) = Texts.objects.filter(split__slug="test")
    assert '1_a,"Said of 1_a,\nin two lines"\n' in changed.csv().decode()


def test_predictions_go_with_their_ids(after):
    first = Submission.objects.earliest("received_at")

    again = send_kinds(after, first.system, 1)

    assert again == first  # the same content is known again


def test_what_was_released_is_made_again_to_the_last_bit(before):
    (release,) = Release.objects.select_related("benchmark", "phase", "batch")
    differed = reproduce(release).differences
    migrate()

    made = reproduce(release)

    assert made.scores.differences == made.scores.left_out == []
    assert made.scores.score_count == released(release).count() == 12
    assert made.differences == differed


def test_the_same_gold_labels_loaded_again_give_the_same_scores(after):
    earlier = values_of("Larch")
    for task in after.tasks.all():
        gold = file_of(task.slug, drawn(task.slug, 0), is_gold=True)
        load_gold(task=task, data=gold, file_name="gold", now=NOW)

    run_batch(CUT_OFF + WEEK)

    assert values_of("Larch", 2) == pytest.approx(earlier, abs=1e-12)


def test_the_commitment_of_gold_labels_from_before_still_holds(after, keypair: KeyPair):
    version = GoldVersion.objects.get(split__task__slug="number", split__slug="test")

    opened = open_gold(version=version, now=CUT_OFF)

    assert open_sealed(bytes(version.sealed), keypair.private, version.commitment).ids == tuple(ITEMS)
    assert opened.csv().decode().split("\n")[1].split(",") == [ITEMS[0], drawn("number", 0)[0]]


def test_what_comes_in_later_is_scored_beside_what_came_in_before(after):
    send_kinds(after, new_system("Oak"), 1, at=CUT_OFF + WEEK / 2)

    run_batch(CUT_OFF + WEEK)

    assert values_of("Oak") == values_of("Larch")


def test_putting_in_order_twice_changes_nothing(after):
    stood = list(Predictions.objects.order_by("pk").values_list("sha256", "alignment_sha256"))

    migrate()

    assert list(Predictions.objects.order_by("pk").values_list("sha256", "alignment_sha256")) == stood
