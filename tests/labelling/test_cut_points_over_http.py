"""Classes by cut points as organisers and workers make them: units drawn, a ranked list, classes, and their picture."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from benchmarks.admin.organised.links import add_address, address
from labelling.core.questions.question import CampaignQuestion
from labelling.models import Campaign
from labelling.outcomes.settling import settle_due
from labelling.work.platforms import PLATFORMS, study_address
from leaderboard.models import Page
from leaderboard.publication.services import refresh
from scoring.gold.opening import open_gold
from tests.conftest import person
from tests.crowds import NOW
from tests.labelling.test_admin_campaigns import press
from tests.labelling.test_cut_points import ORDERED, played
from tests.pages import browser_of, text_of
from tests.people import appoint

__all__ = ["press"]

SCORES = {f"t{number:02}": round(number * 17 % 61 / 60, 4) for number in range(61)}
PEOPLE = [{"1": "0.30", "2": "0.70"}, {"1": "0.20", "2": "0.60"}, {"1": "0.45", "2": "0.65"}]


@pytest.fixture
def benchmark(sync, gold_keys):
    return sync(ORDERED)


@pytest.fixture
def organiser(benchmark):
    user = person("organiser")
    appoint(benchmark, user)
    return user


def scored(benchmark, *, is_sealed=False) -> Campaign:
    """A campaign that is over, in which every text has one score."""
    rows = [f"{item},w,{value}" for item, value in SCORES.items()]
    about: dict[str, Any] = {"purpose": "answers", "rule": "mean", "task": benchmark.tasks.get()}
    question = CampaignQuestion("number", "How angry, from 0 to 1?")
    return played(benchmark, question, SCORES, rows, is_sealed=is_sealed, **about)


def begun(organiser, before, **changed) -> Campaign:
    """The draft that an organiser makes in the screens."""
    sent = {
        "at": 3,
        "go": "keep",
        "benchmark": before.benchmark_id,
        "purpose": "ordinal_classes",
        "kind": "number",
        "split": "oc/",
        "after": str(before.pk),
        "title": "Where classes begin",
        "text": "Where does the class begin?",
        "lowest": "0",
        "highest": "1",
        "answers_wanted": "3",
        "page_size": "1",
        "lease_minutes": "30",
        "seconds_least": "0",
        "check_share": "0",
        "check_threshold": "0.7",
        "check_least": "5",
        "language": "en",
    } | changed
    answer = browser_of(organiser).post(add_address(Campaign), sent, follow=True)
    assert "is a draft. Add units next" in text_of(answer)
    return Campaign.objects.get(title="Where classes begin")


def sat_down(campaign: Campaign, name: str) -> tuple[Client, str]:
    """Somebody who has joined from Prolific, and the first page."""
    browser = Client()
    study = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0] + f"?PROLIFIC_PID={name}"
    consent = re.search(r'name="consent" value="(\w+)"', text_of(browser.get(study)))
    assert consent
    return browser, text_of(browser.post(study, {"consent": consent[1]}, follow=True))


def sent(campaign: Campaign, browser: Client, shown: str, number: str) -> Any:
    (unit,) = re.findall(r'name="unit" value="([^"]+)"', shown)
    client = dict(re.findall(r'name="([^"]+-client)" value="([^"]+)"', shown))
    work = reverse("labelling:work", args=[campaign.pk])
    return browser.post(work, {"unit": unit, **client, f"{unit}-number": number}, follow=True)


def cut(campaign: Campaign, people) -> None:
    """Everybody joins and answers."""
    for cuts in people:
        answered(campaign, *sat_down(campaign, "-".join(cuts.values())), cuts)


def answered(campaign: Campaign, browser: Client, shown: str, cuts) -> None:
    """Answer every page by the class that it asks for."""
    for _ in cuts:
        begins = re.search(r"From which score on is a text of class (\d)\?", shown)
        assert begins
        shown = text_of(sent(campaign, browser, shown, cuts[begins[1]]))


def closed(press, campaign: Campaign) -> str:
    press(campaign, "close")
    settle_due(NOW)
    campaign.refresh_from_db()
    assert campaign.outcome_problem == ""
    refresh(campaign.benchmark)
    return bytes(Page.objects.get(pk=f"/benchmarks/{campaign.benchmark_id}/labelling/").body).decode()


def told(campaign: Campaign) -> dict[str, Any]:
    body = bytes(Page.objects.get(pk=f"/benchmarks/{campaign.benchmark_id}/labelling.json").body)
    (one,) = (each for each in json.loads(body)["campaigns"] if each["id"] == str(campaign.pk))
    return one


def test_from_units_that_are_drawn_to_classes_and_their_picture(benchmark, organiser, press):
    campaign = begun(organiser, scored(benchmark))
    assert (campaign.is_sealed, campaign.split_slug, campaign.rule) == (False, "", "")
    draft = browser_of(organiser).get(f"{address(campaign).removesuffix('change/')}edit/")
    assert draft.context["screen"].form["split"].value() == "oc/"
    assert "There are 2 units now." in text_of(press(campaign, "draw_units"))
    press(campaign, "open_it")

    browser, shown = sat_down(campaign, "first")
    assert "41 of 61 texts, from the lowest score to the highest" in shown
    listed = re.findall(r'<tr data-score="([\d.]+)"', shown)
    assert (listed[0], listed[-1], listed == sorted(listed)) == ("0.000", "1.000", True)
    refused = sent(campaign, browser, shown, "1.2")
    assert "1.2 is not in the range from 0 to 1." in text_of(refused)

    answered(campaign, browser, shown, PEOPLE[0])
    cut(campaign, PEOPLE[1:])
    page = closed(press, campaign)

    one = told(campaign)
    assert one["class_borders"] == [0.3, 0.65]
    assert [list(each.values()) for each in one["cut_points"]["borders"]] == [
        ["1", 0.3, 0.2, 0.45],
        ["2", 0.65, 0.6, 0.7],
    ]
    assert {row["name"]: row["items"] for row in one["classes"]} == {"0": 18, "1": 21, "2": 22}
    assert (one["agreement"], one["items_with_a_value"]) == ([], 61)
    assert "Classes begin at .300, .650." in page
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "A class begins at the median of what 3 people said" in words
    assert re.search(r"\d+ of 61 items are put into another class by somebody than by somebody else;", words)
    assert "t20,1," in text_of(press(campaign, "export_values"))
    above = text_of(browser_of(organiser).get(address(campaign)))
    assert "Where classes begin" in above
    assert "0.200 to 0.450" in above


def test_whoever_does_not_go_from_low_to_high_is_left_out_and_counted(benchmark, organiser, press):
    campaign = begun(organiser, scored(benchmark), answers_wanted="4")
    press(campaign, "draw_units")
    press(campaign, "open_it")
    cut(campaign, [*PEOPLE, {"1": "0.9", "2": "0.1"}])
    page = closed(press, campaign)
    assert (told(campaign)["class_borders"], told(campaign)["cut_points"]["left_out"]) == ([0.3, 0.65], 1)
    assert "1 person is left out" in re.sub(r"\s+", " ", page)


def test_cut_points_of_sealed_labels_stand_nowhere_and_borders_come_with_the_labels(
    benchmark, organiser, press
):
    campaign = begun(organiser, scored(benchmark), split="oc/test")
    assert campaign.is_sealed
    press(campaign, "draw_units")
    press(campaign, "open_it")
    cut(campaign, PEOPLE)
    page = closed(press, campaign)
    outcome = campaign.outcomes.get()
    assert not {"cuts", "ranges"} & set(outcome.report)
    assert told(campaign)["class_borders"] == []
    assert "Begins at" not in page
    assert outcome.gold_version is not None
    open_gold(version=outcome.gold_version, now=NOW)
    refresh(benchmark)
    lowest = [min(value for value in SCORES.values() if value >= border) for border in (0.3, 0.65)]
    assert told(campaign)["class_borders"] == lowest


@pytest.mark.parametrize(
    ("before", "changed", "sentence"),
    [
        ({"is_sealed": True}, {}, "is sealed: no page can read its scores."),
        (
            {},
            {"lowest": "0.1"},
            "The scores go from 0.000 to 1.000, and the question takes numbers from 0.1 to 1.",
        ),
    ],
)
def test_scores_that_no_unit_can_show_are_refused_in_words(
    benchmark, organiser, press, before, changed, sentence
):
    campaign = begun(organiser, scored(benchmark, **before), **changed)
    assert sentence in text_of(press(campaign, "draw_units"))
    assert not campaign.units.exists()


def test_a_task_without_ordered_classes_is_refused_on_its_screen(toy, organiser):
    appoint(toy, organiser)
    before = Campaign.objects.create(
        benchmark=toy, title="Before", purpose="answers", question={}, order_seed=1, made_at=NOW
    )
    sent = {"at": 2, "go": "next", "benchmark": "toy", "purpose": "ordinal_classes", "kind": "number"}
    sent |= {"split": "mood/", "after": str(before.pk)}
    page = text_of(browser_of(organiser).post(add_address(Campaign), sent))
    assert "Choose a task of ordered classes." in page
