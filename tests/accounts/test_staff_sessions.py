"""Whoever runs something is signed out after an hour without a request, and after twelve in any case."""

import datetime as dt

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.sign_in.addresses import confirm_address

PASSWORD = "correct horse battery staple"
MINUTE = dt.timedelta(minutes=1)


@pytest.fixture(autouse=True)
def limited(settings):
    settings.STAFF_IDLE = 3600


def signed_in(user) -> Client:
    user.set_password(PASSWORD)
    user.save()
    confirm_address(user)
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return client


def still_in(client: Client, page: str = "/account/") -> bool:
    return client.get(page).status_code == 200


@pytest.fixture
def clock(db):
    with time_machine.travel(timezone.now(), tick=False) as travelled:
        yield travelled


def test_after_an_hour_without_a_request_the_admin_asks_to_sign_in(staff, clock):
    client = signed_in(staff)
    assert still_in(client, "/admin/")
    clock.shift(59 * MINUTE)
    assert still_in(client, "/admin/")
    clock.shift(59 * MINUTE)
    assert still_in(client, "/admin/")
    clock.shift(61 * MINUTE)
    assert not still_in(client, "/admin/")
    assert not still_in(client)


def test_however_much_is_done_it_ends_after_twelve_hours(staff, clock):
    client = signed_in(staff)
    hours = [still_in(client)]
    for _ in range(26):
        clock.shift(30 * MINUTE)
        hours.append(still_in(client))
    assert hours == [True] * 24 + [False] * 3


def test_it_counts_from_signing_in_on(staff, clock):
    client = signed_in(staff)
    clock.shift(61 * MINUTE)
    assert not still_in(client)


def test_others_stay_for_two_weeks(owner, clock):
    client = signed_in(owner)
    clock.shift(dt.timedelta(days=13))
    assert still_in(client)


def test_whoever_was_signed_in_before_has_the_limit_from_the_admin_on(staff, clock):
    client = Client()
    client.force_login(staff)
    assert still_in(client, "/admin/")
    clock.shift(61 * MINUTE)
    assert not still_in(client, "/admin/")


def test_a_row_is_not_written_for_every_request(staff, clock):
    client = signed_in(staff)
    before = Session.objects.get().expire_date
    clock.shift(MINUTE / 2)
    still_in(client)
    assert Session.objects.get().expire_date == before
    clock.shift(MINUTE)
    still_in(client)
    assert Session.objects.get().expire_date > before


def test_without_a_limit_there_is_none(staff, clock, settings):
    settings.STAFF_IDLE = 0
    client = signed_in(staff)
    clock.shift(11 * 60 * MINUTE)
    assert still_in(client, "/admin/")
    clock.shift(61 * MINUTE)
    assert not still_in(client, "/admin/")
