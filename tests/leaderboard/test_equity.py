"""A release counts which group systems favour, names none of them, and leaves each team its own report."""

import datetime as dt

import pytest

from leaderboard.models import Page, Release
from leaderboard.reports.equity import FEWEST_SUBMISSIONS
from submissions.models import Submission, System
from tests.conftest import person
from tests.feelings import (
    CUT_OFF,
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

pytestmark = pytest.mark.thorough

FIELD = (FAIR, MIXED, FAVOURS_SHE, FAVOURS_SHE, FAVOURS_HE)


@pytest.fixture
def feelings(sync, gold_keys):
    benchmark = sync(DEFINITION)
    load_all_gold(benchmark)
    return benchmark


def field(answers=FIELD) -> list[Submission]:
    """A team for each of these answers."""
    submissions = []
    for number, mystery in enumerate(answers):
        user = person(f"person-{number}")
        _, system = team_of(user, f"Team {number}")
        submissions.append(submit_joy(system, user, mystery))
    return submissions


def equity() -> dict:
    return Release.objects.latest("number").reports["equity"]


def joy() -> dict:
    (comparison,) = equity()["comparisons"]
    (task,) = comparison["tasks"]
    return task


def test_submissions_are_counted_by_group(feelings):
    load_gender(feelings)
    field()
    run_batch()
    assert joy() == {
        "id": "joy",
        "title": "Joy",
        "submissions": 5,
        "equal": 2,
        "first_higher": 2,
        "second_higher": 1,
        "mean_difference_min": -0.25,
        "mean_difference_max": 0.25,
    }


def test_the_comparison_bears_its_title_and_groups(feelings):
    load_gender(feelings, title="Women and men")
    field()
    run_batch()
    (comparison,) = equity()["comparisons"]
    found = [comparison[key] for key in ("id", "title", "first", "second")]
    assert found == ["gender", "Women and men", "she", "he"]


def test_every_test_of_the_release_is_corrected_for(feelings):
    load_gender(feelings)
    # Differences of 0.25, 0.25, 0.25 and 0.2: p is about 0.00017, below 0.05 / 5 and above 0.05 / 300.
    nearly = (0.75, 0.5, 0.5, 0.25, 1.0, 0.75, 0.25, 0.05)
    field([*FIELD[:4], nearly])
    run_batch()
    assert equity()["assessments"] == 5
    assert joy()["first_higher"] == 3


def test_too_few_submissions_are_not_counted_in_public(feelings):
    load_gender(feelings)
    field(FIELD[: FEWEST_SUBMISSIONS - 1])
    run_batch()
    told = {key: value for key, value in joy().items() if value is not None}
    assert told == {"id": "joy", "title": "Joy", "submissions": 4}
    assert "withheld" in page("/benchmarks/feelings/analysis/")


def test_baselines_are_left_out(feelings):
    load_gender(feelings)
    submissions = field()
    System.objects.filter(pk=submissions[0].system_id).update(kind="baseline")
    run_batch()
    assert joy()["submissions"] == 4
    assert equity()["assessments"] == 4


def test_only_the_submission_that_stands_counts(feelings):
    load_gender(feelings)
    submissions = field()
    first = submissions[0]
    submit_joy(first.system, first.submitted_by, FAVOURS_HE)
    run_batch()
    assert equity()["assessments"] == 5


def test_without_pairs_a_release_has_no_equity_report(feelings):
    field()
    run_batch()
    assert "equity" not in Release.objects.get().reports
    assert "Equity" not in page("/benchmarks/feelings/analysis/")


def test_a_release_keeps_its_counts_when_the_pairs_are_replaced(feelings):
    load_gender(feelings)
    field()
    run_batch()
    before = equity()
    load_gender(feelings, first="he", second="she")
    run_batch(CUT_OFF + dt.timedelta(days=7))
    assert equity() == before


def page(path: str) -> str:
    return bytes(Page.objects.get(pk=path).body).decode()


@pytest.mark.parametrize(
    "path", ["/benchmarks/feelings/analysis/", "/benchmarks/feelings/releases/1/analysis/"]
)
def test_the_analysis_shows_the_table(feelings, path):
    load_gender(feelings)
    field()
    run_batch()
    section = page(path).partition('id="equity"')[2].partition("</section>")[0]
    assert "Gender: she and he" in section
    assert "0.05 / 5" in section
    cells = [cell.partition("<")[0] for cell in section.split('<td class="number">')[1:]]
    assert cells == ["2", "2", "1", "5", "\N{MINUS SIGN}0.250 to 0.250"]


def test_no_submission_system_or_team_is_named(feelings):
    load_gender(feelings)
    submissions = field()
    run_batch()
    section = page("/benchmarks/feelings/analysis/").partition('id="equity"')[2].partition("</section>")[0]
    said = f"{section} {equity()}"
    for one in submissions:
        assert one.system.name not in said
        assert str(one.pk) not in said
        assert str(one.system_id) not in said


def test_answers_on_pairs_are_in_no_score(feelings):
    load_gender(feelings)
    field()
    run_batch()
    board = Release.objects.get().boards["joy"]
    assert [row["cells"]["joy"]["value"] for row in board["rows"]] == pytest.approx([1.0] * 5)
