"""Many workers at once through their pages: nothing is given out too often, and what was said to be saved is there."""

import re
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.server.clock import database_now
from labelling.models import Answer, Assignment, Campaign, Worker
from labelling.work.joining import join_with_account
from labelling.work.platforms import PLATFORMS, study_address
from labelling.work.returns import return_lapsed
from tests.conftest import the_toy
from tests.crowds import NOW, broken_counts, opened, text_unit
from tests.pages import browser_of, text_of
from tests.threads import at_once

pytestmark = pytest.mark.postgres

CLOCK = 2 if connection.vendor == "postgresql" else 0  # asked for by the request that writes and by the page


@pytest.mark.thorough
def test_forty_workers_at_once_through_the_pages(transactional_db, gold_keys):
    count, units = (40, 30) if connection.vendor == "postgresql" else (6, 8)
    campaign = opened(the_toy(), units, page_size=2)
    done = at_once([partial(_labour, _study(campaign, f"{pid}"), campaign) for pid in range(count)])
    assert all(isinstance(each, int) for each in done), done
    assert Worker.objects.count() == count
    assert sum(done) == Answer.objects.count() == 3 * units
    assert {unit.taken for unit in campaign.units.all()} == {3}
    assert not broken_counts(campaign)


@pytest.mark.parametrize(
    ("who", "units", "most"),
    [
        ("panel", {}, 14),
        ("account", {}, 16),
        ("panel", {"check_share": 0.5, "check_least": 99, "more": ["check"] * 40}, 17),
        ("panel", {"more": ["qualification"] * 9}, 18),
    ],
    ids=["without-account", "with-account", "check-questions", "first-questions"],
)
def test_an_answer_and_the_next_page_cost_few_questions_to_the_database(
    toy, gold_keys, outsider, django_assert_max_num_queries, who, units, most
):
    """With BEGIN and COMMIT. It was twice as many: 28 without an account, 32 with one."""
    given = [
        text_unit(f"c{number}", part=part, answer="good") for number, part in enumerate(units.get("more", ()))
    ]
    campaign = opened(toy, 60, **{**units, "more": given}, is_sealed=True)
    if who == "account":
        join_with_account(campaign=campaign, user=_annotator(outsider), now=NOW)
        browser = browser_of(outsider)
        shown = text_of(browser.get(reverse("labelling:work", args=[campaign.pk])))
    else:
        browser = Client()
        shown = _enter(browser, _study(campaign, "p1"))
    for _ in range(6):
        data = _filled(shown)
        with django_assert_max_num_queries(most + CLOCK):
            shown = text_of(browser.post(reverse("labelling:work", args=[campaign.pk]), data, follow=True))
    assert Answer.objects.count() == 6
    assert Assignment.objects.count() == 7
    assert not broken_counts(campaign)


def test_of_a_page_of_which_one_was_given_back_in_another_window_the_others_are_kept(toy, gold_keys):
    campaign, browser = opened(toy, 9, page_size=3), Client()
    work = reverse("labelling:work", args=[campaign.pk])
    data = _filled(_enter(browser, _study(campaign, "p1")))
    browser.post(work, {"give_back": data["unit"][0]})
    told = browser.post(work, data)
    assert (told.status_code, "You have given this text back" in text_of(told)) == (409, True)
    assert Answer.objects.count() == 2
    assert len(_filled(text_of(browser.get(work)))["unit"]) == 3
    assert not broken_counts(campaign)


def test_whoever_answers_after_their_time_and_after_the_others_is_told_that_it_does_not_count(toy, gold_keys):
    campaign, slow, quick = opened(toy, 1, answers_wanted=1), Client(), Client()
    work = reverse("labelling:work", args=[campaign.pk])
    data = _filled(_enter(slow, _study(campaign, "slow")))
    Assignment.objects.update(expires_at=NOW)
    return_lapsed(database_now())
    on_time = quick.post(work, _filled(_enter(quick, _study(campaign, "quick"))), follow=True)
    assert "came after its time" not in text_of(on_time)
    for _ in range(2):
        assert "came after its time" in text_of(slow.post(work, data, follow=True))
    assert Answer.objects.count() == 2
    assert campaign.units.get().taken == 1
    assert not broken_counts(campaign)


def _annotator(user: User) -> User:
    user.is_superuser = True
    user.save()
    return user


def _study(campaign: Campaign, pid: str) -> str:
    return study_address(campaign, PLATFORMS["prolific"]).partition("?")[0] + f"?PROLIFIC_PID={pid}"


def _enter(browser: Client, study: str) -> str:
    """Join by a link; the first page."""
    consent = re.search(r'name="consent" value="(\w+)"', text_of(browser.get(study)))
    assert consent
    return text_of(browser.post(study, {"consent": consent[1]}, follow=True))


def _filled(shown: str) -> dict[str, Any]:
    """What a page sends where each of its units is said to be good; without units where nothing is left."""
    units = re.findall(r'name="unit" value="([^"]+)"', shown)
    sent = dict(re.findall(r'name="([^"]+-client)" value="([^"]+)"', shown))
    return {"unit": units, **sent, **{f"{unit}-label": "good" for unit in units}}


def _labour(study: str, campaign: Campaign) -> int:
    """Join, answer until nothing is left, sending every page twice; returns how many answers were saved."""
    browser = Client()
    shown = _enter(browser, study)
    work, saved = reverse("labelling:work", args=[campaign.pk]), 0
    while units := (data := _filled(shown))["unit"]:
        browser.post(work, data)
        answer = browser.post(work, data, follow=True)
        assert answer.status_code == 200
        saved, shown = saved + len(units), text_of(answer)
    return saved
