"""Who is let in by the median of all who have answered the first questions, over the pages that workers see."""

import re
from functools import partial
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from labelling.admin.workers import said_of
from labelling.models import Worker
from labelling.pages.work import progress_of
from labelling.work.checks import judge
from labelling.work.exclusions import let_in
from labelling.work.places import take_units
from labelling.work.platforms import PLATFORMS, study_address
from labelling.work.returns import go_on, stop
from tests.conftest import the_toy
from tests.crowds import NOW, hired, opened, say, text_unit, work_on
from tests.labelling.test_worker_pages import enter, page, send
from tests.pages import text_of
from tests.threads import at_once

QUESTIONS = [text_unit(f"q{n}", part="qualification", answer="good") for n in range(4)]


def asking(benchmark, of=3, **values):
    """A campaign that takes the median of so many people."""
    return opened(benchmark, 3, more=QUESTIONS, qualification_median_of=of, **values)


def answered(campaign, right):
    """The browser of somebody new who has so many of the four first questions right, and what it shows."""
    address = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0]
    browser = Client()
    shown = enter(browser, f"{address}?PROLIFIC_PID=p{campaign.workers.count()}")
    for place in range(4):
        shown = send(browser, campaign, shown, label="good" if place < right else "bad")
    return browser, text_of(shown)


def stages(campaign):
    return [worker.stage for worker in campaign.workers.order_by("number")]


def test_people_wait_for_the_others_and_then_the_better_half_finds_work_at_the_same_address(toy):
    campaign = asking(toy)
    first, told = answered(campaign, 3)
    assert "1 of the 3 people who are awaited have answered them." in told
    assert "You answered 3 of 4 first questions as expected." in told
    assert re.search(r"\d+-D-\w{10}", told)
    second, told = answered(campaign, 2)
    assert "2 of the 3 people" in told
    assert "1 of the 3 people" not in text_of(first.get(page(campaign)))
    assert stages(campaign) == ["waiting", "waiting"]
    assert not campaign.units.filter(part="main", taken__gt=0).exists()

    _, told = answered(campaign, 4)

    assert "The text of u" in told
    assert stages(campaign) == ["working", "screened_out", "working"]
    assert "The text of u" in text_of(first.get(page(campaign)))
    ended = text_of(second.get(page(campaign), follow=True))
    assert "2 of 4 qualification questions as expected, and 3 are needed" in ended
    assert re.search(r"\d+-S-\w{10}", ended)


def test_whoever_comes_later_is_judged_at_once_by_the_median_so_far(toy):
    campaign = asking(toy, of=1)
    for right in (3, 3, 2, 4, 3):
        answered(campaign, right)
    assert stages(campaign) == ["working", "working", "screened_out", "working", "working"]


def test_nobody_goes_round_the_wait_by_stopping(toy):
    campaign = asking(toy)
    browser, _ = answered(campaign, 0)
    browser.post(page(campaign, "stop"))
    browser.post(page(campaign, "go_on"))
    worker = campaign.workers.get()
    assert worker.stage == "waiting"
    Worker.objects.filter(pk=worker.pk).update(stage="qualifying")  # cut off before it was judged
    stop(worker=worker, now=NOW)
    go_on(worker=worker, now=NOW)
    assert judge(worker, NOW).stage == "waiting"


def test_who_waits_is_let_in_by_hand_and_finds_work(toy):
    campaign = asking(toy)
    browser, _ = answered(campaign, 1)
    let_in(worker=campaign.workers.get(), now=NOW)
    assert "The text of u" in text_of(browser.get(page(campaign)))


def test_who_still_waits_when_the_campaign_is_closed_reads_the_last_page(toy):
    campaign = asking(toy)
    browser, _ = answered(campaign, 1)
    campaign.status, campaign.closed_at = "closed", NOW
    campaign.save()
    assert browser.get(page(campaign)).url == page(campaign, "end")


def qualified(toy, **values):
    """Somebody who has answered three qualification questions, and is about to label."""
    asked = [text_unit(f"q{n}", part="qualification", answer="good") for n in range(3)]
    known = [text_unit("c1", part="check", answer="good")] if values.get("check_share") else []
    campaign = opened(toy, 12, more=[*asked, *known], **{"answers_wanted": 1, **values})
    (worker,) = hired(campaign, stage="qualifying")
    for _ in range(3):
        say(take_units(worker=worker, now=NOW)[0])
    return judge(worker, NOW)


def test_qualification_questions_are_beside_the_most_units_per_worker(toy):
    worker = qualified(toy, most_per_worker=3)
    assert progress_of(worker, "").done == 0
    assert work_on(worker) == 3
    worker.refresh_from_db()
    assert progress_of(worker, "{done} of {total}").words == "3 of 3"


def test_qualification_questions_are_no_check_questions(toy):
    worker = qualified(toy, check_share=0.5, check_least=100)
    assert (worker.checks_seen, worker.qualification_answered) == (0, 3)
    work_on(worker, "bad")
    worker.refresh_from_db()
    assert (worker.checks_right, worker.checks_seen) == (0, 1)
    assert "0 of 1 check questions right" in " ".join(said_of(worker))
    assert "3 of 3 qualification questions right" in " ".join(said_of(worker))
    # What is to be labelled are the twelve units alone.
    assert (worker.answered, progress_of(worker, "{done} of {total}").words) == (16, "12 of 12")


def test_an_upgrade_counts_check_questions_apart_from_qualification_questions(toy):
    worker = qualified(toy, check_share=0.5, check_least=100)
    work_on(worker, "bad")
    Worker.objects.update(checks_seen=4, checks_right=3, qualification_answered=0)  # as it was before
    import_module("labelling.migrations.0009_qualification_questions_apart").count_apart(apps, None)
    worker.refresh_from_db()
    assert (worker.checks_right, worker.checks_seen, worker.qualification_answered) == (0, 1, 3)


@pytest.mark.postgres
def test_of_two_who_answer_at_once_none_waits_for_ever(transactional_db, gold_keys):
    campaign = asking(the_toy(), of=2)
    workers = hired(campaign, 2, stage="qualifying")
    for worker in workers:
        while given := take_units(worker=worker, now=NOW):
            for assignment in given:
                say(assignment)
    at_once([partial(judge, worker, NOW) for worker in workers])
    assert stages(campaign) == ["working", "working"]
