"""Answers on a sample that are scored against gold labels: how well people do."""

import math
from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Any

import numpy as np

from benchmarks.models import Split
from catalogue.comparison import Comparison
from catalogue.item_groups import groups_at, with_clusters
from labelling.core.aggregation.plurality import tied_items
from labelling.core.aggregation.rule import item_of
from labelling.core.answers import Value, Work
from labelling.core.human_rows import expected_score
from labelling.models import Campaign
from labelling.outcomes.gold_labels import cells_of
from labelling.outcomes.purpose import CannotFinish, Finished, Purpose, Settled
from scoring.core.engine import score_comparison
from scoring.core.uncertainty.single_system import intervals_of
from scoring.gold.alignment import opened_version
from scoring.models import GoldVersion
from submissions.intake.canonical import answer_reader


class HumanRowPurpose(Purpose):
    """The values are predictions of people for a sample of a split; boards show their scores with intervals.

    Source: RAFT (Alex et al. 2021, arXiv:2109.14076), sections 4.3 and A.7.
    """

    key = "human_row"
    title = "Human row"
    sentence = (
        "The values are scored against the gold labels of a sample. Boards show a row of people with the interval of "
        "the sample, once no label of the split is guarded any more."
    )
    question_kinds = ("one_label", "several_labels", "ordered_class", "number")
    rules = ("plurality", "majority", "at_least", "ag2", "mean", "median")
    needs = frozenset({"task", "split"})
    may_use = frozenset({"after"})
    always_sealed = True
    has_row = True

    def proposal(self) -> dict[str, Any]:
        return {"rule": "plurality", "answers_wanted": 5, "qualification_median_of": 10, "sample": 100}

    def finish(self, settled: Settled) -> Finished:
        gold_version = current_gold(settled.campaign)
        if gold_version is None:
            raise CannotFinish(
                "The split has no gold labels yet. Load them, and the row is scored by itself."
            )
        return Finished(scores_of_people(settled, gold_version))

    def is_due_again(self, report: Mapping[str, Any], campaign: Campaign) -> bool:
        gold_version = current_gold(campaign)
        return gold_version is not None and report.get("gold_version") != gold_version.pk


def current_gold(campaign: Campaign) -> GoldVersion | None:
    """The current gold labels of the split that a campaign is about."""
    split = Split.objects.filter(task=campaign.task, slug=campaign.split_slug).first()
    return GoldVersion.objects.current().filter(split=split).first() if split else None


def scores_of_people(settled: Settled, gold_version: GoldVersion) -> dict[str, Any]:
    """Every metric of the task on the items that people have answered, with its interval where it has one."""
    task = settled.campaign.task
    if task is None:
        raise CannotFinish("The campaign names no task.")
    spec = task.spec
    _, sealed = opened_version(gold_version.pk)
    place_of = {item: place for place, item in enumerate(sealed.ids)}
    kept = {item: value for item, value in settled.kept.items() if item in place_of}
    if not kept:
        raise CannotFinish("None of the items that were answered is in the split.")
    reader = answer_reader(spec.output.alone.gold, spec.gold)
    places = np.array([place_of[item] for item in kept], dtype=np.intp)
    columns = with_clusters(sealed.groups, spec.gold.cluster_column, sealed.clusters)
    gold, groups = sealed.codes[places], groups_at(columns, places)

    def compared(labels: Mapping[str, Value]) -> Comparison:
        codes = [reader.value(cells_of(labels[item], reader.columns)) for item in kept]
        if None in codes:
            raise CannotFinish(f"Some answers are no labels of {task.title}.")
        return Comparison(spec.output, gold, reader.array(codes), groups=groups)

    comparison = compared(kept)
    report = score_comparison(comparison, [metric.name for metric in spec.metrics])
    values = {scored.metric: scored.value for scored in report.values if scored.value is not None}
    # The commitment is public, and the sample too: resamples of these items tell nothing more. What belongs together
    # stays sealed.
    named = sealed.clusters if spec.gold.cluster_column else None
    clusters = None if named is None else named[places].astype(np.intp)
    seed = f"{settled.campaign.pk}/{gold_version.commitment}".encode()
    ends = intervals_of(comparison, values, seed, clusters)
    return {
        "gold_version": gold_version.pk,
        "sample": len(kept),
        "set_aside": len(settled.values) - len(kept),
        "answers": len(settled.work.answers),
        "people": len({each.worker for each in settled.work.answers}),
        "scores": {
            scored.metric: {
                "value": scored.value,
                "undefined": scored.undefined,
                "low": ends[scored.metric].low if scored.metric in ends else None,
                "high": ends[scored.metric].high if scored.metric in ends else None,
            }
            for scored in report.values
        },
        **(
            _over_all_draws(settled, kept, compared, tuple(values))
            if settled.campaign.rule == "plurality"
            else {}
        ),
    }


def _over_all_draws(
    settled: Settled,
    kept: Collection[str],
    compared: Callable[[Mapping[str, Value]], Comparison],
    metrics: tuple[str, ...],
) -> dict[str, Any]:
    """How far the scores rest on the labels that were drawn because as many people chose one as another."""
    work = settled.work
    of_kept = [each for each in work.answers if item_of(work, each.unit) in kept]
    work = Work(work.options, work.items_of, of_kept)
    seed = f"{settled.campaign.pk}/draws"
    scores = {}
    for metric in metrics:

        def score(labels: Mapping[str, Value], metric: str = metric) -> float:
            value = score_comparison(compared(labels), [metric]).values[0].value
            return float("nan") if value is None else value

        found = expected_score(work, score, Random(seed))  # noqa: S311  # so that the report repeats; hides nothing
        if not math.isnan(found.mean):
            scores[metric] = {
                "mean": found.mean,
                "lowest": found.lowest,
                "highest": found.highest,
                "draws": found.draws,
                "is_exact": found.is_exact,
            }
    return {"tied": len(tied_items(work)), "expected": scores}
