"""What teams and people had used of a quota is carried over when groups of linked people take their place."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.services import create_team
from submissions.exceptions import QuotaUsedUp
from submissions.models import Submission, System
from submissions.participants import GroupUse
from submissions.quota.groups import groups_of
from tests.conftest import NOW
from tests.submissions.test_fair_quota import MOODS, send

pytestmark = [pytest.mark.thorough, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

BEFORE = ("submissions", "0001_initial")


def migrate_all():
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.fixture
def as_it_was():
    """A function that brings the tables to what they were, and gives the rows of quotas; afterwards all is as now."""

    def go_back():
        state = MigrationExecutor(connection).migrate([BEFORE])
        return state.apps.get_model("submissions", "QuotaUse").objects

    yield go_back
    migrate_all()


def test_a_running_phase_keeps_its_used_slots(system, phase, owner, teammate, outsider, as_it_was):
    phase.quota_limit = 2
    phase.save()
    south = System.objects.create(
        team=create_team(name="South", founder=outsider, now=NOW), name="Fir", created_at=NOW
    )
    ours = [send(system, phase, owner), send(system, phase, teammate, MOODS[1])]
    theirs = send(south, phase, outsider)
    uses = as_it_was()
    of = {"phase_id": phase.pk, "window_ends_at": theirs.quota_window_ends_at}
    for team, used in ((system.team, 2), (south.team, 1)):
        uses.create(team_id=team.pk, used=used, **of)
    for user in (owner, teammate, outsider):
        uses.create(user_id=user.pk, used=1, **of)

    migrate_all()

    groups = groups_of(Submission.objects.all())
    first, second, other = (groups[one.pk] for one in (*ours, theirs))
    assert first == second != other
    assert dict(GroupUse.objects.values_list("group", "used")) == {first: 2, other: 1}
    with pytest.raises(QuotaUsedUp):
        send(system, phase, owner, MOODS[2])
    assert send(south, phase, outsider, MOODS[1]).group_id == other
