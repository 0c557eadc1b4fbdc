"""What pairs' labels are stands in the sealed file alone: in no row, file, log, mail or page."""

import random
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms.models import model_to_dict

from benchmarks.models import Task
from breaking.models import Pair, PairFile
from tests.api.conftest import client_of
from tests.breaking.hands import hand_in, start
from tests.dump import database_dump, database_values
from tests.games import IN_BREAK, TONE_PAIRS, TONE_STARTER, phase_of
from tests.pages import browser_of
from tests.people import appoint

pytestmark = pytest.mark.django_db
HEADER = b"id,original_id,text,label,rationale\n"
PAIRS = 400
CANARY = "kanarienvogel"


@pytest.fixture
def tone(games) -> Task:
    """Starter data in which every sentence has the same label, so that it tells nothing of the pairs'."""
    task: Task = games.tasks.get(slug="tone")
    start(task, TONE_STARTER.replace(b",-1", b",1"))
    return task


@pytest.fixture
def labels(tone, team, owner, staff) -> list[str]:
    """The labels of many pairs that were handed in, drawn by lot; some of the pairs wait for the organiser."""
    appoint(tone.benchmark, staff)
    drawn = random.Random(7).choices(["-1", "1"], k=PAIRS)
    hand_in(tone, team, owner, file_with(drawn))
    assert len(mail.outbox) == 1
    return drawn


def file_with(labels: list[str]) -> bytes:
    rows = (
        f"11_{at}_b,11,{'Quite another one' if at % 50 == 2 else 'I like this old song'} {at}.,{label},why\n"
        for at, label in enumerate(labels, 2)
    )
    return HEADER + "".join(rows).encode()


def forms_of(labels: list[str]) -> Iterator[bytes]:
    """The ways in which somebody would write these labels down."""
    codes = np.array([["-1", "1"].index(label) for label in labels])
    for separator in ("\n", ",", " ", "", '", "', '","', ",why\n"):
        yield separator.join(labels).encode()
    for dtype in ("u1", "<u2", "<i4", "<i8", ">u2"):
        yield codes.astype(dtype).tobytes()
    yield np.packbits(codes.astype(bool)).tobytes()
    yield str(codes.tolist()).encode()
    yield "".join(map(str, codes)).encode()
    yield b"".join(file_with(labels).splitlines(keepends=True)[1:4])


def holds(dump: bytes, labels: list[str]) -> bool:
    return any(
        form in dump or b64encode(form)[:-4] in dump or form.hex().encode() in dump
        for form in forms_of(labels[:104])  # whole bytes, where each label is a bit
    )


def dump() -> bytes:
    return b"\n".join(opened(value) for value in database_values())


def opened(value: bytes) -> bytes:
    """The value, and all that is compressed somewhere in it."""
    starts = (found.start() for found in re.finditer(rb"x[\x01\x5e\x9c\xda]", value))
    return value + b"".join(_inflated(value[at:]) for at in starts)


def _inflated(value: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(value)
    except zlib.error:
        return b""


def test_a_dump_of_the_database_holds_the_sentences_and_no_labels_in_any_form(labels):
    content = dump()
    assert b"I like this old song 399." in content
    assert not holds(content, labels)


def test_the_search_finds_what_is_there(labels, team):
    Pair.objects.filter(position=0).update(rationale=",".join(labels[:104]))
    assert holds(dump(), labels)


def test_a_file_of_two_pairs_cannot_be_told_by_trying_out_its_labels(tone, team, owner):
    hand_in(tone, team, owner)
    content = database_dump()
    digest = sha256(TONE_PAIRS)
    assert digest.hexdigest().encode() not in content
    assert digest.digest() not in content


def test_two_files_that_differ_in_labels_alone_leave_the_same_readable_rows(tone, team, owner):
    one, other = (
        hand_in(tone, team, owner, TONE_PAIRS.replace(b".,-1", b".," + label)) for label in (b"-1", b"1")
    )
    hidden = {"id", "pair_file", "sealed", "commitment", "file_digest", "status", "status_reason", "ended_at"}
    one.refresh_from_db()

    def readable(row):
        return {key: value for key, value in model_to_dict(row).items() if key not in hidden}

    assert readable(one) == readable(other)
    assert list(map(readable, one.pairs.all())) == list(map(readable, other.pairs.all()))
    assert len(bytes(one.sealed)) == len(bytes(other.sealed))


def test_no_mail_log_or_stored_file_holds_labels(labels, caplog, settings):
    told = f"{mail.outbox[0].subject}{mail.outbox[0].body}{caplog.text}"
    assert not holds(told.encode(), labels)
    assert not [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


@pytest.mark.parametrize("fault", ["a wrong label", "an unforeseen fault"])
def test_a_file_that_is_not_taken_leaves_no_trace(tone, team, owner, caplog, monkeypatch, fault):
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: IN_BREAK)
    data = TONE_PAIRS.replace(b"a rare verb", CANARY.encode())
    if fault == "a wrong label":
        data = data.replace(b"song.,-1", f"song.,{CANARY}".encode())
    else:
        monkeypatch.setattr("breaking.pairs.uploads.seal_file", lambda *_: 1 // 0)
    browser, api = browser_of(owner), client_of(owner)
    browser.raise_request_exception = False
    ids = {"phase": phase_of(tone.benchmark, "break").pk, "team": team.pk, "task": tone.pk}
    names = {"phase": "games/break", "team": "North", "task": "tone"}
    answers = [
        browser.post("/benchmarks/games/pairs/", {**ids, "file": SimpleUploadedFile("a.csv", data)}),
        api.post("/api/v1/pairs/", {**names, "file": SimpleUploadedFile("a.csv", data)}),
    ]
    assert {answer.status_code for answer in answers} == {422 if fault == "a wrong label" else 500}
    assert CANARY.encode() not in database_dump()
    assert CANARY not in caplog.text
    assert not PairFile.objects.exists()
