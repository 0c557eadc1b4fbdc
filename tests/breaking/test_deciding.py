"""Decisions about contested labels become one new gold version, made once, by a worker."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Team
from benchmarks.models import Benchmark, Split
from breaking.contests.decisions import apply_decisions, decide
from breaking.contests.services import retract
from breaking.exceptions import ContestClosed, ContestRefused
from breaking.jobs import do_what_is_due
from breaking.models import Contest
from scoring.gold.box_opening import open_version
from scoring.gold.opening import opened_labels
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion
from submissions.intake.sealing import generate_keypair
from tests.broken import OnePair, make_set
from tests.contested import LATER, contested, play, repeated, split_of
from tests.dump import database_dump
from tests.threads import at_once

pytestmark = [pytest.mark.thorough, pytest.mark.postgres, pytest.mark.django_db]

SPANS = (OnePair("21", "A zaun fed it.", "A kanarienvogel fed it.", ("A zaun", "fed")),)


@pytest.fixture
def north(over: Benchmark) -> Split:
    return split_of(over, "tone", "north")


def versions(split: Split) -> list[GoldVersion]:
    return list(GoldVersion.objects.filter(split=split).order_by("number"))


def sealed_labels(version: GoldVersion) -> dict[str, str]:
    gold = open_version(version)[1]
    return {item: gold.labels[code] for item, code in zip(gold.ids, gold.codes.tolist(), strict=True)}


# What becomes of a decision


def test_another_label_makes_a_new_version_with_the_public_note(north: Split, team: Team, staff):
    contest = contested(north, "11_b", team)
    decide(
        contest=contest,
        choice="label",
        label="1",
        note="“Loathe” was meant as a joke.",
        user=staff,
        now=LATER,
    )
    (version,) = apply_decisions(LATER)
    contest.refresh_from_db()
    assert (contest.status, contest.gold_version) == ("changed", version)
    assert version.number == 2
    assert version.note == "1 contested label changed: 11_b (“Loathe” was meant as a joke.)"
    assert sealed_labels(version) == {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"}


def test_label_that_is_kept_makes_no_version(north, team, staff):
    contest = contested(north, "11_b", team)
    decide(contest=contest, choice="keep", note="It stands.", user=staff, now=LATER)
    assert apply_decisions(LATER) == []
    contest.refresh_from_db()
    assert (contest.status, contest.gold_version) == ("kept", None)


def test_label_that_it_has_already_is_kept(north, team, staff):
    contest = contested(north, "11_b", team)
    decide(contest=contest, choice="label", label="-1", note="", user=staff, now=LATER)
    assert apply_decisions(LATER) == []
    contest.refresh_from_db()
    assert contest.status == "kept"


def test_all_decisions_about_a_set_make_one_version(north, team, staff):
    for item, label in (("11_b", "1"), ("13_b", "1"), ("11_a", "1")):
        decide(
            contest=contested(north, item, team), choice="label", label=label, note="", user=staff, now=LATER
        )
    (version,) = apply_decisions(LATER)
    assert version.note == "2 contested labels changed: 11_b; 13_b"
    assert [one.number for one in versions(north)] == [1, 2]


def test_long_notes_are_cut_to_what_a_version_may_say(north, team, staff):
    for item in ("11_b", "13_b"):
        contest = contested(north, item, team)
        decide(contest=contest, choice="label", label="1", note="x" * 400, user=staff, now=LATER)
    (version,) = apply_decisions(LATER)
    assert len(version.note) == 500
    assert version.note.endswith(" …")


def test_doing_it_again_changes_nothing(north, team, staff):
    decide(contest=contested(north, "11_b", team), choice="label", label="1", note="", user=staff, now=LATER)
    assert len(apply_decisions(LATER)) == 1
    assert apply_decisions(LATER) == []


def test_span_is_decided_like_a_label(over, team, staff):
    west = split_of(over, "who", "west")
    decide(
        contest=contested(west, "21_b", team), choice="label", label="cook", note="", user=staff, now=LATER
    )
    do_what_is_due(LATER)
    assert opened_labels(west) == {"21_a": "The cook", "21_b": "cook"}


def test_new_version_of_public_labels_is_public_at_once(north, team, staff):
    decide(contest=contested(north, "11_b", team), choice="label", label="1", note="", user=staff, now=LATER)
    do_what_is_due(LATER)
    labels = opened_labels(north)
    assert labels is not None
    assert labels["11_b"] == "1"


# Lines of a file that gives an item several times


@pytest.mark.parametrize(("choice", "label", "status"), [("last", "1", "changed"), ("first", "-1", "kept")])
def test_item_of_several_lines_gets_the_label_of_the_one_chosen(games, staff, choice, label, status):
    make_set(games, "north")
    north = split_of(games, "tone", "north")
    contest = repeated(north, "11_b", "-1", "1")
    decide(contest=contest, choice=choice, note="", user=staff, now=LATER)
    apply_decisions(LATER)
    contest.refresh_from_db()
    assert contest.status == status
    assert sealed_labels(versions(north)[-1])["11_b"] == label


def test_item_of_one_line_has_no_other_to_choose(north, team, staff):
    with pytest.raises(ContestRefused, match="names it once"):
        decide(contest=contested(north, "11_b", team), choice="last", note="", user=staff, now=LATER)


# Refused, or too late


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"choice": "perhaps"}, "'perhaps' is no choice"),
        ({"choice": "label", "label": "2"}, "“2” is not a label"),
        ({"choice": "label"}, "empty"),
        ({"choice": "keep", "note": "x" * 501}, "at most 500 characters"),
        ({"choice": "keep", "note": "a\0b"}, "NUL"),
    ],
    ids=["choice", "label", "no label", "long note", "NUL"],
)
def test_decision_that_cannot_be_taken_is_refused_with_a_sentence(north, team, staff, said: Any, sentence):
    contest = contested(north, "11_b", team)
    with pytest.raises(ContestRefused, match=sentence):
        decide(contest=contest, user=staff, now=LATER, **{"note": "", **said})
    contest.refresh_from_db()
    assert contest.decided_at is None


def test_first_of_two_organisers_decides(north, team, staff):
    contest = contested(north, "11_b", team)
    decide(contest=contest, choice="keep", note="", user=staff, now=LATER)
    with pytest.raises(ContestClosed, match="An organiser has decided"):
        decide(contest=contest, choice="label", label="1", note="", user=staff, now=LATER)


def test_gold_labels_loaded_meanwhile_are_those_that_change(north, team, staff):
    """The organiser has mended another label by a file before the decision is applied."""
    decide(contest=contested(north, "11_b", team), choice="label", label="1", note="", user=staff, now=LATER)
    data = b"id,label\n11_a,-1\n11_b,-1\n13_a,1\n13_b,-1\n"
    load_gold(task=north.task, data=data, file_name="gold.csv", now=LATER, split_slug="north")
    (version,) = apply_decisions(LATER)
    assert (version.number, sealed_labels(version)["11_a"]) == (3, "-1")


# What a copy of the database shows


def test_label_that_is_chosen_while_gold_is_sealed_stands_nowhere(games, staff):
    make_set(games, "west", task="who", pairs=SPANS)
    contest = repeated(split_of(games, "who", "west"), "21_b", "kanarienvogel", "zaunkönig")
    decide(contest=contest, choice="label", label="kanarienvogel fed", note="", user=staff, now=LATER)
    apply_decisions(LATER)
    contest.refresh_from_db()
    contest_values = str(Contest.objects.filter(pk=contest.pk).values().get())
    assert contest.status == "changed"
    assert "kanarienvogel" not in contest_values
    assert "zaunkönig".encode() not in database_dump()


def test_a_worker_with_another_key_decides_nothing_and_says_no_label(
    north, team, staff, settings, tmp_path, caplog
):
    decide(contest=contested(north, "11_b", team), choice="label", label="1", note="", user=staff, now=LATER)
    settings.GOLD_PRIVATE_KEY_FILE = str(tmp_path / "other")
    Path(settings.GOLD_PRIVATE_KEY_FILE).write_text(generate_keypair().private)
    assert apply_decisions(LATER) == []
    assert "decisions about games/tone/north met an unforeseen KeyWrongError" in caplog.text
    assert Contest.objects.unapplied().count() == 1


def test_set_that_cannot_be_opened_does_not_hold_up_another(over, north, team, staff):
    for split, item, label in ((north, "11_b", "1"), (split_of(over, "who", "west"), "21_b", "cook")):
        decide(
            contest=contested(split, item, team), choice="label", label=label, note="", user=staff, now=LATER
        )
    Contest.objects.filter(split=north).update(sealed_label=b"heldoutF damaged")
    assert [str(one.split) for one in apply_decisions(LATER)] == ["games/who/west"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_make_one_version(games, system, team, staff):
    north = split_of(play(games, system), "tone", "north")
    decide(contest=contested(north, "11_b", team), choice="label", label="1", note="", user=staff, now=LATER)
    found = at_once([lambda: apply_decisions(LATER)] * 2)
    assert sorted(len(one) for one in found) == [0, 1]
    assert len(versions(north)) == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_organisers_at_once_one_decides_and_the_other_is_told(games, system, team, staff):
    contest = contested(split_of(play(games, system), "tone", "north"), "11_b", team)
    said = [{"choice": "keep"}, {"choice": "label", "label": "1"}]
    found = at_once([partial(decide, contest=contest, note="", user=staff, now=LATER, **one) for one in said])
    assert {type(one) for one in found} == {Contest, ContestClosed}


@pytest.mark.django_db(transaction=True)
def test_contest_taken_back_while_it_is_decided_ends_one_way(games, system, team, owner, staff):
    contest = contested(split_of(play(games, system), "tone", "north"), "11_b", team)
    found = at_once(
        [
            partial(decide, contest=contest, choice="keep", note="", user=staff, now=LATER),
            partial(retract, contest=contest, user=owner, now=LATER),
        ]
    )
    assert {type(one) for one in found} == {Contest, ContestClosed}
