"""Neither checks of files without a submission nor the order of a gold file tell anybody of the labels."""

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from accounts.models import ApiToken, User
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import publish, refresh_stale
from scoring.gold.alignment import _places, opened_version
from scoring.models import Batch
from scoring.uncertainty import resampling
from submissions.models import System
from tests.api.conftest import UPLOADS, client_of
from tests.conftest import TOY_DEFINITION, TOY_GOLD
from tests.functional.test_secrecy import (
    OTHER_GOLD,
    Responses,
    _build,
    differences,
    without_chance,
)
from tests.functional.test_secrecy_of_the_remainder import WithPages
from tests.pages import browser_of, read
from tests.uploads import toy_zip
from tests.weeks import CUT_OFF, WEEK

pytestmark = pytest.mark.thorough

Told = dict[str, tuple[int, bytes]]


@pytest.fixture
def in_world(owner, outsider, system, sync, gold_keys) -> Callable[..., tuple[Told, Responses]]:
    """A world with these gold labels, perhaps published: what checks of files say, and then every address."""
    people: dict[str, User | None] = {"nobody": None, "outsider": outsider, "owner": owner}

    def _look(
        gold: Mapping[str, bytes], files: Mapping[str, bytes], *, is_published: bool = False
    ) -> tuple[Told, Responses]:
        for cached in (opened_version, _places):
            cached.cache_clear()  # rows of the second world have the numbers of those of the first one
        with time_machine.travel(CUT_OFF + WEEK / 7, tick=False), transaction.atomic():
            benchmark = sync(TOY_DEFINITION)
            _build(people, system, benchmark, gold)
            if is_published:
                watch_batches(CUT_OFF)
                publish(batch=Batch.objects.get(), now=CUT_OFF)
            refresh_stale()
            told = dict(_checks(owner, system, files))
            ApiToken.objects.all().delete()  # a page shows its owner how it begins, and it is drawn by lot
            responses = WithPages(people, system, benchmark.phases.get()).crawl()
            transaction.set_rollback(True)
        return told, responses

    return _look


def _checks(
    owner: User, system: System, files: Mapping[str, bytes]
) -> Iterator[tuple[str, tuple[int, bytes]]]:
    """What the API and the page say of each file that is only checked."""
    api, browser = client_of(owner), browser_of(owner)
    for name, data in files.items():
        for place, client, path, only in (
            ("api", api, UPLOADS, {"dry_run": "true"}),
            ("page", browser, "/submit/", {"check_only": "1"}),
        ):
            cache.clear()  # only so many checks are read in an hour
            form = {"system": str(system.pk), "phase": "toy/main", **only}
            answer = client.post(path, form | {"file": SimpleUploadedFile("larch.zip", data)})
            yield f"{place}: {name}", (answer.status_code, without_chance(read(answer)))


def every_answer_and_bad_ones() -> dict[str, bytes]:
    """All 64 ways to answer the task mood, some for colour, and files with faults."""
    files = {" ".join(moods): toy_zip(mood=" ".join(moods)) for moods in product(("bad", "good"), repeat=6)}
    for colours in product(("red", "green"), repeat=4):
        files[",".join(colours)] = toy_zip(colour=",".join(colours))
    return files | {"fault": toy_zip(mood="good good bad bad Good bad"), "no zip": b"m1,good\n"}


@pytest.mark.sqlite
def test_checks_of_files_tell_two_worlds_of_gold_apart_nowhere(in_world):
    files = every_answer_and_bad_ones()

    told, seen = in_world(TOY_GOLD, files)
    told_there, seen_there = in_world(OTHER_GOLD, files)

    assert {name for name, answer in told.items() if answer != told_there[name]} == set()
    assert differences(seen, seen_there) == []
    assert {status for status, _ in told.values()} == {200, 422}
    assert len(told) == 2 * len(files) > 160


@pytest.mark.sqlite
def test_the_order_of_a_gold_file_shows_at_no_address(in_world, monkeypatch):
    # Each world draws a salt of its own, and resamples follow from it; with one salt for both only the order is left.
    monkeypatch.setattr(resampling, "_seed", lambda gold_version_id: b"one seed for both worlds")

    def in_order(seed: int) -> dict[str, bytes]:
        mixed = {}
        for task, data in TOY_GOLD.items():
            head, *rows = data.decode().strip().split("\n")
            mixed[task] = ("\n".join([head, *random.Random(seed).sample(rows, len(rows))]) + "\n").encode()
        return mixed

    assert in_order(1) != in_order(2)
    _, seen = in_world(in_order(1), {}, is_published=True)
    _, seen_there = in_world(in_order(2), {}, is_published=True)

    assert differences(seen, seen_there) == []
    assert sum(status == 200 for status, _ in seen.values()) > 80
