"""Classes of an ordered task from the scores of an earlier campaign: several people say where each class begins."""

import json
from collections import defaultdict
from typing import Any

from labelling.core.cut_points import AgreedCutPoints, CutPoints, UnfitCutPoints, agree_on_cut_points
from labelling.models import Campaign
from labelling.outcomes.gold_labels import gold_of_values
from labelling.outcomes.purpose import CannotFinish, Finished, Purpose, Settled
from scoring.gold.box_opening import open_sealed_file


class OrdinalClassesPurpose(Purpose):
    """Each unit is a cut point, each answer a score; the median over people cuts the scores into gold classes.

    Source: Affect in Tweets (Mohammad et al. 2018), doi:10.18653/v1/S18-1001, section 3.4.3.
    """

    key = "ordinal_classes"
    title = "Classes by cut points"
    sentence = (
        "Each unit asks where one class begins on the scores of an earlier campaign. The median over people cuts these "
        "scores into classes, which become the gold labels of a split."
    )
    question_kinds = ("number",)
    rules = ("mean",)
    needs = frozenset({"task", "split", "after"})
    always_sealed = True

    def proposal(self) -> dict[str, Any]:
        return {"rule": "mean", "answers_wanted": 3}

    def finish(self, settled: Settled) -> Finished:
        campaign = settled.campaign
        if campaign.task is None or campaign.after is None:
            raise CannotFinish("The campaign names no task, or none whose scores are to be cut.")
        try:
            classes = tuple(int(each) for each in campaign.task.spec.output.classes)
        except ValueError:
            classes = ()
        if not classes:
            raise CannotFinish(f"The answers of {campaign.task.title} are no ordered classes.")
        scores = _scores(campaign.after)
        agreed = _agreed(settled, classes, scores)
        of_items = agreed.agreed.classes_of(scores, str(campaign.after.pk))
        version, report = gold_of_values(settled, dict(of_items))
        return Finished(report | _as_json(agreed), version)


def _scores(campaign: Campaign) -> dict[str, float]:
    """The values of the last outcome of a campaign, opened."""
    outcome = campaign.outcomes.first()
    if outcome is None:
        raise CannotFinish(f"“{campaign}” has no outcome yet. Close it first.")
    kept = json.loads(open_sealed_file(bytes(outcome.sealed.box), outcome.sealed.commitment))
    if not all(isinstance(value, int | float) for value in kept.values()):
        raise CannotFinish(f"The values of “{campaign}” are no scores.")
    return {item: float(value) for item, value in kept.items()}


def _agreed(settled: Settled, classes: tuple[int, ...], scores: dict[str, float]) -> AgreedCutPoints:
    """The median of the cut points of everybody who has set all of them; units are in the order of their keys."""
    by_person: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for each in settled.work.answers:
        if isinstance(each.value, float):
            by_person[each.worker][each.unit] = each.value
    keys = sorted(settled.units)
    whole = [cuts for _, cuts in sorted(by_person.items()) if len(cuts) == len(keys)]
    scale = str(settled.campaign.after_id)
    try:
        people = [CutPoints(scale, classes, tuple(cuts[key] for key in keys)) for cuts in whole]
        return agree_on_cut_points(people, scores)
    except UnfitCutPoints as unfit:
        raise CannotFinish(str(unfit)) from None


def _as_json(agreed: AgreedCutPoints) -> dict[str, Any]:
    return {
        "cuts": list(agreed.agreed.cuts),
        "ranges": [list(each) for each in agreed.ranges],
        "between": agreed.between,
        "cuts_alpha": agreed.alpha,
    }
