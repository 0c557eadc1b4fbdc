"""What has become of a submission, what happens next and when, in sentences. No queries and no clock."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from accounts.formats.instants import distance, in_words
from benchmarks.models import Phase
from benchmarks.spec.schedule import calendar_window
from submissions.models import Submission
from submissions.systems.status_transitions import ENDED, Status

WORDS = {
    Status.ACCEPTED: "Accepted",
    Status.SCORING: "Being scored",
    Status.SCORED: "Scored",
    Status.PUBLISHED: "Published",
    Status.FAILED: "Failed",
    Status.WITHDRAWN: "Withdrawn",
    Status.DISQUALIFIED: "Disqualified",
}
_COUNTED = {
    Phase.CountingRule.LATEST: ("latest submission of a system", "latest submission of a team"),
    Phase.CountingRule.BEST: ("best submission of a system", "best submission of a team"),
    Phase.CountingRule.CHOSEN: ("submission that the team chose",) * 2,
}
# What counts by a phase's rule, where rows are systems or teams.
COUNTING = {
    (rule, bool(one_per_team)): f"In this phase the {counted} counts."
    for rule, by_row in _COUNTED.items()
    for one_per_team, counted in enumerate(by_row)
}


class ShownStatus(StrEnum):
    """What is told of the scores of a submission whose release is out."""

    EXACT = "exact"
    BY_RULE = "by_rule"
    NOT_MOVED = "not_moved"
    NOT_COUNTED = "not_counted"


PUBLISHED = {
    ShownStatus.EXACT: "Its scores are published.",
    ShownStatus.BY_RULE: "Its number is published as the rule of the phase shows it: it is no exact score.",
    ShownStatus.NOT_MOVED: (
        "It did not move your number under the rule of the phase: it is no better, or not clearly enough, or it was "
        "not drawn yet and takes part in the next lot."
    ),
    ShownStatus.NOT_COUNTED: "Its release is out, and none of its scores counts there.",
}


class StepState(StrEnum):
    """How far a step of the timeline is."""

    DONE = "done"
    NOW = "now"
    TODO = "todo"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StatusStep:
    """One line of the timeline. `at` may lie ahead; it is None where nobody can say. `path` is a page about it."""

    title: str
    state: StepState
    at: dt.datetime | None = None
    note: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """What a submission has behind it: when its batch was done with it, and the release that first published it.

    `shown` is what is told of its scores since; None where the caller does not know. It is quarantined where it failed
    so often that no further batch takes it in.
    """

    judged_at: dt.datetime | None = None
    published_at: dt.datetime | None = None
    release: int | None = None
    shown: ShownStatus | None = None
    is_quarantined: bool = False


@dataclass(frozen=True, slots=True)
class StatusView:
    """A submission's status in one word, a sentence about it, and what happens next, at `next_at` where it is known."""

    word: str
    sentence: str
    next_step: str
    next_at: dt.datetime | None
    steps: tuple[StatusStep, ...]


HELD_BACK = (
    "It stands on no board until they let it go; then it counts again from the next release on. Nobody else is told. "
    "If you think that this is a mistake, please write to the organisers."
)
_SENTENCES = {
    Status.ACCEPTED: "Every line of it was read and is fine. It is in no release yet.",
    Status.SCORING: "The cut-off has passed and it is being scored.",
    Status.SCORED: "It has been scored. Its scores are not published yet.",
}


# What is said of feedback, before and after the instant of the cut-off.
_TOLD = {
    Phase.FeedbackMoment.NONE: ("It is scored at", ""),
    Phase.FeedbackMoment.IMMEDIATE: (
        "Your team reads its scores within seconds; the batch of",
        " takes them over",
    ),
    Phase.FeedbackMoment.DAILY: (
        "Your team reads its scores after the next midnight of the phase's zone; the batch of",
        " takes them over",
    ),
    Phase.FeedbackMoment.AT_CUT_OFF: ("It is scored at", ", and your team reads its scores within minutes"),
}


def describe(
    submission: Submission,
    *,
    now: dt.datetime,
    zone: dt.tzinfo = dt.UTC,
    passed: Passed = Passed(),
    others: str = "",
) -> StatusView:
    """A submission's status in words, with times in `zone`; `passed` is what the caller knows of its past.

    `others` says what it replaces, or what replaces it, while it waits (`submissions.systems.replacements`).

    Its phase should have been fetched with it.
    """
    status, next_at = Status(submission.status), None
    if status == Status.ACCEPTED and now < submission.cut_off_at:
        next_at = submission.cut_off_at
    if status == Status.FAILED and not passed.is_quarantined:
        next_at = submission.phase.next_cut_off_at
    when = f"{in_words(next_at, zone)}, {distance(next_at, now)}" if next_at else ""
    is_held = submission.is_held_back
    said = _held_back(submission, zone) if is_held else _sentence(submission, zone, passed.shown)
    return StatusView(
        word="Held back" if is_held else WORDS[status],
        sentence=" ".join(filter(None, (said, removal_in_words(submission, zone)))),
        next_step=HELD_BACK if is_held else _next_step(submission, when, others),
        next_at=next_at,
        steps=_steps(submission, status, next_at, passed, now),
    )


def removal_in_words(submission: Submission, zone: dt.tzinfo = dt.UTC) -> str:
    """When and why its file was removed, in sentences; empty where it is there."""
    if submission.file_removed_at is None:
        return ""
    return (
        f"Its file was removed on {in_words(submission.file_removed_at, zone)}: {submission.file_removed_because}. "
        "Its digest, and its scores and ranks in releases, stay."
    )


def _held_back(submission: Submission, zone: dt.tzinfo) -> str:
    since = in_words(submission.held_back_at, zone) if submission.held_back_at else ""
    return f"The organisers have held it back since {since}. The reason: {submission.held_back_because}"


def _sentence(submission: Submission, zone: dt.tzinfo, shown: ShownStatus | None) -> str:
    status, reason = submission.status, submission.status_reason
    if status == Status.PUBLISHED:
        # Where the phase has a rule and nobody knows what it shows of the submission, nothing is said of scores.
        is_unknown = shown is None and not submission.phase.rule.shows_all
        return "Its release is out." if is_unknown else PUBLISHED[shown or ShownStatus.EXACT]
    if status == Status.FAILED:
        return f"It could not be scored. {reason}".strip()
    if submission.ended_at is None:
        return _SENTENCES[Status(status)]
    ended = in_words(submission.ended_at, zone)
    if status == Status.WITHDRAWN:
        return f"{reason or 'Withdrawn.'} That was on {ended}."
    return f"The organiser disqualified it on {ended}. The reason: {reason}"


def _next_step(submission: Submission, when: str, others: str) -> str:
    phase = submission.phase
    is_automatic, counting = (
        phase.publish_automatically,
        COUNTING[Phase.CountingRule(phase.counting), phase.one_per_team],
    )
    scored = (
        "Its scores are published within minutes, together with all others of its batch."
        if is_automatic
        else "Its scores are published when the organiser releases the batch."
    )
    published = "right after that" if is_automatic else "when the organiser releases them"
    failed = (
        f"The next try is at the cut-off on {when}. You may also withdraw it and send another file."
        if when
        else "No further batch tries it, unless the organiser has it scored again. You may withdraw it and send "
        "another file."
    )
    withdrawn = (
        "Scores of it that were published leave the board with the next release; earlier releases keep them."
        if _was_past_its_cut_off(submission)
        else "Its scores had been told to the team, so its slot stays used."
        if submission.told_at
        else "Its slot was given back. The same file may be submitted again."
    )
    first, then = _TOLD[Phase.FeedbackMoment(phase.feedback)]
    return {
        Status.ACCEPTED: (
            f"{first} the cut-off on {when}{then}. Its scores are published {published}. {others or counting}"
            if when
            else "The cut-off has passed: it is scored within minutes."
        ),
        Status.SCORING: scored,
        Status.SCORED: scored,
        Status.PUBLISHED: counting,
        Status.FAILED: failed,
        Status.WITHDRAWN: withdrawn,
        Status.DISQUALIFIED: (
            "It counts on no later board. If you think that this is a mistake, please write to the organiser."
        ),
    }[Status(submission.status)]


def _steps(
    submission: Submission, status: Status, next_at: dt.datetime | None, passed: Passed, now: dt.datetime
) -> tuple[StatusStep, ...]:
    slot = "; one slot of the quota was taken" if submission.quota_window_ends_at else ""
    steps = [
        StatusStep("Received", StepState.DONE, submission.received_at, submission.file_name),
        StatusStep("Accepted", StepState.DONE, note=f"No problem was found in it{slot}."),
    ]
    if status in ENDED:
        return (*steps, *_steps_of_ended(submission, status, passed))
    reached = list(WORDS).index(status)
    steps.append(_cut_off(submission, _state(reached, 1), now))
    if status == Status.FAILED:
        failed = StatusStep("Scoring failed", StepState.FAILED, passed.judged_at, submission.status_reason)
        again = (StatusStep("Next try", StepState.TODO, next_at),) if next_at else ()
        return (*steps, failed, *again)
    is_automatic = submission.phase.publish_automatically
    awaited = "Within minutes." if is_automatic else "When the organiser releases the batch."
    return (
        *steps,
        _step(("Scored", "Being scored"), _state(reached, 2), passed.judged_at, "Within minutes."),
        _published(submission, passed)
        if status == Status.PUBLISHED
        else _step(("Published", "Waiting for publication"), _state(reached, 3), None, awaited),
    )


def _step(titles: tuple[str, str], state: StepState, at: dt.datetime | None, awaited: str) -> StatusStep:
    """A step by what it is called when it is done, and while it is awaited."""
    is_now = state == StepState.NOW
    return StatusStep(titles[is_now], state, None if is_now else at, awaited if is_now else "")


def _cut_off(submission: Submission, state: StepState, now: dt.datetime) -> StatusStep:
    cut_off_at = submission.cut_off_at
    if state != StepState.NOW:
        return StatusStep("Cut-off", state, cut_off_at)
    note = f"{distance(cut_off_at, now)}.".capitalize() if now < cut_off_at else "It has passed."
    return StatusStep("Waiting for the cut-off", state, cut_off_at, note)


def _published(submission: Submission, passed: Passed) -> StatusStep:
    path = f"/benchmarks/{submission.phase.benchmark_id}/releases/{passed.release}/" if passed.release else ""
    note = f"Release {passed.release}" if passed.release else ""
    return StatusStep("Published", StepState.DONE, passed.published_at, note, path)


def _state(reached: int, needed: int) -> StepState:
    """The step that a submission at `reached` is waiting for comes right after those it has behind it."""
    if reached >= needed:
        return StepState.DONE
    return StepState.NOW if reached == needed - 1 else StepState.TODO


def _steps_of_ended(submission: Submission, status: Status, passed: Passed) -> Iterator[StatusStep]:
    if _was_past_its_cut_off(submission):
        yield StatusStep("Cut-off", StepState.DONE, submission.cut_off_at)
    if passed.release:
        yield StatusStep("Scored", StepState.DONE, passed.judged_at)
        yield _published(submission, passed)
    state = StepState.DONE if status == Status.WITHDRAWN else StepState.FAILED
    yield StatusStep(WORDS[status], state, submission.ended_at, submission.status_reason)


def _was_past_its_cut_off(submission: Submission) -> bool:
    return submission.ended_at is not None and submission.ended_at >= submission.cut_off_at


def told_when(submission: Submission, zone: dt.tzinfo) -> str:
    """When its team will read scores that were not told yet."""
    phase = submission.phase
    if submission.status in ENDED:
        return "It was taken back before its scores were told, so none are."
    if phase.feedback == Phase.FeedbackMoment.DAILY:
        _, midnight = calendar_window(phase.timezone, submission.received_at)
        return f"Its scores stand here once it is scored, from {in_words(midnight, zone)} on."
    if phase.feedback == Phase.FeedbackMoment.AT_CUT_OFF:
        return f"Its scores stand here once the batch of {in_words(submission.cut_off_at, zone)} is scored."
    return "Its scores stand here once it is scored, as a rule within ten seconds."
