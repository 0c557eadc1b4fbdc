"""Numbers that people give to what systems wrote."""

from collections.abc import Sequence
from typing import Any

from benchmarks.models import Task
from labelling.core.judged.assessment import JudgedNumber, assess
from labelling.models import Campaign
from labelling.outcomes.purpose import Finished, Settled
from labelling.outcomes.systems.item_clusters import clusters_of, items_in_words
from labelling.outcomes.systems.judged_report import (
    JudgedReport,
    JudgedRow,
    judged_submissions,
    unfit_for_texts,
)
from labelling.outcomes.systems.systems_purpose import JudgedMeasure, SystemsPurpose
from labelling.units.of_systems.assessed import ITEM, SYSTEMS, units_of_outputs
from submissions.models import Submission

MEAN, Z = "mean", "z"


class AssessmentPurpose(SystemsPurpose):
    """The mean of each system's outputs, and of their z-scores by worker.

    Source: WMT (Bojar et al. 2016), doi:10.18653/v1/W16-2301, section 3.
    """

    key = "assessment"
    title = "Direct assessment of systems"
    sentence = (
        "People give each output of a system a number, and do not learn which system wrote it. The mean of each "
        "system, and the mean of its z-scores by worker, stand on the board of the task from the next release on."
    )
    question_kinds = ("number",)
    rules = ("mean",)
    draws = ("sample",)
    told = "One unit for each output, which several systems may share; workers see each system about equally often."
    measures = (
        JudgedMeasure(MEAN, "Mean", "mean of the numbers that people gave"),
        JudgedMeasure(Z, "z", "mean of z-scores by worker"),
    )

    def proposal(self) -> dict[str, Any]:
        return {
            "rule": "mean",
            "answers_wanted": 3,
            "is_sealed": False,
            "lowest": 0,
            "highest": 100,
            "sample": 100,
            "text": "How good is the text, from 0 (worst) to 100 (best)?",
        }

    def unfit(self, task: Task) -> str:
        return unfit_for_texts(task)

    def draw_units(self, *, campaign: Campaign, submissions: Sequence[Submission], **chosen: Any) -> int:
        return units_of_outputs(campaign=campaign, submissions=submissions, **chosen)

    def finish(self, settled: Settled) -> Finished:
        judged, asked = judged_submissions(settled), settled.campaign.asked
        belongs = clusters_of(settled)
        sources = {key: unit.source for key, unit in settled.units.items()}
        given = [
            JudgedNumber(source[ITEM], tuple(source[SYSTEMS]), each.worker, float(str(each.value)))
            for each in settled.work.answers
            if SYSTEMS in (source := sources[each.unit])
        ]
        found = assess(
            given,
            [one.number for one in judged],
            seed=f"{settled.campaign.pk}/judged".encode(),
            ends=(asked.lowest, asked.highest),
            belongs=belongs,
        )
        rows = [
            JudgedRow(number, one.outputs, one.answers, {MEAN: one.mean, Z: one.z})
            for number, one in found.systems.items()
        ]
        drawn = f"{items_in_words(belongs)}{' and workers' if found.are_workers_drawn else ''}"
        return Finished(JudgedReport(rows, found.items, drawn, found.because).as_json())
