"""Two teams become one: what the one broke and contested is the other's from then on."""

import pytest

from accounts.models import Team
from accounts.services import create_team
from benchmarks.models import Benchmark, Task
from breaking.contests.services import add_voice, public_party, retract, teams_of
from breaking.models import Contest, PairFile, Vote
from breaking.pairs.campaigns import parties_of
from breaking.pairs.uploads import withdraw_pairs
from submissions.systems.name_removals import remove_team_name
from submissions.systems.team_merges import merge_teams
from tests.breaking.hands import hand_in, start
from tests.conftest import NOW, person
from tests.contested import LATER, breaker_team, contested, play, split_of
from tests.games import BREAK_CLOSES, IN_BREAK

pytestmark = pytest.mark.django_db


@pytest.fixture
def tone(games: Benchmark) -> Task:
    task: Task = games.tasks.get(slug="tone")
    start(task)
    return task


@pytest.fixture
def away(db: None) -> Team:
    return create_team(name="Away", founder=person("guest"), now=NOW)


def test_pairs_can_be_taken_back_and_their_authors_are_known_as_such(tone, away, team, owner):
    guest = away.members.get()
    file = hand_in(tone, away, guest)
    merge_teams(team=away, into=team, now=IN_BREAK)
    assert PairFile.objects.of(owner).get() == file
    assert parties_of(tone.benchmark, [guest.pk]) == {guest.pk}
    assert hand_in(tone, team, owner) == file  # and count as handed in for the team
    file.refresh_from_db()
    assert withdraw_pairs(pair_file=file, user=owner, now=IN_BREAK).status == "withdrawn"


def test_each_teams_pairs_for_a_task_stay_where_both_have_some(tone, away, team, owner):
    kept, other = hand_in(tone, team, owner), hand_in(tone, away, away.members.get())
    merge_teams(team=away, into=team, now=IN_BREAK)
    assert dict(PairFile.objects.accepted().values_list("pk", "team")) == {
        kept.pk: team.pk,
        other.pk: away.pk,
    }


def test_the_pairs_of_a_team_whose_name_was_removed_go_on_to_be_called_otherwise(tone, away, team):
    file = hand_in(tone, away, away.members.get())
    remove_team_name(team=away, reason="offensive", now=BREAK_CLOSES)
    merge_teams(team=Team.objects.get(pk=away.pk), into=team, now=BREAK_CLOSES)
    assert PairFile.objects.get(pk=file.pk).team == away


def test_contests_and_voices_go_over_and_nobody_has_two(games, team, system, owner):
    played = play(games, system)
    split = split_of(played, "tone", "north")
    breaker, user = breaker_team("Away", split.breaker_set)
    contest = contested(split, "11_a", breaker)
    add_voice(contest=contest, team=team, user=owner, label="-1", now=LATER)
    other = contested(split, "11_b", team)
    add_voice(contest=other, team=breaker, user=user, label="1", now=LATER)

    merge_teams(team=breaker, into=team, now=LATER)

    assert set(Contest.objects.values_list("team", flat=True)) == {team.pk}
    assert {vote.team for vote in Vote.objects.all()} == {team, breaker}
    assert teams_of(user, played) == [team]
    contest.refresh_from_db()
    assert retract(contest=contest, user=user, now=LATER).status == "retracted"


def test_pairs_that_came_from_another_team_do_not_name_an_anonymous_builder(games, team, system):
    played = play(games, system)
    breaker, _ = breaker_team("Away", split_of(played, "tone", "south").breaker_set)
    Benchmark.objects.update(is_anonymous=True)
    merge_teams(team=breaker, into=team, now=LATER)
    assert PairFile.objects.filter(team=team, breaker_set__isnull=False).exists()
    assert public_party(team, Benchmark.objects.get(pk=played.pk)) == "a builder"
