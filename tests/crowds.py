"""Campaigns of the toy benchmark, and people who answer them."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, F, Q

from benchmarks.models import Benchmark
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.models import Answer, Assignment, Campaign, Unit, Worker
from labelling.units.new_units import NewUnit, store_units
from labelling.work.answers import KeptAnswer, give_answer
from labelling.work.campaigns import open_campaign
from labelling.work.places import take_units

NOW = dt.datetime(2026, 1, 7, 12, tzinfo=dt.UTC)
MOOD = CampaignQuestion("one_label", "Is it good or bad?", (Option("good", "Good"), Option("bad", "Bad")))


def new_campaign(benchmark: Benchmark, question: CampaignQuestion = MOOD, **values: Any) -> Campaign:
    """A draft without units."""
    given = {
        "title": "Moods",
        "purpose": "gold_labels",
        "rule": "majority",
        "answers_wanted": 3,
        "is_sealed": False,
        "order_seed": 7,
        "made_at": NOW,
        "task": benchmark.tasks.first(),
    }
    return Campaign.objects.create(benchmark=benchmark, question=question.as_json(), **{**given, **values})


def text_unit(key: str, **values: Any) -> NewUnit:
    return NewUnit(key=key, items=(key,), shown=[[("text", f"The text of {key}.")]], **values)


def opened(
    benchmark: Benchmark,
    count: int,
    question: CampaignQuestion = MOOD,
    more: Sequence[NewUnit] = (),
    **values: Any,
) -> Campaign:
    """An open campaign about `count` units `u1`, `u2`, …, and perhaps more."""
    campaign = new_campaign(benchmark, question, **values)
    units = [text_unit(f"u{number}") for number in range(1, count + 1)]
    store_units(campaign=campaign, units=[*units, *more])
    open_campaign(campaign=campaign, now=NOW)
    return campaign


def hired(campaign: Campaign, count: int = 1, **values: Any) -> list[Worker]:
    """Workers who have joined."""
    last = campaign.workers.count()
    return [
        Worker.objects.create(
            campaign=campaign, number=last + more, source="panel", joined_at=NOW, seen_at=NOW, **values
        )
        for more in range(1, count + 1)
    ]


def say(assignment: Assignment, label: str = "good", at: dt.datetime = NOW, **values: Any) -> KeptAnswer:
    """One answer of whoever has the unit."""
    sent = {"label": [label]}
    given = {"client_id": uuid.uuid4(), "milliseconds": 4_000, "sent": sent}
    return give_answer(assignment_id=assignment.pk, worker=assignment.worker, now=at, **{**given, **values})


def work_on(worker: Worker, label: str = "good", at: dt.datetime = NOW, most: int = 10_000) -> int:
    """Answer units until none is left or `most` are answered; returns how many were."""
    done = 0
    while done < most:
        page = take_units(worker=worker, now=at)
        if not page:
            return done
        for assignment in page:
            say(assignment, label, at)
            done += 1
    return done


def broken_counts(campaign: Campaign) -> list[Unit]:
    """Units whose `taken` is not the number of assignments that hold a place of them."""
    places = Count("assignments", filter=Q(assignments__holds_place=True))
    return list(campaign.units.annotate(places=places).exclude(places=F("taken")))


def answers_of(campaign: Campaign) -> list[Answer]:
    return list(Answer.objects.filter(assignment__unit__campaign=campaign))
