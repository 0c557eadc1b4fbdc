"""Sets that were finished elsewhere are imported by an organiser."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from benchmarks.models import Benchmark
from breaking.contests.decisions import apply_decisions, decide
from breaking.models import BreakerSet, Contest, Pair, PairFile
from breaking.sets.creation import IMPORTED_AGAIN, import_set
from scoring.file_refusal import FileRefused
from scoring.gold.box_opening import open_sealed_file
from scoring.item_sets.texts import texts_of
from scoring.models import GoldVersion
from submissions.models import System
from tests.breakers import breaker, gold_of, hand_in, load_starters, sets
from tests.broken import answer
from tests.conftest import TOY_DEFINITION
from tests.dump import database_dump
from tests.games import BREAK_CLOSES, IN_BREAK, IN_SCORE

pytestmark = pytest.mark.django_db

SET = b"id,label\n1_a,1\n1_b,-1\n2_a,-1\n2_b,1\n"
OTHER = b"id,label\n3_a,1\n3_b,-1\n"
REPEATS = b"id,label\n1_a,1\n1_b,-1\n1_b,1\n1_a,1\n2_a,-1\n2_b,-1\n"


def bring(
    benchmark: Benchmark, data: bytes = SET, name: str = "Elder", *, task: str = "tone", **more: Any
) -> BreakerSet:
    """Import a set, as the organiser does."""
    arguments: dict[str, Any] = {"file_name": "set.csv", "now": IN_BREAK, "user": None} | more
    return import_set(task=benchmark.tasks.get(slug=task), breaker=name, data=data, **arguments)


def refused(benchmark: Benchmark, *arguments: Any, **more: Any) -> str:
    with pytest.raises(FileRefused) as caught:
        bring(benchmark, *arguments, **more)
    assert not PairFile.objects.filter(file_name="refused.csv").exists()
    return "\n".join(caught.value.sentences)


def test_imported_set_has_sealed_labels_and_pairs(games: Benchmark):
    made = bring(games)
    assert sets() == {"tone/elder": "Elder"}
    assert gold_of(made.split) == {"1_a": "1", "1_b": "-1", "2_a": "-1", "2_b": "1"}
    assert [(one.original_item, one.changed_item) for one in Pair.objects.all()] == [
        ("1_a", "1_b"),
        ("2_a", "2_b"),
    ]
    assert (made.pair_file.team, made.pair_file.pair_count) == (None, 2)


def test_texts_of_an_imported_set_are_public(sync: Any, gold_keys: object):
    from tests.games import DEFINITION

    definition = DEFINITION.replace(
        'file: {path: "who_*.csv", id_column: id, label_column: answer}',
        'file: {path: "who_*.csv", id_column: id, label_column: answer}\n'
        "    also_files: [{columns: [id, text, question, answer], id_column: id, label_column: answer}]",
    )
    data = b"id,text,question,answer\n1_a,Ann saw.,Who saw?,Ann\n1_b,Bo saw.,Who saw?,Bo\n"
    made = bring(sync(definition), data, task="who")
    texts = texts_of(made.split)
    assert texts is not None
    assert texts.csv() == b"id,text,question\n1_a,Ann saw.,Who saw?\n1_b,Bo saw.,Who saw?\n"
    assert (Pair.objects.get().original_text, Pair.objects.get().token_edits) == ("Ann saw.", 1)


def test_the_same_file_again_changes_nothing(games: Benchmark):
    first = bring(games)
    assert bring(games, now=IN_SCORE) == first
    assert (PairFile.objects.count(), GoldVersion.objects.filter(split=first.split).count()) == (1, 1)


def test_another_file_of_the_same_breaker_takes_its_place_while_nobody_has_answered(games: Benchmark):
    first = bring(games, REPEATS, contest_repeats=True)
    second = bring(games, OTHER)
    assert (second.split, sets()) == (first.split, {"tone/elder": "Elder"})
    assert gold_of(second.split) == {"3_a": "1", "3_b": "-1"}
    assert PairFile.objects.get(status="replaced").status_reason == str(IMPORTED_AGAIN)
    assert set(Contest.objects.values_list("status", "note")) == {("retracted", str(IMPORTED_AGAIN))}


def test_answered_set_stays_as_it_is(games: Benchmark, system: System):
    bring(games)
    games.refresh_from_db()
    answer(system, games, {"tone_elder.csv": dict.fromkeys(("1_a", "1_b", "2_a", "2_b"), "1")})
    assert "Systems have answered the set of Elder" in refused(games, OTHER, file_name="refused.csv")


def test_breaker_named_like_a_team_has_a_set_of_its_own(games: Benchmark):
    from breaking.sets.phase_close import make_sets

    load_starters(games)
    hand_in(games, breaker("Elder"))
    bring(games)
    make_sets(BREAK_CLOSES)
    assert sets() == {"tone/elder": "Elder", "tone/elder-2": "Elder"}


def test_repeated_ids_are_refused_with_both_lines(games: Benchmark):
    said = refused(games, REPEATS, file_name="refused.csv")
    assert "refused.csv, line 4, column id: The id stands on line 3 already" in said
    assert "refused.csv, line 5, column id: The id stands on line 2 already" in said


def test_repeated_items_are_contested_and_the_first_line_counts(games: Benchmark):
    made = bring(games, REPEATS, contest_repeats=True)
    assert gold_of(made.split)["1_b"] == "-1"
    contests = {one.item: one for one in Contest.objects.open()}
    assert {item: one.reason for item, one in contests.items()} == {
        "1_a": "Lines 2 and 5 of the file set.csv give this item. Line 2 counts until it is decided.",
        "1_b": "Lines 3 and 4 of the file set.csv give this item. Line 3 counts until it is decided.",
    }
    sealed = contests["1_b"]
    lines = open_sealed_file(bytes(sealed.sealed_lines or b""), sealed.sealed_lines_commitment)
    assert json.loads(lines) == [{"line": 3, "label": "-1"}, {"line": 4, "label": "1"}]


@pytest.mark.parametrize(("choice", "label"), [("first", "-1"), ("last", "1"), ("keep", "-1")])
def test_the_organiser_says_which_line_is_meant(games: Benchmark, staff: User, choice: str, label: str):
    made = bring(games, REPEATS, contest_repeats=True)
    for contest in Contest.objects.open():
        decide(contest=contest, choice=choice, note="", user=staff, now=IN_BREAK)
    apply_decisions(IN_BREAK)
    assert gold_of(made.split)["1_b"] == label


def test_no_label_of_an_imported_set_stands_in_the_database(games: Benchmark):
    data = b"id,answer\n1_a,velvet\n1_b,gravel\n1_b,marble\n"
    bring(games, data, task="who", contest_repeats=True)
    dump = database_dump()
    assert not [word for word in (b"velvet", b"gravel", b"marble") if word in dump]


@pytest.mark.parametrize("name", ["", " ", "n" * 81, "a\x00b"], ids=["empty", "blank", "long", "nul"])
def test_a_breaker_needs_a_name(games: Benchmark, name: str):
    assert "1 to 80 printable characters" in refused(games, SET, name)


def test_files_of_predictions_are_called_as_the_organiser_says(games: Benchmark):
    bring(games, prediction_file="Team1_*")
    games.refresh_from_db()
    assert games.spec.task("tone").path_of("elder") == "Team1_*"


@pytest.mark.parametrize("name", ["../x.csv", "/x.csv", "x\\y.csv", "ü.csv", "x" * 101])
def test_files_of_predictions_have_plain_names(games: Benchmark, name: str):
    assert "cannot be what files of predictions are called" in refused(games, prediction_file=name)


@pytest.mark.parametrize("name", ["tone_dev.csv", "tone_d*", "who_dev.csv"])
def test_files_of_predictions_are_not_called_as_those_of_another_set(games: Benchmark, name: str):
    assert "could be one for another set" in refused(games, prediction_file=name)


def test_a_task_without_pairs_takes_no_sets(sync: Any, gold_keys: object):
    toy = sync(TOY_DEFINITION)
    assert "takes no pairs" in refused(toy, task="mood")


def test_without_a_key_to_seal_with_nothing_is_taken(games: Benchmark, settings: Any):
    settings.GOLD_PUBLIC_KEY = ""
    assert "HELDOUT_GOLD_PUBLIC_KEY" in refused(games)


# The command


def run(path: Path, *more: str) -> str:
    out = io.StringIO()
    call_command("import_pairs", "games", "tone", str(path), "--breaker", "Elder", *more, stdout=out)
    return out.getvalue()


def test_the_command_says_what_was_imported(games: Benchmark, tmp_path: Path):
    path = tmp_path / "set.csv"
    path.write_bytes(REPEATS)
    said = run(path, "--predictions", "Team1_*", "--contest-repeats")
    assert said == (
        "games/tone/elder: 2 pairs of Elder\nItems in several rows, which wait for an organiser's decision: 2\n"
    )


def test_the_command_says_what_is_wrong(games: Benchmark, tmp_path: Path):
    path = tmp_path / "set.csv"
    with pytest.raises(CommandError, match="cannot be read"):
        run(path)
    path.write_bytes(b"id,label\n1_a,1\n")
    with pytest.raises(CommandError, match=r"set\.csv, line 2, column id: The id shares what stands before"):
        run(path)
    assert not BreakerSet.objects.exists()
