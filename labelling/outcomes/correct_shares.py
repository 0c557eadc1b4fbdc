"""Whether an attack has transformed texts correctly: two people's yes or no about a sample of its sets."""

import datetime as dt
from collections import defaultdict
from typing import Any

import numpy as np

from labelling.core.agreement import cohen_of_two, work_about
from labelling.outcomes.figures import estimate_as_json
from labelling.outcomes.purpose import CannotFinish, Finished, Purpose, Settled
from scoring.core.measures.correctness import CorrectShare, share_by_annotators
from scoring.item_sets.correct_shares import keep_annotators_share

ANNOTATORS = 2


class CorrectSharePurpose(Purpose):
    """The share of "yes", mean over two annotators, becomes the attack's share of correct samples; kappa per task.

    Source: the stance benchmark, doi:10.1007/s13218-021-00714-w, section 4.1 and appendix 2.
    """

    key = "correct_share"
    title = "Correctness of an attack"
    sentence = (
        "The mean share of “yes” becomes the attack's share of correct samples, with Cohen's kappa overall and for "
        "each task."
    )
    question_kinds = ("yes_no",)
    rules = ("share_of_yes",)
    needs = frozenset({"attack"})

    def proposal(self) -> dict[str, Any]:
        return {"rule": "share_of_yes", "answers_wanted": ANNOTATORS, "sample": 25, "is_sealed": False}

    def finish(self, settled: Settled) -> Finished:
        said = _by_annotator(settled)
        overall = _measured(said)
        tasks = {
            group: _as_json(settled, {unit: said[unit] for unit in units})
            for group, units in _by_group(settled, said).items()
        }
        attack = settled.campaign.attack
        if attack is None:
            raise CannotFinish("The campaign names no attack.")
        keep_annotators_share(attack=attack, measured=overall, note=_note(settled), now=settled.now)
        return Finished({"overall": _as_json(settled, said), "tasks": tasks})


def _by_annotator(settled: Settled) -> dict[str, tuple[bool, bool]]:
    """Of each unit what the first and the second annotator say."""
    numbers = sorted({each.worker for each in settled.work.answers})
    if len(numbers) != ANNOTATORS:
        raise CannotFinish(
            f"{len(numbers)} people have answered. Kappa needs the same {ANNOTATORS} for all samples: "
            "invite two, and let each answer all."
        )
    said: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for each in settled.work.answers:
        said[each.unit][each.worker] = each.value is True
    whole = {unit: answers for unit, answers in said.items() if len(answers) == ANNOTATORS}
    if not whole:
        raise CannotFinish("No sample was answered by both annotators.")
    first, second = numbers
    return {unit: (answers[first], answers[second]) for unit, answers in sorted(whole.items())}


def _by_group(settled: Settled, said: dict[str, tuple[bool, bool]]) -> dict[str, list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for unit in said:
        groups[settled.units[unit].group].append(unit)
    return dict(sorted(groups.items()))


def _measured(said: dict[str, tuple[bool, bool]]) -> CorrectShare:
    first, second = np.array(list(said.values()), dtype=np.bool_).T
    return share_by_annotators(first, second)


def _as_json(settled: Settled, said: dict[str, tuple[bool, bool]]) -> dict[str, Any]:
    """The share of some samples; kappa as `[value, low, high, why there is none]`."""
    measured = _measured(said)
    first, second = sorted({each.worker for each in settled.work.answers})
    seed = f"{settled.campaign.pk}/kappa".encode()
    kappa = cohen_of_two(work_about(settled.work, set(said)), first, second, seed=seed)
    return {"share": measured.share, "samples": measured.sample_count, "kappa": estimate_as_json(kappa)}


def _note(settled: Settled) -> str:
    closed = settled.campaign.closed_at or settled.now
    return f"Two annotators in a campaign, closed on {dt.date.isoformat(closed.date())}."
