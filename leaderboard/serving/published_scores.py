"""A submission's published scores, and what is told of them under a rule. Nothing that no release holds can be here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.models import Task
from catalogue.disclosure import RULES
from leaderboard.board.model.serialization import rounded
from leaderboard.models import Release, ReleaseCell
from leaderboard.rendering.opened_gold import tasks_with_public_gold
from scoring.core.measures.seeds import summarise_seeds
from submissions.models import Submission
from submissions.systems.status_texts import ShownStatus


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
    """One score per split that the submission counted for, from the newest release that shows it.

    None while it is held back.
    """
    if submission.is_held_back:
        return []
    cells = ReleaseCell.objects.filter(submission=submission).with_last()
    cells = cells.order_by("task__position", "split_id", "last", "seed")
    newest: dict[int, list[ReleaseCell]] = {}
    for cell in cells.select_related("task", "split", "score", "disclosed"):
        held = newest.setdefault(cell.split_id, [])
        if held and held[0].last != cell.last:
            held.clear()
        held.append(cell)
    public = tasks_with_public_gold(submission.phase.benchmark)
    scores = [_over_seeds(cells) for cells in newest.values()]
    numbers = ("value", "deviation", "ci_low", "ci_high")
    return [
        score
        if score.task.slug in public
        else replace(score, **{name: rounded(getattr(score, name)) for name in numbers})
        for score in scores
    ]


def shown_of(submission: Submission, scores: Sequence[PublishedScore]) -> ShownStatus:
    """What became of a submission whose release is out; `scores` are its published ones.

    That it has none says under such a rule that its number stayed where it was, and not why; else that none counts.
    """
    if any(score.disclosure for score in scores):
        return ShownStatus.BY_RULE
    releases = Release.objects.filter(phase=submission.phase_id).select_related("batch")
    newest = None if scores else releases.order_by("-number").first()
    keeps_best = newest is not None and not newest.batch.is_final and newest.batch.rule.keeps_best
    if keeps_best:
        return ShownStatus.NOT_MOVED
    return ShownStatus.EXACT if scores else ShownStatus.NOT_COUNTED


def note_on(scores: Sequence[PublishedScore], *, answered: int) -> str:
    """What the numbers of a submission are that answers so many sets of items; empty for exact scores."""
    rule = next((score.disclosure for score in scores if score.disclosure), "")
    if not rule:
        return ""
    sentences = ["Numbers are those of the row, shown by the rule of the phase; they are no exact scores."]
    if rule in RULES and RULES[rule].keeps_best and len(scores) < answered:
        sentences.append("Where a task is missing, it did not move your number, or was not drawn yet.")
    return " ".join((*sentences, "Exact scores follow when the phase closes."))


def _over_seeds(cells: list[ReleaseCell]) -> PublishedScore:
    first = cells[0]
    values = [value for cell in cells if (value := cell.value) is not None]
    summary = summarise_seeds(values) if len(values) == len(cells) else None
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
        release=first.last,
        disclosure=first.disclosed.rule if first.disclosed else "",
    )
