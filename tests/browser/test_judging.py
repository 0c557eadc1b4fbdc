"""Where people judge what systems gave, axe-core finds nothing and nothing is cut: workers' pages and organisers'."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from benchmarks.admin.organised.links import address
from benchmarks.models import Benchmark
from labelling.models import Campaign
from labelling.work.platforms import PLATFORMS, study_address
from leaderboard.publication.services import refresh_stale
from submissions.models import System
from tests.browser.axe import Opening, open_address, problems_on, window_of
from tests.browser.steps import Page, fits
from tests.weeks import CUT_OFF, WEEK, run_batch
from tests.written import (
    BETTER,
    SLIDER,
    as_number,
    begun,
    drawn,
    item_of,
    judged,
    make_told,
    send,
    the_better,
)

pytestmark = [pytest.mark.browser, pytest.mark.walks, pytest.mark.django_db(transaction=True)]

GUIDELINES = "## Good\n\nIt says what the text above says."
KINDS = {"assessment": (SLIDER, as_number), "preferences": (BETTER, the_better)}


@pytest.fixture
def told(gold_keys: None) -> Benchmark:
    return make_told()


def judging(window: Page, campaign: Campaign) -> None:
    """Go to where somebody from a platform judges."""
    window.goto(study_address(campaign, PLATFORMS["prolific"]).partition("?")[0] + "?PROLIFIC_PID=p1")
    if window.get_by_role("button", name="Begin").count():
        window.get_by_role("button", name="Begin").click()
    window.locator("form.work").wait_for()


def at_work(told: Benchmark) -> Iterator[Opening]:
    for purpose, (question, _) in KINDS.items():
        campaign = begun(told, purpose, question, sample=6, guidelines=GUIDELINES)
        yield f"work of {purpose}", partial(judging, campaign=campaign)


def in_the_admin(told: Benchmark) -> Iterator[Opening]:
    """A draft that draws its units, and one that is over; with all that is asked on the way."""
    for purpose, (question, judge) in KINDS.items():
        draft = drawn(told, purpose, question, sample=6)
        over = begun(told, purpose, question, sample=6, title=f"Over: {purpose}")
        judged(over, judge, judge)
        for campaign, asks in ((draft, ("change", "draw_systems")), (over, ("change", "export_systems"))):
            at = address(campaign).removesuffix("change/")
            yield from ((f"{at}{ask}/", partial(open_address, address=f"{at}{ask}/")) for ask in asks)


def published(told: Benchmark) -> Iterator[Opening]:
    """The board with what people gave, and the page that tells how they gave it."""
    judged(
        begun(told, "assessment", SLIDER, sample=8),
        as_number,
        lambda page: as_number(page, 4 - item_of(page)),
    )
    judged(begun(told, "preferences", BETTER, title="The better one"), the_better, the_better)
    send(told, System.objects.get(name="Birch"), CUT_OFF + WEEK / 7, more=" again")
    run_batch(CUT_OFF + WEEK)
    refresh_stale()
    for page in ("/benchmarks/told/tasks/words/", "/benchmarks/told/labelling/"):
        yield page, partial(open_address, address=page)


@pytest.mark.parametrize(
    ("pages", "is_organiser"), [(at_work, False), (in_the_admin, True), (published, False)]
)
def test_axe_core_finds_nothing_and_nothing_is_cut(
    told: Benchmark,
    chromium: Any,
    live_server: Any,
    staff: Any,
    pages: Callable[[Benchmark], Iterator[Opening]],
    is_organiser: bool,
) -> None:
    window = window_of(chromium, live_server.url, staff if is_organiser else None)
    openings = list(pages(told))
    problems = list(problems_on([window], openings))
    assert not problems, "\n".join(problems)
    for _, get_there in openings:
        for width in (390, 1440):
            window.set_viewport_size({"width": width, "height": 900})
            get_there(window)
            fits(window)
