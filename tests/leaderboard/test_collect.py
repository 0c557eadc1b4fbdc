"""From scores to boards: which submission counts, and who is ranked."""

from collections.abc import Callable

import pytest

from benchmarks.models import Benchmark, Phase
from leaderboard.models import Release
from scoring.disclosure.standings import runs_that_count, standings_by_row
from scoring.gold.versions import load_gold
from scoring.models import Batch
from submissions.exceptions import CannotChange
from submissions.models import Choice, Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import choose
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, systems_on, upload

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]

HOUR = WEEK / 168


def submission_on_the_board(system: str = "Larch") -> str:
    found: str = row_of(board(), system)["cells"]["mood"]["submission"]
    return found


@pytest.fixture
def three(system: System, phase: Phase) -> Callable[[str], dict[str, Submission]]:
    """Three submissions of one system, the best in the middle, in a phase with the given counting rule."""

    def _three(rule: str) -> dict[str, Submission]:
        Phase.objects.update(counting=rule)
        phase.refresh_from_db()
        moods = {"first": ONE_WRONG, "best": "good good bad bad good bad", "latest": HALF_WRONG}
        return {
            name: upload(system, phase, mood=mood, at=NOW + hour * HOUR)
            for hour, (name, mood) in enumerate(moods.items())
        }

    return _three


@pytest.mark.parametrize(("rule", "expected"), [("latest", "latest"), ("best", "best")])
def test_the_counting_rule_decides_which_submission_fills_a_cell(three, rule, expected):
    submissions = three(rule)
    run_batch(CUT_OFF)
    assert submission_on_the_board() == str(submissions[expected].pk)


def test_the_chosen_submission_fills_the_cell(three, owner):
    submissions = three("chosen")
    choose(submission=submissions["first"], user=owner, now=NOW)

    run_batch(CUT_OFF)

    assert submission_on_the_board() == str(submissions["first"].pk)


def test_where_a_team_has_one_row_its_last_choice_counts_whichever_system_it_is_for(
    team, system, phase, owner
):
    Phase.objects.update(counting="chosen", one_per_team=True)
    phase.refresh_from_db()
    other = System.objects.create(team=team, name="Oak", created_at=NOW)
    first, later = upload(system, phase, mood=ONE_WRONG), upload(other, phase, at=NOW + HOUR)
    for submission in (later, first):
        choose(submission=submission, user=owner, now=NOW)

    run_batch(CUT_OFF)

    assert {choice.submission for choice in Choice.objects.all()} == {first}
    assert submission_on_the_board() == str(first.pk)


def test_where_systems_have_rows_of_their_own_each_has_its_choice(team, system, phase, owner):
    Phase.objects.update(counting="chosen")
    phase.refresh_from_db()
    other = System.objects.create(team=team, name="Oak", created_at=NOW)
    sent = {upload(system, phase, mood=ONE_WRONG), upload(other, phase)}
    for submission in sent:
        choose(submission=submission, user=owner, now=NOW)
    assert {choice.submission for choice in Choice.objects.all()} == sent


def test_without_a_choice_the_latest_counts(three):
    submissions = three("chosen")
    run_batch(CUT_OFF)
    assert submission_on_the_board() == str(submissions["latest"].pk)


def test_a_choice_made_later_counts_in_the_next_release(three, owner):
    submissions = three("chosen")
    run_batch(CUT_OFF)
    choose(submission=submissions["best"], user=owner, now=NOW)
    upload(submissions["best"].system, submissions["best"].phase, mood="bad " * 6, at=CUT_OFF)

    run_batch(CUT_OFF + WEEK)

    assert submission_on_the_board() == str(submissions["best"].pk)


def test_after_the_close_nothing_is_chosen_so_that_no_correction_brings_out_who_knew_the_scores(three, owner):
    submissions = three("chosen")
    phase = submissions["first"].phase
    Phase.objects.filter(pk=phase.pk).update(closes_at=CUT_OFF, next_cut_off_at=CUT_OFF)
    run_batch(CUT_OFF)
    with pytest.raises(CannotChange, match="has closed; what was chosen until then counts"):
        choose(submission=Submission.objects.get(pk=submissions["best"].pk), user=owner, now=CUT_OFF)
    load_gold(
        task=phase.benchmark.tasks.get(slug="mood"),
        data=TOY_GOLD["mood"].replace(b"m1,good", b"m1,bad"),
        file_name="gold.csv",
        now=CUT_OFF,
    )

    run_batch(CUT_OFF + WEEK)

    assert Release.objects.count() == 2
    assert submission_on_the_board() == str(submissions["latest"].pk)


def test_the_best_cells_of_two_submissions_stand_in_one_row(system, phase):
    Phase.objects.update(counting="best")
    phase.refresh_from_db()
    upload(system, phase, mood=HALF_WRONG)
    upload(system, phase, colour="green,red,red,green", at=NOW + HOUR)

    run_batch(CUT_OFF)

    assert row_of(board(), "Larch")["cells"]["overall"]["value"] == 1.0


@pytest.fixture
def partial_uploads(sync: Callable[[str], Benchmark], toy: Benchmark) -> Phase:
    """The toy's phase, where a zip need not hold a file for every task."""
    return sync(TOY_DEFINITION.replace("files: complete", "files: any")).phases.get()


def test_a_system_without_an_answer_to_every_task_is_unranked(system, owner, partial_uploads):
    mood = "ID,Label\nm1,good\nm2,good\nm3,bad\nm4,bad\nm5,good\nm6,bad\n"
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=partial_uploads,
            user=owner,
            data=zip_of({"data/mood/predictions.csv": mood}),
            file_name="mood.zip",
            received_at=NOW,
        )
    )

    run_batch(CUT_OFF)

    row = row_of(board(), "Larch")
    assert row["rank"] is None
    assert row["cells"]["overall"] | {"submission": None} == {
        "value": None,
        "undefined": "missing_task",
        "ci_low": None,
        "ci_high": None,
        "submission": None,
    }
    assert row_of(board("/benchmarks/toy/tasks/mood.json"), "Larch")["rank"] == 1


def test_a_retired_task_leaves_the_board_and_the_average(system, phase, sync):
    upload(system, phase, colour="green,red,red,green")
    run_batch(CUT_OFF)
    colour = next(line for line in TOY_DEFINITION.splitlines(keepends=True) if "{id: colour" in line)
    sync(TOY_DEFINITION.replace(colour, "").replace(", colour: 0.7", ""))
    mood = Benchmark.objects.get().tasks.get(slug="mood")
    load_gold(task=mood, data=TOY_GOLD["mood"], file_name="mood.csv", now=CUT_OFF)

    run_batch(CUT_OFF + WEEK)

    row = row_of(board(), "Larch")
    assert row["cells"].keys() == {"overall", "mood"}
    assert row["cells"]["overall"]["value"] == 1.0


def test_a_new_version_of_a_task_is_scored_anew_for_the_next_release(system, phase, sync):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    before = board()["rows"][0]["cells"]["mood"]["value"]
    swapped = "metrics: [{name: accuracy, title: Accuracy}, {name: f1_macro, title: F1 macro}]"
    sync(
        TOY_DEFINITION.replace(
            "metrics: [{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}]", swapped
        )
    )

    run_batch(CUT_OFF + WEEK)

    after = row_of(board(), "Larch")["cells"]["mood"]["value"]
    assert (before, after) == (0.8286, round(5 / 6, 4))


def test_systems_of_equal_score_share_a_rank(system, phase, team):
    for name in ("Fir", "Spruce"):
        upload(System.objects.create(team=team, name=name, created_at=NOW), phase)
    upload(system, phase, mood=HALF_WRONG)

    run_batch(CUT_OFF)

    ranks = {row["system"]: row["rank"] for row in board()["rows"] if row["kind"] == "system"}
    assert ranks == {"Fir": 1, "Spruce": 1, "Larch": 3}


def test_reported_and_human_rows_stand_on_the_board_without_a_rank(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    assert row_of(board(), "Human")["rank"] is None
    assert row_of(board(), "Human")["cells"]["overall"]["value"] == 0.75


def test_a_published_row_says_the_rank_that_its_source_printed_on_that_board_alone(system, phase, sync):
    ranked = TOY_DEFINITION.replace("kind: human, source", "kind: human, ranks: {mood: 4}, source", 1)
    sync(ranked)
    upload(system, phase)
    run_batch(CUT_OFF)
    sources = {key: row_of(drawn, "Human")["source"] for key, drawn in Release.objects.get().boards.items()}
    assert sources == {
        "overall": "Nobody, 2026",
        "mood": "Nobody, 2026; rank 4 there",
        "colour": "Nobody, 2026",
    }


def test_a_baseline_is_scored_and_carries_no_rank(system, phase):
    System.objects.update(kind=System.Kind.BASELINE)
    upload(system, phase)

    run_batch(CUT_OFF)

    assert row_of(board(), "Larch")["cells"]["overall"]["value"] == 1.0
    assert row_of(board(), "Larch")["rank"] is None


def test_another_phase_of_the_benchmark_does_not_show_on_the_board(system, phase):
    other = Phase.objects.get()
    other.pk, other.slug, other.position = None, "practice", 1
    other.save(force_insert=True)
    upload(system, other, mood=HALF_WRONG)
    upload(system, phase, at=NOW + HOUR)

    run_batch(CUT_OFF)

    shown = {release: board(f"/benchmarks/toy/releases/{release}.json") for release in (1, 2)}
    assert {systems_on(one)[0] for one in shown.values()} == {"Larch"}
    assert sorted(row_of(one, "Larch")["cells"]["mood"]["value"] for one in shown.values())[1] == 1.0


@pytest.mark.parametrize("rule", ["latest", "chosen", "best"])
def test_a_row_stands_on_the_same_answers_whether_those_that_count_no_more_are_read_or_not(
    three, rule, owner, monkeypatch
):
    submissions = three(rule)
    if rule == "chosen":
        choose(submission=submissions["first"], user=owner, now=NOW)
    run_batch(CUT_OFF)
    batch, read = Batch.objects.get(), []

    def read_of(*arguments, outdone=True, **named):
        read.append(runs_that_count(*arguments, outdone=outdone, **named))
        return read[-1]

    def of_all(*arguments, outdone=True, **named):
        return runs_that_count(*arguments, **named)

    stood = {}
    for name, way in {"few": read_of, "all": of_all}.items():
        monkeypatch.setattr("scoring.disclosure.standings.runs_that_count", way)
        rows = standings_by_row(batch)
        stood[name] = {
            (row, place): (answer.submission.pk, dict(answer.scores))
            for row, standing in rows.items()
            for place, answer in standing.answers.items()
        }
    assert stood["few"] == stood["all"]
    assert len({run.submission_id for run in read[0]}) == (3 if rule == "best" else 1)
