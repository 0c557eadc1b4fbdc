"""Scores of one campaign become ordered gold classes by cut points that several people have set."""

from labelling.core.questions.question import CampaignQuestion
from labelling.outcomes.settling import settle_due
from labelling.units.new_units import NewUnit, store_units
from labelling.work.campaigns import close_campaign, open_campaign
from labelling.work.imports import import_answers
from scoring.gold.box_opening import open_version
from tests.crowds import NOW, new_campaign

ORDERED = """
id: anger
title: Anger
summary: How angry?
url: https://example.org/anger
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  instructions: Say how angry.
  licence: CC0
  citation: Nobody, 2026.
  file: {path: "{task}.csv", id_column: ID, label_column: Class}
  metrics: [{name: pearson, title: Pearson}]
tasks:
  - id: oc
    code: OC
    title: Classes
    summary: Which class?
    test_size: 4
    output: {kind: ordered_classes, low: 0, high: 2}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 5}
    counting: latest
    disclosure: exact
"""


def played(benchmark, question, units, rows, **values):
    campaign = new_campaign(benchmark, question, **{"is_sealed": True, **values})
    store_units(campaign=campaign, units=[NewUnit(key, (key,), [[("text", key)]]) for key in units])
    open_campaign(campaign=campaign, now=NOW)
    data = "\n".join(["unit,worker,number", *rows, ""]).encode()
    import_answers(campaign=campaign, data=data, file_name="a.csv", now=NOW)
    close_campaign(campaign=campaign, now=NOW)
    settle_due(NOW)
    campaign.refresh_from_db()
    assert campaign.outcome_problem == ""
    return campaign


def test_the_median_of_cut_points_makes_gold_classes(sync, gold_keys):
    benchmark = sync(ORDERED)
    task = benchmark.tasks.get()
    score = CampaignQuestion("number", "How angry, from 0 to 1?")
    scores = {"a": 0.1, "b": 0.4, "c": 0.5, "d": 0.9}
    rows = [f"{item},w,{value}" for item, value in scores.items()]
    scored = played(benchmark, score, scores, rows, purpose="answers", rule="mean", task=task)
    people = {"1": ("0.3", "0.4", "0.45"), "2": ("0.6", "0.7", "0.95")}
    rows = [f"{cut},w{place},{value}" for cut, values in people.items() for place, value in enumerate(values)]
    cut = played(
        benchmark,
        CampaignQuestion("number", "Where does the class begin?"),
        people,
        rows,
        purpose="ordinal_classes",
        rule="mean",
        task=task,
        split_slug="test",
        after=scored,
    )
    outcome = cut.outcomes.get()
    labels = open_version(outcome.gold_version)[1]
    # An item exactly at a cut point is in the class that begins there.
    assert dict(zip(labels.ids, labels.codes.tolist(), strict=True)) == {"a": 0, "b": 1, "c": 1, "d": 2}
    assert outcome.report["cuts"] == [0.4, 0.7]
    assert outcome.report["ranges"] == [[0.3, 0.45], [0.6, 0.95]]
    assert outcome.report["between"] == 2
