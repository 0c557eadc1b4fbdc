"""A request goes on with the connection of the one before it, and never with one that somebody left half-way."""

import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.db.backends.signals import connection_created

from accounts.models import User
from config.http.held_connections import HeldConnections

pytestmark = pytest.mark.django_db(transaction=True)

WHO = {"REQUEST_METHOD": "GET", "PATH_INFO": "/"}


def in_a_thread(work):
    """What the work answers in a thread of its own, as those of a web server are."""

    def run():
        try:
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def used() -> object:
    """The connection itself, after a question to it."""
    User.objects.count()
    return connection.connection


@pytest.fixture
def held():
    made = HeldConnections(2)
    yield made
    end(made)


def end(held: HeldConnections) -> None:
    """Close what waits unused, so that the test database can go."""
    while held._unused:
        held._unused.pop().close()


def test_requests_in_several_threads_share_one_connection(held):
    ask = held.asking(lambda environ: used())
    assert in_a_thread(lambda: ask(WHO)) is in_a_thread(lambda: ask(WHO))


def test_two_at_once_have_one_each(held):
    def both():
        with held.one():
            mine = used()
            return mine is not in_a_thread(lambda: held.asking(lambda environ: used())(WHO))

    assert in_a_thread(both)


def test_a_thread_that_has_a_connection_open_keeps_to_it():
    def own_and_then():
        own = used()
        with HeldConnections(2).one():
            return used() is own

    assert in_a_thread(own_and_then)


def test_after_its_answer_a_thread_has_a_connection_of_its_own(held):
    def inside_and_after():
        with held.one():
            inside = used()
        return used() is not inside

    assert in_a_thread(inside_and_after)


def test_what_a_request_left_undone_is_seen_by_no_other(held):
    def half_way():
        with held.one():
            transaction.atomic().__enter__()
            User.objects.create(email="lost@example.org")

    in_a_thread(half_way)
    assert in_a_thread(lambda: held.asking(lambda environ: User.objects.count() == 0)(WHO))
    assert not User.objects.exists()


def test_a_connection_that_broke_is_replaced(held):
    def breaks():
        with held.one():
            used()
            connection.connection.close()
            used()

    with pytest.raises(DatabaseError):
        in_a_thread(breaks)
    assert in_a_thread(lambda: held.asking(lambda environ: User.objects.count() == 0)(WHO))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite ends no connections")
def test_a_connection_that_the_database_ended_meanwhile_is_replaced(held):
    def number():
        with held.one(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return cursor.fetchone()[0]

    first = in_a_thread(number)
    assert in_a_thread(number) == first
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
    assert in_a_thread(number) != first


def test_no_more_than_so_many_wait_unused(held):
    def four():
        with held.one(), ThreadPoolExecutor(1):
            used()
            in_a_thread(three)

    def three():
        with held.one():
            used()
            in_a_thread(two)

    def two():
        with held.one():
            used()

    in_a_thread(four)
    assert len(held._unused) == 2


def test_the_web_server_opens_no_connection_for_the_second_question_to_django(monkeypatch):
    monkeypatch.setattr("django.setup", lambda **_: None)  # it would set logging up anew under other tests
    from config import wsgi

    opened = []

    def note(**_):
        opened.append(1)

    def ask():
        asked = {
            **WHO,
            "PATH_INFO": "/api/v1/benchmarks/",
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
        }
        # Without the layer that counts requests in a thread of its own, which would go on under other tests.
        answer: Any = wsgi.published(asked, lambda status, headers, *_: None)
        b"".join(answer)
        answer.close()

    in_a_thread(ask)
    connection_created.connect(note)
    try:
        in_a_thread(ask)
    finally:
        connection_created.disconnect(note)
        end(wsgi.connections)
    assert not opened
