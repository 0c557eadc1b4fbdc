"""Many workers at once through their pages: nothing is given out too often, and what was said to be saved is there."""

import re
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from labelling.models import Answer, Campaign, Worker
from labelling.work.platforms import PLATFORMS, study_address
from tests.conftest import the_toy
from tests.crowds import broken_counts, opened
from tests.pages import text_of
from tests.threads import at_once

pytestmark = pytest.mark.postgres


def test_forty_workers_at_once_through_the_pages(transactional_db, gold_keys):
    count, units = (40, 30) if connection.vendor == "postgresql" else (6, 8)
    campaign = opened(the_toy(), units, page_size=2)
    study = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0]
    done = at_once([partial(_labour, f"{study}?PROLIFIC_PID={pid}", campaign) for pid in range(count)])
    assert all(isinstance(each, int) for each in done), done
    assert Worker.objects.count() == count
    assert sum(done) == Answer.objects.count() == 3 * units
    assert {unit.taken for unit in campaign.units.all()} == {3}
    assert not broken_counts(campaign)


def _labour(study: str, campaign: Campaign) -> int:
    """Join, answer until nothing is left, sending every page twice; returns how many answers were saved."""
    browser = Client()
    consent = re.search(r'name="consent" value="(\w+)"', text_of(browser.get(study)))
    assert consent
    shown = text_of(browser.post(study, {"consent": consent[1]}, follow=True))
    work, saved = reverse("labelling:work", args=[campaign.pk]), 0
    while units := re.findall(r'name="unit" value="([^"]+)"', shown):
        sent = dict(re.findall(r'name="([^"]+-client)" value="([^"]+)"', shown))
        data = {"unit": units, **sent, **{f"{unit}-label": "good" for unit in units}}
        browser.post(work, data)
        answer = browser.post(work, data, follow=True)
        assert answer.status_code == 200
        saved, shown = saved + len(units), text_of(answer)
    return saved
