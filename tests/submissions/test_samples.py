"""Sample submissions and commands: given away, and taken as they are."""

import datetime as dt
import html
import io
import zipfile

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks.models import Phase
from leaderboard.pages.benchmark_pages import render_benchmark
from submissions.models import Submission, System
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import read, text_of

pytestmark = pytest.mark.django_db
ZIP = "/benchmarks/toy/samples/main.zip"
MOOD = "/benchmarks/toy/samples/main/mood/"


def submit_form(browser: Client, **query: str) -> str:
    return html.unescape(text_of(browser.get("/submit/", query)))


def test_anybody_may_download_the_sample_of_a_phase(phase):
    with zipfile.ZipFile(io.BytesIO(read(Client().get(ZIP)))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}

    assert files["data/mood/predictions.csv"] == (
        b"ID,Label\nm1,bad\nm2,bad\nm3,bad\nm4,bad\nm5,bad\nm6,bad\n"
    )
    assert set(files) == {"data/mood/predictions.csv", "data/colour/predictions.csv"}


def test_the_name_of_a_series_gives_the_sample_of_its_newest_edition(phase):
    whole = read(Client().get(ZIP))
    opened_at = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    Phase.objects.filter(pk=phase.pk).update(slug="main-2020-01", series="main", opens_at=opened_at)

    assert read(Client().get(ZIP)) == whole
    assert read(Client().get("/benchmarks/toy/samples/main-2020-01.zip")) == whole


def test_sample_of_a_phase_is_accepted_as_it_is(browser, system, phase):
    file = SimpleUploadedFile("sample.zip", read(browser.get(ZIP)))

    browser.post("/submit/", {"phase": "toy/main", "system": str(system.pk), "file": file})

    assert Submission.objects.get().predictions.count() == 2


def test_sample_of_a_task_is_accepted_under_the_name_it_is_saved_by(browser, system, phase):
    answer = browser.get(MOOD)
    file = SimpleUploadedFile("mood.csv", read(answer))

    browser.post("/submit/", {"phase": "toy/main", "system": str(system.pk), "file": file})

    assert answer["Content-Disposition"] == 'attachment; filename="mood.csv"'
    assert Submission.objects.get().predictions.count() == 1


def test_sample_is_not_sent_to_whoever_has_it(phase):
    first = Client().get(ZIP)

    assert Client().get(ZIP, headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/benchmarks/toy/samples/other.zip",
        "/benchmarks/other/samples/main.zip",
        "/benchmarks/toy/samples/main/other/",
    ],
)
def test_what_is_not_there_is_not_found(phase, path):
    assert Client().get(path).status_code == 404


def test_there_is_no_sample_before_the_ids_are_known(sync):
    sync(TOY_DEFINITION)

    assert Client().get(ZIP).status_code == 404


def test_phase_in_which_pairs_are_handed_in_has_no_sample(phase):
    Phase.objects.update(kind=Phase.Kind.BREAK)

    assert Client().get(ZIP).status_code == 404


def test_form_says_what_to_send(browser, system, phase):
    page = submit_form(browser)

    assert f'href="{ZIP}"' in page
    assert f'href="{MOOD}"' in page
    assert "<code>data/<wbr>mood/<wbr>predictions.csv</code>" in page
    assert "<code>bad</code>, <code>good</code>" in page


def test_commands_name_the_readers_own_system_and_phase(browser, system, phase):
    page = submit_form(browser)

    assert f"heldout submit predictions.zip --phase toy/main --system {system.name}\n" in page.replace(
        "</pre>", "\n"
    )
    assert f"-F phase=toy/main -F system={system.name} -F file=@predictions.zip" in page
    assert f"(once before: <code>heldout login {settings.SITE_URL}</code>)" in page


def test_commands_name_the_system_that_a_link_has_chosen(browser, system, phase):
    other = System.objects.create(team=system.team, name="Zelkova", created_at=NOW)

    assert "--system Zelkova" in submit_form(browser, system=str(other.pk))


@pytest.mark.parametrize("name", ["@file", "two;type=x", "-x", "it's"])
def test_system_whose_name_a_shell_or_curl_would_misread_is_named_by_its_id(browser, system, phase, name):
    System.objects.update(name=name)

    assert f"--system {system.pk}" in submit_form(browser)


def test_page_of_a_task_leads_to_the_sample_and_shows_the_commands(phase):
    pages = {page.path: page.body.decode() for page in render_benchmark(phase.benchmark)}
    shown = html.unescape(pages["/benchmarks/toy/tasks/mood/"])

    assert f'href="{MOOD}"' in shown
    assert f'href="{ZIP}"' in shown
    assert "heldout submit predictions.zip --phase toy/main --system 'My system'" in shown
