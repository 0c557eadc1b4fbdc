"""Votes of annotators on contested items."""

import pytest

from accounts.models import Team
from benchmarks.models import Benchmark
from breaking.contests.decisions import decide
from breaking.contests.item_labels import VotesTaken, add_votes, load_votes, tally
from breaking.contests.services import add_voice
from breaking.exceptions import ContestRefused, GoldSealed
from breaking.models import BreakerSet, Contest, Vote
from scoring.file_refusal import FileRefused
from submissions.intake.pairs.votes import FoundVote
from tests.broken import make_set
from tests.contested import LATER, breaker_team, contested, split_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(played: None, games: Benchmark, team: Team) -> Benchmark:
    """Two labels of one set are contested."""
    for item in ("11_b", "13_b"):
        contested(split_of(games, "tone", "north"), item, team)
    return games


def votes_of(item: str) -> list[tuple[str, str]]:
    return list(Contest.objects.get(item=item).votes.values_list("voter", "label"))


def test_file_of_votes_is_taken(over, staff):
    data = b"item,voter,label\n11_b,Ada,1\n11_b,Bo,-1\n13_b,Ada,-1\n"
    taken = load_votes(
        split=split_of(over, "tone", "north"), data=data, file_name="votes.csv", user=staff, now=LATER
    )
    assert taken == VotesTaken(new=3, changed=0)
    assert votes_of("11_b") == [("Ada", "1"), ("Bo", "-1")]


def test_annotator_who_votes_again_replaces_the_vote(over, staff):
    split = split_of(over, "tone", "north")
    first = [FoundVote("11_b", "Ada", "1"), FoundVote("11_b", "Bo", "1")]
    add_votes(split=split, votes=first, user=staff, now=LATER)
    again = [FoundVote("11_b", "Ada", "-1"), FoundVote("11_b", "Bo", "1")]
    assert add_votes(split=split, votes=again, user=staff, now=LATER) == VotesTaken(new=0, changed=1)
    assert votes_of("11_b") == [("Ada", "-1"), ("Bo", "1")]


def test_file_with_a_wrong_line_is_refused_whole_with_line_and_column(over, staff):
    data = b"item,voter,label\n11_b,Ada,1\n12_b,Ada,1\n11_b,Bo,yes\n"
    with pytest.raises(FileRefused) as refused:
        load_votes(
            split=split_of(over, "tone", "north"), data=data, file_name="votes.csv", user=staff, now=LATER
        )
    assert refused.value.sentences == (
        "votes.csv, line 3, column item: “12_b” is no item whose label is contested and undecided here. Remove the "
        "row, or correct the id.",
        "votes.csv, line 4, column label: “yes” is not a label of this task. Expected: -1 | 1.",
    )
    assert not Vote.objects.exists()


def test_votes_on_a_span_are_parts_of_the_sentence(over, team, staff):
    west = split_of(over, "who", "west")
    contested(west, "21_b", team)
    with pytest.raises(FileRefused, match="“A cook” does not stand in the sentence"):
        load_votes(
            split=west, data=b"item,voter,label\n21_b,Ada,A cook\n", file_name="v.csv", user=staff, now=LATER
        )
    load_votes(
        split=west, data=b"item,voter,label\n21_b,Ada,old cook\n", file_name="v.csv", user=staff, now=LATER
    )
    assert votes_of("21_b") == [("Ada", "old cook")]


def test_decided_item_takes_no_further_votes(over, staff):
    decide(contest=Contest.objects.get(item="11_b"), choice="keep", note="", user=staff, now=LATER)
    with pytest.raises(ContestRefused, match="'11_b' is not contested, or is decided already"):
        add_votes(
            split=split_of(over, "tone", "north"),
            votes=[FoundVote("11_b", "Ada", "1")],
            user=staff,
            now=LATER,
        )


def test_no_votes_are_taken_while_labels_are_sealed(games, system, staff):
    """They would stand in the database for everybody with a copy of it to read."""
    make_set(games, "north")
    split = split_of(games, "tone", "north")
    Contest.objects.create(split=split, item="11_b", reason="Two lines.", raised_by=staff, raised_at=LATER)
    with pytest.raises(GoldSealed):
        add_votes(split=split, votes=[FoundVote("11_b", "Ada", "1")], user=staff, now=LATER)
    with pytest.raises(GoldSealed):
        load_votes(
            split=split, data=b"item,voter,label\n11_b,Ada,1\n", file_name="v.csv", user=staff, now=LATER
        )


def test_majority_is_more_than_half_of_the_annotators(over, staff):
    """Three against one: 2 · (3 + 0) of 4 · 3 ordered pairs agree."""
    split = split_of(over, "tone", "north")
    votes = [
        FoundVote("11_b", name, label) for name, label in zip("abcd", ("1", "1", "1", "-1"), strict=True)
    ]
    add_votes(split=split, votes=votes, user=staff, now=LATER)
    found = tally(Contest.objects.get(item="11_b").votes.all())
    assert (found.counts, found.majority, found.total) == ((("1", 3), ("-1", 1)), "1", 4)
    assert found.agreement == pytest.approx(0.5)


def test_two_against_two_are_no_majority(over, staff):
    """2 · (1 + 1) of 12 ordered pairs agree."""
    split = split_of(over, "tone", "north")
    votes = [
        FoundVote("11_b", name, label) for name, label in zip("abcd", ("1", "1", "-1", "-1"), strict=True)
    ]
    add_votes(split=split, votes=votes, user=staff, now=LATER)
    found = tally(Contest.objects.get(item="11_b").votes.all())
    assert found.majority == ""
    assert found.agreement == pytest.approx(4 / 12)


def test_voices_of_teams_are_not_counted_with_annotators(over, staff):
    other, user = breaker_team("Ash", BreakerSet.objects.get(split__slug="north"))
    contest = Contest.objects.get(item="11_b")
    add_votes(
        split=split_of(over, "tone", "north"), votes=[FoundVote("11_b", "Ash", "1")], user=staff, now=LATER
    )
    add_voice(contest=contest, team=other, user=user, label="-1", now=LATER)
    found = tally(contest.votes.all())
    assert (found.counts, found.agreement) == ((("1", 1),), None)
