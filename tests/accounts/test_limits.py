"""How often somebody may try: whom a limit counts, and where it is counted."""

import base64
import os
import subprocess
import sys
from functools import partial

import pytest
from django.core.cache import cache
from django.core.checks import run_checks
from django.test import Client

from accounts.models import SharedCount
from submissions.exceptions import TooManyChecks
from submissions.services import CHECKS_PER_HOUR, _count
from tests.conftest import NOW
from tests.settings import SHIPPED_COUNTS
from tests.threads import at_once

pytestmark = pytest.mark.postgres

LOGIN = "/api/v1/auth/login/"
PROXY = "172.18.0.1"
LOCMEM = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
DATABASE = {"default": SHIPPED_COUNTS}


@pytest.fixture
def shared(settings, db):
    """Counts in the database, as every server has them that was told nothing else."""
    settings.CACHES = DATABASE


def fail(number: int, forwarded_for: str) -> int:
    """A wrong password for another address every time, as the proxy hands it on."""
    words = base64.b64encode(f"nobody{number}@example.org:wrong".encode()).decode()
    return (
        Client(REMOTE_ADDR=PROXY)
        .post(LOGIN, HTTP_AUTHORIZATION=f"Basic {words}", HTTP_X_FORWARDED_FOR=forwarded_for)
        .status_code
    )


@pytest.mark.parametrize("proxies", ["0", "1", "2"])
def test_one_setting_says_to_all_limits_how_many_proxies_there_are(proxies):
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "from config import settings; "
            "print(settings.REST_FRAMEWORK['NUM_PROXIES'], settings.ALLAUTH_TRUSTED_PROXY_COUNT)",
        ],
        env=os.environ | {"HELDOUT_PROXIES": proxies},
        capture_output=True,
        text=True,
        check=True,
    )

    assert told.stdout.split() == [proxies, proxies]


def test_behind_a_proxy_each_client_has_its_own_limit(db, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    answers = [fail(number, f"198.51.100.{number}") for number in range(15)]
    from_one = [fail(number, "198.51.100.200") for number in range(15)]

    assert set(answers) == {401}
    assert from_one[9:11] == [401, 429]


def test_behind_a_proxy_what_the_client_says_of_itself_counts_for_nothing(db, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    answers = [fail(number, f"203.0.113.{number}, 198.51.100.7") for number in range(11)]

    assert answers[-1] == 429


def test_without_a_proxy_nobody_is_another_by_saying_so(db):
    answers = [fail(number, f"203.0.113.{number}") for number in range(11)]

    assert answers[-1] == 429


def test_counts_in_the_database_are_those_of_all_processes(shared):
    answers = [fail(number, "") for number in range(11)]

    assert answers[-1] == 429
    assert SharedCount.objects.filter(cache_key__contains="login_failed").exists()


def test_four_hundred_people_are_counted_at_once(shared):
    for number in range(400):
        cache.set(f"person:{number}", 1, 3600)

    assert len(cache.get_many(f"person:{number}" for number in range(400))) == 400


@pytest.mark.django_db(transaction=True)
def test_checks_at_once_are_counted_each(shared, owner):
    outcomes = at_once([partial(_count, owner, NOW)] * (CHECKS_PER_HOUR + 20))

    assert sum(isinstance(outcome, TooManyChecks) for outcome in outcomes) == 20


@pytest.mark.parametrize(("caches", "found"), [(LOCMEM, ["accounts.E002"]), (DATABASE, [])])
def test_a_deployment_that_counts_in_each_process_is_refused(caches, found, settings, db):
    settings.CACHES = caches

    told = run_checks(tags=["security"], include_deployment_checks=True)

    assert [one.id for one in told if one.id == "accounts.E002"] == found
