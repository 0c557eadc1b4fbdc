"""Where systems stood in each release is kept beside its boards, also of releases from before that was done."""

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from accounts.server.append_only_triggers import unprotect
from accounts.services import create_team
from benchmarks.models import Benchmark
from leaderboard.board.model import serialization
from leaderboard.models import ReleaseHead, ReleasePlace
from leaderboard.pages.rendered_release import heads
from leaderboard.publication.services import refresh
from leaderboard.rendering import release_places
from submissions.models import System
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, person
from tests.post import sent
from tests.published import published, systems_published
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_places_in_releases_of_before_are_taken_from_their_boards_and_guarded(system, phase):
    upload(system, phase, mood=HALF_WRONG)
    upload(System.objects.create(team=system.team, name="Alder", created_at=NOW, kind="baseline"), phase)
    run_batch(CUT_OFF)
    upload(system, phase, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    pages, kept = systems_published(), _kept()
    assert [len(of_model) for of_model in kept] == [2, 4]
    MigrationExecutor(connection).migrate([("leaderboard", "0013_fewer_indexes_of_cells")])

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert _kept() == kept
    assert systems_published() == pages
    assert Benchmark.objects.stale().filter(pk="toy").exists()
    for model in (ReleaseHead, ReleasePlace):
        with pytest.raises(DatabaseError, match="append-only"):
            model.objects.all().delete()


def _kept() -> list[list[object]]:
    heads, places = ReleaseHead.objects.order_by("pk"), ReleasePlace.objects.order_by("release", "system")
    return [list(heads.values()), list(places.values())]


@pytest.fixture
def rivals() -> list[System]:
    """Of other teams, each of a person alone."""
    teams = [create_team(name=f"Team {at}", founder=person(f"rival-{at}"), now=NOW) for at in range(4)]
    return [
        System.objects.create(team=team, name=f"Rival {at}", created_at=NOW) for at, team in enumerate(teams)
    ]


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_code_of_before_has_not_kept_of_a_release_is_taken_from_its_ranking(system, phase, rivals):
    for at, mood in enumerate((ONE_WRONG, HALF_WRONG)):
        upload(system, phase, mood=mood, at=CUT_OFF + (at - 1) * WEEK)
        upload(rivals[at], phase, at=CUT_OFF + (at - 1) * WEEK)
        run_batch(CUT_OFF + at * WEEK)
    refresh(phase.benchmark, archive=True)
    shown, known = published(), [head.leaders for head in heads(phase.benchmark)]
    with connection.schema_editor() as editor:
        for model in (ReleaseHead, ReleasePlace):
            unprotect(editor, model._meta.db_table)
    ReleaseHead.objects.filter(release__number=2).update(leading=None)
    for model in (ReleaseHead, ReleasePlace):
        model.objects.filter(release__number=1).delete()

    assert [head.leaders for head in heads(phase.benchmark)] == known
    refresh(phase.benchmark, archive=True)

    assert published() == shown
    assert b"Rival 0" in shown["/benchmarks/toy/feed.atom"]


def test_what_a_printing_reads_of_earlier_releases_is_who_led_them(system, phase, rivals, monkeypatch):
    read: list[str] = []
    row_from_dict = serialization._row_from_dict

    def reading(data):
        read.append(data["system"])
        return row_from_dict(data)

    monkeypatch.setattr(serialization, "_row_from_dict", reading)
    counts = {}
    for at, rival in enumerate(rivals, start=1):
        upload(rival, phase, mood=" ".join(["bad"] * at + ["good"] * (6 - at)))
    for week in range(5):
        mood = ALL_RIGHT.split()
        mood[week] = {"good": "bad", "bad": "good"}[mood[week]]
        upload(system, phase, mood=" ".join(mood), at=NOW + week * WEEK)
        run_batch(CUT_OFF + week * WEEK)
        release_places._head.cache_clear()
        read.clear()
        refresh(phase.benchmark)
        counts[week] = len(read)

    assert counts[4] - counts[2] == 2 * 2  # of five


def test_a_letter_to_a_team_that_comes_back_compares_with_the_release_that_it_was_in(system, phase, rivals):
    upload(rivals[0], phase, mood=HALF_WRONG)
    first = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    withdraw(submission=first, user=system.team.members.get(), now=CUT_OFF)
    for week in (1, 2):
        upload(rivals[week], phase, at=CUT_OFF + (week - 1) * WEEK, mood=HALF_WRONG)
        run_batch(CUT_OFF + week * WEEK)
    upload(system, phase, mood=HALF_WRONG, at=CUT_OFF + 2 * WEEK)

    run_batch(CUT_OFF + 3 * WEEK)

    letter = next(mail.body for mail in reversed(sent()) if mail.subject.startswith("Toy, release 4: Larch"))
    assert " worse than in release 1." in letter
