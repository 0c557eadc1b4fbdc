"""While gold labels are hidden, no number that they decide goes out with more than four decimals anywhere."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.models import Benchmark
from leaderboard.board.model.serialization import is_same, rounded
from leaderboard.models import Release, ReleaseCell
from leaderboard.publication.services import refresh
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from tests import robustness
from tests.api.conftest import client_of
from tests.conftest import TOY_DEFINITION, TOY_GOLD, person
from tests.feelings import team_of
from tests.pages import browser_of
from tests.post import sent
from tests.published import published
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

LONG = re.compile(r"(?<![\w:./-])-?\d*\.\d{5,}(?![\w/])")
"""A number with five decimals or more; no instant and no version."""


@pytest.fixture
def toy_for_two_weeks(toy: Benchmark, phase: Any, system: System) -> Benchmark:
    """Two releases of three systems, with gold labels that were corrected in between."""
    fir, yew = (team_of(person(name.casefold()), name)[1] for name in ("Fir", "Yew"))
    for one, mood in ((system, ONE_WRONG), (fir, "good bad bad bad good bad"), (yew, HALF_WRONG)):
        upload(one, phase, mood=mood, colour="red,green,green,red")
    run_batch(CUT_OFF)
    corrected = TOY_GOLD["mood"].replace(b"m5,good", b"m5,bad")
    load_gold(
        task=toy.tasks.get(slug="mood"), data=corrected, file_name="g.csv", now=CUT_OFF, note="Misread."
    )
    upload(yew, phase, mood="good bad bad bad good good", at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    return toy


def texts() -> Iterator[tuple[str, str]]:
    return ((path, body.decode()) for path, body in published().items())


def read_by(user: Any, benchmark: str) -> Iterator[tuple[str, str]]:
    """What is made for one reader: private pages, comparisons, sorted boards, and the API."""
    systems = list(map(str, System.objects.filter(kind="system").values_list("pk", flat=True)))
    paths = [f"/benchmarks/{benchmark}/compare/?" + "&".join(f"system={one}" for one in systems[:3])]
    paths += [
        f"/benchmarks/{benchmark}/?view=heat",
        "/submissions/",
        f"/benchmarks/{benchmark}/?sort=overall",
    ]
    for one in Submission.objects.of(user).values_list("pk", flat=True):
        paths += [f"/submissions/{one}/", f"/api/v1/submissions/{one}/"]
    paths += [f"/api/v1/benchmarks/{benchmark}/board/", "/api/v1/submissions/"]
    for path in paths:
        client = client_of(user) if path.startswith("/api/") else browser_of(user)
        answer = client.get(path)
        assert answer.status_code in (200, 404), path
        yield path, answer.content.decode()


def with_many_decimals(texts: Iterator[tuple[str, str]]) -> dict[str, str]:
    return {path: found[0] for path, text in texts if (found := LONG.findall(text))}


def test_no_file_page_answer_or_mail_has_more_than_four_decimals(toy_for_two_weeks, owner):
    assert Release.objects.count() == 2
    assert {"/benchmarks/toy/pairwise.csv", "/benchmarks/toy-history.json"} <= published().keys()
    assert "/benchmarks/toy/releases/2/gold-changes.json" in published()

    assert with_many_decimals(texts()) == {}
    assert with_many_decimals(read_by(owner, "toy")) == {}
    assert with_many_decimals((str(one.subject), str(one.message())) for one in sent()) == {}
    assert not LONG.search(json.dumps([[one.boards, one.reports] for one in Release.objects.all()]))


def test_boards_about_attacks_tracks_and_seeds_have_no_more_either(sync, gold_keys, system, owner):
    tiny = robustness.load_tiny(sync, robustness.DEFINITION.replace("  gold: public\n", ""))
    robustness.submit(system, tiny, robustness.LARCH)
    robustness.submit(system, tiny, robustness.LARCH_TENTH, track="tenth")
    run_batch(CUT_OFF)

    assert any("robust" in path or "resilience" in path for path in published())
    assert with_many_decimals(texts()) == {}
    assert with_many_decimals(read_by(owner, "tiny")) == {}


def test_published_numbers_are_the_exact_ones_rounded(toy_for_two_weeks):
    for cell in ReleaseCell.objects.select_related("first", "system", "task", "score"):
        path = f"/benchmarks/toy/releases/{cell.first.number}/tasks/{cell.task.slug}.json"
        shown = row_of(board(path), cell.system.name)["cells"][cell.task.slug]["value"]
        assert shown == pytest.approx(cell.score.value, abs=1e-4)
    assert 5 / 6 in [pytest.approx(value, abs=1e-12) for value in cell_values("Larch")]


def cell_values(system: str) -> list[float]:
    """A system's stored scores by every metric."""
    runs = ReleaseCell.objects.filter(system__name=system).values("score__run")
    found = ReleaseCell.objects.filter(score__run__in=runs).values_list(
        "score__run__scores__value", flat=True
    )
    return [value for value in found if value is not None]


def test_a_mean_can_be_made_of_the_cells_shown_to_within_rounding(toy_for_two_weeks):
    for row in board()["rows"]:
        values = {key: cell["value"] for key, cell in row["cells"].items()}
        if row["kind"] == "system":
            assert values["overall"] == pytest.approx((values["mood"] + values["colour"]) / 2, abs=1e-4)


def test_a_board_says_how_many_decimals_it_has(toy_for_two_weeks):
    assert board()["decimals"] == 4


def test_public_gold_labels_leave_all_digits(sync, gold_keys, system, owner):
    toy = sync(TOY_DEFINITION.replace("task_defaults:\n", "task_defaults:\n  gold: public\n"))
    for slug, data in TOY_GOLD.items():
        load_gold(task=toy.tasks.get(slug=slug), data=data, file_name="gold.csv", now=CUT_OFF - WEEK)
    submission = upload(system, toy.phases.get(), mood=ONE_WRONG)
    run_batch(CUT_OFF)

    exact = 0.8285714285714285
    assert "decimals" not in board()
    assert row_of(board("/benchmarks/toy/tasks/mood.json"), "Larch")["cells"]["mood"]["value"] == exact
    scores = client_of(owner).get(f"/api/v1/submissions/{submission.pk}/").json()["scores"]
    assert exact in [one["value"] for one in scores]


def test_a_board_of_public_tasks_alone_has_all_digits_beside_hidden_ones(sync, gold_keys, system):
    toy = sync(TOY_DEFINITION.replace("{id: mood, ", "{id: mood, gold: public, "))
    for slug, data in TOY_GOLD.items():
        load_gold(task=toy.tasks.get(slug=slug), data=data, file_name="gold.csv", now=CUT_OFF - WEEK)
    upload(system, toy.phases.get(), mood=ONE_WRONG)
    run_batch(CUT_OFF)

    shown = {
        path: "decimals" in board(f"/benchmarks/toy{path}.json")
        for path in ("", "/tasks/mood", "/tasks/colour")
    }
    assert shown == {"": True, "/tasks/mood": False, "/tasks/colour": True}


def test_what_a_release_was_published_with_stays_when_its_pages_are_rendered_anew(toy_for_two_weeks):
    before = published()["/benchmarks/toy/releases/1.json"]
    refresh(toy_for_two_weeks, archive=True)
    assert published()["/benchmarks/toy/releases/1.json"] == before


def test_no_change_is_told_of_a_number_that_only_lost_its_digits():
    assert is_same(0.82857142, 0.8286)
    assert is_same(0.8286, 0.82857142)
    assert not is_same(0.82857142, 0.82857143)
    assert rounded({"a": [-0.00001, 7, True, None, "0.123456"]}) == {"a": [0.0, 7, True, None, "0.123456"]}
