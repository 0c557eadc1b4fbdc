"""The fact sheet in the browser: beside an upload, on its own page, and on the submission's."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.services import create_team
from submissions.fact_sheets.services import save_fact_sheet
from submissions.models import FactSheet, Submission, System
from tests.conftest import NOW
from tests.pages import text_of
from tests.uploads import toy_zip

pytestmark = pytest.mark.django_db
ALGORITHMS, LEXICONS = "facts:toy:-algorithms", "facts:toy:-lexicons"


def say(system: System, toy: Any, user: Any, *algorithms: str) -> None:
    answers = {"algorithms": algorithms, "lexicons": ()}
    save_fact_sheet(system=system, benchmark=toy, answers=answers, user=user, now=NOW)


def said(system: System) -> dict[str, list[str]] | None:
    sheet = FactSheet.objects.filter(system=system).first()
    return sheet.answers if sheet else None


def ticked(page: Any) -> list[str]:
    return [value for tag in re.findall(r"<input[^>]* checked[^>]*>", text_of(page)) for value in values(tag)]


def values(tag: str) -> list[str]:
    return re.findall(r'value="([^"]*)"', tag)


def shown_for(page: Any) -> str:
    (tag,) = re.findall(r'<input type="hidden" name="fact_sheet_of"[^>]*>', text_of(page))
    return values(tag)[0]


def upload(browser: Any, system: System, data: Any = None, **fields: Any) -> Any:
    file = SimpleUploadedFile("larch.zip", toy_zip() if data is None else data)
    form = {"phase": "toy/main", "system": str(system.pk), "task": "", "file": file}
    return browser.post("/submit/", form | fields)


@pytest.fixture
def other(team) -> System:
    return System.objects.create(team=team, name="Alder", created_at=NOW)


@pytest.mark.usefixtures("phase")
def test_benchmark_without_lists_shows_nothing_of_it(browser, system, submission):
    for path in ("/submit/", f"/systems/{system.pk}/edit/", f"/submissions/{submission.pk}/"):
        assert "act sheet" not in text_of(browser.get(path))
    assert browser.get(f"/systems/{system.pk}/fact-sheets/toy/").status_code == 404


def test_what_is_ticked_is_saved(browser, system, fact_lists):
    upload(browser, system, **{ALGORITHMS: ["LSTM", "SVM/SVR"]})
    assert said(system) == {"algorithms": ["SVM/SVR", "LSTM"], "lexicons": []}
    assert Submission.objects.count() == 1


def test_nothing_ticked_says_nothing(browser, system, fact_lists):
    upload(browser, system, fact_sheet_of=str(system.pk))
    assert said(system) is None
    assert Submission.objects.count() == 1


def test_form_shows_what_the_system_said_before(browser, system, other, fact_lists, toy, owner):
    say(system, toy, owner, "LSTM")
    assert ticked(browser.get(f"/submit/?system={system.pk}")) == ["LSTM"]
    assert ticked(browser.get(f"/submit/?system={other.pk}")) == []


def test_only_system_needs_no_choice(browser, system, fact_lists, toy, owner):
    say(system, toy, owner, "LSTM")
    page = browser.get("/submit/")
    assert (ticked(page), shown_for(page)) == (["LSTM"], str(system.pk))


def test_unticking_everything_says_none_of_these(browser, system, fact_lists, toy, owner):
    say(system, toy, owner, "LSTM")
    upload(browser, system, fact_sheet_of=str(system.pk))
    assert said(system) == {"algorithms": [], "lexicons": []}


def test_boxes_shown_of_another_system_are_not_taken_over(browser, system, other, fact_lists, toy, owner):
    say(system, toy, owner, "LSTM")
    say(other, toy, owner, "SVM/SVR")
    upload(browser, other, fact_sheet_of=str(system.pk), **{ALGORITHMS: ["LSTM"]})
    assert said(other) == {"algorithms": ["SVM/SVR"], "lexicons": []}


def test_untouched_boxes_of_no_system_leave_the_sheet_alone(browser, system, other, fact_lists, toy, owner):
    say(system, toy, owner, "LSTM")
    page = browser.get("/submit/")
    upload(browser, system, fact_sheet_of=shown_for(page))
    assert said(system) == {"algorithms": ["LSTM"], "lexicons": []}


def test_unknown_option_is_refused_and_nothing_is_uploaded(browser, system, fact_lists):
    answer = upload(browser, system, **{ALGORITHMS: ["GRU"]})
    assert answer.status_code == 422
    assert "The list has no option GRU" in text_of(answer)
    assert not Submission.objects.exists()


def test_ticks_outlive_a_refused_file(browser, system, fact_lists):
    answer = upload(browser, system, b"no predictions", **{LEXICONS: ["AFINN"]})
    assert answer.status_code == 422
    assert ticked(browser.get(f"/submit/?system={system.pk}")) == ["AFINN"]


def test_ticks_outlive_a_form_without_a_file(browser, system, fact_lists):
    answer = upload(browser, system, file="", **{LEXICONS: ["AFINN"]})
    assert (answer.status_code, ticked(answer)) == (422, ["AFINN"])


def test_sheet_is_filled_in_and_leads_on(browser, system, fact_lists):
    answer = browser.post(
        f"/systems/{system.pk}/fact-sheets/toy/", {"lexicons": ["AFINN"], "next": "/submissions/"}
    )
    assert answer.url == "/submissions/"
    assert said(system) == {"algorithms": [], "lexicons": ["AFINN"]}


def test_nothing_ticked_is_an_answer_here(browser, system, fact_lists):
    browser.post(f"/systems/{system.pk}/fact-sheets/toy/", {})
    assert said(system) == {"algorithms": [], "lexicons": []}


def test_page_shows_what_was_said(browser, system, fact_lists, toy, owner):
    assert "has not said it yet" in text_of(browser.get(f"/systems/{system.pk}/fact-sheets/toy/"))
    say(system, toy, owner, "Bi-LSTM")
    page = browser.get(f"/systems/{system.pk}/fact-sheets/toy/")
    assert ticked(page) == ["Bi-LSTM"]
    assert "has not said it yet" not in text_of(page)


def test_system_of_others_is_not_found(browser, toy, fact_lists, outsider):
    theirs = create_team(name="South", founder=outsider, now=NOW)
    system = System.objects.create(team=theirs, name="Elm", created_at=NOW)
    path = f"/systems/{system.pk}/fact-sheets/toy/"
    assert (browser.get(path).status_code, browser.post(path).status_code) == (404, 404)
    assert said(system) is None


def test_benchmark_that_does_not_exist_is_not_found(browser, system, fact_lists):
    assert browser.get(f"/systems/{system.pk}/fact-sheets/nope/").status_code == 404


def test_page_of_the_system_leads_to_it(browser, system, fact_lists):
    assert f"/systems/{system.pk}/fact-sheets/toy/" in text_of(browser.get(f"/systems/{system.pk}/edit/"))


def test_submission_without_a_sheet_says_so_until_it_is_there(
    browser, submission, system, toy, fact_lists, owner
):
    path, sheet = f"/submissions/{submission.pk}/", f"/systems/{system.pk}/fact-sheets/toy/?next="
    assert "fact sheet of Larch is missing" in text_of(browser.get(path))
    assert sheet in text_of(browser.get(path))
    say(system, toy, owner)
    assert "is missing" not in text_of(browser.get(path))
    assert sheet in text_of(browser.get(path))


def test_advisors_are_named_a_line_each_and_need_be_no_members(browser, system, toy, fact_lists):
    path, advisors = f"/systems/{system.pk}/fact-sheets/toy/", "Ada Lovelace\n\n  Alan Turing \nAda Lovelace"

    browser.post(path, {"algorithms": ["LSTM"], "advisors": advisors})
    shown = text_of(browser.get(path))
    refused = browser.post(path, {"algorithms": ["LSTM"], "advisors": "x" * 81})

    assert said(system) == {
        "algorithms": ["LSTM"],
        "lexicons": [],
        "advisors": ["Ada Lovelace", "Alan Turing"],
    }
    assert "Ada Lovelace Alan Turing</textarea>" in shown
    assert refused.status_code == 422
    assert "Expected at most 20 names, one per line, of up to 80 characters each." in text_of(refused)


def test_a_sheet_beside_an_upload_names_advisors_too(browser, system, toy, fact_lists):
    upload(
        browser,
        system,
        fact_sheet_of=str(system.pk),
        **{ALGORITHMS: ["LSTM"], "facts:toy:-advisors": "Ada Lovelace"},
    )

    assert said(system) == {"algorithms": ["LSTM"], "lexicons": [], "advisors": ["Ada Lovelace"]}
