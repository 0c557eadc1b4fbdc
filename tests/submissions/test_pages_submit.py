"""The page on which predictions are uploaded."""

import datetime as dt
import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Team
from benchmarks.models import Phase
from scoring.gold.versions import load_gold
from scoring.queue.batches import close_now
from submissions import views
from submissions.models import Refusal, Submission, System
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.pages import browser_of, text_of
from tests.slots import slots_used
from tests.submissions.conftest import CUT_OFF
from tests.uploads import toy_zip

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
BAD = toy_zip(mood="good good bad bad Good bad", colour="red,green,darkblue,red")


def upload(
    browser: Client, of: System, data: bytes | None = None, name: str = "larch.zip", **fields: str
) -> Any:
    file = SimpleUploadedFile(name, toy_zip() if data is None else data)
    return browser.post("/submit/", {"phase": "toy/main", "system": str(of.pk), "file": file, **fields})


def said(browser: Client, answer: Any) -> str:
    """The message on the page that an upload leads to."""
    return html.unescape(text_of(browser.get(answer.url)))


def used(system: System, phase: Phase) -> int:
    return slots_used(team=system.team, phase=phase, at=NOW)


def test_accepted_upload_leads_to_its_page_with_a_receipt(browser, system, phase):
    answer = upload(browser, system)

    assert answer.url == f"/submissions/{Submission.objects.get().pk}/"
    page = said(browser, answer)
    assert "10 labels. You and your team have used 1 of 5 submissions this week." in page
    # In the message and on the page it would be read twice.
    assert page.count("It is scored at the cut-off on Mon 23 Nov 2026, 00:00 UTC, in 4 days.") == 1


def test_receipt_tells_the_cut_off_in_the_readers_zone(browser, system, phase, owner):
    owner.timezone = "Asia/Tokyo"
    owner.save()

    assert "Mon 23 Nov 2026, 09:00 JST (00:00 UTC)" in said(browser, upload(browser, system))


def test_repeated_upload_leads_to_the_first_one_and_takes_no_slot(browser, system, phase):
    first = upload(browser, system)

    again = upload(browser, system, name="renamed.zip")

    assert again.url == first.url
    assert "sent before, on Wed 18 Nov 2026, 12:00 UTC" in said(browser, again)
    assert used(system, phase) == 1


def test_one_tasks_file_is_taken_for_the_task_chosen(browser, system, phase):
    data = b"ID,Label\nc1,red\nc2,green\nc3,dark blue\nc4,red\n"

    answer = upload(browser, system, data, name="labels.csv", task="colour")

    assert "Accepted: 1 of 2 tasks, 4 labels" in said(browser, answer)


def test_refused_upload_shows_line_and_column_and_the_line_itself(browser, system, phase):
    answer = upload(browser, system, BAD)

    page = html.unescape(text_of(answer))
    assert answer.status_code == 422
    assert "Not accepted: 2 problems in 2 files" in page
    assert "<b>Line 6, column Label:</b>" in page
    assert "<mark><span>6</span>m5,Good</mark>" in page


def test_refused_upload_costs_nothing_and_says_so(browser, system, phase):
    page = text_of(upload(browser, system, BAD))

    assert "Nothing was counted against your quota: 5 of 5 submissions left this week." in page
    assert (used(system, phase), Submission.objects.count(), Refusal.objects.count()) == (0, 0, 1)


def test_quota_of_a_phase_that_is_scored_once_holds_for_all_of_it(browser, system, phase):
    phase.weekday, phase.closes_at, phase.next_cut_off_at = None, CUT_OFF, CUT_OFF
    phase.save()

    assert "5 of 5 submissions left in this phase." in text_of(upload(browser, system, BAD))
    assert "You and your team have used 1 of 5 submissions in this phase." in said(
        browser, upload(browser, system)
    )
    Phase.objects.update(quota_limit=1)
    refused = upload(browser, system, toy_zip(mood="bad bad bad bad bad bad"))
    assert "No further slot opens in this phase." in text_of(refused)
    assert "Send the file again when the next slot opens" not in text_of(refused)


def test_refused_upload_opens_with_the_focus_on_its_first_problem(browser, system, phase):
    page = text_of(upload(browser, system, BAD))

    assert page.count("autofocus") == 1
    assert page.index("autofocus") < page.index("Line 6, column Label")


def test_refused_upload_names_the_tasks_that_are_fine(browser, system, phase):
    page = text_of(upload(browser, system, toy_zip(colour="red,green,darkblue,red")))

    assert "1 of 2 tasks is fine" in page
    assert "6 labels read" in page


def test_refused_upload_with_many_problems_tells_each_cause_once_with_its_true_count(browser, system, phase):
    rows = "".join(f"x{number},good\n" for number in range(100))

    page = text_of(upload(browser, system, f"ID,Label\n{rows}".encode(), name="mood.csv"))

    refusal = Refusal.objects.get()
    assert "Not accepted, for 2 reasons</h1>" in page
    assert "Ids that do not belong to the split" in page
    assert "100 times, in 1" in page
    assert [cause["count"] for cause in refusal.causes] == [100, 1]


def test_refused_upload_gives_a_command_that_a_shell_reads_rightly(browser, system, phase):
    page = html.unescape(text_of(upload(browser, system, BAD, name="a b; rm -rf x.zip")))

    assert "<pre>heldout check 'a b; rm -rf x.zip' --benchmark toy</pre>" in page


def test_refused_upload_leads_back_with_phase_and_system_chosen(browser, system, phase):
    System.objects.create(team=system.team, name="Alder", created_at=NOW)
    page = html.unescape(text_of(upload(browser, system, BAD)))
    again = f"/submit/?benchmark=toy&system={system.pk}"

    form = text_of(browser.get(again))

    assert f'href="{again}"' in page
    assert '<option value="toy/main" selected>' in form
    assert f'<option value="{system.pk}" selected>' in form


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (b"", "larch.zip", "The file is empty."),
        (b"no zip at all", "larch.zip", "Send a zip archive"),
        (b"PK\x03\x04cut off", "larch.zip", "Not accepted: 1 problem in 1 file"),
    ],
)
def test_hopeless_file_is_refused_in_words(browser, system, phase, data, name, sentence):
    answer = upload(browser, system, data, name=name)

    assert answer.status_code == 422
    assert sentence in text_of(answer)


def test_form_without_a_file_says_what_is_missing(browser, system, phase):
    answer = browser.post("/submit/", {"phase": "toy/main", "system": str(system.pk)})

    assert answer.status_code == 422
    assert "Choose the file to upload." in text_of(answer)


@pytest.mark.parametrize("phase_name", ["toy/other", "toy", "", "toy/main\0", "ĳ/ß"])
def test_unknown_phase_is_refused_in_the_form(browser, system, phase, phase_name):
    assert upload(browser, system, phase=phase_name).status_code == 422
    assert not Submission.objects.exists()


def test_system_of_another_team_is_refused_without_naming_it(outsider, system, phase):
    answer = upload(browser_of(outsider), system)

    assert answer.status_code == 422
    assert system.name not in text_of(answer)
    assert not Submission.objects.exists()


def test_used_up_quota_says_when_the_next_slot_opens(browser, system, phase):
    Phase.objects.update(quota_limit=1)
    upload(browser, system)

    answer = upload(browser, system, toy_zip(mood="bad bad bad bad bad bad"))

    assert answer.status_code == 429
    assert answer["Retry-After"] == str(int((CUT_OFF - NOW).total_seconds()))
    assert "The next slot opens at the cut-off, Mon 23 Nov 2026, 00:00 UTC" in text_of(answer)
    assert Submission.objects.count() == 1


def test_closed_phase_says_that_it_is_closed(browser, system, phase):
    Phase.objects.update(closes_at=NOW - dt.timedelta(hours=1))

    answer = upload(browser, system)

    assert answer.status_code == 403
    assert "closed on Wed 18 Nov 2026 at 11:00 UTC" in text_of(answer)


def test_phase_without_gold_labels_says_to_come_back(browser, system, sync):
    sync(TOY_DEFINITION)

    answer = upload(browser, system)

    assert answer.status_code == 503
    assert "Please try again later" in text_of(answer)


def test_closed_phase_is_not_offered(browser, system, phase):
    Phase.objects.update(closes_at=NOW)

    page = text_of(browser.get("/submit/"))

    assert "toy/main" not in page
    assert "No phase is open at present" in page


def test_quota_left_and_its_reset_stand_beside_the_form(browser, system, phase):
    upload(browser, system)

    page = text_of(browser.get("/submit/"))

    assert "4 <small>of 5 left this week</small>" in page
    assert 'datetime="2026-11-23T00:00:00Z"' in page


def test_a_cut_off_that_is_brought_forward_frees_no_slot_and_the_form_says_so(browser, system, phase):
    upload(browser, system)
    close_now(phase=phase, now=NOW)

    page = " ".join(text_of(browser.get("/submit/")).split())

    assert "4 <small>of 5 left this week</small>" in page
    assert "no earlier where organisers bring a" in page


def test_person_without_a_team_is_led_to_found_one(outsider, phase):
    page = text_of(browser_of(outsider).get("/submit/"))

    assert 'href="/teams/new/?next=/systems/new/"' in page
    assert 'type="file"' not in page


def test_link_to_a_benchmark_that_takes_nothing_says_so_above_the_form_for_others(
    browser, system, phase, sync
):
    sync(TOY_DEFINITION.replace("id: toy", "id: other", 1).replace("title: Toy", "title: Other", 1))
    Phase.objects.filter(benchmark="other").update(closes_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))

    page = text_of(browser.get("/submit/?benchmark=other"))

    assert "Other takes no predictions at present" in page
    assert 'href="/benchmarks/other/"' in page
    assert "takes no predictions at present" not in text_of(browser.get("/submit/?benchmark=toy"))


@pytest.fixture
def other(sync, phase) -> Phase:
    """Another benchmark that takes predictions, with a quota of one."""
    text = TOY_DEFINITION.replace("id: toy", "id: tiny", 1).replace("title: Toy", "title: Tiny", 1)
    benchmark = sync(text)
    for task in benchmark.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=NOW)
    Phase.objects.filter(benchmark=benchmark).update(quota_limit=1)
    return benchmark.phases.get()


def test_where_several_benchmarks_take_files_the_first_question_is_which(browser, system, phase, other):
    page = text_of(browser.get("/submit/"))

    assert "Submit: to which benchmark?" in page
    assert '<input type="file"' not in page
    assert "<dd>5 of 5 <small>this week</small></dd>" in page
    assert "<dd>1 of 1 <small>this week</small></dd>" in page
    assert "a zip with a file for each of 2 tasks, or one of them alone" in page

    form = text_of(browser.get("/submit/?benchmark=tiny"))
    assert '<option value="tiny/main"' in form
    assert "toy/main" not in form
    assert '<a href="/submit/">another benchmark</a>' in form


def test_a_system_that_was_chosen_before_the_benchmark_stays_chosen(browser, system, phase, other):
    second = System.objects.create(team=system.team, name="Second", created_at=NOW)

    page = text_of(browser.get(f"/submit/?system={second.pk}"))

    link = html.unescape(re.findall(r'<h2><a href="([^"]+)">Tiny', page)[0])
    assert f'<option value="{second.pk}" selected>' in text_of(browser.get(link))


def test_what_was_sent_last_is_one_click_away(browser, system, phase, other):
    assert "Last time" not in text_of(browser.get("/submit/"))
    upload(browser, system, name="larch.zip")

    page = text_of(browser.get("/submit/"))

    assert "Last time you sent <b>larch.zip</b> for <b>Larch</b> to Toy." in page
    again = f"/submit/?benchmark=toy&amp;system={system.pk}"
    assert f'href="{again}"' in page
    assert f'<option value="{system.pk}" selected' in text_of(browser.get(html.unescape(again)))


def test_a_link_to_a_closed_benchmark_leads_to_the_choice_and_says_so(browser, system, phase, other):
    Phase.objects.filter(pk=phase.pk).update(closes_at=NOW - HOUR)
    third = Phase.objects.get(pk=other.pk)
    third.pk, third.slug, third.title = None, "second", "Second"
    third.save()

    page = text_of(browser.get("/submit/?benchmark=toy"))

    assert "Toy takes no predictions at present" in page


def test_a_file_sent_to_one_of_several_benchmarks_is_judged_there(browser, system, phase, other):
    upload(browser, system, phase="tiny/main")

    assert Submission.objects.get().phase == other


def test_benchmark_that_a_newcomer_came_for_stays_chosen_through_all_steps(outsider, phase):
    newcomer = browser_of(outsider)
    (first,) = re.findall(r'href="(/teams/new/[^"]*)"', text_of(newcomer.get("/submit/?benchmark=toy")))
    onwards = parse_qs(urlsplit(first).query)["next"][0]

    second = newcomer.post(first, {"name": "Spruce", "next": onwards})["Location"]
    third = newcomer.post(second, {"team": Team.objects.get().pk, "name": "Larch"})["Location"]

    system = System.objects.get()
    assert (second, third) == ("/systems/new/?benchmark=toy", f"/submit/?benchmark=toy&system={system.pk}")


def test_team_without_a_system_is_led_to_enter_one(browser, team, phase):
    page = text_of(browser.get("/submit/"))

    assert 'href="/systems/new/"' in page
    assert 'type="file"' not in page


def test_names_of_systems_and_files_are_text_and_never_markup(browser, system, phase):
    system.name = "<b onload=x>Larch</b>"
    system.save()

    pages = [
        text_of(upload(browser, system, BAD, name="<img src=x onerror=y>.zip")),
        text_of(browser.get("/submit/")),
        text_of(browser.get(upload(browser, system, name="<img src=x onerror=y>.zip").url)),
        text_of(browser.get("/submissions/")),
    ]

    assert not [page for page in pages if "<b onload" in page or "<img" in page]
    assert "&lt;img src=x onerror=y&gt;.zip" in pages[0]


def test_cut_off_is_judged_by_when_the_request_began(browser, system, phase, monkeypatch):
    begun = CUT_OFF - dt.timedelta(seconds=1)
    clock = iter([begun])
    monkeypatch.setattr(
        "accounts.server.clock.database_now", lambda: next(clock, CUT_OFF + dt.timedelta(hours=1))
    )

    upload(browser, system)

    assert Submission.objects.get().received_at == begun


def test_too_large_upload_is_refused_before_it_is_read(browser, system, phase, settings):
    settings.MAX_UPLOAD_BYTES = 1024 * 1024

    answer = upload(browser, system, b"x" * 2 * 1024 * 1024)

    assert answer.status_code == 413
    assert "larger than 1 MB" in text_of(answer)


OTHER = toy_zip(mood="good good bad bad bad bad")


def test_the_second_file_of_a_week_says_what_it_replaces_and_what_can_be_done(browser, system, phase):
    first = upload(browser, system, name="first.zip")
    Submission.objects.update(received_at=NOW - HOUR)
    told = said(browser, upload(browser, system, OTHER, name="second.zip"))

    assert "It replaces “first.zip”, received on" in told
    assert "Withdraw that one, and its slot is free again, or send this file for another system" in told
    assert "“second.zip”, received on" in said(browser, first)
    assert "replaces it wherever both answer. Withdraw this one" in said(browser, first)


def test_the_form_says_what_waits_and_what_a_further_file_means(browser, system, phase):
    upload(browser, system, name="first.zip")

    page = " ".join(text_of(browser.get("/submit/?benchmark=toy")).split())
    assert "first.zip</a> for Larch" in page
    assert "A further file for Larch replaces it wherever both answer." in page


def test_files_of_two_systems_two_tasks_or_two_weeks_replace_nothing(browser, system, phase):
    other = System.objects.create(team=system.team, name="Wren", created_at=NOW)
    upload(browser, system, name="first.zip")

    assert "replaces" not in said(browser, upload(browser, other, OTHER))

    Submission.objects.filter(system=other).update(status=Submission.Status.SCORED)
    mood = b"ID,Label\n" + b"".join(b"m%d,good\n" % at for at in range(1, 7))
    third = System.objects.create(team=system.team, name="Finch", created_at=NOW)
    upload(browser, third, b"ID,Label\nc1,red\nc2,red\nc3,red\nc4,red\n", name="colour.csv", task="colour")
    told = said(browser, upload(browser, third, mood, name="mood.csv", task="mood"))
    assert "It replaces" not in told


def test_where_the_best_counts_nothing_is_said_to_be_replaced(browser, system, phase):
    Phase.objects.update(counting=Phase.CountingRule.BEST)
    upload(browser, system, name="first.zip")

    told = said(browser, upload(browser, system, OTHER))
    assert "Of what waits for this cut-off the best counts." in told
    assert "replaces" not in told


def test_the_form_says_until_when_and_how_many_more_before_anything_is_chosen(browser, system, phase):
    upload(browser, system)

    page = text_of(browser.get("/submit/?benchmark=toy"))

    before_the_form = page.partition("<form")[0]
    assert "Next cut-off of Main" in before_the_form
    assert "Mon 23 Nov 2026, 00:00 UTC" in before_the_form
    assert "4 of 5 <small>this week</small>" in before_the_form


def test_of_very_many_benchmarks_some_are_described_and_the_others_named(
    browser, system, phase, other, monkeypatch
):
    monkeypatch.setattr(views, "_MOST_CHOICES", 1)
    upload(browser, system, phase=str(other))

    page = text_of(browser.get(f"/submit/?system={system.pk}"))

    described, _, named = page.partition("<h2>Others that take submissions</h2>")
    assert ">Tiny</a></h2>" in described, "what one has sent to comes first"
    assert ">Toy</a>" not in described
    assert f'href="/submit/?benchmark=toy&amp;system={system.pk}"' in named
