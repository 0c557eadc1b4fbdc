"""What a definition says of a whole protocol: mistakes are named with their place, and a sync respects organisers."""

import datetime as dt
from collections.abc import Callable

import pytest

from benchmarks.models import Attack, Benchmark, FactList, Phase
from benchmarks.services import sync_benchmark
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec, load_definition
from tests.benchmarks.test_loader import DEFINITIONS
from tests.conftest import NOW
from tests.emotions import DEFINITION as MOODS
from tests.robustness import DEFINITION as TINY

WEEK = dt.timedelta(days=7)
FACTS = "fact_sheet:\n  - {id: features, title: Features, options: [n-grams, embeddings]}\nphases:\n"
ATTACK = "{id: typos, title: Typos, correct_share: 0.5}"
TRACK = "{id: tenth, title: 10 %, share: 0.1}"
SPLIT = "{id: typos, title: Typos, attack: typos}"
BESIDE = "{name: f1_pro, title: F1 of pro, beside: true}"
FACT = "{id: features, title: Features, options: [n-grams, embeddings]}"
GROUP = '{title: Valence, columns: ["V-{code}"]}'
EVALUATION = "cut_off: {at: close, timezone: UTC}"


def mistakes(text: str) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        load_definition(text, "x.yaml")
    return list(caught.value.mistakes)


def changed(text: str, old: str, new: str) -> str:
    assert old in text, old
    return text.replace(old, new, 1)


def test_the_definitions_that_the_mistakes_are_made_in_have_none():
    for text in (TINY, MOODS, TINY.replace("phases:\n", FACTS)):
        load_definition(text, "x.yaml")


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        # attacks
        (ATTACK, "{id: typos, title: Typos, correct_share: 1.5}",
         "x.yaml: attacks[typos].correct_share: expected a number from 0 to 1, found 1.5"),
        (ATTACK, "{id: typos, title: Typos, correct_share: -0.1}",
         "x.yaml: attacks[typos].correct_share: expected a number from 0 to 1, found -0.1"),
        (ATTACK, "{id: typos, title: Typos, correct_share: half}",
         "x.yaml: attacks[typos].correct_share: expected a number, found text"),
        (ATTACK, "{id: typos, title: Typos, correct_share: .nan}",
         "x.yaml: attacks[typos].correct_share: expected a finite number"),
        (ATTACK, "{id: typos, correct_share: 0.5}", "x.yaml: attacks[typos].title: is missing"),
        (ATTACK, "{id: ty pos, title: Typos}", "x.yaml: attacks[ty pos].id: expected letters"),
        (ATTACK, "{id: not, title: Typos}", "x.yaml: attacks: the id 'not' is used twice"),
        (ATTACK, "{id: typos, title: Typos, share: 0.5}", "x.yaml: attacks[typos].share: is not a key of this place"),
        (ATTACK, "{id: tpos, title: Typos}",
         "x.yaml: attacks: a has a split of the attack 'typos', which is not listed"),
        (SPLIT, "{id: typos, title: Typos, attack: typos, gold_file: g.csv}",
         "x.yaml: tasks[a].splits: 'typos': an attack's split is no test split and has no files of its own"),
        ("{id: test, title: Test}", "{id: test, title: Test, attack: typos}",
         "x.yaml: tasks[a].splits: 'test': an attack's split is no test split"),
        (SPLIT, f"{SPLIT}\n    - {{id: typos2, title: More typos, attack: typos}}",
         "x.yaml: attacks: a has several splits of the attack 'typos'; expected one"),
        # tracks
        (TRACK, "{id: tenth, title: 10 %, share: 0}",
         "x.yaml: tracks[tenth].share: expected a number above 0 and up to 1, found 0"),
        (TRACK, "{id: tenth, title: 10 %, share: 10}",
         "x.yaml: tracks[tenth].share: expected a number above 0 and up to 1, found 10"),
        (TRACK, "{id: tenth, title: 10 %}", "x.yaml: tracks[tenth].share: is missing"),
        (TRACK, "{id: full, title: 10 %, share: 0.1}", "x.yaml: tracks: the id 'full' is used twice"),
        (TRACK, "{id: tenth, title: 10 %, share: 0.1, main: true}", "x.yaml: tracks[tenth].main: is not a key"),
        # seeds
        ("seeds: 2", "seeds: 0", "x.yaml: seeds: expected a whole number from 1 to 100, found 0"),
        ("seeds: 2", "seeds: five", "x.yaml: seeds: expected a whole number from 1 to 100"),
        ("seeds: 2", "seeds: true", "x.yaml: seeds: expected a whole number from 1 to 100"),
        ("seeds: 2", "seed: 2", "x.yaml: seed: is not a key of this place"),
        # beside
        (BESIDE, "{name: f1_pro, title: F1 of pro, beside: yes please}",
         "x.yaml: tasks[a].metrics[1].beside: expected true or false"),
        ("{name: accuracy, title: Accuracy}", "{name: accuracy, title: Accuracy, beside: true}",
         "x.yaml: tasks[a].metrics: expected at most one with `beside`, and not the first"),
        (BESIDE, f"{BESIDE}, {{name: f1_con, title: F1 of con, beside: true}}",
         "x.yaml: tasks[a].metrics: expected at most one with `beside`"),
        # fact sheet
        (FACT, "{id: features, title: Features, options: [n-grams, n-grams]}",
         "x.yaml: fact_sheet[features].options: 'n-grams' is listed twice"),
        (FACT, "{id: features, title: Features}", "x.yaml: fact_sheet[features].options: is missing"),
        (FACT, "{id: features, title: Features, options: []}",
         "x.yaml: fact_sheet[features].options: is empty; expected at least one option"),
        (FACT, "{id: features, title: Features, options: [1, n-grams]}",
         "x.yaml: fact_sheet[features].options[0]: expected text, found a number"),
        (FACT, f"{FACT}\n  - {FACT}", "x.yaml: fact_sheet: the id 'features' is used twice"),
        (FACT, "n-grams", "x.yaml: fact_sheet[0]: expected a mapping, found text"),
        # reported rows
        ("values: {resilience: 0.596}", "values: {resilence: 0.596}",
         "x.yaml: reported[0].values.resilence: no task or average has this id; did you mean 'resilience'?"),
        ("reported:\n  - {system", "reported:\n  - {kind: median, system",
         "x.yaml: reported[0].kind: a published row is reported or human"),
    ],
)  # fmt: skip
def test_a_mistake_in_attacks_tracks_seeds_or_the_fact_sheet_is_named_with_its_place(old, new, mistake):
    found = mistakes(changed(TINY.replace("phases:\n", FACTS), old, new))
    assert any(one.startswith(mistake) for one in found), found


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        # boards
        (GROUP, '{title: Valence, columns: ["W-{code}"]}',
         "x.yaml: boards[en].groups[1].columns: no task or average has the id 'W-en'; did you mean 'V-en'?"),
        (GROUP, '{title: Valence, metric: f1, columns: ["V-{code}"]}',
         "x.yaml: boards[en].groups[1].metric: V-en has no metric 'f1'"),
        (GROUP, '{title: Valence, columns: ["V-{code}", "EI-{code}"]}',
         "x.yaml: boards[en].groups: the id 'EI-en' is used twice"),
        (GROUP, "{title: Valence, columns: []}",
         "x.yaml: boards[en].groups[1].columns: is empty; expected at least one column"),
        (GROUP, "{title: Valence, columns: {}}",
         "x.yaml: boards[en].groups[1].columns: is empty; expected at least one column"),
        (GROUP, '{title: Valence, columns: {"V-{code}": 7}}',
         "x.yaml: boards[en].groups[1].columns.V-en: expected a short title, found 7"),
        (GROUP, '{title: Valence, colums: ["V-{code}"]}', "x.yaml: boards[en].groups[1].columns: is missing"),
        ("    axis: Language\n", "", "x.yaml: boards[en].axis: is missing"),
        ('    title: "{Language}"\n    axis: Lang', "    axis: Lang", "x.yaml: boards[en].title: is missing"),
        ("    axis: Language\n", "    axis: Language\n    rows: all\n",
         "x.yaml: boards[en].rows: is not a key of this place"),
        ('    id: "{code}"\n', '    id: "V-{code}"\n', "x.yaml: boards: the id 'V-en' is used twice"),
        ('    id: "{code}"\n', "    id: x\n", "x.yaml: boards: the id 'x' is used twice"),
        ("[{code: en, Language: English}, ", "[{code: en, Language: English, extra: 1}, ",
         "x.yaml: boards[EI-en].for_each: the word 'extra' is used nowhere"),
        # cut-off at the close, phases that follow one another
        (EVALUATION, "cut_off: {at: open, timezone: UTC}",
         "x.yaml: phases[evaluation].cut_off.at: expected close, or `weekday` and `time` instead"),
        (EVALUATION, "cut_off: {at: close, weekday: monday, timezone: UTC}",
         "x.yaml: phases[evaluation].cut_off.weekday: is not a key of this place"),
        ("    lasts_days: 7\n", "",
         "x.yaml: phases[evaluation].closes: is missing; a phase whose cut-off is its close has to close"),
        ("lasts_days: 7", "lasts_days: 0",
         "x.yaml: phases[evaluation].lasts_days: expected a whole number from 1 to 3660, found 0"),
        ("lasts_days: 7", "lasts_days: 1.5",
         "x.yaml: phases[evaluation].lasts_days: expected a whole number from 1 to 3660"),
        ("opens_after: evaluation", "opens_after: evalution",
         "x.yaml: phases: 'after' cannot open after 'evalution': expected the id of a phase that is listed before it"),
        ("opens_after: evaluation", "opens_after: after", "x.yaml: phases: 'after' cannot open after 'after'"),
        ("one_per_team: true", "one_per_team: sometimes",
         "x.yaml: phases[evaluation].one_per_team: expected true or false"),
        ("median_team: true", "median_team: 1", "x.yaml: median_team: expected true or false"),
        ("median_team: true", "median_teem: true",
         "x.yaml: median_teem: is not a key of this place; did you mean 'median_team'?"),
    ],
)  # fmt: skip
def test_a_mistake_in_boards_or_phases_is_named_with_its_place(old, new, mistake):
    found = mistakes(changed(MOODS, old, new))
    assert any(one.startswith(mistake) for one in found), found


def test_columns_keep_their_order_in_the_database(resync):
    """The first one ranks the board."""
    resync(MOODS)
    boards = {board.id: board for board in Benchmark.objects.get().spec.boards}
    assert boards["overall"].groups[0].columns == ("EI-en", "EI-es")
    stored = {board["id"]: board for board in Benchmark.objects.get().definition.document["boards"]}
    assert list(stored["overall"]["groups"][0]["columns"]) == ["EI-en", "EI-es"]
    assert list(stored["EI-{code}"]["groups"][0]["columns"].values()) == [
        "avg.", "anger", "fear", "joy", "sadness",
    ]  # fmt: skip


def test_a_change_of_their_order_alone_is_synced(resync):
    resync(MOODS)
    turned = changed(MOODS, "{EI-en: English, EI-es: Spanish}", "{EI-es: Spanish, EI-en: English}")
    assert resync(turned) == ["moods: definition updated"]
    assert Benchmark.objects.get().spec.boards[0].groups[0].columns == ("EI-es", "EI-en")


def test_a_phase_cannot_open_after_one_without_an_end():
    text = changed(MOODS, "    cut_off: {at: close, timezone: UTC}\n    lasts_days: 7\n",
                   '    cut_off: {weekday: monday, time: "00:00", timezone: UTC}\n')  # fmt: skip
    assert "has `lasts_days`" in mistakes(text)[0]


@pytest.mark.parametrize(
    "board", ["attacks", "resilience", "potency", "attack-typos", "tracks", "overall-tenth"]
)
def test_a_board_may_not_take_the_id_of_one_that_attacks_or_tracks_bring(board):
    boards = f"boards:\n  - {{id: {board}, title: Mine, axis: Mine, groups: [{{columns: [a]}}]}}\nphases:\n"
    (mistake,) = mistakes(TINY.replace("phases:\n", boards))
    assert mistake.startswith(f"x.yaml: boards: the benchmark has a board {board!r} anyway")


@pytest.mark.parametrize("task", ["overall", "attacks", "tracks"])
def test_a_task_may_not_take_the_id_of_a_board_that_is_there_anyway(task):
    text = changed(TINY, "{id: b, code: B", f"{{id: {task}, code: B")
    text = changed(text, "{id: overall, title: Overall", "{id: all, title: All")
    assert f"the benchmark has a board {task!r} anyway" in mistakes(text)[0]


# What a sync does with phases, attacks and lists


@pytest.fixture
def resync(db: None) -> Callable[..., list[str]]:
    """Sync a text, at an instant; returns what was created and what was left alone."""

    def _resync(text: str, now: dt.datetime = NOW) -> list[str]:
        document = parse_yaml(text, "x.yaml")
        spec = build_spec(document, "x.yaml")
        report = sync_benchmark(spec=spec, document=document, position=0, now=now)
        return [*report.changes, *report.left_alone]

    return _resync


def test_the_evaluation_lasts_from_the_first_sync_and_the_next_phase_opens_at_its_close(resync):
    resync(MOODS)
    evaluation, after = Phase.objects.order_by("position")
    assert (evaluation.opens_at, evaluation.closes_at) == (None, NOW + WEEK)
    assert evaluation.next_cut_off_at == NOW + WEEK
    assert (after.opens_at, after.closes_at) == (NOW + WEEK, None)
    assert after.next_cut_off_at == dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
    assert (evaluation.weekday, evaluation.one_per_team, after.one_per_team) == (None, True, False)


def test_the_two_phases_are_never_open_at_once(resync):
    resync(MOODS)
    for instant in (NOW, NOW + WEEK - dt.timedelta(microseconds=1), NOW + WEEK, NOW + 9 * WEEK):
        assert [phase.is_open(instant) for phase in Phase.objects.all()].count(True) == 1


def test_a_later_sync_moves_no_phase(resync):
    resync(MOODS)
    before = list(Phase.objects.values())
    assert resync(changed(MOODS, "lasts_days: 7", "lasts_days: 70"), NOW + WEEK / 2)[0].endswith("updated")
    assert list(Phase.objects.values()) == before


def test_organisers_keep_the_window_they_have_set(resync):
    resync(MOODS)
    Phase.objects.filter(slug="evaluation").update(closes_at=NOW + 3 * WEEK, one_per_team=False)
    report = resync(MOODS)
    evaluation = Phase.objects.get(slug="evaluation")
    assert (evaluation.closes_at, evaluation.one_per_team) == (NOW + 3 * WEEK, False)
    assert "moods/evaluation: keeps its own one_per_team: False (the definition says True)" in report


def test_a_phase_that_joins_later_opens_when_the_one_before_it_closes_as_organisers_have_set_it(resync):
    resync(MOODS[: MOODS.index("  - id: after")])
    Phase.objects.update(closes_at=NOW + 3 * WEEK)
    resync(MOODS, NOW + WEEK)
    assert Phase.objects.get(slug="after").opens_at == NOW + 3 * WEEK


def test_attacks_are_made_once_and_stay_as_organisers_have_determined_them(resync):
    resync(TINY)
    assert list(Attack.objects.values_list("slug", "title", "correct_share")) == [
        ("typos", "Typos", 0.5),
        ("not", "Negation", 1.0),
    ]
    Attack.objects.filter(slug="typos").update(correct_share=0.25, method=Attack.Method.ANNOTATORS, kappa=0.6)
    resync(changed(TINY, ATTACK, "{id: typos, title: Typing errors, correct_share: 0.75}"))
    typos = Attack.objects.get(slug="typos")
    assert (typos.correct_share, typos.method, typos.kappa) == (0.25, "annotators", 0.6)


def test_an_attack_that_joins_later_is_made_and_disturbs_no_other(resync):
    resync(TINY)
    Attack.objects.filter(slug="typos").update(correct_share=0.25)
    report = resync(changed(TINY, ATTACK, f"{ATTACK}\n  - {{id: para, title: Paraphrase}}"))
    assert "tiny/para: attack created" in report
    shares = dict(Attack.objects.values_list("slug", "correct_share"))
    assert shares == {"typos": 0.25, "not": 1.0, "para": None}


def test_lists_of_the_fact_sheet_are_made_once_and_stay_the_organisers(resync):
    text = TINY.replace("phases:\n", FACTS)
    resync(text)
    assert FactList.objects.get().options == ["n-grams", "embeddings"]
    FactList.objects.update(options=["n-grams", "emoji"], title="Features used")
    assert resync(text) == []
    assert (FactList.objects.get().options, FactList.objects.get().title) == (
        ["n-grams", "emoji"],
        "Features used",
    )


def test_syncing_the_shipped_protocols_twice_changes_nothing(db):
    for name in ("ait2018", "stance"):
        document = parse_yaml((DEFINITIONS / f"{name}.yaml").read_text("utf-8"), f"{name}.yaml")
        spec = build_spec(document, f"{name}.yaml")
        for now in (NOW, NOW + WEEK):
            report = sync_benchmark(spec=spec, document=document, position=0, now=now)
        assert (report.changes, report.left_alone) == ((), ())
    assert Benchmark.objects.get(pk="ait2018").phases.count() == 2


def test_noise_is_refused_where_attack_sets_ask_for_the_same_labels_again():
    rule = "counting: best\n    disclosure: protected\n    one_per_team: true\n    lasts_days: 90"
    text = TINY.replace("seeds: 2", "seeds: 1").replace("test_size: 10", "test_size: 2000")
    text = changed(text, "counting: latest", rule)

    found = mistakes(text)
    assert any(
        "sets that attacks make of the test items of Data set A ask" in mistake for mistake in found
    ), found


REPRODUCTION = """
reproductions:
  - of: Table 1
    unit: 100
    within: 0.05
    column: resilience
    figures: [{system: Elder, printed: 59.6, ours: 0.5962}]
"""


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ("ours: 0.5962", "ours: 0.61", "because: is missing; expected why figures differ from the print"),
        ("unit: 100", "unit: 100\n    because: Nobody knows.", "because: all figures agree; expected no reason"),
        ("printed: 59.6, ours: 0.5962", "printed: 29.8, ours: 0.298",
         "figures: Elder has 0.596 in resilience, and 29.8 is printed; on the scale of boards expected 0.2980"),
        ("Elder", "Younger", "figures: no reported row of 'Younger' has a value of 'resilience'"),
        ("unit: 100", "unit: 0", "unit: expected a number above 0"),
        ("[{system: Elder, printed: 59.6, ours: 0.5962}]", "[]", "figures: is empty; expected at least one figure"),
        ("ours: 0.5962", "ours: 0.5962, rank: 1", "figures[0].rank: is not a key of this place"),
    ],
)  # fmt: skip
def test_a_reproduction_is_held_against_the_reported_row_and_its_own_figures(old, new, mistake):
    definition = TINY.replace("phases:\n", FACTS).replace(
        "phases:\n", f"{REPRODUCTION.replace(old, new)}phases:\n", 1
    )
    found = mistakes(definition)
    assert found[0].startswith(f"x.yaml: reproductions[0].{mistake}"), found


def test_the_pairs_of_affect_in_tweets_say_how_many_teams_took_part():
    """Table 6: 319 in all."""
    notes = load_definition((DEFINITIONS / "ait2018.yaml").read_text("utf-8"), "ait2018.yaml").notes
    pairs = {board: note for board, note in notes.items() if "teams took part" in note and board != "overall"}
    counts = [int(note.split(" teams took part", 1)[0]) for note in pairs.values()]
    assert (len(counts), sum(counts)) == (15, 319)


def test_every_pair_of_affect_in_tweets_has_the_ranks_of_three_teams_the_median_and_two_baselines():
    """Tables 7 to 11; the better score has the better rank wherever the paper prints both."""
    spec = load_definition((DEFINITIONS / "ait2018.yaml").read_text("utf-8"), "ait2018.yaml")
    for task in spec.tasks:
        printed = sorted(
            (row.ranks[task.id], -row.values[task.id]) for row in spec.reported if task.id in row.ranks
        )
        if printed:
            assert [rank for rank, _ in printed][:3] == [1, 2, 3], task.id
            assert len(printed) == 6, task.id
            assert [value for _, value in printed] == sorted(value for _, value in printed), task.id
    assert sum(len(row.ranks) for row in spec.reported) == 6 * 15


@pytest.mark.parametrize(
    ("notes", "mistake"),
    [
        ("notes: {resilence: Older.}",
         "x.yaml: notes.resilence: the benchmark has no such board; did you mean 'resilience'?"),
        ("notes: {a: 7}", "x.yaml: notes.a: expected text, found a number (7)"),
    ],
)  # fmt: skip
def test_a_note_stands_below_a_board_that_there_is(notes, mistake):
    assert mistakes(TINY.replace("phases:\n", f"{notes}\nphases:\n", 1)) == [mistake]
