"""A webhook speaks for whoever gave it its address, and falls silent when they run the benchmark no more."""

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.people.models import Role
from benchmarks.people.services import take_role
from leaderboard.models import Webhook, WebhookDelivery
from leaderboard.webhooks.delivery import deliver_due, secret_of
from leaderboard.webhooks.messages import write_messages
from tests.conftest import NOW
from tests.pages import browser_of
from tests.people import appoint
from tests.weeks import upload

pytestmark = pytest.mark.django_db
BEFORE = NOW - dt.timedelta(days=1)
ADDRESS = "https://chat.example/hook"
ALL = {"tells_accepted": "on", "tells_scored": "on", "tells_released": "on"}


@pytest.fixture
def webhook(organiser: User) -> Webhook:
    """One that an organiser gave on the page of the admin."""
    answer = browser_of(organiser).post(
        "/admin/leaderboard/webhook/add/", {"benchmark": "toy", "url": ADDRESS, **ALL}
    )
    assert answer.status_code == 302, answer.content.decode()
    Webhook.objects.update(made_at=BEFORE, looked_until=BEFORE)
    return Webhook.objects.get()


def page_of(webhook: Webhook, user: User) -> str:
    return browser_of(user).get(f"/admin/leaderboard/webhook/{webhook.pk}/change/").content.decode()


def removed(toy: Any, user: User) -> None:
    take_role(role=toy.roles.get(user=user), by=None)


def demoted(toy: Any, user: User) -> None:
    appoint(toy, user, Role.READER)


def deactivated(toy: Any, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("gone", [removed, demoted, deactivated])
def test_nothing_more_is_told_to_an_address_of_somebody_who_runs_the_benchmark_no_more(
    toy, system, phase, organiser, keeper, webhook, gone, monkeypatch
):
    sent: list[str] = []

    def take(delivery: WebhookDelivery) -> int:
        sent.append(delivery.about)
        return 200

    monkeypatch.setattr("leaderboard.webhooks.delivery._post", take)
    upload(system, phase, at=NOW)
    assert write_messages(NOW) == 1
    gone(toy, organiser)
    assert deliver_due(NOW) == 0
    assert write_messages(NOW + dt.timedelta(hours=1)) == 0

    assert "silent: Organiser, who gave the address, runs the benchmark no more" in page_of(webhook, keeper)
    home = browser_of(keeper).get("/admin/benchmarks/benchmark/toy/home/").content.decode()
    assert "1 address is silent: whoever gave it runs the benchmark no more." in home

    button = f"/admin/leaderboard/webhook/{webhook.pk}/take_over/"
    assert browser_of(keeper).post(button, {"confirmed": "1"}).status_code == 302
    assert "silent: " not in page_of(webhook, keeper)
    assert deliver_due(NOW) == 1
    assert len(sent) == 1


def test_webhooks_of_the_server_and_of_those_who_stay_go_on(toy, system, phase, organiser, keeper, webhook):
    Webhook.objects.create(benchmark=toy, url=f"{ADDRESS}/2", made_at=BEFORE, looked_until=BEFORE)
    upload(system, phase, at=NOW)
    assert write_messages(NOW) == 2
    assert "Have it go on" not in page_of(webhook, keeper)


def test_whoever_saves_an_address_answers_for_it(toy, system, phase, organiser, keeper, webhook):
    answer = browser_of(keeper).post(
        f"/admin/leaderboard/webhook/{webhook.pk}/change/", {"url": f"{ADDRESS}/2", "is_active": "on", **ALL}
    )
    assert answer.status_code == 302
    removed(toy, organiser)
    upload(system, phase, at=NOW)
    assert write_messages(NOW) == 1


def test_the_secret_is_shown_to_those_who_run_the_benchmark_alone(organiser, onlooker, webhook):
    assert secret_of(webhook) in page_of(webhook, organiser)
    assert secret_of(webhook) not in page_of(webhook, onlooker)


def press(webhook: Webhook, user: User, button: str) -> str:
    """What the page says after a button was pressed and its question confirmed."""
    page = f"/admin/leaderboard/webhook/{webhook.pk}/{button}/"
    answer = browser_of(user).post(page, {"confirmed": "1"}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_what_was_given_up_is_shown_and_sent_again_at_a_press(
    toy, system, phase, organiser, webhook, monkeypatch
):
    monkeypatch.setattr("leaderboard.webhooks.delivery._post", lambda delivery: 410)
    assert "Send again" not in page_of(webhook, organiser)
    upload(system, phase, at=NOW)
    write_messages(NOW)
    assert deliver_due(NOW) == 0
    home = browser_of(organiser).get("/admin/benchmarks/benchmark/toy/home/").content.decode()
    assert "1 message is given up." in home
    assert "told; 1 message is given up" in page_of(webhook, organiser)

    monkeypatch.setattr("leaderboard.webhooks.delivery._post", lambda delivery: 200)
    assert "1 message is back in the post." in press(webhook, organiser, "send_again")
    assert deliver_due(database_now()) == 1
    assert "given up" not in page_of(webhook, organiser)


def test_secret_that_others_may_know_is_replaced_by_those_who_run_the_benchmark(organiser, onlooker, webhook):
    before = secret_of(webhook)
    refused = browser_of(onlooker).post(
        f"/admin/leaderboard/webhook/{webhook.pk}/renew_secret/", {"confirmed": "1"}
    )
    assert refused.status_code == 403
    page = press(webhook, organiser, "renew_secret")
    webhook.refresh_from_db()
    assert secret_of(webhook) != before
    assert secret_of(webhook) in page
    assert before not in page
