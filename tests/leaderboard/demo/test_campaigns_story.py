"""People in the demo: campaigns that are over with what came of them, and open ones for visitors."""

import json

import pytest

from benchmarks.models import Attack, Benchmark
from demo.material.feelings import TWEETS, anger_of
from demo.stage import DEFINITIONS
from demo.stories import campaigns, stance
from demo.story import sign_up_teams
from labelling.models import Campaign
from labelling.work.joining import join_with_account
from labelling.work.places import take_units
from leaderboard.assembly.people import people_rows
from scoring.gold.box_opening import open_sealed_file
from tests.conftest import NOW, person, synced

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("db")]


@pytest.fixture(scope="module", autouse=True)
def _told(stage):
    """The weeks of one benchmark; of the others the definition alone, which their campaigns need no more than."""
    members = sign_up_teams("", NOW)
    stance.tell(members, now=NOW, seed=1)
    for other in ("ait2018", "dynasent"):
        synced((DEFINITIONS / f"{other}.yaml").read_text(encoding="utf-8"))
    campaigns.tell(members, ["ait2018", "stance", "dynasent"], password="x", now=NOW, seed=1)


def test_people_stand_on_the_board_with_their_samples():
    (row,) = people_rows(Benchmark.objects.get(pk="stance"))
    assert row.name == "People (made up)"
    assert {task for task, _ in row.splits} == {"arc", "snopes"}
    assert all(0.4 < (split.cells["f1_macro"].value or 0) < 1 for split in row.splits.values())


def test_two_annotators_found_the_share_of_correct_paraphrases():
    attack = Attack.objects.get(benchmark="stance", slug="paraphrase")
    assert attack.method == Attack.Method.ANNOTATORS
    assert 0.3 < (attack.correct_share or 0) < 0.7
    tasks = Campaign.objects.get(attack=attack).outcomes.get().report["tasks"]
    assert all(task["samples"] <= 25 and task["kappa"] is not None for task in tasks.values())


def test_tweets_are_ordered_by_their_anger_and_halves_agree():
    outcome = Campaign.objects.get(title="Anger in tweets").outcomes.get()
    assert outcome.report["figures"]["split-half reliability, Spearman"] > 0.8
    scores = json.loads(open_sealed_file(bytes(outcome.sealed.box), outcome.sealed.commitment))
    ordered = sorted(scores, key=scores.__getitem__)
    assert anger_of(ordered[0]) < 0.3 < 0.7 < anger_of(ordered[-1])
    assert len(ordered) == len(TWEETS)


def test_five_people_cut_the_scores_of_anger_into_four_classes():
    outcome = Campaign.objects.get(title="Classes of anger").outcomes.get()
    assert set(outcome.values) == {f"tweet-{number:02}" for number in range(1, len(TWEETS) + 1)}
    assert set(outcome.values.values()) == {0, 1, 2, 3}
    assert (len(outcome.report["cuts"]), outcome.report["people"]) == (3, 5)


@pytest.mark.parametrize("title", ["Anger in tweets, to try", "Fool the model", "Sentences about places"])
def test_a_visitor_finds_work_in_open_campaigns(title):
    annotator = person("visitor", is_superuser=True)
    campaign = Campaign.objects.get(title=title)
    worker = join_with_account(campaign=campaign, user=annotator, now=NOW)
    assert take_units(worker=worker, now=NOW)
