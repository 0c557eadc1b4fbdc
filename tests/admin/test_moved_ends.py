"""Whoever takes part is told by mail that the end of a phase was moved."""

import datetime as dt
import re

import pytest

from accounts.mail.outbox import send_due
from accounts.models import Mail
from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from submissions.participants import TeamRegistration
from tests.admin.conftest import PRESENT
from tests.admin.test_phases import ask
from tests.conftest import NOW, person
from tests.pages import text_of

pytestmark = pytest.mark.thorough


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


@pytest.fixture
def ending(world):
    """A phase that ends in ten days."""
    end = PRESENT + dt.timedelta(days=10)
    Phase.objects.filter(pk=world.phase.pk).update(closes_at=end)
    world.phase.closes_at = end
    return world.phase


def moved(client, phase, end):
    """As it is once the question was answered."""
    return asked(client, phase, end, confirmed="yes")


def asked(client, phase, end, **more):
    return ask(client, phase, closes_at_0=f"{end:%Y-%m-%d}", closes_at_1=f"{end:%H:%M:%S}", **more)


def test_members_of_teams_with_submissions_and_of_those_let_in_get_one_mail(client, ending, mailoutbox):
    guest = person("guest")
    team = create_team(name="Guests", founder=guest, now=NOW)
    TeamRegistration.objects.create(
        benchmark=ending.benchmark, team=team, asked_by=guest, asked_at=NOW, approved_at=NOW
    )
    create_team(name="Others", founder=person("nobody"), now=NOW)
    end = ending.closes_at + dt.timedelta(days=2)

    assert moved(client, ending, end).status_code == 302
    moved(client, ending, end)
    send_due(PRESENT)

    told = [mail for mail in mailoutbox if "another date" in mail.subject]
    assert sorted(mail.to[0] for mail in told) == ["guest@example.org", "owner@example.org"]
    text = " ".join(told[0].body.split())
    assert "ends later than announced" in text
    assert f"{end:%Y}" in text
    assert "/benchmarks/toy/rules/" in text


def test_an_end_that_was_over_already_is_moved_without_a_mail(client, ending):
    Phase.objects.filter(pk=ending.pk).update(closes_at=PRESENT - dt.timedelta(days=1))
    moved(client, ending, PRESENT + dt.timedelta(days=2))
    assert not Mail.objects.filter(about__startswith="end:").exists()


def test_who_wants_no_news_from_organisers_gets_none(client, ending, owner):
    owner.mail_organiser = False
    owner.save()
    moved(client, ending, ending.closes_at + dt.timedelta(days=2))
    assert not Mail.objects.filter(about__startswith="end:").exists()


def test_what_moves_and_who_is_told_is_shown_before_anything_is_changed(client, ending, mailoutbox):
    second = Phase.objects.create(
        benchmark=ending.benchmark, slug="second", title="Second", opens_at=ending.closes_at,
        closes_at=ending.closes_at + dt.timedelta(days=7), time=dt.time(0), counting="latest", quota_limit=1,
        next_cut_off_at=ending.closes_at + dt.timedelta(days=7),
    )  # fmt: skip
    end = ending.closes_at + dt.timedelta(days=2)

    page = asked(client, ending, end)

    assert page.status_code == 200
    shown = text_of(page)
    assert "Second, which follows it, opens then." in shown
    assert "1 person who takes part gets a mail with both dates." in shown
    assert "Second closes" in shown
    ending.refresh_from_db()
    assert ending.closes_at == end - dt.timedelta(days=2)
    assert not Mail.objects.filter(about__startswith="end:").exists()

    asked(client, ending, end, confirmed="yes", shift_the_rest="on")

    ending.refresh_from_db()
    second.refresh_from_db()
    assert (ending.closes_at, second.opens_at) == (end, end)
    assert second.closes_at == end + dt.timedelta(days=7)
    send_due(PRESENT)
    [told] = [mail for mail in mailoutbox if "dates were moved" in mail.subject]
    assert "Second closes on" in told.body


def test_all_dates_shift_by_days_once_what_moves_was_seen(client, ending, organiser):
    benchmark, before = ending.benchmark, ending.closes_at
    Benchmark.objects.update(
        registration_closes_at=before, registration_opens_at=PRESENT - dt.timedelta(days=1)
    )
    address = f"/admin/benchmarks/benchmark/{benchmark.pk}/shift_dates/"

    page = client.post(address, {"confirmed": "yes", "days": "3"}).content.decode()

    assert "Main closes" in page
    assert "the registration closes" in page
    assert "the registration opens" not in page  # that is over
    ending.refresh_from_db()
    assert ending.closes_at == before
    seen = re.search(r'name="seen" value="([^"]+)"', page)
    assert seen
    client.post(address, {"confirmed": "yes", "days": "3", "seen": seen[1]})
    ending.refresh_from_db()
    benchmark.refresh_from_db()
    after = before + dt.timedelta(days=3)
    assert (ending.closes_at, benchmark.registration_closes_at) == (after, after)
    assert ending.next_cut_off_at <= after
    assert Mail.objects.filter(about__startswith="shift:").count() == 1


def test_dates_cannot_be_shifted_into_the_past(client, ending):
    address = f"/admin/benchmarks/benchmark/{ending.benchmark_id}/shift_dates/"
    page = text_of(client.post(address, {"confirmed": "yes", "days": "-30"}))
    assert "so much earlier it would be over already" in page
