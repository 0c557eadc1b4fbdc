"""A benchmark that is archived keeps its pages, and no list or form names it."""

import pytest

from benchmarks.models import Benchmark
from leaderboard.publication.services import refresh_stale
from submissions.exceptions import PhaseClosed
from tests.api.conftest import client_of
from tests.pages import browser_of, text_of
from tests.submissions.test_fair_quota import MOODS
from tests.weeks import CUT_OFF, run_batch, upload


def pressed(user, benchmark, action):
    address = f"/admin/benchmarks/benchmark/{benchmark.pk}/{action}/"
    return text_of(browser_of(user).post(address, {"confirmed": "yes"}, follow=True))


def test_an_archived_benchmark_is_named_nowhere_and_readable_by_its_link(phase, system, staff):
    upload(system, phase)
    run_batch(CUT_OFF)
    toy, reader = phase.benchmark, browser_of(staff)
    refresh_stale()
    offer = '<a class="btn" href="/submit/?benchmark=toy">'
    assert offer in text_of(reader.get("/benchmarks/toy/"))

    assert "Toy is archived." in pressed(staff, toy, "archive")
    refresh_stale()

    assert "/benchmarks/toy/" not in reader.get("/").content.decode()
    assert client_of(None).get("/api/v1/benchmarks/").json()["results"] == []
    assert "/benchmarks/toy/" not in reader.get("/search/?q=toy").content.decode()
    for path in ("/benchmarks/toy/", "/benchmarks/toy/releases/1/", "/api/v1/benchmarks/toy/"):
        assert reader.get(path).status_code == 200
    page = text_of(reader.get("/benchmarks/toy/"))
    assert offer not in page
    assert " · closed <time" in page
    phase.benchmark.refresh_from_db()
    with pytest.raises(PhaseClosed, match="Toy is archived since"):
        upload(system, phase, mood=MOODS[1])

    assert "Toy is no longer archived." in pressed(staff, toy, "bring_back")
    refresh_stale()
    assert Benchmark.objects.listed().get() == toy
    assert "/benchmarks/toy/" in reader.get("/").content.decode()
