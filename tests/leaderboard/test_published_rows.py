"""Published rows that organisers load: they stand on the next release, and are refused, replaced and taken away."""

from io import StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from benchmarks.models import Benchmark, PublishedRows
from benchmarks.services import keep_published_rows
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from scoring.definitions.published_rows import load_published_rows
from tests.conftest import person
from tests.people import appoint
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, board, row_of, run_batch, upload

HEADER = b"system,source,date,kind,column,value,rank\n"
FILE = HEADER + (
    b"Alder,Supplement,2018-06-05,,mood,0.61,4\nAlder,Supplement,2018-06-05,,colour,0.5,\n"
    b"Human,Supplement,,human,mood,0.8,\n"
)


def load(data=FILE, benchmark="toy"):
    return load_published_rows(
        benchmark=Benchmark.objects.get(pk=benchmark), data=data, file_name="published.csv"
    )


def systems(path="/benchmarks/toy.json"):
    return [row["system"] for row in board(path)["rows"]]


def test_loaded_rows_stand_on_boards_from_the_next_release_on_with_source_date_and_printed_rank(
    system, phase
):
    upload(system, phase)
    run_batch(CUT_OFF)
    assert load().sentence == (
        "3 values in 2 published rows are loaded. 1 of these values stand in the definition already."
    )
    assert "Alder" not in systems()

    upload(system, phase, mood=ONE_WRONG, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    row = row_of(board(), "Alder")
    assert (row["kind"], row["rank"], row["source"]) == ("reported", None, "Supplement, 2018-06-05")
    values = {key: cell["value"] for key, cell in row["cells"].items()}
    assert values == {"overall": None, "mood": 0.61, "colour": 0.5}
    of_task = row_of(board("/benchmarks/toy/tasks/mood.json"), "Alder")
    assert of_task["source"] == "Supplement, 2018-06-05; rank 4 there"
    assert systems().count("Human") == 1


def test_a_release_is_made_again_with_the_rows_that_it_had(system, phase):
    load()
    upload(system, phase)
    run_batch(CUT_OFF)
    load(HEADER + b"Beech,Elsewhere,,,mood,0.4,\n")
    for release in Release.objects.all():
        found = reproduce(release)[0].differences
        assert not [line for line in found if line.startswith("board")], found


def test_a_file_takes_the_place_of_the_one_before_and_a_refused_one_changes_nothing(toy):
    load()
    out = StringIO()
    call_command("load_published", "toy", "--remove", stdout=out)
    assert "taken away" in out.getvalue()
    assert not PublishedRows.objects.exists()
    assert [row.system for row in Benchmark.objects.get(pk="toy").spec.reported] == ["Human"]


def test_the_command_says_where_a_file_is_wrong(toy, tmp_path):
    load()
    path = tmp_path / "wrong.csv"
    path.write_bytes(HEADER + b"Alder,Supplement,,,moods,0.61,\n")
    with pytest.raises(CommandError) as refused:
        call_command("load_published", "toy", path)
    assert "wrong.csv, line 2, column column: “moods” is no column of Toy. Nearest: “mood”." in str(
        refused.value
    )
    assert [row.system for row in Benchmark.objects.get(pk="toy").spec.reported] == ["Human", "Alder"]


@pytest.fixture
def organiser(client, toy):
    user = person("organiser", is_staff=True)
    appoint(toy, user)
    client.force_login(user)
    return user


def press(client, **fields):
    address = reverse("admin:benchmarks_benchmark_load_published", args=["toy"])
    return client.post(address, fields | {"confirmed": "yes"}, follow=True).content.decode()


def test_organisers_load_rows_in_the_admin_see_them_and_take_them_away(client, organiser):
    page = press(client, file=SimpleUploadedFile("published.csv", FILE))
    assert "3 values in 2 published rows are loaded." in page
    assert LogEntry.objects.get().change_message.startswith("3 values in 2 published rows")
    assert "2018-06-05" in page
    assert "Choose a file, or tick" in press(client)
    assert "taken away" in press(client, take_away="on")
    assert not PublishedRows.objects.exists()


def test_the_admin_says_line_and_column_and_loads_nothing(client, organiser):
    page = press(client, file=SimpleUploadedFile("published.csv", HEADER + b"Alder,Us,,,mood,61,\n"))
    assert "published.csv, line 2, column value: “61” is not on the scale of this column" in page
    assert not PublishedRows.objects.exists()


def test_a_value_that_the_definition_gets_later_does_not_stand_twice(toy):
    load(HEADER + b"Human,Supplement,,human,mood,0.8,\n")
    assert [row.source for row in Benchmark.objects.get(pk="toy").spec.reported] == ["Nobody, 2026"]
    keep_published_rows(benchmark=toy, rows=())
