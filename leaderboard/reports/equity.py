"""Equity in releases: how many submissions score one group higher, and who may see which of them does."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import TypedDict
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from benchmarks.models import Benchmark, Task
from benchmarks.people.rights import Right
from leaderboard.models import Release, ReleaseCell
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from scoring.core.measures.equity import BiasGroup, GroupTest
from scoring.item_sets.equity import as_test, current_pair_sets
from scoring.models import EquityResult
from submissions.models import Submission, System

SIGNIFICANCE = 0.05
FEWEST_SUBMISSIONS = 5
"""Counts over fewer submissions are withheld: they would come close to naming one."""


class TaskEquity(TypedDict):
    """Submissions by the group that they score higher; None where fewer than `fewest` take part."""

    id: str
    title: str
    submissions: int
    first_higher: int | None
    equal: int | None
    second_higher: int | None
    mean_difference_min: float | None
    mean_difference_max: float | None


class GroupComparisonCounts(TypedDict):
    """The tasks in which two groups are compared."""

    id: str
    title: str
    first: str
    second: str
    tasks: list[TaskEquity]


class EquityPayload(TypedDict):
    """How many tests were made, at which level, and what they count."""

    assessments: int
    significance: float
    fewest: int
    comparisons: list[GroupComparisonCounts]


class EquityCounts(ReleaseReport[EquityPayload]):
    """Shown below the overall board: a table for each comparison of two groups."""

    key = "equity"

    def make(self, draft: ReleaseDraft) -> EquityPayload | None:
        """What is known of the submissions that stand in the release, none of them named; None without any test.

        A submission takes part, with each of its seeds, in a task whose cell it fills; baselines are left out. A group
        is told at 0.05 with Bonferroni's correction over all tests of all pairs that were made of these submissions.
        """
        standing = {
            (cell.submission_id, cell.task_id)
            for cell in draft.cells
            if cell.split.slug == "test" and cell.system.kind == System.Kind.SYSTEM
        }
        count = 0
        by_pairs: dict[tuple[str, str, str, str], dict[Task, list[GroupTest]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for result in _results({submission for submission, _ in standing}):
            pairs, task = result.pair_set, result.predictions.split.task
            if (result.predictions.submission_id, task.pk) in standing:
                by_pairs[pairs.comparison, pairs.title, pairs.first, pairs.second][task].append(
                    as_test(result)
                )
                count += 1
        if not by_pairs:
            return None
        comparisons: list[GroupComparisonCounts] = [
            {
                "id": name,
                "title": title,
                "first": first,
                "second": second,
                "tasks": [_count(task, tests, count) for task, tests in tests_of.items()],
            }
            for (name, title, first, second), tests_of in by_pairs.items()
        ]
        return {
            "assessments": count,
            "significance": SIGNIFICANCE,
            "fewest": FEWEST_SUBMISSIONS,
            "comparisons": comparisons,
        }

    def parts(self, stored: EquityPayload, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall:
            yield ReportPart(Slot.SECTIONS, "public/reports/equity.html", stored)


def _results(submissions: Collection[UUID]) -> QuerySet[EquityResult]:
    """The tests of all pairs of these submissions on current pairs, in the order of comparisons and tasks."""
    results = EquityResult.objects.filter(
        stratum="",
        pair_set__in=current_pair_sets().values("pk"),
        predictions__submission__in=submissions,
    )
    return (
        results.select_related("pair_set", "predictions__split__task")
        .defer("pair_set__packed")
        .order_by("pair_set__comparison", "predictions__split__task__position", "pk")
    )


def _count(task: Task, tests: list[GroupTest], assessments: int) -> TaskEquity:
    is_told = len(tests) >= FEWEST_SUBMISSIONS
    groups = [test.group(assessments, SIGNIFICANCE) for test in tests]
    counts = {group: groups.count(group) if is_told else None for group in BiasGroup}
    differences = [test.mean_difference for test in tests]
    return {
        "id": task.slug,
        "title": task.title,
        "submissions": len(tests),
        "equal": counts[BiasGroup.EQUAL],
        "first_higher": counts[BiasGroup.FIRST_HIGHER],
        "second_higher": counts[BiasGroup.SECOND_HIGHER],
        "mean_difference_min": min(differences) if is_told else None,
        "mean_difference_max": max(differences) if is_told else None,
    }


def readable(user: User) -> QuerySet[Submission]:
    """The submissions whose equity report a person may read: those of their teams, and of benchmarks they run."""
    mine = Submission.objects.of(user).values("pk")
    run = Benchmark.objects.where(user, Right.READ)
    return Submission.objects.filter(pk__in=mine) | Submission.objects.filter(phase__benchmark__in=run)


def release_of(submission: Submission) -> tuple[Release | None, int]:
    """The newest release that a submission stands in, and the number of all tests in it; None and 1 before that."""
    holding = Release.objects.with_any_of(ReleaseCell.objects.filter(submission=submission))
    release = holding.order_by("-number").first()
    counted = release.reports.get("equity") if release else None
    return (release, counted["assessments"]) if counted else (None, 1)
