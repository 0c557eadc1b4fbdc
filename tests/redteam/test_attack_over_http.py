"""An attack as outsiders would run it: several accounts, the address for uploads, and the published board's JSON."""

import datetime as dt

import numpy as np
import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from catalogue.disclosure.rule import DISPLAYED, REMAINDER
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import items_of_part
from scoring.models import GoldVersion
from tests.quiz import GOLD, ITEMS, as_file, make_quiz, new_system
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = [pytest.mark.redteam, pytest.mark.django_db]

HOUR = dt.timedelta(hours=1)
ACCOUNTS, CUT_OFFS = 20, 4


def values_on_the_board() -> dict[str, float]:
    """What anybody reads of the board."""
    rows = Client().get("/benchmarks/quiz/tasks/quiz.json").json()["rows"]
    return {row["system"]: row["cells"]["quiz"]["value"] for row in rows}


def test_accounts_read_displayed_labels_off_an_open_board_and_none_that_are_kept_back(sync, gold_keys):
    """Each answer is random, and labels are guessed by the answers that score well: majority boosting."""
    phase = make_quiz(sync, "open")
    phase.counting = "latest"
    phase.save()
    random = np.random.default_rng(15)
    systems = [new_system(f"Tree{at}") for at in range(ACCOUNTS)]
    signs, worth = [], []
    for week in range(CUT_OFFS):
        cut_off = CUT_OFF + week * WEEK
        answers = {}
        for system in systems:
            answers[system.name] = random.integers(2, size=ITEMS)
            api = APIClient()
            api.force_authenticate(system.team.members.get())
            data = as_file("yes" if answer else "no" for answer in answers[system.name])
            with time_machine.travel(cut_off - HOUR, tick=False):
                taken = api.post(
                    "/api/v1/submissions/",
                    {
                        "system": str(system.pk),
                        "phase": "quiz/main",
                        "file": SimpleUploadedFile("quiz.csv", data),
                    },
                    format="multipart",
                )
            assert taken.status_code == 201, taken.content
        with time_machine.travel(cut_off, tick=False):
            run_batch(cut_off)
            shown = values_on_the_board()
        for name, answer in answers.items():
            signs.append(np.where(answer > 0, 1.0, -1.0))
            worth.append(shown[name])

    guess = (np.array(worth) - np.mean(worth)) @ np.array(signs) > 0
    is_right = guess == (np.array(GOLD) == "yes")
    version = GoldVersion.objects.get()
    ids = [int(item.removeprefix("q")) for item in opened_version(version.pk)[1].ids]
    displayed, kept = (items_of_part(part, version.pk) for part in (DISPLAYED, REMAINDER))

    assert len(worth) == ACCOUNTS * CUT_OFFS
    # 80 answers on a thousand items: about 40 √(80 / 1,000) points, eleven.
    assert is_right[ids][displayed].mean() > 0.57
    assert is_right[ids][kept].mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(1_000))
