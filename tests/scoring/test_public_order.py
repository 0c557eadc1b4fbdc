"""Public ids stand in an order that follows from the ids alone; that of a gold file, which can tell all, is nowhere."""

import json
import random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.item_order import in_public_order
from benchmarks.models import Benchmark
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import load_texts
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
