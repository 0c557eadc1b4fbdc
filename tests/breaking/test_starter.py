"""Starter data: loaded by an organiser, downloaded by everybody, and fixed once pairs rest on it."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from benchmarks.models import Benchmark, Task
from breaking.models import StarterData
from breaking.pairs.starter_data import load_starter, starter_file
from scoring.file_refusal import FileRefused
from tests.breaking.hands import hand_in, start
from tests.conftest import NOW
from tests.games import DEFINITION, TONE_STARTER, WHO_STARTER
from tests.pages import browser_of, read

pytestmark = pytest.mark.django_db
OTHER = TONE_STARTER.replace(b"old song", b"new song")


@pytest.fixture
def tone(games: Benchmark) -> Task:
    task: Task = games.tasks.get(slug="tone")
    return task


def test_sentences_are_kept_with_their_labels(tone):
    start(tone)
    assert len(starter_file(tone).pairs) == 4
    assert starter_file(tone).pairs["12"] == ("You are in my way again.", "-1")


def test_further_columns_are_kept(games):
    who = games.tasks.get(slug="who")
    start(who)
    file = starter_file(who)
    assert (file.further_columns, file.items["22"].further) == (
        ("predicate", "question"),
        ("thanked", "Who thanked someone?"),
    )


def test_other_data_take_the_place_of_what_no_pair_rests_on(tone):
    start(tone)
    start(tone, OTHER)
    assert starter_file(tone).pairs["11"][0] == "I like this new song."
    assert StarterData.objects.count() == 1


def test_data_that_accepted_pairs_rest_on_cannot_be_replaced(tone, team, owner):
    start(tone)
    hand_in(tone, team, owner)
    with pytest.raises(FileRefused, match="cannot be replaced"):
        start(tone, OTHER)
    assert starter_file(tone).pairs["11"][0] == "I like this old song."


def test_the_same_data_again_change_nothing(tone, team, owner):
    first = start(tone)
    hand_in(tone, team, owner)
    assert start(tone, TONE_STARTER.replace(b"\n", b"\r\n")).loaded_at == first.loaded_at


def test_faulty_data_is_told_with_its_place_and_not_kept(tone):
    with pytest.raises(FileRefused) as refused:
        start(tone, TONE_STARTER.replace(b"again.,-1", b"again.,bad"))
    (sentence,) = refused.value.sentences
    assert sentence.startswith("starter.csv, line 3, column label: ")
    assert not StarterData.objects.exists()


def test_a_task_whose_items_do_not_come_in_pairs_takes_none(toy):
    with pytest.raises(FileRefused, match="takes no minimal pairs"):
        start(toy.tasks.get(slug="mood"))


def test_without_starter_data_there_is_a_sentence(tone):
    with pytest.raises(FileRefused, match="has not loaded the starter data of Tone"):
        starter_file(tone)


def test_data_that_fit_the_definition_no_longer_are_told(tone, sync):
    start(tone)
    sync(DEFINITION.replace('labels: ["-1", "1"]', 'labels: ["-1", "2"]'))
    with pytest.raises(FileRefused, match="line 2, column label"):
        starter_file(Task.objects.get(pk=tone.pk))


def test_the_command_loads_a_file(tone, tmp_path, capsys):
    file = tmp_path / "tone.tsv"
    file.write_bytes(TONE_STARTER.replace(b",", b"\t"))
    call_command("load_starter", "games", "tone", file)
    assert "4 sentences, columns id, text, label" in capsys.readouterr().out
    assert len(starter_file(tone).pairs) == 4


@pytest.mark.parametrize(
    ("task", "content", "words"),
    [
        ("none", TONE_STARTER, "no task games/none"),
        ("tone", None, "cannot be read"),
        ("tone", b"id,text\n", "line 1: The first columns are not id, text, label"),
    ],
    ids=["unknown task", "no file", "bad file"],
)
def test_the_command_says_what_is_wrong(games, tmp_path, task, content, words):
    file: Path = tmp_path / "tone.csv"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError, match=words):
        call_command("load_starter", "games", task, file)


def test_everybody_may_download_it(games):
    who = games.tasks.get(slug="who")
    start(who)
    answer = browser_of(None).get("/benchmarks/games/starter/who.csv")
    assert (answer.status_code, read(answer)) == (200, WHO_STARTER)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]


def test_whoever_has_it_need_not_load_it_again(tone):
    start(tone)
    address = "/benchmarks/games/starter/tone.csv"
    etag = browser_of(None).get(address)["ETag"]
    assert browser_of(None).get(address, headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize("address", ["games/starter/tone", "games/starter/none", "none/starter/tone"])
def test_what_is_not_there_is_not_found(games, address):
    assert browser_of(None).get(f"/benchmarks/{address}.csv").status_code == 404


def test_who_loaded_it_is_kept(tone, staff):
    loaded = load_starter(task=tone, data=TONE_STARTER, file_name="a/b.csv", now=NOW, user=staff)
    assert (loaded.loaded_by, loaded.item_count, loaded.file_name) == (staff, 4, "a/b.csv")
