"""Campaigns in the admin: what organisers press, what they are told, and who may look."""

import html

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import AuditEntry
from benchmarks.admin.organised.links import address
from benchmarks.people.models import Role
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.models import AskedModel, Campaign, Exclusion, OutsideId, Worker
from labelling.work.campaigns import close_campaign
from tests.conftest import person
from tests.crowds import NOW, hired, new_campaign, opened, text_unit, work_on
from tests.labelling.test_unit_files import FOURS
from tests.pages import browser_of, text_of
from tests.people import appoint

UNITS = b"id,text,part,answer,reason\nu1,A.,,,\nu2,B.,,,\nc1,C.,check,good,It is praised.\n"


@pytest.fixture
def organiser(toy):
    user = person("organiser")
    appoint(toy, user)
    return user


@pytest.fixture
def press(organiser):
    """What a button of a row answers once its question was confirmed, followed to the page that it leads to."""
    browser = browser_of(organiser)

    def pressed(row, name, **sent):
        to = f"{address(row).removesuffix('change/')}{name}/"
        return browser.post(to, {"confirmed": "yes", **sent}, follow=True)

    return pressed


def upload(data=UNITS, name="units.csv"):
    return SimpleUploadedFile(name, data)


def last_log():
    return AuditEntry.objects.latest("pk")


def test_a_draft_is_filled_opened_paused_resumed_and_closed_and_each_step_is_in_the_log(
    toy, press, gold_keys
):
    campaign = new_campaign(toy)
    said = []
    for name, sent in [
        ("add_units", {"file": upload()}),
        ("open_it", {}),
        ("pause", {"reason": "Back on Monday."}),
        ("resume", {}),
        ("close", {}),
    ]:
        page = text_of(press(campaign, name, **sent))
        campaign.refresh_from_db()
        said.append((campaign.status, last_log().what))
        assert campaign.title in page
    assert said == [
        ("draft", "3 units, 1 of them check questions."),
        ("open", "Opened."),
        ("paused", "Paused: Back on Monday."),
        ("open", "Resumed."),
        ("closed", "Closed."),
    ]


def test_what_opening_fixes_and_costs_is_said_before(toy, organiser):
    campaign = new_campaign(toy)
    browser = browser_of(organiser)
    row = address(campaign).removesuffix("change/")
    browser.post(f"{row}add_units/", {"confirmed": "yes", "file": upload()})

    page = text_of(browser.get(f"{row}open_it/"))

    assert (
        "2 units are given out until each has 3 answers that count: 6 in all, beside 1 check questions."
        in page
    )
    assert "the units and the seed are fixed" in page
    assert "Answers are not sealed" in page


@pytest.mark.parametrize(
    ("name", "values", "sent", "sentence"),
    [
        ("open_it", {}, {}, "There are no units yet."),
        ("pause", {}, {"reason": "Why."}, "The campaign is draft, so this cannot be done."),
        ("pause", {}, {}, "This field is required."),
        ("resume", {}, {}, "The campaign is draft, so this cannot be done."),
        ("close", {}, {}, "The campaign is draft, so this cannot be done."),
        ("make_again", {}, {}, "The campaign is draft, so this cannot be done."),
        ("add_units", {}, {}, "This field is required."),
        ("draw_units", {"split_slug": "dev"}, {}, "There is no split “dev” yet"),
        ("draw_units", {"split_slug": "test"}, {}, "has no texts. Upload them first."),
        ("import_answers", {}, {"file": "answers"}, "Open it first."),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(toy, press, gold_keys, name, values, sent, sentence):
    campaign = new_campaign(toy, **values)
    if sent.get("file"):
        sent = {"file": upload(b"unit,worker,label,note\n", "answers.csv")}
        campaign.units.create(key="u1", items=["u1"], shown=[[["text", "A."]]], draw=0)
        sent["file"] = upload(b"unit,worker,label,note\nu1,w1,good,\n", "answers.csv")
    before = Campaign.objects.values().get()
    page = text_of(press(campaign, name, **sent))
    assert sentence in page
    assert Campaign.objects.values().get() == before


def test_faults_of_a_file_of_units_are_told_with_their_lines(toy, press):
    campaign = new_campaign(toy, FOURS)
    page = text_of(press(campaign, "add_units", file=upload(b"id,text,part\nt1,A.,dev\nt1,B.,\n")))
    assert "units.csv, line 2, column part: “dev” is no part of a campaign" in page
    assert "units.csv, line 3, column id: The id “t1” stands on line 2 already." in page
    assert not campaign.units.exists()


def test_answers_given_elsewhere_are_taken_in(toy, press, gold_keys):
    campaign = opened(toy, 2)
    data = b"unit,worker,label,note\nu1,anna,good,\nu2,anna,bad,\nu1,ben,good,\n"
    page = text_of(press(campaign, "import_answers", file=upload(data, "answers.csv")))
    assert "3 answers of 2 workers were taken in; 3 count." in page
    assert campaign.workers.count() == 2


def test_a_worker_is_excluded_with_a_reason_after_the_numbers_are_shown(toy, press, organiser, gold_keys):
    campaign = opened(toy, 3)
    worker, other = hired(campaign, 2)
    work_on(worker), work_on(other)
    worker.refresh_from_db()

    shown = text_of(browser_of(organiser).get(f"{address(worker).removesuffix('change/')}exclude_it/"))
    assert "3 answered; no check question." in shown
    assert "Half of the answers took 4.0 s or less" in shown
    assert "an exclusion is no rejection" in shown

    page = text_of(press(worker, "exclude_it", reason="Always the first option."))
    assert "Worker 1 is excluded; others get the units again." in page
    exclusion = Exclusion.objects.get()
    assert (exclusion.by, exclusion.reason) == (organiser, "Always the first option.")
    assert exclusion.numbers["answered"] == 3
    assert last_log().what == "Excluded: Always the first option."
    assert {unit.taken for unit in campaign.units.all()} == {1}
    assert "Worker 1 is excluded already." in text_of(press(worker, "exclude_it", reason="Again."))


def test_who_waits_is_let_in_or_screened_out(toy, press, gold_keys):
    question = text_unit("q1", part="qualification", answer="good")
    campaign = opened(toy, 2, more=[question])
    first, second = hired(campaign, 2, stage="waiting")
    assert "Worker 1 works from now on." in text_of(press(first, "let_in"))
    assert "Worker 2 is not qualified." in text_of(press(second, "screen_out", reason="Too few right."))
    assert [(one.stage, one.stage_because) for one in campaign.workers.all()] == [
        ("working", ""),
        ("screened_out", "Too few right."),
    ]
    assert "Worker 1 works, so this cannot be done." in text_of(press(first, "screen_out", reason="No."))
    assert "Worker 2 works from now on." in text_of(press(second, "let_in"))


def test_nobody_is_excluded_or_let_in_once_a_campaign_is_closed(toy, press, gold_keys):
    campaign = opened(toy, 2)
    (worker,) = hired(campaign, 1, stage="waiting")
    close_campaign(campaign=campaign, now=NOW)
    assert "nobody could label the units again" in text_of(press(worker, "exclude_it", reason="Late."))
    assert "so nobody works on it any more" in text_of(press(worker, "let_in"))


def test_outside_ids_are_erased_and_answers_stay(toy, press, organiser, gold_keys):
    campaign = opened(toy, 2)
    first, second = hired(campaign, 2)
    for worker, name in ((first, "5f3a"), (second, "9c1e")):
        OutsideId.objects.create(worker=worker, platform="prolific", value=name)
        work_on(worker, most=1)
    assert "5f3a of prolific" in text_of(browser_of(organiser).get(address(first)))
    press(first, "erase_id")
    assert not OutsideId.objects.filter(worker=first).exists()
    assert "1 outside ids of Moods are erased." in text_of(press(campaign, "erase_ids"))
    assert not OutsideId.objects.exists()
    assert sum(worker.answered for worker in Worker.objects.all()) == 2


def test_a_page_of_a_sealed_campaign_shows_no_label(toy, organiser, gold_keys):
    rare = CampaignQuestion("one_label", "Which?", (Option("qwertz", "Qwertz"), Option("uiop", "Uiop")))
    campaign = opened(toy, 2, rare, is_sealed=True)
    workers = hired(campaign, 2)
    rows = [campaign, *workers]
    browser = browser_of(organiser)

    def named():
        return [browser.get(address(row)).content.decode().casefold().count("qwertz") for row in rows]

    before = named()
    for worker in workers:
        work_on(worker, "qwertz")
    assert named() == before


@pytest.mark.parametrize(
    ("role", "campaign_page", "worker_page", "button"),
    [
        (Role.OWNER, 200, 200, 200),
        (Role.ORGANISER, 200, 200, 200),
        (Role.READER, 200, 403, 403),
        (Role.ANNOTATOR, 403, 403, 403),
    ],
)
def test_each_role_sees_and_presses_what_it_may(toy, role, campaign_page, worker_page, button):
    campaign = new_campaign(toy)
    (worker,) = hired(campaign, 1)
    user = person("somebody")
    appoint(toy, user, role)
    browser = browser_of(user)
    asked = [
        browser.get(address(campaign)),
        browser.get(address(worker)),
        browser.get(f"{address(campaign).removesuffix('change/')}open_it/"),
    ]
    assert [answer.status_code for answer in asked] == [campaign_page, worker_page, button]


def test_the_model_of_a_campaign_is_named_and_what_is_refused_is_told(toy, press, gold_keys):
    labels = (Option("good", "Good"), Option("bad", "Bad"))
    campaign = new_campaign(
        toy, CampaignQuestion("writing", "Write one.", labels), purpose="collection", rule=""
    )
    page = text_of(press(campaign, "name_endpoint", url="https://models.example/mood", secret="s3cret"))
    assert "does not allow models at models.example" in page
    rows = "".join(
        f"t{number},This is {'good' if number % 2 else 'bad'} {number}.,{'good' if number % 2 else 'bad'}\n"
        for number in range(40)
    )
    page = text_of(
        press(campaign, "train_model", file=upload(f"ID,text,Label\n{rows}".encode(), "train.csv"))
    )
    assert "A worker of the server trains the model on 40 texts within a minute." in page
    assert last_log().what == "Gave 40 texts to train on."
    strange = upload(b"ID,text,Label\nt1,A.,sad\n", "train.csv")
    assert "“sad”" in html.unescape(text_of(press(campaign, "train_model", file=strange)))
    other = new_campaign(toy)
    assert "Only a campaign in which people write texts asks a model." in text_of(
        press(other, "name_endpoint", url="https://models.example/mood")
    )
    with pytest.raises(AskedModel.DoesNotExist):
        AskedModel.objects.get(campaign=other)
    assert press(other, "accept_version").status_code == 200
