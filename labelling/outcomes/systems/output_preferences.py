"""Which of two systems' outputs people prefer."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from benchmarks.models import Task
from labelling.core.judged.preferences import ComparedOutputs, prefer
from labelling.core.questions.which_of_two import LEFT, RIGHT, TIE
from labelling.models import Campaign, JudgedSubmission
from labelling.outcomes.purpose import Finished, Settled
from labelling.outcomes.systems.item_clusters import clusters_of, items_in_words
from labelling.outcomes.systems.judged_report import (
    JudgedReport,
    JudgedRow,
    judged_submissions,
    unfit_for_texts,
)
from labelling.outcomes.systems.systems_purpose import JudgedMeasure, SystemsPurpose
from labelling.units.of_systems.paired import ITEM, PAIRS, units_of_pairs
from submissions.models import Submission

WINS, STRENGTH = "wins", "strength"
_SHARES = {LEFT: 1.0, TIE: 0.5, RIGHT: 0.0}


class PreferencesPurpose(SystemsPurpose):
    """The share of comparisons that each system wins, ties as halves, and Bradley-Terry strengths.

    Source: Bradley and Terry (1952), doi:10.1093/biomet/39.3-4.324.
    """

    key = "preferences"
    title = "Preferences between systems"
    sentence = (
        "People choose the better of two outputs, and do not learn which systems wrote them. The share of "
        "comparisons that each system wins, and its Bradley-Terry strength, stand on the board of the task from the "
        "next release on."
    )
    question_kinds = ("which_of_two",)
    rules = ("majority",)
    draws = ("sample", "pairs_per_item")
    told = (
        "Pairs of systems come equally often, and each system of a pair equally often on the left. Where both gave the "
        "same nobody is asked: that is a tie."
    )
    measures = (
        JudgedMeasure(WINS, "Wins", "share of comparisons won, ties as halves"),
        JudgedMeasure(STRENGTH, "Strength", "Bradley-Terry strength, in logits around 0"),
    )

    def proposal(self) -> dict[str, Any]:
        return {
            "rule": "majority",
            "answers_wanted": 3,
            "is_sealed": False,
            "sample": 100,
            "text": "Which of the two texts is better?",
        }

    def unfit(self, task: Task) -> str:
        return unfit_for_texts(task)

    def draw_units(self, *, campaign: Campaign, submissions: Sequence[Submission], **chosen: Any) -> int:
        return units_of_pairs(campaign=campaign, submissions=submissions, **chosen)

    def finish(self, settled: Settled) -> Finished:
        judged, belongs = judged_submissions(settled), clusters_of(settled)
        compared, answers = [*_alike(judged), *_answered(settled)], _answers(settled)
        found = prefer(
            compared,
            [one.number for one in judged],
            seed=f"{settled.campaign.pk}/judged".encode(),
            belongs=belongs,
        )
        rows = [
            JudgedRow(number, one.comparisons, answers[number], {WINS: one.wins, STRENGTH: one.strength})
            for number, one in found.systems.items()
        ]
        drawn = items_in_words(belongs)
        return Finished(JudgedReport(rows, found.items, drawn, found.because, found.groups).as_json())


def _answered(settled: Settled) -> Iterator[ComparedOutputs]:
    """Each pair that was asked about, with the share of its answers that prefer the left one."""
    said: defaultdict[str, list[float]] = defaultdict(list)
    for each in settled.work.answers:
        said[each.unit].append(_SHARES[str(each.value)])
    for unit, shares in sorted(said.items()):
        source = settled.units[unit].source
        for left, right in source.get(PAIRS, ()):
            yield ComparedOutputs(source[ITEM], left, right, fmean(shares))


def _alike(judged: list[JudgedSubmission]) -> Iterator[ComparedOutputs]:
    """Each drawn pair of which nobody was asked, because both gave the same."""
    for one in judged:
        for other, items in one.ties.items():
            for item in items:
                yield ComparedOutputs(item, one.number, int(other), 0.5)


def _answers(settled: Settled) -> Counter[int]:
    """How many answers were given about each system."""
    counts: Counter[int] = Counter()
    for each in settled.work.answers:
        pairs = settled.units[each.unit].source.get(PAIRS, ())
        counts.update({number for pair in pairs for number in pair})
    return counts
