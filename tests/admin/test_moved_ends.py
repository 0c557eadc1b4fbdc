"""Whoever takes part is told by mail that the end of a phase was moved."""

import datetime as dt

import pytest

from accounts.mail.outbox import send_due
from accounts.models import Mail
from accounts.services import create_team
from benchmarks.models import Phase
from submissions.participants import TeamRegistration
from tests.admin.conftest import PRESENT
from tests.admin.test_phases import save
from tests.conftest import NOW, person


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
    return save(client, phase, closes_at_0=f"{end:%Y-%m-%d}", closes_at_1=f"{end:%H:%M:%S}")


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
