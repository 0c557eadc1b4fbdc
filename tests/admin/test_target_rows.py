"""Targets of a phase in the admin: a row for each split, ticked, with limits of its own."""

import pytest

from tests.admin.test_phases import save
from tests.conftest import synced
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.phase_targets.conftest import DEFINITION


@pytest.fixture
def phase(db, organiser):
    mixed = synced(DEFINITION)
    appoint(mixed, organiser)
    return mixed.phases.get(slug="development")


def test_rows_show_what_the_definition_says(phase, organiser):
    page = browser_of(organiser).get(f"/admin/benchmarks/phase/{phase.pk}/change/").content.decode()
    assert 'name="targets-mood/dev" checked' in page
    assert 'name="targets-mood/test">' in page
    assert 'name="targets-mood/dev-per_day" value="1"' in page


def test_ticked_rows_are_saved_with_their_limits(phase, organiser):
    rows = {"targets-tone/test": "on", "targets-tone/test-total": "3", "targets-tone/test-per_day": "1"}
    ends = {"closes_at_0": "2026-12-01", "closes_at_1": "00:00"}
    answer = save(browser_of(organiser), phase, **ends, **rows, **{"targets-mood/dev-total": "9"})
    assert answer.status_code == 302
    phase.refresh_from_db()
    assert phase.targets == [{"task": "tone", "split": "test", "quota": {"per_day": 1, "total": 3}}]


def test_nothing_ticked_is_everything(phase, organiser):
    save(browser_of(organiser), phase, closes_at_0="2026-12-01", closes_at_1="00:00")
    phase.refresh_from_db()
    assert phase.targets == []


def test_a_limit_that_is_none_is_refused_where_it_stands(phase, organiser):
    before = phase.targets
    rows = {"targets-mood/dev": "on", "targets-mood/dev-total": "0"}
    page = text_of(save(browser_of(organiser), phase, closes_at_0="2026-12-01", closes_at_1="00:00", **rows))
    assert "expected a whole number from 1 to 10000, found 0" in page
    phase.refresh_from_db()
    assert phase.targets == before
