"""The equity report of a submission: what it says before and after the release, and who may read it."""

import pytest

from scoring.item_sets.equity import assess_due
from tests.api.conftest import client_of
from tests.conftest import NOW, person
from tests.feelings import (
    DEFINITION,
    FAIR,
    FAVOURS_HE,
    FAVOURS_SHE,
    MIXED,
    load_all_gold,
    load_gender,
    run_batch,
    submit_joy,
    team_of,
)
from tests.pages import browser_of, text_of
from tests.people import appoint


@pytest.fixture
def feelings(sync, gold_keys):
    benchmark = sync(DEFINITION)
    load_all_gold(benchmark)
    load_gender(benchmark)
    return benchmark


@pytest.fixture
def submission(feelings, system, owner):
    """Larch favours she; tested, not published."""
    submission = submit_joy(system, owner, FAVOURS_SHE)
    assess_due(NOW)
    return submission


def page(submission, user):
    return browser_of(user).get(f"/submissions/{submission.pk}/equity/")


def api(submission, user):
    return client_of(user).get(f"/api/v1/submissions/{submission.pk}/equity/")


def test_the_report_shows_every_stratum_with_its_test(submission, owner):
    text = text_of(page(submission, owner))
    for words in ("Joy: Gender", "All pairs", "calm", "wild", "Mean, she", "Mean, he", "0.2500", "∞"):
        assert words in text
    assert text.count("she higher") == 3


def test_the_api_gives_the_same_numbers(submission, owner):
    answer = api(submission, owner).json()
    (comparison,) = answer["comparisons"]
    assert (comparison["task"], comparison["comparison"], comparison["first"]) == ("joy", "gender", "she")
    overall, calm, wild = comparison["results"]
    assert overall == {
        "stratum": "",
        "pairs": 4,
        "mean_first": 0.625,
        "mean_second": 0.375,
        "mean_difference": 0.25,
        "mean_absolute_difference": 0.25,
        "largest_absolute_difference": 0.25,
        "first_higher_count": 4,
        "equal_count": 0,
        "t": None,
        "is_t_infinite": True,
        "p": 0.0,
        "group": "first_higher",
    }
    assert (calm["stratum"], wild["pairs"]) == ("calm", 2)


def test_before_the_release_the_level_is_not_corrected_and_the_report_says_so(submission, owner):
    answer = api(submission, owner).json()
    assert (answer["release"], answer["significance"], answer["assessments"]) == (None, 0.05, 1)
    assert "only at p &lt; 0.05" in text_of(page(submission, owner))


def test_in_a_release_the_level_is_corrected_for_all_its_tests(submission, owner):
    for number, mystery in enumerate((FAIR, MIXED, FAVOURS_HE)):
        user = person(f"person-{number}")
        submit_joy(team_of(user, f"Team {number}")[1], user, mystery)
    run_batch()
    answer = api(submission, owner).json()
    assert (answer["release"], answer["assessments"]) == (1, 4)
    text = text_of(page(submission, owner))
    assert "0.05 / 4" in text
    assert "/benchmarks/feelings/releases/1/" in text


def test_a_submission_without_pairs_says_so(sync, gold_keys, system, owner):
    load_all_gold(sync(DEFINITION))
    submission = submit_joy(system, owner, MIXED)
    assert "There are no pairs" in text_of(page(submission, owner))
    assert api(submission, owner).json()["comparisons"] == []


def test_until_it_is_tested_the_report_says_so(feelings, system, owner):
    submission = submit_joy(system, owner, MIXED)
    assert "has not been tested on these pairs yet" in text_of(page(submission, owner))
    assert api(submission, owner).json()["comparisons"][0]["results"] == []


def test_the_submissions_page_links_to_it(submission, owner):
    text = text_of(browser_of(owner).get(f"/submissions/{submission.pk}/"))
    assert f'href="/submissions/{submission.pk}/equity/"' in text


def test_a_submission_without_pairs_has_no_link(sync, gold_keys, system, owner):
    load_all_gold(sync(DEFINITION))
    submission = submit_joy(system, owner, MIXED)
    assert "/equity/" not in text_of(browser_of(owner).get(f"/submissions/{submission.pk}/"))


@pytest.mark.parametrize("role", ["owner", "teammate", "staff"])
def test_team_and_staff_may_read_it(submission, role, request):
    user = request.getfixturevalue(role)
    assert page(submission, user).status_code == 200
    assert api(submission, user).status_code == 200


def test_the_organiser_may_read_it(feelings, submission):
    organiser = person("organiser", is_staff=True)
    appoint(feelings, organiser)
    text = text_of(page(submission, organiser))
    assert "All pairs" in text
    assert f'href="/submissions/{submission.pk}/"' not in text  # that page is the team's alone


def test_an_outsider_finds_nothing_whether_or_not_it_exists(submission, outsider):
    nowhere = f"/api/v1/submissions/{submission.system_id}/equity/"
    assert page(submission, outsider).status_code == 404
    assert api(submission, outsider).status_code == 404
    assert api(submission, outsider).json() == client_of(outsider).get(nowhere).json()


def test_the_organiser_of_another_benchmark_finds_nothing(submission, sync):
    organiser = person("organiser", is_staff=True)
    appoint(sync(DEFINITION.replace("id: feelings", "id: other")), organiser)
    assert page(submission, organiser).status_code == 404
    assert api(submission, organiser).status_code == 404


def test_somebody_signed_out_is_sent_to_sign_in(submission):
    answer = page(submission, None)
    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/accounts/login/")
    assert api(submission, None).status_code == 401


def test_no_cache_may_keep_it(submission, owner):
    assert "no-store" in page(submission, owner)["Cache-Control"]
