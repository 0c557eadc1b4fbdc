"""Where gold labels may not be made public yet, the page says which phase is open, or what is still under way."""

import datetime as dt

from benchmarks.models import Phase
from scoring.gold.opening import may_be_opened, why_not_opened
from tests.weeks import CUT_OFF, run_batch, upload

MINUTE = dt.timedelta(minutes=1)


def end(phase, at):
    Phase.objects.filter(pk=phase.pk).update(closes_at=at, next_cut_off_at=at)
    phase.refresh_from_db()


def test_a_phase_that_is_open_is_named_with_its_end(phase):
    assert "Main has no end" in why_not_opened(phase.benchmark, CUT_OFF)
    end(phase, CUT_OFF)
    assert "Main closes on Mon 23 Nov 2026, 00:00 UTC" in why_not_opened(phase.benchmark, CUT_OFF - MINUTE)


def test_right_after_the_close_the_last_batch_is_named(phase, system):
    upload(system, phase)
    end(phase, CUT_OFF)

    assert not may_be_opened(phase.benchmark, CUT_OFF + MINUTE)
    assert "what came in last is still being taken in and scored" in why_not_opened(
        phase.benchmark, CUT_OFF + MINUTE
    )

    run_batch(CUT_OFF + MINUTE)
    assert may_be_opened(phase.benchmark, CUT_OFF + 2 * MINUTE)
