"""What is shown of a benchmark whose phase runs in editions: the newest final, and this week's board beside it."""

import datetime as dt

import pytest
from django.test import Client

from benchmarks.models import Phase
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission
from tests.pages import browser_of, text_of
from tests.quiz import make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch

pytestmark = [pytest.mark.thorough, pytest.mark.postgres, pytest.mark.django_db]

HOUR = dt.timedelta(hours=1)
FRONT = "/benchmarks/quiz.json"


@pytest.fixture
def second(sync, gold_keys) -> Phase:
    """The second edition after its first week. The first had a single week, and with it its final."""
    first = make_quiz(sync, "open")
    Phase.objects.update(editions_per_year=2, closes_at=CUT_OFF, opens_at=CUT_OFF - WEEK)
    first.refresh_from_db()
    larch = new_system("Larch")
    send(larch, first, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    following = Phase.objects.exclude(pk=first.pk).get()
    send(larch, following, range(300), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    refresh_stale()
    return following


def test_the_page_of_a_benchmark_shows_the_newest_final_and_names_the_board_of_this_week(second):
    page = text_of(Client().get("/benchmarks/quiz/"))

    assert (board(FRONT)["release"], board(FRONT)["part"]) == (1, "remainder")
    assert "The newest final." in page
    assert '<a href="/benchmarks/quiz/releases/2/">release 2</a>' in page
    assert board("/benchmarks/quiz/releases/2.json")["part"] == "displayed"


def test_releases_are_counted_within_their_edition(second):
    page = text_of(Client().get("/benchmarks/quiz/releases/"))

    assert f"{second.title}, provisional 1" in page
    assert ", final" in page


def test_the_home_page_and_the_embedded_table_show_the_final_too(second):
    home = text_of(Client().get("/"))

    assert '<a href="/benchmarks/quiz/releases/1/">release 1<' in home
    assert "release 1" in text_of(Client().get("/benchmarks/quiz/embed/"))


def test_an_edition_begins_without_submissions_and_with_a_fresh_quota(second):
    assert Submission.objects.filter(phase=second).count() == 1
    assert [row["system"] for row in board("/benchmarks/quiz/releases/2.json")["rows"]] == ["Larch"]


def test_where_the_half_kept_back_has_ranked_before_pages_say_so(second):
    task = text_of(Client().get("/benchmarks/quiz/tasks/quiz/"))
    final = text_of(Client().get("/benchmarks/quiz/releases/1/"))

    assert "These items rank for the second time: with noise" in task
    assert "These items rank for the first time: exactly." in final


def test_the_score_over_all_items_stands_beside_the_final_and_nowhere_before(second):
    final, weekly = (row_of(board(path), "Larch") for path in (FRONT, "/benchmarks/quiz/releases/2.json"))

    assert final["cells"]["overall"]["beside"] == 0.7
    assert final["cells"]["overall"]["value"] != 0.7
    assert weekly["cells"]["overall"].get("beside") is None
    assert Client().get("/benchmarks/quiz.csv").content.decode().count("overall:beside") == 1


def test_a_team_reads_its_result_of_this_week_though_the_front_page_shows_the_final(second):
    of_week = Submission.objects.get(phase=second)
    browser = browser_of(of_week.submitted_by)

    told = browser.get(f"/api/v1/submissions/{of_week.pk}/").json()["result"]

    assert (told["release"], told["is_provisional"]) == (2, True)
    assert "By the numbers shown so far" in told["sentence"]
    assert "By the numbers shown so far" in text_of(browser.get(f"/submissions/{of_week.pk}/"))
