"""Webhooks are told what was accepted, scored and released, by signed messages to public hosts."""

import base64
import contextlib
import datetime as dt
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from uuid import uuid4

import pytest

from accounts.server.clock import database_now
from accounts.server.outgoing import Limits
from benchmarks.models import Benchmark
from leaderboard.models import Webhook, WebhookDelivery
from leaderboard.webhooks import delivery
from leaderboard.webhooks.delivery import deliver_due, renew_secret, secret_of, send_given_up, signature
from leaderboard.webhooks.messages import write_messages
from submissions.models import System
from tests.conftest import NOW
from tests.people import appoint
from tests.weeks import run_batch, upload

pytestmark = pytest.mark.django_db
BEFORE = NOW - dt.timedelta(days=1)
NEXT = NOW + dt.timedelta(days=8)


class Receiver(BaseHTTPRequestHandler):
    """Keeps what it is sent, and answers `status`."""

    status = 204
    received: list[tuple[dict[str, str], bytes]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((dict(self.headers), body))
        self.send_response(self.status)
        self.send_header("Location", "http://localhost/elsewhere")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def receiver(settings: Any, socket_enabled: None) -> Iterator[type[Receiver]]:
    settings.WEBHOOKS_REACH_PRIVATE_HOSTS = True

    class Fresh(Receiver):
        received: list[tuple[dict[str, str], bytes]] = []

    server = HTTPServer(("127.0.0.1", 0), Fresh)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    Fresh.port = server.server_port  # type: ignore[attr-defined]
    yield Fresh
    server.shutdown()
    server.server_close()


def hook(benchmark: Benchmark, url: str, **told: bool) -> Webhook:
    return Webhook.objects.create(benchmark=benchmark, url=url, made_at=BEFORE, looked_until=BEFORE, **told)


def own(benchmark: Benchmark, receiver: type[Receiver], **told: bool) -> Webhook:
    return hook(benchmark, f"http://127.0.0.1:{receiver.port}/hook?key=1", **told)  # type: ignore[attr-defined]


def swept(now: dt.datetime) -> int:
    write_messages(now)
    return deliver_due(now)


def test_what_happens_is_told_once_each_and_without_scores(toy, system: System, receiver):
    webhook = own(toy, receiver)
    upload(system, toy.phases.get(), at=NOW)
    run_batch(NEXT)
    assert swept(NEXT) == 3
    assert swept(NEXT + dt.timedelta(minutes=1)) == 0
    bodies = [json.loads(body) for _, body in receiver.received]
    assert sorted(body["event"] for body in bodies) == ["accepted", "released", "scored"]
    accepted = next(body for body in bodies if body["event"] == "accepted")
    assert (accepted["system"], accepted["benchmark"], accepted["phase"]) == ("Larch", "toy", "main")
    assert "score" not in {key for body in bodies for key in body}
    assert webhook.deliveries.filter(status="sent").count() == 3


def checked(headers: dict[str, str], body: bytes, secret: str, now: dt.datetime) -> dict[str, Any]:
    """The message, as a receiver of Standard Webhooks takes it.

    Raises
    ------
    ValueError
        If the signature is none of this secret, id, time and body, or the time is more than five minutes off.
    """
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['Webhook-Id']}.{headers['Webhook-Timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, "sha256").digest()).decode()
    if f"v1,{expected}" not in headers["Webhook-Signature"].split():
        raise ValueError("It is not signed with this secret.")
    if abs(now.timestamp() - int(headers["Webhook-Timestamp"])) > 300:
        raise ValueError("It is more than five minutes off.")
    message: dict[str, Any] = json.loads(body)
    return message


@pytest.fixture
def sent(toy: Benchmark, system: System, receiver: type[Receiver]) -> tuple[Webhook, dict[str, str], bytes]:
    """A webhook, and the headers and the body of a message that it was sent."""
    webhook = own(toy, receiver)
    upload(system, toy.phases.get(), at=NOW)
    swept(NOW)
    [(headers, body)] = receiver.received
    return webhook, headers, body


def test_messages_are_signed_as_receivers_of_standard_webhooks_check_them(sent):
    webhook, headers, body = sent
    assert checked(headers, body, secret_of(webhook), database_now())["event"] == "accepted"
    assert headers["Webhook-Id"] == str(webhook.deliveries.get().pk)


def test_a_message_played_again_under_another_id_or_later_is_not_taken(sent):
    webhook, headers, body = sent
    for changed in (
        {"Webhook-Id": str(uuid4())},
        {"Webhook-Timestamp": str(int(headers["Webhook-Timestamp"]) + 1)},
    ):
        with pytest.raises(ValueError, match="not signed"):
            checked(headers | changed, body, secret_of(webhook), database_now())
    with pytest.raises(ValueError, match="five minutes"):
        checked(headers, body, secret_of(webhook), database_now() + dt.timedelta(minutes=6))


def test_a_message_that_is_sent_again_keeps_its_id(toy, system, receiver):
    receiver.status = 500
    webhook = own(toy, receiver)
    upload(system, toy.phases.get(), at=NOW)
    swept(NOW)
    deliver_due(webhook.deliveries.get().due_at)
    first, second = [headers for headers, _ in receiver.received]
    assert first["Webhook-Id"] == second["Webhook-Id"]


def test_signature_is_that_of_the_example_of_standard_webhooks():
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_receivers_of_before_find_the_signature_of_the_body(sent):
    webhook, headers, body = sent
    expected = hmac.new(webhook.secret.encode(), body, "sha256").hexdigest()
    assert headers["X-Heldout-Signature"] == f"sha256={expected}"
    assert headers["X-Heldout-Delivery"] == headers["Webhook-Id"]


def test_only_what_was_asked_for_is_told(toy, system, receiver):
    own(toy, receiver, tells_accepted=False)
    upload(system, toy.phases.get(), at=NOW)
    assert swept(NOW) == 0


@pytest.mark.parametrize("status", [500, 301])
def test_what_is_not_taken_is_tried_again_later_and_given_up_in_the_end(toy, system, receiver, status):
    receiver.status = status
    webhook = own(toy, receiver)
    upload(system, toy.phases.get(), at=NOW)
    assert swept(NOW) == 0
    waiting = webhook.deliveries.get()
    assert waiting.status == "waiting"
    assert str(status) in waiting.error
    assert waiting.due_at > NOW
    now = NOW
    while webhook.deliveries.get().status == "waiting":
        now = webhook.deliveries.get().due_at
        deliver_due(now)
    assert webhook.deliveries.get().status == "failed"
    receiver.status = 200
    assert send_given_up(webhook, now) == 1
    assert deliver_due(now) == 1


def given_up(webhook: Webhook, now: dt.datetime) -> dt.datetime:
    """Try what waits until nothing does; returns when the last one was tried."""
    while due := webhook.deliveries.filter(status="waiting").order_by("due_at").first():
        now = due.due_at
        deliver_due(now)
    return now


def test_organisers_are_told_once_that_nothing_is_taken_and_again_after_something_was(
    toy, system, receiver, staff, mailoutbox
):
    appoint(toy, staff)
    receiver.status = 500
    webhook = own(toy, receiver, tells_scored=False)
    send_files(toy, system, 2)
    now = NOW + dt.timedelta(minutes=1)
    swept(now)
    assert mailoutbox == []
    now = given_up(webhook, now)
    [mail] = mailoutbox
    assert mail.to == [staff.email]
    assert "It answered 500" in mail.body
    assert f"/admin/leaderboard/webhook/{webhook.pk}/change/" in mail.body
    assert "key=1" not in mail.body  # a receiver's address may hold its password

    receiver.status = 204
    assert send_given_up(webhook, now) == 2
    assert deliver_due(now) == 2
    receiver.status = 500
    upload(system, toy.phases.get(), mood="bad bad bad bad bad bad", at=now)
    swept(now)
    given_up(webhook, now)
    assert len(mailoutbox) == 2


def test_receiver_that_says_that_it_is_gone_is_asked_once(toy, system, receiver, staff, mailoutbox):
    appoint(toy, staff)
    receiver.status = 410
    webhook = own(toy, receiver)
    upload(system, toy.phases.get(), at=NOW)
    swept(NOW)
    assert webhook.deliveries.get().status == "failed"
    assert "takes no messages any more" in mailoutbox[0].body


def test_what_a_receiver_refuses_until_it_knows_a_new_secret_is_sent_again_under_it(toy, system, receiver):
    receiver.status = 401
    webhook = own(toy, receiver)
    before = secret_of(webhook)
    upload(system, toy.phases.get(), at=NOW)
    swept(NOW)
    renew_secret(webhook)
    assert secret_of(webhook) != before
    receiver.status = 204
    assert deliver_due(webhook.deliveries.get().due_at) == 1
    headers, body = receiver.received[-1]
    assert checked(headers, body, secret_of(webhook), database_now())
    with pytest.raises(ValueError, match="not signed"):
        checked(headers, body, before, database_now())


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A receiver that takes every connection and never says anything."""
    monkeypatch.setattr(delivery, "LIMITS", Limits(connect=1, total=0.1))
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        listening.setblocking(False)
        yield listening


def send_files(toy: Benchmark, system: System, count: int) -> None:
    for number in range(count):
        labels = ["bad"] * number + ["good"] * (6 - number)
        upload(system, toy.phases.get(), mood=" ".join(labels), at=NOW + dt.timedelta(seconds=number))


def asked(silent: socket.socket) -> int:
    """How often it was asked since it was looked last."""
    connections = []
    with contextlib.suppress(BlockingIOError):
        while True:
            connections.append(silent.accept()[0])
    for connection in connections:
        connection.close()
    return len(connections)


def test_a_receiver_that_hangs_keeps_no_other_waiting(toy, system, receiver, silent, monkeypatch):
    monkeypatch.setattr(delivery, "PER_SWEEP", 4)
    hanging = hook(toy, f"http://127.0.0.1:{silent.getsockname()[1]}/", tells_scored=False)
    send_files(toy, system, 5)
    now = NOW + dt.timedelta(minutes=1)
    swept(now)
    assert asked(silent) == 1
    assert sorted(hanging.deliveries.values_list("attempts", flat=True)) == [0, 0, 0, 0, 1]
    own(toy, receiver)
    assert swept(now + dt.timedelta(seconds=10)) == 4
    assert asked(silent) == 0
    swept(now + dt.timedelta(minutes=2))
    assert asked(silent) == 1


def test_a_receiver_that_answers_again_gets_all_that_waited(toy, system, receiver, silent):
    webhook = hook(toy, f"http://127.0.0.1:{silent.getsockname()[1]}/")
    send_files(toy, system, 3)
    now = NOW + dt.timedelta(minutes=1)
    assert swept(now) == 0
    Webhook.objects.filter(pk=webhook.pk).update(url=f"http://127.0.0.1:{receiver.port}/")
    assert swept(now + dt.timedelta(minutes=1)) == 3


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/",
    ],
)
def test_no_webhook_reaches_what_only_this_server_reaches(toy, system, url, socket_enabled):
    webhook = hook(toy, url)
    upload(system, toy.phases.get(), at=NOW)
    assert swept(NOW) == 0
    assert "no public host" in WebhookDelivery.objects.get(webhook=webhook).error


def test_an_address_without_tls_is_not_written_to(toy, system, socket_enabled):
    webhook = hook(toy, "http://example.org/")
    upload(system, toy.phases.get(), at=NOW)
    assert swept(NOW) == 0
    assert "https" in WebhookDelivery.objects.get(webhook=webhook).error
