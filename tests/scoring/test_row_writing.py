"""Many rows of a table are written by column: all of them, or none."""

import pytest
from django.db import IntegrityError

from scoring.models import Score, ScoringRun
from scoring.queue.ahead import score_ahead
from scoring.queue.row_writing import insert_rows
from tests.conftest import NOW
from tests.weeks import upload

pytestmark = pytest.mark.postgres

COLUMNS = ("run", "metric", "metric_version", "stratum", "value", "undefined", "created_at")


@pytest.mark.django_db(transaction=True)
def test_a_row_that_is_refused_leaves_none_of_those_before_it(system, phase):
    upload(system, phase)
    score_ahead(NOW)
    run = ScoringRun.objects.earliest("pk").pk
    rows = [(run, metric, 1, "", value, "", NOW) for metric, value in [("one", 0.5), ("two", 1e309)]]
    with pytest.raises(IntegrityError):
        insert_rows(Score, COLUMNS, rows)
    assert not Score.objects.exists()
    insert_rows(Score, COLUMNS, rows[:1])
    assert Score.objects.get().value == 0.5
