import pytest

from benchmarks.models import Benchmark, Phase
from leaderboard.board.model import number_format as fmt
from leaderboard.publication.services import refresh
from submissions.models import System
from tests.conftest import NOW
from tests.published import published
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, upload

pytestmark = pytest.mark.thorough


@pytest.fixture
def three_weeks(system: System, phase: Phase) -> None:
    for week, mood in enumerate([HALF_WRONG, ONE_WRONG, ALL_RIGHT]):
        upload(system, phase, mood=mood, at=NOW + week * WEEK)
        run_batch(CUT_OFF + week * WEEK)


def test_a_systems_page_tells_what_it_scored_in_every_release(three_weeks, system):
    page = published()[f"/systems/{system.pk}/"].decode()
    history = page[page.index("<h2>History") :]
    frozen = [board(f"/benchmarks/toy/releases/{number}.json") for number in (3, 2, 1)]
    scores = [fmt.score(row_of(one, system.name)["cells"]["overall"]["value"]) for one in frozen]
    places = [history.index(f'<td class="number">{score}</td>') for score in scores]
    assert len(set(scores)) == 3
    assert places == sorted(places)


def test_pages_of_a_year_rendered_anew_are_the_same_bytes(three_weeks, toy: Benchmark):
    before = published()
    refresh(toy, archive=True)
    assert published() == before


def test_current_exports_are_those_of_the_newest_release(three_weeks):
    held = published()
    for ending in ("json", "csv", "tex"):
        assert held[f"/benchmarks/toy.{ending}"] == held[f"/benchmarks/toy/releases/3.{ending}"]
        assert held[f"/benchmarks/toy.{ending}"] != held[f"/benchmarks/toy/releases/2.{ending}"]
