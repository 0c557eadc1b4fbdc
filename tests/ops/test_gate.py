"""Only so many requests reach Django at once, and published pages always find a thread that is free."""

import subprocess
import sys
from typing import Any

import pytest

from config.http.gate import PLACES, THREADS, Gate
from demo.server import supervisor
from tests.ops.demos import ROOT, plain_environment

READY = """
import sys

import config.wsgi
from django.urls import get_resolver

print("submissions.api.views" in sys.modules, get_resolver()._populated)
"""
REQUEST = {"REQUEST_METHOD": "GET", "PATH_INFO": "/submit/"}


class Answer:
    """An answer that is still being sent."""

    def __iter__(self):
        return iter([b"a"])


def ask(gate: Gate) -> tuple[Any, dict[str, str]]:
    """The answer, and the head of a refusal."""
    head: dict[str, str] = {}
    answer = gate(REQUEST, lambda status, headers: head.update(dict(headers), Status=status))
    return answer, head


def test_request_beyond_the_places_is_told_to_come_again():
    inner: list[dict[str, str]] = []

    def application(environ, start_response):
        inner.append(ask(gate)[1])
        return [b"a"]

    gate = Gate(application, places=1, patience=0)
    assert ask(gate) == ([b"a"], {})
    assert inner[0]["Status"].startswith("503 ")
    assert inner[0]["Retry-After"]
    assert ask(gate) == ([b"a"], {})


def test_place_is_taken_until_the_answer_has_been_read():
    gate = Gate(lambda environ, start_response: Answer(), places=1, patience=0, until_read=True)
    answer, _ = ask(gate)
    assert ask(gate)[1]["Status"].startswith("503 ")
    assert list(answer) == [b"a"]
    answer.close()
    assert ask(gate)[1] == {}


def test_error_gives_the_place_back():
    def application(environ, start_response):
        raise ZeroDivisionError

    gate = Gate(application, places=1, patience=0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            ask(gate)


def test_servers_are_started_with_more_threads_than_there_are_places():
    assert PLACES < THREADS
    assert f"--blocking-threads {THREADS} " in (ROOT / "docker-compose.yml").read_text("utf-8").replace(
        "\n", " "
    )
    assert f'"--blocking-threads", "{THREADS}"' in (ROOT / supervisor.__file__).read_text("utf-8")


def test_a_process_that_takes_requests_knows_all_addresses(tmp_path):
    environment = plain_environment() | {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    command = [sys.executable, "-c", READY]
    said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["True", "True"]
