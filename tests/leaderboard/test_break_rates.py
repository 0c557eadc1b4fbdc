"""How often pairs of each kind of change break systems, once gold labels are public."""

import csv
import io
from dataclasses import replace

import pytest
from django.test import Client

from accounts.formats.numbers import percent
from benchmarks.models import Benchmark
from breaking.models import BreakerSet
from breaking.sets.phase_close import open_what_is_over
from leaderboard.publication.services import refresh_stale
from scoring.core.uncertainty.intervals import share_interval
from submissions.models import System
from tests.broken import NORTH, SOUTH, answer, make_set, run
from tests.games import AFTERWARDS, make_games
from tests.leaderboard.test_item_pages import words_of
from tests.pages import text_of

pytestmark = pytest.mark.django_db

ITEMS = "/benchmarks/games/items/tone"
KINDS = (replace(NORTH[0], category="verbs"), replace(NORTH[1], category="negation"))
# Broken by the first pair of North and by that of South.
LARCH = {
    "tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"},
    "tone_south.csv": {"12_a": "-1", "12_b": "-1"},
}


@pytest.fixture
def games(sync, gold_keys) -> Benchmark:
    return make_games(sync)


def publish(games: Benchmark, system: System) -> None:
    answer(system, games, LARCH)
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    refresh_stale()


def test_break_rates_of_each_kind_and_system_stand_on_the_page_of_the_pairs(games, system):
    make_set(games, "north", KINDS)
    make_set(games, "south", [replace(SOUTH[0], category="verbs")])
    publish(games, system)
    page = words_of(text_of(Client().get(f"{ITEMS}/")))
    ends, none = share_interval(2, 2), share_interval(0, 1)
    assert f"verbs 2 100 % 100 % {percent(ends.low, 0)} to {percent(ends.high, 0)}" in page
    assert f"negation 1 0 % 0 % {percent(none.low, 0)} to {percent(none.high, 0)}" in page
    assert "verbs · breaks 1 of 1 system" in words_of(text_of(Client().get(f"{ITEMS}/north/")))
    table = Client().get(f"{ITEMS}.json").json()
    assert [(one["category"], one["pairs"], one["share"]) for one in table["categories"]] == [
        ("verbs", 2, 1.0),
        ("negation", 1, 0.0),
    ]
    assert table["categories"][0]["systems"] == [
        {"broken": 2, "answered": 2, "share": 1.0, "low": ends.low, "high": ends.high}
    ]
    rows = list(csv.DictReader(io.StringIO(text_of(Client().get(f"{ITEMS}/categories.csv")))))
    assert [(row["category"], row["system"], row["broken"]) for row in rows] == [
        ("verbs", "Larch", "2"),
        ("negation", "Larch", "0"),
    ]


def test_withdrawn_sets_and_pairs_without_a_kind_are_told_apart(games, system):
    make_set(games, "north", [KINDS[0], NORTH[1]])
    made = make_set(games, "south", [replace(SOUTH[0], category="verbs")])
    BreakerSet.objects.filter(pk=made.pk).update(withdrawn_at=AFTERWARDS, withdrawal_reason="A mistake.")
    publish(games, system)
    table = Client().get(f"{ITEMS}.json").json()
    assert [(one["category"], one["pairs"]) for one in table["categories"]] == [("verbs", 1), (None, 1)]


def test_a_file_without_kinds_changes_no_page(games, system):
    make_set(games, "north", NORTH)
    make_set(games, "south", SOUTH)
    publish(games, system)
    assert "Break rates by kind" not in text_of(Client().get(f"{ITEMS}/"))
    assert Client().get(f"{ITEMS}/categories.csv").status_code == 404
    assert Client().get(f"{ITEMS}.json").json()["categories"] == []
