"""Buttons of submissions: holding back and letting go, disqualifying, scoring again, removing a file."""

import datetime as dt
from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.db import transaction
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import Question, Table
from scoring.queue.wanted_runs import ensure_runs
from submissions.exceptions import CannotChange
from submissions.models import Submission
from submissions.systems.file_removals import remove_file
from submissions.systems.status_transitions import (
    ENDED,
    MOST_OF_A_REASON,
    Status,
    disqualify,
    hold_back,
    let_go,
)

SCORABLE = (Status.SCORING, Status.SCORED, Status.PUBLISHED, Status.FAILED)


class ReasonForm(forms.Form):
    """Why a submission is taken off the board."""

    reason = forms.CharField(
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Public: it stands on the system's page, beside the submission.",
    )


class PrivateReasonForm(forms.Form):
    """Why a submission is held back."""

    reason = forms.CharField(
        max_length=MOST_OF_A_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Its team reads it, and nobody else: name no other team here.",
    )


class FileReasonForm(forms.Form):
    """Why a file is removed."""

    reason = forms.CharField(
        max_length=MOST_OF_A_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Public: it stands in the log, and its team reads it.",
    )


def _disqualify(
    *, submissions: list[Submission], reason: str, now: dt.datetime, log: Callable[[Submission, str], None]
) -> Done:
    """Take each off the board that can be; why another cannot stands among the messages."""
    notes = []
    for submission in submissions:
        try:
            with transaction.atomic():
                disqualify(submission=submission, reason=reason, now=now)
                log(submission, f"Disqualified: {reason}")
        except CannotChange as refused:
            notes.append((messages.ERROR, f"{submission}: {refused}"))
        else:
            notes.append((messages.SUCCESS, f"{submission} was disqualified. It is on no later board."))
    return Done(also=notes)


def _score_again(
    *, submissions: list[Submission], now: dt.datetime, log: Callable[[Submission, str], None]
) -> Done:
    scorable = [submission for submission in submissions if submission.status in SCORABLE]
    created = ensure_runs(scorable, now=now)
    for submission in scorable:
        log(submission, "Set to be scored again.")
    runs = "1 scoring run" if created == 1 else f"{created} scoring runs"
    return Done(
        f"{_count(scorable)} looked at: {runs} added, failed runs set going again. What they give is "
        "shown with the next release."
    )


def _count(submissions: list[Submission]) -> str:
    return f"{len(submissions)} submission{'' if len(submissions) == 1 else 's'}"


def _disqualification(submissions: list[Submission]) -> Question:
    return Question(
        title=f"Disqualify {_count(submissions)}",
        sentences=(
            "A disqualified submission counts on no later board; releases that are out already keep "
            "it. Its team sees the reason, and so does everybody on the system's page.",
            "Its slot of the quota stays used. This cannot be undone.",
        ),
        button="Disqualify",
        is_grave=True,
        tables=(_chosen(submissions),),
    )


def _scoring(submissions: list[Submission]) -> Question:
    scorable = [submission for submission in submissions if submission.status in SCORABLE]
    left_out = len(submissions) - len(scorable)
    others = f" {left_out} of those chosen wait for their cut-off or have ended, and are left alone."
    return Question(
        title=f"Score {_count(scorable)} again",
        sentences=(
            "Runs that are missing under the present gold labels and scorer are added, and "
            "runs that failed are set going again. Scores that exist are kept: the same "
            f"predictions under the same gold labels would only give the same numbers.{others if left_out else ''}",
            "What the runs give is shown with the next release, not before.",
        ),
        button="Score again",
        tables=(_chosen(submissions),),
    )


def _chosen(submissions: list[Submission]) -> Table:
    rows = [
        (link(submission), submission.system.team, submission.phase, submission.get_status_display())
        for submission in submissions
    ]
    return Table("Chosen", ("Submission", "Team", "Phase", "Status"), rows)


HOLD_BACK = Ask(
    label="Hold back",
    icon="pan_tool",
    question=Question(
        title="Hold back {row}",
        sentences=(
            "It stands on no board until you let it go; the release of its batch goes out without it. Where an "
            "earlier answer of the row counts by the rule of the phase, that one stands in.",
            "Its team reads the reason on the page of the submission and in a mail. Nobody else sees it; releases "
            "that are out already keep it.",
        ),
        button="Hold it back",
    ),
    form=PrivateReasonForm,
    do=lambda submission, reason, now: hold_back(submission=submission, reason=reason, now=now),
    done="It is held back. The next release goes out without it.",
    log="Held back. {reason}",
    refused=(CannotChange,),
    shown=lambda submission: not (submission.is_held_back or submission.status in ENDED),
)
LET_GO = Ask(
    label="Let it go",
    icon="play_arrow",
    question=Question(
        title="Let {row} go",
        sentences=(
            "It counts again from the next release on, by the rule of the phase. Its team gets a mail.",
        ),
        button="Let it go",
    ),
    do=lambda submission, now: let_go(submission=submission, now=now),
    done="It counts again from the next release on.",
    log="Let go.",
    refused=(CannotChange,),
    shown=lambda submission: submission.is_held_back,
)

DISQUALIFY = Ask(
    label="Disqualify",
    icon="block",
    variant=ActionVariant.DANGER,
    question=_disqualification,
    form=ReasonForm,
    do=_disqualify,
    of_many=True,
)
SCORE_AGAIN = Ask(label="Score again", icon="refresh", question=_scoring, do=_score_again, of_many=True)

REMOVE_FILE = Ask(
    label="Remove its file",
    icon="delete_forever",
    variant=ActionVariant.DANGER,
    question=Question(
        title="Remove the file of {row}",
        sentences=(
            "The file and the predictions read from it are deleted for ever, here and in published predictions. "
            "Ranks and scores of releases stay, with the digest of the file; the log tells of it, and the release "
            "can be made again without this submission only.",
        ),
        button="Remove it for ever",
        is_grave=True,
    ),
    form=FileReasonForm,
    do=lambda submission, reason, now: remove_file(submission=submission, reason=reason, now=now),
    done="The file is removed.",
    log="Removed its file. {reason}",
    refused=(CannotChange,),
    shown=lambda submission: submission.status in ENDED and submission.file_removed_at is None,
)
