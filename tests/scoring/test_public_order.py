"""Public ids stand in an order that follows from the ids alone; that of a gold file, which can tell all, is nowhere."""

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.models import Benchmark
from benchmarks.spec.item_order import in_public_order
from scoring.gold.versions import GoldRefused, Loaded, load_gold
from scoring.item_sets.texts import load_texts
from scoring.models import GoldVersion
from tests.api.conftest import UPLOADS, client_of
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import read

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
        task=benchmark.tasks.get(slug="mood"),
        data=gold.encode(),
        file_name="gold.csv",
        now=NOW,
        confirm_clues=True,
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
    load(sync(ONE_TASK), IDS, confirm_clues=True)

    ids = client.get("/api/v1/benchmarks/toy/tasks/mood/ids/").json()["ids"]

    right = sum(LABELS[item] == ("bad" if at < COUNT / 2 else "good") for at, item in enumerate(ids))
    assert abs(right - COUNT / 2) < 25


def test_people_find_ids_where_they_look_for_them():
    assert in_public_order(["q10", "q9", "09", "9", "10_a", "a"]) == ["09", "9", "10_a", "a", "q9", "q10"]


def load(benchmark: Benchmark, ids: Iterable[str], **more: Any) -> Loaded:
    rows = zip(ids, LABELS.values(), strict=True)
    gold = "ID,Label\n" + "".join(f"{item},{label}\n" for item, label in rows)
    task = benchmark.tasks.get(slug="mood")
    return load_gold(task=task, data=gold.encode(), file_name="gold.csv", now=NOW, **more)


def test_ids_that_were_numbered_label_by_label_are_not_loaded_unless_that_is_confirmed(sync, gold_keys):
    benchmark, numbered = sync(ONE_TASK), [f"s{at}" for at in range(COUNT)]

    with pytest.raises(GoldRefused) as refused:
        load(benchmark, numbered)

    told = "\n".join(refused.value.sentences)
    assert "the number in an item's id guesses 199 of 200 labels right; 107 without it" in told
    assert "--confirm-clues" in told
    assert not GoldVersion.objects.exists()
    loaded = load(benchmark, numbered, confirm_clues=True)
    assert "id_number" in loaded.clues
    assert "id_number" in loaded.sentence


def test_labels_that_were_published_before_may_be_told_by_anything(sync, gold_keys):
    public = sync(ONE_TASK.replace(f"test_size: {COUNT}", f"test_size: {COUNT}, gold: public"))

    loaded = load(public, [str(number) for number in range(COUNT)])

    assert (loaded.clues, loaded.version.item_count) == ((), COUNT)


def test_labels_that_nothing_tells_of_are_loaded_without_a_word(sync, gold_keys):
    benchmark = sync(ONE_TASK)
    rows = random.Random(3).sample(sorted(LABELS.items()), COUNT)
    gold = "ID,Label\n" + "".join(f"{item},{label}\n" for item, label in rows)

    loaded = load_gold(
        task=benchmark.tasks.get(slug="mood"), data=gold.encode(), file_name="gold.csv", now=NOW
    )

    assert (loaded.clues, loaded.warnings) == ((), ())


def test_texts_that_are_public_already_are_held_against_new_labels(sync, gold_keys):
    benchmark = sync(ONE_TASK)
    mixed = random.Random(3).sample(IDS, COUNT)
    loaded = load(benchmark, mixed, confirm_clues=True)  # labels of other items: nothing goes with the texts
    texts = "id,text\n" + "".join(f"{item},{'x' * (90 if LABELS[item] == 'bad' else 30)}\n" for item in mixed)
    load_texts(split=loaded.version.split, data=texts.encode(), file_name="texts.csv", now=NOW)
    gold = "ID,Label\n" + "".join(f"{item},{LABELS[item]}\n" for item in mixed)

    with pytest.raises(GoldRefused, match="how long an item's text is guesses 200 of 200 labels"):
        load_gold(task=benchmark.tasks.get(slug="mood"), data=gold.encode(), file_name="gold.csv", now=NOW)
