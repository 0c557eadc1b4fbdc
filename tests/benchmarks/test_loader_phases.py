"""Phases in a definition: dates, targets with limits of their own, and when releases are made."""

import datetime as dt
from pathlib import Path

import pytest

import benchmarks
from benchmarks.spec import Limit, Period, TargetSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from catalogue.disclosure import RULES
from tests.benchmarks.test_loader import MINIMAL

TASKS = MINIMAL[: MINIMAL.index("phases:")].replace(
    "    metrics:", "    splits: [{id: dev, title: Development}, {id: test, title: Test}]\n    metrics:"
)
EVALUATION = """phases:
  - id: final-evaluation
    opens: 2026-01-10T00:00Z
    closes: 2026-01-17T12:30:00+01:00
    release: {when: at-close, not_before: 2026-01-20T12:00Z}
    counting: latest
    targets:
      - {task: mood, split: test, quota: {total: 2, per_day: 1}}
"""


def phases(text):
    return load_definition(TASKS + text, "toy.yaml").phases


def mistakes(text):
    with pytest.raises(DefinitionError) as caught:
        phases(text)
    return list(caught.value.mistakes)


def test_a_phase_has_dates_targets_and_limits_for_each():
    (phase,) = phases(EVALUATION)

    assert phase.title == "Final evaluation"
    assert phase.opens_at == dt.datetime(2026, 1, 10, tzinfo=dt.UTC)
    assert phase.closes_at == dt.datetime(2026, 1, 17, 11, 30, tzinfo=dt.UTC)
    assert phase.not_before == dt.datetime(2026, 1, 20, 12, tzinfo=dt.UTC)
    assert (phase.weekday, phase.publish_automatically) == (None, True)
    assert phase.targets == (TargetSpec("mood", "test", (Limit(Period.DAY, 1), Limit(Period.TOTAL, 2))),)
    assert phase.limits == ()


@pytest.mark.parametrize(
    ("release", "weekday", "publishes"),
    [
        ("{when: weekly, weekday: friday, time: '18:00'}", 4, True),
        ("{when: at-close}", None, True),
        ("{when: by-hand}", None, False),
        ("{when: by-hand, weekday: monday, time: '00:00'}", 0, False),
    ],
)
def test_releases_are_weekly_at_the_close_or_by_hand(release, weekday, publishes):
    text = EVALUATION.replace("{when: at-close, not_before: 2026-01-20T12:00Z}", release)
    (phase,) = phases(text)
    assert (phase.weekday, phase.publish_automatically) == (weekday, publishes)


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ("task: mood", "task: mod", "targets[0].task: no task is called 'mod'; did you mean 'mood'?"),
        ("split: test", "split: tset", "targets[0].split: mood has no split 'tset'; did you mean 'test'?"),
        ("total: 2", "total: 0", "quota.total: expected a whole number from 1 to 10000, found 0"),
        ("per_day: 1", "per_hour: 1", "quota.per_hour: is not a key of this place"),
        (", quota: {total: 2, per_day: 1}", "", "phases[final-evaluation].quota: is missing; expected a mapping"),
        ("opens: 2026-01-10T00:00Z", "opens: 2026-01-10", "opens: expected an instant with its zone such as"),
        ("opens: 2026-01-10T00:00Z", "opens: 2026-02-10T00:00Z", "closes: expected an instant after 2026-02-10"),
        ("    closes: 2026-01-17T12:30:00+01:00\n", "", "closes: is missing; a phase whose cut-off is its close"),
        ("at-close", "on-close", "release.when: expected one of at-close, weekly, by-hand, found 'on-close'"),
        ("counting:", "lasts_days: 3\n    counting:", "lasts_days: stands beside `closes`; expected one of the two"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_phase_is_named_with_its_place(old, new, mistake):
    assert old in EVALUATION
    found = mistakes(EVALUATION.replace(old, new))
    assert len(found) == 1
    assert mistake in found[0]


def test_a_target_is_listed_once():
    twice = EVALUATION + "      - {task: mood, split: test, quota: {total: 1}}\n"
    assert mistakes(twice) == ["toy.yaml: phases[final-evaluation].targets: mood/test is listed twice"]


def test_rules_have_to_agree_only_where_phases_score_the_same_items():
    kept_back = """
  - id: development
    release: {when: weekly, weekday: monday, time: "00:00"}
    closes: 2026-01-10T00:00Z
    one_per_team: true
    counting: latest
    quota: {per_week: 3}
    disclosure: open
    targets: [{task: mood, split: SPLIT}]
"""
    open_phase, exact = phases(EVALUATION + kept_back.replace("SPLIT", "dev"))[::-1]
    assert [open_phase.disclosure, exact.disclosure] == [RULES["open"], RULES["exact"]]
    assert "either all keep half" in mistakes(EVALUATION + kept_back.replace("SPLIT", "test"))[0]


@pytest.mark.parametrize(
    ("older", "now"),
    [
        (
            "cut_off: {at: close, timezone: Europe/Berlin}",
            "timezone: Europe/Berlin\n    release: {when: at-close}",
        ),
        (
            "cut_off: {weekday: friday, time: '18:00', timezone: UTC}",
            "release: {when: weekly, weekday: friday, time: '18:00'}",
        ),
    ],
)
def test_the_older_spelling_of_cut_offs_says_the_same(older, now):
    release = "release: {when: at-close, not_before: 2026-01-20T12:00Z}"
    assert phases(EVALUATION.replace(release, older)) == phases(EVALUATION.replace(release, now))


def test_shipped_definitions_have_one_spelling():
    definitions = list(Path(benchmarks.__file__).parent.glob("definitions/*.yaml"))
    assert definitions
    assert not [
        path.name for path in definitions if "cut_off:" in path.read_text("utf-8").replace("per_cut_off:", "")
    ]
