"""What a team reads of a release on its submission's page."""

import pytest

from tests.pages import browser_of, text_of
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.django_db


def test_the_change_is_told_since_the_release_before(system, phase):
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    second = upload(system, phase, mood=ALL_RIGHT, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    browser = browser_of(second.submitted_by)

    told = browser.get(f"/api/v1/submissions/{second.pk}/").json()["result"]

    assert (told["earlier"]["release"], told["earlier"]["rank"]) == (1, 1)
    assert told["earlier"]["difference"] == pytest.approx(told["value"] - told["earlier"]["value"], abs=1e-4)
    assert "better than in release 1." in text_of(browser.get(f"/submissions/{second.pk}/"))


def test_a_submission_that_another_one_took_the_place_of_has_no_result(system, phase):
    first = upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    upload(system, phase, mood=ALL_RIGHT, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert browser_of(first.submitted_by).get(f"/api/v1/submissions/{first.pk}/").json()["result"] is None
