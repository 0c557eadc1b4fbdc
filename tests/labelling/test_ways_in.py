"""Links that organisers give, codes that workers bring back, and words that are mended while people work."""

import datetime as dt
import html
import re

import pytest
from django.test import Client

from accounts.server.clock import database_now
from benchmarks.admin.organised.links import address
from labelling.models import Invitation, OutsideId
from labelling.work.completion import check_code, completion_code
from labelling.work.joining import consent_digest, invite, join_from_panel
from labelling.work.platforms import PLATFORMS, is_study_key, study_address
from tests.conftest import NOW
from tests.crowds import hired, new_campaign, opened
from tests.labelling.test_admin_campaigns import last_log, organiser, press
from tests.pages import browser_of, text_of

__all__ = ["organiser", "press"]


def test_an_invitation_is_shown_once_and_lets_in_as_many_as_it_says(toy, press, organiser, gold_keys):
    campaign = opened(toy, 2)
    page = text_of(press(campaign, "invite", note="For Anna", most_workers="2", days="14"))
    link = html.unescape(re.search(r'<code class="campaign-link">([^<]+)</code>', page)[1])  # type: ignore[index]

    assert "2 people may join by it until" in page
    assert link.startswith(f"http://localhost:8000/label/{campaign.pk}/join/")
    assert Client().get(link.removeprefix("http://localhost:8000")).status_code == 200
    later = text_of(browser_of(organiser).get(address(campaign)))
    token = link.rstrip("/").rsplit("/", 1)[1]
    assert token not in later
    assert "For Anna" in later
    assert token not in last_log().what
    assert Invitation.objects.get().most_workers == 2


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"most_workers": "0", "days": "14"}, "Ensure this value is greater than or equal to 1."),
        ({"most_workers": "1", "days": "400"}, "Ensure this value is less than or equal to 365."),
    ],
)
def test_an_invitation_for_nobody_or_for_ever_is_not_made(toy, press, gold_keys, sent, sentence):
    assert sentence in text_of(press(opened(toy, 2), "invite", **sent))
    assert not Invitation.objects.exists()


def test_begin_pressed_twice_makes_one_worker_and_takes_one_place(toy, organiser, gold_keys):
    campaign, now = opened(toy, 2), database_now()
    until = now + dt.timedelta(days=9)
    _, token = invite(campaign=campaign, note="", most_workers=2, expires_at=until, user=organiser, now=now)
    path = f"/label/{campaign.pk}/join/{token}/"
    form = dict(re.findall(r'name="(consent|once)" value="([^"]+)"', text_of(Client().get(path))))

    for browser in (Client(), Client()):  # neither has the answer to the other's press
        assert browser.post(path, form).status_code == 302
    assert (campaign.workers.count(), Invitation.objects.get().joined) == (1, 1)

    other = dict(re.findall(r'name="(consent|once)" value="([^"]+)"', text_of(Client().get(path))))
    Client().post(path, other)
    assert (campaign.workers.count(), Invitation.objects.get().joined) == (2, 2)


def test_the_page_names_the_address_for_each_platform(toy, organiser, gold_keys):
    campaign = opened(toy, 2)
    page = html.unescape(text_of(browser_of(organiser).get(address(campaign))))
    assert f"/label/{campaign.pk}/panel/prolific/" in page
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in page
    assert "workerId=${workerId}&assignmentId=${assignmentId}" in page


def test_codes_tell_whose_they_are_and_change_nothing(toy, press, gold_keys):
    campaign, other = opened(toy, 2), opened(toy, 2)
    done, out = hired(campaign, 2)
    out.stage = "screened_out"
    out.save()
    OutsideId.objects.create(worker=done, platform="prolific", value="5f3a")
    codes = [
        completion_code(done),
        completion_code(out),
        completion_code(hired(other, 1)[0]),
        "17-D-AAAAAAAAAA",
    ]
    answer = press(campaign, "check_codes", codes="\n".join(codes))
    rows = answer.context["question"].tables[0].rows
    assert [row[2] for row in rows] == ["done", "screened out", "not ours", "not ours"]
    assert (rows[0][3], rows[0][4]) == ("0", "5f3a")
    assert "1 done, 1 screened out, 2 not ours" in text_of(answer)


def test_a_code_that_stands_twice_is_told(toy, press, gold_keys):
    campaign = opened(toy, 2)
    code = completion_code(hired(campaign, 1)[0])
    answer = press(campaign, "check_codes", codes=f"{code}\n{code.lower()}")
    assert "(stands there twice)" in text_of(answer)


def test_addresses_and_codes_of_before_hold_where_the_server_s_secret_was_changed(toy, settings, gold_keys):
    campaign = opened(toy, 2)
    platform = PLATFORMS["prolific"]
    path = study_address(campaign, platform).partition("?")[0]
    worker = join_from_panel(campaign=campaign, platform=platform.key, outside_id="5f3a", now=NOW)
    code = completion_code(worker)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another-secret"

    key = path.rstrip("/").rsplit("/", 1)[1]
    assert is_study_key(campaign, platform, key)
    assert key not in study_address(campaign, platform)
    assert check_code(campaign, code) == (worker, "done")
    assert join_from_panel(campaign=campaign, platform=platform.key, outside_id="5f3a", now=NOW) == worker
    settings.SECRET_KEY_FALLBACKS = []
    assert not is_study_key(campaign, platform, key)
    assert check_code(campaign, code) is None


def test_words_are_mended_while_people_work_and_consent_has_another_digest(toy, press, gold_keys):
    campaign = opened(toy, 2)
    before, question = consent_digest(campaign), campaign.question
    page = text_of(
        press(campaign, "mend_words", guidelines="## Anew", consent="We keep answers.", words="send: Weiter")
    )
    campaign.refresh_from_db()
    assert "What workers read is changed." in page
    assert (campaign.words, campaign.guidelines, campaign.question) == (
        {"send": "Weiter"},
        "## Anew",
        question,
    )
    assert consent_digest(campaign) != before
    assert last_log().what == "Changed what workers read."


def test_words_of_no_button_are_told_by_their_line(toy, press):
    campaign = new_campaign(toy)
    page = html.unescape(text_of(press(campaign, "mend_words", words="send: Weiter\nsent: Los")))
    assert "Line 2: “sent” is none of the words of workers' pages." in page
