"""The pairs of every breaker, item by item, once gold labels are public."""

import csv
import io
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.services import mark_stale
from breaking.models import BreakerSet, Contest, Pair, Vote
from breaking.sets.phase_close import open_what_is_over
from leaderboard.publication.services import refresh_stale
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from tests.broken import NORTH, SOUTH, WHO, OnePair, answer, answer_dev, make_set, run
from tests.conftest import NOW, person, the_games, the_system
from tests.feelings import team_of
from tests.games import AFTERWARDS, BREAK_CLOSES, IN_SCORE, SCORE_CLOSES
from tests.pages import browser_of, text_of

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

ITEMS = "/benchmarks/games/items/tone"
# Larch is broken by the first of North's pairs and not by the second; Fir by both, and by South's.
LARCH = {
    "tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"},
    "tone_south.csv": {"12_a": "-1", "12_b": "1"},
}
FIR = {
    "tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "-1", "13_b": "-1"},
    "tone_south.csv": {"12_a": "-1", "12_b": "-1"},
}


def publish_items(benchmark: Benchmark) -> None:
    """Close the score phase, score, publish, open."""
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    refresh_stale()


@pytest.fixture
def fir(broken: Benchmark) -> System:
    return System.objects.get(name="Fir")


@pytest.fixture
def broken(answered: None, games: Benchmark) -> Benchmark:
    return games


@pytest.fixture(scope="module")
def answered(stage: None) -> None:
    """Both systems have answered both sets; nothing is scored yet."""
    games, system = the_games(), the_system()
    _, fir = team_of(person("builder"), "Fir")
    for one in (system, fir):
        answer_dev(one, games)
    run(BREAK_CLOSES)
    make_set(games, "north", NORTH)
    make_set(games, "south", SOUTH, title="South & Sons")
    answer(system, games, LARCH)
    answer(fir, games, FIR)


@pytest.fixture
def shown(broken: Benchmark) -> Benchmark:
    publish_items(broken)
    return broken


def page(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return text_of(answer)


def words_of(html: str) -> str:
    """What a reader sees of it, without tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def pairs_of(split: str) -> list[Any]:
    """The pairs of a set in the published JSON."""
    table = Client().get(f"{ITEMS}.json").json()
    return next(one for one in table["sets"] if one["split"] == split)["pairs"]


# Before and after the close


@pytest.mark.parametrize(
    "path",
    [
        f"{ITEMS}/",
        f"{ITEMS}/north/",
        f"{ITEMS}.json",
        f"{ITEMS}.csv",
        "/benchmarks/games/gold/tone/north.csv",
    ],
)
def test_there_is_nothing_of_items_before_gold_labels_are_public(broken: Benchmark, path: str):
    run(SCORE_CLOSES)
    refresh_stale()
    assert Client().get(path).status_code == 404
    open_what_is_over(AFTERWARDS)
    refresh_stale()
    assert Client().get(path).status_code == 200


@pytest.mark.parametrize("path", ["/benchmarks/games/", "/benchmarks/games/tasks/tone/"])
def test_boards_link_to_items_only_when_there_are_pages_of_them(broken: Benchmark, path: str):
    run(SCORE_CLOSES)
    refresh_stale()
    assert f'href="{ITEMS}/' not in page(path)
    open_what_is_over(AFTERWARDS)
    refresh_stale()
    assert f'href="{ITEMS}/"' in page(path)


@pytest.mark.parametrize("name", ["builders", "matrix"])
def test_the_columns_of_a_breaker_lead_to_its_pairs(shown: Benchmark, name: str):
    assert f'href="{ITEMS}/north/"' in page(f"/benchmarks/games/boards/{name}-tone/")


# What a pair shows


def test_a_pair_shows_what_was_changed_and_why(shown: Benchmark):
    html = page(f"{ITEMS}/north/")
    assert "I <del>like</del><ins>loathe</ins> this old song." in html
    assert "a rare verb" in html
    assert "1 of 6 words and marks changed" in words_of(html)


def test_an_item_shows_its_gold_label_and_every_answer_with_its_judgement(shown: Benchmark):
    pair = next(one for one in pairs_of("north") if one["id"] == "11")
    systems = [one["system"] for one in Client().get(f"{ITEMS}.json").json()["systems"]]
    original, changed = pair["items"]
    assert systems == ["Fir", "Larch"]
    assert (original["label"], changed["label"]) == ("1", "-1")
    assert changed["answers"] == [{"label": "1", "right": False}] * 2
    html = page(f"{ITEMS}/north/")
    row = html[html.index(">11_b<") :]
    assert words_of(row[: row.index("</tr>")]).endswith("-1 wrong: 1 wrong: 1")


def test_pairs_that_break_most_systems_come_first(shown: Benchmark):
    assert [(one["id"], one["broken_by"], one["answered_by"]) for one in pairs_of("north")] == [
        ("11", 2, 2),
        ("13", 1, 2),
    ]
    html = words_of(page(f"{ITEMS}/north/"))
    assert html.index("breaks 2 of 2 systems") < html.index("breaks 1 of 2 systems")


def test_how_many_systems_a_pair_breaks_agrees_with_the_board(shown: Benchmark):
    board = Client().get("/benchmarks/games/boards/matrix-tone.json").json()
    for at, row in enumerate(sorted(board["rows"], key=lambda row: row["system"])):
        cell = row["cells"]["tone@north:pairs_broken_share"]["value"]
        broken = [
            pair["items"][0]["answers"][at]["right"] != pair["items"][1]["answers"][at]["right"]
            for pair in pairs_of("north")
        ]
        assert cell == pytest.approx(sum(broken) / len(broken))


def test_baselines_are_shown_and_not_counted(broken: Benchmark, fir: System):
    System.objects.filter(pk=fir.pk).update(kind=System.Kind.BASELINE)
    publish_items(broken)
    assert [one["answered_by"] for one in pairs_of("north")] == [1, 1]
    heads = page(f"{ITEMS}/north/").partition("</thead>")[0]
    assert words_of(heads[heads.index("<thead>") :]) == "Item Gold Larch North Fir baseline"


def test_a_system_that_has_not_answered_a_set_is_not_on_its_page(broken: Benchmark):
    elm = team_of(person("newcomer"), "Elm")[1]
    answer(elm, broken, {"tone_south.csv": {"12_a": "1", "12_b": "1"}})
    publish_items(broken)
    assert "Elm" in page(f"{ITEMS}/south/")
    assert "Elm" not in page(f"{ITEMS}/north/")


def test_spans_show_question_and_answers_and_are_right_by_their_words(games: Benchmark, system: System):
    make_set(games, "north", WHO, task="who")
    answer(system, games, {"who_north.csv": {"21_a": "The  cook", "21_b": "The cook"}})
    publish_items(games)
    html = words_of(page("/benchmarks/games/items/who/north/"))
    assert "question Who fed someone?" in html
    assert "right: The cook" in html
    assert "The old cook wrong: The cook" in html


# Whatever is in the texts

HOSTILE = OnePair(
    "11",
    "I like <b>this</b> & that.",
    'I like <script>alert("x")</script> שלום & that.',
    ("1", "-1"),
    '=HYPERLINK("https://example.org")',
)


def test_texts_are_shown_escaped(games: Benchmark, system: System):
    make_set(games, "north", [HOSTILE], title="<i>North</i>")
    answer(system, games, {"tone_north.csv": {"11_a": "1", "11_b": "1"}})
    publish_items(games)
    for path in (f"{ITEMS}/", f"{ITEMS}/north/"):
        assert "<script>alert" not in page(path)
        assert "<i>North" not in page(path)
    sentence = re.search(r"<p dir=auto>(.*?)</p>", page(f"{ITEMS}/north/"))
    assert sentence is not None
    assert unescape(re.sub(r"<ins>.*?</ins>|</?del>", "", sentence[1])) == HOSTILE.original
    assert unescape(re.sub(r"<del>.*?</del>|</?ins>", "", sentence[1])) == HOSTILE.changed


def test_a_spreadsheet_runs_no_rationale_and_labels_stay_numbers(games: Benchmark, system: System):
    make_set(games, "north", [HOSTILE])
    answer(system, games, {"tone_north.csv": {"11_a": "1", "11_b": "-1"}})
    publish_items(games)
    rows = list(csv.DictReader(io.StringIO(page(f"{ITEMS}.csv"))))
    assert rows[1]["rationale"] == "'" + HOSTILE.rationale
    assert (rows[1]["label"], rows[1]["Larch"]) == ("-1", "-1")
    assert pairs_of("north")[0]["rationale"] == HOSTILE.rationale


def test_pairs_without_known_sentences_are_shown_by_their_ids(broken: Benchmark):
    Pair.objects.filter(pair_file__breaker_set__split__slug="south").update(original_text="", changed_text="")
    publish_items(broken)
    html = words_of(page(f"{ITEMS}/south/"))
    assert "Pair 12 ; its sentences are not known here." in html
    assert "breaks 1 of 2 systems 12_a original Contest -1" in html


def test_an_item_leads_to_where_its_label_is_contested(shown: Benchmark):
    address = "/benchmarks/games/contest/tone/north/?item=11_b"
    assert f'href="{address}"' in page(f"{ITEMS}/north/")
    assert browser_of(shown_to(shown)).get(address).status_code == 200


def shown_to(benchmark: Benchmark) -> User:
    """A member of a team that takes part."""
    submission = Submission.objects.filter(phase__benchmark=benchmark).earliest("received_at")
    return submission.submitted_by


# Withdrawn, contested, corrected, anonymous


def test_a_withdrawn_set_is_shown_with_its_answers_and_says_why(broken: Benchmark):
    BreakerSet.objects.filter(split__slug="south").update(
        withdrawn_at=IN_SCORE, withdrawal_reason="Two <labels> were swapped."
    )
    publish_items(broken)
    html = words_of(page(f"{ITEMS}/south/"))
    assert "This set was withdrawn" in html
    assert "Two &lt;labels&gt; were swapped." in html
    assert "breaks 1 of 2 systems" in html
    assert "withdrawn" in words_of(page(f"{ITEMS}/"))


def test_a_contested_item_shows_reason_votes_and_outcome(shown: Benchmark, staff):
    split = shown.tasks.get(slug="tone").splits.get(slug="north")
    contest = Contest.objects.create(split=split, item="11_b", reason="It is <meant> kindly.", raised_at=NOW)
    for voter, label in (("ada", "1"), ("bo", "1"), ("cy", "-1")):
        Vote.objects.create(contest=contest, voter=voter, label=label, entered_by=staff, entered_at=NOW)
    Contest.objects.filter(pk=contest.pk).update(
        status="kept", choice="keep", decided_at=NOW, note="It is not."
    )
    refresh_after(shown)
    html = words_of(page(f"{ITEMS}/north/"))
    assert (
        "contested 11_b : the label stands. It is &lt;meant&gt; kindly. Votes: 2 for 1 , 1 for -1 ." in html
    )
    assert "Decision: It is not." in html


def test_a_corrected_label_changes_who_is_right(shown: Benchmark):
    task = shown.tasks.get(slug="tone")
    data = b"id,label\n11_a,1\n11_b,1\n13_a,1\n13_b,-1\n"
    load_gold(task=task, data=data, file_name="g.csv", now=AFTERWARDS, split_slug="north")
    open_what_is_over(AFTERWARDS)
    refresh_stale()
    assert [(one["id"], one["broken_by"]) for one in pairs_of("north")] == [("13", 1), ("11", 0)]


def test_anonymous_systems_bear_numbers(broken: Benchmark):
    Benchmark.objects.filter(pk="games").update(is_anonymous=True)
    publish_items(broken)
    for path in (f"{ITEMS}/north/", f"{ITEMS}.json", f"{ITEMS}.csv"):
        assert "System 1" in page(path)
        assert "Larch" not in page(path)
        assert "Fir" not in page(path)


def refresh_after(benchmark: Benchmark) -> None:
    mark_stale(benchmark.pk)
    refresh_stale()
