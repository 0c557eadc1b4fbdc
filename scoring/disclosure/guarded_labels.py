"""Whether gold labels of a benchmark still guard something, so that nothing made of all of them is told."""

from benchmarks.models import Benchmark, ItemRenewal
from benchmarks.spec.model import GoldState
from benchmarks.spec.rule_fit import guarded_targets
from scoring.models import Batch


def guards_labels(benchmark: Benchmark) -> bool:
    """Whether a phase still keeps scores to itself, so that nothing may be shown that is made of all gold labels.

    So it is before there is a phase that takes answers to hidden test labels, and after items were renewed whose phase
    is still to come: its rule is not known yet.
    """
    finals = Batch.objects.filter(phase__benchmark=benchmark, is_final=True)
    closed = {phase: at for at, phase in finals.order_by("cut_off_at").values_list("cut_off_at", "phase")}
    phases = list(benchmark.phases.all())
    hiding = [phase for phase in phases if not phase.rule.shows_everything()]
    if any(phase.pk not in closed for phase in hiding):
        return True
    if hiding:
        last = max(closed[phase.pk] for phase in hiding)
        return ItemRenewal.objects.filter(split__task__benchmark=benchmark, renewed_at__gt=last).exists()
    hidden = any(task.gold_state is GoldState.SEALED for task in benchmark.spec.tasks)
    return hidden and not any(guarded_targets(benchmark.spec, phase.as_spec()) for phase in phases)
