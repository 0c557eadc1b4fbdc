"""Bodies that came without a length."""

from __future__ import annotations

import io
from typing import Any

import pytest

from config.bodies import MeasuredBodies


class Trickle(io.BytesIO):
    """Gives a few bytes at a time, as a network does."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(7, size) if size and size > 0 else 7)


def seen_by_the_application(environ: dict[str, Any]) -> dict[str, Any]:
    seen: dict[str, Any] = {}

    def application(environ, start_response):
        seen.update(environ)
        return []

    MeasuredBodies(application, limit=100)(environ, print)
    return seen


@pytest.mark.parametrize("size", [0, 1, 99, 100])
def test_chunked_body_is_given_its_length(size):
    body = b"x" * size
    seen = seen_by_the_application({"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": Trickle(body)})
    assert seen["CONTENT_LENGTH"] == str(size)
    assert seen["wsgi.input"].read() == body


def test_chunked_body_that_is_too_long_is_read_no_further():
    stream = io.BytesIO(b"x" * 10_000)
    seen = seen_by_the_application({"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": stream})
    assert seen["CONTENT_LENGTH"] == "101"
    assert stream.tell() == 101


@pytest.mark.parametrize(
    "environ", [{"CONTENT_LENGTH": "3"}, {"CONTENT_LENGTH": "3", "HTTP_TRANSFER_ENCODING": "gzip"}]
)
def test_body_with_a_length_is_left_alone(environ):
    stream = io.BytesIO(b"abc")
    seen = seen_by_the_application({**environ, "wsgi.input": stream})
    assert (seen["wsgi.input"], stream.tell()) == (stream, 0)
