"""Everybody reads how labels were made, in numbers, and nothing of labels that are kept back."""

import datetime as dt
import json
import re

import pytest

from benchmarks.models import Phase
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.outcomes.settling import settle_due
from labelling.units.new_units import NewUnit, store_units
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.imports import import_answers
from leaderboard.board.charts.bar_chart import histogram
from leaderboard.models import Page
from leaderboard.publication.services import refresh, refresh_stale
from scoring.gold.opening import open_gold
from tests.crowds import MOOD, NOW, new_campaign, text_unit

PATH = "/benchmarks/toy/labelling"
SAID = {"n1": "good good bad", "n2": "bad bad bad", "n3": "good good good", "n4": "bad good"}


@pytest.fixture(autouse=True)
def exact(toy):
    Phase.objects.filter(benchmark=toy).update(disclosure="exact")


def guard(toy):
    end = NOW + dt.timedelta(days=60)
    Phase.objects.filter(benchmark=toy).update(disclosure="open", closes_at=end, one_per_team=True)


def over(toy, question=MOOD, units=(), head="label", rows=None, **values):
    """A campaign that is over, with its outcome."""
    campaign = new_campaign(toy, question, **{"purpose": "answers", **values})
    store_units(campaign=campaign, units=units or [text_unit(key) for key in SAID])
    open_campaign(campaign=campaign, now=NOW)
    if rows is None:
        rows = [
            f"{unit},w{n},{said}"
            for unit, all_said in SAID.items()
            for n, said in enumerate(all_said.split())
        ]
    data = "\n".join([f"unit,worker,{head}", *rows, ""]).encode()
    import_answers(campaign=campaign, data=data, file_name="a.csv", now=NOW)
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    campaign.refresh_from_db()
    assert campaign.outcome_problem == ""
    return campaign


def page(path=f"{PATH}/"):
    return bytes(Page.objects.get(pk=path).body).decode()


def words():
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page()))


def told():
    (one,) = json.loads(page(f"{PATH}.json"))["campaigns"]
    return one


def test_there_is_no_page_before_a_campaign_is_over_and_no_link(toy):
    new_campaign(toy)
    refresh(toy)
    assert not Page.objects.filter(pk__startswith=PATH).exists()
    assert PATH not in page("/benchmarks/toy/")


def test_an_outcome_has_the_page_made_with_numbers_and_a_link_from_the_benchmark(toy):
    over(toy, title="Moods of texts")
    assert refresh_stale() == 1
    text = words()
    assert "11 answers by 3 people about 4 units" in text
    assert "So 3 items have a value; 1 is set aside." in text
    assert f'href="{PATH}/"' in page("/benchmarks/toy/")
    one = told()
    assert (one["answers"], one["people"], one["items_with_a_value"], one["items_set_aside"]) == (11, 3, 3, 1)
    pairs, _, alpha = one["agreement"]
    # Of the ten pairs of answers about the same text seven agree; items count alike.
    assert 0 < pairs["value"] < 1
    assert alpha["low"] <= alpha["value"] <= alpha["high"]
    assert {row["name"]: row["items"] for row in one["classes"]} == {"good": 2, "bad": 1}


def test_sealed_answers_are_told_of_in_counts_alone_while_a_phase_guards_labels(toy):
    over(toy, purpose="gold_labels", split_slug="test", is_sealed=True)
    refresh(toy)
    assert told()["agreement"]
    guard(toy)
    refresh(toy)
    one = told()
    assert one["answers"] == 11
    assert [one[key] for key in ("agreement", "figures", "classes", "conditions")] == [[], {}, [], []]
    assert (one["is_told"], one["items_with_a_value"], one["items_set_aside"]) == (False, None, None)
    assert "is told once no phase keeps scores to itself" in words()
    assert "Krippendorff" not in page()


def test_answers_about_a_split_are_guarded_though_their_organiser_did_not_seal_them(toy):
    over(toy, split_slug="test")
    guard(toy)
    refresh(toy)
    assert told()["classes"] == []


def test_the_items_of_a_row_of_people_are_named_once_nothing_is_guarded(toy):
    items = ["m1", "m2"]
    rows = [f"{item},w1,good" for item in items]
    units = [text_unit(item) for item in items]
    mood = toy.tasks.get(slug="mood")
    over(
        toy,
        units=units,
        rows=rows,
        purpose="human_row",
        rule="plurality",
        task=mood,
        split_slug="test",
        is_sealed=True,
        answers_wanted=1,
    )
    refresh(toy)
    assert told()["sample"] == items
    guard(toy)
    refresh(toy)
    assert told()["sample"] == []


def test_shares_of_sealed_labels_are_told_once_the_labels_are_public(toy):
    campaign = over(toy, purpose="gold_labels", split_slug="test", is_sealed=True)
    refresh(toy)
    assert told()["classes"] == []
    open_gold(version=campaign.outcomes.get().gold_version, now=NOW)
    refresh(toy)
    assert {row["name"]: row["items"] for row in told()["classes"]} == {"good": 2, "bad": 1}


def test_counts_are_written_as_counts_and_two_classes_repeat_no_agreement(toy):
    over(toy, rule="plurality")
    refresh(toy)
    (row,) = re.findall(r"Items whose label was drawn among several</th>\s*<td[^>]*>([^<]*)<", page())
    assert row == "1"
    assert all(row["agreement"] == [] for row in told()["classes"])


def test_items_without_a_label_are_of_the_option_that_says_so(toy):
    options = (Option("joy", "Joy"), Option("fear", "Fear"), Option("neutral", "Neutral", alone=True))
    said = {"n1": "joy joy", "n2": "neutral neutral", "n3": "joy neutral", "n4": "fear|joy fear"}
    rows = [f"{unit},w{n},{label}" for unit, labels in said.items() for n, label in enumerate(labels.split())]
    question = CampaignQuestion("several_labels", "Which?", options)
    over(toy, question, [text_unit(key) for key in said], "labels", rows, rule="ag2")
    refresh(toy)
    assert {row["name"]: row["items"] for row in told()["classes"]} == {"joy": 3, "fear": 1, "neutral": 1}
    assert told()["figures"]["neutral items"] == 1


def best_worst_rows():
    """Four people about two sets: they agree on the best, and less on the worst."""
    return [f"s{place},w{n},a{place},{'d' if n else 'c'}{place}" for place in (1, 2) for n in range(4)]


def test_best_and_worst_has_reliability_and_a_picture_of_the_scores(toy):
    units = [
        NewUnit(f"s{place}", items, [[("text", item)] for item in items])
        for place in (1, 2)
        for items in [tuple(f"{letter}{place}" for letter in "abcd")]
    ]
    question = CampaignQuestion("best_worst", "Which is the best?")
    over(toy, question, units, "best,worst", best_worst_rows(), rule="best_worst_counts", answers_wanted=4)
    refresh(toy)
    one = told()
    assert 0.5 < one["figures"]["split-half reliability, Spearman"] <= 1
    assert one["agreement"] == []
    assert "about 2 sets of four" in words()
    assert "<svg" in page()
    (drawn,) = Page.objects.filter(pk__startswith=f"{PATH}-campaign", pk__endswith=".csv")
    counts = [int(line.split(",")[2]) for line in bytes(drawn.body).decode().splitlines()[1:]]
    assert (counts[-1], sum(counts)) == (2, 8)


def test_texts_that_people_wrote_stand_nowhere(toy):
    write = CampaignQuestion("writing", "Write.", (Option("good", "Good"), Option("bad", "Bad")))
    rows = ["n1,w1,A secret sentence.", "n2,w1,Another secret."]
    over(toy, write, [text_unit(key) for key in ("n1", "n2")], "text", rows, rule="", answers_wanted=1)
    refresh(toy)
    assert told()["answers"] == 2
    assert "secret" not in page() + page(f"{PATH}.json")


def test_no_worker_is_told_of(toy):
    campaign = over(toy)
    assert campaign.outcomes.get().report["workers"]
    refresh(toy)
    text = page() + page(f"{PATH}.json")
    assert not re.search(r"[Ww]orker\W*\d|\bw[0-2]\b|milliseconds|seconds", text.partition("<main")[2])


def test_a_histogram_counts_borders_upwards_and_draws_where_classes_begin():
    chart = histogram("h", "Scores", [0.0, 0.05, 0.5, 1.0], [0.5], is_synthetic=False)
    assert chart
    assert [row[2] for row in chart.rows if row[2]] == [1, 1, 1, 1]
    assert chart.rows[10][2] == chart.rows[19][2] == 1
    assert "Classes begin at .500." in chart.inline
    assert histogram("h", "Scores", [], is_synthetic=False) is None
