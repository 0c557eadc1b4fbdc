"""Texts are written against a model on a page that waits for nothing: tries, what it said, and what is handed in."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from labelling.core.questions.question import CampaignQuestion, Option
from labelling.models import Answer, Attempt, Campaign
from labelling.pages.current_worker import _KEYS
from labelling.predictors.prediction import Prediction
from labelling.predictors.teaching import name_endpoint
from labelling.predictors.tries import judge_attempt
from labelling.units.new_units import NewUnit, store_units
from labelling.work.campaigns import open_campaign
from tests.crowds import NOW, hired, new_campaign
from tests.pages import text_of

WRITE = CampaignQuestion(
    "writing", "Write a sentence that is {label}.", (Option("bad", "Bad"), Option("good", "Good"))
)


@pytest.fixture
def campaign(toy: Any, gold_keys: None, settings: Any) -> Campaign:
    settings.WEBHOOKS_REACH_PRIVATE_HOSTS, settings.MODEL_HOSTS = True, ["127.0.0.1"]
    campaign = new_campaign(toy, WRITE, answers_wanted=1)
    units = [
        NewUnit(
            key=f"p{n}",
            items=(f"p{n}",),
            shown=[[("prompt", "The room was clean.")]],
            source={"target": "bad"},
        )
        for n in range(2)
    ]
    store_units(campaign=campaign, units=units)
    name_endpoint(campaign=campaign, url="http://127.0.0.1:9/", secret="between us")
    open_campaign(campaign=campaign, now=NOW)
    return campaign


@pytest.fixture
def browser(campaign: Campaign) -> Client:
    """The browser of a worker who has joined."""
    browser = Client()
    browser.get(reverse("labelling:back", args=[hired(campaign)[0].key]))
    return browser


def write(browser: Client, campaign: Campaign, text: str, client: str = "") -> Any:
    address = reverse("labelling:write", args=[campaign.pk])
    shown = text_of(browser.get(address))
    unit = re.search(r'name="unit" value="([^"]+)"', shown)
    data = {"unit": unit[1] if unit else "", "client": client or str(uuid.uuid4()), "text": text}
    return browser.post(address, data, follow=True)


def model_says(label: str) -> None:
    """The model answers the attempt that waits."""
    attempt = Attempt.objects.waiting().get()
    judge_attempt(attempt, Prediction(label, {"good": 0.8, "bad": 0.2}, "1"), NOW)
    attempt.save()


def test_a_text_that_fools_the_model_is_taken_once_its_writer_says_so(browser, campaign):
    shown = text_of(browser.get(reverse("labelling:work", args=[campaign.pk]), follow=True))
    assert "Write a sentence that is Bad." in shown
    assert shown.count("The room was clean.") == 1

    waiting = text_of(write(browser, campaign, "It was bad."))
    assert "The model is being asked." in waiting
    assert "<textarea" not in waiting
    model_says("bad")
    told = write(browser, campaign, "It was bad.")
    assert (told.status_code, "You have tried this very text" in text_of(told)) == (409, True)
    assert "not fooled" in text_of(told)
    assert "take it" not in text_of(told)

    write(browser, campaign, "Clean, and that is all.")
    model_says("good")
    told = text_of(browser.get(reverse("labelling:write", args=[campaign.pk])))
    assert "It saw Good" in told
    assert '<rect class="done" width="80%"' in told
    attempt = Attempt.objects.get(is_fooling=True)
    for _ in range(2):
        browser.post(reverse("labelling:write", args=[campaign.pk]), {"take": attempt.pk, "ms": "9000"})
    assert Answer.objects.get().value == "Clean, and that is all."
    assert "1 of 2" in text_of(browser.get(reverse("labelling:write", args=[campaign.pk])))


def test_after_ten_tries_the_last_is_handed_in_and_not_before(browser, campaign):
    address = reverse("labelling:write", args=[campaign.pk])
    for number in range(10):
        write(browser, campaign, f"It was bad, {number} times.")
        model_says("bad")
        newest = Attempt.objects.latest("asked_at")
        if number < 9:
            assert browser.post(address, {"take": newest.pk}).status_code == 409
    shown = text_of(browser.get(address))
    assert "All tries are used." in shown
    assert "<textarea" not in shown
    browser.post(address, {"take": newest.pk})
    assert Answer.objects.get().value == "It was bad, 9 times."


def test_nobody_hands_in_or_tries_what_is_not_theirs(browser, campaign):
    write(browser, campaign, "Clean.")
    model_says("good")
    attempt = Attempt.objects.get()
    other = Client()
    other.get(reverse("labelling:back", args=[hired(campaign)[0].key]))
    address = reverse("labelling:write", args=[campaign.pk])
    assert other.post(address, {"take": attempt.pk}).status_code == 409
    stolen = {"unit": attempt.assignment_id, "client": uuid.uuid4(), "text": "Mine."}
    assert other.post(address, stolen).status_code == 409
    assert other.post(address, {"unit": "x", "client": "y"}).status_code == 409
    assert not Answer.objects.exists()
    assert _KEYS in other.session


def test_an_empty_text_is_told_with_what_was_written_and_the_model_away_costs_no_try(browser, campaign):
    told = write(browser, campaign, "  ")
    assert (told.status_code, "There is no text yet" in text_of(told)) == (422, True)
    write(browser, campaign, "Clean.")
    Attempt.objects.update(given_back=True)
    shown = text_of(browser.get(reverse("labelling:write", args=[campaign.pk])))
    assert "The model did not answer; this used up no try." in shown
    assert "0 of 10 tries used" in shown
    assert "data-new>Clean.</textarea>" in shown
