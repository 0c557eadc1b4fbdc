"""A list costs as many queries with thirty rows as with three."""

import datetime as dt
from sqlite3 import SQLITE_LIMIT_EXPR_DEPTH
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry, Team
from benchmarks.models import FactList
from benchmarks.notices.models import Announcement, Mailing, Terms, WrittenPage, WrittenVersion
from breaking.models import Contest, Pair, PairFile
from leaderboard.models import Release, ReleaseCell, WatchReport
from scoring.models import Batch, BatchEntry, GoldVersion, PairSet, ResponseSet, ScoringRun
from submissions.models import FactSheet, Predictions, Refusal, System
from submissions.participants import Ban, RowClaim, TeamRegistration
from tests.admin.conftest import World
from tests.conftest import person
from tests.pages import text_of
from tests.slots import use_up

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]


def copy(row: Any, **changes: object) -> Any:
    """Another row like this one."""
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key
    }
    return type(row).objects.create(**values | changes)


def grow(world: World, number: int) -> None:
    """One more of everything."""
    later = world.waiting.received_at + dt.timedelta(weeks=number)
    team = Team.objects.create(name=f"Team {number}", created_at=later)
    user = person(f"person-{number}")
    system = copy(world.waiting.system, team_id=team.pk)
    submission = copy(world.published, system_id=system.pk, submitted_by_id=user.pk)
    copy(AuditEntry.objects.first(), actor_id=user.pk)
    copy(FactSheet.objects.first(), system_id=system.pk)
    copy(Terms.objects.first(), version=number + 10, written_by_id=user.pk)
    copy(Announcement.objects.first())
    page = copy(WrittenPage.objects.first(), slug=f"page-{number}")
    copy(WrittenVersion.objects.first(), page_id=page.pk, written_by_id=user.pk)
    copy(Mailing.objects.first(), written_by_id=user.pk)
    copy(FactList.objects.first(), slug=f"list-{number}")
    copy(world.refusal, system_id=system.pk, submitted_by_id=user.pk)
    copy(Ban.objects.first(), person_id=user.pk)
    copy(TeamRegistration.objects.first(), team_id=team.pk, asked_by_id=user.pk)
    copy(RowClaim.objects.first(), team_id=team.pk, asked_by_id=user.pk)
    use_up(team, world.phase, later, used=1)
    batch = copy(world.release.batch, cut_off_at=later)
    BatchEntry.objects.create(batch=batch, submission=submission)
    copy(world.release, batch_id=batch.pk, number=number + 10)
    copy(WatchReport.objects.first(), batch_id=batch.pk)
    predictions = copy(Predictions.objects.first(), submission_id=submission.pk)
    gold = copy(GoldVersion.objects.first(), number=number + 10)
    copy(ResponseSet.objects.first(), number=number + 10, gold_version_id=gold.pk)
    copy(PairSet.objects.first(), number=number + 10)
    copy(Contest.objects.first(), item=f"m{number}-contested")
    file = copy(PairFile.objects.first(), id=None, team_id=team.pk)
    copy(Pair.objects.first(), pair_file_id=file.pk)
    copy(ScoringRun.objects.first(), submission_id=submission.pk, predictions_id=predictions.pk)


LISTS = (
    "accounts_auditentry",
    "accounts_team",
    "benchmarks_benchmark",
    "benchmarks_task",
    "benchmarks_phase",
    "benchmarks_split",
    "benchmarks_factlist",
    "benchmarks_terms",
    "benchmarks_announcement",
    "benchmarks_writtenpage",
    "benchmarks_mailing",
    "submissions_factsheet",
    "submissions_system",
    "submissions_submission",
    "submissions_refusal",
    "submissions_groupuse",
    "submissions_teamregistration",
    "submissions_rowclaim",
    "submissions_ban",
    "scoring_goldversion",
    "scoring_pairset",
    "scoring_responseset",
    "scoring_batch",
    "scoring_scoringrun",
    "leaderboard_release",
    "leaderboard_watchreport",
    "breaking_contest",
    "breaking_pair",
    "breaking_pairfile",
)


@pytest.mark.parametrize("persona", ["staff", "organiser"])
def test_lists_cost_no_query_per_row(client, world, staff, organiser, persona, request):
    client.force_login(request.getfixturevalue(persona))
    few = {name: count(client, name) for name in LISTS}
    for number in range(30):
        grow(world, number)
    many = {name: count(client, name) for name in LISTS}
    assert many == few


def count(client: Client, name: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(reverse(f"admin:{name}_changelist")).status_code == 200
    return len(queries)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no such limit")
def test_submissions_with_more_scores_than_sqlite_takes_conditions_are_listed(client, world, staff):
    cell = ReleaseCell.objects.filter(submission=world.published)[0]
    for number in range(1, 61):
        score = copy(cell.score, metric=f"more_{number}")
        copy(cell, place=cell.place + number, seed=100 + number, score_id=score.pk)
    client.force_login(staff)
    with connection.cursor():
        limit = connection.connection.setlimit(SQLITE_LIMIT_EXPR_DEPTH, 50)
    try:
        answer = client.get("/admin/submissions/submission/")
    finally:
        connection.connection.setlimit(SQLITE_LIMIT_EXPR_DEPTH, limit)
    assert answer.status_code == 200
    assert world.published.system.name in text_of(answer)


def test_the_list_of_people_costs_no_query_per_row(client, world, staff):
    client.force_login(staff)
    few = count(client, "accounts_user")
    for number in range(30):
        person(f"person-{number}")
    assert count(client, "accounts_user") == few


def test_a_batch_page_costs_no_query_per_submission(client, world, staff):
    client.force_login(staff)
    address = reverse("admin:scoring_batch_change", args=[world.scored.pk])

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        return len(captured)

    few = queries()
    for number in range(30):
        grow(world, number)
    BatchEntry.objects.exclude(batch=world.scored).update(batch=world.scored)
    assert queries() <= few


def test_copies_are_what_the_lists_show(client, world, staff):
    """Guards the tests above: thirty more rows must really be on the page."""
    client.force_login(staff)
    for number in range(30):
        grow(world, number)
    page = client.get(reverse("admin:submissions_submission_changelist"))
    assert len(page.context["cl"].result_list) == 33
    assert Batch.objects.count() == 32
    assert Release.objects.count() == 31
    assert System.objects.count() == 31
    assert Refusal.objects.count() == 31
