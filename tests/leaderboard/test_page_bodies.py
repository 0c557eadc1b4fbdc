"""What pages answer is stored once, and no longer than a page says it."""

import gzip

from leaderboard.models import Page, PageBody
from leaderboard.personal_data.retention import forget
from leaderboard.rendering.page_bodies import drop_unused_bodies, pack, store_bodies
from leaderboard.rendering.rendered_page import RenderedPage
from tests.conftest import NOW
from tests.weeks import CUT_OFF, HALF_WRONG, WEEK, run_batch, upload


def test_a_file_of_the_newest_release_is_stored_once_for_both_of_its_addresses(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    current, lasting = (Page.objects.get(pk=f"/benchmarks/toy{place}.json") for place in ("", "/releases/1"))
    assert current.stored_id == lasting.stored_id
    assert PageBody.objects.count() == Page.objects.values("stored").distinct().count() < Page.objects.count()


def test_what_no_page_says_any_more_is_deleted_and_the_rest_stays(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    lasting = {page.path: page.body for page in Page.objects.filter(path__contains="/releases/1")}
    replaced = Page.objects.get(pk="/benchmarks/toy/").stored_id
    upload(system, phase, mood=HALF_WRONG, at=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    assert PageBody.objects.filter(pk=replaced).exists()

    forget(NOW)

    assert not PageBody.objects.filter(pk=replaced).exists()
    assert drop_unused_bodies() == 0
    assert {page.path: page.body for page in Page.objects.filter(pk__in=lasting)} == lasting


def test_what_is_sent_is_what_is_stored(system, phase, client):
    upload(system, phase)
    run_batch(CUT_OFF)
    page = Page.objects.get(pk="/benchmarks/toy.csv")
    compressed = client.get("/benchmarks/toy.csv", headers={"accept-encoding": "gzip"})
    assert compressed.content == bytes(page.stored.packed)
    assert client.get("/benchmarks/toy.csv").content == gzip.decompress(compressed.content) == page.body


def test_what_is_stored_already_is_not_compressed_again(db):
    first, again, other = (
        RenderedPage(path, "text/plain", text)
        for path, text in (("/a", b"the same"), ("/b", b"the same"), ("/c", b"something else"))
    )
    store_bodies([first])

    pack([again, other])

    assert not again.packed
    assert gzip.decompress(other.packed) == b"something else"
    store_bodies([again, other])
    assert PageBody.objects.count() == 2
