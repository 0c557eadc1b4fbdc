"""Organisers end a phase with one cut-off ahead of its date, one of them, and are told what that opens."""

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from benchmarks.models import Benchmark, Phase
from scoring.models import Batch
from scoring.queue.batches import close_now
from tests.admin.conftest import PRESENT
from tests.conftest import person
from tests.games import BREAK_CLOSES, BUILD_CLOSES
from tests.people import appoint
from tests.phases import build, fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(games: Benchmark) -> User:
    user = person("organiser", is_staff=True)
    appoint(games, user)
    return user


@pytest.fixture
def client(client: Client, organiser: User) -> Client:
    client.force_login(organiser)
    return client


def close_button(phase: Phase) -> str:
    return reverse("admin:benchmarks_phase_close_now", args=[phase.pk])


def seen_on(page: str) -> str:
    (found,) = re.findall(r'name="seen" value="([^"]*)"', page)
    return str(found)


def press(client: Client, phase: Phase) -> Any:
    seen = seen_on(client.get(close_button(phase)).content.decode())
    return client.post(close_button(phase), {"confirmed": "yes", "seen": seen}, follow=True)


def save(client: Client, phase: Phase, closes_at: dt.datetime | None, **changes: str) -> Any:
    def parts(name: str, at: dt.datetime | None) -> dict[str, str]:
        return {f"{name}_0": f"{at:%Y-%m-%d}" if at else "", f"{name}_1": f"{at:%H:%M:%S}" if at else ""}

    form = {
        "title": phase.title,
        **parts("opens_at", phase.opens_at),
        **parts("closes_at", closes_at),
        "weekday": "",
        "time": "00:00:00",
        "timezone": "UTC",
        "quota_limit": "5",
        "editions_per_year": "0",
        "feedback": "none",
        "counting": "latest",
        "disclosure": "exact",
        "publish_automatically": "on",
        "confirmed": "yes",  # what follows a moved end is asked first
    }
    address = reverse("admin:benchmarks_phase_change", args=[phase.pk])
    return client.post(address, form | changes, follow=True)


def test_question_says_that_the_phase_is_over_then_and_what_opens(client, games):
    page = client.get(close_button(fresh(games, "build"))).content.decode()
    assert "The phase is over from then on instead of on" in page
    assert "Break, which follows it, opens at once." in page
    assert "The schedule stays as it is" not in page


def test_question_about_a_phase_that_is_over_promises_it_no_quota(client, games, system):
    build(system, games)
    press(client, fresh(games, "build"))
    page = client.get(close_button(fresh(games, "build"))).content.decode()
    assert "The phase stays over and takes nothing more." in page
    assert "quota is counted" not in page


def test_phase_is_over_and_what_follows_is_open(client, games, system):
    build(system, games)
    answer = press(client, fresh(games, "build"))
    assert "The phase was closed with 1 submission to score." in answer.content.decode()
    assert fresh(games, "build").closes_at == fresh(games, "break").opens_at == PRESENT


def test_break_phase_is_closed_without_a_batch(client, games):
    Phase.objects.filter(kind="break").update(opens_at=PRESENT - dt.timedelta(days=1))
    page = client.get(close_button(fresh(games, "break"))).content.decode()
    assert "What breakers have handed in so far counts" in page
    answer = press(client, fresh(games, "break"))
    assert "The phase was closed. The sets of pairs are made within minutes." in answer.content.decode()
    assert fresh(games, "break").closes_at == fresh(games, "score").opens_at == PRESENT
    assert not Batch.objects.exists()


def test_phase_that_has_not_opened_says_so(client, games):
    answer = press(client, fresh(games, "score"))
    assert "so there is nothing to close yet" in answer.content.decode()


def test_second_organiser_who_was_asked_before_closes_nothing_again(client, games):
    phase = fresh(games, "build")
    seen = seen_on(client.get(close_button(phase)).content.decode())
    close_now(phase=phase, now=PRESENT - dt.timedelta(minutes=1))
    answer = client.post(close_button(phase), {"confirmed": "yes", "seen": seen}, follow=True)
    assert "has been closed, or its dates were moved, since you were asked" in answer.content.decode()
    assert Batch.objects.count() == 1


def test_form_that_was_open_while_somebody_closed_the_phase_does_not_open_it_again(client, games):
    phase = fresh(games, "build")
    close_now(phase=phase, now=PRESENT - dt.timedelta(minutes=1))
    current = fresh(games, "build")
    save(client, current, current.closes_at, title="Building")
    found = fresh(games, "build")
    assert (found.title, found.closes_at) == ("Building", PRESENT - dt.timedelta(minutes=1))


def test_phase_closed_by_hand_is_opened_again_by_a_later_end_and_what_follows_waits(client, games):
    close_now(phase=fresh(games, "build"), now=PRESENT - dt.timedelta(minutes=1))
    answer = save(client, fresh(games, "build"), BUILD_CLOSES)
    assert "Break, which follows it, now opens when it closes." in answer.content.decode()
    assert fresh(games, "build").is_open(PRESENT)
    assert fresh(games, "break").opens_at == BUILD_CLOSES


def test_organiser_is_warned_of_a_phase_that_would_be_over_before_it_opens(client, games):
    answer = save(client, fresh(games, "build"), BREAK_CLOSES + dt.timedelta(days=1))
    assert "Break, which followed it, still opens on" in answer.content.decode()
    assert fresh(games, "break").opens_at == BUILD_CLOSES


def test_kind_is_shown_and_not_changed(client, games):
    phase = fresh(games, "build")
    page = client.get(reverse("admin:benchmarks_phase_change", args=[phase.pk])).content.decode()
    assert "build: predictions for the development data" in page
    save(client, phase, phase.closes_at, kind="score")
    assert fresh(games, "build").pk == phase.pk
