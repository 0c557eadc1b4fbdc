"""At the close of a break phase every breaker's pairs become a set."""

import datetime as dt
import logging
from collections.abc import Callable
from functools import partial

import pytest
from django.core import mail

from accounts.models import User
from benchmarks.models import Benchmark, Phase
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Pair, PairFile
from breaking.pairs.review import decide_pairs
from breaking.pairs.uploads import withdraw_pairs
from breaking.sets.phase_close import ALL_LEFT_OUT, ANSWERED, GONE, WAITS, make_sets
from scoring.item_sets.texts import texts_of
from scoring.models import GoldVersion
from submissions.models import System
from tests.breakers import HEAD, LONG, LONG_AND_SHORT, OTHER, breaker, gold_of, hand_in, load_starters, sets
from tests.broken import answer
from tests.conftest import NOW
from tests.games import (
    BREAK_CLOSES,
    DEFINITION,
    IN_BREAK,
    IN_SCORE,
    TONE_PAIRS,
    TONE_STARTER,
    WHO_PAIRS,
    phase_of,
)
from tests.people import appoint
from tests.threads import at_once

pytestmark = [pytest.mark.thorough, pytest.mark.postgres, pytest.mark.django_db]

HOUR = dt.timedelta(hours=1)
ANSWERS = {"tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"}}


@pytest.fixture
def started(games: Benchmark, staff: User) -> Benchmark:
    """Breakers have something to start from, and there is an organiser."""
    load_starters(games)
    appoint(games, staff)
    return games


def made(slug: str) -> BreakerSet:
    return BreakerSet.objects.select_related("split__task", "pair_file").get(split__slug=slug)


def reopen(benchmark: Benchmark, until: dt.datetime) -> None:
    """The organiser moves the close of the break phase."""
    Phase.objects.filter(pk=phase_of(benchmark, "break").pk).update(closes_at=until)


# What a set is


def test_every_team_gets_a_set_of_each_task_that_it_broke(started: Benchmark):
    hand_in(started, breaker("North"))
    hand_in(started, breaker("North"), WHO_PAIRS, task="who")
    hand_in(started, breaker("South"), OTHER)
    make_sets(BREAK_CLOSES)
    assert sets() == {"tone/north": "North", "tone/south": "South", "who/north": "North"}
    started.refresh_from_db()
    assert started.spec.task("tone").path_of("north") == "tone_north.csv"
    assert started.spec.task("tone").test_splits == ("north", "south")


def test_originals_have_the_label_of_the_starter_data_and_changed_sentences_that_of_their_team(
    started: Benchmark,
):
    hand_in(started, breaker("North"))
    make_sets(BREAK_CLOSES)
    assert gold_of(made("north").split) == {"11_a": "1", "11_b": "-1", "13_a": "1", "13_b": "-1"}


def test_original_of_several_pairs_stands_once_for_each(started: Benchmark):
    again = b"11_2_b,11,I detest this old song.,-1,another verb\n"
    hand_in(started, breaker("North"), TONE_PAIRS + again)
    make_sets(BREAK_CLOSES)
    assert list(gold_of(made("north").split)) == ["11_2_a", "11_2_b", "11_a", "11_b", "13_a", "13_b"]


def test_texts_of_a_set_are_public_with_what_a_changed_sentence_keeps(started: Benchmark):
    hand_in(started, breaker("North"), WHO_PAIRS, task="who")
    make_sets(BREAK_CLOSES)
    texts = texts_of(made("north").split)
    assert texts is not None
    assert texts.csv().decode() == (
        "id,text,predicate,question\n"
        "21_a,The cook fed Parker.,fed,Who fed someone?\n"
        "21_b,The old cook fed Parker.,fed,Who fed someone?\n"
    )
    assert gold_of(made("north").split) == {"21_a": "The cook", "21_b": "The old cook"}


def test_original_from_scratch_goes_into_the_set_with_its_own_label(
    started: Benchmark, sync: Callable[[str], Benchmark]
):
    started = sync(DEFINITION.replace("{largest_token_share: 0.5}", "{from_scratch: true}"))
    pairs = HEAD + b"n1_a,,The tea is good.,1,\nn1_b,n1_a,The tea is cold.,-1,an adjective\n"
    hand_in(started, breaker("North"), pairs)
    make_sets(BREAK_CLOSES)
    assert gold_of(made("north").split) == {"n1_a": "1", "n1_b": "-1"}


def test_left_out_pairs_are_in_no_set(started: Benchmark, staff: User):
    hand_in(started, breaker("North"), LONG_AND_SHORT)
    decide_pairs(
        pairs=Pair.objects.waiting(), admit=False, reason="Nothing is left.", user=staff, now=IN_BREAK
    )
    make_sets(BREAK_CLOSES)
    assert list(gold_of(made("north").split)) == ["11_a", "11_b", "13_a", "13_b"]


def test_admitted_pairs_are_in_the_set(started: Benchmark, staff: User):
    hand_in(started, breaker("North"), LONG)
    decide_pairs(pairs=Pair.objects.waiting(), admit=True, reason="", user=staff, now=IN_BREAK)
    make_sets(BREAK_CLOSES)
    assert gold_of(made("north").split) == {"14_a": "-1", "14_b": "1"}


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Ünï/Köln", "uni-koln"),
        ("test", "test-2"),
        ("dev", "dev-2"),
        ("北方", "breaker"),
        ("-_-", "breaker"),
        ("n" * 80, "n" * 40),
    ],
    ids=["accents", "test", "dev", "no-latin-letter", "marks", "long"],
)
def test_names_of_teams_become_ids_of_splits(name: str, slug: str, started: Benchmark):
    hand_in(started, breaker(name))
    make_sets(BREAK_CLOSES)
    assert sets() == {f"tone/{slug}": name}


def test_teams_whose_names_look_alike_have_sets_of_their_own(started: Benchmark):
    for minute, name in enumerate(("Köln", "Koln", "KOLN!")):
        hand_in(started, breaker(name), at=IN_BREAK + dt.timedelta(minutes=minute))
    make_sets(BREAK_CLOSES)
    assert sets() == {"tone/koln": "Köln", "tone/koln-2": "Koln", "tone/koln-3": "KOLN!"}


# When it is made


def test_nothing_is_made_before_the_close(started: Benchmark):
    hand_in(started, breaker("North"))
    assert make_sets(BREAK_CLOSES - HOUR) == []


def test_withdrawn_file_becomes_no_set(started: Benchmark):
    team = breaker("North")
    file = hand_in(started, team)
    user = team.members.get()
    withdraw_pairs(pair_file=file, user=user, now=IN_BREAK)
    assert make_sets(BREAK_CLOSES) == []


def test_made_again_nothing_changes(started: Benchmark):
    hand_in(started, breaker("North"))
    make_sets(BREAK_CLOSES)
    before = list(GoldVersion.objects.values_list("split__slug", "number"))
    assert make_sets(BREAK_CLOSES + HOUR) == []
    assert list(GoldVersion.objects.values_list("split__slug", "number")) == before


def test_sets_of_a_task_wait_for_the_organiser_and_those_of_others_do_not(started: Benchmark):
    hand_in(started, breaker("North"), LONG)
    hand_in(started, breaker("South"), OTHER)
    hand_in(started, breaker("South"), WHO_PAIRS, task="who")
    make_sets(BREAK_CLOSES)
    assert sets() == {"who/south": "South"}
    assert PairFile.objects.get(breaker="North").status_reason == str(WAITS)


def test_organiser_is_reminded_once_when_the_phase_closes(started: Benchmark, staff: User):
    hand_in(started, breaker("North"), LONG)
    mail.outbox.clear()
    for later in range(3):
        make_sets(BREAK_CLOSES + later * HOUR)
    assert [(one.subject, one.to) for one in mail.outbox] == [
        ("Games: 1 pair waits for your word, and so do the sets of Tone", [staff.email])
    ]


def test_once_everything_is_decided_the_sets_are_made(started: Benchmark, staff: User):
    hand_in(started, breaker("North"), LONG)
    hand_in(started, breaker("South"), OTHER)
    make_sets(BREAK_CLOSES)
    decide_pairs(pairs=Pair.objects.waiting(), admit=True, reason="", user=staff, now=IN_SCORE)
    make_sets(IN_SCORE)
    assert sets() == {"tone/north": "North", "tone/south": "South"}
    assert PairFile.objects.get(breaker="North").status_reason == ""


def test_file_whose_every_pair_is_left_out_makes_no_set_and_its_team_is_told(started: Benchmark, staff: User):
    file = hand_in(started, breaker("North"), LONG)
    decide_pairs(
        pairs=Pair.objects.waiting(), admit=False, reason="Another sentence.", user=staff, now=IN_BREAK
    )
    assert make_sets(BREAK_CLOSES) == []
    file.refresh_from_db()
    assert (file.status, file.status_reason) == (PairFile.Status.ACCEPTED, str(ALL_LEFT_OUT))


def test_file_that_no_set_can_be_made_of_is_told_once_and_holds_up_no_other(
    started: Benchmark, staff: User, caplog: pytest.LogCaptureFixture
):
    broken = hand_in(started, breaker("North"))
    hand_in(started, breaker("South"), OTHER)
    PairFile.objects.filter(pk=broken.pk).update(commitment="0" * 64)
    mail.outbox.clear()
    with caplog.at_level(logging.ERROR):
        make_sets(BREAK_CLOSES)
        make_sets(BREAK_CLOSES + HOUR)
    assert sets() == {"tone/south": "South"}
    assert [one.subject for one in mail.outbox] == ["Games: no set can be made of the pairs of North"]
    broken.refresh_from_db()
    assert broken.status_reason == "No set can be made of it: gold_damaged. The organisers know."
    assert "gold_damaged" in caplog.text


def test_pairs_of_other_starter_data_become_no_set_until_it_is_back(started: Benchmark):
    hand_in(started, breaker("North"))
    task = started.tasks.get(slug="tone")
    files = PairFile.objects.filter(task=task)
    ended = {"status": PairFile.Status.WITHDRAWN, "ended_at": NOW}
    from breaking.pairs.starter_data import load_starter

    load = partial(load_starter, task=task, file_name="tone.csv", now=NOW)
    files.update(**ended)
    load(data=TONE_STARTER.replace(b"this old song", b"that old song"))
    files.update(status=PairFile.Status.ACCEPTED, ended_at=None)
    assert make_sets(BREAK_CLOSES) == []
    assert "starter data" in files.get().status_reason
    files.update(**ended)
    load(data=TONE_STARTER)
    files.update(status=PairFile.Status.ACCEPTED, ended_at=None)
    make_sets(BREAK_CLOSES)
    assert files.get().status_reason == ""
    assert sets() == {"tone/north": "North"}


def test_a_part_that_fails_holds_up_no_other(
    started: Benchmark, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def fails(now: dt.datetime) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("breaking.jobs.PARTS", (fails, make_sets))
    hand_in(started, breaker("North"))
    do_what_is_due(BREAK_CLOSES)
    assert sets() == {"tone/north": "North"}
    assert "fails met an unforeseen RuntimeError" in caplog.text
    assert "secret" not in caplog.text


def test_without_the_private_key_nothing_is_tried(started: Benchmark, settings: object):
    hand_in(started, breaker("North"))
    settings.GOLD_PRIVATE_KEY_FILE = ""  # type: ignore[attr-defined]  # pytest-django's settings
    do_what_is_due(BREAK_CLOSES)
    assert sets() == {}


# A phase that is opened again


def test_later_file_of_a_reopened_phase_becomes_the_set_at_the_next_close(started: Benchmark):
    team = breaker("North")
    hand_in(started, team)
    make_sets(BREAK_CLOSES)
    reopen(started, IN_SCORE + HOUR)
    hand_in(started, team, OTHER, at=IN_SCORE)
    assert make_sets(IN_SCORE) == []
    make_sets(IN_SCORE + HOUR)
    found = made("north")
    assert gold_of(found.split) == {"12_a": "-1", "12_b": "1"}
    texts = texts_of(found.split)
    assert texts is not None
    assert texts.csv().splitlines()[1] == b"12_a,You are in my way again."
    assert found.pair_file.status == PairFile.Status.ACCEPTED


def test_team_without_a_set_may_hand_in_when_the_phase_is_open_again(started: Benchmark):
    hand_in(started, breaker("North"))
    make_sets(BREAK_CLOSES)
    reopen(started, IN_SCORE + HOUR)
    hand_in(started, breaker("South"), OTHER, at=IN_SCORE)
    make_sets(IN_SCORE + HOUR)
    assert sets() == {"tone/north": "North", "tone/south": "South"}


def test_set_that_was_answered_meanwhile_stays_and_the_later_file_is_ended(
    started: Benchmark, system: System
):
    north = breaker("North")
    first = hand_in(started, north)
    make_sets(BREAK_CLOSES)
    reopen(started, IN_SCORE + HOUR)
    later = hand_in(started, north, OTHER, at=IN_SCORE)
    answer(system, started, ANSWERS)
    make_sets(IN_SCORE + HOUR)
    first.refresh_from_db()
    later.refresh_from_db()
    assert list(gold_of(made("north").split)) == ["11_a", "11_b", "13_a", "13_b"]
    assert (first.status, later.status) == (PairFile.Status.ACCEPTED, PairFile.Status.WITHDRAWN)
    assert later.status_reason == str(ANSWERED)
    make_sets(IN_SCORE + 2 * HOUR)
    assert made("north").withdrawn_at is None


def test_team_that_takes_its_later_file_back_has_no_set_any_more(started: Benchmark):
    team = breaker("North")
    hand_in(started, team)
    make_sets(BREAK_CLOSES)
    reopen(started, IN_SCORE + HOUR)
    later = hand_in(started, team, OTHER, at=IN_SCORE)
    withdraw_pairs(pair_file=later, user=team.members.get(), now=IN_SCORE)
    make_sets(IN_SCORE + HOUR)
    assert made("north").withdrawal_reason == str(GONE)
    started.refresh_from_db()
    assert started.spec.task("tone").split("north").withdrawn


# Two at once


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_make_every_set_once(started: Benchmark):
    for name in ("North", "Nörth", "South"):
        hand_in(started, breaker(name))
    results = at_once([partial(make_sets, BREAK_CLOSES)] * 2)
    assert [one for one in results if isinstance(one, Exception)] == []
    assert sorted(one.split.slug for result in results for one in result) == ["north", "north-2", "south"]
    assert GoldVersion.objects.exclude(split__slug="dev").count() == 3
    assert len(sets()) == 3
