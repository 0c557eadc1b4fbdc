"""Boards are frozen compressed, and come back as they were."""

import json

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from leaderboard.models import Release
from tests.weeks import CUT_OFF, run_batch, upload


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
