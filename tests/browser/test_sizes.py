"""Pages of a benchmark with no system, with three and with three hundred: axe-core finds nothing wrong with any."""

from functools import partial

import pytest

from accounts.services import create_team
from benchmarks.models import Phase
from benchmarks.spec import OVERALL
from leaderboard.board.model.serialization import from_dict
from leaderboard.models import Release
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission, System
from tests.browser.axe import open_address, problems_on, window_of
from tests.browser.stored_boards import store_with_more_rows, stored_row
from tests.conftest import NOW, person
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, run_batch, upload

pytestmark = [pytest.mark.browser, pytest.mark.walks, pytest.mark.django_db(transaction=True)]

FEW, MANY = 3, 300
TOY = "/benchmarks/toy/"
ALWAYS = (
    "/",
    TOY,
    f"{TOY}analysis/",
    f"{TOY}rules/",
    f"{TOY}releases/",
    f"{TOY}compare/",
    "/submissions/",
    "/submit/?benchmark=toy",
)
ONCE = ("/handbook/reading-a-board/", "/handbook/api/")
FOR_STRANGERS = ("/accounts/login/", "/accounts/signup/")


def test_axe_core_finds_nothing_whether_nobody_a_few_or_hundreds_stand_on_the_board(
    toy, phase, system, owner, chromium, live_server
):
    windows = [window_of(chromium, live_server.url, owner) for _ in range(2)]
    stranger = window_of(chromium, live_server.url, None)

    def found(count: int, *addresses: str, by: list = windows) -> list[str]:
        openings = [(address, partial(open_address, address=address)) for address in addresses]
        return [f"with {count} systems, {one}" for one in problems_on(by, openings)]

    refresh_stale()
    problems = found(0, *ALWAYS, *ONCE) + found(0, *FOR_STRANGERS, by=[stranger])
    mine = _three_systems(system, phase)
    own = (f"/systems/{system.pk}/", f"/submissions/{mine.pk}/")
    problems += found(FEW, *ALWAYS, *own)
    _three_hundred()
    problems += found(MANY, *ALWAYS, *own, f"{TOY}?view=columns")

    assert not problems, "\n".join(problems)


def _three_systems(system: System, phase: Phase) -> Submission:
    mine = upload(system, phase)
    for name, mood in (("Alder", HALF_WRONG), ("Elm", ONE_WRONG)):
        team = create_team(name=f"Team of {name}", founder=person(name.lower()), now=NOW)
        upload(System.objects.create(team=team, name=name, created_at=NOW), phase, mood=mood)
    run_batch(CUT_OFF)
    refresh_stale()
    return mine


def _three_hundred() -> None:
    released = Release.objects.get()
    columns = from_dict(released.boards[OVERALL]).columns
    store_with_more_rows(released, [stored_row(at, columns) for at in range(MANY - FEW)])
    refresh_stale()
