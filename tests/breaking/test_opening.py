"""Gold labels of breakers' sets become public when nobody has anything to hand in any more, and then nobody may."""

import datetime as dt
from hashlib import sha256

import pytest
from django.utils import timezone

from accounts.models import Team
from benchmarks.admin.phase_forms import PhaseForm
from benchmarks.models import Benchmark, Phase
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Pair, PairFile
from breaking.sets.phase_close import open_what_is_over
from scoring.gold.opening import open_gold, opened_labels
from scoring.gold.versions import load_gold
from scoring.models import OpenedGold
from scoring.queue.batches import close_due
from submissions.exceptions import PhaseClosed
from submissions.intake.sealing import KeyMissingError
from submissions.models import Submission, System
from tests.broken import NORTH, SOUTH, WHO, answer, answer_dev, make_set, run
from tests.conftest import the_games, the_system
from tests.games import AFTERWARDS, BREAK_CLOSES, IN_SCORE, SCORE_CLOSES, phase_of
from tests.gold_versions import second_version
from tests.threads import at_once

pytestmark = [pytest.mark.thorough, pytest.mark.postgres, pytest.mark.django_db]

NORTH_FILE = {"tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"}}
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def answered(answered_once: None, games: Benchmark) -> Benchmark:
    return games


@pytest.fixture(scope="module")
def answered_once(stage: None) -> None:
    """Two breakers' sets, of which one is answered; nothing is scored yet."""
    games, system = the_games(), the_system()
    answer_dev(system, games)
    run(BREAK_CLOSES)
    make_set(games, "north", NORTH)
    make_set(games, "south", SOUTH)
    answer(system, games, NORTH_FILE)


def opened() -> set[str]:
    """The splits whose gold labels are public."""
    return {str(one.gold_version.split) for one in OpenedGold.objects.select_related("gold_version__split")}


# When


def test_gold_labels_of_sets_and_of_development_data_are_opened_after_the_score_phase(answered: Benchmark):
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert opened() == {"games/tone/dev", "games/who/dev", "games/tone/north", "games/tone/south"}


def test_nothing_is_opened_before_the_score_phase_is_over(answered: Benchmark):
    run(SCORE_CLOSES - HOUR)
    open_what_is_over(SCORE_CLOSES - HOUR)
    assert opened() == set()


def test_nothing_is_opened_before_the_last_batch_is_scored(answered: Benchmark):
    close_due(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert opened() == set()


def test_nothing_is_opened_before_the_batch_at_the_close_is_made(games: Benchmark):
    make_set(games, "north", NORTH)
    run(SCORE_CLOSES - HOUR)
    open_what_is_over(AFTERWARDS)
    assert opened() == set()


def test_nothing_is_opened_while_another_phase_is_open_again(answered: Benchmark):
    run(AFTERWARDS)
    games_break = phase_of(answered, "break")
    Phase.objects.filter(pk=games_break.pk).update(closes_at=AFTERWARDS + HOUR)
    open_what_is_over(AFTERWARDS)
    assert opened() == set()


def test_nothing_is_opened_while_pairs_wait_for_the_organiser(answered: Benchmark):
    waiting = make_set(answered, "east", SOUTH)
    file = waiting.pair_file
    waiting.delete()
    Pair.objects.filter(pair_file=file).update(decision="waiting", outlier_reason="Too long.")
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert opened() == set()
    Pair.objects.filter(pair_file=file).update(decision="left_out")
    open_what_is_over(AFTERWARDS)
    assert "games/tone/north" in opened()


def test_a_set_that_was_made_too_late_waits_for_the_score_phase_to_open_again(answered: Benchmark):
    make_set(answered, "east", SOUTH, now=AFTERWARDS)
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert opened() == set()
    Phase.objects.filter(kind="score").update(closes_at=AFTERWARDS + HOUR)
    run(AFTERWARDS + 2 * HOUR)
    open_what_is_over(AFTERWARDS + 2 * HOUR)
    assert "games/tone/east" in opened()


def test_a_set_that_was_made_too_late_may_be_withdrawn_instead(answered: Benchmark):
    late = make_set(answered, "east", SOUTH, now=AFTERWARDS)
    BreakerSet.objects.filter(pk=late.pk).update(withdrawn_at=AFTERWARDS)
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert "games/tone/north" in opened()


def test_a_later_file_of_a_team_whose_set_is_answered_holds_up_nothing(answered: Benchmark, team: Team):
    PairFile.objects.filter(breaker_set__split__slug="north").update(team=team)
    later = make_set(answered, "east", SOUTH)
    file = later.pair_file
    later.delete()
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert opened() == set()
    replace_file(file, team)
    open_what_is_over(AFTERWARDS)
    assert "games/tone/north" in opened()


def replace_file(file: PairFile, team: Team) -> None:
    """Have it be the team's accepted file in place of the one that its set was made of."""
    PairFile.objects.filter(team=team).update(status="replaced", ended_at=IN_SCORE)
    PairFile.objects.filter(pk=file.pk).update(team=team)


def test_nothing_is_opened_where_there_are_no_sets(games: Benchmark):
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert opened() == set()


def test_a_score_phase_that_nobody_took_part_in_is_over_too(games: Benchmark):
    make_set(games, "north", NORTH)
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert "games/tone/north" in opened()


def test_withdrawn_sets_are_opened_too(answered: Benchmark):
    south = BreakerSet.objects.filter(split__slug="south")
    south.update(withdrawn_at=IN_SCORE, withdrawal_reason="A mistake.")
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert "games/tone/south" in opened()


def test_the_sweep_opens_gold_labels(answered: Benchmark):
    run(AFTERWARDS)
    do_what_is_due(AFTERWARDS)
    assert "games/tone/north" in opened()


def test_a_process_without_the_private_key_opens_nothing(answered: Benchmark, settings):
    run(AFTERWARDS)
    settings.GOLD_PRIVATE_KEY_FILE = ""
    do_what_is_due(AFTERWARDS)
    assert opened() == set()
    split = answered.tasks.get(slug="tone").splits.get(slug="north")
    with pytest.raises(KeyMissingError):
        open_gold(version=split.gold_versions.get(), now=AFTERWARDS)


# What


def test_opened_labels_are_those_that_were_sealed(answered: Benchmark):
    split = answered.tasks.get(slug="tone").splits.get(slug="north")
    assert opened_labels(split) is None
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    assert opened_labels(split) == {"11_a": "1", "11_b": "-1", "13_a": "1", "13_b": "-1"}


def test_spans_with_commas_quotes_and_line_breaks_are_read_back(games: Benchmark):
    make_set(games, "north", WHO, task="who")
    task = games.tasks.get(slug="who")
    data = 'id,answer\n21_a,"the ""old"", good cook"\n21_b,"der alte Koch, אב"\n'.encode()
    version = load_gold(task=task, data=data, file_name="g.csv", now=IN_SCORE, split_slug="north").version
    open_gold(version=version, now=AFTERWARDS)
    assert opened_labels(version.split) == {"21_a": 'the "old", good cook', "21_b": "der alte Koch, אב"}


def test_salt_and_file_give_the_commitment_that_was_published(answered: Benchmark):
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    found = OpenedGold.objects.get(gold_version__split__slug="north")
    digest = sha256(bytes.fromhex(found.salt) + found.csv()).hexdigest()
    assert digest == found.gold_version.commitment


def test_opening_again_changes_nothing(answered: Benchmark):
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    before = set(OpenedGold.objects.values_list("pk", "opened_at", "salt"))
    assert open_what_is_over(AFTERWARDS + HOUR) == []
    assert set(OpenedGold.objects.values_list("pk", "opened_at", "salt")) == before


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_at_once_one_opens(games: Benchmark):
    version = make_set(games, "north", NORTH).split.gold_versions.get()
    first, second = at_once([lambda: open_gold(version=version, now=AFTERWARDS)] * 2)
    assert first == second == OpenedGold.objects.get()


def test_a_newer_version_of_public_gold_labels_is_opened_too(answered: Benchmark):
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    task = answered.tasks.get(slug="tone")
    data = b"id,label\n11_a,1\n11_b,1\n13_a,1\n13_b,-1\n"
    load_gold(task=task, data=data, file_name="g.csv", now=AFTERWARDS, split_slug="north")
    open_what_is_over(AFTERWARDS + HOUR)
    labels = opened_labels(task.splits.get(slug="north"))
    assert labels is not None
    assert labels["11_b"] == "1"


def test_gold_labels_that_cannot_be_opened_do_not_hold_up_the_others(answered: Benchmark, caplog):
    version = answered.tasks.get(slug="tone").splits.get(slug="south").gold_versions.get()
    run(AFTERWARDS)
    second_version(version, bytes(version.sealed.ciphertext)[:-1])
    open_what_is_over(AFTERWARDS)
    assert "games/tone/north" in opened()
    assert "games/tone/south" not in opened()
    assert "gold labels of games/tone/south could not be opened: gold_damaged" in caplog.text


# Afterwards


def test_predictions_for_public_gold_labels_are_refused_however_early_their_request_began(
    answered: Benchmark, system: System
):
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    copied = {"tone_north.csv": {"11_a": "1", "11_b": "-1", "13_a": "1", "13_b": "-1"}}
    with pytest.raises(PhaseClosed, match="tone/north have been public since"):
        answer(system, answered, copied, received_at=SCORE_CLOSES - HOUR)
    assert Submission.objects.filter(phase__kind="score").count() == 1


@pytest.mark.parametrize("kind", ["build", "break", "score"])
def test_no_phase_opens_again_once_gold_labels_are_public(answered: Benchmark, kind: str):
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    later = timezone.now() + dt.timedelta(days=500)
    assert form_errors(phase_of(answered, kind), later) == [
        "The phase is over, and the gold labels of what was answered are public, so it cannot open again."
    ]


def test_a_phase_may_open_again_as_long_as_gold_labels_are_sealed(answered: Benchmark):
    assert form_errors(phase_of(answered, "score"), timezone.now() + dt.timedelta(days=500)) == []


def form_errors(phase: Phase, closes_at: dt.datetime) -> list[str]:
    """What an organiser is told who moves the close."""
    values = {
        "title": phase.title,
        "timezone": phase.timezone,
        "time": phase.time,
        "quota_limit": phase.quota_limit,
        "counting": phase.counting,
        "closes_at": closes_at,
    }
    form = PhaseForm(data=values, instance=phase)
    return [str(one) for one in form.errors.get("closes_at", [])]
