"""Real outputs of released systems, judged by people: how it is begun, what workers see, what comes of it."""

import csv
import io
from collections import Counter
from functools import partial

import pytest

from benchmarks.admin.organised.links import add_address, address
from labelling.admin.answer_export import export_answers
from labelling.core.judged.preferences import WON_ALL
from labelling.core.questions.question import CampaignQuestion
from labelling.exceptions import CannotChangeCampaign, CannotJoin
from labelling.models import Campaign, JudgedSubmission, Unit
from labelling.outcomes import PURPOSES
from labelling.outcomes.settling import settle_due
from labelling.outcomes.systems.judged_report import judged_in
from labelling.units.new_units import store_units
from labelling.units.of_systems.assessed import SYSTEMS as WRITERS
from labelling.units.of_systems.chosen import named_submissions
from labelling.work.campaigns import definition_digest, want_outcome
from labelling.work.joining import IS_JUDGED, refuse_participants
from labelling.work.places import take_units
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from tests.conftest import person, synced
from tests.crowds import NOW, hired, new_campaign, say, text_unit
from tests.labelling.test_admin_campaigns import press
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.written import (
    BETTER,
    DEFINITION,
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

__all__ = ["press"]


@pytest.fixture(scope="module")
def _released(stage):
    make_told()


@pytest.fixture
def told(_released, gold_keys):
    return the_told()


def by_name(campaign):
    """The rows of the outcome by the system's name."""
    names = {one.number: one.submission.system.name for one in campaign.judged.all()}
    return {names[row.number]: row for row in report_of(campaign.outcomes.get()).rows}


def report_of(outcome):
    """What an outcome says of systems."""
    report = judged_in(outcome)
    assert report is not None
    return report


def secrets(campaign):
    """All that would tell who wrote what."""
    for one in campaign.judged.all():
        yield from (str(one.submission.pk), str(one.submission.system.pk), one.submission.system.name)
        yield one.submission.system.team.name


@pytest.mark.postgres
def test_numbers_of_people_become_means_of_systems_and_nobody_sees_whose_texts_they_are(told):
    campaign = begun(told, "assessment", SLIDER, sample=2)
    seen = judged_over_http(campaign, as_number, partial(as_number, off=-10))
    assert "Mots de s" in seen
    assert not [secret for secret in secrets(campaign) if secret in seen]
    means = {name: row.figures["mean"].value for name, row in by_name(campaign).items()}
    assert means["Alder"] > means["Birch"] > means["Cedar"]


def test_an_output_of_two_systems_is_one_unit_and_counts_for_both(told):
    campaign = begun(told, "assessment", SLIDER, answers_wanted=3)
    assert campaign.units.count() == 3 * len(ITEMS) - len(SHARED)
    judged(campaign, as_number, partial(as_number, off=-10), partial(as_number, off=5))
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
    campaign = begun(told, "assessment", SLIDER, answers_wanted=4, most_per_worker=6)
    for worker in hired(campaign, 3):
        while page := take_units(worker=worker, now=NOW):
            say(page[0], sent={"number": ["50"]})
    for worker in campaign.workers.all():
        given = [each.unit for each in worker.assignments.select_related("unit")]
        turns = Counter(unit.turn for unit in given)
        assert len(given) == len({unit.pk for unit in given}) == 6
        assert set(turns.values()) == {2}, turns
        writers = Counter(number for unit in given for number in unit.source[WRITERS])
        assert max(writers.values()) - min(writers.values()) <= len(SHARED)


def test_a_page_of_several_units_has_every_system_too(told):
    campaign = begun(told, "assessment", SLIDER, page_size=3)
    (worker,) = hired(campaign)
    page = take_units(worker=worker, now=NOW)
    assert sorted(each.unit.turn or 0 for each in page) == sorted(
        {one.number for one in campaign.judged.all()}
    )


@pytest.mark.parametrize(
    ("purpose", "question", "figure"), [("assessment", SLIDER, "mean"), ("preferences", BETTER, "wins")]
)
def test_outputs_for_items_that_belong_together_are_drawn_together(told, purpose, question, figure):
    """Of one document people find all texts good, and prefer the better ones; of the other bad, and the worse ones."""

    def of_documents(page):
        is_first = item_of(page) < len(ITEMS) / 2
        if purpose == "assessment":
            return {"number": "90" if is_first else "20"}
        better = the_better(page)["label"]
        return {"label": better if is_first else {"left": "right", "right": "left"}[better]}

    campaign = begun(told, purpose, question)
    judged(campaign, of_documents)
    lines = "".join(f"{item},fine words of {item},d{at // 6}\n" for at, item in enumerate(ITEMS))
    gold_file = "{path: g.csv, columns: [id, english, document], id_column: id, label_column: english"
    documents = f"    gold_file: {gold_file}, cluster_column: document}}\n    metrics:"
    task = synced(DEFINITION.replace("    metrics:", documents)).tasks.get()
    data = f"id,english,document\n{lines}".encode()
    load_gold(task=task, data=data, file_name="g.csv", now=NOW)
    want_outcome(campaign=campaign, clues_are_known=False)
    assert settle_due(NOW) == 1
    together, alone = (report_of(outcome) for outcome in campaign.outcomes.order_by("-number"))
    assert (alone.drawn, together.drawn) == ("items", "groups of items that belong together")
    assert width(together, figure) > 1.5 * width(alone, figure)


def width(report, figure):
    """How wide the intervals of all systems are, together."""
    return sum(row.figures[figure].high - row.figures[figure].low for row in report.rows)


def test_the_better_of_two_texts_gives_shares_of_wins(told):
    campaign = begun(told, "preferences", BETTER, sample=2)
    seen = judged_over_http(campaign, the_better)
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
    report = report_of(campaign.outcomes.get())
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
    want_outcome(campaign=campaign, clues_are_known=False)
    assert settle_due(NOW) == 1
    first, second = campaign.outcomes.order_by("number")
    assert first.report == second.report


@pytest.fixture
def organiser(told):
    user = person("organiser")
    appoint(told, user)
    return user


def draft(told, question: CampaignQuestion = SLIDER, **values) -> Campaign:
    return new_campaign(
        told, question, **{"purpose": "assessment", "rule": "mean", "split_slug": "test", **values}
    )


def test_units_are_drawn_from_the_systems_of_a_release_and_the_campaign_is_opened(told, press):
    campaign = draft(told)
    release = str(told.phases.get().batches.get().pk)
    page = text_of(press(campaign, "draw_systems", release=release, submissions="", sample="5"))
    assert "units now." in page
    assert campaign.judged.count() == 3
    assert campaign.units.values("source__item").distinct().count() == 5
    assert "is open" in text_of(press(campaign, "open_it"))


def test_submissions_that_are_named_are_judged_in_place_of_a_release(told, press):
    campaign = draft(told)
    chosen = Submission.objects.exclude(system__name="Cedar")
    named = "\n".join(str(one.pk) for one in chosen)
    press(campaign, "draw_systems", release="", submissions=named, sample="")
    assert set(campaign.judged.values_list("submission", flat=True)) == {one.pk for one in chosen}


def test_screen_by_screen_a_campaign_is_proposed_as_its_protocol_has_it(told, organiser):
    browser = browser_of(organiser)
    about = {
        "benchmark": "told",
        "purpose": "assessment",
        "kind": "number",
        "rule": "mean",
        "split": "words/test",
    }
    screen = browser.post(add_address(Campaign), {"at": 2, "go": "next", **about}).context["screen"]
    assert (screen.number, screen.form["highest"].value()) == (3, 100)
    proposed = {name: screen.form[name].value() for name in screen.form.fields}
    kept = {name: value for name, value in proposed.items() if value is not None and value is not False}
    browser.post(add_address(Campaign), {"at": 3, "go": "keep", **kept, **about, "title": "Read by people"})
    campaign = Campaign.objects.get()
    assert (campaign.asked.lowest, campaign.asked.highest, campaign.is_sealed) == (0, 100, False)
    pool = about | {"purpose": "pooled_grades", "kind": "ordered_class", "rule": "median"}
    page = text_of(browser.post(add_address(Campaign), {"at": 2, "go": "next", **pool}))
    assert "Words takes a text of at most 5,000 characters. Choose a task of ranked lists." in page


def test_whose_outputs_are_judged_is_fixed_with_the_rest(told):
    campaign = begun(told, "assessment", SLIDER)
    fixed = definition_digest(campaign)
    assert campaign.definition_sha256 == fixed
    first, second = campaign.judged.all()[:2]
    JudgedSubmission.objects.filter(pk=first.pk).update(number=99)
    JudgedSubmission.objects.filter(pk=second.pk).update(number=first.number)
    assert definition_digest(campaign) != fixed


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("larch", "“larch” is no id of a submission."),
        (
            "7f1c9f0e-2c55-4b61-9d0c-0d5a5a7b8f11",
            "Told has no submission 7f1c9f0e-2c55-4b61-9d0c-0d5a5a7b8f11.",
        ),
    ],
)
def test_what_is_no_submission_is_named(told, lines, why):
    with pytest.raises(CannotChangeCampaign, match=why):
        named_submissions(draft(told), lines)


def test_one_system_alone_is_compared_with_nothing(told, press):
    campaign = draft(told)
    only = str(Submission.objects.get(system__name="Cedar").pk)
    page = text_of(press(campaign, "draw_systems", release="", submissions=only, sample=""))
    assert "There is 1 submission for" in page
    assert "expected 2 to 200" in page
    assert not campaign.units.exists()


def test_units_of_a_file_say_nothing_of_systems_and_the_campaign_stays_a_draft(told, press):
    campaign = draft(told)
    store_units(campaign=campaign, units=[text_unit("u1")])
    assert "The units say nothing of systems" in text_of(press(campaign, "open_it"))
    campaign.refresh_from_db()
    assert campaign.status == Campaign.Status.DRAFT


def test_other_units_take_the_systems_with_them(told, press):
    campaign = draft(told)
    press(
        campaign, "draw_systems", release=str(told.phases.get().batches.get().pk), submissions="", sample="2"
    )
    store_units(campaign=campaign, units=[text_unit("u1")])
    campaign.refresh_from_db()
    assert (campaign.judged.count(), campaign.judges_systems) == (0, False)


def test_the_page_and_a_file_tell_organisers_what_each_system_was_given(told, press, organiser):
    campaign = begun(told, "assessment", SLIDER, sample=4)
    browser = browser_of(organiser)
    assert "What people gave each system" not in text_of(browser.get(address(campaign)))
    judged(campaign, as_number, lambda page: as_number(page, -6))
    page = text_of(browser.get(address(campaign)))
    assert "Outcome 1 says what people gave 3 systems." in page
    assert "What people gave each system" in page
    assert all(f"Team {name}" in page for name in SYSTEMS)
    sent = press(campaign, "export_systems")
    rows = list(csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig"))))
    assert {row["system"] for row in rows} == set(SYSTEMS)
    for row in rows:
        assert float(row["mean_low"]) < float(row["mean"]) < float(row["mean_high"])
        assert (row["judged"], row["answers"]) == ("4", "8")


def test_a_task_without_texts_is_refused_on_the_screen_that_chooses_it(toy, gold_keys):
    assert "Choose a task whose answers are texts." in PURPOSES["assessment"].unfit(toy.tasks.first())
    assert "Choose a task of ranked lists." in PURPOSES["pooled_grades"].unfit(toy.tasks.first())
