"""Boards and reports are frozen compressed, and come back as they were."""

import json
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from leaderboard.models import Release
from tests.weeks import CUT_OFF, run_batch, upload


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_boards_from_before_they_were_packed_stay_the_same_and_guarded(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    frozen = Release.objects.values_list("overall", "others", "ranking").get()
    MigrationExecutor(connection).migrate([("leaderboard", "0009_pages_name_their_bodies")])
    with connection.cursor() as cursor:
        cursor.execute("SELECT boards FROM leaderboard_release")
        plain = json.loads(cursor.fetchone()[0])

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert list(plain) == list(Release.objects.get().boards) == ["overall", *frozen[1]]
    again = Release.objects.values_list("overall", "others", "ranking").get()
    assert json.dumps(again) == json.dumps(frozen)
    with pytest.raises(DatabaseError, match="append-only"):
        Release.objects.update(ranking={})


def column_of_reports() -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT reports FROM leaderboard_release")
        found: dict[str, Any] = json.loads(cursor.fetchone()[0])
    return found


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_reports_are_packed_and_those_from_before_stay_readable_and_guarded(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    reports = Release.objects.get().reports
    assert "definition" in reports
    assert column_of_reports() == {"ranked_on": reports["ranked_on"]}
    assert Release.objects.reports("ranked_on") == {1: reports["ranked_on"]}
    MigrationExecutor(connection).migrate([("leaderboard", "0015_cells_of_several_releases")])
    assert json.dumps(column_of_reports()) == json.dumps(reports)

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert json.dumps(Release.objects.get().reports) == json.dumps(reports)
    assert Release.objects.reports("ranked_on") == {1: reports["ranked_on"]}
    with pytest.raises(DatabaseError, match="append-only"):
        Release.objects.update(packed_reports={})
