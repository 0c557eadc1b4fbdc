"""My submissions: the list, one submission's page, its download, withdrawing and choosing."""

import datetime as dt
import html

import pytest

from accounts.models import User
from benchmarks.models import Phase
from submissions.models import Choice, Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import disqualify
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import browser_of, read, text_of
from tests.slots import slots_used
from tests.submissions.conftest import CUT_OFF
from tests.uploads import toy_zip

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
OTHER = toy_zip(mood="bad bad bad bad bad bad")


def submit(system: System, phase: Phase, user: User) -> Submission:
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=OTHER, file_name="other.zip", received_at=NOW + HOUR
        )
    ).submission


def copies(submission: Submission, number: int) -> None:
    """Rows like `submission`, which the list does not need to tell from real ones."""
    rows = [Submission.objects.get(pk=submission.pk) for _ in range(number)]
    for index, row in enumerate(rows):
        row.pk = row._meta.pk.default()
        row.predictions_sha256 = f"{index:064d}"
        row.received_at = NOW - (index + 1) * HOUR
        row.file_name = f"copy-{index + 1}.zip"
    Submission.objects.bulk_create(rows)


# The list


def test_whoever_came_to_organise_is_led_on_from_an_empty_list(owner):
    def page() -> str:
        return text_of(browser_of(owner).get("/submissions/"))

    assert "Did you come to label" not in page()
    owner.is_staff = True
    owner.save()
    assert '<a href="/admin/">administration</a>' in page()


def test_a_published_submission_has_nothing_before_it(browser, submission):
    def row() -> str:
        return text_of(browser.get("/submissions/")).partition("<tbody>")[2]

    assert "It is scored at the cut-off" in row()
    Submission.objects.filter(pk=submission.pk).update(status="published")
    assert "Nothing more: its release is" in row()
    assert "counts." not in row()


def test_list_holds_the_whole_teams_submissions_the_newest_first(browser, submission, phase, teammate):
    submit(submission.system, phase, teammate)

    page = text_of(browser.get("/submissions/"))

    assert page.index("other.zip") < page.index("larch.zip")


def test_list_says_what_happens_next_and_when(browser, submission, owner):
    owner.timezone = "America/New_York"
    owner.save()

    page = text_of(browser.get("/submissions/"))

    assert (
        "It is scored at the cut-off on Sun 22 Nov 2026, 19:00 EST (Mon 23 Nov, 00:00 UTC), in 4 days."
        in page
    )


def test_list_is_filtered_by_system(browser, submission, phase, owner):
    alder = System.objects.create(team=submission.system.team, name="Alder", created_at=NOW)
    submit(alder, phase, owner)

    page = text_of(browser.get(f"/submissions/?system={alder.pk}"))

    assert "other.zip" in page
    assert "larch.zip" not in page


def test_list_is_filtered_by_benchmark(browser, submission, sync):
    other = sync(TOY_DEFINITION.replace("id: toy", "id: other", 1))
    copies(submission, 1)
    Submission.objects.filter(file_name="copy-1.zip").update(phase=other.phases.get())

    page = text_of(browser.get("/submissions/?benchmark=other"))

    assert "copy-1.zip" in page
    assert "larch.zip" not in page


@pytest.mark.parametrize("query", ["system=x", "benchmark=x", "page=x", "page=-1", "page=99"])
def test_list_survives_queries_that_mean_nothing(browser, submission, query):
    answer = browser.get(f"/submissions/?{query}")

    assert answer.status_code == 200
    assert "larch.zip" in text_of(answer)


def test_list_is_cut_into_pages_of_fifty(browser, submission):
    copies(submission, 50)

    first, second = (text_of(browser.get(f"/submissions/?page={page}")) for page in (1, 2))

    assert "Page 1 of 2" in first
    assert "copy-49.zip" in first
    assert "copy-50.zip" not in first
    assert "copy-50.zip" in second


def test_list_asks_no_query_per_row(browser, submission, django_assert_max_num_queries):
    copies(submission, 40)

    with django_assert_max_num_queries(12):
        browser.get("/submissions/")


# One submission


def test_page_shows_what_was_sent(browser, submission):
    page = text_of(browser.get(f"/submissions/{submission.pk}/"))

    assert submission.file_sha256 in page
    assert "2 of 2, 10 labels" in page
    assert "Mood; Colour" in page


def test_page_shows_no_score_before_publication(browser, submission, score):
    score()

    page = text_of(browser.get(f"/submissions/{submission.pk}/"))

    assert "It has been scored. Its scores are not published yet." in page
    assert "1.000" not in page


def test_page_shows_its_scores_and_the_board_once_published(browser, submission, publish):
    publish()

    page = text_of(browser.get(f"/submissions/{submission.pk}/"))

    assert page.partition("Scores, each with its release")[2].count("1.000") == 2
    assert 'href="/benchmarks/toy/releases/1/tasks/mood/"' in page
    assert 'href="/benchmarks/toy/"' in page


def test_page_says_when_another_submission_counted(browser, submission, phase, owner, publish):
    submit(submission.system, phase, owner)
    publish()

    page = text_of(browser.get(f"/submissions/{submission.pk}/"))

    assert "another submission of this system counted" in page
    assert "1.000" not in page


def test_page_shows_why_a_submission_was_disqualified(browser, submission):
    disqualify(submission=submission, reason="Trained on <test> items.", now=NOW + HOUR)

    page = text_of(browser.get(f"/submissions/{submission.pk}/"))

    assert "Trained on &lt;test&gt; items." in page


def test_page_asks_a_fixed_number_of_queries(browser, submission, publish, django_assert_max_num_queries):
    publish()

    with django_assert_max_num_queries(28):
        browser.get(f"/submissions/{submission.pk}/")


# Its file


def test_download_gives_the_upload_byte_for_byte(browser, submission):
    assert read(browser.get(f"/submissions/{submission.pk}/file/")) == toy_zip()


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Content-Type", "application/octet-stream"),
        ("Content-Disposition", 'attachment; filename="page.html"'),
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "sandbox"),
        ("Cache-Control", "no-store, private"),
    ],
)
def test_no_browser_opens_a_download_and_no_cache_keeps_it(browser, submission, header, value):
    Submission.objects.update(file_name="page.html")

    answer = browser.get(f"/submissions/{submission.pk}/file/")
    read(answer)

    assert set(value.split(", ")) <= set(answer[header].split(", "))


# Withdrawing


def test_asking_to_withdraw_says_what_it_means_and_changes_nothing(browser, submission):
    page = text_of(browser.get(f"/submissions/{submission.pk}/withdraw/"))

    submission.refresh_from_db()
    assert "its slot is given back at once" in page
    assert submission.status == "accepted"


def test_withdrawal_before_the_cut_off_leaves_a_trace_and_gives_the_slot_back(browser, submission):
    browser.post(f"/submissions/{submission.pk}/withdraw/")

    page = text_of(browser.get("/submissions/"))
    assert "larch.zip" in page
    assert 'data-status="withdrawn"' in page
    assert slots_used(team=submission.system.team, phase=submission.phase, at=NOW) == 0


def test_withdrawal_names_who_did_it(browser, submission):
    answer = browser.post(f"/submissions/{submission.pk}/withdraw/", follow=True)

    assert "Withdrawn by Owner. That was on Wed 18 Nov 2026, 12:00 UTC." in text_of(answer)


def test_withdrawal_of_published_scores_says_that_earlier_releases_keep_them(browser, submission, publish):
    publish()

    page = text_of(browser.get(f"/submissions/{submission.pk}/withdraw/"))

    assert "The slot is not given back" in page
    assert "Earlier releases keep them" in page


def test_withdrawing_twice_says_that_nothing_was_changed(browser, submission):
    browser.post(f"/submissions/{submission.pk}/withdraw/")

    answer = browser.post(f"/submissions/{submission.pk}/withdraw/", follow=True)

    assert "was withdrawn already; nothing was changed" in text_of(answer)


# Choosing


def test_team_chooses_what_counts_where_the_phase_lets_it(browser, submission):
    Phase.objects.update(counting="chosen")

    page = text_of(browser.get(f"/submissions/{submission.pk}/"))
    browser.post(f"/submissions/{submission.pk}/choose/")

    assert "Choose this submission" in page
    assert Choice.objects.filter(submission=submission).count() == 2
    assert "This submission is chosen to count." in text_of(browser.get(f"/submissions/{submission.pk}/"))


def test_choosing_is_not_offered_once_the_phase_has_closed(browser, submission, set_clock):
    Phase.objects.update(counting="chosen", closes_at=CUT_OFF)
    set_clock(CUT_OFF)

    page = text_of(browser.get(f"/submissions/{submission.pk}/"))
    answer = browser.post(f"/submissions/{submission.pk}/choose/", follow=True)

    assert "Choose this submission" not in page
    assert "what was chosen until then counts. Nothing was changed." in text_of(answer)
    assert not Choice.objects.exists()


def test_choosing_is_not_offered_where_the_latest_counts(browser, submission):
    page = text_of(browser.get(f"/submissions/{submission.pk}/"))
    answer = browser.post(f"/submissions/{submission.pk}/choose/", follow=True)

    assert "Choose this submission" not in page
    assert "there is nothing to choose" in html.unescape(text_of(answer))
    assert not Choice.objects.exists()


def test_page_past_the_cut_off_still_tells_the_truth(browser, submission, set_clock):
    set_clock(CUT_OFF + HOUR)

    assert "The cut-off has passed" in text_of(browser.get(f"/submissions/{submission.pk}/"))
