"""One account that founds many teams to ask more often than a team may, over the address for uploads."""

from collections import Counter

import numpy as np
import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.models import Team
from benchmarks.models import Phase
from submissions.models import Submission, System
from tests.api.conftest import client_of
from tests.conftest import NOW, person
from tests.quiz import ITEMS, as_file, make_quiz

pytestmark = [pytest.mark.redteam, pytest.mark.django_db]

TEAMS, FILES, QUOTA = 33, 65, 2


@pytest.fixture
def phase(sync, gold_keys) -> Phase:
    found = make_quiz(sync, "open")
    found.quota_limit = QUOTA
    found.save()
    return found


@pytest.fixture
def attacker(db) -> APIClient:
    return client_of(person("attacker"))


def founded(attacker: APIClient) -> Counter[int]:
    """What each of the attempts to found a team was answered."""
    return Counter(attacker.post("/api/v1/teams/", {"name": f"Team {at}"}).status_code for at in range(TEAMS))


def entered(attacker: APIClient) -> list[str]:
    """The ids of as many systems as there are files, spread over the account's teams."""
    teams = [str(pk) for pk in Team.objects.order_by("created_at").values_list("pk", flat=True)]
    for at in range(FILES):
        asked = {"team": teams[at % len(teams)], "name": f"System {at}"}
        assert attacker.post("/api/v1/systems/", asked, format="json").status_code in (201, 400, 403)
    return [str(pk) for pk in System.objects.order_by("created_at").values_list("pk", flat=True)]


def sent(attacker: APIClient, systems: list[str]) -> Counter[tuple[int, str]]:
    """What each of the files was answered: status and code."""
    random, answers = np.random.default_rng(33), Counter[tuple[int, str]]()
    for at in range(FILES):
        labels = np.where(random.random(ITEMS) < 0.5, "yes", "no").tolist()
        fields = {
            "system": systems[at % len(systems)],
            "phase": "quiz/main",
            "file": SimpleUploadedFile("quiz.csv", as_file(labels)),
        }
        taken = attacker.post("/api/v1/submissions/", fields, format="multipart")
        answers[taken.status_code, taken.json().get("code", "")] += 1
    return answers


def test_one_account_founds_three_teams_and_has_as_many_files_taken_as_one(phase, attacker):
    with time_machine.travel(NOW, tick=False):
        assert founded(attacker) == {201: 3, 403: TEAMS - 3}
        answers = sent(attacker, entered(attacker))

    assert answers[201, ""] == QUOTA == Submission.objects.count()
    assert answers[429, "quota_used_up"] + answers[409, "second_team"] == FILES - QUOTA


def test_with_33_teams_an_account_has_as_many_files_taken_as_with_one(phase, attacker, settings):
    settings.MOST_TEAMS = TEAMS
    with time_machine.travel(NOW, tick=False):
        assert founded(attacker) == {201: TEAMS}
        systems = entered(attacker)
        assert len(systems) == FILES
        answers = sent(attacker, systems)

    assert answers == {(201, ""): QUOTA, (409, "second_team"): FILES - QUOTA}
    assert Submission.objects.count() == QUOTA
