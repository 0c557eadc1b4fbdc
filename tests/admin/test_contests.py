"""Contested labels in the admin: votes, decisions, and who may see them."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import Team
from benchmarks.models import Benchmark
from breaking.contests.item_labels import add_votes
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest
from submissions.intake.pairs.votes import FoundVote
from tests.broken import make_set
from tests.conftest import person
from tests.contested import LATER, breaker_team, contested, repeated, split_of
from tests.pages import browser_of, text_of
from tests.people import appoint

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

LIST = "/admin/breaking/contest/"


@pytest.fixture
def contest(over: Benchmark, team: Team) -> Contest:
    return contested(
        split_of(over, "tone", "north"), "11_b", team, reason="It is <b>kind</b>.", proposed_label="1"
    )


@pytest.fixture
def client(games: Benchmark) -> Client:
    organiser = person("organiser", is_staff=True)
    appoint(games, organiser)
    return browser_of(organiser)


def page_of(contest: Contest) -> str:
    return reverse("admin:breaking_contest_change", args=[contest.pk])


def press(client: Client, contest: Contest, button: str, file: bytes | None = None, **fields: str) -> Any:
    """Press a button on the contest's page; the page that comes next."""
    data: dict[str, Any] = {"confirmed": "yes", **fields}
    if file is not None:
        data["file"] = SimpleUploadedFile("votes.csv", file)
    return client.post(reverse(f"admin:breaking_contest_{button}", args=[contest.pk]), data, follow=True)


def choose(client: Client, action: str, contests: list[Contest], **fields: str) -> Any:
    """Choose an action of the list for some contests, and confirm it."""
    chosen = {"action": action, "_selected_action": [str(one.pk) for one in contests]}
    return client.post(LIST, {**chosen, "confirmed": "yes", **fields}, follow=True)


def problems(answer: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = answer.context["question"].problems
    return found


# What is shown


def test_page_shows_texts_label_reason_and_who_contests(client, contest):
    page = text_of(client.get(page_of(contest)))
    assert "text: I loathe this old song." in page
    assert "It is &lt;b&gt;kind&lt;/b&gt;." in page
    assert "by Owner of North" in page


def test_counts_majority_and_agreement_are_shown(client, contest, staff):
    votes = [FoundVote("11_b", name, label) for name, label in (("Ada", "1"), ("Bo", "1"), ("Cy", "-1"))]
    add_votes(split=contest.split, votes=votes, user=staff, now=LATER)
    page = text_of(client.get(page_of(contest)))
    assert "2 for “1”, 1 for “-1”" in page
    assert "33 %" in page  # of the three pairs of votes one agrees
    assert "Cy" in page


def test_label_of_sealed_gold_is_not_shown(client, games):
    make_set(games, "north")
    contest = repeated(split_of(games, "tone", "north"), "11_b", "-1", "1")
    page = text_of(client.get(page_of(contest)))
    assert "sealed" in page
    assert "by an import" in page


def test_organiser_of_another_benchmark_finds_nothing(contest, toy):
    stranger = person("stranger", is_staff=True)
    appoint(toy, stranger)
    assert browser_of(stranger).get(page_of(contest)).status_code == 404
    assert "11_b" not in text_of(browser_of(stranger).get(LIST))


def test_contested_labels_wait_on_the_first_page(client, contest):
    page = text_of(client.get("/admin/", follow=True))
    assert "1 contested label" in page


# Votes


def test_vote_is_entered(client, contest):
    page = text_of(press(client, contest, "enter_vote", voter="Ada", label="1"))
    assert "Votes were taken: 1 new, 0 changed." in page
    assert contest.votes.get().voter == "Ada"


def test_file_of_votes_is_loaded(client, contest):
    page = text_of(press(client, contest, "load_votes", b"item,voter,label\n11_b,Ada,1\n11_b,Bo,-1\n"))
    assert "Votes were taken: 2 new, 0 changed." in page


def test_wrong_file_is_told_with_line_and_column(client, contest):
    answer = press(client, contest, "load_votes", b"item,voter,label\n11_b,Ada,5\n")
    assert problems(answer) == (
        "votes.csv, line 2, column label: “5” is not a label of this task. Expected: -1 | 1.",
    )
    assert not contest.votes.exists()


def test_no_votes_are_taken_while_gold_is_sealed(client, games):
    make_set(games, "north")
    contest = repeated(split_of(games, "tone", "north"), "11_b", "-1", "1")
    (problem,) = problems(press(client, contest, "enter_vote", voter="Ada", label="1"))
    assert "not public yet" in problem
    (problem,) = problems(press(client, contest, "load_votes", b"item,voter,label\n11_b,Ada,1\n"))
    assert "not public yet" in problem


# Decisions


def test_question_says_what_follows_and_decides_nothing(client, contest):
    page = text_of(client.get(reverse("admin:breaking_contest_decide", args=[contest.pk])))
    assert "scores follow with the next batch" in page
    assert "that of the last line" not in page  # its file names the item once
    contest.refresh_from_db()
    assert contest.decided_at is None


def test_organiser_chooses_another_label(client, contest):
    page = text_of(press(client, contest, "decide", choice="label", label="1", note="Meant kindly."))
    assert "The gold labels follow within a minute or two." in page
    do_what_is_due(LATER)
    contest.refresh_from_db()
    assert (contest.status, contest.note) == ("changed", "Meant kindly.")


def test_label_that_is_chosen_is_in_no_log_entry(client, over, team):
    contest = contested(split_of(over, "who", "west"), "21_b", team)
    press(client, contest, "decide", choice="label", label="old cook", note="Shorter.")
    assert LogEntry.objects.get().change_message == "Decided: this label. Shorter."


def test_label_that_is_none_of_the_item_s_is_refused(client, over, team):
    contest = contested(split_of(over, "who", "west"), "21_b", team)
    (problem,) = problems(press(client, contest, "decide", choice="label", label="A cook"))
    assert "does not stand in the sentence" in problem


def test_second_organiser_is_told_that_it_is_decided(client, contest):
    press(client, contest, "decide", choice="keep")
    (problem,) = problems(press(client, contest, "decide", choice="label", label="1"))
    assert "An organiser has decided about this contest" in problem


def test_several_are_kept_at_once(client, over, contest, team):
    other = contested(split_of(over, "tone", "north"), "13_b", team)
    choose(client, "keep_selected", [contest, other], note="Both stand.")
    do_what_is_due(LATER)
    assert set(Contest.objects.values_list("status", "note")) == {("kept", "Both stand.")}


def test_last_lines_are_taken_at_once_and_others_are_told_apart(client, games):
    make_set(games, "north")
    north = split_of(games, "tone", "north")
    twice = [repeated(north, item, "1", "-1") for item in ("11_a", "13_a")]
    once = Contest.objects.create(split=north, item="11_b", reason="Doubt.", raised_at=LATER)
    page = text_of(choose(client, "last_selected", [*twice, once]))
    assert "its file names it once" in page
    do_what_is_due(LATER)
    assert dict(Contest.objects.values_list("item", "status")) == {
        "11_a": "changed",
        "13_a": "changed",
        "11_b": "open",
    }


def test_voices_of_teams_stand_apart(client, contest):
    other, user = breaker_team("Ash", BreakerSet.objects.get(split__slug="south"))
    browser_of(user).post("/benchmarks/games/contest/tone/north/?item=11_b", {"team": other.pk, "label": "1"})
    page = text_of(client.get(page_of(contest)))
    assert "Ash" in page
    assert "none yet" in page  # no annotator has voted
