"""A refused upload that can be mended in one way only: its page offers the repaired file, to its sender alone."""

import os
import re
import stat
import threading
import time
from pathlib import Path

import pytest
from django.conf import settings

from submissions.models import Submission
from submissions.uploads import repairs
from tests.api.conftest import UPLOADS, client_of, content, upload_form
from tests.conftest import person
from tests.pages import browser_of, text_of
from tests.submissions.test_pages_submit import upload
from tests.uploads import toy_zip

UPPER = toy_zip(mood="GOOD GOOD BAD BAD GOOD BAD")


def kept_files() -> list[Path]:
    return list(Path(settings.REPAIRS_DIR).iterdir())


def address_on(page: str) -> str:
    found = re.search(r'href="(/submit/repaired/[0-9a-f]+/)"', page)
    assert found
    return found[1]


@pytest.fixture
def address(browser, system, phase) -> str:
    return address_on(text_of(upload(browser, system, UPPER)))


def test_the_repaired_file_is_offered_with_its_difference_and_is_accepted(browser, system, phase):
    page = text_of(upload(browser, system, UPPER))
    assert "m1,GOOD" in page
    assert "m1,good" in page
    answer = browser.get(address_on(page))
    data = b"".join(answer.streaming_content)
    assert 'filename="larch-repaired.zip"' in answer["Content-Disposition"]
    assert not Submission.objects.exists()  # to send it stays the person's act
    assert upload(browser, system, data).status_code == 302


def test_nobody_else_can_fetch_it(address, django_user_model):
    assert browser_of(person("stranger")).get(address).status_code == 404
    assert client_of(person("other")).get(f"/api/v1/repairs/{address.split('/')[-2]}/").status_code == 404


def test_it_is_readable_by_the_server_alone(address):
    (path,) = kept_files()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_it_is_gone_after_an_hour(browser, address):
    (path,) = kept_files()
    hour_ago = time.time() - repairs.KEPT_SECONDS - 1
    os.utime(path, (hour_ago, hour_ago))
    assert browser.get(address).status_code == 404
    assert kept_files() == []


@pytest.fixture
def timers(monkeypatch) -> list[threading.Timer]:
    """The timers that are started; none goes off by itself."""
    started: list[threading.Timer] = []
    monkeypatch.setattr(threading.Timer, "start", lambda timer: started.append(timer))
    monkeypatch.setattr(repairs, "_SWEEP_WAITS", threading.Lock())
    return started


def test_one_thread_sweeps_all_that_is_kept_each_an_hour_after_it_came(timers, browser, system, phase):
    upload(browser, system, UPPER)
    (older,) = kept_files()
    older = older.rename(older.with_name("of-somebody-else"))
    upload(browser, system, UPPER)
    (newer,) = set(kept_files()) - {older}
    for path, age in ((older, repairs.KEPT_SECONDS + 1), (newer, 60)):
        os.utime(path, (time.time() - age,) * 2)
    (timer,) = timers
    timer.function()
    assert kept_files() == [newer]
    assert timers[-1].interval == pytest.approx(repairs.KEPT_SECONDS - 60, abs=30)


def test_a_person_has_one_and_the_folder_has_a_limit(browser, system, address, monkeypatch):
    assert "repaired" in text_of(upload(browser, system, UPPER))
    assert len(kept_files()) == 1
    monkeypatch.setattr(repairs, "MAX_FOLDER_BYTES", 10)
    assert "/submit/repaired/" not in text_of(upload(browser, system, UPPER))
    assert kept_files() == []


def test_the_api_gives_causes_and_the_address_of_the_repair(owner, system, phase):
    api = client_of(owner)
    refused = api.post(UPLOADS, upload_form(system, data=UPPER)).json()
    assert [(cause["code"], cause["count"], cause["file_count"]) for cause in refused["causes"]] == [
        ("label_case", 6, 1)
    ]
    assert len(refused["problems"]) == 6
    path = refused["repair_url"].partition("/api/")[2]
    assert content(api.get(f"/api/{path}"))[:2] == b"PK"


def test_what_cannot_be_mended_is_not_offered(browser, system, phase):
    assert "/submit/repaired/" not in text_of(
        upload(browser, system, toy_zip(mood="good good bad bad fine bad"))
    )
    assert not Path(settings.REPAIRS_DIR).exists()
