"""A benchmark of texts with the systems of three teams, released once, and people who judge what these wrote."""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.services import create_team
from benchmarks.models import Benchmark
from labelling.core.answer_files import FoundAnswer
from labelling.core.questions.question import CampaignQuestion
from labelling.models import Campaign
from labelling.outcomes import PURPOSES
from labelling.outcomes.settling import settle_due
from labelling.outcomes.systems.systems_purpose import SystemsPurpose
from labelling.units.of_systems.chosen import releases_of, submissions_of
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.imports import keep_answers
from labelling.work.platforms import PLATFORMS, study_address
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import load_texts
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, person, synced
from tests.crowds import new_campaign
from tests.pages import text_of
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, WEEK, run_batch

DEFINITION = """
id: told
title: Told
summary: What is it called in English?
url: https://example.org/told
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  instructions: Say it in English.
  licence: CC0
  citation: Nobody, 2026.
tasks:
  - id: words
    code: WOR
    title: Words
    summary: What is it in English?
    output: {kind: text}
    file: {path: words.csv, id_column: id, label_column: english}
    metrics: [{name: chrf, title: chrF}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 5}
    counting: latest
    publish_automatically: true
"""
ITEMS = [f"s{number:02}" for number in range(1, 13)]
SYSTEMS = ("Alder", "Birch", "Cedar")
SHARED = ITEMS[:2]
"""Items for which the first two systems write the same."""
GOODNESS = {"fine": 90, "fair": 60, "poor": 25}
SLIDER = CampaignQuestion("number", "How good is it?", lowest=0.0, highest=100.0)
BETTER = CampaignQuestion("which_of_two", "Which is better?")


def wrote(system: str, item: str) -> str:
    """A word that says how good the text is, and the item."""
    if item in SHARED and system != "Cedar":
        return f"fair words about {item}"
    return f"{dict(zip(SYSTEMS, GOODNESS, strict=True))[system]} words of {item} from {SYSTEMS.index(system)}"


def send(benchmark: Benchmark, system: System, at: dt.datetime = NOW, more: str = "") -> Submission:
    rows = "".join(f"{item},{wrote(system.name, item)}{more}\n" for item in ITEMS)
    user = system.team.members.get()
    phase, data = benchmark.phases.get(), zip_of({"words.csv": f"id,english\n{rows}".encode()})
    return submit_predictions(
        PredictionUpload(system=system, phase=phase, user=user, data=data, file_name="w.zip", received_at=at)
    ).submission


def make_told() -> Benchmark:
    """The benchmark after its first release."""
    benchmark = synced(DEFINITION)
    task = benchmark.tasks.get()
    gold = "".join(f"{item},fine words of {item}\n" for item in ITEMS)
    load_gold(task=task, data=f"id,english\n{gold}".encode(), file_name="g.csv", now=NOW)
    texts = "".join(f"{item},Mots de {item}\n" for item in ITEMS)
    load_texts(split=task.splits.get(), data=f"id,french\n{texts}".encode(), file_name="t.csv", now=NOW)
    for name in SYSTEMS:
        team = create_team(name=f"Team {name}", founder=person(name.lower()), now=NOW)
        send(benchmark, System.objects.create(team=team, name=name, created_at=NOW))
    run_batch(CUT_OFF)
    return benchmark


def the_told() -> Benchmark:
    return Benchmark.objects.filter(pk="told").first() or make_told()


def drawn(benchmark: Benchmark, purpose: str, question: CampaignQuestion, **chosen: Any) -> Campaign:
    """A draft about the systems of the newest release, with its units."""
    of = PURPOSES[purpose]
    assert isinstance(of, SystemsPurpose)
    told = {name: chosen.pop(name, None) for name in of.draws}
    given = {"answers_wanted": 2, "title": "Read by people", "split_slug": "test", **chosen}
    campaign = new_campaign(benchmark, question, purpose=purpose, rule=of.offered_rules()[0].key, **given)
    submissions = submissions_of(campaign, releases_of(campaign)[0])
    of.draw_units(campaign=campaign, submissions=submissions, **told)
    return campaign


def begun(benchmark: Benchmark, purpose: str, question: CampaignQuestion, **chosen: Any) -> Campaign:
    """The same, open."""
    campaign = drawn(benchmark, purpose, question, **chosen)
    open_campaign(campaign=campaign, now=NOW)
    return campaign


Judge = Callable[[str], dict[str, str]]
"""Of a page what its fields are filled with, by their names without the unit's."""


def enter(campaign: Campaign, pid: str) -> tuple[Client, str]:
    """Somebody whom a platform sends, and the first page that they see."""
    browser = Client()
    study = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0] + f"?PROLIFIC_PID={pid}"
    consent = re.search(r'name="consent" value="(\w+)"', text_of(browser.get(study)))
    assert consent
    return browser, text_of(browser.post(study, {"consent": consent[1]}, follow=True))


def pages_judged(campaign: Campaign, pid: str, judge: Judge) -> Iterator[str]:
    """The pages that somebody sees who judges all that they are given, one unit a page."""
    browser, page = enter(campaign, pid)
    work = reverse("labelling:work", args=[campaign.pk])
    while units := re.findall(r'name="unit" value="([^"]+)"', page):
        yield page
        (unit,) = units
        sent = {f"{unit}-{name}": value for name, value in judge(page).items()}
        client = re.search(rf'name="{unit}-client" value="([^"]+)"', page)
        assert client
        data = {"unit": unit, f"{unit}-client": client[1], **sent}
        page = text_of(browser.post(work, data, follow=True))


def goodness(text: str) -> int:
    return next(value for word, value in GOODNESS.items() if f"{word} words" in text)


def as_number(page: str, off: int = 0) -> dict[str, str]:
    """What somebody who is `off` by so much says: more of some items than of others."""
    return {"number": str(goodness(page) + off + item_of(page) % 5 - 2)}


def item_of(page: str) -> int:
    """Which item a page is about, as a number from 0."""
    return next(number for number, item in enumerate(ITEMS) if f"Mots de {item}" in page)


def the_better(page: str) -> dict[str, str]:
    """The text of the higher number; a tie where these are the same."""
    left, right = (goodness(text) for text in re.findall(r"\w+ words (?:of|about) \w+", page)[:2])
    return {"label": "left" if left > right else "right" if right > left else "tie"}


def judged_over_http(campaign: Campaign, *judges: Judge) -> str:
    """The campaign closed and settled, after these have judged it through their pages; all that they have seen."""
    seen = [
        page for number, judge in enumerate(judges) for page in pages_judged(campaign, f"p{number}", judge)
    ]
    settled(campaign)
    return "".join(seen)


def judged(campaign: Campaign, *judges: Judge) -> None:
    """The same with answers that were given elsewhere."""
    kind, found = campaign.kind, []
    for unit in campaign.units.all():
        shown = " ".join(text for _, text in unit.shown[0])
        for number, judge in enumerate(judges):
            sent = {name: [said] for name, said in judge(shown).items()}
            value = kind.read(sent, campaign.asked, unit.items)
            found.append(FoundAnswer(unit.key, f"w{number}", value, ""))
    keep_answers(campaign=campaign, found=found, now=NOW)
    settled(campaign)


def settled(campaign: Campaign) -> None:
    close_campaign(campaign=campaign, now=NOW)
    assert settle_due(CUT_OFF + WEEK / 2) == 1
