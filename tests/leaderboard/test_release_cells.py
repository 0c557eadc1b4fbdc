"""Cells are stored once for all releases in a row that have them; each release has its own, in their order."""

import datetime as dt
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.models import Phase
from leaderboard import release_cells
from leaderboard.models import Page, Release, ReleaseCell
from leaderboard.publication import services
from leaderboard.release_cells import FACTS, DraftCell, holds_in, rising_places
from submissions.models import System
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

HOUR = dt.timedelta(hours=1)
UNTIL = "UPDATE leaderboard_releasecell SET until = {}"


def cells_of(release: Release) -> list[tuple[Any, ...]]:
    """What each cell of a release says, in their order."""
    return list(ReleaseCell.objects.of(release).order_by("place").values_list(*FACTS))


def execute(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
def systems(team: Any) -> list[System]:
    return [System.objects.create(team=team, name=name, created_at=NOW) for name in ("Ash", "Fir", "Yew")]


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[tuple[Any, ...]]]:
    """By number what each release was published with."""
    found = {}
    store = release_cells.store_cells

    def note(release: Release, cells: Sequence[DraftCell]) -> None:
        found[release.number] = [tuple(getattr(cell, name) for name in FACTS) for cell in cells]
        store(release, cells)

    monkeypatch.setattr(services, "store_cells", note)
    return found


def weeks(systems: list[System], phase: Phase, counting: str) -> None:
    """A system comes, one improves, one gets worse, one is withdrawn and comes again; and another phase goes along."""
    Phase.objects.filter(pk=phase.pk).update(counting=counting)
    other = Phase.objects.get(pk=phase.pk)
    other.pk, other.slug = None, "other"
    other.save(force_insert=True)
    phase.refresh_from_db()
    ash, fir, yew = systems
    first = upload(ash, phase, mood=HALF_WRONG)
    upload(fir, phase, mood=ONE_WRONG)
    upload(yew, other)
    run_batch(CUT_OFF)
    upload(ash, phase, mood=ONE_WRONG, at=CUT_OFF + HOUR)
    upload(yew, phase, at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    upload(fir, phase, mood=HALF_WRONG, at=CUT_OFF + WEEK + HOUR)
    upload(ash, other, at=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)
    last = yew.submissions.get(phase=phase)
    for one in (first, last):
        withdraw(submission=one, user=one.submitted_by, now=CUT_OFF + 2 * WEEK + HOUR)
    upload(fir, other, at=CUT_OFF + 2 * WEEK + HOUR)
    upload(fir, phase, at=CUT_OFF + 2 * WEEK + HOUR)
    run_batch(CUT_OFF + 3 * WEEK)
    upload(yew, phase, mood=ONE_WRONG, at=CUT_OFF + 3 * WEEK + HOUR)
    run_batch(CUT_OFF + 4 * WEEK)


@pytest.mark.thorough
@pytest.mark.parametrize("counting", ["latest", "best"])
def test_each_release_has_the_cells_that_it_was_published_with_in_their_order(
    systems, phase, published, counting
):
    weeks(systems, phase, counting)
    assert len(published) >= 8
    assert {one.number: cells_of(one) for one in Release.objects.all()} == published
    assert ReleaseCell.objects.count() < sum(map(len, published.values()))


def test_a_release_stores_what_is_new_in_it_alone(systems, phase):
    ash, fir, _ = systems
    upload(ash, phase)
    run_batch(CUT_OFF)
    before = set(ReleaseCell.objects.values_list("pk", "until"))
    upload(fir, phase, at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    assert set(ReleaseCell.objects.filter(system=ash).values_list("pk", "until")) == before
    upload(fir, phase, at=CUT_OFF + WEEK + HOUR, mood=ONE_WRONG)
    run_batch(CUT_OFF + 2 * WEEK)
    spans = ReleaseCell.objects.filter(system=fir, task__slug="mood").order_by("first__number")
    assert list(spans.values_list("first__number", "until")) == [(2, 3), (3, None)]


@pytest.mark.postgres
def test_the_database_lets_a_cell_be_ended_once_and_nothing_else_of_it_be_changed(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    for change in ("2, seed = 2", "2, place = 7", "NULL"):
        with pytest.raises(DatabaseError, match="append-only"):
            execute(UNTIL.format(change))
    execute(UNTIL.format(2))
    for change in ("3", "NULL", "2"):
        with pytest.raises(DatabaseError, match="append-only"):
            execute(UNTIL.format(change))
    with pytest.raises(DatabaseError, match="append-only"):
        execute("DELETE FROM leaderboard_releasecell")


@pytest.mark.postgres
def test_code_of_before_adds_no_cell(system, phase):
    """It names no place, and would begin what is held already."""
    upload(system, phase)
    run_batch(CUT_OFF)
    columns = "release_id, system_id, task_id, split_id, track, submission_id, score_id"
    with pytest.raises(IntegrityError, match="cell_has_a_place"):
        execute(
            f"INSERT INTO leaderboard_releasecell (seed, {columns}) "  # noqa: S608  # names of ours
            f"SELECT 2, {columns} FROM leaderboard_releasecell"
        )


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_cells_from_before_are_the_same_after_the_upgrade_and_guarded(systems, phase, published):
    weeks(systems, phase, "best")
    spans = set(ReleaseCell.objects.values_list("first", "until", *FACTS))
    MigrationExecutor(connection).migrate([("leaderboard", "0014_places_of_systems")])
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM leaderboard_releasecell")
        assert cursor.fetchone()[0] == sum(map(len, published.values()))
    with pytest.raises(DatabaseError, match="append-only"):
        execute("UPDATE leaderboard_releasecell SET seed = 2")

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert {one.number: cells_of(one) for one in Release.objects.all()} == published
    assert set(ReleaseCell.objects.values_list("first", "until", *FACTS)) == spans
    with pytest.raises(DatabaseError, match="append-only"):
        execute("UPDATE leaderboard_releasecell SET seed = 2")


@pytest.mark.thorough
def test_the_archive_is_drawn_the_same_from_cells_of_earlier_releases(systems, phase, toy):
    weeks(systems, phase, "best")
    before = {page.path: page.body for page in Page.objects.filter(path__contains="provenance")}
    services.refresh(toy, archive=True)
    assert {page.path: page.body for page in Page.objects.filter(path__contains="provenance")} == before


NAMES = st.lists(st.integers(0, 30), unique=True)


@given(NAMES, NAMES, st.integers(1, 4))
def test_places_rise_and_whoever_keeps_the_order_keeps_its_place(before, wanted, apart):
    held = {(name,): apart * at for at, name in enumerate(before, start=1)}
    places = rising_places(held, [(name,) for name in wanted])
    assert all(low < high for low, high in pairwise([0, *places]))
    if wanted[: len(before)] == before:
        assert places[: len(before)] == list(held.values())


def test_one_that_moves_is_the_only_one_to_lose_its_place():
    held = {(name,): 10 * at for at, name in enumerate("abcdef", start=1)}
    for order in ("bcdefa", "fabcde", "acdebf"):
        places = rising_places(held, [(name,) for name in order])
        kept = [name for name, place in zip(order, places, strict=True) if held[name,] == place]
        assert len(kept) == 5
        assert places == sorted(set(places))


@pytest.mark.parametrize(("until", "held"), [(None, [2, 3, 4, 5]), (4, [2, 3])])
def test_a_cell_stands_in_releases_from_its_first_until_the_one_that_has_it_no_more(until, held):
    assert [number for number in range(1, 6) if holds_in(number, 2, until)] == held
