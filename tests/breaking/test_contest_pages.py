"""Pages about contested labels: the public list, and the form of one item."""

import datetime as dt

import pytest
from django.test import Client

from accounts.models import Team, User
from benchmarks.models import Benchmark
from breaking.contests.decisions import decide
from breaking.contests.item_labels import add_votes
from breaking.contests.services import add_voice
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest
from submissions.intake.pairs.votes import FoundVote
from tests.broken import OnePair, make_set, run
from tests.contested import LATER, breaker_team, contested, play, split_of
from tests.pages import browser_of, text_of

pytestmark = pytest.mark.django_db

LIST = "/benchmarks/games/contests/"
ITEM = "/benchmarks/games/contest/tone/north/?item=11_b"


# The list


def test_everybody_reads_what_is_contested_and_why(over, team):
    contested(split_of(over, "tone", "north"), "11_b", team, reason="It is\nkind.", proposed_label="1")
    page = text_of(Client().get(LIST))
    assert "It is<br>kind." in page
    assert "Proposed: <code>1</code>" in page
    assert 'href="/benchmarks/games/contest/tone/north/?item=11_b"' in page
    assert "North, " in page


def test_there_is_no_list_before_labels_are_public(games, system):
    make_set(games, "north")
    assert Client().get(LIST).status_code == 404
    assert Client().get("/benchmarks/nothing/contests/").status_code == 404


def test_undecided_contests_come_first(over, team, staff):
    north = split_of(over, "tone", "north")
    decided = contested(north, "13_b", team, now=LATER + dt.timedelta(hours=1))
    contested(north, "11_b", team)
    decide(contest=decided, choice="keep", note="It stands.", user=staff, now=LATER)
    do_what_is_due(LATER)
    page = text_of(Client().get(LIST))
    assert page.index(">11_b<") < page.index(">13_b<")
    assert "label stands" in page
    assert "The organiser: It stands." in page


def test_reasons_are_shown_as_text_whatever_is_in_them(over, team):
    contested(split_of(over, "tone", "north"), "11_b", team, reason="<script>alert(1)</script> \u202egnorw")
    page = text_of(Client().get(LIST))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; \\u202egnorw" in page


def test_votes_and_voices_are_counted_apart(over, team, staff):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    votes = [FoundVote("11_b", name, "1") for name in ("Ada", "Bo")]
    add_votes(split=split_of(over, "tone", "north"), votes=votes, user=staff, now=LATER)
    other, user = breaker_team("Ash", BreakerSet.objects.get(split__slug="south"))
    add_voice(contest=contest, team=other, user=user, label="-1", now=LATER)
    page = text_of(Client().get(LIST))
    assert "Votes: 2 for <code>1</code>" in page
    assert "Other teams: Ash for <code>-1</code>" in page
    assert "Ada" not in page


def test_changed_label_is_shown_before_and_after_and_when_scores_follow(over, team, staff):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    decide(contest=contest, choice="label", label="1", note="", user=staff, now=LATER)
    do_what_is_due(LATER)
    page = text_of(Client().get(LIST))
    assert "<code>-1</code> → <code>1</code>" in page
    assert "gold version 2" in page
    assert "Scores follow with the batch of" in page


def test_once_a_release_knows_the_labels_no_scores_are_to_follow(over, team, staff):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    decide(contest=contest, choice="label", label="1", note="", user=staff, now=LATER)
    do_what_is_due(LATER)
    run(LATER + dt.timedelta(days=7))
    assert "Scores follow" not in text_of(Client().get(LIST))


def test_builders_have_no_name_there_while_systems_are_anonymous(over, team):
    Benchmark.objects.update(is_anonymous=True)
    contested(split_of(over, "tone", "south"), "12_b", team)
    page = text_of(Client().get(LIST))
    assert "A builder, " in page
    assert "North, " not in page.replace("Tone, North", "")


@pytest.mark.parametrize(("asked", "status"), [("set=tone/dev&item=d1", 302), ("set=tone/none&item=d1", 200)])
def test_item_can_be_named_on_the_list(over, asked, status):
    answer = Client().get(f"{LIST}?{asked}")
    assert answer.status_code == status
    assert answer.get("Location") in (None, "/benchmarks/games/contest/tone/dev/?item=d1")


# One item


def test_form_needs_somebody_signed_in_who_comes_back_to_the_item(over):
    answer = Client().get(ITEM)
    assert answer.status_code == 302
    assert answer["Location"].endswith("contest/tone/north/%3Fitem%3D11_b")


def test_member_of_a_builder_contests_in_the_browser(over, owner, team):
    browser = browser_of(owner)
    page = text_of(browser.get(ITEM))
    assert "I loathe this old song." in page
    assert "<dt>Gold label</dt><dd><code>-1</code></dd>" in page
    answer = browser.post(ITEM, {"team": team.pk, "reason": "Kind.", "proposed_label": "1"}, follow=True)
    assert answer.redirect_chain == [(ITEM, 302)]
    assert "The label is contested now." in text_of(answer)
    assert Contest.objects.get().proposed_label == "1"


def test_ids_of_any_characters_have_a_form(games, system, team, owner):
    odd = OnePair("a/b?&#ü +", "Old one.", "New one.", ("1", "-1"))
    make_set(games, "odd", [odd], title="Odd")
    over = play(games, system)
    contest = contested(split_of(over, "tone", "odd"), "a/b?&#ü +_b", team)
    page = text_of(Client().get(LIST))
    link = "/benchmarks/games/contest/tone/odd/?item=a%2Fb%3F%26%23%C3%BC+%2B_b"
    assert f'href="{link}"' in page
    assert "New one." in text_of(browser_of(owner).get(link))
    assert contest.item == "a/b?&#ü +_b"


def test_refused_contest_is_told_in_the_form(over, owner, team):
    answer = browser_of(owner).post(ITEM, {"team": team.pk, "reason": "Kind.", "proposed_label": "-1"})
    assert answer.status_code == 422
    assert "is the label that the item has" in text_of(answer)
    assert not Contest.objects.exists()


def test_reason_is_asked_for(over, owner, team):
    answer = browser_of(owner).post(ITEM, {"team": team.pk, "reason": " "})
    assert answer.status_code == 422
    assert "This field is required." in text_of(answer)


def test_second_team_reads_the_first_s_reason_and_adds_its_voice(over, team):
    contest = contested(split_of(over, "tone", "north"), "11_b", team, reason="It is kind.")
    other, user = breaker_team("Ash", BreakerSet.objects.get(split__slug="south"))
    browser = browser_of(user)
    page = text_of(browser.get(ITEM))
    assert "It is kind." in page
    assert "Add your team" in page
    browser.post(ITEM, {"team": other.pk, "label": "1"})
    assert contest.votes.get().team == other


def test_team_takes_its_contest_back_in_the_browser(over, owner, team):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    browser = browser_of(owner)
    address = f"/benchmarks/games/contests/{contest.pk}/retract/"
    assert address in text_of(browser.get(ITEM))
    assert "taken back" in text_of(browser.post(address, follow=True))
    contest.refresh_from_db()
    assert contest.status == "retracted"


def test_contest_of_others_cannot_be_taken_back(over, outsider, team):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    assert browser_of(outsider).post(f"/benchmarks/games/contests/{contest.pk}/retract/").status_code == 404


def test_who_takes_no_part_reads_why_there_is_no_form(over, outsider: User):
    page = text_of(browser_of(outsider).get(ITEM))
    assert "Labels are contested by teams that take part" in page
    assert "<textarea" not in page


@pytest.mark.parametrize(
    "address",
    [
        "tone/north/?item=99",
        "tone/north/",
        "tone/none/?item=11_b",
        "who/north/?item=1",
    ],
)
def test_what_is_not_there_is_not_found(over, owner, address):
    assert browser_of(owner).get(f"/benchmarks/games/contest/{address}").status_code == 404


def test_there_is_no_form_while_labels_are_sealed(games, system, owner, team: Team):
    make_set(games, "north")
    assert browser_of(owner).get(ITEM).status_code == 404
