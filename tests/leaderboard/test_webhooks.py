"""Webhooks are told what was accepted, scored and released, by signed messages to public hosts."""

import contextlib
import datetime as dt
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from accounts.server.outgoing import Limits
from benchmarks.models import Benchmark
from leaderboard.models import Webhook, WebhookDelivery
from leaderboard.webhooks import delivery
from leaderboard.webhooks.delivery import deliver_due, send_deliveries_again
from leaderboard.webhooks.messages import write_messages
from submissions.models import System
from tests.conftest import NOW
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


def test_messages_are_signed(toy, system, receiver):
    webhook = own(toy, receiver)
    upload(system, toy.phases.get(), at=NOW)
    swept(NOW)
    [(headers, body)] = receiver.received
    expected = hmac.new(webhook.secret.encode(), body, "sha256").hexdigest()
    assert headers["X-Heldout-Signature"] == f"sha256={expected}"
    assert headers["X-Heldout-Delivery"] == str(webhook.deliveries.get().pk)


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
    send_deliveries_again(webhook.deliveries.get(), now)
    assert deliver_due(now) == 1


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
