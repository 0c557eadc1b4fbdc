"""How a campaign stands on its page, whom a rule excludes, and what an export tells."""

import datetime as dt
import re

from benchmarks.admin.organised.links import address
from labelling.admin.overview.charts import curve_of, swarm_of
from labelling.admin.overview.page import overview_of
from labelling.core.questions.question import CampaignQuestion
from labelling.models import Campaign, CampaignFigures, Exclusion
from labelling.outcomes.settling import settle_due
from labelling.work.campaigns import close_campaign, pause_campaign
from labelling.work.exclusions import exclude, let_in
from labelling.work.places import take_units
from leaderboard.admin.home.waiting import what_waits
from tests.crowds import NOW, hired, new_campaign, opened, say, text_unit, work_on
from tests.labelling.test_admin_campaigns import last_log, organiser, press
from tests.pages import browser_of, read, text_of

__all__ = ["organiser", "press"]

DAY = dt.timedelta(days=1)


def said(campaign, now=NOW):
    campaign.refresh_from_db()
    overview = overview_of(campaign, now)
    return f"{overview.first} {overview.rest}"


def by_label(campaign, now=NOW):
    return {figure.label: (figure.value, figure.note) for figure in overview_of(campaign, now).figures}


def figures(campaign, count, at=NOW, **report):
    return CampaignFigures.objects.create(campaign=campaign, answer_count=count, report=report, made_at=at)


def test_the_first_sentence_says_how_it_stands_at_every_stage(toy, gold_keys):
    draft = new_campaign(toy)
    assert said(draft) == "A draft without units. Add what is to be labelled, then open it."
    campaign = opened(toy, 4, answers_wanted=2)
    assert said(campaign).startswith("Open, and nobody has answered yet.")
    first, _ = hired(campaign, 2)
    work_on(first, at=NOW - DAY / 2)
    assert (
        said(campaign)
        == "50 % of the answers are in. At the pace of the last day the rest comes in 12 hours."
    )
    assert said(campaign, NOW + 3 * DAY) == "50 % of the answers are in. In the last day nothing came in."
    pause_campaign(campaign=campaign, reason="Back on Monday.", now=NOW)
    assert said(campaign) == "Paused. Workers read: Back on Monday."
    close_campaign(campaign=campaign, now=NOW)
    assert said(campaign) == "Closed. A worker of the server makes the outcome within minutes."
    campaign.outcome_problem = "No sentence has the 5 answers that it needs."
    campaign.save()
    assert said(campaign) == "Closed without an outcome. No sentence has the 5 answers that it needs."


def test_units_count_as_answered_once_all_their_answers_are_in_and_none_is_in_a_hand(toy, gold_keys):
    campaign = opened(toy, 3, answers_wanted=1)
    first, second = hired(campaign, 2)
    work_on(first, most=1)
    take_units(worker=second, now=NOW)
    assert by_label(campaign)["Units answered"] == ("1", "of 3, 33 %")
    assert by_label(campaign)["Time worked"] == ("0.0 h", "4.0 s an answer on average")
    group = overview_of(campaign, NOW).groups[0]
    assert (group.name, group.done, group.total) == ("", 1, 3)


def test_agreement_reaches_the_page_from_the_figures_of_a_worker(toy, gold_keys, organiser):
    campaign = opened(toy, 2, is_sealed=True)
    work_on(hired(campaign, 3)[0])
    told = {"pairs": [1 / 3, 0.2, 0.4, ""], "alpha": [0.1, None, None, ""], "fleiss": [0.1, None, None, ""]}
    figures(campaign, 1, agreement=told, workers=[[1, 6, 6], [2, 6, 6], [3, 6, 0]])
    page = text_of(browser_of(organiser).get(address(campaign)))
    assert "Two people who answer the same say the same in 33 % of cases (20 % to 40 %)." in page
    assert "Krippendorff" in page
    overview = overview_of(campaign, NOW)
    assert overview.swarm is not None
    assert [dot.title for dot in overview.swarm.dots] == [
        "Worker 3: 0 %",
        "Worker 1: 100 %",
        "Worker 2: 100 %",
    ]


def test_reliability_of_best_and_worst_takes_the_place_of_agreement(toy):
    campaign = new_campaign(toy)
    told = {"split-half reliability, Spearman": 0.824, "split-half reliability, Pearson": 0.83}
    figures(campaign, 10, figures=told)
    assert by_label(campaign)["Split-half reliability"][0] == "0.824"


def test_the_curve_has_a_point_for_each_day_and_its_interval(toy):
    campaign = new_campaign(toy)
    history = [
        figures(campaign, hours + 1, NOW + hours * DAY / 24, agreement={"alpha": [value, low, high, ""]})
        for hours, value, low, high in [
            (0, 0.3, 0.1, 0.5),
            (5, 0.4, 0.2, 0.6),
            (24, 0.5, 0.4, 0.6),
            (48, 0.6, 0.55, 0.65),
        ]
    ]
    curve = curve_of(history)
    assert curve is not None
    assert (len(curve.points), curve.last, bool(curve.band)) == (3, "0.600", True)
    assert curve.told == "Krippendorff's alpha: 0.400 at first, 0.600 now"
    assert [point.y for point in curve.points] == sorted((point.y for point in curve.points), reverse=True)
    assert all(0 <= point.x <= 500 and 0 <= point.y <= 228 for point in curve.points)
    assert curve_of(history[:1]) is None


def test_dots_of_equal_agreement_are_stacked_and_the_excluded_are_hollow(toy, gold_keys):
    campaign = opened(toy, 2)
    (worker,) = hired(campaign, 1)
    exclude(worker=worker, rule="organiser", reason="No.", numbers={"agreement": 0.5}, now=NOW)
    newest = figures(campaign, 1, workers=[[2, 10, 9], [3, 10, 9], [4, 4, 4]])
    swarm = swarm_of(newest, list(campaign.workers.all()))
    assert swarm is not None
    assert [(dot.title, dot.is_excluded) for dot in swarm.dots] == [
        ("Worker 1: 50 %, excluded", True),
        ("Worker 2: 90 %", False),
        ("Worker 3: 90 %", False),
    ]
    assert swarm.dots[1].y - swarm.dots[2].y == 9


def test_a_rule_shows_whom_it_hits_before_anybody_is_excluded(toy, press, gold_keys):
    campaign = opened(toy, 3)
    workers = hired(campaign, 3)
    for worker in workers:
        work_on(worker, most=1)
    figures(campaign, 3, workers=[[1, 10, 1], [2, 10, 9], [3, 3, 0]])
    sent = {"rule": "disagreement", "below": "0.2", "least": "5"}

    shown = press(campaign, "exclude_by_rule", **sent)
    assert "Exclude 1 worker of Moods?" in text_of(shown)
    assert not Exclusion.objects.exists()

    seen = shown.context["question"].form["seen"].value()
    page = text_of(press(campaign, "exclude_by_rule", **sent, seen=seen))
    assert "1 worker is excluded; others get the units again." in page
    exclusion = Exclusion.objects.get()
    assert (exclusion.worker, exclusion.rule) == (workers[0], "disagreement")
    assert exclusion.reason == (
        "1 of 10 answers are those of most others; at least 20 % are needed. All work is paid."
    )
    assert last_log().what == (
        "Excluded by a rule (Agreement with the majority of the others below 0.2, at least 5): workers 1."
    )


def test_a_rule_is_asked_again_when_it_hits_others_than_were_shown(toy, press, gold_keys):
    campaign = opened(toy, 3)
    hired(campaign, 2)
    figures(campaign, 3, workers=[[1, 10, 1]])
    sent = {"rule": "disagreement", "below": "0.2", "least": "5"}
    seen = press(campaign, "exclude_by_rule", **sent).context["question"].form["seen"].value()
    figures(campaign, 4, NOW + DAY, workers=[[1, 10, 1], [2, 10, 0]])
    assert "Exclude 2 workers of Moods?" in text_of(press(campaign, "exclude_by_rule", **sent, seen=seen))
    assert not Exclusion.objects.exists()


def test_a_rule_about_check_questions_counts_them_as_they_are(toy, press, gold_keys):
    campaign = opened(toy, 2, more=[text_unit("c1", part="check", answer="good")])
    hired(campaign, 2, checks_seen=6, checks_right=3)
    sent = {"rule": "check_questions", "below": "0.6", "least": "5"}
    assert "3 of 6" in text_of(press(campaign, "exclude_by_rule", **sent))
    assert "Nobody of Moods is hit" in text_of(press(campaign, "exclude_by_rule", **sent | {"least": "7"}))


def test_without_figures_agreement_excludes_nobody(toy, press, gold_keys):
    campaign = opened(toy, 2)
    sent = {"rule": "disagreement", "below": "0.2", "least": "5"}
    assert "How far workers agree is not known yet" in text_of(press(campaign, "exclude_by_rule", **sent))


def test_an_export_has_fresh_numbers_and_no_account_or_outside_id(toy, press, gold_keys):
    from labelling.models import OutsideId

    campaign = opened(toy, 20)
    first, second = hired(campaign, 2)
    OutsideId.objects.create(worker=first, platform="prolific", value="5f3a9")
    for worker in (first, second):
        work_on(worker)
    files = [read(press(campaign, "export_answers")).decode() for _ in range(12)]
    heads, *lines = files[0].splitlines()
    assert heads.startswith("unit,worker,label,note,part,group,counts,seconds")
    assert len(lines) == 40
    assert re.fullmatch(r"u\d+,1,good,,main,,yes,4\.0.*", lines[0])
    assert not any("5f3a9" in file for file in files)
    assert last_log().what == "Exported the answers."


def test_numbers_of_an_export_are_drawn_anew(toy, gold_keys):
    from labelling.admin.answer_export import export_answers

    campaign = opened(toy, 1)
    first, second = hired(campaign, 2)
    for worker, label in ((first, "good"), (second, "bad")):
        work_on(worker, label)
    assert len({export_answers(campaign) for _ in range(30)}) == 2


def test_sealed_answers_are_exported_by_no_page(toy, press, gold_keys):
    campaign = opened(toy, 2, is_sealed=True)
    (worker,) = hired(campaign, 1)
    work_on(worker)
    page = press(campaign, "export_answers")
    assert "The answers are sealed: no web page can read them" in text_of(page)
    assert "attachment" not in page.get("Content-Disposition", "")


def test_values_and_agreement_are_there_once_it_is_closed(toy, press, gold_keys):
    campaign = opened(toy, 2, purpose="answers", answers_wanted=3)
    for number, worker in enumerate(hired(campaign, 3)):
        while page := take_units(worker=worker, now=NOW):
            for assignment in page:
                say(assignment, "good" if assignment.unit.key == "u1" or number == 0 else "bad")
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    lines = read(press(campaign, "export_values")).decode().splitlines()
    assert lines == [
        "item,value,answers,disagreeing,deviation",
        "u1,good,3,0.0000,",
        "u2,bad,3,0.3333,",
    ]
    assert by_label(campaign)["Krippendorff's alpha"][0] == "0.38"  # 1 - (1/3) / (8/15)


def test_values_of_sealed_answers_are_exported_by_no_page(toy, press, gold_keys):
    campaign = opened(toy, 1, purpose="answers", answers_wanted=1, is_sealed=True)
    work_on(hired(campaign)[0])
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    assert campaign.outcomes.get().values is None
    assert "The answers are sealed" in text_of(press(campaign, "export_values"))


def test_a_changed_answer_is_exported_once_in_its_newest_version(toy, gold_keys):
    from labelling.admin.answer_export import export_answers

    campaign = opened(toy, 1)
    (worker,) = hired(campaign, 1)
    (assignment,) = take_units(worker=worker, now=NOW)
    say(assignment, "bad")
    say(assignment, "good")
    assert export_answers(campaign).decode().splitlines()[1].startswith("u1,1,good,")


def waits():
    return [
        re.sub("<[^>]+>", "", one.sentence)
        for one in what_waits(frozenset({"toy"}), NOW)
        if "Moods" in one.sentence
    ]


def test_what_waits_for_the_organiser_names_campaigns(toy, gold_keys):
    campaign = opened(toy, 1, answers_wanted=1)
    (worker, _) = hired(campaign, 2, stage="waiting")
    assert waits() == ["Moods: 2 workers wait to be let in."]
    let_in(worker=worker, now=NOW)
    (assignment,) = take_units(worker=worker, now=NOW)
    assert waits() == ["Moods: 1 worker waits to be let in."]
    say(assignment)
    assert waits()[0] == "Moods has all its answers: close it, and the outcome is made."
    pause_campaign(campaign=campaign, reason="The model is away.", now=NOW)
    assert waits()[0] == "Moods is paused and goes on when you resume it. Workers read: The model is away."
    close_campaign(campaign=campaign, now=NOW)
    assert waits() == []
    Campaign.objects.update(outcome_problem="The campaign names no task.")
    assert waits() == ["Moods is closed without an outcome. The campaign names no task."]


def test_a_draft_waits_for_nothing(toy):
    new_campaign(toy)
    assert waits() == []


def test_values_of_yes_and_no_are_exported_as_files_of_answers_write_them(toy, press, gold_keys):
    campaign = opened(toy, 2, CampaignQuestion("yes_no", "Is it so?"), purpose="minimality", answers_wanted=1)
    work_on(hired(campaign)[0], "no")
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    lines = read(press(campaign, "export_values")).decode().splitlines()
    assert lines[1:] == ["u1,no,1,0.0000,", "u2,no,1,0.0000,"]
