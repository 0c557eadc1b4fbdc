"""The page that puts systems side by side: what it shows, what it refuses in words, and what it keeps to itself."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Team
from benchmarks.models import Benchmark, Phase
from leaderboard.board.model.number_format import MINUS
from leaderboard.models import Page
from leaderboard.publication.services import refresh, refresh_stale
from leaderboard.publication.visibility import hide_names
from leaderboard.querysets import FROZEN
from perf.boards.large_boards import store_large_release
from submissions.models import System
from tests.conftest import NOW, person, the_system, the_toy
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.published import systems_published
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, run_batch, upload

PAGE = "/benchmarks/toy/compare/"


@pytest.fixture
def alder(db: None) -> System:
    return the_alder()


def the_alder() -> System:
    """Made when it is first asked for."""
    found = System.objects.filter(name="Alder").first()
    return found or team_of(person("southerner"), "South", "Alder")[1]


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    phase = the_toy().phases.get()
    upload(the_system(), phase, mood=ONE_WRONG)
    upload(the_alder(), phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)


def get(*systems: Any) -> tuple[int, str]:
    answer = browser_of(None).get(PAGE, {"system": [str(one) for one in systems]})
    return answer.status_code, text_of(answer)


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_what_a_release_has_frozen_is_not_read_for_it(released, system, alder):
    """Of a thousand systems that takes a quarter of a second, and the published board tells all that is needed."""
    get(system.pk, alder.pk)
    with CaptureQueriesContext(connection) as asked:
        get(system.pk, alder.pk)
    assert '"leaderboard_release"."number"' in str(asked.captured_queries)
    assert not [name for name in FROZEN if f'"leaderboard_release"."{name}"' in str(asked.captured_queries)]


def test_two_systems_stand_side_by_side_with_the_numbers_of_the_board(released, system, alder):
    status, page = get(system.pk, alder.pk)
    assert status == 200
    assert f'<th scope="col" class="number"><a href="/systems/{system.pk}/">Larch</a>' in page
    rows = {row["system"]: row["cells"]["mood"]["value"] for row in board()["rows"] if row["team"]}
    first, second = f"{rows['Larch']:.3f}"[1:], f"{rows['Alder']:.3f}"[1:]
    difference = f"{rows['Larch'] - rows['Alder']:.3f}"[1:]
    assert f"Mood F1 macro {first} {second} {MINUS}{difference}" in words(page)
    assert "release 1" in page


def test_it_is_of_the_newest_release_even_after_the_one_before_was_looked_at(released, phase, system, alder):
    assert "release 1" in get(system.pk, alder.pk)[1]
    phase.refresh_from_db()
    upload(alder, phase, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    page = get(system.pk, alder.pk)[1]
    assert "release 2" in page
    assert "release 1" not in page


def test_what_was_uploaded_since_the_release_is_not_seen(released, phase, system, alder):
    before = get(system.pk, alder.pk)
    phase.refresh_from_db()
    upload(alder, phase, at=CUT_OFF)
    assert get(system.pk, alder.pk) == before


def test_without_a_choice_the_first_two_stand_side_by_side(released, system, alder):
    status, page = get()
    assert status == 200
    assert page.count("<select") == 4
    assert f'<option value="{system.pk}" selected>1. Larch (North)</option>' in page
    assert f'<option value="{alder.pk}" selected>' in page


def test_one_system_is_chosen_already_and_another_is_asked_for(released, system):
    for asked in ([system.pk], [system.pk, ""], [system.pk, system.pk]):
        status, page = get(*asked)
        assert status == 200
        assert f'<option value="{system.pk}" selected>' in page
        assert "Choose at least one more system" in page


@pytest.mark.parametrize(
    "unknown", ["larch", "0", "<b>x</b>", "é" * 5000], ids=["name", "zero", "html", "long"]
)
def test_an_unknown_system_is_named_and_the_lists_stay(released, system, unknown):
    status, page = get(system.pk, unknown)
    assert status == 400
    assert "No system of the newest release has the id “" in page
    assert "<b>x" not in page
    assert len(page) < 20_000
    assert f'<option value="{system.pk}" selected>' in page


def test_of_many_systems_the_lists_hold_the_first_or_those_searched_for(phase):
    store_large_release(phase, 300, now=NOW)
    refresh_stale()
    rows = [row for row in board()["rows"] if row["kind"] == "system"]
    first, last = rows[0]["system_id"], rows[-1]["system_id"]
    page = text_of(browser_of(None).get(PAGE, {"system": [first, last]}))
    assert page.count("<option ") == 4 * 52  # fifty, an empty one, and in each what stands last
    assert "The lists hold the first 50 of 300 systems." in words(page)
    page = text_of(browser_of(None).get(PAGE, {"system": [first, last], "q": "system 0123"}))
    assert set(re.findall(r"\d+\. (System \d+) ", page)) >= {"System 0123"}
    assert page.count("<option ") <= 4 * 4
    assert page.count(f'<option value="{first}" selected>') == 1, "what was chosen stays"
    page = text_of(browser_of(None).get(PAGE, {"system": [first, last], "q": "Willow<"}))
    assert "No system or team has “Willow&lt;” in its name" in page


def test_more_than_four_are_too_many(released, phase, system, alder, team):
    phase.refresh_from_db()
    more = [System.objects.create(team=team, name=f"Yew {one}", created_at=NOW) for one in range(3)]
    for one in more:
        upload(one, phase, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    five = [system.pk, alder.pk, *(one.pk for one in more)]
    status, page = get(*five)
    assert status == 400
    assert "5 systems were asked for, and at most 4 fit beside each other. Leave 1 out." in page
    assert get(*five[:4])[0] == 200


def test_before_the_first_release_it_says_so(toy):
    assert browser_of(None).get(PAGE).status_code == 404
    refresh(toy)
    status, page = get()
    assert status == 200
    assert "Nothing has been released yet" in page


def test_an_unknown_benchmark_has_no_such_page(db):
    assert browser_of(None).get("/benchmarks/nothing/compare/").status_code == 404


def test_board_and_pages_of_systems_link_to_it(released, system):
    assert f'href="{PAGE}"' in bytes(Page.objects.get(pk="/benchmarks/toy/").body).decode()
    own = systems_published()[f"/systems/{system.pk}/"].decode()
    assert f'href="{PAGE}?system={system.pk}"' in own


# Anonymous systems


@pytest.fixture
def hidden(toy: Benchmark, system: System, alder: System, team: Team) -> None:
    hide_names(toy)
    upload(system, Phase.objects.get(), mood=ONE_WRONG)
    upload(alder, Phase.objects.get(), mood=HALF_WRONG)
    run_batch(CUT_OFF)


def test_anonymous_systems_are_compared_by_number(hidden, system, alder):
    status, page = get(1, 2)
    assert status == 200
    assert "System 1" in page
    assert "System 2" in page
    for secret in ("Larch", "Alder", "North", "South", str(system.pk), str(alder.pk)):
        assert secret not in page


def test_the_id_of_an_anonymous_system_is_unknown(hidden, system, alder):
    """Else the address would tell whose number it is."""
    status, page = get(system.pk, alder.pk)
    assert status == 400
    assert "<table" not in page
    assert "selected>" not in page
