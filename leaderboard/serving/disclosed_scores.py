"""What is told of a submission's scores under the rule of its phase: only what the rule's own judgement shows."""

from collections.abc import Sequence

from catalogue.disclosure import rule_of_code
from leaderboard.models import Release
from leaderboard.serving.published_scores import PublishedScore
from submissions.models import Submission
from submissions.systems.status_texts import ShownStatus


def shown_of(submission: Submission, scores: Sequence[PublishedScore]) -> ShownStatus:
    """What became of a submission whose release is out; `scores` are its published ones.

    That it has none says that the rule has left its row's number where it was, and not why.
    """
    if any(one.disclosure for one in scores):
        return ShownStatus.BY_RULE
    return ShownStatus.EXACT if scores or not _keeps_best(submission) else ShownStatus.NOT_MOVED


def note_on(scores: Sequence[PublishedScore], *, answered: int) -> str:
    """What the numbers of a submission are that answers so many sets of items; empty for exact scores."""
    rules = [one.disclosure for one in scores if one.disclosure]
    if not rules:
        return ""
    told = ["Numbers are those of the row, shown by the rule of the phase; they are no exact scores."]
    if rule_of_code(rules[0]).keeps_best and len(scores) < answered:
        told.append("Where a task is missing, it did not move your number.")
    return " ".join((*told, "Exact scores follow with the last release."))


def in_mail(release: Release) -> list[str]:
    """The sentences of a mail about a release under a rule; none where its scores are exact."""
    said = release.batch.disclosed_by.rule.texts.in_mail
    return [said] if said else []


def _keeps_best(submission: Submission) -> bool:
    """Whether the newest release of its phase shows rows by their best answer so far."""
    newest = (
        Release.objects.filter(phase=submission.phase_id).select_related("batch").order_by("-number").first()
    )
    return newest is not None and newest.batch.disclosed_by.rule.keeps_best
