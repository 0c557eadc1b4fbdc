"""Nothing tells who is linked to whom: worlds that differ only in links between teams look the same to everybody."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from accounts.models import Team, User
from accounts.services import create_team, invitation_token, leave_team
from benchmarks.models import Phase
from leaderboard.publication.services import refresh_stale
from submissions.models import System
from submissions.participants import GroupUse
from submissions.quota.participation import join_team
from tests.conftest import NOW, person
from tests.functional.test_secrecy import Responses, differences, without_chance
from tests.functional.test_secrecy_of_the_remainder import WithPages
from tests.pages import browser_of, read
from tests.post import sent
from tests.uploads import toy_zip
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.thorough

HOUR = WEEK / 168
MOODS = (ALL_RIGHT, ONE_WRONG, HALF_WRONG, "bad bad bad bad bad good")
NEW = "good bad bad bad bad good"
INVITATION = re.compile(rb"/join/[^/]+/")  # drawn by lot
Links = tuple[tuple[int, int], tuple[int, int]]


@pytest.fixture
def crawl_world(owner: User, system: System, phase: Phase) -> Callable[[Links], Responses]:
    """Four teams, two and two of which become linked; read by a member of each and by nobody, and undone."""

    def _crawl(links: Links) -> Responses:
        # What happens to accounts is noted by the clock; both worlds begin at one moment.
        with transaction.atomic(), time_machine.travel(NOW, tick=False):
            responses = _two_weeks(owner, system, phase, links)
            transaction.set_rollback(True)
        return responses

    return _crawl


def _two_weeks(owner: User, system: System, phase: Phase, links: Links) -> Responses:
    Phase.objects.update(quota_limit=2)
    phase.refresh_from_db()
    people, systems = [owner], [system]
    for number, name in enumerate(("East", "South", "West"), start=1):
        people.append(person(name.lower(), date_joined=NOW))  # the same in every world
        team = create_team(name=name, founder=people[-1], now=NOW)
        named: dict[str, Any] = {"id": UUID(int=number), "name": f"{name} system"}  # the same in every world
        systems.append(System.objects.create(team=team, created_at=NOW, **named))
    for one, mood in zip(systems, MOODS, strict=True):
        upload(one, phase, mood=mood)
    for first, second in links:
        _link(systems[first], systems[second])
    Team.objects.update(invitation_made_at=NOW)
    with time_machine.travel(NOW + HOUR, tick=False):
        responses = {
            (str(user), address): _refused(user, one, address)
            for user, one in zip(people, systems, strict=True)
            for address in ("/submit/", "/api/v1/submissions/")
        }
    with time_machine.travel(CUT_OFF, tick=False):
        run_batch(CUT_OFF)
        for one, mood in zip(systems, reversed(MOODS), strict=True):
            upload(one, phase, mood=mood, at=CUT_OFF)
    assert list(GroupUse.objects.values_list("used", flat=True)) == [2, 2]
    with time_machine.travel(CUT_OFF + HOUR, tick=False):
        refresh_stale()
        readers = {"nobody": None, **{str(user): user for user in people}}
        for key, (status, body) in WithPages(readers, system, phase).crawl().items():
            responses[key] = status, INVITATION.sub(b"", body)
        for mail in sent():
            key = (mail.to[0], str(mail.subject))
            responses[key] = 0, without_chance(str(mail.body).encode())
    return responses


def _link(one: System, other: System) -> None:
    """Somebody is in the one team, then in the other, and leaves both: no list of members tells of it afterwards."""
    between = person(f"between-{one.pk}")
    for team in (one.team, other.team):
        join_team(token=invitation_token(team), user=between, now=NOW)
        leave_team(team=team, user=between)


def _refused(user: User, system: System, address: str) -> tuple[int, bytes]:
    form = {
        "phase": "toy/main",
        "system": str(system.pk),
        "file": SimpleUploadedFile("upload.zip", toy_zip(mood=NEW)),
    }
    answer = browser_of(user).post(address, form)
    assert answer.status_code == 429
    assert b"used up: by you, or somebody you are in a team with" in answer.content
    return answer.status_code, without_chance(read(answer))


@pytest.mark.sqlite
def test_nothing_tells_who_is_linked_to_whom(crawl_world):
    one = crawl_world(((0, 1), (2, 3)))

    assert differences(one, crawl_world(((0, 3), (1, 2)))) == []
    assert len(one) > 500
    assert one["nobody", "toy.json"][0] == 200
    assert all(status < 500 for status, _ in one.values())
