"""Where a phase takes the file of one task, nobody is asked for a zip or which task a file answers."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from submissions.models import Submission
from tests.pages import browser_of, text_of

pytestmark = pytest.mark.django_db

FORM = "/submit/?benchmark=toy"
MOOD = b"ID,Label\n" + b"".join(b"m%d,good\n" % at for at in range(1, 7))


@pytest.fixture
def browser(owner, system, phase):
    return browser_of(owner)


def test_of_several_tasks_a_zip_is_asked_for(browser):
    page = text_of(browser.get(FORM))

    assert "a zip with one file per task, or the file of a single task" in page
    assert 'name="task"' in page


def test_of_one_task_one_file_is_asked_for_whatever_it_is_called(browser, system, phase):
    phase.targets = [{"task": "mood", "split": "test"}]
    phase.save()

    page = text_of(browser.get(FORM))
    assert "choose it: one file. At most 100 MB." in page
    assert "The file below, alone or in a zip." in page
    assert 'name="task"' not in page
    sent = {"phase": "toy/main", "system": str(system.pk), "file": SimpleUploadedFile("mine (2).csv", MOOD)}
    browser.post("/submit/", sent)
    assert Submission.objects.get().file_name == "mine (2).csv"
