"""Bodies are whole, of a known length and from somebody who may send them before Django sees a request."""

import io
from typing import Any

import pytest

from config.http.request_bodies import FREE, ReadBodies

LIMIT = 100_000


class Trickle(io.BytesIO):
    """Gives a few bytes at a time, as a network does."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(700, size) if size and size > 0 else 700)


class Broken(io.BytesIO):
    """Must not be read."""

    def read(self, size: int | None = -1) -> bytes:
        raise AssertionError("the body was read")


def sent(
    stream: io.BytesIO, *, is_known: bool = True, path: str = "/submit/", **environ: Any
) -> tuple[dict[str, Any], str, bytes]:
    """What the application saw of a request, and the status and the text that a refusal has."""
    seen: dict[str, Any] = {}
    said: list[str] = []

    def application(environ, start_response):
        seen.update(environ)
        return []

    bodies = ReadBodies(application, LIMIT, lambda _: is_known, rooms=1)
    request = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "wsgi.input": stream, **environ}
    answer = bodies(request, lambda status, headers: said.append(status))
    return seen, "".join(said), b"".join(answer)


@pytest.mark.parametrize("size", [0, 1, 99, LIMIT])
def test_chunked_body_is_given_its_length(size):
    body = b"x" * size
    seen, *_ = sent(Trickle(body), HTTP_TRANSFER_ENCODING="chunked")
    assert seen["CONTENT_LENGTH"] == str(size)
    assert seen["wsgi.input"].read() == body


def test_chunked_body_that_is_too_long_is_read_no_further():
    stream = io.BytesIO(b"x" * 3 * LIMIT)
    seen, *_ = sent(stream, HTTP_TRANSFER_ENCODING="chunked")
    assert seen["CONTENT_LENGTH"] == str(LIMIT + 1)
    assert stream.tell() == LIMIT + 1


def test_body_with_a_length_is_read_to_that_length():
    stream = io.BytesIO(b"abcdef")
    seen, *_ = sent(stream, CONTENT_LENGTH="3", HTTP_TRANSFER_ENCODING="gzip")
    assert (seen["wsgi.input"].read(), stream.tell()) == (b"abc", 3)


def test_body_that_announces_too_much_is_left_to_be_refused_by_its_length():
    stream = Broken()
    seen, *_ = sent(stream, CONTENT_LENGTH=str(LIMIT + 1))
    assert seen["wsgi.input"] is stream


@pytest.mark.parametrize("head", [{"CONTENT_LENGTH": str(FREE + 1)}, {"HTTP_TRANSFER_ENCODING": "chunked"}])
def test_large_body_of_somebody_unknown_is_refused_unread(head):
    seen, status, text = sent(Broken(), is_known=False, **head)
    assert not seen
    assert status == "401 Unauthorized"
    assert b"Sign in" in text


def test_refusal_speaks_json_to_programs():
    _, _, text = sent(Broken(), is_known=False, path="/api/v1/submissions/", CONTENT_LENGTH=str(FREE + 1))
    assert text.startswith(b'{"code": "not_authenticated"')


def test_small_body_of_somebody_unknown_is_read():
    seen, *_ = sent(io.BytesIO(b"x" * FREE), is_known=False, CONTENT_LENGTH=str(FREE))
    assert len(seen["wsgi.input"].read()) == FREE


def test_body_that_ends_early_is_not_passed_on():
    seen, status, _ = sent(io.BytesIO(b"ab"), CONTENT_LENGTH="3")
    assert not seen
    assert status == "400 Bad Request"


def test_large_bodies_share_a_bounded_memory():
    answers: list[str] = []

    def application(environ, start_response):
        if not answers:
            answers.append("first")
            second = {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "CONTENT_LENGTH": "70000"}
            bodies(second | {"wsgi.input": Broken()}, lambda status, headers: answers.append(status))
        return []

    bodies = ReadBodies(application, LIMIT, lambda _: True, rooms=1)
    first = {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "CONTENT_LENGTH": "70000"}
    bodies(first | {"wsgi.input": io.BytesIO(b"x" * 70_000)}, print)
    assert answers == ["first", "503 Service Unavailable"]
