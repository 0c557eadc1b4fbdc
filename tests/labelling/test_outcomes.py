"""What becomes of the answers of a closed campaign: labels, rows of people, shares; the same each time, and sealed."""

import datetime as dt
import json

import pytest

from benchmarks.admin.organised.links import address
from benchmarks.models import Phase
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Outcome
from labelling.outcomes import PURPOSES
from labelling.outcomes.answers_read import newest_answers
from labelling.outcomes.settling import settle_due, settled
from labelling.units.from_campaign import units_from_campaign
from labelling.units.new_units import store_units
from labelling.work.campaigns import close_campaign, open_campaign, want_outcome
from labelling.work.exclusions import exclude
from labelling.work.imports import import_answers
from labelling.work.places import take_units
from leaderboard.assembly.people import people_rows
from scoring.gold.box_opening import open_sealed_file, open_version
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion
from tests.conftest import TOY_DEFINITION, TOY_GOLD, synced
from tests.crowds import NOW, hired, new_campaign, opened, say, text_unit, work_on
from tests.dump import database_dump
from tests.labelling.test_admin_campaigns import organiser
from tests.pages import browser_of, text_of

__all__ = ["organiser"]


def answered(campaign, said):
    """The campaign with these answers, by unit the labels of workers in turn, and closed."""
    lines = ["unit,worker,label"]
    lines += [
        f"{unit},w{n},{label}" for unit, labels in said.items() for n, label in enumerate(labels.split())
    ]
    import_answers(campaign=campaign, data="\n".join([*lines, ""]).encode(), file_name="a.csv", now=NOW)
    close_campaign(campaign=campaign, now=NOW)
    return campaign


def asked(toy, keys, **values):
    campaign = new_campaign(toy, task=toy.tasks.get(slug="mood"), is_sealed=True, **values)
    store_units(campaign=campaign, units=[text_unit(key) for key in keys])
    open_campaign(campaign=campaign, now=NOW)
    return campaign


MOODS = {"n1": "good good bad", "n2": "bad bad bad", "n3": "good bad good", "n4": "bad good bad"}


def made_gold(toy, **values):
    """A campaign whose answers become gold labels of the toy's development data."""
    return answered(asked(toy, MOODS, purpose="gold_labels", split_slug="test", **values), MOODS)


def test_the_majority_becomes_sealed_gold_labels_with_their_origin(toy):
    campaign = made_gold(toy)
    assert settle_due(NOW) == 1
    (outcome,) = campaign.outcomes.all()
    version = outcome.gold_version
    labels = open_version(version)[1]
    named = [toy.tasks.get(slug="mood").spec.output.labels[code] for code in labels.codes]
    assert dict(zip(labels.ids, named, strict=True)) == {"n1": "good", "n2": "bad", "n3": "good", "n4": "bad"}
    assert version == GoldVersion.objects.current().get(split__task__slug="mood", split__slug="test")
    assert f"Campaign {campaign.pk}: majority of 12 answers by 3 workers; 0 items set aside." == version.note


def test_settling_again_without_being_asked_does_nothing(toy):
    made_gold(toy)
    assert [settle_due(NOW), settle_due(NOW)] == [1, 0]
    assert Outcome.objects.count() == 1


def test_an_outcome_that_is_asked_for_again_is_the_same(toy):
    campaign = made_gold(toy, rule="plurality", answers_wanted=4)
    settle_due(NOW)
    want_outcome(campaign=campaign, clues_are_known=False)
    settle_due(NOW)
    first, second = campaign.outcomes.order_by("number")
    assert first.answers_sha256 == second.answers_sha256
    boxes = [
        json.loads(open_sealed_file(bytes(one.sealed.box), one.sealed.commitment)) for one in (first, second)
    ]
    assert boxes[0] == boxes[1]


def test_ties_are_drawn_by_a_sealed_seed_and_the_draw_repeats(toy):
    ties = {f"t{number}": "good bad" for number in range(40)}
    campaign = answered(asked(toy, ties, purpose="answers", rule="plurality"), ties)
    drawn = settled(campaign, NOW).values
    assert settled(campaign, NOW).values == drawn
    assert set(drawn.values()) == {"good", "bad"}
    another = answered(asked(toy, ties, purpose="answers", rule="plurality"), ties)
    assert settled(another, NOW).values != drawn
    assert campaign.sealed_seed != another.sealed_seed


def test_answers_of_the_excluded_do_not_count_and_the_newest_version_does(toy):
    campaign = opened(toy, 1, answers_wanted=3, rule="majority", purpose="answers", is_sealed=True)
    first, bad, third, fourth = hired(campaign, 4)
    (assignment,) = take_units(worker=first, now=NOW)
    say(assignment, "bad")
    say(assignment, "good")
    work_on(bad, "bad")
    exclude(worker=bad, rule="organiser", reason="Careless.", now=NOW)
    work_on(third, "good")
    work_on(fourth, "bad")
    assert sorted((worker, value) for _, worker, value, _ in newest_answers(campaign)) == [
        (1, "good"),
        (3, "good"),
        (4, "bad"),
    ]


def test_what_cannot_be_finished_is_said_and_stops_nothing_else(toy):
    empty = opened(toy, 1, purpose="answers")
    close_campaign(campaign=empty, now=NOW)
    other = made_gold(toy)
    assert settle_due(NOW) == 1
    empty.refresh_from_db()
    assert empty.outcome_problem == "Nobody has answered anything that counts."
    assert other.outcomes.count() == 1


def test_sealed_answers_and_outcomes_stand_nowhere_in_plain_text(toy):
    secret = CampaignQuestion("one_label", "Which?", (Option("zebra", "Zebra"), Option("quagga", "Quagga")))
    campaign = opened(toy, 2, secret, purpose="answers", is_sealed=True)
    before = database_dump().count(b"zebra")
    for worker in hired(campaign, 3):
        work_on(worker, "zebra")
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    assert campaign.outcomes.get().item_count == 2
    assert database_dump().count(b"zebra") == before == 1


def people(toy):
    Phase.objects.filter(benchmark=toy).update(disclosure="exact")
    (row,) = people_rows(toy)
    return row


SAMPLE = {"m1": "good good bad", "m2": "good good good", "m3": "good good bad", "m4": "bad bad bad"}


def sampled(toy, **values):
    campaign = asked(toy, SAMPLE, purpose="human_row", split_slug="test", rule="plurality", **values)
    return answered(campaign, SAMPLE)


def test_people_who_answered_a_sample_are_scored_and_become_a_row(toy):
    sampled(toy, row_name="Three of us")
    settle_due(NOW)
    row = people(toy)
    cells = row.splits["mood", "test"].cells
    # Right on m1, m2 and m4; m3 is bad.
    assert cells["accuracy"].value == 0.75
    assert cells["f1_macro"].value == pytest.approx((0.8 + 2 / 3) / 2)
    assert cells["accuracy"].ci_low < 0.75 < cells["accuracy"].ci_high
    assert row.name == "Three of us"
    assert row.source([("mood", "test")]) == "12 answers on a sample of 4 items"


def test_a_second_row_of_people_is_about_the_same_items(toy):
    first = sampled(toy, row_name="Three of us")
    again = new_campaign(
        toy,
        task=first.task,
        purpose="human_row",
        split_slug="test",
        rule="plurality",
        after=first,
        row_name="Others",
        is_sealed=True,
    )
    assert units_from_campaign(campaign=again) == 4
    open_campaign(campaign=again, now=NOW)
    answered(again, dict.fromkeys(SAMPLE, "good good good"))
    assert settle_due(NOW) == 2
    Phase.objects.filter(benchmark=toy).update(disclosure="exact")
    rows = {row.name: row.splits["mood", "test"] for row in people_rows(toy)}
    assert {name: (each.sample, each.cells["accuracy"].value) for name, each in rows.items()} == {
        "Three of us": (4, 0.75),
        "Others": (4, 0.5),
    }


def test_the_items_of_another_split_are_not_taken_over(toy):
    first = sampled(toy)
    again = new_campaign(toy, task=first.task, split_slug="dev", after=first)
    with pytest.raises(CannotChangeCampaign, match="is about another split"):
        units_from_campaign(campaign=again)


def test_the_row_waits_while_a_phase_guards_labels(toy):
    sampled(toy)
    settle_due(NOW)
    end = NOW + dt.timedelta(days=60)
    Phase.objects.filter(benchmark=toy).update(disclosure="open", closes_at=end, one_per_team=True)
    assert people_rows(toy) == ()


def test_new_gold_labels_have_people_scored_again(toy):
    campaign = sampled(toy)
    settle_due(NOW)
    changed = TOY_GOLD["mood"].replace(b"m3,bad", b"m3,good")
    load_gold(task=toy.tasks.get(slug="mood"), data=changed, file_name="mood.csv", now=NOW)
    assert settle_due(NOW) == 1
    assert campaign.outcomes.count() == 2
    assert people(toy).splits["mood", "test"].cells["accuracy"].value == 1.0


def test_every_purpose_names_kinds_and_rules_that_exist():
    for purpose in PURPOSES:
        assert set(purpose.question_kinds) <= set(QUESTION_KINDS.keys()), purpose.key
        for kind in purpose.question_kinds:
            reads = any(kind in rule.question_kinds for rule in purpose.offered_rules())
            assert reads or purpose.rules == () or kind == "writing", (purpose.key, kind)


def test_items_that_belong_together_are_drawn_together_for_a_row_of_people(toy):
    sampled(toy)
    settle_due(NOW)
    alone = people(toy).splits["mood", "test"].cells["accuracy"]
    gold_file = "{path: mood.csv, id_column: ID, label_column: Label, columns: [ID, Thread, Label]"
    threaded = f"test_size: 6, gold_file: {gold_file}, cluster_column: Thread}},"
    task = synced(TOY_DEFINITION.replace("test_size: 6,", threaded)).tasks.get(slug="mood")
    threads = b"ID,Thread,Label\nm1,a,good\nm2,a,good\nm3,b,bad\nm4,b,bad\nm5,b,good\nm6,b,bad\n"
    load_gold(task=task, data=threads, file_name="mood.csv", now=NOW)
    assert settle_due(NOW) == 1
    together = people(toy).splits["mood", "test"].cells["accuracy"]
    assert together.value == alone.value
    assert together.ci_high - together.ci_low > 1.1 * (alone.ci_high - alone.ci_low)


def test_how_far_a_row_rests_on_drawn_ties_stands_on_the_campaigns_page(toy, organiser):
    campaign = asked(toy, SAMPLE, purpose="human_row", split_slug="test", rule="plurality", answers_wanted=2)
    answered(campaign, {"m1": "good bad", "m2": "good good", "m3": "bad bad", "m4": "bad bad"})
    settle_due(NOW)
    report = campaign.outcomes.get().report
    assert report["tied"] == 1
    found = report["expected"]["accuracy"]
    assert (found["highest"] - found["lowest"], found["draws"], found["is_exact"]) == (0.25, 2, True)
    assert found["mean"] == (found["highest"] + found["lowest"]) / 2
    shown = text_of(browser_of(organiser).get(address(campaign)))
    assert "The label of 1 item was drawn" in shown
    assert f"{found['mean']:.3f}" in shown
    end = NOW + dt.timedelta(days=60)
    Phase.objects.filter(benchmark=toy).update(disclosure="open", closes_at=end, one_per_team=True)
    assert "What people score" not in text_of(browser_of(organiser).get(address(campaign)))
