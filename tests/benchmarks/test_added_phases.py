"""Phases that are added at once: each sees the others."""

import pytest

from benchmarks.added_phases import CannotAdd, add_phase
from benchmarks.models import Benchmark, Phase
from tests.conftest import NOW
from tests.threads import at_once
from tests.weeks import CUT_OFF, WEEK

pytestmark = pytest.mark.postgres


@pytest.mark.django_db(transaction=True)
def test_button_pressed_four_times_adds_one_phase_and_says_that_it_is_there(toy):
    Phase.objects.update(closes_at=CUT_OFF)

    def add() -> Phase:
        return add_phase(
            benchmark=Benchmark.objects.get(),
            title="Second",
            opens_at=CUT_OFF,
            closes_at=CUT_OFF + WEEK,
            places=[("mood", "test")],
            quota=1,
            now=NOW,
        )

    refused = [one for one in at_once([add] * 4) if isinstance(one, Exception)]
    assert [type(one) for one in refused] == [CannotAdd] * 3
    assert {str(one) for one in refused} == {"Second is there already, with these dates; nothing was added."}
    assert Phase.objects.filter(title="Second").count() == 1
