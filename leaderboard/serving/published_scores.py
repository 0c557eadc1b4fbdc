"""A submission's published scores. Nothing that no release holds can be here."""

from dataclasses import dataclass, replace

from benchmarks.models import Task
from leaderboard.board.model.rounding import rounded
from leaderboard.models import ReleaseCell
from leaderboard.pages.opened_gold import tasks_with_public_gold
from scoring.core.measures.seeds import summarise_seeds
from submissions.models import Submission


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """One split's score as a release published it: over several seeds their mean, and how far they spread.

    Its numbers have four decimals while the task's gold labels are hidden.
    `value` is None where `undefined` says why; an interval is that of a single seed. Where `disclosure` names a rule,
    `value` is what that rule shows of the row, and no exact score.
    """

    task: Task
    split: str
    metric: str
    value: float | None
    undefined: str
    deviation: float | None
    seeds: int
    ci_low: float | None
    ci_high: float | None
    release: int
    disclosure: str = ""


def published_scores(submission: Submission) -> list[PublishedScore]:
    """One score per split that the submission counted for, from the newest release that shows it."""
    cells = ReleaseCell.objects.filter(submission=submission).order_by(
        "task__position", "split_id", "release__number", "seed"
    )
    newest: dict[int, list[ReleaseCell]] = {}
    for cell in cells.select_related("task", "split", "score", "disclosed", "release"):
        held = newest.setdefault(cell.split_id, [])
        if held and held[0].release_id != cell.release_id:
            held.clear()
        held.append(cell)
    public = tasks_with_public_gold(submission.phase.benchmark)
    scores = [_over_seeds(cells) for cells in newest.values()]
    return [one if one.task.slug in public else _with_few_decimals(one) for one in scores]


def _with_few_decimals(score: PublishedScore) -> PublishedScore:
    numbers = ("value", "deviation", "ci_low", "ci_high")
    return replace(score, **{name: rounded(getattr(score, name)) for name in numbers})


def _over_seeds(cells: list[ReleaseCell]) -> PublishedScore:
    first = cells[0]
    values = [value for cell in cells if (value := cell.value) is not None]
    is_defined = len(values) == len(cells)
    summary = summarise_seeds(values) if is_defined else None
    is_single = len(cells) == 1
    has_interval = is_single and first.disclosed is None
    return PublishedScore(
        task=first.task,
        split=first.split.slug,
        metric=first.score.metric,
        value=summary.mean if summary else None,
        undefined=next((cell.undefined for cell in cells if cell.undefined), ""),
        deviation=summary.deviation if summary and not is_single else None,
        seeds=len(cells),
        ci_low=first.score.ci_low if has_interval else None,
        ci_high=first.score.ci_high if has_interval else None,
        release=first.release.number,
        disclosure=first.disclosed.rule if first.disclosed else "",
    )
