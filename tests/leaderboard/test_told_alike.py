"""A number or a rank of a release is the same wherever it stands: on pages, in files, in the API and in the feed.

The benchmark has one task whose gold labels are public and one whose are not, so that some boards have all digits.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from benchmarks.models import Benchmark
from leaderboard.board.model import number_format as fmt
from leaderboard.models import Release
from scoring.gold.versions import load_gold
from submissions.models import System
from tests.conftest import NOW, TOY_DEFINITION, person
from tests.feelings import team_of
from tests.pages import read, text_of
from tests.published import published
from tests.weeks import CUT_OFF, WEEK, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

MOODS = 19
LABELS = {"mood": ["good", *["bad", "good"] * (MOODS // 2)], "colour": ["red", "green", "dark blue", "red"]}
# How many of the items of either task are right, by system and week.
RIGHT = {"Larch": ((4, 3), (5, 3)), "Fir": ((10, 2), (9, 2)), "Yew": ((9, 2), (18, 1))}
WRONG = {"good": "bad", "bad": "good", "red": "green", "green": "red", "dark blue": "red"}
TEXT_FILES = ("md", "tex")


@pytest.fixture
def two_weeks(sync: Any, gold_keys: Any, system: System) -> Benchmark:
    text = TOY_DEFINITION.replace("test_size: 6,", f"test_size: {MOODS}, gold: public,").replace(
        "[{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}]",
        "[{name: accuracy, title: Accuracy}, {name: f1_macro, title: F1 macro}]",
    )
    benchmark: Benchmark = sync(text)
    for task in benchmark.tasks.all():
        rows = "".join(f"{task.slug[0]}{at},{label}\n" for at, label in enumerate(LABELS[task.slug], 1))
        data = f"ID,Label\n{rows}".encode()
        load_gold(task=task, data=data, file_name="gold.csv", now=NOW, confirm_clues=True)
    systems = {system.name: system}
    systems |= {name: team_of(person(name.casefold()), name)[1] for name in ("Fir", "Yew")}
    for week in range(2):
        for name, right in RIGHT.items():
            mood, colour = (answer(task, right[week][at]) for at, task in enumerate(LABELS))
            at = NOW + week * WEEK
            upload(systems[name], benchmark.phases.get(), mood=" ".join(mood), colour=",".join(colour), at=at)
        run_batch(CUT_OFF + week * WEEK)
    return benchmark


def answer(task: str, right: int) -> list[str]:
    return [label if at < right else WRONG[label] for at, label in enumerate(LABELS[task])]


def boards(held: Mapping[str, bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The address and the JSON of every board of every release."""
    for path, body in held.items():
        if re.fullmatch(r"/benchmarks/toy/releases/\d+(/(tasks|boards)/[\w-]+)?\.json", path):
            yield path.removesuffix(".json"), json.loads(body)


def printed(board: dict[str, Any]) -> list[list[str]]:
    """What is printed of each row, score by score."""
    keys = [column["key"] for column in board["columns"]]
    return [[fmt.score(row["cells"][key]["value"]) for key in keys] for row in board["rows"]]


def rank_of(row: Mapping[str, Any]) -> str:
    """A rank as pages print it, with those that chance leaves open."""
    return (
        "" if row["rank"] is None else f"{row['rank']}{fmt.rank_interval(row['rank_low'], row['rank_high'])}"
    )


def lines_of_table(page: str) -> list[list[str]]:
    """The text of each cell of the first table of a page, line by line."""
    body = page[page.index("<tbody") : page.index("</tbody>")] + "</tbody>"
    return [["".join(cell.itertext()) for cell in line] for line in ET.fromstring(body)]  # noqa: S314  # our own HTML


def test_files_and_the_api_have_the_numbers_of_the_json(two_weeks, client):
    for path, board in boards(published()):
        assert client.get(f"/api/v1{path}/").json() == board
        rows = list(csv.DictReader(io.StringIO(published()[f"{path}.csv"].decode())))
        for row, told in zip(board["rows"], rows, strict=True):
            assert told["system"] == row["system"]
            assert told["rank"] == ("" if row["rank"] is None else str(row["rank"]))
            for key, cell in row["cells"].items():
                assert told[key] == ("" if cell["value"] is None else str(cell["value"]))


@pytest.mark.parametrize("ending", TEXT_FILES)
def test_tables_for_texts_print_the_numbers_of_the_json(two_weeks, ending):
    begins, apart = {"md": ("| ", "|"), "tex": ("    ", "&")}[ending]
    for path, board in boards(published()):
        count = len(board["columns"])
        text = published()[f"{path}.{ending}"].decode()
        lines = [line for line in text.splitlines() if line.startswith(begins) and apart in line]
        marks = r"\\(textbf|underline)|[*\\{}]|\s"
        told = [re.sub(marks, "", line).replace("--", fmt.NONE) for line in lines[-len(board["rows"]) :]]
        cells = [[cell for cell in line.split(apart) if cell][-count:] for line in told]
        assert cells == printed(board)


def test_pages_print_numbers_and_ranks_of_the_json(two_weeks, client):
    for path, board in boards(published()):
        page = read(client.get(f"{path}/?view=columns&published=1")).decode()
        lines = lines_of_table(page[page.index('<div id="board">') :])
        count = len(board["columns"])
        scores = [[cell.split()[0] for cell in line[-count:]] for line in lines]
        ranks = [re.sub(r"\s|not ranked", "", line[0]) for line in lines]

        assert scores == printed(board)
        assert ranks == [rank_of(row) for row in board["rows"]]


def test_the_same_score_is_printed_alike_on_all_boards_and_in_the_provenance(two_weeks):
    """Four right of 19 are .21053: rounded to four decimals and then to three, .210."""
    held = published()
    told: dict[tuple[int, str, str], set[str]] = {}
    for _path, board in boards(held):
        for row in board["rows"]:
            for key in LABELS.keys() & row["cells"].keys():
                place = board["release"], row["system"], key
                told.setdefault(place, set()).add(fmt.score(row["cells"][key]["value"]))
    for release in Release.objects.all():
        document = json.loads(held[f"/benchmarks/toy/releases/{release.number}/provenance.json"])
        for system in document["systems"]:
            for score in system["scores"]:
                shown = re.match(r"Accuracy (\S+)", score["shown"])
                assert shown
                told[release.number, system["system"], score["task"]].add(shown[1])

    assert {place: values for place, values in told.items() if len(values) > 1} == {}
    assert told[1, "Larch", "mood"] == {fmt.score(4 / MOODS)}


def test_lists_feed_and_pages_of_systems_quote_each_release(two_weeks, client):
    held = published()
    lines = {line[0].split()[1]: line for line in lines_of_table(held["/benchmarks/toy/releases/"].decode())}
    feed = held["/benchmarks/toy/feed.atom"].decode()
    for path, board in boards(held):
        if board["task"] is not None or "/boards/" in path:
            continue
        number, systems = str(board["release"]), [row for row in board["rows"] if row["kind"] == "system"]
        first = fmt.score(systems[0]["cells"]["overall"]["value"])
        assert lines[number][-1] == first
        leader = f"{systems[0]['system']} of {systems[0]['team']}"
        assert f"{leader} has the first rank of {len(systems)} systems with {first}" in feed
        for row in systems:
            score = fmt.score(row["cells"]["overall"]["value"])
            page = text_of(client.get(f"/systems/{row['system_id']}/"))
            history = page[page.index("<h2>History") :]
            line = rf'/releases/{number}/">.*?<td class="number">{re.escape(score)}</td>.*?>{row["rank"]}\b'
            assert re.search(line, history)
