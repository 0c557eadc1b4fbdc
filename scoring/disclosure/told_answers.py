"""What a team is told of its own submission before a release: by the rule of its phase, and only what was charged."""

from collections import defaultdict
from dataclasses import dataclass

from benchmarks.models import Phase, Split, Task
from benchmarks.spec import DEV
from catalogue.disclosure.rule import NOISED, few_digits
from scoring.disclosure.lots import display_of_split
from scoring.disclosure.standings import StandingAnswer, shows_a_number
from scoring.gold.rankings import retired_twins
from scoring.models import Disclosed, JudgedAnswer, Score, ScoringRun, part_of
from submissions.models import Submission
from submissions.quota.groups import groups_of


@dataclass(frozen=True, slots=True)
class FeedbackScore:
    """One number of a submission before its release: `value` is None where `undefined` says why."""

    task: Task
    split: str
    metric: str
    value: float | None
    undefined: str


def feedback_on(submission: Submission) -> list[FeedbackScore] | None:
    """The scores of a submission that its team is told before a release, in the order of its tasks.

    Each is that of the primary metric, of several seeds their mean, as the rule of the phase shows it. Empty until they
    are told and while it is held back; None in phases without feedback.
    """
    if submission.phase.feedback == Phase.FeedbackMoment.NONE:
        return None
    if submission.told_at is None or submission.is_held_back:
        return []
    return [_score(answer) for answer in told_answers(submission)]


def told_answers(submission: Submission) -> list[StandingAnswer]:
    """The answers of a submission that were told as feedback, the newest of each split of a task that is not retired.

    Of an answer judged through noise there is one where its row stood for it: that it moved nothing is all else that is
    told.
    """
    told = ScoringRun.objects.filter(submission=submission, told__isnull=False, split__task__is_retired=False)
    runs = told.order_by(
        "split__task__position", "split__slug", "predictions__seed", "gold_version__number", "pk"
    )
    newest: dict[Split, dict[int, ScoringRun]] = defaultdict(dict)
    for run in runs.select_related("split__task__benchmark", "predictions"):
        if run.part == part_of(submission.phase.rule, run.split, at_the_end=False):
            newest[run.split][run.predictions.seed] = run
    pks = [run.pk for by_seed in newest.values() for run in by_seed.values()]
    scores: dict[int, dict[str, Score]] = defaultdict(dict)
    for score in Score.objects.filter(run__in=pks):
        scores[score.run_id][score.metric] = score
    judged = {one.run_id: one for one in Disclosed.objects.filter(run__in=pks) if one.leads or one.undefined}
    answers = []
    for split, by_seed in newest.items():
        first = next(iter(by_seed.values()))
        if not shows_a_number(by_seed, scores, judged):
            continue
        by_metric = {seed: scores[run.pk] for seed, run in by_seed.items()}
        answers.append(
            StandingAnswer(submission, split.task, split, by_metric, judged.get(first.pk), first.part)
        )
    return answers


def note_on_feedback(submission: Submission) -> str:
    """What the told numbers are, who reads them, and how many answers are left; empty before they are told."""
    scores = feedback_on(submission)
    if scores is None or submission.told_at is None or submission.is_held_back:
        return ""
    rule = submission.phase.rule
    splits = _answered(submission)
    sentences = ["Only your team reads these. They are provisional: the release says what counts."]
    shown = {part_of(rule, split, at_the_end=False) for split in splits if split.slug != DEV}
    if rule.keeps_back and shown - {None}:
        sentences.append(rule.texts.on_page)
    if NOISED in shown:
        if len(scores) < len(splits):
            sentences.append("Where a task is missing, it did not move your number, or was not drawn yet.")
        sentences += [_left(submission, split) for split in splits if _is_noised(submission, split)]
    return " ".join(sentences)


def _left(submission: Submission, split: Split) -> str:
    display = display_of_split(submission.phase.rule, split)
    most = display.group_budget if display else 0
    judged = JudgedAnswer.objects.filter(phase=submission.phase_id, split__in=[split, *retired_twins(split)])
    others = [one.run.submission for one in judged.select_related("run__submission")]
    groups = groups_of([submission, *others])
    used = sum(groups[one.pk] == groups[submission.pk] for one in others)
    return (
        f"Answers to {split.task.title} that may still be judged, of you and those you are in teams with: "
        f"{max(0, most - used)} of {most}."
    )


def _is_noised(submission: Submission, split: Split) -> bool:
    return part_of(submission.phase.rule, split, at_the_end=False) == NOISED


def _answered(submission: Submission) -> list[Split]:
    answered = Split.objects.filter(predictions__submission=submission, task__is_retired=False).distinct()
    return list(answered.select_related("task__benchmark").order_by("task__position", "slug"))


def _score(answer: StandingAnswer) -> FeedbackScore:
    measured = answer.primary
    value = measured.value if measured else None
    # Of what guards labels no more digits are told than releases show.
    if value is not None and answer.split.slug != DEV:
        value = few_digits(value)
    undefined = (measured.undefined if measured else None) or ""
    return FeedbackScore(
        answer.task, answer.split.slug, answer.task.spec.primary_metric.name, value, undefined
    )
