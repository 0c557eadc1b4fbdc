"""What organisers decide about pairs and sets, and what follows from it."""

import datetime as dt
from functools import partial

import pytest

from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase
from breaking.models import BreakerSet, Pair, PairFile
from breaking.pairs.review import (
    CannotDecide,
    decide_pairs,
    restore_set,
    undo_decisions,
    withdraw_file,
    withdraw_set,
)
from breaking.sets.phase_close import make_sets
from leaderboard.models import Release
from submissions.models import Predictions, Submission, System
from tests.breakers import LONG, LONG_AND_SHORT, OTHER, breaker, hand_in, load_starters, sets
from tests.broken import answer, answer_dev, run
from tests.games import BREAK_CLOSES, IN_BREAK, IN_SCORE, SCORE_CLOSES, phase_of
from tests.threads import at_once

pytestmark = pytest.mark.django_db

NORTH = {"tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"}}
SOUTH = {"tone_south.csv": {"12_a": "-1", "12_b": "-1"}}
Decision = Pair.Decision


@pytest.fixture
def waiting(games: Benchmark) -> list[Pair]:
    """Two pairs of two teams that exceed the rule."""
    load_starters(games)
    hand_in(games, breaker("North"), LONG_AND_SHORT)
    hand_in(games, breaker("South"), LONG)
    return list(Pair.objects.waiting())


@pytest.fixture
def broken(games: Benchmark, team: Team) -> Benchmark:
    """Two teams' sets are made; `team` is North."""
    load_starters(games)
    hand_in(games, breaker("North"))
    hand_in(games, breaker("South"), OTHER)
    run(BREAK_CLOSES)
    make_sets(BREAK_CLOSES)
    games.refresh_from_db()
    return games


def set_of(slug: str) -> BreakerSet:
    return BreakerSet.objects.select_related("split__task__benchmark").get(split__slug=slug)


# Pairs


def test_pairs_are_decided_about_with_reason_name_and_time(waiting: list[Pair], staff: User):
    assert decide_pairs(pairs=waiting, admit=False, reason=" Too  long. ", user=staff, now=IN_BREAK) == 2
    said = {
        (one.decision, one.decision_reason, one.decided_by, one.decided_at)
        for one in Pair.objects.exclude(outlier_reason="")
    }
    assert said == {(Decision.LEFT_OUT, "Too long.", staff, IN_BREAK)}


def test_pairs_are_not_left_out_without_a_reason(waiting: list[Pair], staff: User):
    with pytest.raises(CannotDecide, match="Say why"):
        decide_pairs(pairs=waiting, admit=False, reason=" ", user=staff, now=IN_BREAK)


def test_pair_within_the_rule_is_not_decided_about_and_no_other_with_it(waiting: list[Pair], staff: User):
    fine = Pair.objects.filter(decision=Decision.FINE)
    with pytest.raises(CannotDecide, match="“11_b” of North is within the rule"):
        decide_pairs(pairs=[*waiting, *fine], admit=True, reason="", user=staff, now=IN_BREAK)
    assert Pair.objects.waiting().count() == 2


def test_the_same_decision_again_changes_nothing(waiting: list[Pair], staff: User, outsider: User):
    decide_pairs(pairs=waiting, admit=True, reason="", user=staff, now=IN_BREAK)
    assert decide_pairs(pairs=waiting, admit=True, reason="", user=outsider, now=IN_SCORE) == 0
    assert set(Pair.objects.exclude(outlier_reason="").values_list("decided_by", flat=True)) == {staff.pk}


def test_another_decision_must_be_taken_back_first(waiting: list[Pair], staff: User):
    decide_pairs(pairs=waiting, admit=True, reason="", user=staff, now=IN_BREAK)
    with pytest.raises(CannotDecide, match="was admitted by the organiser Staff already"):
        decide_pairs(pairs=waiting, admit=False, reason="No.", user=staff, now=IN_BREAK)
    assert undo_decisions(pairs=waiting, now=IN_BREAK) == 2
    decide_pairs(pairs=waiting, admit=False, reason="No.", user=staff, now=IN_BREAK)
    assert Pair.objects.filter(decision=Decision.LEFT_OUT).count() == 2


def test_decision_stands_once_the_phase_is_closed(waiting: list[Pair], staff: User):
    decide_pairs(pairs=waiting[:1], admit=True, reason="", user=staff, now=IN_BREAK)
    with pytest.raises(CannotDecide, match="Break is closed"):
        undo_decisions(pairs=waiting[:1], now=BREAK_CLOSES)


def test_decision_stands_once_a_set_is_made(waiting: list[Pair], staff: User, games: Benchmark):
    decide_pairs(pairs=waiting, admit=True, reason="", user=staff, now=IN_BREAK)
    make_sets(BREAK_CLOSES)
    Phase.objects.filter(pk=phase_of(games, "break").pk).update(closes_at=SCORE_CLOSES)
    with pytest.raises(CannotDecide, match="A set was made"):
        undo_decisions(pairs=waiting, now=IN_SCORE)


def test_pairs_of_a_replaced_file_are_not_decided_about(waiting: list[Pair], staff: User, games: Benchmark):
    hand_in(games, breaker("South"), OTHER)
    with pytest.raises(CannotDecide, match="“14_b” of South is not counted any more"):
        decide_pairs(pairs=waiting, admit=True, reason="", user=staff, now=IN_BREAK)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_organisers_at_once_the_second_is_told(waiting: list[Pair], staff: User, outsider: User):
    decide = partial(decide_pairs, pairs=waiting, now=IN_BREAK)
    results = at_once(
        [
            partial(decide, admit=True, reason="", user=staff),
            partial(decide, admit=False, reason="No.", user=outsider),
        ]
    )
    refused = [one for one in results if isinstance(one, CannotDecide)]
    assert (len(refused), [one for one in results if one == 2]) == (1, [2])
    assert len(set(Pair.objects.exclude(outlier_reason="").values_list("decision", "decided_by"))) == 1


# Files


def test_file_that_an_organiser_withdraws_becomes_no_set(waiting: list[Pair]):
    north = PairFile.objects.get(breaker="North")
    withdraw_file(pair_file=north, reason="Copied.", now=IN_BREAK)
    north.refresh_from_db()
    assert (north.status, north.status_reason) == (PairFile.Status.WITHDRAWN, "Copied.")
    withdraw_file(pair_file=PairFile.objects.get(breaker="South"), reason="Copied too.", now=BREAK_CLOSES)
    assert make_sets(BREAK_CLOSES) == []


def test_file_is_not_withdrawn_twice_nor_once_a_set_is_made_of_it(broken: Benchmark):
    with pytest.raises(CannotDecide, match="Withdraw the set instead"):
        withdraw_file(pair_file=PairFile.objects.get(breaker="North"), reason="Late.", now=IN_SCORE)
    replaced = PairFile.objects.get(breaker="South")
    PairFile.objects.filter(pk=replaced.pk).update(status=PairFile.Status.REPLACED, ended_at=IN_BREAK)
    with pytest.raises(CannotDecide, match="replaced by a later file"):
        withdraw_file(pair_file=replaced, reason="Late.", now=IN_SCORE)


# Sets


def test_set_withdrawn_after_systems_answered_it_counts_no_more_and_nothing_is_lost(
    broken: Benchmark, system: System, staff: User
):
    answer_dev(system, broken)
    first = answer(system, broken, NORTH | SOUTH)
    withdraw_set(breaker_set=set_of("south"), reason="Copied sentences.", now=IN_SCORE, user=staff)
    broken.refresh_from_db()
    second = answer(system, broken, NORTH | {"tone_south.csv": {"12_a": "1", "12_b": "1"}})
    run(SCORE_CLOSES)
    board = Release.objects.get(batch__phase__kind="score").boards["builders-tone"]
    assert [column["key"] for column in board["columns"]] == ["tone", "tone:pairs_broken_share", "tone@north"]
    assert "Withdrawn, and in no score: South." in board["note"]
    assert {one.submission_id for one in Predictions.objects.filter(split__slug="south")} == {
        first.pk,
        second.pk,
    }
    second.refresh_from_db()
    assert second.status == Submission.Status.PUBLISHED


def test_releases_that_are_out_keep_a_set_that_is_withdrawn_afterwards(
    broken: Benchmark, system: System, staff: User
):
    answer(system, broken, NORTH | SOUTH)
    run(SCORE_CLOSES)
    withdraw_set(breaker_set=set_of("south"), reason="Copied.", now=SCORE_CLOSES, user=staff)
    board = Release.objects.get(batch__phase__kind="score").boards["builders-tone"]
    assert "tone@south" in {column["key"] for column in board["columns"]}


def test_withdrawn_set_counts_again_once_that_is_taken_back(broken: Benchmark, staff: User):
    withdraw_set(breaker_set=set_of("south"), reason="A slip.", now=IN_SCORE, user=staff)
    broken.refresh_from_db()
    assert broken.spec.task("tone").test_splits == ("north",)
    restore_set(breaker_set=set_of("south"))
    broken.refresh_from_db()
    assert broken.spec.task("tone").test_splits == ("north", "south")
    assert (set_of("south").withdrawn_at, set_of("south").withdrawn_by) == (None, None)


def test_withdrawing_needs_a_reason_and_is_done_once(broken: Benchmark, staff: User):
    withdraw = partial(withdraw_set, now=IN_SCORE, user=staff)
    with pytest.raises(CannotDecide, match="Say why"):
        withdraw(breaker_set=set_of("south"), reason="")
    with pytest.raises(CannotDecide, match="counts already"):
        restore_set(breaker_set=set_of("south"))
    withdraw(breaker_set=set_of("south"), reason="Copied.")
    with pytest.raises(CannotDecide, match=r"withdrawn before: Copied\."):
        withdraw(breaker_set=set_of("south"), reason="Again.")
    assert set_of("south").withdrawal_reason == "Copied."


def test_withdrawn_set_stays_withdrawn_when_its_team_hands_in_anew(broken: Benchmark, staff: User):
    withdraw_set(breaker_set=set_of("south"), reason="Copied.", now=IN_SCORE, user=staff)
    later = IN_SCORE + dt.timedelta(hours=1)
    Phase.objects.filter(pk=phase_of(broken, "break").pk).update(closes_at=later)
    hand_in(broken, breaker("South"), LONG.replace(b"Please come", b"Nobody came"), at=IN_SCORE)
    decide_pairs(pairs=Pair.objects.waiting(), admit=True, reason="", user=staff, now=later)
    make_sets(later)
    assert set_of("south").pair_file.file_name == "pairs.csv"
    broken.refresh_from_db()
    assert broken.spec.task("tone").test_splits == ("north",)
    assert set(sets()) == {"tone/north", "tone/south"}
