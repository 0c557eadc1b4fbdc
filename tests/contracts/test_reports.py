"""What every report of a release keeps to, and the way of one that is made up for a test, from draft to page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template.engine import Engine

import leaderboard.reports
from benchmarks.models import Benchmark
from leaderboard.models import Release
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.reports.registry import REPORTS
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from submissions.models import System
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, run_batch, upload

FOLDER = Path(leaderboard.reports.__file__).parent


def test_every_module_of_the_folder_is_registered():
    modules = {path.stem for path in FOLDER.rglob("*.py")} - {"__init__", "registry", "report"}
    assert {type(report).__module__.rpartition(".")[2] for report in REPORTS} == modules


def test_templates_of_the_folder_are_of_reports():
    templates = {path.name for path in Path("templates/public/reports").iterdir()}
    sources = "".join(path.read_text() for path in FOLDER.rglob("*.py"))
    assert {name for name in templates if f'"public/reports/{name}"' not in sources} == set()
    assert all(Engine.get_default().get_template(f"public/reports/{name}") for name in templates)


class OddsAndEnds(ReleaseReport[Any]):
    """How many rows a release has, and a system that must not be named where names are hidden."""

    key = "odds"

    def make(self, draft: ReleaseDraft) -> Any:
        system = draft.rows[0].system
        return {
            "rows": len(draft.rows),
            "first": {"system": system.name, "system_id": str(system.pk), "team": ""},
        }

    def parts(self, stored: Any, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall:
            yield ReportPart(
                Slot.SECTIONS, "public/reports/pairwise_link.html", f"/{stored['rows']}-rows-to-read/"
            )

    def files(self, stored: Any, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall:
            yield RenderedPage(f"{place.path}/odds.json", "application/json", json.dumps(stored).encode())


@pytest.fixture
def published(toy: Benchmark, system: System, gold_keys: object) -> Iterator[Benchmark]:
    """A release with one report more."""
    with REPORTS.extended(OddsAndEnds()):
        upload(system, toy.phases.get())
        run_batch(CUT_OFF)
        yield toy


def test_a_new_report_goes_from_the_draft_to_the_published_page(published, system):
    assert Release.objects.get().reports["odds"]["rows"] == 1
    browser = browser_of(None)
    for base in ("/benchmarks/toy/", "/benchmarks/toy/releases/1/"):
        assert "/1-rows-to-read/" in text_of(browser.get(f"{base}analysis/"))
    # Below the address of the overall board, with the name that everybody may read.
    odds = json.loads(text_of(browser.get("/benchmarks/toy/odds.json")))
    assert odds["first"]["system"] == system.name
    assert "rows-to-read" not in text_of(browser.get("/benchmarks/toy/tasks/mood/"))


def test_what_a_release_stores_of_each_report_is_json(published):
    stored = Release.objects.get().reports
    assert json.loads(json.dumps(stored, allow_nan=False)) == stored
    assert set(stored) <= set(REPORTS.keys())
