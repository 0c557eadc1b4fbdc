"""A release says what changed gold labels changed for whom."""

import datetime as dt
import json
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from breaking.contests.decisions import decide
from breaking.jobs import do_what_is_due
from leaderboard.models import Page, Release
from leaderboard.publication.services import refresh
from scoring.gold.versions import load_gold
from scoring.queue.batches import close_now
from submissions.models import System
from tests.broken import run
from tests.conftest import NOW, TOY_GOLD
from tests.contested import LATER, contested, play, split_of
from tests.games import AFTERWARDS, phase_of
from tests.pages import text_of
from tests.weeks import ALL_RIGHT, CUT_OFF, ONE_WRONG, WEEK, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

# m2 is bad now, and so is m5.
CORRECTED = b"ID,Label\nm1,good\nm2,bad\nm3,bad\nm4,bad\nm5,bad\nm6,bad\n"


def correct(benchmark: Benchmark, note: str = "Two were read wrongly.") -> None:
    task = benchmark.tasks.get(slug="mood")
    load_gold(task=task, data=CORRECTED, file_name="gold.csv", now=CUT_OFF + WEEK / 7, note=note)


def newest() -> Any:
    return Release.objects.latest_of(Release.objects.latest("pk").benchmark_id)


def said() -> dict[str, Any]:
    found: dict[str, Any] = newest().reports["gold"]
    return found


@pytest.fixture
def rival(outsider) -> System:
    team = create_team(name="South", founder=outsider, now=NOW)
    return System.objects.create(team=team, name="Birch", created_at=NOW)


# Any benchmark, by a corrected file


def test_release_lists_who_had_which_value_before_and_has_which_now(toy, phase, system, rival):
    """F1 macro on six items, of which the first says good to three of three, then to one of three.

    Larch is right everywhere before: 1. After, good: P 1/3, R 1; bad: P 1, R 3/5: (1/2 + 3/4) / 2.
    Birch says good to four. Before, good: P 3/4, R 1, bad: P 1, R 2/3: (6/7 + 4/5) / 2.
    After, good: P 1/4, R 1; bad: P 1, R 2/5: (2/5 + 4/7) / 2.
    """
    upload(system, phase)
    upload(rival, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    correct(toy)
    run_batch(CUT_OFF + WEEK)

    (changed,) = said()["sets"]
    assert (changed["task"], changed["split"], changed["version_before"], changed["version"]) == (
        "mood", "test", 1, 2,
    )  # fmt: skip
    assert changed["notes"] == [{"version": 2, "note": "Two were read wrongly."}]
    assert changed["items"] == []  # the labels are sealed, and nobody contested them
    cells = {one["system"]: one["cells"][0] for one in said()["systems"]}
    assert cells["Larch"]["before"] == pytest.approx(1.0)
    assert cells["Larch"]["after"] == pytest.approx((1 / 2 + 3 / 4) / 2)
    assert cells["Birch"]["before"] == round((6 / 7 + 4 / 5) / 2, 4)
    assert cells["Birch"]["after"] == round((2 / 5 + 4 / 7) / 2, 4)


def test_ranks_of_the_first_board_are_told_before_and_after(toy, phase, system, rival):
    """What Birch had wrong is right now."""
    upload(system, phase)
    upload(rival, phase, mood="good bad bad bad bad bad")
    run_batch(CUT_OFF)
    correct(toy)
    run_batch(CUT_OFF + WEEK)
    ranks = {one["system"]: (one["rank_before"], one["rank"]) for one in said()["systems"]}
    assert ranks == {"Larch": (1, 2), "Birch": (2, 1)}


def test_nothing_is_said_where_no_gold_labels_changed(toy, phase, system):
    upload(system, phase)
    run_batch(CUT_OFF)
    upload(system, phase, mood=ONE_WRONG, at=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    assert newest().number == 2
    assert "gold" not in newest().reports
    assert "gold-changes" not in text_of(Client().get("/benchmarks/toy/"))


def test_another_submission_is_no_change_of_gold_labels(toy, phase, system, rival):
    upload(system, phase)
    upload(rival, phase)
    run_batch(CUT_OFF)
    upload(rival, phase, mood=ONE_WRONG, at=CUT_OFF + WEEK / 7)
    correct(toy)
    run_batch(CUT_OFF + WEEK)
    assert [one["system"] for one in said()["systems"]] == ["Larch"]


def test_two_versions_between_two_releases_are_told_with_both_notes(toy, phase, system):
    upload(system, phase)
    run_batch(CUT_OFF)
    correct(toy, "First.")
    load_gold(
        task=toy.tasks.get(slug="mood"), data=TOY_GOLD["mood"], file_name="g.csv", now=CUT_OFF + WEEK / 7, note="Back."
    )  # fmt: skip
    run_batch(CUT_OFF + WEEK)
    (changed,) = said()["sets"]
    assert [one["note"] for one in changed["notes"]] == ["First.", "Back."]
    (cell,) = said()["systems"][0]["cells"]
    assert cell["before"] == cell["after"] == 1.0


def test_pages_of_the_release_show_it_and_give_it_as_json(toy, phase, system):
    upload(system, phase, mood=ALL_RIGHT)
    run_batch(CUT_OFF)
    correct(toy, "<b>Two</b>")
    run_batch(CUT_OFF + WEEK)
    for address in ("/benchmarks/toy/", "/benchmarks/toy/releases/2/"):
        assert "Gold labels have changed" in text_of(Client().get(address))
        page = text_of(Client().get(f"{address}analysis/"))
        assert "version 1 → 2" in page
        assert "&lt;b&gt;Two&lt;/b&gt;" in page
        numbers = re.findall(r'<td class="number">([^<]*)</td>', page.partition('id="gold-changes"')[2])
        assert numbers[:3] == ["1.000", ".625", "\N{MINUS SIGN}.375"]
    sent = Client().get("/benchmarks/toy/releases/2/gold-changes.json")
    assert json.loads(sent.content) == said()
    assert Client().get("/benchmarks/toy/releases/1/gold-changes.json").status_code == 404


# Contested labels, where gold is public


@pytest.fixture
def decided(games: Benchmark, system: System, team, staff) -> Benchmark:
    """A contested label that is changed, after everything was released."""
    play(games, system)
    contest = contested(split_of(games, "tone", "north"), "11_b", team)
    decide(contest=contest, choice="label", label="1", note="Meant kindly.", user=staff, now=LATER)
    do_what_is_due(LATER)
    return games


def test_scores_follow_a_decision_with_the_next_weekly_batch(decided):
    """The phase is over; Larch had 11_b wrong before and right now: 3 of 4, then 4 of 4."""
    before = Release.objects.latest("pk").number
    run(AFTERWARDS + dt.timedelta(days=7))
    assert newest().number == before + 1
    (changed,) = said()["sets"]
    assert changed["items"] == [{"item": "11_b", "note": "Meant kindly.", "before": "-1", "after": "1"}]
    (cell,) = said()["systems"][0]["cells"]
    assert (cell["split"], cell["after"]) == ("north", 1.0)
    assert cell["before"] == pytest.approx((4 / 5 + 2 / 3) / 2)  # F1 of 1: P 2/3, R 1; of -1: P 1, R 1/2
    assert "contested label" in changed["notes"][0]["note"]


def test_organiser_who_closes_now_has_the_scores_follow_at_once(decided):
    before = Release.objects.latest("pk").number
    close_now(phase=phase_of(decided, "score"), now=LATER)
    run(LATER)
    assert newest().number == before + 1
    assert said()["sets"][0]["version"] == 2
    page = text_of(Client().get("/benchmarks/games/analysis/"))
    assert "<code>-1</code></td><td><code>1</code></td><td>Meant kindly.</td>" in page


def test_run_due_does_all_of_it_in_one_go(decided):
    close_now(phase=phase_of(decided, "score"), now=LATER)
    before = Release.objects.latest("pk").number
    call_command("run_due", verbosity=0)
    assert newest().number > before
    assert "gold" in newest().reports


def test_changed_label_of_the_development_data_is_told_with_the_score_phase(games, system, team, staff):
    play(games, system)
    contest = contested(split_of(games, "tone", "dev"), "d4", team)
    decide(contest=contest, choice="label", label="1", note="", user=staff, now=LATER)
    do_what_is_due(LATER)
    run(AFTERWARDS + dt.timedelta(days=7))
    release = Release.objects.filter(phase__kind=Phase.Kind.SCORE).latest("pk")
    (cell,) = release.reports["gold"]["systems"][0]["cells"]
    assert (cell["split"], cell["after"]) == ("dev", 1.0)  # three of four, then all
    assert release.number == newest().number


def test_systems_bear_their_numbers_there_while_they_are_anonymous(decided):
    Benchmark.objects.update(is_anonymous=True)
    run(AFTERWARDS + dt.timedelta(days=7))
    games = Benchmark.objects.get(pk="games")
    shown = b"".join(bytes(page.body) for page in Page.objects.filter(path__contains="games"))
    assert b"gold-changes" in shown
    assert b"System 1" in bytes(Page.objects.get(path__endswith="gold-changes.json").body)
    refresh(games, archive=True)
    assert b"Larch" not in bytes(Page.objects.get(path__endswith="gold-changes.json").body)
    assert b"Larch" not in bytes(Page.objects.get(path="/benchmarks/games/").body)
