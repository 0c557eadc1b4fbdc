"""Real outputs of released systems, judged by people through their pages: what they see, and what comes of it."""

from collections import Counter
from functools import partial

import pytest

from labelling.admin.answer_export import export_answers
from labelling.core.judged.preferences import WON_ALL
from labelling.exceptions import CannotJoin
from labelling.models import Unit
from labelling.outcomes.settling import settle_due
from labelling.outcomes.systems.judged_report import judged_in
from labelling.units.of_systems.assessed import SYSTEMS as WRITERS
from labelling.work.campaigns import want_outcome
from labelling.work.joining import IS_JUDGED, refuse_participants
from labelling.work.places import take_units
from submissions.models import System
from tests.crowds import NOW, hired
from tests.written import (
    BETTER,
    ITEMS,
    SHARED,
    SLIDER,
    SYSTEMS,
    as_number,
    begun,
    item_of,
    judged,
    judged_over_http,
    make_told,
    the_better,
    the_told,
)


@pytest.fixture(scope="module")
def _released(stage):
    make_told()


@pytest.fixture
def told(_released, gold_keys):
    return the_told()


def by_name(campaign):
    """The rows of the outcome by the system's name."""
    names = {one.number: one.submission.system.name for one in campaign.judged.all()}
    return {names[row.number]: row for row in judged_in(campaign.outcomes.get()).rows}


def secrets(campaign):
    """All that would tell who wrote what."""
    for one in campaign.judged.all():
        yield from (str(one.submission.pk), str(one.submission.system.pk), one.submission.system.name)
        yield one.submission.system.team.name


@pytest.mark.postgres
def test_numbers_of_people_become_means_of_systems_and_nobody_sees_whose_texts_they_are(told):
    campaign = begun(told, "assessment", SLIDER, sample=4)
    seen = judged_over_http(campaign, as_number, partial(as_number, off=-10))
    assert "Mots de s" in seen
    assert not [secret for secret in secrets(campaign) if secret in seen]
    means = {name: row.figures["mean"].value for name, row in by_name(campaign).items()}
    assert means["Alder"] > means["Birch"] > means["Cedar"]


def test_an_output_of_two_systems_is_one_unit_and_counts_for_both(told):
    campaign = begun(told, "assessment", SLIDER)
    assert campaign.units.count() == 3 * len(ITEMS) - len(SHARED)
    judged(campaign, as_number, partial(as_number, off=-10), partial(as_number, off=10))
    rows = by_name(campaign)
    means = {name: row.figures["mean"] for name, row in rows.items()}
    assert all(row.count == len(ITEMS) for row in rows.values())
    # Ten items at 90 and two at 60, which its rival wrote as well; off by up to ten.
    assert means["Alder"].value == pytest.approx((10 * 90 + 2 * 60) / 12, abs=10)
    assert means["Birch"].value == pytest.approx(60, abs=10)
    assert means["Cedar"].high < means["Birch"].low < means["Birch"].high < means["Alder"].low
    z = [rows[name].figures["z"].value for name in SYSTEMS]
    assert z == sorted(z, reverse=True)
    assert z[0] > 0 > z[2]


def test_each_worker_sees_each_system_about_equally_often_and_each_unit_once(told):
    campaign = begun(told, "assessment", SLIDER, answers_wanted=4, most_per_worker=12)
    judged(campaign, *[as_number] * 6)
    for worker in campaign.workers.all():
        given = [each.unit for each in worker.assignments.select_related("unit")]
        turns = Counter(unit.turn for unit in given)
        assert len(given) == len({unit.pk for unit in given}) == 12
        assert set(turns.values()) == {4}, turns
        writers = Counter(number for unit in given for number in unit.source[WRITERS])
        assert max(writers.values()) - min(writers.values()) <= len(SHARED)


def test_a_page_of_several_units_has_every_system_too(told):
    campaign = begun(told, "assessment", SLIDER, page_size=3)
    (worker,) = hired(campaign)
    page = take_units(worker=worker, now=NOW)
    assert sorted(each.unit.turn for each in page) == sorted({one.number for one in campaign.judged.all()})


@pytest.mark.postgres
def test_the_better_of_two_texts_gives_shares_of_wins(told):
    campaign = begun(told, "preferences", BETTER, sample=3)
    seen = judged_over_http(campaign, the_better, the_better)
    assert not [secret for secret in secrets(campaign) if secret in seen]
    wins = {name: row.figures["wins"].value for name, row in by_name(campaign).items()}
    assert wins["Alder"] > wins["Birch"] > wins["Cedar"]


def test_where_two_systems_wrote_the_same_nobody_is_asked_and_that_is_a_tie(told):
    campaign = begun(told, "preferences", BETTER)
    assert campaign.units.count() == 3 * len(ITEMS) - 3 * len(SHARED) + len(SHARED)
    judged(campaign, the_better, the_better)
    rows = by_name(campaign)
    assert [row.count for row in rows.values()] == [2 * len(ITEMS)] * 3
    # The first wins all but two ties against the second, which wins as much of the third.
    assert rows["Alder"].figures["wins"].value == (10 + 12 + 2 / 2) / 24
    assert rows["Cedar"].figures["wins"].value == 0
    report = judged_in(campaign.outcomes.get())
    assert report.because == WON_ALL
    assert [len(group) for group in report.groups] == [2, 1]


def test_answers_that_differ_give_strengths_with_intervals_in_the_order_of_the_systems(told):
    campaign = begun(told, "preferences", BETTER, answers_wanted=3)

    def moody(page):
        return {"label": "right"} if item_of(page) % 3 == 0 else the_better(page)

    judged(campaign, the_better, moody, lambda page: {"label": "left"})
    strengths = {name: row.figures["strength"] for name, row in by_name(campaign).items()}
    assert strengths["Alder"].low < strengths["Alder"].value < strengths["Alder"].high
    assert strengths["Alder"].value > strengths["Birch"].value > strengths["Cedar"].value
    assert sum(one.value for one in strengths.values()) == pytest.approx(0, abs=1e-6)


def test_whoever_takes_part_does_not_judge(told):
    campaign = begun(told, "assessment", SLIDER)
    assert not campaign.is_sealed
    with pytest.raises(CannotJoin, match=IS_JUDGED):
        refuse_participants(campaign, System.objects.get(name="Alder").team.members.get())


def test_an_export_of_answers_tells_nothing_of_systems_either(told):
    campaign = begun(told, "assessment", SLIDER)
    judged(campaign, as_number)
    exported = export_answers(campaign).decode()
    assert not [secret for secret in secrets(campaign) if secret in exported]
    groups = set(Unit.objects.filter(campaign=campaign).values_list("group", flat=True))
    assert groups == {""}


def test_the_same_answers_give_the_same_outcome_again(told):
    campaign = begun(told, "preferences", BETTER, pairs_per_item=1)
    judged(campaign, the_better)
    want_outcome(campaign=campaign)
    assert settle_due(NOW) == 1
    first, second = campaign.outcomes.order_by("number")
    assert first.report == second.report
