"""Boards as a whole protocol needs them: bottom lines, cells of several submissions, one row per team, typed rows."""

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.models import Benchmark, Phase
from leaderboard.models import Page
from scoring.gold.versions import load_gold
from submissions.exceptions import UploadRefused
from submissions.models import System
from submissions.systems.status_transitions import choose, withdraw
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD, person
from tests.emotions import AFTER, CLOSE, EMOTIONS, NEXT, english, load_moods, submit
from tests.feelings import team_of
from tests.published import published
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, board, row_of, run_batch, systems_on

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
ANGER = "EI-en-anger"


@pytest.fixture
def moods(sync: Callable[[str], Benchmark], gold_keys: Any) -> Benchmark:
    return load_moods(sync)


@pytest.fixture
def evaluation(moods: Benchmark) -> Phase:
    """A row per team, one cut-off."""
    return moods.phases.get(slug="evaluation")


@pytest.fixture
def after(moods: Benchmark, evaluation: Phase) -> Phase:
    """A row per system, weekly."""
    run_batch(CLOSE)
    return moods.phases.get(slug="after")


def found(key: str) -> dict[str, Any]:
    """A board of the current release."""
    if key == "overall":
        return board("/benchmarks/moods.json")
    part = "tasks" if key.endswith(EMOTIONS) or key.startswith("V-") else "boards"
    return board(f"/benchmarks/moods/{part}/{key}.json")


def cells(key: str, row: str) -> dict[str, Any]:
    answer: dict[str, Any] = row_of(found(key), row)["cells"]
    return answer


def new_system(team: str, name: str = "", *, kind: str = "system") -> System:
    """A system of a new team, by a new person."""
    _, system = team_of(person(team.casefold()), team)
    system.name, system.kind = name or team, kind
    system.save()
    return system


# The bottom line


def test_the_bottom_line_is_the_mean_of_the_four_emotions_for_every_metric(system, evaluation):
    submit(system, evaluation, english(8, 6, 4, 2))
    run_batch(CLOSE)
    larch = cells("EI-en", "Larch")
    assert larch["EI-en"]["value"] == pytest.approx(0.5)
    # Of n pros among ten items that are all pro, F1 is 2n / (10 + n).
    assert larch["EI-en:f1_pro"]["value"] == pytest.approx((16 / 18 + 12 / 16 + 8 / 14 + 4 / 12) / 4)
    assert larch["EI-en-joy:f1_pro"]["value"] == pytest.approx(8 / 14)


@pytest.mark.parametrize("emotions", [1, 2, 3])
def test_without_all_four_emotions_there_is_no_bottom_line_of_any_metric(system, evaluation, emotions):
    submit(system, evaluation, english(*[9] * emotions))
    run_batch(CLOSE)
    for key, columns in (("EI-en", ("EI-en", "EI-en:f1_pro")), ("overall", ("EI-en",)), ("en", ("EI-en",))):
        assert row_of(found(key), "Larch")["rank"] is None
        assert {cells(key, "Larch")[column]["undefined"] for column in columns} == {"missing_task"}
    assert cells("EI-en", "Larch")[ANGER]["value"] == 0.9
    assert row_of(found(ANGER), "Larch")["rank"] == 1


def test_a_system_with_a_bottom_line_is_ranked_above_better_ones_without(system, evaluation):
    submit(system, evaluation, english(1, 1, 1, 1))
    submit(new_system("South"), evaluation, english(10, 10, 10))
    run_batch(CLOSE)
    assert [(row["system"], row["rank"]) for row in found("EI-en")["rows"] if row["kind"] == "system"] == [
        ("Larch", 1),
        ("South", None),
    ]


def test_the_fourth_emotion_sent_alone_completes_the_bottom_line(system, after):
    submit(system, after, english(8, 6, 4), received_at=AFTER)
    submit(system, after, {"EI-en-sadness": 2}, received_at=AFTER + HOUR)
    run_batch(NEXT)
    assert cells("EI-en", "Larch")["EI-en"]["value"] == pytest.approx(0.5)


# Cells of several submissions


def set_rule(phase: Phase, rule: str) -> Phase:
    Phase.objects.filter(pk=phase.pk).update(counting=rule)
    phase.refresh_from_db()
    return phase


@pytest.mark.parametrize("rule", ["latest", "best", "chosen"])
@pytest.mark.parametrize("alone", [(ANGER, 9), (ANGER, 1), ("V-en", 5), ("EI-es-joy", 5)])
def test_a_file_sent_alone_disturbs_no_other_cell(system, after, rule, alone):
    set_rule(after, rule)
    first = submit(system, after, english(8, 6, 4, 2), received_at=AFTER)
    run_batch(NEXT)
    before = cells("en", "Larch")
    submit(system, after, dict([alone]), received_at=NEXT + HOUR)
    run_batch(NEXT + 7 * 24 * HOUR)
    now = cells("en", "Larch")
    untouched = set(english(8, 6, 4, 2)) - {alone[0]}
    assert {key: now[key] for key in untouched} == {key: before[key] for key in untouched}
    assert {now[key]["submission"] for key in untouched} == {str(first.pk)}


@pytest.mark.parametrize(("rule", "anger", "fear"), [("latest", 7, 5), ("best", 8, 9), ("chosen", 7, 5)])
def test_every_cell_is_filled_by_the_rule_and_names_its_own_submission(system, after, rule, anger, fear):
    set_rule(after, rule)
    sent = {
        place: submit(system, after, rights, received_at=AFTER + place * HOUR)
        for place, rights in enumerate([english(8, 3), english(6, 9), english(7, 5), {"V-en": 4}])
    }
    run_batch(NEXT)
    larch = cells("en", "Larch")
    filled = {"latest": (2, 2), "best": (0, 1), "chosen": (2, 2)}[rule]
    assert (larch[ANGER]["value"], larch["EI-en-fear"]["value"]) == (anger / 10, fear / 10)
    assert [larch[key]["submission"] for key in (ANGER, "EI-en-fear", "V-en")] == [
        str(sent[filled[0]].pk), str(sent[filled[1]].pk), str(sent[3].pk),
    ]  # fmt: skip


def test_a_choice_is_made_per_cell(system, after, owner):
    set_rule(after, "chosen")
    whole = submit(system, after, english(8, 6, 4, 2), received_at=AFTER)
    alone = submit(system, after, {ANGER: 5}, received_at=AFTER + HOUR)
    submit(system, after, english(1, 1, 1, 1), received_at=AFTER + 2 * HOUR)
    choose(submission=whole, user=owner, now=NOW)
    choose(submission=alone, user=owner, now=NOW)
    run_batch(NEXT)
    larch = cells("EI-en", "Larch")
    assert [larch[f"EI-en-{emotion}"]["value"] for emotion in EMOTIONS] == [0.5, 0.6, 0.4, 0.2]
    assert larch[ANGER]["submission"] == str(alone.pk)
    assert larch["EI-en"]["value"] == pytest.approx((0.5 + 0.6 + 0.4 + 0.2) / 4)


def test_a_withdrawn_submission_gives_its_cells_back_to_the_one_before(system, after, owner):
    first = submit(system, after, english(8, 6, 4, 2), received_at=AFTER)
    second = submit(system, after, {ANGER: 1}, received_at=AFTER + HOUR)
    withdraw(submission=second, user=owner, now=AFTER + 2 * HOUR)
    run_batch(NEXT)
    assert cells("EI-en", "Larch")[ANGER]["submission"] == str(first.pk)


def test_the_page_names_the_submission_behind_a_cell(system, after):
    sent = submit(system, after, {ANGER: 8}, received_at=AFTER)
    run_batch(NEXT)
    page = bytes(Page.objects.get(pk="/benchmarks/moods/boards/EI-en/").body).decode()
    assert str(sent.pk)[:8] in page


# One row per team


@pytest.fixture
def fir(team: Any) -> System:
    """Another system of the team."""
    return System.objects.create(team=team, name="Fir", created_at=NOW)


def test_two_systems_of_a_team_have_one_row_filled_by_the_last_of_each_cell(system, fir, evaluation):
    first = submit(system, evaluation, english(8, 6, 4, 2))
    second = submit(fir, evaluation, {ANGER: 5, "V-en": 7}, received_at=NOW + HOUR)
    third = submit(system, evaluation, {"V-en": 3}, received_at=NOW + 2 * HOUR)
    run_batch(CLOSE)
    assert systems_on(found("en")) == [system.team.name]
    row = cells("en", system.team.name)
    assert {key: (row[key]["value"], row[key]["submission"]) for key in (ANGER, "EI-en-fear", "V-en")} == {
        ANGER: (0.5, str(second.pk)),
        "EI-en-fear": (0.6, str(first.pk)),
        "V-en": (0.3, str(third.pk)),
    }


def test_a_row_filled_by_several_systems_has_the_name_of_the_team_and_lists_them(system, fir, evaluation):
    submit(system, evaluation, english(8, 6, 4, 2))
    submit(fir, evaluation, {"V-en": 7}, received_at=NOW + HOUR)
    run_batch(CLOSE)
    (row,) = (row for row in found("overall")["rows"] if row["kind"] == "system")
    assert (row["system"], row["source"]) == (system.team.name, "Fir, Larch")
    assert row["cells"]["EI-en"]["value"] == pytest.approx(0.5)


def test_a_row_filled_by_one_system_keeps_its_name(system, evaluation):
    submit(system, evaluation, english(8, 6, 4, 2))
    run_batch(CLOSE)
    assert systems_on(found("overall")) == ["Larch"]


def test_the_page_of_a_system_whose_scores_stand_under_another_name_says_so(system, fir, evaluation):
    submit(system, evaluation, english(8, 6, 4, 2))
    submit(fir, evaluation, {"V-en": 7}, received_at=NOW + HOUR)
    run_batch(CLOSE)
    page = published()[f"/systems/{system.pk}/"].decode()
    assert "the row bears the team" in page
    assert "the row bears" not in published()[f"/systems/{fir.pk}/"].decode()


def test_the_last_valid_submission_before_the_cut_off_counts(system, fir, evaluation):
    submit(system, evaluation, {ANGER: 8})
    valid = submit(fir, evaluation, {ANGER: 6}, received_at=CLOSE - HOUR)
    data = zip_of({f"{ANGER}.csv": "id,label\n"})
    with pytest.raises(UploadRefused):
        submit(system, evaluation, {}, data=data, received_at=CLOSE - HOUR / 2)
    run_batch(CLOSE)
    assert cells("en", "Fir")[ANGER]["submission"] == str(valid.pk)


def test_another_team_has_a_row_of_its_own(system, evaluation):
    submit(system, evaluation, {ANGER: 8})
    submit(new_system("South"), evaluation, {ANGER: 9})
    run_batch(CLOSE)
    assert systems_on(found(ANGER)) == ["South", "Larch"]


def test_a_baseline_of_the_team_keeps_its_own_row_and_takes_no_cell(system, team, evaluation):
    submit(system, evaluation, {ANGER: 8})
    base = System.objects.create(team=team, name="Base", kind=System.Kind.BASELINE, created_at=NOW)
    submit(base, evaluation, {ANGER: 3}, received_at=NOW + HOUR)
    run_batch(CLOSE)
    rows = {row["system"]: (row["kind"], row["cells"][ANGER]["value"]) for row in found(ANGER)["rows"]}
    assert (rows["Larch"], rows["Base"]) == (("system", 0.8), ("baseline", 0.3))


def test_the_phase_afterwards_has_a_row_per_system_and_nothing_of_the_evaluation(system, fir, evaluation):
    submit(system, evaluation, english(8, 6, 4, 2))
    run_batch(CLOSE)
    phase = evaluation.benchmark.phases.get(slug="after")
    for one, right in ((system, 5), (fir, 7)):
        submit(one, phase, {ANGER: right}, received_at=AFTER)
    run_batch(NEXT)
    assert systems_on(found(ANGER)) == ["Fir", "Larch"]
    assert cells("en", "Larch")["EI-en-fear"]["undefined"] == "not_submitted"


# The median team and other typed rows


@pytest.fixture
def four_teams(system: System, evaluation: Phase) -> Phase:
    """Bottom lines of .9, .7, .5 and .3, and a baseline with .1."""
    for name, right in (("East", 9), ("South", 7), ("West", 3)):
        submit(new_system(name), evaluation, english(*[right] * 4))
    submit(system, evaluation, english(5, 5, 5, 5))
    base = System.objects.create(team=system.team, name="Base", kind=System.Kind.BASELINE, created_at=NOW)
    submit(base, evaluation, english(1, 1, 1, 1))
    run_batch(CLOSE)
    return evaluation


def median_of(key: str) -> list[dict[str, Any]]:
    return [row for row in found(key)["rows"] if row["kind"] == "median"]


@pytest.mark.parametrize("key", ["EI-en", ANGER])
def test_the_median_team_is_the_middle_one_typed_unnamed_and_unranked(four_teams, key):
    """Of an even number the worse of the two in the middle; the baseline is no team."""
    (median,) = median_of(key)
    column = found(key)["rank_by"]
    assert median["cells"][column]["value"] == pytest.approx(0.5)
    assert (median["system"], median["system_id"], median["team"], median["rank"]) == (
        "Median team", None, "", None,
    )  # fmt: skip
    assert {cell["submission"] for cell in median["cells"].values()} == {None}


def test_the_median_team_shifts_no_rank_and_is_no_system(four_teams):
    shown = found("EI-en")
    ranks = {row["system"]: row["rank"] for row in shown["rows"] if row["rank"]}
    assert ranks == {"East": 1, "South": 2, "Larch": 3, "West": 4}
    assert systems_on(shown) == ["East", "South", "Larch", "West"]


@pytest.mark.parametrize("key", ["overall", "en"])
def test_boards_of_several_rankings_have_no_median_team(four_teams, key):
    assert median_of(key) == []


def test_two_teams_have_no_median(system, evaluation):
    submit(system, evaluation, {ANGER: 8})
    submit(new_system("South"), evaluation, {ANGER: 9})
    run_batch(CLOSE)
    assert median_of(ANGER) == []


def test_a_board_nobody_is_on_has_no_median(four_teams):
    assert median_of("EI-es") == []


def test_teams_without_a_bottom_line_do_not_count_for_the_median(system, evaluation):
    for name, right in (("East", 9), ("South", 7)):
        submit(new_system(name), evaluation, english(*[right] * 4))
    submit(system, evaluation, english(1, 1, 1))
    run_batch(CLOSE)
    assert median_of("EI-en") == []
    assert median_of(ANGER)[0]["cells"][ANGER]["value"] == 0.7


def test_reported_baseline_and_median_rows_stand_by_their_score_and_carry_no_rank(four_teams):
    rows = found("EI-en")["rows"]
    assert [(row["system"], row["kind"], row["rank"]) for row in rows] == [
        ("Elder", "reported", None),
        ("East", "system", 1),
        ("South", "system", 2),
        ("Larch", "system", 3),
        ("Median team", "median", None),
        ("West", "system", 4),
        ("Base", "baseline", None),
    ]


def test_reported_values_stand_in_their_columns_of_every_board(four_teams):
    assert cells("EI-en", "Elder")["EI-en:f1_pro"]["value"] == 0.85
    assert cells("overall", "Elder")["V-en"]["value"] == 0.2
    assert cells("V-en", "Elder")["V-en"]["value"] == 0.2
    assert cells(ANGER, "Elder")[ANGER]["value"] == 0.9
    assert "Elder" not in [row["system"] for row in found("EI-es")["rows"]]


def test_the_page_tells_typed_rows_apart(four_teams):
    page = bytes(Page.objects.get(pk="/benchmarks/moods/boards/EI-en/").body).decode()
    rows = {
        name: one for one in page.split("<tr") for name in ("Elder", "Base", "Median team") if name in one
    }
    assert {name: row.split('"')[1] for name, row in rows.items()} == {
        "Elder": "reported", "Base": "baseline", "Median team": "median",
    }  # fmt: skip


# Declared boards


def heads(key: str) -> list[tuple[str, str, str]]:
    """Group, head and key of every column."""
    return [(one.get("group", ""), one["title"], one["key"]) for one in found(key)["columns"]]


def test_a_declared_overall_board_has_its_groups_and_columns(four_teams):
    assert [key for _, _, key in heads("overall")] == ["EI-en", "EI-es", "V-en", "V-es"]
    assert [group for group, _, _ in heads("overall")] == ["EI", "EI", "V", "V"]


def test_a_board_of_a_pair_has_a_group_per_metric_and_its_short_heads(four_teams):
    columns = ["EI-en", *(f"EI-en-{emotion}" for emotion in EMOTIONS)]
    assert [(group, key) for group, _, key in heads("EI-en")] == [
        *(("Accuracy", column) for column in columns),
        *(("F1", f"{column}:f1_pro") for column in columns),
    ]
    page = bytes(Page.objects.get(pk="/benchmarks/moods/boards/EI-en/").body).decode()
    head = page.split("<thead>")[1].split("</thead>")[0]
    assert all(
        re.search(rf">{title}\s+<", head) for title in ("Accuracy", "F1")
    )  # before the link that folds the group
    assert all(f">{title}<" in head for title in ("avg.", "anger"))


@pytest.mark.parametrize("code", ["en", "es"])
def test_there_is_a_board_per_language_with_the_columns_of_that_language_alone(four_teams, code):
    keys = [key for _, _, key in heads(code)]
    assert keys == [f"EI-{code}", *(f"EI-{code}-{emotion}" for emotion in EMOTIONS), f"V-{code}"]


def test_a_board_leaves_out_systems_that_have_nothing_on_it(four_teams):
    assert systems_on(found("es")) == []


def test_every_page_links_to_the_boards_by_what_they_have_in_common(four_teams):
    page = bytes(Page.objects.get(pk="/benchmarks/moods/").body).decode()
    for axis, key in (("Language", "en"), ("Language", "es"), ("Task and language", "EI-es")):
        assert f">{axis}<" in page
        assert f'href="/benchmarks/moods/boards/{key}/"' in page


def test_a_released_board_keeps_its_permanent_page(four_teams):
    assert board("/benchmarks/moods/releases/1/boards/EI-en.json")["rows"] == found("EI-en")["rows"]


def test_a_metric_that_is_called_like_its_task_has_a_column_of_its_own(sync, gold_keys, system):
    text = TOY_DEFINITION.replace("{id: mood,", "{id: accuracy,").replace("mood: 0.8", "accuracy: 0.8")
    benchmark = sync(text)
    gold = {"accuracy": TOY_GOLD["mood"], "colour": TOY_GOLD["colour"]}
    for task in benchmark.tasks.all():
        load_gold(task=task, data=gold[task.slug], file_name="gold.csv", now=NOW)
    one_wrong = gold | {"accuracy": gold["accuracy"].replace(b"m6,bad", b"m6,good")}
    data = zip_of({f"data/{task}/predictions.csv": content for task, content in one_wrong.items()})
    submit(system, benchmark.phases.get(), {}, data=data)
    run_batch(CUT_OFF)
    shown = board("/benchmarks/toy/tasks/accuracy.json")
    row = row_of(shown, "Larch")["cells"]
    assert [column["key"] for column in shown["columns"]] == ["accuracy", "accuracy:accuracy"]
    assert (row["accuracy"]["value"], row["accuracy:accuracy"]["value"]) == (
        0.8286,
        round(5 / 6, 4),
    )
