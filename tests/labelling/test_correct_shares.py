"""Two people say of samples of an attack whether they are correct: the share, and kappa for each task."""

import json
import re

import pytest

from benchmarks.models import Attack
from labelling.core.questions.question import CampaignQuestion
from labelling.outcomes.settling import settle_due
from labelling.units.new_units import NewUnit, store_units
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.imports import import_answers
from leaderboard.models import Page
from leaderboard.publication.services import refresh
from tests.attacks import load_attacked
from tests.crowds import NOW, new_campaign

CORRECT = CampaignQuestion("yes_no", "Does it still say the same?", wants_reason=False)
SAID = {"a1": "yes yes", "a2": "yes no", "a3": "no no", "a4": "no no", "b1": "yes yes"}


def asked_of_two(task):
    campaign = new_campaign(
        task.benchmark,
        CORRECT,
        purpose="correct_share",
        rule="share_of_yes",
        answers_wanted=2,
        task=None,
        attack=Attack.objects.get(slug="paraphrase"),
    )
    groups = {"a": task.slug, "b": "another"}
    units = [NewUnit(key, (key,), [[("text", key)]], group=groups[key[0]]) for key in SAID]
    store_units(campaign=campaign, units=units)
    open_campaign(campaign=campaign, now=NOW)
    rows = [f"{unit},w{who},{one}" for unit, said in SAID.items() for who, one in enumerate(said.split())]
    data = "\n".join(["unit,worker,label", *rows, ""]).encode()
    import_answers(campaign=campaign, data=data, file_name="answers.csv", now=NOW)
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    campaign.refresh_from_db()
    assert campaign.outcome_problem == ""
    return campaign


def test_the_attack_has_the_share_and_everybody_reads_kappa_for_each_task(sync, gold_keys):
    task = load_attacked(sync)
    campaign = asked_of_two(task)
    attack = Attack.objects.get(slug="paraphrase")
    assert attack.correct_share == 0.5
    assert attack.kappa == pytest.approx(0.32 / 0.52)
    refresh(task.benchmark)
    path = f"/benchmarks/{task.benchmark.slug}/labelling"
    (told,) = json.loads(bytes(Page.objects.get(pk=f"{path}.json").body))["campaigns"]
    rows = {
        row["name"]: (row["samples"], row["share"], row["kappa"]["value"]) for row in told["correct_samples"]
    }
    assert rows[task.title] == (4, 0.375, 0.5)  # by hand: .75 agree, .5 would by chance
    assert rows["another"] == (1, 1.0, None)
    assert rows["All"][:2] == (5, 0.5)
    words = re.sub(r"<[^>]+>|\s+", " ", bytes(Page.objects.get(pk=f"{path}/").body).decode())
    assert re.search(rf"{task.title}\s+4 samples\s+38 %\s+\.500", words)
    assert campaign.outcomes.get().report["overall"]["kappa"][1] is not None
