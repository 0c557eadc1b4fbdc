"""People are asked about breakers' pairs and contested labels; what most of them say reaches the organiser."""

import datetime as dt

import pytest
from django.core import mail

from accounts.models import Team, User
from benchmarks.models import Benchmark
from breaking.contests.campaign_units import ask_about_contests, ask_about_labels
from breaking.contests.campaign_votes import take_labels
from breaking.contests.decisions import decide
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest, Pair, PairFile, TakenOutcome, Vote
from breaking.pairs.campaigns import CannotAsk
from breaking.pairs.minimality import ask_about_minimality, drop_drafts
from breaking.pairs.review import decide_pairs
from breaking.sets.phase_close import ASKED, make_sets
from labelling.models import Campaign, Worker
from labelling.outcomes.settling import settle_due
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.places import take_units
from scoring.gold.opening import opened_labels
from tests.breakers import OTHER, breaker, hand_in, load_starters
from tests.broken import NORTH, make_set, run
from tests.contested import LATER, contested, split_of
from tests.crowds import hired, say
from tests.games import AFTERWARDS, BREAK_CLOSES, IN_BREAK, IN_SCORE, WHO_PAIRS
from tests.pages import browser_of, text_of
from tests.people import appoint

pytestmark = pytest.mark.django_db

FIVE = 5
DEFINITION = "Change what turns the label, and nothing else."


@pytest.fixture
def started(games: Benchmark, staff: User) -> Benchmark:
    load_starters(games)
    appoint(games, staff)
    return games


def set_file(slug: str) -> PairFile:
    return PairFile.objects.select_related("task__benchmark", "phase").get(breaker_set__split__slug=slug)


def answered(campaign: Campaign, answers: dict[str, str], at: dt.datetime = IN_SCORE) -> list[Worker]:
    """Five workers label every unit and the campaign is closed: each letter is what one of them says, y or n.

    `answers` are by a part of the text; other texts get five times y.
    """
    open_campaign(campaign=campaign, now=at)
    workers = hired(campaign, FIVE)
    first, second = ("yes", "no") if campaign.kind.key == "yes_no" else campaign.asked.labels[::-1]
    for place, worker in enumerate(workers):
        while page := take_units(worker=worker, now=at):
            for assignment in page:
                shown = str(assignment.unit.shown)
                letters = next((said for part, said in answers.items() if part in shown), "yyyyy")
                label = first if letters[place] == "y" else second
                say(assignment, label, at, sent={"label": [label], "note": ["Too much."]})
    close_campaign(campaign=campaign, now=at)
    settle_due(at)
    assert campaign.outcomes.count() == 1, campaign.outcome_problem
    return workers


def texts_of(campaign: Campaign) -> list[list[tuple[str, str]]]:
    return sorted([[tuple(text) for text in item] for unit in campaign.units.all() for item in unit.shown])


# Labels


def test_both_items_of_every_pair_are_asked_about_without_breaker_and_label(started: Benchmark, staff: User):
    files = [hand_in(started, breaker("North")), hand_in(started, breaker("South"), OTHER)]
    campaign = ask_about_labels(pair_files=files, user=staff, now=IN_BREAK)
    assert [[words for _, words in item] for item in texts_of(campaign)] == [
        ["I like this old song."],
        ["I loathe this old song."],
        ["What a kind thing to say!"],
        ["What an unkind thing to say!"],
        ["You are in my way again."],
        ["You are on my way again."],
    ]
    assert (campaign.status, campaign.is_sealed, campaign.answers_wanted) == ("draft", True, FIVE)
    assert campaign.asked.labels == ("-1", "1")
    assert not {"North", "South", "11_a"} & set(campaign.units.values_list("key", flat=True))


def test_a_sentence_of_several_pairs_is_asked_about_once(started: Benchmark, staff: User):
    again = OTHER.replace(b"12_b,12,You are on my way again.", b"11_b,11,I like this odd song.")
    files = [hand_in(started, breaker("North")), hand_in(started, breaker("South"), again)]
    campaign = ask_about_labels(pair_files=files, user=staff, now=IN_BREAK)
    unit = campaign.units.get(shown=[[["text", "I like this old song."]]])
    assert {place["file"] for place in unit.source["places"]} == {str(file.pk) for file in files}


def test_what_people_say_is_read_once_labels_are_public_and_becomes_contests_with_votes(
    games: Benchmark, staff: User, team: Team
):
    appoint(games, staff)
    made = make_set(games, "north", NORTH)
    campaign = ask_about_labels(pair_files=[set_file("north")], user=staff, now=IN_SCORE)
    # The labels of loathe and unkind are -1: four of five say that loathing is friendly, two that unkind words are.
    answered(campaign, {"loathe": "yyyyn", "unkind": "ynnyn"})
    do_what_is_due(IN_SCORE)
    assert [model.objects.count() for model in (Contest, Vote, TakenOutcome)] == [0, 0, 0]
    run(AFTERWARDS)
    mail.outbox.clear()
    for _ in range(2):  # again, it changes nothing
        do_what_is_due(AFTERWARDS)
        assert take_labels(AFTERWARDS) in (0, 1)
    contest = Contest.objects.get()
    assert (contest.item, contest.proposed_label, contest.team, contest.raised_by) == (
        "11_b",
        "1",
        None,
        None,
    )
    assert contest.reason == "4 of 5 people say 1; the gold label is -1."
    votes = sorted(contest.votes.values_list("voter", "label"))
    assert votes[0] == (f"Worker 1 of {campaign.title}", "1")
    assert [label for _, label in votes] == ["1", "1", "1", "1", "-1"]
    assert TakenOutcome.objects.get().report == {"items": 4, "contests": 1, "votes": 5}
    decide(contest=contest, choice="label", label="1", note="They are right.", user=staff, now=AFTERWARDS)
    do_what_is_due(AFTERWARDS)
    assert (opened_labels(made.split) or {})["11_b"] == "1"
    page = text_of(browser_of(None).get("/benchmarks/games/contests/"))
    assert "People who were asked" in page


def test_contested_items_that_people_were_asked_about_get_their_answers_as_votes(
    over: Benchmark, team: Team, staff: User
):
    split = split_of(over, "tone", "north")
    contests = [contested(split, item, team) for item in ("11_b", "13_b")]
    campaign = ask_about_contests(contests=contests, user=staff, now=LATER)
    assert campaign.units.count() == 2
    answered(campaign, {"loathe": "nnnnn", "unkind": "yynnn"}, LATER)
    do_what_is_due(LATER)
    do_what_is_due(LATER)
    assert Contest.objects.count() == 2
    assert sorted(contests[1].votes.values_list("label", flat=True)) == ["-1", "-1", "-1", "1", "1"]
    assert contests[0].votes.filter(label="-1").count() == FIVE


def test_answers_of_a_member_of_a_breaking_team_are_no_votes(over: Benchmark, team: Team, staff: User):
    contest = contested(split_of(over, "tone", "north"), "11_b", team)
    campaign = ask_about_contests(contests=[contest], user=staff, now=LATER)
    PairFile.objects.filter(breaker_set__split__slug="south").update(team=breaker("South"))
    workers = answered(campaign, {"loathe": "ynnnn"}, LATER)
    Worker.objects.filter(pk=workers[0].pk).update(user=Team.objects.get(name="South").members.get())
    do_what_is_due(LATER)
    assert set(contest.votes.values_list("label", flat=True)) == {"-1"}
    assert contest.votes.count() == FIVE - 1


def test_what_cannot_be_asked_about_is_told(over: Benchmark, team: Team, staff: User, games: Benchmark):
    tone = contested(split_of(over, "tone", "north"), "11_b", team)
    who = contested(split_of(over, "who", "west"), "21_b", team)
    for chosen, why in (([tone, who], "one task at a time"), ([who], "one label of a set")):
        with pytest.raises(CannotAsk, match=why):
            ask_about_contests(contests=chosen, user=staff, now=LATER)
    Contest.objects.filter(pk=tone.pk).update(status="kept", decided_at=LATER)
    tone.refresh_from_db()
    with pytest.raises(CannotAsk, match="decided already"):
        ask_about_contests(contests=[tone], user=staff, now=LATER)
    assert not Campaign.objects.exists()


# Minimality


def test_pairs_that_most_people_find_not_minimal_wait_before_sets_are_made(started: Benchmark, staff: User):
    file = hand_in(started, breaker("North"))
    campaign = ask_about_minimality(pair_files=[file], definition=DEFINITION, user=staff, now=IN_BREAK)
    assert (campaign.guidelines, campaign.is_sealed) == (DEFINITION, False)
    assert [name for name, _ in texts_of(campaign)[0]] == ["text (original)", "text (changed)"]
    mail.outbox.clear()
    assert make_sets(BREAK_CLOSES) == make_sets(BREAK_CLOSES) == []
    file.refresh_from_db()
    assert file.status_reason == ASKED
    answered(campaign, {"loathe": "yynnn", "unkind": "yyynn"}, BREAK_CLOSES)
    do_what_is_due(BREAK_CLOSES)
    first, second = file.pairs.all()
    assert first.outlier_reason == "3 of 5 people say that more was changed than what matters."
    assert (first.decision, first.asked_count, first.minimal_count) == ("waiting", 5, 2)
    assert (second.decision, second.outlier_reason, second.minimal_count) == ("fine", "", 3)
    assert not BreakerSet.objects.exists()
    decide_pairs(pairs=[first], admit=False, reason="Too much.", user=staff, now=BREAK_CLOSES)
    do_what_is_due(BREAK_CLOSES)
    assert BreakerSet.objects.get().split.item_count == 2


def test_what_the_organiser_has_decided_stays_whatever_people_say(started: Benchmark, staff: User):
    file = hand_in(started, breaker("North"))
    campaign = ask_about_minimality(pair_files=[file], definition=DEFINITION, user=staff, now=IN_BREAK)
    Pair.objects.update(decision="admitted", outlier_reason="The change is large.")
    answered(campaign, {"song": "nnnnn", "unkind": "nnnnn"}, BREAK_CLOSES)
    do_what_is_due(BREAK_CLOSES)
    assert set(Pair.objects.values_list("decision", "minimal_count")) == {("admitted", 0)}
    assert BreakerSet.objects.exists()


def test_a_draft_is_about_the_files_of_last_and_can_be_dropped(started: Benchmark, staff: User):
    first = hand_in(started, breaker("North"))
    draft = ask_about_minimality(pair_files=[first], definition=DEFINITION, user=staff, now=IN_BREAK)
    later = hand_in(started, breaker("North"), OTHER, at=IN_BREAK + dt.timedelta(hours=1))
    with pytest.raises(CannotAsk, match="replaced by a later file"):
        ask_about_minimality(
            pair_files=[PairFile.objects.get(pk=first.pk)], definition="", user=staff, now=IN_BREAK
        )
    same = ask_about_minimality(pair_files=[later], definition="Only that.", user=staff, now=IN_BREAK)
    assert (same.pk, same.guidelines, same.units.count()) == (draft.pk, "Only that.", 1)
    assert drop_drafts(pair_files=[later]) == 1
    assert len(make_sets(BREAK_CLOSES)) == 1


def test_spans_are_asked_about_with_their_questions(started: Benchmark, staff: User):
    file = hand_in(started, breaker("North"), WHO_PAIRS, task="who")
    campaign = ask_about_minimality(pair_files=[file], definition=DEFINITION, user=staff, now=IN_BREAK)
    assert texts_of(campaign)[0] == [
        ("text (original)", "The cook fed Parker."),
        ("predicate (original)", "fed"),
        ("question (original)", "Who fed someone?"),
        ("text (changed)", "The old cook fed Parker."),
        ("predicate (changed)", "fed"),
        ("question (changed)", "Who fed someone?"),
    ]


# The organiser's pages


def test_organisers_ask_people_from_the_lists(started: Benchmark, staff: User):
    file = hand_in(started, breaker("North"))
    browser = browser_of(staff)
    chosen = {"_selected_action": [str(file.pk)]}
    address = "/admin/breaking/pairfile/"
    asked = text_of(browser.post(address, {"action": "ask_minimality", **chosen}))
    assert "A minimal pair is a sentence of the starter data" in asked
    given = {"confirmed": "yes", "definition": DEFINITION}
    reason = {"reason": "Section 8 of the paper."}
    told = browser.post(address, {"action": "ask_minimality", **chosen, **given, **reason}, follow=True)
    assert "is a draft about 2 units" in text_of(told)
    browser.post(address, {"action": "ask_labels", **chosen, **given, **reason})
    assert Campaign.objects.get(purpose="pair_labels").units.count() == 4
    dropped = browser.post(address, {"action": "ask_nobody", **chosen, **given, **reason}, follow=True)
    assert "1 dropped." in text_of(dropped)
    answered(
        ask_about_minimality(pair_files=[file], definition="", user=staff, now=IN_BREAK), {"loathe": "nnnny"}
    )
    do_what_is_due(BREAK_CLOSES)
    page = text_of(browser.get("/admin/breaking/pair/"))
    assert "1 of 5" in page
    assert "5 of 5" in page
