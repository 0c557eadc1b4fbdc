"""Pages of earlier releases take little room, and say what they said."""

import gzip
from importlib import import_module
from random import Random

import pytest
from django.apps import apps
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.models import Page, PageBody
from leaderboard.rendering.body_bytes import difference, restored
from leaderboard.rendering.earlier_pages import pack_earlier_pages
from leaderboard.rendering.page_bodies import drop_unused_bodies
from tests.pages import body_of
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

BOARD = "/benchmarks/toy/releases/{}/"


@pytest.fixture
def releases(system, phase):
    """Three releases, in each of which something is new."""
    for number, mood in enumerate((ALL_RIGHT, HALF_WRONG, ONE_WRONG)):
        upload(system, phase, mood=mood, at=CUT_OFF + (number - 1) * WEEK + WEEK / 7)
        run_batch(CUT_OFF + number * WEEK)


def body(number: int) -> PageBody:
    return Page.objects.get(pk=BOARD.format(number)).stored


def said() -> dict[str, bytes]:
    return {page.path: page.body for page in Page.objects.all()}


@given(st.binary(), st.binary(max_size=300), st.integers(0, 300))
def test_a_difference_makes_the_very_body(base, added, place):
    changed = base[:place] + added + base[place:]
    assert restored(difference(changed, base), base) == changed


def test_a_difference_of_large_bodies_is_small():
    base = Random(0).randbytes(4_000_000)
    changed = base[:2_000_000] + b"one more row" + base[2_000_000:]
    found = difference(changed, base)
    assert len(found) < len(changed) / 20
    assert restored(found, base) == changed


def test_what_is_no_difference_is_an_error_that_readers_know():
    with pytest.raises(OSError, match="difference"):
        restored(b"something else", b"base")


def test_every_page_says_what_it_said(releases):
    before = said()
    assert pack_earlier_pages() > 0
    assert said() == before
    assert pack_earlier_pages() == 0


def test_the_first_is_stored_whole_and_so_is_the_newest(releases):
    pack_earlier_pages()
    assert [body(number).base for number in (1, 2, 3)] == [None, body(1), None]
    assert len(body(2).packed) < len(body(1).packed) / 4


def test_pages_that_are_not_of_a_release_stay_as_they_are_sent(releases):
    pack_earlier_pages()
    current = Page.objects.exclude(path__contains="/releases/")
    assert not current.filter(stored__base__isnull=False).exists()


def test_a_reader_gets_the_same_bytes(releases, client):
    path = BOARD.format(2)
    ways: tuple[dict[str, str], ...] = ({"accept-encoding": "gzip"}, {})
    before = [client.get(path, headers=way).content for way in ways]
    pack_earlier_pages()
    assert [client.get(path, headers=way).content for way in ways] == before
    assert gzip.decompress(before[0]) == before[1]


def test_a_base_that_no_page_says_any_more_goes_and_the_others_stay_readable(releases):
    pack_earlier_pages()
    before, old = said(), body(1).pk
    Page.objects.filter(pk=BOARD.format(1)).update(stored=body_of(b"drawn again without a name"))

    assert drop_unused_bodies() >= 1

    assert not PageBody.objects.filter(pk=old).exists()
    assert body(2).base is None
    changed = {path for path, text in said().items() if text != before[path]}
    assert changed == {BOARD.format(1)}
    assert pack_earlier_pages() == 1
    assert body(2).plain == before[BOARD.format(2)]


def test_a_difference_that_no_page_says_goes_with_its_base(releases):
    pack_earlier_pages()
    gone = {body(1).pk, body(2).pk}
    Page.objects.filter(pk__in=[BOARD.format(1), BOARD.format(2)]).delete()
    drop_unused_bodies()
    assert not PageBody.objects.filter(pk__in=gone).exists()


def test_the_way_back_stores_every_body_whole_as_it_was(releases):
    before = {body.pk: bytes(body.packed) for body in PageBody.objects.all()}
    assert pack_earlier_pages() > 0
    import_module("leaderboard.migrations.0012_earlier_pages_as_differences").store_whole(apps, None)
    assert {body.pk: bytes(body.packed) for body in PageBody.objects.filter(base=None)} == before
