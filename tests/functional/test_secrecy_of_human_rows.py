"""While a phase guards labels, a row of people tells nothing of them: two worlds of gold labels look alike."""

import datetime as dt
from collections.abc import Iterator, Mapping

import pytest
import time_machine
from django.db import transaction
from django.test import Client

from accounts.models import User
from benchmarks.models import Benchmark, Phase
from benchmarks.people.models import BenchmarkRole
from labelling.models import Campaign
from labelling.outcomes.settling import settle_due
from labelling.work.campaigns import close_campaign
from labelling.work.joining import join_with_account
from leaderboard.assembly.people import people_rows
from leaderboard.publication.services import refresh_stale
from scoring.gold.alignment import opened_version
from scoring.gold.versions import load_gold
from tests.conftest import TOY_DEFINITION, TOY_GOLD, person
from tests.crowds import NOW, hired, opened, text_unit, work_on
from tests.functional.test_secrecy import OTHER_GOLD, Responses, differences, unpacked, without_chance
from tests.pages import browser_of, read

pytestmark = [pytest.mark.redteam, pytest.mark.sqlite, pytest.mark.django_db]

LATER = NOW + dt.timedelta(days=1)
SAMPLE = [text_unit(key) for key in ("m1", "m2", "m4")]
BOARDS = [f"/benchmarks/toy{ending}" for ending in ("/", ".json", ".csv", ".tex", ".md", "/tasks/mood/")]
MUST_OPEN = (("nobody", "/benchmarks/toy/"), ("worker", "end/"), ("staff", "campaign"))


def answered_sample(toy: Benchmark, worker: User) -> Campaign:
    """Three people have answered a sample of the test items, alike in every world, and their row is scored."""
    BenchmarkRole.objects.create(benchmark=toy, user=worker, role="annotator")
    campaign = opened(
        toy,
        0,
        more=SAMPLE,
        task=toy.tasks.get(slug="mood"),
        split_slug="test",
        purpose="human_row",
        rule="plurality",
        row_name="Three of us",
        is_sealed=True,
    )
    work_on(join_with_account(campaign=campaign, user=worker, now=NOW))
    for one, label in zip(hired(campaign, 2), ("good", "bad"), strict=True):
        work_on(one, label)
    close_campaign(campaign=campaign, now=NOW)
    assert settle_due(NOW) == 1
    return campaign


@pytest.fixture
def read_world(sync, gold_keys, owner, staff, system):
    """What everybody reads in a world of these gold labels, while a phase guards them or not."""
    worker = person("worker")

    def _read(gold: Mapping[str, bytes], *, is_guarded: bool = True) -> Responses:
        opened_version.cache_clear()  # the second world's rows have the numbers of the first one's
        with time_machine.travel(LATER, tick=False), transaction.atomic():
            toy = sync(TOY_DEFINITION)
            for task in toy.tasks.all():
                load_gold(task=task, data=gold[task.slug], file_name="gold.csv", now=NOW)
            if is_guarded:
                end = LATER + dt.timedelta(days=60)
                Phase.objects.filter(benchmark=toy).update(
                    disclosure="open", closes_at=end, one_per_team=True
                )
            campaign = answered_sample(toy, worker)
            refresh_stale()
            found = dict(_crawl(campaign, {"nobody": None, "owner": owner, "worker": worker, "staff": staff}))
            transaction.set_rollback(True)
        return found

    return _read


def _crawl(
    campaign: Campaign, people: Mapping[str, User | None]
) -> Iterator[tuple[tuple[str, str], tuple[int, bytes]]]:
    own = ("", "answer/", "answer/last/", "write/", "end/", "join/none/", "panel/prolific/none/")
    admin = {
        "campaigns": "/admin/labelling/campaign/",
        "campaign": f"/admin/labelling/campaign/{campaign.pk}/change/",
        "workers": "/admin/labelling/worker/",
        "worker": f"/admin/labelling/worker/{campaign.workers.earliest('number').pk}/change/",
    }
    # What boards and their files are made of, whoever reads them.
    yield ("board", "rows"), (200, without_chance(repr(people_rows(campaign.benchmark)).encode()))
    addresses = {path: path for path in (*BOARDS, "/label/", "/api/v1/benchmarks/toy/")}
    addresses |= {path: f"{campaign.get_absolute_url()}{path}" for path in own}
    for name, user in people.items():
        browser: Client = browser_of(user)
        browser.raise_request_exception = False
        for route, path in (addresses | admin if name == "staff" else addresses).items():
            answer = browser.get(path)
            yield (name, route), (answer.status_code, without_chance(unpacked(read(answer))))


def test_while_labels_are_guarded_two_worlds_of_them_cannot_be_told_apart_by_a_row_of_people(read_world):
    world = read_world(TOY_GOLD)
    assert differences(world, read_world(OTHER_GOLD)) == []
    assert [key for key, (status, _) in world.items() if status >= 500] == []
    assert {key: world[key][0] for key in MUST_OPEN} == dict.fromkeys(MUST_OPEN, 200)
    assert b"Three of us" not in world["nobody", "/benchmarks/toy/"][1]


def test_once_nothing_is_guarded_the_row_and_the_draws_tell_them_apart(read_world):
    told = {"is_guarded": False}
    found = differences(read_world(TOY_GOLD, **told), read_world(OTHER_GOLD, **told))
    assert {("board", "rows"), ("staff", "campaign")} <= set(found)
