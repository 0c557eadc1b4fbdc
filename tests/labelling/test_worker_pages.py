"""What workers see and send: every kind of question, every way in, and what no page of theirs tells."""

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from benchmarks.people.models import BenchmarkRole
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.core.worker_words import UnfitWords, check_words
from labelling.models import Answer, Assignment, Worker
from labelling.pages.units import shown_units
from labelling.units.new_units import NewUnit
from labelling.work.campaigns import close_campaign, pause_campaign
from labelling.work.completion import check_code
from labelling.work.joining import invite
from labelling.work.places import take_units
from labelling.work.platforms import PLATFORMS, study_address
from tests.crowds import MOOD, NOW, hired, opened, say, text_unit
from tests.pages import browser_of, text_of

LONG = dt.datetime(2099, 1, 1, tzinfo=dt.UTC)


def found(pattern: str, answer: Any) -> str:
    """What a pattern's group has found in a page."""
    match = re.search(pattern, text_of(answer))
    assert match, pattern
    return match[1]


def page(campaign, name="work"):
    return reverse(f"labelling:{name}", args=[campaign.pk])


def fields(answer):
    """The hidden fields of the units of a page, by name."""
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text_of(answer))
    return [name for key, name in hidden if key == "unit"], dict(hidden)


def send(browser, campaign, answer, follow=True, **chosen):
    """Post a page with the same fields chosen for each unit of it."""
    units, hidden = fields(answer)
    data = {"unit": units}
    for name in units:
        data |= {f"{name}-client": hidden[f"{name}-client"], f"{name}-ms": "2500"}
        data |= {f"{name}-{field}": value for field, value in chosen.items()}
    return browser.post(page(campaign), data, follow=follow)


@pytest.fixture
def annotator(outsider, toy):
    BenchmarkRole.objects.create(benchmark=toy, user=outsider, role="annotator")
    return outsider


@pytest.fixture
def browser(annotator):
    return browser_of(annotator)


def joined(browser, campaign, **sent):
    """Join with the account and see the first page."""
    entrance = browser.get(page(campaign, "campaign"))
    consent = found(r'name="consent" value="(\w+)"', entrance)
    return browser.post(
        page(campaign, "campaign"), {"consent": consent, "agreed": "yes", **sent}, follow=True
    )


def test_an_annotator_finds_the_campaign_joins_and_answers_everything(browser, toy):
    campaign = opened(toy, 3)
    assert page(campaign, "campaign") in text_of(browser.get("/label/"))
    answer = joined(browser, campaign)
    for done in range(3):
        assert f"{done} of 3" in text_of(answer)
        answer = send(browser, campaign, answer, label="good")
    assert "There is nothing left for you" in text_of(answer)
    assert set(Answer.objects.values_list("value", "milliseconds")) == {("good", 2500)}
    answer = browser.post(page(campaign, "stop"), follow=True)
    assert "Thank you" in text_of(answer)
    assert "completion code" not in text_of(answer)
    assert '<td class="number">3</td>' in text_of(browser.get("/label/"))


def test_labelling_is_in_the_menu_of_whoever_may_label_and_of_nobody_else(browser, annotator, toy):
    link = f'href="{reverse("labelling:mine")}"'

    assert link in text_of(browser.get("/teams/"))
    BenchmarkRole.objects.filter(user=annotator).delete()
    assert link not in text_of(browser.get("/teams/"))
    hired(opened(toy, 1), user=annotator)
    assert link in text_of(browser.get("/teams/"))


EMOTIONS = CampaignQuestion(
    "several_labels",
    "Which emotions?",
    (Option("joy", "Joy"), Option("fear", "Fear"), Option("none", "None", alone=True)),
)
NUMBER = CampaignQuestion("number", "How much?")
WRITING = CampaignQuestion("writing", "Write one.")
BEST = CampaignQuestion("best_worst", "Who is the angriest, and who the least angry?")
PAIR = CampaignQuestion("yes_no", "Do both say the same?", wants_reason=True)
A_TUPLE = NewUnit(
    key="t1", items=("a", "b", "c", "d"), shown=[[("text", f"It is {name}.")] for name in "abcd"]
)
TWO_TEXTS = NewUnit(key="p1", items=("p1",), shown=[[("before", "A dog."), ("after", "A dgo.")]])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("question", "unit", "wrong", "says", "right", "kept"),
    [
        (MOOD, text_unit("u"), {}, "Nothing is chosen", {"label": "good"}, "good"),
        (
            EMOTIONS,
            text_unit("u"),
            {"labels": ["joy", "none"]},
            "cannot be chosen together",
            {"labels": ["fear", "joy"]},
            ["joy", "fear"],
        ),
        (
            CampaignQuestion("ordered_class", "How much?", (Option("0", "None"), Option("1", "Some"))),
            text_unit("u"),
            {"label": "7"},
            "none of the classes",
            {"label": "1"},
            1,
        ),
        (NUMBER, text_unit("u"), {"number": "2"}, "not in the range", {"number": "0.25"}, 0.25),
        (BEST, A_TUPLE, {"best": "a", "worst": "a"}, "cannot be both", {"best": "a", "worst": "d"}, ["a", "d"]),
        (PAIR, TWO_TEXTS, {"label": "no"}, "Say in a few words", {"label": "no", "note": "A typo."}, False),
        (WRITING, text_unit("u"), {"text": " "}, "no text yet", {"text": "A text."}, "A text."),
    ],
    ids=lambda given: given.kind if isinstance(given, CampaignQuestion) else "",
)  # fmt: skip
def test_each_kind_of_question_is_asked_read_and_can_be_changed(
    browser, toy, question, unit, wrong, says, right, kept
):
    campaign = opened(toy, 0, question, more=[unit])
    shown = joined(browser, campaign)
    assert all(text in text_of(shown) for item in unit.shown for _, text in item)
    refused = send(browser, campaign, shown, follow=False, **wrong)
    assert (refused.status_code, says in text_of(refused)) == (422, True)
    assert not Answer.objects.exists()

    assert "There is nothing left for you" in text_of(send(browser, campaign, refused, **right))
    assert Answer.objects.get().value == kept

    again = browser.get(page(campaign, "last"))
    for value in (
        each for chosen in right.values() for each in ([chosen] if isinstance(chosen, str) else chosen)
    ):
        assert re.search(
            rf'value="{value}"[^>]*checked|value="{value}" dir|value="{value}">|">{value}<', text_of(again)
        ), value
    send(browser, campaign, again, **right)
    assert list(Answer.objects.values_list("version", flat=True)) == [1, 2]


def test_what_is_sent_twice_counts_once_and_two_tabs_make_two_versions(browser, toy):
    campaign = opened(toy, 2)
    first = joined(browser, campaign)
    second = browser.get(page(campaign))
    for _ in range(2):
        send(browser, campaign, first, label="good")
    assert Answer.objects.count() == 1
    send(browser, campaign, second, label="bad")
    assert list(Answer.objects.values_list("version", "value")) == [(1, "good"), (2, "bad")]
    assert Worker.objects.get().answered == 1


def test_a_page_of_ten_keeps_what_is_answered_and_asks_for_the_rest_again(browser, toy):
    campaign = opened(toy, 12, page_size=10)
    shown = joined(browser, campaign)
    names, hidden = fields(shown)
    assert len(names) == 10
    # Who listens hears with the choices of each the text that they are about.
    for name in names:
        for part in (f'id="{name}-texts"', f'aria-describedby="{name}-texts"'):
            assert shown.content.decode().count(part) == 1, part
    data = {"unit": names, **{f"{name}-client": hidden[f"{name}-client"] for name in names}}
    data |= {f"{name}-label": "good" for name in names[:4]}
    rest = browser.post(page(campaign), data)
    assert rest.status_code == 422
    assert fields(rest)[0] == names[4:]
    assert Answer.objects.count() == 4

    # One is given back: what was chosen for others stays, and nothing is asked for twice.
    data |= {f"{names[5]}-label": "bad", "give_back": names[4], "unit": names[4:]}
    rest = browser.post(page(campaign), data, follow=True)
    assert rest.status_code == 200
    assert fields(rest)[0] == names[6:]
    assert Answer.objects.count() == 5


def test_a_text_is_given_back_with_a_note_and_never_comes_again(browser, toy):
    campaign = opened(toy, 2)
    shown = joined(browser, campaign)
    (name,), _ = fields(shown)
    shown = browser.post(page(campaign), {"give_back": name, "why": "It is\0 empty."}, follow=True)
    returned = Worker.objects.get().assignments.get(status="returned")
    assert (str(returned.pk), returned.note) == (name, "It is empty.")
    assert "nothing left" in text_of(send(browser, campaign, shown, label="good"))


def test_of_a_check_question_one_is_told_at_once_and_cannot_change_the_answer(browser, toy):
    checks = [text_unit(f"c{n}", part="check", answer="bad", reason="It says so.") for n in range(9)]
    campaign = opened(toy, 9, more=checks, check_share=0.5, check_least=2, check_threshold=0.5)
    shown = joined(browser, campaign)
    while "Not as expected" not in text_of(shown):
        shown = send(browser, campaign, shown, label="good")
    assert "<bdi>Bad</bdi>" in text_of(shown)
    assert "It says so." in text_of(shown)
    assert browser.get(page(campaign, "last")).status_code == 409
    while "Thank you" not in text_of(shown):
        shown = send(browser, campaign, shown, label="good")
    assert "0 of 2 check questions" in text_of(shown)
    assert browser.get(page(campaign)).status_code == 302


def test_nobody_begins_who_has_not_agreed_to_what_stands_there_now(browser, toy):
    campaign = opened(toy, 2, consent="You agree.", content_warning="Contains slurs.", pay_note="£ 4")
    entrance = text_of(browser.get(page(campaign, "campaign")))
    assert entrance.index("Contains slurs.") < entrance.index("Begin</button>")
    refused = joined(browser, campaign, agreed="")
    assert (refused.status_code, "Tick that you have read" in text_of(refused)) == (422, True)
    refused = joined(browser, campaign, consent="of yesterday")
    assert (refused.status_code, "has changed" in text_of(refused)) == (422, True)
    assert not Worker.objects.exists()
    assert joined(browser, campaign).status_code == 200
    assert Worker.objects.get().consent_sha256
    assert "The text of" not in entrance


def test_strangers_and_people_without_a_role_see_the_entrance_alone(owner, toy):
    campaign = opened(toy, 2)
    way_in = f'href="/accounts/login/?next={page(campaign, "campaign")}"'
    for browser, says, may_sign_in in (
        (Client(), "Open the link that you were given", True),
        (browser_of(owner), "Only people whom", False),
    ):
        entrance = browser.get(page(campaign, "campaign"))
        assert (entrance.status_code, says in text_of(entrance)) == (200, True)
        assert browser.post(page(campaign, "campaign"), {"agreed": "yes"}).status_code == 200
        refused = browser.get(page(campaign))
        assert refused.status_code == 403
        assert (way_in in text_of(entrance), way_in in text_of(refused)) == (may_sign_in, may_sign_in)
    assert not Worker.objects.exists()
    assert Client().get(page(campaign).replace(str(campaign.pk), str(uuid.uuid4()))).status_code == 404


@pytest.mark.usefixtures("sent")
def test_members_of_teams_that_take_part_are_refused_where_answers_are_sealed(owner, toy, gold_keys):
    BenchmarkRole.objects.create(benchmark=toy, user=owner, role="annotator")
    campaign = opened(toy, 2, is_sealed=True)
    _, token = invite(campaign=campaign, note="", most_workers=9, expires_at=LONG, user=owner, now=NOW)
    study = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0] + "?PROLIFIC_PID=p1"
    for address in (page(campaign, "campaign"), reverse("labelling:join", args=[campaign.pk, token]), study):
        for answer in (browser_of(owner).get(address), browser_of(owner).post(address, {"agreed": "yes"})):
            assert (answer.status_code, "takes part" in text_of(answer)) == (403, True)
    Worker.objects.create(
        campaign=campaign, number=1, source="account", user=owner, joined_at=NOW, seen_at=NOW
    )
    assert browser_of(owner).get(page(campaign)).status_code == 403


@pytest.mark.parametrize("role", [None, "reader"])
def test_whose_role_is_taken_away_reads_and_answers_no_unit_any_more(browser, annotator, toy, role):
    campaign = opened(toy, 3)
    unit = joined(browser, campaign)
    assert "The text of" in text_of(unit)
    BenchmarkRole.objects.filter(user=annotator).delete()
    if role:
        BenchmarkRole.objects.create(benchmark=toy, user=annotator, role=role)
    for address in (page(campaign), page(campaign, "campaign"), page(campaign, "last")):
        answer = browser.get(address)
        assert (answer.status_code, "The text of" in text_of(answer)) == (403, False)
    assert send(browser, campaign, unit, label="good").status_code == 403
    assert not Answer.objects.exists()
    type(annotator).objects.filter(pk=annotator.pk).update(is_superuser=True)
    assert "The text of" in text_of(browser.get(page(campaign)))


def test_an_invitation_lets_so_many_in_and_the_link_back_leads_to_the_same_work(owner, toy):
    campaign = opened(toy, 3)
    _, token = invite(campaign=campaign, note="", most_workers=1, expires_at=LONG, user=owner, now=NOW)
    address = reverse("labelling:join", args=[campaign.pk, token])
    browser = Client()
    shown = enter(browser, address)
    send(browser, campaign, shown, label="good")
    link = found(r'href="http://testserver(/label/back/[^"]+)"', browser.get(page(campaign)))
    other = Client()
    assert "1 of 3" in text_of(other.get(link, follow=True))
    assert enter(browser, address).status_code == 200  # whoever opens it again goes on
    late = enter(Client(), address)
    assert (late.status_code, "As many people have joined" in text_of(late)) == (403, True)
    assert Client().get(f"{address[:-4]}xxx/").status_code == 403
    assert Worker.objects.count() == 1


def test_who_comes_from_a_platform_twice_is_the_same_worker_and_takes_a_code_back(toy):
    campaign = opened(toy, 1)
    address = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0]
    browser = Client()
    shown = enter(browser, f"{address}?PROLIFIC_PID=participant-one&SESSION_ID=s")
    assert Client().get(f"{address}?PROLIFIC_PID=participant-one").headers["Location"] == page(campaign)
    send(browser, campaign, shown, label="good")
    end = browser.post(page(campaign, "stop"), follow=True)
    worker = Worker.objects.get()
    assert check_code(campaign, found(r"(\d+-D-\w{10})", end)) == (worker, "done")
    assert worker.outside_id.value == "participant-one"
    assert "participant-one" not in text_of(end)
    assert Client().get(address).status_code == 403
    assert Client().get(address.replace("/prolific/", "/mturk/") + "?workerId=p2").status_code == 404
    assert Client().get(address[:-3] + "xx/?PROLIFIC_PID=p2").status_code == 404


def test_a_preview_on_a_platform_makes_no_worker_and_holds_no_place(toy):
    campaign = opened(toy, 1)
    address = study_address(campaign, PLATFORMS["mturk"]).partition("?")[0]
    preview = f"{address}?workerId=w1&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"
    assert "Accept the task on Mechanical Turk" in text_of(Client().get(preview))
    Client().post(preview, {"agreed": "yes"})
    assert not Worker.objects.exists()
    assert enter(Client(), f"{address}?workerId=w1&assignmentId=a1").status_code == 200
    assert Worker.objects.count() == 1


def test_who_fails_the_first_questions_is_screened_out_with_a_code_that_says_so(toy):
    questions = [text_unit(f"q{n}", part="qualification", answer="bad", reason="Why.") for n in range(2)]
    campaign = opened(toy, 2, more=questions, qualification_threshold=0.5)
    address = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0]
    browser = Client()
    shown = enter(browser, f"{address}?PROLIFIC_PID=p1")
    assert "I cannot tell" not in text_of(shown)
    (name,), _ = fields(shown)
    assert browser.post(page(campaign), {"give_back": name}).status_code == 409
    for _ in range(2):
        shown = send(browser, campaign, shown, label="good")
    assert re.search(r"\d+-S-\w{10}", text_of(shown))
    assert "0 of 2 qualification questions" in text_of(shown)


def test_first_questions_that_were_not_answered_in_time_are_asked_again(browser, toy):
    questions = [text_unit(f"q{n}", part="qualification", answer="bad") for n in range(2)]
    campaign = opened(toy, 2, more=questions)
    shown = joined(browser, campaign)
    Worker.objects.get().assignments.update(status="expired", holds_place=False)
    campaign.units.filter(key="q0").update(taken=0)
    shown = browser.get(page(campaign))
    for _ in range(3):
        shown = send(browser, campaign, shown, label="bad")
    assert Worker.objects.get().stage == "working"


def test_who_stops_can_go_on_and_finds_the_rest(browser, toy):
    campaign = opened(toy, 2)
    joined(browser, campaign)
    assert "Go on" in text_of(browser.post(page(campaign, "stop"), follow=True))
    assert browser.get(page(campaign)).status_code == 302
    shown = browser.post(page(campaign, "go_on"), follow=True)
    assert "0 of 2" in text_of(shown)
    assert Worker.objects.get().stage == "working"


def test_a_pause_and_the_end_are_told_in_sentences(browser, toy):
    campaign = opened(toy, 2)
    shown = joined(browser, campaign)
    pause_campaign(campaign=campaign, reason="The model is away.", now=NOW)
    told = browser.get(page(campaign))
    assert (told.status_code, "The model is away." in text_of(told)) == (409, True)
    assert "The model is away." in text_of(Client().get(page(campaign, "campaign")))
    send(browser, campaign, shown, label="good")
    assert Answer.objects.count() == 1
    close_campaign(campaign=campaign, now=NOW)
    closed = send(browser, campaign, shown, follow=False, label="bad")
    assert closed.status_code in (302, 409)
    assert "closed" in text_of(browser.get(page(campaign)))
    assert browser.get(page(campaign, "end")).status_code == 200


def test_faulty_posts_are_refused_in_words(browser, toy):
    campaign = opened(toy, 2)
    (name,), hidden = fields(joined(browser, campaign))
    client = hidden[f"{name}-client"]
    stranger = str(uuid.uuid4())
    for data, status in (
        ({}, 422),
        ({"unit": "x"}, 409),
        ({"unit": name}, 409),
        ({"unit": name, f"{name}-client": "x"}, 409),
        ({"unit": stranger, f"{stranger}-client": client, f"{stranger}-label": "good"}, 409),
        ({"unit": name, f"{name}-client": client, f"{name}-label": ["good", "bad"]}, 422),
        ({"unit": name, f"{name}-client": client, f"{name}-label": "g\0d"}, 422),
        ({"give_back": stranger}, 409),
        ({"give_back": "x"}, 409),
    ):
        assert browser.post(page(campaign), data).status_code == status, data
    assert not Answer.objects.exists()


def test_nobody_answers_for_somebody_else(browser, toy, owner):
    campaign = opened(toy, 2)
    shown = joined(browser, campaign)
    _, token = invite(campaign=campaign, note="", most_workers=1, expires_at=LONG, user=owner, now=NOW)
    other = Client()
    enter(other, reverse("labelling:join", args=[campaign.pk, token]))
    refused = send(other, campaign, shown, follow=False, label="good")
    assert (refused.status_code, "was not given to you" in text_of(refused)) == (409, True)


def enter(browser, address):
    """Join by a link and see the first page."""
    entrance = browser.get(address)
    found = re.search(r'name="consent" value="(\w+)"', text_of(entrance))
    return browser.post(address, {"consent": (found and found[1]) or "", "agreed": "yes"}, follow=True)


def test_of_a_sealed_campaign_nothing_tells_an_answer(browser, toy, gold_keys, caplog, mailoutbox):
    told = "overwhelming"  # so long that no token holds it by chance
    question = CampaignQuestion("one_label", "Which?", (Option(told, "Zulu"), Option("kilo", "Kilo")))
    campaign = opened(toy, 2, question, is_sealed=True)
    shown = send(browser, campaign, joined(browser, campaign), label=told)
    again = browser.get(page(campaign, "last"))
    for answer in (shown, again, browser.get("/label/")):
        assert " checked" not in text_of(answer)
    assert "Your answer is sealed" in text_of(again)
    kept = [str(list(model.objects.values())) for model in (Answer, Assignment, Worker, AuditEntry)]
    session = str(dict(browser.session))
    for place in (*kept, session, str(browser.cookies), caplog.text, str([mail.body for mail in mailoutbox])):
        assert told not in place.lower()
    assert send(browser, campaign, again, label="kilo").status_code == 200
    assert list(Answer.objects.values_list("version", "value")) == [(1, None), (2, None)]


def test_a_campaign_speaks_its_own_words_from_right_to_left(browser, toy):
    words = {"send": "التالي", "progress": "{done} من {total}", "stop": "توقف"}
    campaign = opened(toy, 2, language="ar", words=words)
    shown = text_of(joined(browser, campaign))
    assert '<html lang="ar" dir="rtl">' in shown
    assert "0 من 2" in shown
    assert all(word in shown for word in ("التالي", "توقف"))
    assert ">Next<" not in shown
    assert 'class="shown" dir="auto"' in shown
    assert "I cannot tell" in shown  # what has no words of its own


def test_each_worker_sees_options_and_tuples_in_an_order_of_their_own_and_always_the_same(toy):
    options = tuple(Option(str(n), f"Option {n}") for n in range(8))
    campaign = opened(
        toy, 0, CampaignQuestion("one_label", "Which?", options, options_drawn=True), more=[text_unit("u")]
    )
    orders = []
    for worker in hired(campaign, 3):
        (assignment,) = take_units(worker=worker, now=NOW)
        twice = [
            [option.value for option in shown_units(campaign, worker, [assignment], {}, {})[0].options]
            for _ in range(2)
        ]
        assert twice[0] == twice[1]
        orders.append(tuple(twice[0]))
    assert len(set(orders)) == 3


def test_words_that_no_page_knows_are_named():
    with pytest.raises(UnfitWords, match="“snd” is none of the words"):
        check_words({"snd": "Next"})
    with pytest.raises(UnfitWords, match="at most 300"):
        check_words({"send": "x" * 301})
    check_words({"send": "Weiter"})


def test_who_was_not_judged_after_the_last_first_question_is_judged_when_they_come_back(browser, toy):
    campaign = opened(toy, 1, more=[text_unit("q", part="qualification", answer="bad")])
    joined(browser, campaign)
    say(Worker.objects.get().assignments.get(), "bad")  # kept, and the process was cut off
    assert "The text of u1." in text_of(browser.get(page(campaign), follow=True))
    assert Worker.objects.get().stage == "working"
