"""A benchmark that has become private: what a team was given stays its own, and it learns nothing more of others."""

import pytest

from accounts.models import Mail
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import Visibility, set_visibility
from submissions.participants import TeamRegistration
from tests.conftest import NOW, person
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.django_db
HIDDEN = [Visibility.PRIVATE, Visibility.DRAFT]


@pytest.fixture
def sent(toy, system, phase, owner):
    """A submission beside one of another team, in a release that everybody could read."""
    upload(team_of(person("southerner"), "South", "Alder")[1], phase, mood=HALF_WRONG)
    found = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return found


def hide(toy, staff, visibility=Visibility.PRIVATE):
    set_visibility(benchmark=toy, visibility=visibility, by=staff)
    refresh_stale()


def answers(sent, owner):
    """The page of a submission, and what the API says of it, for its team."""
    browser = browser_of(owner)
    return text_of(browser.get(f"/submissions/{sent.pk}/")), browser.get(
        f"/api/v1/submissions/{sent.pk}/"
    ).json()


@pytest.mark.parametrize("visibility", HIDDEN)
def test_a_team_that_is_not_approved_keeps_its_scores_and_reads_nothing_of_others(
    visibility, toy, sent, owner, staff
):
    page, told = answers(sent, owner)
    assert "Alder" in page
    scores = told["scores"]
    assert told["result"]["neighbours"]

    hide(toy, staff, visibility)
    page, told = answers(sent, owner)
    assert "Alder" not in page
    assert "/benchmarks/toy/" not in page
    assert "it scored stays yours." in page
    assert told["scores"] == scores
    assert told["result"] is None


def test_an_approved_team_reads_all_of_it_as_before(toy, sent, owner, staff):
    TeamRegistration.objects.create(
        benchmark=toy, team=sent.system.team, asked_by=owner, asked_at=NOW, approved_at=NOW
    )
    before = answers(sent, owner)[1]
    hide(toy, staff)
    page, told = answers(sent, owner)
    assert "Alder" in page
    assert told == before


def test_once_it_is_public_again_all_is_told_again(toy, sent, owner, staff):
    before = answers(sent, owner)[1]
    hide(toy, staff)
    hide(toy, staff, Visibility.PUBLIC)
    assert answers(sent, owner)[1] == before


def test_a_later_release_is_told_to_it_without_a_place(toy, sent, owner, staff, system, phase):
    other = person("southerner2")
    approved, another = team_of(other, "West", "Birch")
    TeamRegistration.objects.create(
        benchmark=toy, team=approved, asked_by=other, asked_at=NOW, approved_at=NOW
    )
    upload(system, phase, at=CUT_OFF)
    upload(another, phase, at=CUT_OFF, mood=HALF_WRONG)
    hide(toy, staff)
    run_batch(CUT_OFF + WEEK)
    written = {mail.user: mail for mail in Mail.objects.filter(about="publication:toy:2")}
    assert "rank" in written[other].subject
    assert "/benchmarks/toy/" in written[other].text
    assert written[owner].subject == "Toy: release 2 is out"
    assert "rank" not in written[owner].text
    assert "/benchmarks/" not in written[owner].text
    assert "stays yours" in written[owner].text
