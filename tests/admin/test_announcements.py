"""Organisers write announcements; everybody reads them on published pages and in the feed."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from benchmarks.models import Benchmark
from benchmarks.notices.models import Announcement, Terms
from benchmarks.notices.services import save_announcement, write_terms
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from tests.conftest import NOW
from tests.pages import browser_of

pytestmark = pytest.mark.django_db
ADD = "/admin/benchmarks/announcement/add/"
LIST = "/benchmarks/toy/announcements/"
FEED = "/benchmarks/toy/feed.atom"


def announce(toy: Benchmark, title: str, text: str = "Text.", *, day: int = 0) -> Announcement:
    announcement = Announcement(benchmark=toy, title=title, text=text)
    save_announcement(announcement=announcement, is_new=True, now=NOW + dt.timedelta(days=day))
    return announcement


def page(path: str) -> str:
    refresh_stale()
    return bytes(Page.objects.get(pk=path).body).decode()


@pytest.fixture
def browser(organiser: Any) -> Client:
    return browser_of(organiser)


def test_what_an_organiser_writes_stands_on_the_page_and_in_the_feed_at_the_next_sweep(browser):
    browser.post(ADD, {"benchmark": "toy", "title": "Two days more", "text": "See https://example.org/why."})

    board = page("/benchmarks/toy/")
    assert "Two days more" in board
    assert '<a href="https://example.org/why" rel="nofollow">' in board
    assert "Two days more" in page(FEED)
    assert "organiser" not in page(FEED).lower()


def test_page_has_the_newest_three_and_the_list_has_all(toy):
    for day in range(4):
        announce(toy, f"News {day}", day=day)

    board, listed = page("/benchmarks/toy/"), page(LIST)

    assert [day for day in range(4) if f'<h3 dir="auto">News {day}</h3>' in board] == [1, 2, 3]
    assert listed.index("News 3") < listed.index("News 0")


def test_what_looks_like_markup_is_text(toy):
    announce(toy, "<b>Bold</b>", "<script>alert(1)</script>")

    assert "<script>alert" not in page("/benchmarks/toy/")
    assert "&lt;b&gt;Bold" in page(LIST)


def test_one_that_is_taken_back_stands_nowhere(toy, browser):
    announcement = announce(toy, "A mistake")
    page(LIST)

    address = f"/admin/benchmarks/announcement/{announcement.pk}/change/"
    browser.post(address, {"title": "A mistake", "text": "Text.", "is_taken_back": "on"})

    assert "A mistake" not in page("/benchmarks/toy/")
    assert "No announcement stands at present." in page(LIST)


def test_another_organisers_benchmark_cannot_be_written_about(stranger):
    browser_of(stranger).post(ADD, {"benchmark": "toy", "title": "Not mine", "text": "Text."})

    assert not Announcement.objects.exists()


def test_terms_are_written_shown_and_versioned_in_the_admin(browser, toy):
    address = "/admin/benchmarks/benchmark/toy/edit_terms/"
    browser.post(address, {"text": "Be fair.", "confirmed": "yes"})
    browser.post(address, {"text": "Be fair.", "confirmed": "yes"})
    browser.post(address, {"text": "Be kind.", "confirmed": "yes"})

    assert [(one.version, one.text) for one in Terms.objects.filter(benchmark=toy)] == [
        (2, "Be kind."),
        (1, "Be fair."),
    ]
    assert "Version 2 stands" in browser.get(address).content.decode()
    assert "Be kind." in page("/benchmarks/toy/terms/")


def test_terms_that_were_taken_away_leave_a_page_that_says_so(toy):
    write_terms(benchmark=toy, text="Be fair.", by=None, now=NOW)
    page("/benchmarks/toy/terms/")
    write_terms(benchmark=toy, text="", by=None, now=NOW)

    assert "Nothing has to be accepted" in page("/benchmarks/toy/terms/")
    assert "/terms/" not in page("/benchmarks/toy/")


def test_pressing_save_twice_announces_once_and_the_same_words_may_be_said_again_another_day(browser, toy):
    written = {"benchmark": "toy", "title": "Two days more", "text": "Until Friday."}
    browser.post(ADD, written)

    again = browser.post(ADD, written)

    assert "These words were announced within the last hour and stand already" in again.content.decode()
    assert Announcement.objects.count() == 1
    Announcement.objects.update(published_at=NOW - dt.timedelta(days=7))
    browser.post(ADD, written)
    assert Announcement.objects.count() == 2
