"""Whatever goes wrong between the command and a server is a sentence."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest


class Answers(BaseHTTPRequestHandler):
    status = 200
    body = b""
    location = ""
    authorizations: list[str | None] = []

    def do_GET(self) -> None:
        self.authorizations.append(self.headers.get("Authorization"))
        self.send_response(self.status)
        if self.location:
            self.send_header("Location", self.location)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def answering(monkeypatch) -> Iterator[type[Answers]]:
    """A server that answers everything alike."""
    handler = type("Handler", (Answers,), {"authorizations": []})
    with HTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        monkeypatch.setenv("HELDOUT_URL", f"http://127.0.0.1:{http.server_port}")
        monkeypatch.setenv("HELDOUT_TOKEN", "secret-token")
        yield handler
        http.shutdown()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>a page</html>"),
        (200, b""),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"results": [{}]}'),
        (200, b'{"results": 7}'),
        (404, b"<html></html>"),
        (403, b'{"detail": "no\\u001b[2J"}'),
        (500, b"<html>Traceback</html>"),
        (502, b""),
        (503, b'{"code": "phase_not_ready", "detail": "Please wait."}'),
    ],
)
def test_odd_answer_is_a_sentence(status, body, run, answering):
    answering.status, answering.body = status, body
    result = run("status")
    assert (result.exit_code, result.stderr.startswith("Error: ")) == (2, True)
    assert "Traceback" not in result.output
    assert "\x1b" not in result.output


@pytest.mark.parametrize("status", [503, 507])
def test_why_a_server_cannot_answer_is_told_where_it_says_so(status, run, answering):
    answering.status, answering.body = status, b'{"code": "no_room", "detail": "Its disk is full."}'
    assert "Its disk is full." in run("status").stderr


def test_token_is_not_sent_on_to_another_address(run, answering):
    answering.status, answering.location = 302, "http://elsewhere.example/"
    result = run("status")
    assert (result.exit_code, "elsewhere.example" in result.stderr) == (2, True)


def test_no_network_is_a_sentence(run, monkeypatch):
    monkeypatch.setenv("HELDOUT_URL", "http://127.0.0.1:9")
    result = run("status")
    assert (result.exit_code, "cannot be reached" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    "url", ["heldout.example.org", "ftp://x", "https://", "http://heldout.example.org", "", "x y"]
)
def test_address_that_is_none_or_unencrypted_is_refused(url, run):
    result = run("login", url, "--email", "a@example.org", "--password", "x")
    assert (result.exit_code, result.stderr.startswith("Error: ")) == (2, True)


def test_no_server_is_a_sentence(run):
    result = run("status")
    assert (result.exit_code, "heldout login" in result.stderr) == (2, True)


def test_stored_token_is_sent_to_its_own_server_alone(run, home, answering, monkeypatch):
    home.mkdir(parents=True)
    (home / "login.json").write_text(json.dumps({"url": "https://other.example.org", "token": "secret"}))
    monkeypatch.delenv("HELDOUT_TOKEN")
    run("status")
    assert answering.authorizations == [None]


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"url": 7}', "\0"])
def test_damaged_login_is_a_sentence(content, run, home):
    home.mkdir(parents=True)
    (home / "login.json").write_text(content)
    result = run("status")
    assert (result.exit_code, "heldout login" in result.stderr) == (2, True)
