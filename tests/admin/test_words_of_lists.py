"""What lists of the admin say: scores that were published, and fields in the field's own words."""

import re

import pytest

from benchmarks.models import Phase, Split, Task
from leaderboard.models import ReleaseCell
from scoring.models import Batch
from submissions.models import Submission
from tests.pages import text_of

OF_THE_DATABASE = re.compile(r"\b(slug|cut off at|quota limit|item count)\b", re.IGNORECASE)


def heads(page) -> str:
    return " | ".join(re.findall(r"<th[^>]*>(.*?)</th>", page.content.decode(), re.DOTALL))


@pytest.mark.parametrize(
    ("app", "model"),
    [
        ("submissions", Submission),
        ("benchmarks", Phase),
        ("benchmarks", Task),
        ("benchmarks", Split),
        ("scoring", Batch),
    ],
)
def test_lists_and_pages_name_no_field_of_the_database(client, staff, world, app, model):
    client.force_login(staff)
    base = f"/admin/{app}/{model.__name__.lower()}/"
    row = model.objects.first()
    assert not OF_THE_DATABASE.search(heads(client.get(base)))
    assert not OF_THE_DATABASE.search(text_of(client.get(f"{base}{row.pk}/change/")))


def test_a_published_submission_stands_with_its_score_and_another_without(client, staff, world):
    client.force_login(staff)
    shown = client.get("/admin/submissions/submission/").context["cl"].result_list
    page = client.get("/admin/submissions/submission/").content.decode()
    cells = re.findall(r"field-published[^>]*>\s*(.*?)\s*</td>", page, re.DOTALL)
    by_status = dict(zip([row.status for row in shown], cells, strict=True))
    assert re.fullmatch(r"[A-Z]+ [01]\.\d{3}(, [A-Z]+ [01]\.\d{3})*", by_status["published"]), by_status
    assert not any(re.search(r"\d", cell) for status, cell in by_status.items() if status != "published")


def test_the_list_of_submissions_has_a_few_scores_and_says_how_many_more(client, staff, world):
    cell = ReleaseCell.objects.filter(submission=world.published).earliest("pk")
    for place in range(4):
        split = Split.objects.create(task=cell.task, slug=f"part{place}", item_count=1, ids_sha256="0" * 64)
        cell.pk, cell.split, cell.place = None, split, 100 + place
        cell.save(force_insert=True)
    client.force_login(staff)
    page = client.get("/admin/submissions/submission/").content.decode()
    assert " and 3 more" in page
    assert "part3" not in page


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("benchmarks/participantquestion", "Questions"),
        ("submissions/refusal", "Refused uploads"),
        ("submissions/groupuse", "Quota"),
        ("submissions/submission", "Submissions"),
    ],
)
def test_a_list_is_called_what_the_sidebar_calls_it(client, staff, world, address, name):
    client.force_login(staff)
    page = text_of(client.get(f"/admin/{address}/"))
    assert re.findall(r"<h1[^>]*>([^<]*)</h1>", page) == [name]
    assert re.findall(r"<title>\s*([^<]*?)\s*</title>", page)[0] == f"{name} | Heldout"


def test_a_row_stands_under_its_name_below_its_list(client, staff, world):
    client.force_login(staff)
    phase = Phase.objects.earliest("pk")
    page = text_of(client.get(f"/admin/benchmarks/phase/{phase.pk}/change/"))
    assert "Timezone" not in page
    assert re.findall(r"<h1[^>]*>([^<]*)</h1>", page) == [str(phase)]
    assert '<a href="/admin/benchmarks/phase/">Phases</a>' in page


def test_all_that_a_search_left_out_can_be_asked_for_and_nothing_where_all_is_shown(client, staff, world):
    client.force_login(staff)
    assert "show all" not in text_of(client.get("/admin/submissions/submission/"))
    assert "0 found" in text_of(client.get("/admin/submissions/submission/?q=nothing-of-the-kind"))


def test_yes_and_no_are_words(admin_client):
    page = text_of(admin_client.get("/admin/accounts/user/"))
    assert re.findall(r"field-is_superuser[^>]*>(?:<[^>]*>)*\s*(\w+)", page) == ["yes"]
