"""What a submission's status says, for every status."""

import datetime as dt
import zoneinfo
from typing import Any

import pytest

from benchmarks.models import Benchmark, Phase
from submissions.models import Submission
from submissions.systems.status_texts import WORDS, Passed, StepState, describe

pytestmark = pytest.mark.postgres

RECEIVED = dt.datetime(2026, 11, 18, 12, 0, tzinfo=dt.UTC)
CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
NEXT_CUT_OFF = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


def submission(status: str, *, automatic: bool = True, **values: Any) -> Submission:
    phase = Phase(
        benchmark=Benchmark(slug="toy", title="Toy"),
        slug="main",
        counting="latest",
        publish_automatically=automatic,
        next_cut_off_at=NEXT_CUT_OFF,
    )
    fields: dict[str, Any] = {"received_at": RECEIVED, "cut_off_at": CUT_OFF} | values
    return Submission(phase=phase, status=status, **fields)


ENDED_BEFORE: dict[str, Any] = {
    "ended_at": RECEIVED + dt.timedelta(hours=1),
    "status_reason": "Withdrawn by Olga.",
}
ENDED_AFTER: dict[str, Any] = {
    "ended_at": CUT_OFF + dt.timedelta(days=1),
    "status_reason": "Withdrawn by Olga.",
}
DISQUALIFIED: dict[str, Any] = {
    "ended_at": CUT_OFF + dt.timedelta(days=1),
    "status_reason": "Saw the test items.",
}
FAILED: dict[str, Any] = {"status_reason": "The scorer has no private key. Your slot was given back."}

SAID = [
    (
        submission("accepted"),
        "in no release yet",
        "Mon 23 Nov 2026, 00:00 UTC, in 4 days. Its scores are published right after that. In this phase the "
        "latest submission of a system counts.",
    ),
    (
        submission("accepted", automatic=False),
        "in no release yet",
        "published when the organiser releases them",
    ),
    (submission("scoring"), "being scored", "within minutes"),
    (submission("scoring", automatic=False), "being scored", "when the organiser releases the batch"),
    (submission("scored"), "not published yet", "within minutes"),
    (submission("scored", automatic=False), "not published yet", "when the organiser releases the batch"),
    (submission("published"), "are published", "the latest submission of a system counts"),
    (
        submission("failed", **FAILED),
        "no private key. Your slot was given back",
        "next try is at the cut-off on Mon 30 Nov 2026",
    ),
    (
        submission("withdrawn", **ENDED_BEFORE),
        "Withdrawn by Olga. That was on Wed 18 Nov 2026, 13:00 UTC",
        "slot was given back",
    ),
    (submission("withdrawn", **ENDED_AFTER), "Withdrawn by Olga", "leave the board with the next release"),
    (
        submission("disqualified", **DISQUALIFIED),
        "The reason: Saw the test items.",
        "write to the organiser",
    ),
]


@pytest.mark.parametrize(("given", "sentence", "next_step"), SAID)
def test_status_says_what_is_so_and_what_happens_next(given, sentence, next_step):
    view = describe(given, now=RECEIVED + dt.timedelta(hours=2))

    assert sentence in view.sentence
    assert next_step in view.next_step


def test_where_a_team_has_one_row_its_latest_submission_counts():
    given = submission("published")
    given.phase.one_per_team = True

    assert "the latest submission of a team counts" in describe(given, now=CUT_OFF).next_step


def test_every_status_is_described():
    assert {str(given.status) for given, _, _ in SAID} == set(Submission.Status.values) == set(WORDS)


def test_accepted_submission_past_its_cut_off_promises_no_past_instant():
    view = describe(submission("accepted"), now=CUT_OFF)

    assert view.next_at is None
    assert "within minutes" in view.next_step


def test_times_are_told_in_the_given_zone():
    view = describe(submission("accepted"), now=RECEIVED, zone=zoneinfo.ZoneInfo("Europe/Berlin"))

    assert "01:00 CET (00:00 UTC)" in view.next_step


@pytest.mark.parametrize(
    ("given", "states"),
    [
        (submission("accepted"), "done done now todo todo"),
        (submission("scoring"), "done done done now todo"),
        (submission("scored"), "done done done done now"),
        (submission("published"), "done done done done done"),
        (submission("failed", **FAILED), "done done done failed todo"),
        (submission("withdrawn", **ENDED_BEFORE), "done done done"),
        (submission("withdrawn", **ENDED_AFTER), "done done done done"),
        (submission("disqualified", **DISQUALIFIED), "done done done failed"),
    ],
)
def test_timeline_shows_how_far_it_is(given, states):
    steps = describe(given, now=RECEIVED).steps

    assert [step.state for step in steps] == [StepState(state) for state in states.split()]


def test_timeline_of_a_withdrawn_submission_ends_with_who_and_when():
    last = describe(submission("withdrawn", **ENDED_AFTER), now=NEXT_CUT_OFF).steps[-1]

    assert (last.title, last.at, last.note) == ("Withdrawn", ENDED_AFTER["ended_at"], "Withdrawn by Olga.")


PASSED = Passed(CUT_OFF + dt.timedelta(minutes=1), CUT_OFF + dt.timedelta(minutes=2), 12)


def test_timeline_of_a_published_submission_says_when_each_step_was_and_leads_to_its_release():
    steps = describe(submission("published"), now=NEXT_CUT_OFF, passed=PASSED).steps

    assert [(step.title, step.at) for step in steps if step.at] == [
        ("Received", RECEIVED),
        ("Cut-off", CUT_OFF),
        ("Scored", PASSED.judged_at),
        ("Published", PASSED.published_at),
    ]
    assert (steps[-1].note, steps[-1].path) == ("Release 12", "/benchmarks/toy/releases/12/")


def test_timeline_says_what_is_waited_for_and_how_long():
    waiting = describe(submission("accepted"), now=RECEIVED).steps[2]

    assert (waiting.title, waiting.at, waiting.note) == ("Waiting for the cut-off", CUT_OFF, "In 4 days.")


def test_timeline_says_whose_word_is_waited_for():
    waiting = describe(submission("scored", automatic=False), now=CUT_OFF).steps[-1]

    assert waiting.title == "Waiting for publication"
    assert waiting.note == "When the organiser releases the batch."


def test_timeline_of_what_was_withdrawn_after_publication_still_shows_its_release():
    steps = describe(submission("withdrawn", **ENDED_AFTER), now=NEXT_CUT_OFF, passed=PASSED).steps

    assert [step.title for step in steps][2:] == ["Cut-off", "Scored", "Published", "Withdrawn"]


@pytest.mark.parametrize(("window", "is_taken"), [(CUT_OFF, True), (None, False)])
def test_timeline_speaks_of_a_slot_only_where_one_was_taken(window, is_taken):
    accepted = describe(submission("accepted", quota_window_ends_at=window), now=RECEIVED).steps[1]

    assert ("slot" in accepted.note) == is_taken
