"""A team's file of pairs: taken, replaced, withdrawn or refused."""

import datetime as dt
from functools import partial

import pytest
from django.core import mail

from accounts.services import create_team
from benchmarks.models import Benchmark, Split, Task
from breaking.exceptions import PairsRefused
from breaking.models import BreakerSet, Pair, PairFile
from breaking.pairs.starter_data import starter_file
from breaking.pairs.uploads import hand_in_pairs, withdraw_pairs
from breaking.sets.phase_close import make_sets
from submissions.exceptions import CannotChange, NotYourTeam, PhaseClosed, PhaseNotReady, WrongPhase
from submissions.intake.sealing import open_file
from submissions.models import Predictions, Submission, System
from tests.breaking.hands import hand_in, start
from tests.conftest import NOW
from tests.games import (
    BREAK_CLOSES,
    DEFINITION,
    IN_BREAK,
    IN_BUILD,
    IN_SCORE,
    TONE_PAIRS,
    TONE_STARTER,
    phase_of,
)
from tests.people import appoint
from tests.threads import at_once

pytestmark = pytest.mark.django_db
LATER = IN_BREAK + dt.timedelta(hours=1)
OTHER_PAIRS = TONE_PAIRS.replace(b"I loathe", b"I hate")
# Most of the sentence is another one, so that the pair exceeds the rule of `games`.
LARGE = b"id,original_id,text,label,rationale\n11_b,11,Never again shall we hear of it!,-1,all of it\n"


@pytest.fixture
def tone(games: Benchmark) -> Task:
    task: Task = games.tasks.get(slug="tone")
    start(task)
    return task


@pytest.fixture
def who(games: Benchmark) -> Task:
    task: Task = games.tasks.get(slug="who")
    start(task)
    return task


def make_set(pair_file: PairFile) -> BreakerSet:
    """As the close of the phase would, as far as it matters here."""
    split = Split.objects.create(task=pair_file.task, slug="north", item_count=1, ids_sha256="0" * 64)
    return BreakerSet.objects.create(split=split, pair_file=pair_file, made_at=IN_SCORE)


def answer(made: BreakerSet, system: System) -> None:
    phase = phase_of(made.split.task.benchmark, "score")
    submission = Submission.objects.create(
        system=system, phase=phase, submitted_by=system.team.members.get(), received_at=IN_SCORE,
        cut_off_at=IN_SCORE, file_name="x", file_size=1, file_sha256="0" * 64, predictions_sha256="0" * 64,
    )  # fmt: skip
    Predictions.objects.create(
        submission=submission, split=made.split, alignment_sha256="0" * 64, sha256="0" * 64
    )


def test_pairs_are_kept_with_sizes_and_without_labels(tone, team, owner, keypair):
    taken = hand_in(tone, team, owner)
    first, second = taken.pairs.all()
    assert (first.original_item, first.changed_item, first.original_id, first.line) == (
        "11_a",
        "11_b",
        "11",
        2,
    )
    assert (first.original_text, first.changed_text) == ("I like this old song.", "I loathe this old song.")
    assert (first.token_edits, first.token_count, first.rationale) == (1, 6, "a rare verb")
    assert (second.decision, second.outlier_reason) == ("fine", "")
    assert (taken.status, taken.breaker, taken.pair_count, taken.team) == ("accepted", "North", 2, team)


def test_the_private_key_opens_the_file_as_it_was_sent(tone, team, owner, keypair):
    taken = hand_in(tone, team, owner)
    assert open_file(bytes(taken.sealed), keypair.private, taken.commitment) == TONE_PAIRS


def test_a_later_file_takes_the_place_of_the_earlier(tone, team, owner):
    first = hand_in(tone, team, owner)
    second = hand_in(tone, team, owner, OTHER_PAIRS, at=LATER)
    first.refresh_from_db()
    assert (first.status, first.ended_at, second.status) == ("replaced", LATER, "accepted")
    assert Pair.objects.filter(pair_file=second).count() == 2


def test_the_same_file_again_is_the_same(tone, team, owner):
    first = hand_in(tone, team, owner)
    assert hand_in(tone, team, owner, at=LATER) == first
    assert PairFile.objects.count() == 1


def test_the_same_file_counts_again_after_it_was_replaced_or_withdrawn(tone, team, owner):
    first = hand_in(tone, team, owner)
    hand_in(tone, team, owner, OTHER_PAIRS)
    third = hand_in(tone, team, owner)
    withdraw_pairs(pair_file=third, user=owner, now=LATER)
    fourth = hand_in(tone, team, owner)
    assert len({first.pk, third.pk, fourth.pk}) == 3
    assert fourth.status == "accepted"


def test_each_task_has_a_file_of_its_own(tone, who, team, owner):
    hand_in(tone, team, owner)
    pair = hand_in(who, team, owner).pairs.get()
    assert PairFile.objects.accepted().count() == 2
    assert pair.changed_text == "The old cook fed Parker."


def test_each_team_has_a_file_of_its_own(tone, team, owner, outsider):
    hand_in(tone, team, owner)
    hand_in(tone, create_team(name="South", founder=outsider, now=NOW), outsider, OTHER_PAIRS)
    assert PairFile.objects.accepted().count() == 2


def test_pairs_that_exceed_the_rule_wait_and_the_organisers_are_told_once(tone, team, owner, staff):
    appoint(tone.benchmark, staff)
    taken = hand_in(tone, team, owner, LARGE + TONE_PAIRS.split(b"\n", 1)[1].replace(b"11_b", b"11_2_b"))
    large, *others = taken.pairs.all()
    assert (large.decision, [one.decision for one in others]) == ("waiting", ["fine", "fine"])
    assert "the rule allows at most 50 %" in large.outlier_reason
    (letter,) = mail.outbox
    assert letter.to == ["staff@example.org"]
    assert "1 pair waits" in letter.subject
    assert "Of the 3 pairs that North handed in for Tone" in letter.body


def test_pairs_within_the_rule_are_no_mail(tone, team, owner, staff):
    appoint(tone.benchmark, staff)
    hand_in(tone, team, owner)
    assert mail.outbox == []


def test_a_file_that_counts_already_is_no_second_mail(tone, team, owner, staff):
    appoint(tone.benchmark, staff)
    hand_in(tone, team, owner, LARGE)
    hand_in(tone, team, owner, LARGE, at=LATER)
    assert len(mail.outbox) == 1


def test_faulty_pairs_are_told_with_their_place_and_nothing_is_kept(tone, team, owner):
    first = hand_in(tone, team, owner)
    with pytest.raises(PairsRefused) as refused:
        hand_in(tone, team, owner, TONE_PAIRS.replace(b"song.,-1", b"song.,bad"))
    (problem,) = refused.value.problems
    assert str(refused.value) == "1 problem was found in the file of pairs."
    assert (problem.file, problem.line, problem.column, problem.code.value) == (
        "north.csv", 2, "label", "unknown_label",
    )  # fmt: skip
    first.refresh_from_db()
    assert (PairFile.objects.count(), first.status) == (1, "accepted")


def test_a_span_must_stand_in_the_changed_sentence(who, team, owner):
    header = b"id,original_id,text,label,rationale\n"
    with pytest.raises(PairsRefused) as refused:
        hand_in(who, team, owner, header + b"21_b,21,The old cook fed Parker.,The cook,\n")
    assert [one.code.value for one in refused.value.problems] == ["span_not_in_text"]


@pytest.mark.parametrize(
    ("rule", "pairs", "code"),
    [
        ("from_scratch: false", b"n_a,,Fine.,1,\nn_b,n_a,Not fine.,-1,why\n", "pair_original_unknown"),
        ("needs_rationale: true", b"11_b,11,I loathe this old song.,-1,\n", "pair_rationale_missing"),
    ],
)
def test_the_definitions_rules_are_kept(sync, gold_keys, team, owner, rule, pairs, code):
    benchmark = sync(DEFINITION.replace("largest_token_share: 0.5", f"largest_token_share: 0.5, {rule}"))
    task = benchmark.tasks.get(slug="tone")
    start(task)
    with pytest.raises(PairsRefused) as refused:
        hand_in(task, team, owner, b"id,original_id,text,label,rationale\n" + pairs)
    assert {one.code.value for one in refused.value.problems} == {code}


def test_originals_from_scratch_are_kept_where_they_are_allowed(sync, gold_keys, team, owner):
    benchmark = sync(DEFINITION.replace("0.5}", "0.5, from_scratch: true}"))
    task = benchmark.tasks.get(slug="tone")
    start(task)
    rows = b"id,original_id,text,label,rationale\nn_a,,You are fine.,1,\nn_b,n_a,You are not fine.,-1,why\n"
    pair = hand_in(task, team, owner, rows).pairs.get()
    assert (pair.is_from_scratch, pair.original_text, pair.original_id) == (True, "You are fine.", "n_a")


def test_members_alone_hand_in_for_a_team(tone, team, outsider):
    with pytest.raises(NotYourTeam):
        hand_in(tone, team, outsider)


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (IN_BUILD, "opens on Wed 2 Dec 2026"),
        (BREAK_CLOSES, "closed on Wed 16 Dec 2026"),
        (IN_SCORE, "closed on"),
    ],
    ids=["before", "at the close", "after"],
)
def test_outside_of_its_phase_nothing_is_taken(tone, team, owner, at, words):
    with pytest.raises(PhaseClosed, match=words):
        hand_in(tone, team, owner, at=at)


def test_a_request_that_began_before_the_close_is_taken_although_it_took_long(tone, team, owner):
    taken = hand_in(tone, team, owner, at=BREAK_CLOSES - dt.timedelta(seconds=1))
    assert taken.status == "accepted"


@pytest.mark.parametrize("kind", ["build", "score"])
def test_a_phase_of_another_kind_takes_no_pairs(tone, team, owner, kind):
    phase = phase_of(tone.benchmark, kind)
    with pytest.raises(WrongPhase, match="takes predictions, not pairs"):
        hand_in_pairs(
            team=team,
            phase=phase,
            task=tone,
            user=owner,
            data=TONE_PAIRS,
            file_name="x",
            received_at=IN_BREAK,
        )


def test_without_starter_data_there_is_a_sentence(games, team, owner):
    with pytest.raises(PhaseNotReady, match="has not loaded the starter data of Tone"):
        hand_in(games.tasks.get(slug="tone"), team, owner)


def test_without_a_key_nothing_is_taken(tone, team, owner, settings):
    settings.GOLD_PUBLIC_KEY = ""
    with pytest.raises(PhaseNotReady, match="no key"):
        hand_in(tone, team, owner)
    assert not PairFile.objects.exists()


def test_a_set_that_nobody_has_answered_may_be_replaced(tone, team, owner):
    first = hand_in(tone, team, owner)
    make_set(first)
    assert hand_in(tone, team, owner, OTHER_PAIRS, at=LATER).status == "accepted"


def test_a_set_that_was_answered_stays(tone, team, owner, outsider):
    south = create_team(name="South", founder=outsider, now=NOW)
    made = make_set(hand_in(tone, team, owner))
    answer(made, System.objects.create(team=south, name="Fir", created_at=NOW))
    with pytest.raises(CannotChange, match="have answered the set"):
        hand_in(tone, team, owner, OTHER_PAIRS, at=LATER)
    assert hand_in(tone, south, outsider, OTHER_PAIRS, at=LATER).status == "accepted"


def test_a_team_withdraws_its_file_before_the_close(tone, team, owner, teammate):
    taken = hand_in(tone, team, owner)
    withdrawn = withdraw_pairs(pair_file=taken, user=teammate, now=LATER)
    assert (withdrawn.status, withdrawn.ended_at) == ("withdrawn", LATER)
    assert "Teammate" in withdrawn.status_reason
    assert not PairFile.objects.accepted().exists()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("closed", "is closed"),
        ("replaced", "was replaced"),
        ("withdrawn", "was withdrawn"),
        ("answered", "Systems have answered the set"),
    ],
)
def test_what_cannot_be_withdrawn_stays_with_a_sentence(tone, team, system, owner, state, words):
    taken = hand_in(tone, team, owner)
    at = IN_SCORE if state == "closed" else LATER
    if state == "replaced":
        hand_in(tone, team, owner, OTHER_PAIRS)
    elif state == "withdrawn":
        withdraw_pairs(pair_file=taken, user=owner, now=LATER)
    elif state == "answered":
        answer(make_set(taken), system)
    before = PairFile.objects.values("status", "ended_at").get(pk=taken.pk)
    with pytest.raises(CannotChange, match=words):
        withdraw_pairs(pair_file=taken, user=owner, now=at)
    assert PairFile.objects.values("status", "ended_at").get(pk=taken.pk) == before


def test_in_a_phase_that_is_open_again_a_team_withdraws_what_nobody_has_answered(tone, team, owner):
    taken = hand_in(tone, team, owner)
    make_set(taken)
    assert withdraw_pairs(pair_file=taken, user=owner, now=LATER).status == "withdrawn"


def test_strangers_withdraw_nothing(tone, team, owner, outsider):
    with pytest.raises(NotYourTeam):
        withdraw_pairs(pair_file=hand_in(tone, team, owner), user=outsider, now=LATER)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_uploads_at_once_leave_one_file_that_counts(tone, team, owner):
    words = [b"loathe", b"hate", b"detest", b"dislike"]
    files = [TONE_PAIRS.replace(b"loathe", word) for word in words]
    results = at_once([partial(hand_in, tone, team, owner, data) for data in files])
    assert all(isinstance(one, PairFile) for one in results), results
    counting = PairFile.objects.accepted().get()
    assert PairFile.objects.count() == len(files)
    assert PairFile.objects.filter(status="replaced", ended_at__isnull=False).count() == len(files) - 1
    assert counting.pairs.count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_same_file_sent_twice_at_once_is_one(tone, team, owner):
    first, second = at_once([lambda: hand_in(tone, team, owner)] * 2)
    assert first == second
    assert PairFile.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_starter_data_are_not_replaced_under_pairs_that_come_in(tone, team, owner):
    other = TONE_STARTER.replace(b"old song", b"new song")
    at_once([lambda: hand_in(tone, team, owner), lambda: start(tone, other)])
    texts = set(Pair.objects.filter(original_id="11").values_list("original_text", flat=True))
    assert texts <= {starter_file(tone).pairs["11"][0]}


def test_one_changed_sentence_may_stand_for_several_questions(games, team, owner):
    who = games.tasks.get(slug="who")
    start(
        who,
        b"id,text,label,predicate,question\n31,Ann saw Bo.,Ann,saw,Who saw?\n32,Ann saw Bo.,Bo,saw,Whom did she see?\n",
    )
    header = b"id,original_id,text,label,rationale\n"
    hand_in(who, team, owner, header + b"31_b,31,Ann never saw Bo.,Ann,\n32_b,32,Ann never saw Bo.,Bo,\n")
    (made,) = make_sets(IN_SCORE)
    assert made.split.item_count == 4
