"""A model that somebody runs is asked over HTTP: signed, in time, at hosts that the operator allows."""

import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from accounts.server.outgoing import AddressRefused
from labelling.predictors import endpoint
from labelling.predictors.endpoint import Endpoint, ask_endpoint, check_endpoint, signature
from labelling.predictors.prediction import NoPrediction
from tests.ports import free_port
from tests.servers import Caller, drip, never_end, serving

LABELS = ("positive", "negative")
AT = 1_764_100_000.7


@pytest.fixture(autouse=True)
def allowed(settings: Any, socket_enabled: None) -> None:
    settings.WEBHOOKS_REACH_PRIVATE_HOSTS = True
    settings.MODEL_HOSTS = ["127.0.0.1"]


def ask(url: str, at: float = AT) -> Any:
    return ask_endpoint(Endpoint(url, "between us"), "t1", "Good? Ja, süß.", LABELS, at)


def say(label: str = "negative", score: float = 0.75) -> Any:
    body = json.dumps({"label": label, "scores": {"negative": score}, "model_version": "7"}).encode()
    return lambda caller: caller.give(body)


def test_a_text_is_sent_with_its_labels_and_comes_back_with_one_of_them():
    sent = []

    def _answer(caller: Caller) -> None:
        sent.append((json.loads(caller.body), dict(caller.headers), caller.body))
        say()(caller)

    with serving(_answer) as url:
        prediction = ask(url)
    assert (prediction.label, prediction.scores, prediction.model_version) == (
        "negative",
        {"negative": 0.75},
        "7",
    )
    [(told, headers, body)] = sent
    assert told == {"id": "t1", "text": "Good? Ja, süß.", "labels": ["positive", "negative"]}
    assert headers["Authorization"] == "Bearer between us"
    assert headers["X-Heldout-Signature"] == f"sha256={signature('between us', 1_764_100_000, body)}"
    assert headers["X-Heldout-Time"] == "1764100000"
    assert not {"Cookie", "Referer"} & headers.keys()


def test_the_secret_stands_in_no_repr():
    assert "between us" not in repr(Endpoint("https://example.org/", "between us"))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (say(label="mixed"), "none of the labels"),
        (say(score=float("nan")), "holds NaN"),
        (lambda caller: caller.give(b"{}", status=500), "status 500; expected 200"),
        (lambda caller: caller.give(b"", status=302, Location="http://127.0.0.1:1/"), "status 302"),
        (never_end, "more than 64 KiB"),
        (lambda caller: caller.wfile.write(b"\0" * 40), "no HTTP"),
        (lambda caller: None, "no HTTP|broke off"),
    ],
)
def test_an_answer_that_cannot_be_used_is_none(answer: Any, words: str):
    with serving(answer) as url, pytest.raises(NoPrediction, match=words):
        ask(url)


def test_a_slow_drip_is_cut_off(monkeypatch):
    monkeypatch.setattr(endpoint, "TOTAL_SECONDS", 0.3)
    with serving(drip) as url, pytest.raises(NoPrediction, match=r"longer than 0\.3 seconds"):
        ask(url)


@pytest.mark.parametrize("url", ["http://localhost/", "http://models.example.org/", "http://127.0.0.2/"])
def test_a_host_that_the_operator_does_not_list_is_not_asked(url):
    with pytest.raises(NoPrediction, match=r"does not allow models at .* It allows 127\.0\.0\.1"):
        ask(url)


def test_no_host_is_allowed_by_default(settings):
    settings.MODEL_HOSTS = []
    with pytest.raises(AddressRefused, match="It allows none so far"):
        check_endpoint("https://models.example.org/")


def test_a_listed_name_that_leads_into_the_private_network_is_not_asked(settings, monkeypatch):
    settings.WEBHOOKS_REACH_PRIVATE_HOSTS = False
    settings.MODEL_HOSTS = ["models.example.org"]
    told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 443))]
    monkeypatch.setattr("accounts.server.outgoing.socket.getaddrinfo", lambda *_, **__: told)
    with pytest.raises(NoPrediction, match="no public host"):
        ask("https://models.example.org/")


def test_a_connection_that_does_not_come_about_is_tried_once_more(monkeypatch):
    asked = []

    def _resolve(host: str, *_: Any, **__: Any) -> Any:
        asked.append(host)
        if len(asked) == 1:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]

    monkeypatch.setattr("accounts.server.outgoing.socket.getaddrinfo", _resolve)
    with serving(say()) as url:
        port = urlsplit(url).port
        assert ask(url).label == "negative"
    assert len(asked) == 2


def test_a_connection_is_tried_no_more_than_twice(monkeypatch):
    asked = []

    def _resolve(host: str, *_: Any, **__: Any) -> Any:
        asked.append(host)
        raise socket.gaierror

    monkeypatch.setattr("accounts.server.outgoing.socket.getaddrinfo", _resolve)
    with pytest.raises(NoPrediction, match="No host is called"):
        ask("http://127.0.0.1/")
    assert len(asked) == 2


def test_what_was_sent_is_not_sent_again():
    calls = []
    with serving(lambda caller: calls.append(caller.path)) as url, pytest.raises(NoPrediction):
        ask(url)
    assert calls == ["/"]


def test_the_server_of_the_documentation_answers_and_refuses_a_wrong_signature(tmp_path):
    text = (Path(__file__).resolve().parents[2] / "docs" / "model-endpoint.md").read_text("utf-8")
    [program] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    port = free_port()
    (tmp_path / "model.py").write_text(program.replace("8000", str(port)))
    server = subprocess.Popen([sys.executable, tmp_path / "model.py"], env={"SECRET": "between us"})
    try:
        url = f"http://127.0.0.1:{port}/"
        for _ in range(100):  # until it listens
            try:
                prediction = ask(url, time.time())
                break
            except NoPrediction:
                time.sleep(0.05)
        assert prediction.label in LABELS
        assert prediction.scores.keys() == set(LABELS)
        with pytest.raises(NoPrediction, match="status 403"):
            ask_endpoint(Endpoint(url, "another"), "t1", "Good?", LABELS, time.time())
    finally:
        server.kill()
        server.wait()
