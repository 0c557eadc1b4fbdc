"""Requests are counted whichever process answers; what a worker reads each minute is a figure, and told when bad."""

import datetime as dt
import time
from typing import Any

import pytest
from celery import current_app
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.db import OperationalError

from accounts.models import Sweep
from accounts.server.clock import database_now
from operations.models import Alert, RequestCount, ServerReading
from operations.watching import readings, request_counts
from operations.watching.ping import ping
from operations.watching.request_counts import RequestCounts
from operations.watching.troubles import watch_and_tell
from tests.operations.sink import running_sink
from tests.operations.test_logs import page, through
from tests.operations.test_watching import asked, values

pytestmark = pytest.mark.postgres
MINUTE = dt.timedelta(minutes=1)
ROUTE = "/benchmarks/<str:benchmark>/"


@pytest.fixture
def counts() -> RequestCounts:
    """Those of a process whose thread never comes to adding."""
    return RequestCounts(every=3600)


def test_the_answer_is_the_same_whichever_process_is_asked(db, counts):
    another = RequestCounts(every=3600)
    for _ in range(3):
        counts.count(ROUTE, 200, 0.02)
    another.count(ROUTE, 200, 0.5)
    another.count(ROUTE, 503, 20)
    counts.add()
    another.add()
    found = values(asked("/metrics")[1])
    assert found[f'heldout_http_requests_total{{code="2xx",route="{ROUTE}"}}'] == 4
    assert found[f'heldout_http_requests_total{{code="5xx",route="{ROUTE}"}}'] == 1
    bucket = "heldout_http_request_duration_seconds_bucket"
    assert [found[f'{bucket}{{le="{le}",route="{ROUTE}"}}'] for le in ("0.01", "0.03", "1.0", "+Inf")] == [
        0,
        3,
        4,
        5,
    ]
    assert found[f'heldout_http_request_duration_seconds_sum{{route="{ROUTE}"}}'] == pytest.approx(20.56)


def test_what_was_added_is_added_once_and_grows(db, counts):
    for _ in range(2):
        counts.count(ROUTE, 200, 0.02)
        counts.add()
        counts.add()
    assert RequestCount.objects.get().count == 2


def test_while_the_database_is_away_counts_are_held(db, counts, monkeypatch):
    def away(_counted: object) -> None:
        raise OperationalError

    counts.count(ROUTE, 200, 0.02)
    with monkeypatch.context() as broken:
        broken.setattr(request_counts, "_add", away)
        counts.add()
    counts.count(ROUTE, 200, 0.02)
    counts.add()
    assert RequestCount.objects.get().count == 2


@pytest.mark.django_db(transaction=True)
def test_a_process_adds_by_itself():
    RequestCounts(every=0.01).count(ROUTE, 200, 0.02)
    until = time.monotonic() + 20
    while not RequestCount.objects.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert RequestCount.objects.get().count == 1


def test_an_address_that_no_view_answers_makes_no_row_of_its_own():
    told: list[tuple[str, int]] = []

    def counted(route: str, status: int, seconds: float) -> None:
        told.append((route, status))

    known: dict[str, Any] = {"heldout.route": ROUTE}
    through(page, counted=counted, PATH_INFO="/made-up-1/")
    through(page, counted=counted, **known)
    assert told == [("before Django", 200), (ROUTE, 200)]


def errors(of: int, bad: int) -> None:
    for code, count in (("2xx", of - bad), ("5xx", bad)):
        RequestCount.objects.update_or_create(
            route=ROUTE, code=code, within=0, defaults={"count": count, "seconds": 1.0}
        )


def told_of(now: dt.datetime) -> list[str]:
    readings.take(now)
    watch_and_tell(now)
    return [key.removeprefix("server:") for key in Alert.objects.values_list("key", flat=True)]


def test_server_errors_are_told_and_are_over_when_they_are(db):
    now = database_now()
    errors(of=1000, bad=500)  # long ago
    assert told_of(now) == []
    errors(of=2000, bad=509)
    RequestCount.objects.create(route="/readyz", code="5xx", within=0, count=500, seconds=1.0)
    assert told_of(now + 5 * MINUTE) == []
    errors(of=2100, bad=520)
    assert told_of(now + 6 * MINUTE) == ["errors"]
    errors(of=2101, bad=520)
    assert told_of(now + 12 * MINUTE) == []


def test_few_server_errors_on_a_quiet_server_are_no_news(db):
    now = database_now()
    assert told_of(now) == []
    errors(of=20, bad=4)
    assert told_of(now + 5 * MINUTE) == []


def test_queues_are_asked_how_long_they_are_and_told_when_too_long(db, settings, monkeypatch, tmp_path):
    folders = {name: str(tmp_path / name) for name in ("data_folder_in", "data_folder_out", "control_folder")}
    folders["data_folder_out"] = folders["data_folder_in"]
    monkeypatch.setitem(current_app.conf, "broker_transport_options", folders)
    for folder in folders.values():
        (tmp_path / folder).mkdir(exist_ok=True)
    with current_app.connection_for_write() as broker, broker.SimpleQueue("sweep") as queue:
        for _ in range(3):
            queue.put({})
    now = database_now()
    readings.take(now)
    assert values(asked("/metrics")[1])['heldout_queue_messages{queue="sweep"}'] == 3
    assert watch_and_tell(now) == 0
    monkeypatch.setattr("operations.watching.troubles.MOST_QUEUED", 2)
    assert told_of(now) == ["queue sweep"]


def test_a_broker_that_does_not_answer_is_not_waited_for(db, monkeypatch):
    monkeypatch.setattr(readings, "WITHIN", 0.2)
    monkeypatch.setitem(current_app.conf, "broker_url", "amqp://guest:guest@127.0.0.1:1//")
    monkeypatch.setitem(current_app.conf, "broker_transport", None)
    readings.take(database_now())
    assert not ServerReading.objects.filter(name__startswith="queue").exists()
    assert ServerReading.objects.filter(name="requests").exists()


def certificate(ends_at: dt.datetime) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "heldout.example.org")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(ends_at - 90 * 24 * 60 * MINUTE).not_valid_after(ends_at)
    return made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def test_a_certificate_that_ends_soon_is_told(db, settings, tmp_path):
    now = database_now()
    settings.TLS_CERTIFICATE = str(tmp_path / "fullchain.pem")
    assert told_of(now) == []  # it is not there, which the log tells
    (tmp_path / "fullchain.pem").write_bytes(certificate(now + dt.timedelta(days=30)))
    assert told_of(now) == []
    (tmp_path / "fullchain.pem").write_bytes(certificate(now + dt.timedelta(days=13)))
    assert told_of(now + MINUTE) == ["certificate"]


def test_readings_of_an_hour_ago_are_forgotten(db):
    now = database_now()
    readings.take(now)
    readings.take(now + 61 * MINUTE)
    assert {one.at for one in ServerReading.objects.all()} == {now + 61 * MINUTE}


def test_the_sign_of_life_stays_away_when_something_is_wrong(db, settings):
    now = database_now()
    with running_sink() as sink:
        assert not ping(now)  # nobody wants any
        settings.PING_URL = f"{sink.address}/alive"
        Alert.objects.create(key="server:x", said="", fingerprint="", since=now, told_at=now)
        assert not ping(now)
        Alert.objects.all().delete()
        Sweep.objects.create(name="closing", seen_at=now - 6 * MINUTE)
        assert not ping(now)
        Sweep.objects.all().delete()
        sink.status = 500
        assert not ping(now)
        assert [one[:2] for one in sink.came] == [("GET", "/alive")]
        sink.status = 200
        assert [ping(now + n * MINUTE) for n in (0, 1, 59, 60)] == [True, False, False, True]
    assert not ping(now + 120 * MINUTE)  # nobody is there any more
