"""Every formula of the stance benchmark in a cell of a published board, on data computed by hand.

Scores of the systems, as mean (and population sd) over two seeds; overall is the mean of a and b:

             test a    test b   overall     typos a   typos b  overall    not a  not b    overall
    Larch    .7 (.1)   .9 (0)   .8 (.05)    .5 (.1)   .7 (0)   .6 (.05)   .2     .5 (.1)  .35 (.05)
    Fir      1.0       .8       .9          .8        .8       .8         .7     .7       .7
    Yew      .5        .5       .5          .9        .9       .9         .5     .5       .5          one seed
    Base     .1        .1       .1          .0        .0       .0         .0     .0       .0          baseline

c_a of typos is .5 and that of negation 1.
"""

import re
from typing import Any

import pytest
from django.test import Client

from benchmarks.models import Attack, Phase, Task
from benchmarks.spec.protocol import boards_anyway
from labelling.models import Outcome
from leaderboard.assembly.people import people_rows
from leaderboard.models import Page, Release, ReleaseCell
from leaderboard.publication.reproduction import made_otherwise, reproduce
from leaderboard.publication.services import refresh
from scoring.models import GoldVersion
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, synced, the_system
from tests.crowds import new_campaign
from tests.robustness import BASE, DEFINITION, FIR, LARCH, LARCH_TENTH, YEW, answers, load_tiny, submit
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch, systems_on

pytestmark = pytest.mark.thorough


@pytest.fixture
def tiny(sync: Any, gold_keys: Any) -> Phase:
    return load_tiny(sync)


@pytest.fixture
def submitted(system: System, tiny: Phase) -> Phase:
    hand_in_all(system, tiny)
    return tiny


def hand_in_all(larch: System, tiny: Phase) -> None:
    """All four systems on the main track, and Larch on that of a tenth of the data."""
    kinds = {"Fir": System.Kind.SYSTEM, "Yew": System.Kind.SYSTEM, "Base": System.Kind.BASELINE}
    others = {
        name: System.objects.create(team=larch.team, name=name, kind=kind, created_at=NOW)
        for name, kind in kinds.items()
    }
    for name, rights in (("Fir", FIR), ("Yew", YEW), ("Base", BASE)):
        submit(others[name], tiny, rights)
    submit(larch, tiny, LARCH)
    submit(larch, tiny, LARCH_TENTH, track="tenth")


@pytest.fixture
def released(released_once: None, db: None) -> Phase:
    return Phase.objects.get()


@pytest.fixture(scope="module")
def released_once(stage: None) -> None:
    hand_in_all(the_system(), load_tiny(synced))
    run_batch(CUT_OFF)


def found(key: str) -> dict[str, Any]:
    """A board of the current release."""
    return board("/benchmarks/tiny.json" if key == "overall" else f"/benchmarks/tiny/boards/{key}.json")


def page_of(path: str) -> str:
    return bytes(Page.objects.get(pk=path).body).decode()


def values(key: str, row: str) -> dict[str, float | None]:
    return {column: cell["value"] for column, cell in row_of(found(key), row)["cells"].items()}


def near(**wanted: float | None) -> Any:
    return pytest.approx(wanted, abs=1e-12)


def test_a_release_has_the_boards_that_attacks_and_tracks_bring(released):
    """A definition may not give these ids to boards of its own."""
    spec = released.benchmark.spec
    assert set(Release.objects.get().boards) == {*boards_anyway(spec.attacks, spec.tracks), "a", "b"}


# Seeds


def test_a_cell_is_the_mean_over_the_seeds_with_their_population_deviation(released):
    cells = row_of(found("overall"), "Larch")["cells"]
    assert [cells[one]["value"] for one in ("a", "b", "overall")] == pytest.approx([0.7, 0.9, 0.8])
    assert [cells[one]["deviation"] for one in ("a", "b", "overall")] == pytest.approx([0.1, 0.0, 0.05])
    assert {(one["seeds"], one["seeds_wanted"]) for one in cells.values()} == {(2, 2)}


def test_deviation_of_the_average_is_that_of_the_averages_of_each_seed(system, tiny):
    """Not the mean of the deviations: here one data set rises where the other falls."""
    submit(system, tiny, {"test": {"a": (8, 6), "b": (6, 8)}})
    run_batch(CUT_OFF)
    cells = row_of(found("overall"), "Larch")["cells"]
    assert [cells[one]["deviation"] for one in ("a", "b", "overall")] == pytest.approx([0.1, 0.1, 0.0])


def test_the_second_metric_stands_beside_as_the_mean_over_the_seeds(released):
    """Of n pros among ten items that are all pro, F1 is 2n / (10 + n)."""
    beside = row_of(found("overall"), "Larch")["cells"]["a"]["beside"]
    assert beside == pytest.approx((16 / 18 + 12 / 16) / 2)
    task = board("/benchmarks/tiny/tasks/a.json")
    assert row_of(task, "Larch")["cells"]["f1_pro"]["value"] == pytest.approx(beside)


def test_the_page_prints_mean_beside_and_deviation(released):
    page = Client().get("/benchmarks/tiny/?view=columns").content.decode()
    row = next(one for one in page.split("<tr") if ">Larch<" in one)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", row))
    assert ".700 (.819) sd .100" in text


def test_an_incomplete_group_is_shown_as_such_and_unranked(released):
    overall = found("overall")
    yew = row_of(overall, "Yew")
    assert (yew["cells"]["overall"]["value"], yew["rank"]) == (pytest.approx(0.5), None)
    assert (yew["cells"]["overall"]["seeds"], yew["cells"]["overall"]["seeds_wanted"]) == (1, 2)
    assert "1 of 2 seeds" in page_of("/benchmarks/tiny/")
    assert {row["system"]: row["rank"] for row in overall["rows"] if row["rank"]} == {"Fir": 1, "Larch": 2}


def test_an_incomplete_group_is_unranked_on_every_board(released):
    for key in ("resilience", "attacks", "attack-typos", "tracks"):
        row = row_of(found(key), "Yew")
        assert row["rank"] is None, key
        assert row["cells"][found(key)["rank_by"]]["seeds"] == 1, key


def test_a_seed_that_is_missing_under_one_attack_leaves_resilience_incomplete(system, tiny):
    one_seed = {task: seeds[:1] for task, seeds in LARCH["not"].items()}
    submit(system, tiny, {split: LARCH[split] for split in ("test", "typos")})
    submit(system, tiny, {"not": one_seed}, received_at=NOW + WEEK / 168)
    run_batch(CUT_OFF)
    resilience, overall = row_of(found("resilience"), "Larch"), row_of(found("overall"), "Larch")
    seeds = {key: cell["seeds"] for key, cell in resilience["cells"].items()}
    assert (seeds["relative_resilience"], seeds["relative_resilience:typos"]) == (1, 2)
    assert (resilience["rank"], overall["rank"]) == (None, 1)


def test_an_average_of_tasks_that_share_no_seed_says_so_and_has_no_value(system, tiny):
    user = system.team.members.get()
    for path in ("seed1/a.csv", "seed2/b.csv"):
        data = zip_of({path: answers(8)})
        submit_predictions(
            PredictionUpload(
                system=system, phase=tiny, user=user, data=data, file_name="group.zip", received_at=NOW
            )
        )
    run_batch(CUT_OFF)
    cells = row_of(found("overall"), "Larch")["cells"]
    assert (cells["a"]["value"], cells["b"]["value"], cells["overall"]["value"]) == (0.8, 0.8, None)
    assert "no shared seed" in page_of("/benchmarks/tiny/")
    assert "0 of 2 seeds" not in page_of("/benchmarks/tiny/")


def test_the_missing_seed_handed_in_later_with_the_whole_group_ranks_the_system(released):
    whole = {split: {task: (*seeds, 5) for task, seeds in tasks.items()} for split, tasks in YEW.items()}
    submit(System.objects.get(name="Yew"), released, whole, received_at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert row_of(found("overall"), "Yew")["rank"] == 3


def test_the_best_of_complete_groups_counts_before_a_lucky_seed(system, tiny):
    Phase.objects.update(counting="best")
    tiny.refresh_from_db()
    whole = submit(system, tiny, {"test": {"a": (8, 6)}})
    submit(system, tiny, {"test": {"a": (10,)}}, received_at=NOW + WEEK / 168)
    run_batch(CUT_OFF)
    cell = row_of(found("overall"), "Larch")["cells"]["a"]
    assert (cell["submission"], cell["value"]) == (str(whole.pk), pytest.approx(0.7))


def test_the_release_names_the_score_of_every_seed(released):
    cells = ReleaseCell.objects.filter(system__name="Larch", track="full", task__slug="a", split__slug="test")
    by_seed = cells.order_by("seed").values_list("seed", "score__value")
    assert list(by_seed) == [(1, 0.8), (2, 0.6)]


# Table 6: the average under every attack, and the relative drop


def test_the_average_under_every_attack_and_its_relative_drop(released):
    cells = row_of(found("attacks"), "Larch")["cells"]
    assert values("attacks", "Larch") == near(test=0.8, typos=0.6, **{"not": 0.35})
    assert cells["typos"]["beside"] == pytest.approx(1 - 0.6 / 0.8)
    assert cells["not"]["beside"] == pytest.approx(1 - 0.35 / 0.8)
    assert cells["typos"]["deviation"] == pytest.approx(0.05)


def test_an_attack_that_helps_has_a_negative_drop(released):
    assert row_of(found("attacks"), "Yew")["cells"]["typos"]["beside"] == pytest.approx(1 - 0.9 / 0.5)


def test_a_system_with_nothing_to_lose_has_no_relative_drop(system, tiny):
    nothing = {split: {"a": (0, 0), "b": (0, 0)} for split in ("test", "typos", "not")}
    submit(system, tiny, nothing)
    run_batch(CUT_OFF)
    cells = row_of(found("attacks"), "Larch")["cells"]
    assert cells["typos"]["value"] == 0.0
    assert cells["typos"].get("beside") is None


# Table 11: every data set under one attack


def test_every_data_set_under_one_attack_with_its_drop(released):
    assert values("attack-typos", "Larch") == near(overall=0.6, a=0.5, b=0.7)
    cells = row_of(found("attack-typos"), "Larch")["cells"]
    drops = {key: cell["beside"] for key, cell in cells.items()}
    assert drops == near(overall=1 - 0.6 / 0.8, a=1 - 0.5 / 0.7, b=1 - 0.7 / 0.9)
    assert values("attack-not", "Larch") == near(overall=0.35, a=0.2, b=0.5)


def test_a_cell_under_attack_names_its_submission(system, tiny):
    first = submit(system, tiny, {"test": LARCH["test"], "typos": {"a": LARCH["typos"]["a"]}})
    later = submit(system, tiny, {"typos": {"b": LARCH["typos"]["b"]}}, received_at=NOW + WEEK / 168)
    run_batch(CUT_OFF)
    cells = row_of(found("attack-typos"), "Larch")["cells"]
    assert (cells["a"]["submission"], cells["b"]["submission"]) == (str(first.pk), str(later.pk))
    assert cells["overall"]["value"] == pytest.approx(0.6)


# Table 5: potency


def test_potency_and_raw_potency_are_means_over_the_ranked_systems(released):
    """Of Larch and Fir: neither the baseline nor the system of which a seed is missing counts."""
    raw_typos, raw_not = ((1 - 0.6) + (1 - 0.8)) / 2, ((1 - 0.35) + (1 - 0.7)) / 2
    assert values("potency", "Typos") == near(
        potency=0.5 * raw_typos, raw_potency=raw_typos, correct_share=0.5
    )
    assert values("potency", "Negation") == near(potency=raw_not, raw_potency=raw_not, correct_share=1.0)


def test_the_potency_board_lists_attacks_the_strongest_first_and_ranks_nobody(released):
    rows = found("potency")["rows"]
    assert [(row["system"], row["kind"], row["rank"]) for row in rows] == [
        ("Negation", "attack", None),
        ("Typos", "attack", None),
    ]


def test_potency_of_an_attack_that_no_system_has_answered_is_undefined(system, tiny):
    submit(system, tiny, {"test": LARCH["test"]})
    run_batch(CUT_OFF)
    cells = row_of(found("potency"), "Typos")["cells"]
    assert [cells[key]["undefined"] for key in ("potency", "raw_potency")] == ["no_system"] * 2
    assert cells["correct_share"]["value"] == 0.5


# Table 7: resilience


def test_resilience_weighs_the_attacks_by_their_correct_samples(released):
    larch, fir = values("resilience", "Larch"), values("resilience", "Fir")
    assert larch["resilience"] == pytest.approx((0.5 * 0.6 + 1 * 0.35) / 1.5, abs=1e-12)
    assert fir["resilience"] == pytest.approx((0.5 * 0.8 + 1 * 0.7) / 1.5, abs=1e-12)


def test_relative_resilience_is_one_less_the_weighted_drop_without_its_sign(released):
    larch, yew = values("resilience", "Larch"), values("resilience", "Yew")
    assert larch["relative_resilience"] == pytest.approx(1 - (0.5 * 0.2 + 1 * 0.45) / 1.5, abs=1e-12)
    assert yew["relative_resilience"] == pytest.approx(1 - abs(0.5 * -0.4 + 1 * 0.0) / 1.5, abs=1e-12)


def test_relative_resilience_to_each_attack(released):
    larch, yew = values("resilience", "Larch"), values("resilience", "Yew")
    assert larch["relative_resilience:typos"] == pytest.approx(1 - 0.2, abs=1e-12)
    assert larch["relative_resilience:not"] == pytest.approx(1 - 0.45, abs=1e-12)
    assert yew["relative_resilience:typos"] == pytest.approx(1 - 0.4, abs=1e-12)


def test_systems_are_ranked_by_relative_resilience(released):
    resilience = found("resilience")
    assert {row["system"]: row["rank"] for row in resilience["rows"] if row["rank"]} == {"Fir": 1, "Larch": 2}


def test_a_reported_resilience_stands_on_the_board_without_a_rank(released):
    row = row_of(found("resilience"), "Elder")
    assert (row["kind"], row["rank"], row["cells"]["resilience"]["value"]) == ("reported", None, 0.596)


def test_baselines_have_their_resilience_and_no_rank(released):
    row = row_of(found("resilience"), "Base")
    assert row["rank"] is None
    assert row["cells"]["relative_resilience"]["value"] == pytest.approx(0.9)


def test_a_missing_attack_leaves_resilience_undefined_and_the_other_attack_shown(system, tiny):
    submit(system, tiny, {"test": LARCH["test"], "typos": LARCH["typos"]})
    run_batch(CUT_OFF)
    cells = row_of(found("resilience"), "Larch")["cells"]
    assert cells["relative_resilience:typos"]["value"] == pytest.approx(0.8)
    undefined = ("resilience", "relative_resilience", "relative_resilience:not")
    assert {cells[key]["undefined"] for key in undefined} == {"missing_task"}


# What is not known of an attack


def test_without_a_share_of_correct_samples_what_needs_it_is_undefined_and_says_so(submitted):
    Attack.objects.filter(slug="typos").update(correct_share=None)
    run_batch(CUT_OFF)
    potency = row_of(found("potency"), "Typos")["cells"]
    assert (potency["potency"]["undefined"], potency["raw_potency"]["value"]) == (
        "correct_share_unknown",
        pytest.approx(0.3),
    )
    larch = row_of(found("resilience"), "Larch")["cells"]
    assert larch["resilience"]["undefined"] == "correct_share_unknown"
    assert larch["relative_resilience"]["undefined"] == "correct_share_unknown"
    assert larch["relative_resilience:typos"]["value"] == pytest.approx(0.8)
    assert "correct share unknown" in page_of("/benchmarks/tiny/boards/potency/")


def test_what_organisers_find_out_about_an_attack_counts_from_the_next_release_on(released):
    Attack.objects.filter(slug="typos").update(correct_share=0.25)
    submit(System.objects.get(name="Larch"), released, LARCH_TENTH, received_at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    first = board("/benchmarks/tiny/releases/1/boards/potency.json")
    assert row_of(first, "Typos")["cells"]["correct_share"]["value"] == 0.5
    assert row_of(found("potency"), "Typos")["cells"]["correct_share"]["value"] == 0.25


def test_attacks_without_any_correct_sample_leave_resilience_undefined_for_that_reason(submitted):
    Attack.objects.update(correct_share=0.0)
    run_batch(CUT_OFF)
    larch = row_of(found("resilience"), "Larch")["cells"]
    assert larch["resilience"]["undefined"] == "no_correct_samples"
    assert row_of(found("potency"), "Typos")["cells"]["potency"]["value"] == 0.0


@pytest.mark.parametrize("metric", ["fnc1_relative", "fnc1"])
def test_scores_beyond_0_to_1_are_published_and_leave_undefined_what_cannot_be_said_of_them(
    sync, gold_keys, system, metric
):
    text = DEFINITION.replace("labels: [con, pro]", "labels: [unrelated, con, pro]")
    phase = load_tiny(
        sync, text.replace("{name: accuracy, title: Accuracy}", f"{{name: {metric}, title: X}}")
    )
    submit(system, phase, FIR)
    run_batch(CUT_OFF)
    assert systems_on(found("overall")) == ["Larch"]
    assert row_of(found("attacks"), "Larch")["cells"]["typos"]["value"] > 1
    assert systems_on(found("resilience")) == []
    assert row_of(found("potency"), "Typos")["cells"]["raw_potency"]["undefined"] == "not_from_0_to_1"


# Table 8 and Fig. 2: tracks


def test_scores_and_relative_resilience_stand_per_share_of_training_data(released):
    larch = values("tracks", "Larch")
    assert larch == near(
        **{
            "score:full": 0.8,
            "score:tenth": 0.5,
            "relative_resilience:full": 1 - (0.5 * 0.2 + 1 * 0.45) / 1.5,
            "relative_resilience:tenth": 1 - (0.5 * 0.1 + 1 * 0.3) / 1.5,
            "relative_resilience-typos:full": 0.8,
            "relative_resilience-typos:tenth": 0.9,
            "relative_resilience-not:full": 0.55,
            "relative_resilience-not:tenth": 0.7,
        }
    )


def test_a_track_that_a_system_was_not_trained_on_is_called_not_submitted(released):
    cells = row_of(found("tracks"), "Fir")["cells"]
    assert cells["score:tenth"]["undefined"] == "not_submitted"
    assert cells["relative_resilience:tenth"]["undefined"] == "not_submitted"


def test_every_other_track_has_an_overall_board_of_its_own(released):
    tenth = found("overall-tenth")
    assert systems_on(tenth) == ["Larch"]
    assert values("overall-tenth", "Larch") == near(overall=0.5, a=0.4, b=0.6)
    assert row_of(tenth, "Larch")["rank"] == 1


def test_a_track_does_not_touch_the_cells_of_another(released):
    assert values("overall", "Larch") == near(overall=0.8, a=0.7, b=0.9)
    assert values("attack-typos", "Larch") == near(overall=0.6, a=0.5, b=0.7)


def test_a_system_on_another_track_alone_is_not_on_the_main_boards(system, tiny):
    submit(system, tiny, LARCH_TENTH, track="tenth")
    run_batch(CUT_OFF)
    assert systems_on(found("overall")) == []
    assert systems_on(found("resilience")) == []
    assert systems_on(found("overall-tenth")) == ["Larch"]
    assert systems_on(found("tracks")) == ["Larch"]


def test_what_was_sent_before_there_were_tracks_stands_on_the_main_one(system, sync, gold_keys):
    tracks = next(line for line in DEFINITION.splitlines(keepends=True) if line.startswith("tracks:"))
    phase = load_tiny(sync, DEFINITION.replace(tracks, ""))
    submit(system, phase, LARCH)
    run_batch(CUT_OFF)
    later = sync(DEFINITION).phases.get()
    submit(system, later, LARCH_TENTH, received_at=CUT_OFF, track="tenth")
    run_batch(CUT_OFF + WEEK)
    assert values("overall", "Larch") == near(overall=0.8, a=0.7, b=0.9)
    assert values("tracks", "Larch")["score:tenth"] == pytest.approx(0.5)


def test_what_is_derived_from_scores_has_an_interval_from_the_same_resamples(released):
    """Several seeds: their mean varies with the items, which all seeds answered."""
    for key, row, column in (
        ("overall", "Larch", "overall"),
        ("resilience", "Larch", "resilience"),
        ("resilience", "Larch", "relative_resilience"),
        ("potency", "Typos", "potency"),
        ("attacks", "Larch", "typos"),
    ):
        cell = row_of(found(key), row)["cells"][column]
        assert cell["ci_low"] < cell["value"] < cell["ci_high"], (key, column)


@pytest.mark.parametrize("key", ["resilience", "attacks", "attack-typos", "tracks"])
def test_ranks_on_boards_of_attacks_and_tracks_say_what_chance_leaves_open(released, key):
    shown = found(key)

    ranges = {row["system"]: (row["rank_low"], row["rank_high"]) for row in shown["rows"] if row["rank"]}

    assert shown["chance"]["replicates"] == 1000
    assert len(ranges) > 1
    assert all(1 <= low <= high <= len(ranges) for low, high in ranges.values())


def test_the_page_of_resilience_says_how_sure_its_order_is(released):
    assert "could be chance" in page_of("/benchmarks/tiny/boards/resilience/")


def asked_people(task: Task) -> None:
    """A campaign whose people answered a sample of the test set, once a release is out."""
    campaign = new_campaign(
        task.benchmark,
        task=task,
        split_slug="test",
        purpose="human_row",
        rule="plurality",
        row_name="Three of us",
        status="closed",
        opened_at=NOW,
        closed_at=NOW,
    )
    scored = {"value": 0.9, "undefined": None, "low": 0.8, "high": 1.0}
    report = {
        "gold_version": GoldVersion.objects.current().get(split__task=task, split__slug="test").pk,
        "scores": {task.spec.primary_metric.name: scored},
        "answers": 6,
        "people": 3,
        "sample": 2,
    }
    Outcome.objects.create(
        campaign=campaign,
        number=1,
        rule="plurality",
        answers_sha256="0" * 64,
        report=report,
        item_count=2,
        made_at=NOW,
    )


def test_what_campaigns_have_come_to_since_is_no_fault_of_a_release_that_is_out(released):
    release = Release.objects.get()
    assert made_otherwise(release) == []
    Attack.objects.filter(slug="typos").update(correct_share=0.25)
    asked_people(Task.objects.get(slug="a"))
    assert [row.name for row in people_rows(released.benchmark)] == ["Three of us"]
    assert made_otherwise(Release.objects.get()) == []
    refresh(released.benchmark)  # pages tell of the campaign
    made, count = reproduce(Release.objects.get())
    assert (made.differences, count) == ([], len(release.boards))
    assert "its rows of people; others stand there since." in " ".join(made.left_out)
