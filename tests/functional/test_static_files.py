"""Style sheet and scripts are sent compressed also where nothing was collected beforehand."""

import gzip

import pytest
from django.conf import settings
from django.test import Client

from tests.pages import read

pytestmark = pytest.mark.django_db

FILES = ("heldout.css", "board.js", "favicon.svg")


@pytest.mark.parametrize("name", FILES)
def test_texts_are_sent_compressed_to_whoever_takes_that(name):
    content = (settings.BASE_DIR / "static" / name).read_bytes()
    plain = Client().get(f"/static/{name}")
    packed = Client(headers={"Accept-Encoding": "br, gzip"}).get(f"/static/{name}")

    assert read(plain) == content
    assert gzip.decompress(packed.content) == content
    assert packed["Content-Length"] == str(len(packed.content))
    assert "Content-Encoding" not in plain
    assert {plain["Vary"], packed["Vary"]} == {"Accept-Encoding"}
    assert plain["ETag"] == packed["ETag"]
    plain.close()


def test_a_head_and_a_part_of_a_file_are_what_they_say():
    client = Client(headers={"Accept-Encoding": "gzip"})
    head = client.head("/static/heldout.css")
    part = client.get("/static/heldout.css", headers={"Range": "bytes=0-9"})

    assert (head.content, head["Content-Encoding"]) == (b"", "gzip")
    assert len(read(part)) == 10
    part.close()
