"""Classes of an ordered task from the scores of an earlier campaign: several people say where each class begins."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from labelling.core.cut_points import (
    AgreedCutPoints,
    CutPoints,
    UnfitCutPoints,
    agree_on_cut_points,
    ordered_classes,
)
from labelling.models import Campaign, Outcome
from labelling.outcomes.gold_labels import gold_of_values
from labelling.outcomes.purpose import CannotFinish, Finished, Purpose, Settled
from scoring.gold.box_opening import open_sealed_file


class OrdinalClassesPurpose(Purpose):
    """Each unit is a cut point, each answer a score; the median over people cuts the scores into classes.

    Source: Affect in Tweets (Mohammad et al. 2018), doi:10.18653/v1/S18-1001, section 3.4.3.
    """

    key = "ordinal_classes"
    title = "Classes by cut points"
    sentence = (
        "Each unit asks where one class begins on the scores of an earlier campaign. The median over people cuts these "
        "scores into classes: the gold labels of a split, sealed, or without a split classes that can be exported."
    )
    question_kinds = ("number",)
    rules = ()
    needs = frozenset({"task", "after"})
    may_use = frozenset({"split"})
    cuts_scores = True

    def proposal(self) -> dict[str, Any]:
        return {"rule": "", "answers_wanted": 5, "page_size": 1}

    def sealing(self, split: str) -> bool | None:
        return bool(split)

    def finish(self, settled: Settled) -> Finished:
        campaign = settled.campaign
        if campaign.task is None or campaign.after is None:
            raise CannotFinish("The campaign names no task, or none whose scores are to be cut.")
        classes = ordered_classes(campaign.task.spec.output.classes)
        if not classes:
            raise CannotFinish(f"The answers of {campaign.task.title} are no ordered classes.")
        scores = _scores(campaign.after)
        people, left_out = _people(settled, classes)
        try:
            agreed = agree_on_cut_points(people, scores)
        except UnfitCutPoints as unfit:
            raise CannotFinish(str(unfit)) from None
        of_items = agreed.agreed.classes_of(scores, str(campaign.after.pk))
        version, report = gold_of_values(settled, dict(of_items)) if campaign.split_slug else (None, {})
        # Beside scores that anybody may read, cut points tell every sealed label.
        tells = campaign.is_sealed and not campaign.after.is_sealed
        told = _as_json(agreed) if not tells else {}
        shared = {"between": agreed.between, "cuts_alpha": agreed.alpha}
        counted = {"people": len(people), "left_out": left_out}
        return Finished(report | told | shared | counted, version, dict(of_items))


@dataclass(frozen=True, slots=True)
class ToldBorder:
    """Where a class begins: the median over people, and the lowest and highest that somebody has set."""

    name: str
    cut: float
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class ToldCuts:
    """What people agreed on; no borders where they would tell sealed labels.

    people : whose cut points count
    left_out : who has not set all, or not from low to high
    between : items that somebody puts into another class than somebody else
    alpha : Krippendorff's alpha, ordinal, of the classes that each person's cut points give
    """

    borders: Sequence[ToldBorder]
    people: int
    left_out: int
    between: int
    alpha: float | None


def told_cuts(outcome: Outcome) -> ToldCuts | None:
    """What an outcome says of cut points; None where it is of another purpose."""
    report, task = outcome.report, outcome.campaign.task
    if "between" not in report or task is None:
        return None
    begun = task.spec.output.classes[1:]
    rows = zip(begun, report.get("cuts", ()), report.get("ranges", ()), strict=False)
    return ToldCuts(
        borders=[ToldBorder(name, cut, *ends) for name, cut, ends in rows],
        people=report.get("people", 0),
        left_out=report.get("left_out", 0),
        between=report["between"],
        alpha=report.get("cuts_alpha"),
    )


def _scores(campaign: Campaign) -> dict[str, float]:
    """The values of the last outcome of a campaign, opened."""
    outcome = campaign.outcomes.first()
    if outcome is None:
        raise CannotFinish(f"“{campaign}” has no outcome yet. Close it first.")
    kept = json.loads(open_sealed_file(bytes(outcome.sealed.box), outcome.sealed.commitment))
    if not all(isinstance(value, int | float) for value in kept.values()):
        raise CannotFinish(f"The values of “{campaign}” are no scores.")
    return {item: float(value) for item, value in kept.items()}


def _people(settled: Settled, classes: tuple[int, ...]) -> tuple[list[CutPoints], int]:
    """The cut points of whoever set all of them from low to high, and how many others there are.

    Units are in the order of their keys.
    """
    keys = sorted(settled.units)
    if len(keys) != len(classes) - 1:
        raise CannotFinish(
            f"There are {len(keys)} units for {len(classes)} classes; expected one less than classes. Draw the units "
            "of another campaign with “Units from the benchmark”."
        )
    by_person: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for each in settled.work.answers:
        if isinstance(each.value, float):
            by_person[each.worker][each.unit] = each.value
    people = list(_whole(by_person, keys, str(settled.campaign.after_id), classes))
    if not people:
        raise CannotFinish(
            "Nobody has set all cut points from low to high. Begin a campaign that goes on from the same scores."
        )
    return people, len(by_person) - len(people)


def _whole(
    by_person: dict[int, dict[str, float]], keys: Sequence[str], scale: str, classes: tuple[int, ...]
) -> Iterator[CutPoints]:
    for _, cuts in sorted(by_person.items()):
        if len(cuts) == len(keys):
            try:
                yield CutPoints(scale, classes, tuple(cuts[key] for key in keys))
            except UnfitCutPoints:
                continue


def _as_json(agreed: AgreedCutPoints) -> dict[str, Any]:
    return {"cuts": list(agreed.agreed.cuts), "ranges": [list(each) for each in agreed.ranges]}
