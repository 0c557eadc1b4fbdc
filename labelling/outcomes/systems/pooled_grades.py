"""Grades that people give the documents which systems rank first."""

from collections.abc import Sequence
from typing import Any

from benchmarks.models import Task
from catalogue.answers.open_ended.ranked_list import grades_in, with_grades
from labelling.core.judged.pools import with_new_grades
from labelling.models import Campaign
from labelling.outcomes.gold_labels import gold_of_values
from labelling.outcomes.human_rows import current_gold
from labelling.outcomes.purpose import CannotFinish, Finished, Settled
from labelling.outcomes.systems.systems_purpose import SystemsPurpose
from labelling.units.of_systems.pooled import DOCUMENT, QUERY, units_of_pool
from scoring.gold.alignment import opened_version
from submissions.models import Submission


class PooledGradesPurpose(SystemsPurpose):
    """Grades of the pooled documents become judgements of a ranking task, sealed, beside those that there are.

    Source: Voorhees (2002), The philosophy of information retrieval evaluation, doi:10.1007/3-540-45691-0_34.
    """

    key = "pooled_grades"
    title = "Judgements of pooled documents"
    sentence = (
        "People grade the documents that any system ranks among its first, and do not learn which did. The grades "
        "become a new version of the gold labels, sealed; documents that were judged before and are not in the pool "
        "keep theirs."
    )
    question_kinds = ("ordered_class",)
    rules = ("majority", "median", "plurality")
    always_sealed = True
    values_are_labels = False
    draws = ("depth", "documents")
    told = "One unit for each query and document that stands among the first of any list, to the depth that you choose."

    def proposal(self) -> dict[str, Any]:
        return {
            "rule": "median",
            "answers_wanted": 1,
            "depth": 10,
            "text": "How well does the document answer the query?",
            "options": "0 | Not at all\n1 | In part\n2 | Well",
        }

    def unfit(self, task: Task) -> str:
        output = task.spec.output
        return (
            ""
            if output.is_ranking
            else f"{task.title} takes {output.describe()}. Choose a task of ranked lists."
        )

    def draw_units(self, *, campaign: Campaign, submissions: Sequence[Submission], **chosen: Any) -> int:
        return units_of_pool(campaign=campaign, submissions=submissions, **chosen)

    def finish(self, settled: Settled) -> Finished:
        gold_version = current_gold(settled.campaign)
        if gold_version is None:
            raise CannotFinish("The split has no gold labels, so nothing says which queries it has.")
        _, sealed = opened_version(gold_version.pk)
        before = {
            query: grades_in(judged) for query, judged in zip(sealed.ids, sealed.codes.tolist(), strict=True)
        }
        graded = {
            (source[QUERY], source[DOCUMENT]): int(str(settled.kept[unit]))
            for unit in settled.kept
            if QUERY in (source := settled.units[unit].source)
        }
        if not graded:
            raise CannotFinish("No document has a grade, so the gold labels stay as they are.")
        merged = with_new_grades(before, graded)
        values = {query: with_grades(grades) for query, grades in merged.items()}
        version, report = gold_of_values(settled, values, sealed.clusters)
        known = sum(document in before.get(query, {}) for query, document in graded)
        return Finished(report | {"graded": len(graded), "graded_again": known}, version)
