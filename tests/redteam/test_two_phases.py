"""Two phases of one benchmark at the same time, both of which keep the same items back."""

import pytest

from benchmarks.models import Phase
from benchmarks.spec.document import DefinitionError
from catalogue.disclosure.rule import REMAINDER
from scoring.gold.versions import load_gold
from scoring.models import ScoringRun
from tests.conftest import NOW
from tests.quiz import DEFINITION, GOLD, WEEKLY, as_file, new_system, send
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = [pytest.mark.redteam, pytest.mark.django_db]


@pytest.mark.xfail(
    strict=True,
    reason="Phases that run at once are accepted: the final of the first publishes exact scores of the half that the "
    "second says it keeps back, and each has a budget of judged answers of its own, so the printed bound holds for "
    "neither.",
)
@pytest.mark.parametrize("rule", ["open", "protected"])
def test_what_a_running_phase_keeps_back_is_not_scored_by_another(sync, gold_keys, rule):
    definition = DEFINITION.replace("RULE", rule).replace("CUT_OFF", WEEKLY)
    second = definition[definition.index("  - id: main") :].replace("main", "second").replace("76", "150")
    try:
        benchmark = sync(definition + second)
    except DefinitionError:
        return
    load_gold(
        task=benchmark.tasks.get(),
        data=as_file(GOLD),
        file_name="quiz.csv",
        now=NOW,
        confirm_clues=True,
    )
    first, running = benchmark.phases.order_by("position")
    Phase.objects.filter(pk=first.pk).update(closes_at=CUT_OFF + WEEK)
    send(new_system("Larch"), first, range(600), at=CUT_OFF - WEEK / 7)
    run_batch(CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert running.is_open(CUT_OFF + WEEK)
    assert not ScoringRun.objects.filter(part=REMAINDER, status=ScoringRun.Status.DONE).exists()
