"""The files by which a browser arranges a long board are drawn for their readers, from the board as it is published."""

import datetime as dt
import json

import pytest
from django.test import Client

from benchmarks.models import Phase
from leaderboard.models import Page
from leaderboard.publication.services import next_printing, put_pages, refresh_stale
from leaderboard.publication.visibility import Visibility, set_visibility
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.serving import board_views
from perf.boards.large_boards import store_large_release
from tests.conftest import NOW, the_toy
from tests.web_layer import Web
from tests.weeks import WEEK

SYSTEMS = 60
ROWS, FRAMES = "/benchmarks/toy-rows.json", "/benchmarks/toy-frames.json"
OF_TASK = "/benchmarks/toy/tasks/mood-rows.json"


@pytest.fixture
def web() -> Web:
    return Web()


@pytest.fixture
def released(phase: Phase) -> None:
    release(phase, 1)


def release(phase: Phase, number: int) -> None:
    now = NOW.astimezone(dt.UTC) + number * WEEK
    store_large_release(phase, SYSTEMS + number, now=now, release=number)
    refresh_stale()


def test_they_tell_of_every_row_and_are_stored_nowhere(released, web):
    status, headers, body = web.get(ROWS)
    assert (status, headers["Content-Type"]) == (200, "application/json")
    rows, of_task = json.loads(body), json.loads(web.get(OF_TASK)[2])
    assert rows["release"] == of_task["release"] == json.loads(web.get(FRAMES)[2])["release"] == 1
    assert sum("System " in word or "system " in word for word in rows["words"]) == SYSTEMS + 1
    assert len(rows["rows"]) == len(rows["words"])
    assert web.get(ROWS, if_none_match=headers["ETag"])[0] == 304
    assert not Page.objects.filter(path__regex=r"-(rows|frames)\.json$").exists()


def test_a_board_is_read_once_for_both_and_what_is_drawn_is_held(
    released, web, monkeypatch, django_assert_num_queries
):
    web.get(FRAMES)
    monkeypatch.setattr(board_views, "from_dict", None)
    assert web.get(ROWS)[0] == 200
    with django_assert_num_queries(0):
        assert web.get(ROWS)[0] == web.get(FRAMES)[0] == 200


def test_a_new_release_is_in_them_a_moment_later(released, web, phase):
    before = len(json.loads(web.get(ROWS)[2])["rows"])
    release(phase, 2)
    web.a_moment_later()
    after = json.loads(web.get(ROWS)[2])
    assert (after["release"], len(after["rows"])) == (2, before + 1)


def test_of_a_private_benchmark_everybody_gets_none(released, web, toy, staff):
    assert web.get(ROWS)[0] == 200
    set_visibility(benchmark=toy, visibility=Visibility.PRIVATE, by=staff)
    web.a_moment_later()
    assert web.get(ROWS)[1] == {"X-From": "Django"}
    assert Client().get(ROWS).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/benchmarks/none-rows.json",
        "/benchmarks/toy/tasks/none-rows.json",
        "/benchmarks/toy/releases/1-rows.json",
        "/benchmarks/toy/releases/1/tasks/mood-rows.json",
        "/benchmarks/toy/analysis-rows.json",
    ],
)
def test_there_are_none_of_what_is_no_current_board(released, web, path):
    assert web.get(path)[1] == {"X-From": "Django"}


def test_there_are_none_of_a_board_whose_page_has_all_its_rows(phase, web):
    store_large_release(phase, 5, now=NOW.astimezone(dt.UTC))
    refresh_stale()
    assert web.get(ROWS)[1] == {"X-From": "Django"}


def test_what_is_published_at_such_an_address_is_answered_as_it_is(released, web):
    """The board of a benchmark called toy-rows is one."""
    put_pages([RenderedPage(ROWS, "application/json", b"{}")], the_toy(), next_printing())
    assert web.get(ROWS)[2] == b"{}"


def test_while_too_many_wait_for_what_is_drawn_readers_are_asked_to_come_again(released, web, monkeypatch):
    monkeypatch.setattr(board_views, "PATIENCE", 0.01)
    with board_views._places:  # another reader has it
        assert web.get(ROWS)[0] == 503
    assert web.get(ROWS)[0] == 200
