"""Lines of the log: JSON with the id of the request, nothing personal, and no fault a thousand times."""

import io
import json
import logging
import re
from collections.abc import Iterator
from time import process_time
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from config.celery import app
from operations.logs import request_ids
from operations.logs.access import AccessLog
from operations.logs.collapsing import OncePerHour
from operations.logs.formatting import LogLines, without_addresses
from operations.logs.tasks import give_id

GIVEN = "a1b2c3d4e5f6"


@pytest.fixture
def written() -> Iterator[Any]:
    """What loggers write as JSON, read again."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LogLines())
    loggers = [logging.getLogger(name) for name in ("heldout.access", "heldout.test", "django.request")]
    levels = [one.level for one in loggers]
    for one in loggers:
        one.setLevel(logging.INFO)  # a logger remembers what it was asked to leave out, until this is called
        one.addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    for one, level in zip(loggers, levels, strict=True):
        one.setLevel(level)
        one.removeHandler(handler)


def through(
    inner: Any, *, believes_header: bool = True, counted: Any = lambda *_: None, **environ: Any
) -> dict[str, str]:
    """The headers of an answer that went through the layer."""
    head: dict[str, str] = {}
    request = {"REQUEST_METHOD": "GET", "PATH_INFO": "/benchmarks/raft/", **environ}
    layer = AccessLog(inner, believes_header=believes_header, counted=counted)
    answer = layer(request, lambda status, headers, *_: head.update(dict(headers)))
    list(answer)
    close = getattr(answer, "close", None)
    if close:
        close()
    return head


def page(environ: Any, start: Any) -> list[bytes]:
    logging.getLogger("heldout.test").warning("somewhat odd")
    start("200 OK", [])
    return [b"page"]


def test_all_lines_of_a_request_and_its_answer_have_one_id(written):
    head = through(page, HTTP_X_REQUEST_ID=GIVEN)
    lines = written()
    assert head["X-Request-ID"] == GIVEN
    assert [(line["logger"], line["request_id"]) for line in lines] == [
        ("heldout.test", GIVEN),
        ("heldout.access", GIVEN),
    ]
    assert (lines[1]["method"], lines[1]["route"], lines[1]["status"]) == ("GET", "/benchmarks/…", 200)
    assert lines[1]["milliseconds"] >= 0


@pytest.mark.parametrize("given", ["short", "x" * 65, 'a"b c\nd efgh', "ünicode-id"])
def test_what_is_no_id_is_not_taken(written, given):
    assert through(page, HTTP_X_REQUEST_ID=given)["X-Request-ID"] != given


def test_without_a_proxy_nobody_chooses_an_id(written):
    assert through(page, believes_header=False, HTTP_X_REQUEST_ID=GIVEN)["X-Request-ID"] != GIVEN


def test_an_answer_in_parts_is_told_when_it_was_sent(written):
    class Parts:
        closed = False

        def __iter__(self) -> Iterator[bytes]:
            assert written() == []
            return iter([b"a", b"b"])

        def close(self) -> None:
            self.closed = True

    parts = Parts()

    def inner(environ: Any, start: Any) -> Parts:
        start("206 Partial Content", [])
        return parts

    through(inner)
    assert parts.closed
    assert written()[0]["status"] == 206


def test_a_crash_is_told_as_one(written):
    def crash(environ: Any, start: Any) -> list[bytes]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        through(crash)
    assert written()[0]["status"] == 500


def test_django_notes_route_and_account_and_nothing_else(db, owner, written):
    """An invitation's link lets people in, and an address of a person is theirs."""
    browser = Client()
    browser.force_login(owner)
    environ: dict[str, Any] = {}

    def application(given: Any, start: Any) -> list[bytes]:
        response = browser.get("/unsubscribe/hidden-token/?secret=hidden-token")
        environ.update(response.wsgi_request.META)
        given |= {name: environ.get(name) for name in ("heldout.route", "heldout.account")}
        start(f"{response.status_code} x", [])
        return [b""]

    through(application)
    line = written()[-1]
    assert (line["route"], line["account"]) == ("/unsubscribe/<str:token>/", owner.pk)
    assert "hidden-token" not in json.dumps(written())
    assert owner.email not in json.dumps(written())


def test_what_django_says_of_a_request_has_no_address_of_it(db, written):
    Client().get("/invitations/very-secret-token/nowhere/")
    told = written()
    assert [line["message"] for line in told] == ["Not Found: "]
    assert "very-secret-token" not in json.dumps(told)


def test_addresses_of_people_are_cut_out(written):
    try:
        int("anna.b@example.org")
    except ValueError:
        logging.getLogger("heldout.test").exception("mail to %s was refused", "<anna.b@example.org>")
    text = json.dumps(written())
    assert "anna.b" not in text
    assert "mail to <[address]> was refused" in text
    assert "Traceback" in text


def record(message: str, level: int = logging.ERROR, error: Exception | None = None) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("some.logger", level, __file__, 1, message, ("x",), exc_info)


@given(st.text(alphabet="a@ (=.<é", max_size=30))
def test_addresses_are_those_that_are_found_from_any_letter_on(text):
    anywhere = re.compile(r"[^\s@<>\"'(),;:=]+@[^\s@<>\"'(),;:=]+")
    assert without_addresses(text) == anywhere.sub("[address]", text)


def test_a_long_word_is_written_in_no_time():
    """Such as the name of a host that is none of ours: sixty thousand letters took six seconds."""
    begun = process_time()
    assert without_addresses("a" * 60_000) == "a" * 60_000
    assert process_time() - begun < 1


def test_a_fault_is_written_once_an_hour_with_its_count():
    now = 0.0
    let_through = OncePerHour(clock=lambda: now)
    assert [let_through.filter(record("%s is away")) for _ in range(500)].count(True) == 1
    now = 3601.0
    again = record("%s is away")
    assert let_through.filter(again)
    assert again.repeated == 499  # type: ignore[attr-defined]  # set by the filter
    assert let_through.filter(record("another %s"))
    assert all(let_through.filter(record("said %s", logging.INFO)) for _ in range(9))


def test_faults_at_other_places_are_others():
    let_through = OncePerHour()
    found = []
    for one in (ValueError, KeyError, ValueError):
        try:
            raise one("a")
        except (ValueError, KeyError) as error:
            found.append(let_through.filter(record("%s failed", error=error)))
    assert found == [True, True, False]


def test_a_message_to_workers_carries_the_id():
    headers: dict[str, Any] = {}
    token = request_ids.begin(GIVEN)
    give_id(headers=headers)
    request_ids.end(token)
    assert headers == {"request_id": GIVEN}


def test_a_worker_writes_under_the_id_that_it_was_given():
    seen = []

    @app.task(name="tests.what_id")
    def what_id() -> None:
        seen.append(request_ids.current())

    try:
        what_id.apply(headers={"request_id": GIVEN})
        assert seen == [GIVEN]
        assert request_ids.current() == ""
    finally:
        app.tasks.pop("tests.what_id")


def test_lines_are_json_in_production_alone():
    assert django_settings.LOG_AS_JSON is False
    assert django_settings.LOGGING["handlers"] == {
        "console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": []}
    }
