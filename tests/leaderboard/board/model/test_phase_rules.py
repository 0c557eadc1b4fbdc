import datetime as dt
from dataclasses import replace

import pytest

from benchmarks.spec import Counting, Limit, Period, PhaseKind, PhaseSpec, TargetSpec
from leaderboard.board.model.phase_rules import rules


def phase(
    *, limit: int = 5, counting: Counting = Counting.BEST, automatic: bool = True, weekday: int | None = 6
) -> PhaseSpec:
    return PhaseSpec(
        id="main",
        title="Main",
        timezone="Europe/Zurich",
        weekday=weekday,
        time=dt.time(23, 30),
        limits=(Limit(Period.CUT_OFF, limit),),
        counting=counting,
        publish_automatically=automatic,
    )


def test_rules_name_day_time_and_zone_of_the_cut_off() -> None:
    assert "Cut-off every Sunday at 23:30 (Europe/Zurich)" in rules(phase())[0]


@pytest.mark.parametrize(
    ("automatic", "words"), [(True, "as soon as"), (False, "when the organiser says so")]
)
def test_rules_say_when_the_release_follows(automatic: bool, words: str) -> None:
    assert words in rules(phase(automatic=automatic))[0]


@pytest.mark.parametrize(("limit", "words"), [(1, "1 per cut-off."), (5, "5 per cut-off.")])
def test_rules_count_the_submissions_of_a_team(limit: int, words: str) -> None:
    assert words in rules(phase(limit=limit))[1]


def test_rules_of_a_phase_with_one_cut_off_count_the_submissions_of_all_of_it() -> None:
    assert "2 in all." in rules(phase(limit=2, weekday=None))[1]


def test_rules_name_what_the_phase_is_about_and_the_limits_of_each_target() -> None:
    once_a_day = (Limit(Period.DAY, 1), Limit(Period.TOTAL, 3))
    targets = (TargetSpec("mood", "dev", once_a_day), TargetSpec("tone", "dev", once_a_day))
    handed_in, _, quota, *_ = rules(replace(phase(), limits=(), targets=targets))
    assert handed_in == "Handed in are predictions for the split dev of mood, tone."
    assert "1 a day, 3 in all for each of mood/dev, tone/dev." in quota


def test_rules_have_a_different_sentence_for_every_way_of_counting() -> None:
    assert len({rules(phase(counting=counting))[2] for counting in Counting}) == len(Counting)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (PhaseKind.BUILD, "Handed in are predictions for the development data."),
        (PhaseKind.BREAK, "Handed in are minimal pairs; a later file of a team"),
        (PhaseKind.SCORE, "Handed in are predictions for the pairs of all breakers."),
    ],
)
def test_rules_say_what_a_phase_of_each_kind_takes(kind: PhaseKind, words: str) -> None:
    assert rules(replace(phase(), kind=kind))[0].startswith(words)


def test_rules_of_a_break_phase_speak_of_no_submissions() -> None:
    assert "submission" not in " ".join(rules(replace(phase(), kind=PhaseKind.BREAK)))
