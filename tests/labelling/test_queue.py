"""Units are given out exactly as often as wanted, whatever workers do at once; no answer is lost or counts twice."""

import datetime as dt
import uuid
from random import Random

import pytest
from django.db import IntegrityError, connection, transaction

from labelling.exceptions import NotAtWork, NotTaken
from labelling.models import Answer, Assignment, Exclusion, Unit
from labelling.work.answers import give_answer
from labelling.work.campaigns import close_campaign, pause_campaign, resume_campaign
from labelling.work.checks import judge
from labelling.work.exclusions import exclude
from labelling.work.places import take_units
from labelling.work.returns import give_back, return_lapsed, stop
from tests.crowds import NOW, answers_of, broken_counts, hired, opened, say, text_unit, work_on
from tests.threads import at_once

pytestmark = pytest.mark.postgres

LATER = NOW + dt.timedelta(hours=1)


@pytest.fixture
def campaign(toy):
    return opened(toy, 4)


def test_every_unit_gets_the_answers_that_were_asked_for_and_nobody_gets_one_twice(campaign):
    workers = hired(campaign, 5)
    assert sum(work_on(worker) for worker in workers) == 12
    assert {unit.taken for unit in campaign.units.all()} == {3}
    assert not broken_counts(campaign)
    pairs = [(each.unit_id, each.worker_id) for each in Assignment.objects.all()]
    assert len(pairs) == len(set(pairs)) == 12


def test_of_many_at_once_none_gets_a_place_too_many(transactional_toy):
    campaign = opened(transactional_toy, 30)
    workers = hired(campaign, 24 if connection.vendor == "postgresql" else 8)
    lot = Random(5)

    def labour(worker):
        def act():
            done = 0
            while page := take_units(worker=worker, now=NOW):
                for assignment in page:
                    if lot.random() < 0.1:
                        give_back(assignment_id=assignment.pk, worker=worker, note="", now=NOW)
                    else:
                        say(assignment)
                        done += 1
            return done

        return act

    done = at_once([labour(worker) for worker in workers])
    assert all(isinstance(each, int) for each in done), done
    assert not broken_counts(campaign)
    assert not campaign.units.filter(taken__gt=3).exists()
    given_back = Assignment.objects.filter(status="returned").count()
    assert sum(done) == len(answers_of(campaign)) == Assignment.objects.count() - given_back
    # Whoever had given one back is not asked again, so that a unit may wait for newcomers.
    for newcomer in hired(campaign, 3):
        work_on(newcomer)
    assert {unit.taken for unit in campaign.units.all()} == {3}
    assert len(answers_of(campaign)) == 90


def test_pages_of_ten_exclusions_and_lapses_at_once_keep_the_books(transactional_toy):
    campaign = opened(transactional_toy, 40, page_size=10)
    workers = hired(campaign, 12)

    def labour(worker):
        def act():
            page = take_units(worker=worker, now=NOW)
            for assignment in page[:4]:
                say(assignment)
            if worker.number % 3 == 0:
                exclude(worker=worker, rule="organiser", reason="Too fast.", now=NOW)
            elif worker.number % 3 == 1:
                return_lapsed(LATER)

        return act

    done = at_once([labour(worker) for worker in workers])
    # Lapses of others' units may make an answer late, never an error.
    assert not [each for each in done if isinstance(each, Exception)], done
    assert not broken_counts(campaign)


def test_a_unit_that_is_not_answered_in_time_is_on_offer_again_and_its_late_answer_counts_while_a_place_is_free(
    campaign,
):
    first, *others = hired(campaign, 4)
    (late,) = take_units(worker=first, now=NOW)
    assert return_lapsed(NOW + dt.timedelta(minutes=29)) == 0
    assert return_lapsed(NOW + dt.timedelta(minutes=30)) == 1
    assert return_lapsed(LATER) == 0
    assert Unit.objects.get(pk=late.unit_id).taken == 0
    say(late, at=LATER)
    late.refresh_from_db()
    assert (late.status, late.holds_place) == ("answered", True)
    for other in others:
        work_on(other)
    assert {unit.taken for unit in campaign.units.all()} == {3}
    assert not broken_counts(campaign)


def test_a_late_answer_without_a_place_is_kept_and_does_not_count(campaign):
    slow, *others = hired(campaign, 4)
    (late,) = take_units(worker=slow, now=NOW)
    return_lapsed(LATER)
    for other in others:
        work_on(other, at=LATER)
    say(late, at=LATER)
    late.refresh_from_db()
    slow.refresh_from_db()
    assert (late.status, late.holds_place, slow.answered) == ("answered", False, 1)
    assert late.answers.count() == 1
    assert not broken_counts(campaign)


def test_the_same_answer_sent_twice_is_one(campaign):
    (worker,) = hired(campaign)
    (assignment,) = take_units(worker=worker, now=NOW)
    name = uuid.uuid4()
    first, again = say(assignment, client_id=name), say(assignment, "bad", client_id=name)
    assert first.answer == again.answer
    assert [each.value for each in answers_of(campaign)] == ["good"]


def test_undoing_adds_a_version_and_takes_no_further_place(campaign):
    (worker,) = hired(campaign)
    (assignment,) = take_units(worker=worker, now=NOW)
    say(assignment)
    say(assignment, "bad")
    assert [(each.version, each.value) for each in answers_of(campaign)] == [(1, "good"), (2, "bad")]
    worker.refresh_from_db()
    assert worker.answered == 1
    assert not broken_counts(campaign)


def test_answers_cannot_be_changed_or_removed(campaign):
    (worker,) = hired(campaign)
    (assignment,) = take_units(worker=worker, now=NOW)
    answer = say(assignment).answer
    for change in (lambda: Answer.objects.update(value="bad"), answer.delete):
        with pytest.raises(Exception, match="append-only"), transaction.atomic():
            change()


def test_the_database_refuses_a_place_too_many(campaign):
    with pytest.raises(IntegrityError), transaction.atomic():
        campaign.units.update(taken=4)


def test_nobody_answers_for_another(campaign):
    first, other = hired(campaign, 2)
    (assignment,) = take_units(worker=first, now=NOW)
    with pytest.raises(NotTaken):
        give_answer(
            assignment_id=assignment.pk,
            worker=other,
            sent={"label": ["good"]},
            client_id=uuid.uuid4(),
            milliseconds=0,
            now=NOW,
        )


def test_an_excluded_workers_units_are_labelled_again_and_the_answers_stay(campaign):
    bad, *others = hired(campaign, 4)
    work_on(bad)
    exclude(worker=bad, rule="organiser", reason="The same answer throughout.", now=NOW)
    assert {unit.taken for unit in campaign.units.all()} == {0}
    for other in others:
        work_on(other)
    assert {unit.taken for unit in campaign.units.all()} == {3}
    assert bad.assignments.filter(status="answered", holds_place=False).count() == 4
    assert len(answers_of(campaign)) == 16
    with pytest.raises(NotAtWork, match="The same answer throughout"):
        take_units(worker=bad, now=NOW)


def test_whoever_reloads_gets_the_same_page_until_it_is_answered(toy):
    campaign = opened(toy, 12, page_size=5)
    (worker,) = hired(campaign)
    page = take_units(worker=worker, now=NOW)
    assert [each.pk for each in take_units(worker=worker, now=NOW)] == [each.pk for each in page]
    for assignment in page[:3]:
        say(assignment)
    assert [each.pk for each in take_units(worker=worker, now=NOW)] == [each.pk for each in page[3:]]


def test_the_seed_alone_says_who_sees_what(toy):
    orders = []
    for _ in range(2):
        campaign = opened(toy, 9, order_seed=11)
        seen = []
        for worker in hired(campaign, 2):
            while page := take_units(worker=worker, now=NOW):
                seen += [(worker.number, assignment.unit.key) for assignment in page]
                say(page[0])
        orders.append(seen)
    assert orders[0] == orders[1]
    assert [key for number, key in orders[0] if number == 1] != [f"u{n}" for n in range(1, 10)]


def test_a_limit_per_worker_holds(toy):
    campaign = opened(toy, 10, most_per_worker=4, page_size=3)
    (worker,) = hired(campaign)
    assert work_on(worker) == 4


def test_a_paused_campaign_gives_nothing_and_takes_what_is_in_hand(campaign):
    (worker,) = hired(campaign)
    (assignment,) = take_units(worker=worker, now=NOW)
    pause_campaign(campaign=campaign, reason="The model is away.", now=NOW)
    with pytest.raises(NotAtWork, match="The model is away"):
        take_units(worker=worker, now=NOW)
    say(assignment)
    resume_campaign(campaign=campaign, now=LATER)
    assert take_units(worker=worker, now=LATER)


def test_a_closed_campaign_takes_nothing(campaign):
    (worker,) = hired(campaign)
    (assignment,) = take_units(worker=worker, now=NOW)
    close_campaign(campaign=campaign, now=NOW)
    with pytest.raises(NotTaken, match="closed"):
        say(assignment)
    assert not broken_counts(campaign)
    assert {unit.taken for unit in campaign.units.all()} == {0}


def test_stopping_gives_back_what_is_in_hand(campaign):
    (worker,) = hired(campaign)
    take_units(worker=worker, now=NOW)
    stop(worker=worker, now=NOW)
    assert {unit.taken for unit in campaign.units.all()} == {0}
    with pytest.raises(NotAtWork):
        take_units(worker=worker, now=NOW)


def checked(toy, **values):
    checks = [text_unit(f"c{n}", part="check", answer="good", reason="It says so.") for n in range(8)]
    return opened(toy, 40, more=checks, check_share=0.5, check_least=5, **values)


def test_check_questions_are_told_at_once_and_who_fails_them_is_excluded_with_the_numbers(toy):
    campaign = checked(toy)
    (worker,) = hired(campaign)
    told = []
    while worker.stage == "working":
        (assignment,) = take_units(worker=worker, now=NOW)
        taken = say(assignment, "bad")
        told += [taken.told] if assignment.unit.part == "check" else []
        worker = judge(worker, NOW)
    assert told == ["Good. It says so."] * 5
    (exclusion,) = Exclusion.objects.all()
    assert exclusion.numbers == {"seen": 5, "right": 0, "threshold": 0.7}
    assert "0 of 5 check questions" in worker.stage_because
    assert not campaign.units.filter(part="main", taken__gt=0).exists()


def test_who_answers_check_questions_rightly_goes_on(toy):
    campaign = checked(toy)
    (worker,) = hired(campaign)
    work_on(worker, "good")
    assert judge(worker, NOW).stage == "working"
    assert worker.checks_seen == worker.checks_right == 8
    assert worker.answered == 48


@pytest.mark.parametrize(("label", "stage"), [("good", "working"), ("bad", "screened_out")])
def test_qualification_comes_first_and_lets_in_by_the_threshold(toy, label, stage):
    asked = [text_unit(f"q{n}", part="qualification", answer="good") for n in range(4)]
    campaign = opened(toy, 3, more=asked, qualification_threshold=0.75)
    (worker,) = hired(campaign, stage="qualifying")
    for _ in range(4):
        (assignment,) = take_units(worker=worker, now=NOW)
        assert assignment.unit.part == "qualification"
        say(assignment, label)
        worker = judge(worker, NOW)
    assert worker.stage == stage


def test_a_threshold_that_is_just_reached_lets_in(toy):
    """0.56 times 25 is more than 14 in floating point."""
    asked = [text_unit(f"q{n}", part="qualification", answer="good") for n in range(25)]
    campaign = opened(toy, 1, more=asked, qualification_threshold=0.56, page_size=25)
    (worker,) = hired(campaign, stage="qualifying")
    for place, assignment in enumerate(take_units(worker=worker, now=NOW)):
        say(assignment, "good" if place < 14 else "bad")
    assert judge(worker, NOW).stage == "working"
