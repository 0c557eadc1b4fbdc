"""Which answers are judged through noise at a cut-off: drawn by lot, no more than the budget, before any is scored."""

import secrets
from collections import Counter, defaultdict

from benchmarks.models import Split
from catalogue.disclosure.noisy_display import NoisyDisplay, Waiting
from catalogue.disclosure.rule import NOISED, Rule
from catalogue.metrics.choice import metric_for
from scoring.disclosure.standings import taken_in
from scoring.gold.rankings import retired_twins
from scoring.models import Batch, ScoringRun
from submissions.models import Predictions, Submission
from submissions.quota.groups import groups_of


def display_of_split(rule: type[Rule], split: Split) -> NoisyDisplay | None:
    """The noise and the budget that a rule has for a split, as everybody can reckon them; None where it has none."""
    spec = split.task.spec
    metric = metric_for(spec.output, spec.primary_metric.name)
    size = split.item_count // 2
    effect = metric.label_effect(size, max(1, len(spec.output.labels)), spec.rarest_label_share)
    return rule.display(size, effect)


def draw_lots(batch: Batch) -> set[int]:
    """The ids of the predictions that are judged at this cut-off, over all splits that are shown through noise."""
    drawn: set[int] = set()
    splits = Split.objects.filter(task__benchmark=batch.phase.benchmark_id, task__is_retired=False)
    for split in splits.select_related("task__benchmark"):
        if batch.part_of(split, at_the_end=False) == NOISED:
            drawn |= _drawn(batch, split)
    return drawn


def _drawn(batch: Batch, split: Split) -> set[int]:
    display = display_of_split(batch.rule, split)
    if display is None:
        return set()
    of_phase = ScoringRun.objects.filter(part=NOISED, submission__phase=batch.phase_id)
    runs, of_twins = of_phase.filter(split=split), of_phase.filter(split__in=retired_twins(split))
    # What was judged by a metric that ranks no more is drawn again, and counts in the budget again.
    primary = split.task.spec.primary_metric.name
    by_another = runs.filter(scores__isnull=False).exclude(scores__metric=primary)
    answers = Predictions.objects.filter(
        submission__in=taken_in(batch).countable_soon(), split=split
    ).exclude(pk__in=runs.exclude(pk__in=by_another.values("pk")).values("predictions"))
    waiting: dict[Submission, list[int]] = defaultdict(list)
    for predictions in answers.order_by("pk").select_related("submission__system"):
        waiting[predictions.submission].append(predictions.pk)
    asked = [run.submission for run in (runs | of_twins).select_related("submission__system")]
    groups = groups_of({*waiting, *asked})
    judged = Counter(str(groups[submission.pk]) for submission in asked)
    # An answer of several seeds is a mean, which no lot can draw.
    lots = [
        Waiting(str(own[0]), str(groups[submission.pk]))
        for submission, own in waiting.items()
        if len(own) == 1
    ]
    return {int(name) for name in display.lot(lots, judged=judged, key=secrets.token_bytes(32))}
