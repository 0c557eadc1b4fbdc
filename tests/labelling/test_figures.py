"""While a campaign runs, its organisers see how far people agree; sealed answers are opened in workers alone."""

import datetime as dt
import uuid

import pytest

from labelling.models import CampaignFigures
from labelling.outcomes.figures import figures_due
from labelling.outcomes.settling import settle_due
from labelling.work.campaigns import close_campaign
from labelling.work.exclusions import exclude
from tests.crowds import NOW, hired, opened, say, work_on

LATER = NOW + dt.timedelta(minutes=6)


@pytest.fixture
def campaign(toy):
    """Four workers have answered six units; one of them is alone with what he says."""
    campaign = opened(toy, 6, answers_wanted=4, is_sealed=True)
    for number, worker in enumerate(hired(campaign, 4)):
        work_on(worker, "bad" if number == 3 else "good")
    return campaign


def test_agreement_counts_and_workers_are_told(campaign):
    assert figures_due(NOW) == 1
    report = campaign.figures.get().report
    assert report["answers"] == 24
    assert report["groups"] == [["", 6, 6]]
    # Of the six pairs of answers to each unit three agree.
    assert report["agreement"]["pairs"][0] == 0.5
    assert report["workers"] == [[1, 6, 6], [2, 6, 6], [3, 6, 6], [4, 6, 0]]


def test_figures_are_made_again_only_where_answers_have_come(campaign):
    figures_due(NOW)
    assert figures_due(LATER) == 0
    campaign.units.update(wanted=5)
    work_on(hired(campaign)[0], "good")
    assert figures_due(NOW + dt.timedelta(minutes=1)) == 0
    assert figures_due(LATER) == 1
    assert CampaignFigures.objects.count() == 2


def replaced(campaign, label):
    """The fourth worker is excluded, and somebody else answers what is on offer again."""
    exclude(worker=campaign.workers.get(number=4), rule="organiser", reason="Guesses.", now=NOW)
    work_on(hired(campaign)[0], label)


def test_figures_are_made_again_where_as_many_answers_of_others_count(campaign):
    figures_due(NOW)
    replaced(campaign, "good")
    assert figures_due(LATER) == 1
    report = campaign.figures.last().report
    assert report["answers"] == 24
    assert report["agreement"]["pairs"][0] == 1.0
    assert report["workers"] == [[1, 6, 6], [2, 6, 6], [3, 6, 6], [5, 6, 6]]


def test_who_is_excluded_is_in_no_figures_though_nobody_answers_in_their_place(campaign):
    figures_due(NOW)
    for worker in campaign.workers.all():
        exclude(worker=worker, rule="organiser", reason="Guesses.", now=NOW)
    assert figures_due(LATER) == 1
    assert campaign.figures.last().report["workers"] == []
    assert figures_due(LATER + dt.timedelta(hours=1)) == 0


def test_a_closed_campaign_shows_the_agreement_of_the_outcome_also_after_a_last_change(campaign):
    figures_due(NOW)
    changed = campaign.workers.get(number=4).assignments.first()
    say(changed, "good", client_id=uuid.uuid4())
    close_campaign(campaign=campaign, now=LATER)
    settle_due(LATER)
    outcome, shown = campaign.outcomes.get(), campaign.figures.last()
    assert shown.report["agreement"] == outcome.report["agreement"]
    assert shown.report["agreement"]["pairs"][0] > 0.5


def test_a_process_without_the_key_makes_none(campaign, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    assert figures_due(NOW) == 0
