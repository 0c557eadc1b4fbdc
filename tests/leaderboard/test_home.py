"""The home page: who leads each benchmark, what is new, and how long there is left."""

import datetime as dt
import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.models import Benchmark, Phase
from leaderboard.models import HomeLine, Page
from leaderboard.pages import benchmark_pages
from leaderboard.pages.benchmark_pages import front_pages
from leaderboard.publication.services import refresh
from scoring.gold.versions import load_gold
from submissions.models import System
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.weeks import CUT_OFF, HALF_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.thorough


def page(path: str = "/") -> str:
    return bytes(Page.objects.get(pk=path).body).decode()


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.fixture
def released(phase: Phase, system: System) -> None:
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)


def test_it_says_who_leads_how_many_there_are_and_when_the_next_cut_off_is(released):
    text = words(page())
    assert "Larch North is first 1 system; release 1 of Toy , 23 Nov 2026" in text
    assert re.search(r"Overall, .*macro.* Larch \.\d{3}", text)
    assert "Next cut-off Mon 30 Nov 2026, 00:00 UTC" in text
    assert "New in release" not in text


def test_from_the_second_release_on_it_says_what_is_new(released, phase, team):
    fir = System.objects.create(team=team, name="Fir", created_at=NOW)
    phase.refresh_from_db()
    upload(fir, phase, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert "New in release 2: Fir of North is new at rank 1" in words(page())


def test_a_release_that_changes_nothing_is_said_to(released, phase):
    phase.refresh_from_db()
    upload(
        System.objects.get(), phase, mood="bad good bad good bad bad", at=CUT_OFF
    )  # as many wrong of each class
    run_batch(CUT_OFF + WEEK)
    assert "New in release 2: the same scores as in release 1." in words(page())


def test_before_the_first_release_there_is_none_yet(toy):
    refresh(toy)
    text = words(page())
    assert "No release yet" in text
    assert "is first" not in text


def test_it_says_why_to_believe_it_and_strangers_have_no_submissions_in_the_menu(released):
    assert "Why believe it" in page()
    assert "My submissions" not in page()
    assert "Overall, mean of F1 macro" in words(page()), "no score without its measure"


def test_it_has_a_search_field(toy):
    refresh(toy)
    assert '<form class="search" role="search" method="get" action="/search/">' in page()


def test_a_new_server_has_a_home_before_anything_was_published(client, db):
    assert not Page.objects.exists()
    answer = client.get("/")
    assert answer.status_code == 200
    assert "No benchmark is public yet" in answer.content.decode()


# Closed


@pytest.fixture
def closed(toy: Benchmark, phase: Phase, system: System) -> None:
    upload(system, phase)
    Phase.objects.update(closes_at=CUT_OFF)
    run_batch(CUT_OFF)


def test_a_benchmark_that_takes_nothing_any_more_is_closed(closed):
    assert "Submissions closed 23 Nov 2026" in words(page())
    assert "Next cut-off" not in page()


def test_its_board_says_since_when_instead_of_asking_for_submissions(closed):
    for path in ("/benchmarks/toy/", "/benchmarks/toy/tasks/mood/"):
        board = page(path)
        assert "Release 1 , 23 Nov 2026 · closed 23 Nov 2026" in words(board)
        assert 'href="/submit/?benchmark=toy"' not in board


def test_an_open_board_asks_for_submissions(released):
    assert 'href="/submit/?benchmark=toy"' in page("/benchmarks/toy/")
    assert "closed" not in words(page("/benchmarks/toy/"))


def test_the_permanent_page_does_not_say_what_may_change(closed):
    assert "closed" not in words(page("/benchmarks/toy/releases/1/"))


# Pictures


def test_the_first_three_are_drawn_with_their_intervals_over_the_human_estimate(released, phase, team):
    text = page()
    assert 'aria-label="95 % interval' in text
    assert text.count('<svg class="px"') == 2  # the axis, and the one system


def test_a_benchmark_without_an_overall_score_says_who_is_first_in_how_many_rankings(toy, sync, system):
    average = re.compile(r"^averages: .*$", re.MULTILINE)
    toy = sync(average.sub("averages: []", TOY_DEFINITION).replace("overall: 0.75, ", ""))
    upload(system, toy.phases.get(), mood=HALF_WRONG)
    run_batch(CUT_OFF)
    text = words(page())
    assert "Larch is first in 2 of 2, surely in none. No overall score" in text
    assert re.search(r"Mood, F1 macro .*Larch \.\d{3}", text)


# Many


def titles() -> list[str]:
    return re.findall(r"<h2><a [^>]*>(\w+)<", page())


@pytest.fixture
def many(toy: Benchmark, released: None, sync: Callable[[str], Benchmark]) -> list[Benchmark]:
    """Four benchmarks of which *Toy* alone has a release: the second is scored a day before it, the last never more."""
    others = []
    for number, name in enumerate(("Beech", "Cedar", "Aspen")):
        text = TOY_DEFINITION.replace("id: toy", f"id: {name.lower()}").replace(
            "title: Toy", f"title: {name}"
        )
        other = sync(text)
        for task in other.tasks.all():
            load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=NOW)
        Phase.objects.filter(benchmark=other).update(
            next_cut_off_at=CUT_OFF + dt.timedelta(days=number + 6),
            closes_at=CUT_OFF if name == "Aspen" else None,
        )
        others.append(other)
    for each in others:
        refresh(each)
    return [toy, *others]


def test_home_has_those_that_are_scored_next_where_there_are_many_and_leads_to_all(many, monkeypatch):
    monkeypatch.setattr(benchmark_pages, "MOST_ON_HOME", 2)
    refresh(many[0])
    assert titles() == ["Beech", "Toy"]
    assert "First those that are scored next, then the newest releases. All 4 benchmarks" in words(page())
    assert '<a href="/benchmarks/">All 4 benchmarks</a>' in page()


def test_home_has_all_in_their_order_where_there_is_room(many):
    assert sorted(titles()) == ["Aspen", "Beech", "Cedar", "Toy"]
    assert "scored next" not in page()


def test_all_are_named_by_whether_they_take_submissions(many, client):
    text = words(client.get("/benchmarks/").content.decode())
    assert "4 benchmarks, by name" in text
    assert "Taking submissions Beech Cedar Toy 1 system Closed Aspen" in text


def test_whoever_prints_one_benchmark_draws_the_line_of_no_other(many):
    with CaptureQueriesContext(connection) as of_four:
        front_pages()
    Benchmark.objects.filter(pk="aspen").update(archived_at=CUT_OFF)
    with CaptureQueriesContext(connection) as of_three:
        front_pages()
    assert len(of_four) == len(of_three)


def test_what_is_kept_of_each_is_what_would_be_drawn(many):
    assert [each.body for each in front_pages()] == [each.body for each in front_pages(anew=True)]


def test_the_list_is_there_before_anything_was_published(client, db):
    assert "0 benchmarks" in client.get("/benchmarks/").content.decode()


def test_lines_that_none_are_kept_of_are_drawn_once(many):
    HomeLine.objects.all().delete()
    refresh(many[0])
    assert HomeLine.objects.count() == len(many)
    assert [each.body for each in front_pages()] == [each.body for each in front_pages(anew=True)]
