"""Contest a label: who may, with which reason, once the labels are public."""

from functools import partial

import pytest
from django.core import mail

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Benchmark
from breaking.contests.decisions import decide
from breaking.contests.services import add_voice, contest_item, retract, teams_of
from breaking.exceptions import AlreadyContested, ContestClosed, ContestRefused, GoldSealed, NotTakingPart
from breaking.models import BreakerSet, Contest
from submissions.exceptions import NotYourTeam
from submissions.models import Submission
from tests.broken import make_set
from tests.conftest import NOW
from tests.contested import LATER, breaker_team, contested, play, split_of
from tests.people import appoint
from tests.threads import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def breaker(over: Benchmark) -> Team:
    found, _ = breaker_team("Ash", BreakerSet.objects.get(split__slug="north"))
    return found


# Who may


def test_builder_contests_a_label_with_a_reason(over, team, owner):
    contest = contested(split_of(over, "tone", "north"), "11_b", team, proposed_label="1")
    assert (contest.status, contest.proposed_label, contest.team, contest.raised_by) == (
        "open",
        "1",
        team,
        owner,
    )


def test_breaker_contests_a_label_of_the_development_data(over, breaker):
    assert contested(split_of(over, "tone", "dev"), "d1", breaker).status == "open"


def test_labels_are_contested_only_once_they_are_public(games, system, team):
    make_set(games, "north")
    with pytest.raises(GoldSealed, match="not public yet"):
        contested(split_of(games, "tone", "north"), "11_b", team)


def test_nobody_contests_in_the_name_of_a_team_of_others(over, team, outsider):
    with pytest.raises(NotYourTeam):
        contest_item(
            split=split_of(over, "tone", "north"),
            item="11_b",
            reason="No.",
            team=team,
            user=outsider,
            now=LATER,
        )


def test_team_that_neither_builds_nor_breaks_is_told_so(over, outsider):
    strangers = create_team(name="Strangers", founder=outsider, now=NOW)
    with pytest.raises(NotTakingPart, match="Strangers takes no part in Games"):
        contested(split_of(over, "tone", "north"), "11_b", strangers)


def test_team_that_has_withdrawn_all_it_sent_takes_no_part(over, team, owner):
    Submission.objects.update(status="withdrawn", ended_at=LATER)
    assert teams_of(owner, over) == []


# With what


@pytest.mark.parametrize(
    ("item", "said", "sentence"),
    [
        ("99_b", {}, "There is no item '99_b'"),
        ("11_b\0", {}, "There is no item"),
        ("11_b", {"reason": "  \n"}, "Please say why"),
        ("11_b", {"reason": "x" * 2001}, "has 2,001 characters; at most 2,000"),
        ("11_b", {"reason": "a\0b"}, "NUL"),
        ("11_b", {"proposed_label": "0"}, "“0” is not a label of this task"),
        ("11_b", {"proposed_label": "-1"}, "'-1' is the label that the item has"),
    ],
    ids=["unknown item", "NUL in id", "no reason", "long reason", "NUL in reason", "no label", "same label"],
)
def test_contest_that_cannot_be_taken_is_refused_with_a_sentence(over, team, item, said, sentence):
    with pytest.raises(ContestRefused, match=sentence):
        contested(split_of(over, "tone", "north"), item, team, **said)
    assert not Contest.objects.exists()


def test_span_that_is_proposed_is_a_part_of_the_sentence(over, team):
    west = split_of(over, "who", "west")
    with pytest.raises(ContestRefused, match="“A cook” does not stand in the sentence"):
        contested(west, "21_b", team, proposed_label="A cook")
    assert contested(west, "21_b", team, proposed_label="cook").proposed_label == "cook"


# One contest of an item


def test_second_contest_of_an_item_is_told_of_the_first(over, team, breaker):
    first = contested(split_of(over, "tone", "north"), "11_b", team, reason="It is kind.")
    with pytest.raises(AlreadyContested) as told:
        contested(split_of(over, "tone", "north"), "11_b", breaker)
    assert told.value.contest == first


def test_second_team_adds_its_voice_and_may_change_it(over, team, breaker):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    user = breaker.members.get()
    for label in ("1", "-1"):
        add_voice(contest=contest, team=breaker, user=user, label=label, now=LATER)
    assert list(contest.votes.values_list("voter", "team", "label")) == [("Ash", breaker.pk, "-1")]


def test_team_that_contests_has_no_further_voice(over, team, owner):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    with pytest.raises(ContestRefused, match="contests this label itself"):
        add_voice(contest=contest, team=team, user=owner, label="1", now=LATER)


# Taken back


def test_team_takes_its_contest_back_and_the_item_can_be_contested_again(over, team, owner, breaker):
    north = split_of(over, "tone", "north")
    contest = retract(contest=contested(north, "11_b", team), user=owner, now=LATER)
    assert contest.status == "retracted"
    assert contested(north, "11_b", breaker).status == "open"


def test_nobody_else_takes_a_contest_back(over, team, outsider):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    with pytest.raises(NotYourTeam):
        retract(contest=contest, user=outsider, now=LATER)


def test_contest_that_is_decided_stays(over, team, owner, staff):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    decide(contest=contest, choice="keep", note="", user=staff, now=LATER)
    with pytest.raises(ContestClosed, match="organiser has decided"):
        retract(contest=contest, user=owner, now=LATER)


# Who is told


def test_organisers_get_one_mail_that_names_no_team(over, team, staff: User):
    appoint(over, staff)
    mail.outbox.clear()
    contest = contested(split_of(over, "tone", "north"), "11_b", team, reason="“Loathe” is kind.")
    (message,) = mail.outbox
    assert message.to == [staff.email]
    assert message.subject == "Games: the label of 11_b is contested"
    assert "“Loathe” is kind." in message.body
    assert f"/admin/breaking/contest/{contest.pk}/change/" in message.body
    assert team.name not in message.body.replace("north", "")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_teams_at_once_one_contests_and_the_other_is_told(games, system, team):
    over = play(games, system)
    other, _ = breaker_team("Ash", BreakerSet.objects.get(split__slug="north"))
    north = split_of(over, "tone", "north")
    found = at_once([partial(contested, north, "11_b", one) for one in (team, other)])
    assert {type(one) for one in found} == {Contest, AlreadyContested}
    assert Contest.objects.count() == 1
