"""The demo's past weeks: what a visitor finds after the first start."""

import datetime as dt
import json
from itertools import pairwise
from typing import Any

import pytest

from accounts.models import User
from benchmarks.models import Phase
from demo import cast, story
from demo.stories import affect, dynasent, raft, stance
from leaderboard.models import Page, Release, ReleaseCell
from submissions.models import FactSheet, Refusal, Submission
from tests.conftest import NOW

WEEK = dt.timedelta(days=7)
WEEKLY = [
    ("raft/main", raft.WEEKS),
    ("ait2018/post-evaluation", affect.WEEKS),
    ("stance/main", stance.WEEKS),
    ("dynasent/main", dynasent.WEEKS),
]


@pytest.fixture(scope="module")
def told(stage):
    """The whole story, told once for the tests of this module."""
    story.tell(now=NOW, password="a password of this folder")


pytestmark = [pytest.mark.walks, pytest.mark.usefixtures("told", "db")]


def board(path: str) -> dict[str, Any]:
    return json.loads(bytes(Page.objects.get(pk=f"/benchmarks/{path}.json").body))


def rows_of(path: str) -> dict[str, Any]:
    """The rows of a published board by the name of their system."""
    return {row["system"]: row for row in board(path)["rows"]}


def value(row: dict[str, Any], column: str) -> Any:
    return row["cells"][column]["value"]


@pytest.mark.parametrize(("name", "weeks"), WEEKLY)
def test_story_publishes_a_release_for_every_past_week(name, weeks):
    phase = Phase.objects.named(name)
    editions = (
        Phase.objects.filter(benchmark=phase.benchmark_id, series=phase.series) if phase.series else [phase]
    )
    releases = Release.objects.filter(phase__in=editions).order_by("number")
    published = list(releases.values_list("published_at", flat=True))

    assert len(published) == weeks
    assert NOW - WEEK < published[-1] <= NOW
    assert all(later - earlier == WEEK for earlier, later in pairwise(published))


@pytest.mark.parametrize(("name", "weeks"), WEEKLY)
def test_story_leaves_the_next_cut_off_in_the_future(name, weeks):
    assert NOW < Phase.objects.named(name).next_cut_off_at <= NOW + WEEK


@pytest.mark.parametrize("benchmark", ["raft", "ait2018", "stance", "dynasent"])
def test_story_boards_say_that_they_are_synthetic(benchmark):
    assert board(benchmark)["synthetic"] is True


@pytest.mark.parametrize("benchmark", ["raft", "ait2018", "stance", "dynasent"])
def test_story_baselines_stand_on_every_board_without_a_rank(benchmark):
    baselines = [row for row in board(benchmark)["rows"] if row["kind"] == "baseline"]

    assert {"Majority", "Plurality"} & {row["system"] for row in baselines}
    assert all(row["rank"] is None for row in baselines)


def test_story_leaves_submissions_waiting_and_a_refused_upload_that_cost_nothing():
    waiting = Submission.objects.filter(status=Submission.Status.ACCEPTED)

    assert {one.phase.benchmark_id for one in waiting} == {"raft", "ait2018", "stance", "dynasent"}
    assert waiting.filter(phase__benchmark="raft").count() == 3
    assert all(one.received_at < NOW < one.cut_off_at for one in waiting)
    assert Refusal.objects.count() == 2


def test_story_accounts_sign_in_with_the_password_of_the_folder():
    for email in (cast.ORGANISER_EMAIL, *cast.PARTICIPANT_EMAILS):
        assert User.objects.get(email=email).check_password("a password of this folder")
    assert not User.objects.get(email="hill@example.org").has_usable_password()


def test_raft_board_spreads_like_the_paper():
    overall = [
        value(row, "overall")
        for row in board("raft")["rows"]
        if row["kind"] in ("system", "baseline") and value(row, "overall") is not None
    ]

    assert min(overall) < 0.40
    assert max(overall) > 0.75


def test_raft_shows_the_final_of_an_edition_that_is_over_and_names_the_provisional_board_of_this_week():
    front = board("raft")
    page = bytes(Page.objects.get(pk="/benchmarks/raft/").body).decode()

    assert (front["release"], front["part"]) == (raft.EDITION, "remainder")
    assert all(row["cells"]["overall"].get("beside") for row in front["rows"] if row["rank"])
    assert f"/benchmarks/raft/releases/{raft.WEEKS}/" in page
    assert "The newest final." in page
    assert board(f"raft/releases/{raft.WEEKS}")["part"] == "displayed"


def test_raft_has_our_own_plurality_and_adaboost_beside_those_of_the_paper():
    rows = {(row["system"], row["kind"]): row for row in board("raft")["rows"]}
    plurality, adaboost = (value(rows[name, "baseline"], "overall") for name in ("Plurality", "AdaBoost"))

    assert plurality < 0.40 < adaboost
    assert {("Plurality class", "reported"), ("AdaBoost", "reported")} <= rows.keys()


def test_raft_leaves_a_system_with_one_task_unranked():
    plover = rows_of("raft")["Plover"]

    assert plover["rank"] is None
    assert value(plover, "overruling") is not None


def test_raft_takes_the_withdrawn_system_off_the_board():
    assert ReleaseCell.objects.filter(system__name="Heron").exists()
    assert "Heron" not in rows_of("raft")


def test_raft_systems_improve_over_the_releases():
    scores = [value(rows_of(f"raft/releases/{number}")["Dunlin"], "overall") for number in (1, 2, 4)]

    assert scores == sorted(set(scores))


def test_affect_evaluation_is_over_and_has_a_row_per_team():
    evaluation = Phase.objects.named("ait2018/evaluation")
    systems = [row for row in board("ait2018/releases/1")["rows"] if row["kind"] == "system"]

    assert evaluation.closes_at is not None
    assert evaluation.closes_at <= NOW
    assert Release.objects.filter(phase=evaluation).count() == 1
    assert len(systems) == len({row["team"] for row in systems}) == 10


def test_affect_row_of_a_team_takes_each_cell_from_what_it_sent_last_for_it():
    north = next(row for row in board("ait2018/releases/1")["rows"] if row["team"] == "Demo Team North")
    sent_by = {
        column: Submission.objects.get(pk=north["cells"][column]["submission"]).system.name
        for column in ("E-c-en", "V-reg-en")
    }

    assert sent_by == {"E-c-en": "Siskin", "V-reg-en": "Larch"}


def test_affect_pair_that_lacks_an_emotion_has_no_bottom_line():
    harrier = rows_of("ait2018/boards/EI-reg-en")["Harrier"]

    assert harrier["rank"] is None
    assert value(harrier, "EI-reg-en") is None
    assert value(harrier, "EI-reg-en-anger") is not None


def test_affect_release_shows_systems_of_every_equity_group():
    for release in Release.objects.filter(benchmark="ait2018"):
        by_title = {one["id"]: one["tasks"] for one in release.reports["equity"]["comparisons"]}

        assert set(by_title) == {"gender", "race"}
        for group in ("first_higher", "equal", "second_higher"):
            assert any(task[group] for task in by_title["gender"])


def test_affect_fact_sheets_of_most_systems_are_counted():
    counted = Release.objects.get(benchmark="ait2018", number=1).reports["fact_sheets"]

    assert 0 < counted["answered"] < counted["systems"]
    assert FactSheet.objects.filter(system__name="Siskin").exists()


def test_stance_has_attack_sets_from_the_third_release_on():
    before, after = (rows_of(f"stance/releases/{number}/boards/resilience") for number in (2, 3))

    assert "Dunlin" not in before
    assert 0 < value(after["Dunlin"], "resilience") < 1


def test_stance_potency_is_known_for_every_attack():
    potency = [row for row in board("stance/boards/potency")["rows"] if row["kind"] == "attack"]

    assert {row["system"] for row in potency} == {"Paraphrase", "Spelling", "Negation"}
    assert all(0 < value(row, "potency") < 1 for row in potency)


def test_stance_system_with_three_seeds_is_unranked():
    rows = rows_of("stance")

    assert (rows["Larch"]["rank"], rows["Larch"]["cells"]["overall"]["seeds"]) == (None, 3)
    assert rows["Siskin"]["rank"] == 1


def test_stance_figure_has_a_line_for_two_systems():
    tracks = [column["key"] for column in board("stance/boards/tracks")["columns"]]
    complete = {
        name
        for name, row in rows_of("stance/boards/tracks").items()
        if all(value(row, column) is not None for column in tracks)
    }

    assert complete == {"Siskin", "Dunlin"}
