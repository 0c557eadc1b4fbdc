"""Pages of an event whose phases are about a subtask each: nothing is lost between them, and no link leads nowhere."""

import json
import re

import pytest

from benchmarks.models import Benchmark, Phase
from benchmarks.services import sync_benchmark
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from demo.rehearsal.event import read_event
from demo.rehearsal.play import play
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from tests.conftest import NOW
from tests.rehearsal.small_event import write_event

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]


def pages_of(folder, *, until):
    """The published pages, by address, of the event with the uploads up to a number."""
    write_event(folder)
    uploads = json.loads((folder / "uploads.json").read_text("utf-8"))
    (folder / "uploads.json").write_text(
        json.dumps([one for one in uploads if one["number"] <= until]), "utf-8"
    )
    play(read_event(folder))
    refresh_stale()
    pages = Page.objects.filter(path__startswith="/benchmarks/event/", content_type__startswith="text/html")
    return {page.path: bytes(page.body).decode() for page in pages}


def test_a_subtask_keeps_its_page_while_another_one_is_in_front(tmp_path, gold_keys):
    pages = pages_of(tmp_path, until=15)

    assert "b.csv" in pages["/benchmarks/event/tasks/b/"]
    assert "/benchmarks/event/releases/1/" in pages["/benchmarks/event/tasks/b/"]


def test_the_front_page_leads_to_the_newest_release_of_each_other_phase(tmp_path, gold_keys):
    page = pages_of(tmp_path, until=17)["/benchmarks/event/"]

    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Other phases: Development, release 1 · Evaluation, subtask A, release 2" in text
    assert 'href="/benchmarks/event/releases/2/"' in page


def test_the_archive_names_the_phase_of_each_release(tmp_path, gold_keys):
    page = pages_of(tmp_path, until=17)["/benchmarks/event/releases/"]

    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for line in (
        "3 Evaluation, subtask B 18 Jan 2026",
        "2 Evaluation, subtask A 14 Jan 2026",
        "1 Development 10 Jan",
    ):
        assert line in text


def test_an_archived_release_links_no_task_that_its_phase_is_not_about(tmp_path, gold_keys):
    pages = pages_of(tmp_path, until=17)

    links = {
        link for page in pages.values() for link in re.findall(r'href="(/benchmarks/event/[^"#?]*/)"', page)
    }
    served = {"ask/", "compare/", "pairwise/", "predictions/", "items/", "/provenance/"}
    missing = {link for link in links - pages.keys() if not any(part in link for part in served)}
    assert missing == set()
    assert "/benchmarks/event/releases/2/tasks/a/" in pages
    assert "/benchmarks/event/releases/2/tasks/b/" not in pages


def test_a_task_that_is_newer_than_every_release_has_its_page(tmp_path, gold_keys):
    assert "/benchmarks/event/tasks/c/" not in pages_of(tmp_path, until=8)
    text = (tmp_path / "benchmark.yaml").read_text("utf-8")
    of_b = text[text.index("  - {id: b,") : text.index("phases:")]
    of_c = of_b.replace("id: b,", "id: c,").replace("b.csv", "c.csv")
    document = parse_yaml(text.replace("phases:\n", f"{of_c}phases:\n", 1), "event")
    sync_benchmark(spec=build_spec(document, "event"), document=document, position=0, now=NOW)
    Phase.objects.filter(slug="evaluation-b").update(targets=[])  # it is about everything
    Benchmark.objects.all().mark_stale()

    refresh_stale()

    assert b"c.csv" in bytes(Page.objects.get(pk="/benchmarks/event/tasks/c/").body)
