"""Search finds what is published by its name, and nothing else."""

import pytest

from benchmarks.models import Benchmark, Phase
from leaderboard.publication.services import refresh
from leaderboard.publication.visibility import hide_names
from submissions.models import System
from tests.conftest import NOW, the_system, the_toy
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, run_batch, upload


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    upload(the_system(), the_toy().phases.get())
    run_batch(CUT_OFF)


def search(query: str) -> str:
    answer = browser_of(None).get("/search/", {"q": query})
    assert answer.status_code == 200
    return text_of(answer)


@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("toy", "/benchmarks/toy/"),
        ("SMALL tasks", "/benchmarks/toy/"),
        ("colour", "/benchmarks/toy/tasks/colour/"),
        ("MOO", "/benchmarks/toy/tasks/mood/"),
    ],
)
def test_benchmarks_and_tasks_are_found_by_the_words_about_them(released, query, url):
    assert f'href="{url}">' in search(query).partition("<h1>")[2]


@pytest.mark.parametrize("query", ["larch", "  ARC ", "north larch"])
def test_a_system_is_found_by_name_and_team_with_its_rank(released, system, query):
    page = search(query)
    assert f'<a href="/systems/{system.pk}/">Larch</a><small>North; Toy, rank 1</small>' in page


def test_every_word_must_be_there(released):
    assert "Nothing published is called “larch south”" in search("larch south")


def test_a_system_that_is_not_published_is_not_found(released, team):
    System.objects.create(team=team, name="Quetzal", created_at=NOW)
    assert "Nothing published is called “quetzal”" in search("quetzal")


def test_anonymous_systems_are_not_found_by_name_or_team(toy, system):
    hide_names(toy)
    upload(system, Phase.objects.get())
    run_batch(CUT_OFF)
    for query in ("larch", "north", str(system.pk)):
        page = search(query)
        assert "Nothing published is called" in page
        assert "/systems/" not in page


def test_before_a_benchmark_has_its_page_it_is_not_found(toy):
    assert 'href="/benchmarks/toy/"' not in search("toy")
    refresh(Benchmark.objects.get())
    assert 'href="/benchmarks/toy/"' in search("toy")


def test_an_empty_search_asks_for_words(released):
    for query in ("", "  "):
        page = search(query)
        assert 'type="search"' in page
        assert "Nothing published" not in page


def test_a_query_is_shown_as_text_and_cut_where_it_is_endless(released):
    page = search("<script>" + "x" * 10_000)
    assert "<script>x" not in page
    assert "&lt;script&gt;" in page
    assert len(page) < 10_000
