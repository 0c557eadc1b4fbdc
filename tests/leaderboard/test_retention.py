"""What is kept of people is forgotten when its time is over, and the page about privacy says when that is."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.db import DatabaseError, transaction
from django.test import Client

from accounts.mail.outbox import Letter, put_in_post, send_again, send_due
from accounts.models import AccountEvent, ApiToken, EventKind, Mail, MailKind, Membership, SharedCount, User
from accounts.server.clock import database_now
from benchmarks.people.models import Role, RoleInvitation
from leaderboard.models import Webhook
from leaderboard.personal_data import retention
from leaderboard.personal_data.erasure import ERASED
from leaderboard.personal_data.retention import KEPT, forget
from leaderboard.webhooks.messages import write_messages
from submissions.models import Refusal
from tests.pages import text_of
from tests.weeks import HALF_WRONG, upload

pytestmark = pytest.mark.postgres
DAY = dt.timedelta(days=1)


@pytest.fixture
def now(db: None) -> dt.datetime:
    return database_now()


def newcomer(name: str, joined: dt.datetime) -> User:
    return User.objects.create_user(f"{name}@example.org", date_joined=joined)


def test_an_account_that_nobody_confirmed_goes_after_a_month(now):
    newcomer("old", now - 31 * DAY)
    newcomer("young", now - 29 * DAY)
    confirmed = newcomer("confirmed", now - 31 * DAY)
    EmailAddress.objects.create(user=confirmed, email=confirmed.email, verified=True, primary=True)
    newcomer("used", now - 31 * DAY)
    User.objects.filter(email="used@example.org").update(last_login=now)
    forget(now)
    left = User.objects.filter(email__endswith="@example.org").values_list("email", flat=True)
    assert {one.partition("@")[0] for one in left} >= {"young", "confirmed", "used"}
    assert not User.objects.filter(email="old@example.org").exists()


def test_one_to_which_something_happened_is_erased_and_one_that_takes_part_stays(now, system):
    tried = newcomer("tried", now - 31 * DAY)
    AccountEvent.objects.create(user=tried, kind=EventKind.SIGN_IN_FAILED, at=now)
    member = newcomer("member", now - 31 * DAY)
    Membership.objects.create(team=system.team, user=member, joined_at=now)
    forget(now)
    tried.refresh_from_db()
    member.refresh_from_db()
    assert (tried.name, tried.is_active, member.is_active) == (ERASED, False, True)


def test_the_address_behind_an_event_goes_long_before_the_event(now, owner):
    for days in (89, 91):
        AccountEvent.objects.create(
            user=owner, kind=EventKind.SIGN_IN, client="192.0.2.7", at=now - days * DAY
        )
    forget(now)
    assert [one.client for one in AccountEvent.objects.filter(user=owner).order_by("at")] == [
        None,
        "192.0.2.7",
    ]
    for change in ({"detail": "x"}, {"client": "192.0.2.8"}, {"client": None, "kind": EventKind.TEAM}):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            AccountEvent.objects.filter(user=owner).update(**change)


def test_texts_of_old_mails_go_and_nobody_is_written_to_again(now, owner, mailoutbox):
    for about, age in (("old", 91 * DAY), ("given up", 91 * DAY), ("new", DAY)):
        letter = Letter(owner, about, f"text of {about}")
        put_in_post(kind=MailKind.FAILURE, about=about, letters=[letter], now=now - age)
    send_due(now)
    Mail.objects.filter(about="given up").update(status="failed")
    put_in_post(
        kind=MailKind.FAILURE,
        about="waits",
        letters=[Letter(owner, "s", "still to come")],
        now=now - 91 * DAY,
    )
    forget(now)
    assert dict(Mail.objects.values_list("about", "text")) == {
        "old": "", "given up": "", "new": "text of new", "waits": "still to come"
    }  # fmt: skip
    assert send_again(Mail.objects.all(), now=now) == 0
    put_in_post(kind=MailKind.FAILURE, about="old", letters=[Letter(owner, "old", "again")], now=now)
    assert Mail.objects.filter(about="old").count() == 1


def test_refusals_idle_tokens_invitations_sessions_and_counts_go_in_their_time(
    now, system, phase, owner, toy
):
    for days in (89, 91):
        given = {
            "system": system,
            "phase": phase,
            "submitted_by": owner,
            "file_name": f"{days}.csv",
            "problems": [],
        }
        Refusal.objects.create(**given, received_at=now - days * DAY)
        RoleInvitation.objects.create(
            benchmark=toy,
            address="ada@example.org",
            role=Role.READER,
            invited_at=now - days * DAY,
            accepted_at=now,
        )
    for name in ("idle", "used", "young"):
        token, _ = ApiToken.objects.create(owner, name=name)
        ApiToken.objects.filter(pk=token.pk).update(
            created=now - (1 if name == "young" else 200) * DAY,
            last_used_at=now - DAY if name == "used" else None,
            expiry=now + 100 * DAY,
        )
    for name, ends_at in (("over", now - DAY), ("goes on", now + DAY)):
        Session.objects.create(session_key=name, session_data="", expire_date=ends_at)
        SharedCount.objects.create(cache_key=name, value="", expires=ends_at)
    forget(now)
    assert [one.file_name for one in Refusal.objects.all()] == ["89.csv"]
    assert RoleInvitation.objects.count() == 1
    assert set(ApiToken.objects.values_list("name", flat=True)) == {"used", "young"}
    assert AccountEvent.objects.get(kind=EventKind.TOKEN_ENDED).detail == "idle, unused for 180 days"
    assert (
        [one.pk for one in Session.objects.all()]
        == [one.pk for one in SharedCount.objects.all()]
        == ["goes on"]
    )


def test_who_was_to_wait_while_the_clock_was_ahead_waits_no_longer(now):
    for name, ends_at in (("ahead", now + 4 * DAY), ("of today", now + DAY)):
        SharedCount.objects.create(cache_key=name, value="", expires=ends_at)
    forget(now)
    assert [one.pk for one in SharedCount.objects.all()] == ["of today"]


def test_messages_to_webhooks_go_after_ninety_days_and_are_not_written_again(now, system, phase):
    webhook = Webhook.objects.create(
        benchmark=phase.benchmark,
        url="https://hooks.example.org/",
        made_at=now - 200 * DAY,
        looked_until=now - 91 * DAY,
    )
    upload(system, phase, at=now - 91 * DAY)
    assert write_messages(now - 91 * DAY + DAY / 24) == 1
    upload(system, phase, mood=HALF_WRONG, at=now - DAY)
    assert write_messages(now - DAY + DAY / 24) == 1
    forget(now)
    assert [one.created_at for one in webhook.deliveries.all()] == [now - DAY + DAY / 24]
    assert write_messages(now) == 0


def test_what_fails_keeps_nothing_else(now, monkeypatch):
    def crash(_now: dt.datetime) -> int:
        raise ZeroDivisionError

    def forget_one(at: dt.datetime) -> int:
        done.append(at)
        return 1

    done: list[dt.datetime] = []
    rows = (retention.Kept("a", "b", "c", crash), retention.Kept("d", "e", "f", forget_one))
    monkeypatch.setattr(retention, "KEPT", rows)
    with pytest.raises(ExceptionGroup):
        forget(now)
    assert done == [now]


def test_the_page_says_what_the_sweep_does_and_whom_to_ask(db, settings):
    settings.OPERATOR, settings.OPERATOR_CONTACT = "The Example Institute", "privacy@example.org"
    page = text_of(Client().get("/privacy/"))
    for one in KEPT:
        assert one.what in page
        assert one.until in page
    assert "The Example Institute runs this site." in page
    assert "privacy@example.org" in page
    assert "90 days." in {one.until for one in KEPT if one.forget is retention.forget_refusals}
    settings.OPERATOR = settings.OPERATOR_CONTACT = ""
    assert "Organisers of the benchmarks here can tell you" in text_of(Client().get("/privacy/"))
