"""Where two versions of a package made the scores of a column it is said: to whoever publishes, and on boards."""

import datetime as dt
import json
from importlib.metadata import version

import pytest

from benchmarks.admin.organised.links import address
from benchmarks.models import Phase
from leaderboard.publication.services import publish_ready
from scoring import code_version
from scoring.gold.versions import load_gold
from scoring.models import Batch
from submissions.models import System
from tests.conftest import person
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.weeks import CUT_OFF, WEEK, run_batch
from tests.written import ITEMS, make_told, send, the_told

TASK = "/benchmarks/told/tasks/words/"
INSTALLED, OTHER = version("sacrebleu"), "99.0"
MIXED = f"Words, Test: scores were made by 2 versions of sacrebleu, 2 with {INSTALLED} and 1 with {OTHER}"


@pytest.fixture(scope="module")
def _released(stage):
    make_told()


@pytest.fixture
def upgraded(_released, gold_keys, monkeypatch):
    """The benchmark after another version was installed and one of three systems has sent something else."""
    told = the_told()
    Phase.objects.filter(benchmark=told).update(publish_automatically=False)
    monkeypatch.setattr(
        "scoring.code_version.version", lambda name: OTHER if name == "sacrebleu" else version(name)
    )
    code_version._version.cache_clear()
    send(told, System.objects.get(name="Birch"), CUT_OFF + dt.timedelta(days=1), more=" again")
    run_batch(CUT_OFF + WEEK)
    yield told
    code_version._version.cache_clear()


def publish(now: dt.datetime) -> None:
    Phase.objects.update(publish_automatically=True)
    assert len(publish_ready(now)) == 1


def page(path: str) -> str:
    return " ".join(text_of(browser_of(None).get(path)).split())


@pytest.mark.usefixtures("_released")
def test_one_version_is_nothing_to_speak_of():
    assert "Versions of packages" not in page(TASK)
    assert "Versions of packages" not in page("/benchmarks/told/releases/1/provenance/")


def test_who_publishes_is_told_before_and_what_to_do(upgraded):
    organiser = person("organiser")
    appoint(upgraded, organiser)
    asked = address(Batch.objects.get(status=Batch.Status.SCORED)).removesuffix("change/") + "publish/"
    said = " ".join(text_of(browser_of(organiser).get(asked)).split())
    assert f"{MIXED}, and may not be comparable." in said
    assert "load the gold labels again before you publish" in said


def test_the_release_says_so_on_its_boards_and_beside_where_numbers_come_from(upgraded):
    publish(CUT_OFF + WEEK)
    for path in (TASK, "/benchmarks/told/", "/benchmarks/told/releases/2/provenance/"):
        assert MIXED in page(path), path
    stated = json.loads(text_of(browser_of(None).get("/benchmarks/told/releases/2/provenance.json")))
    assert stated["packages"] == [
        {
            "task": "words",
            "split": "test",
            "title": "Words, Test",
            "package": "sacrebleu",
            "versions": {INSTALLED: 2, OTHER: 1},
        }
    ]


def test_gold_labels_loaded_again_have_one_version_make_them_all_and_the_next_release_says_which(upgraded):
    publish(CUT_OFF + WEEK)
    gold = "".join(f"{item},fine words of {item}\n" for item in ITEMS)
    task = upgraded.tasks.get()
    load_gold(task=task, data=f"id,english\n{gold}".encode(), file_name="g.csv", now=CUT_OFF + WEEK)
    run_batch(CUT_OFF + 2 * WEEK)
    said = page("/benchmarks/told/releases/3/")
    assert (
        f"Words, Test: scores of release 2 were made by sacrebleu {INSTALLED} and {OTHER}, these by {OTHER}."
        in said
    )
    assert "may not be comparable" not in said
