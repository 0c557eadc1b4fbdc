"""A made-up benchmark of minimal pairs like Build It Break It, small enough to compute everything by hand.

Two breakers: one has two pairs, the other four. Every gold label is pro and the score is accuracy.

           development   set one           set two                        mean       broken
    Larch  3 of 4        both, broken      broken, broken, none, both     .625       3 of 6
    Fir    1 of 4        broken, broken    both, both, both, both         .75        2 of 6
    Yew    none sent     both, both        broken, both, both, both       .9375      1 of 6
    Oak    4 of 4        both, none        none sent                      none       none
    Base   4 of 4        broken, broken    broken, broken, broken, broken .5         6 of 6      baseline
"""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.models import Benchmark, Phase
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.uploads import zip_of

DEFINITION = """
id: twins
title: Twins
summary: Two alike.
url: https://example.org/twins
citation: Nobody, 2026.
bundle: {files: any}
tasks:
  - id: mood
    code: MOO
    title: Mood
    summary: "For or against?"
    instructions: Say what it is.
    licence: CC0
    gold: public
    citation: Nobody, 2026.
    pairs: _
    labels: [con, pro]
    file: {path: "set_*.csv", id_column: id, label_column: label}
    splits:
      - {id: dev, title: Development data, file: dev.csv}
      - {id: one, title: Set one, file: set_one.csv}
      - {id: two, title: Set two, file: set_two.csv}
    metrics: [{name: accuracy, title: Accuracy}, {name: f1_pro, title: F1 of pro}]
reported:
  - {system: Elder, source: "Nobody, 2020", values: {mood: 0.7, "mood:pairs_broken_share": 0.4}}
  - {system: Breakers of old, source: "Nobody, 2020", values: {"mood:breaker_score": 0.25}}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 20}
    counting: latest
    publish_automatically: true
"""
DEV_ITEMS = 4
PAIRS = {"one": 2, "two": 4}
BOTH, BROKEN, NONE = (True, True), (True, False), (False, False)

Answers = Mapping[str, object]
LARCH: Answers = {"dev": 3, "one": (BOTH, BROKEN), "two": (BROKEN, BROKEN, NONE, BOTH)}
FIR: Answers = {"dev": 1, "one": (BROKEN, BROKEN), "two": (BOTH,) * 4}
YEW: Answers = {"one": (BOTH, BOTH), "two": (BROKEN, BOTH, BOTH, BOTH)}
OAK: Answers = {"dev": 4, "one": (BOTH, NONE)}
BASE: Answers = {"dev": 4, "one": (BROKEN,) * 2, "two": (BROKEN,) * 4}


def answer_file(split: str, answers: Any) -> str:
    """A file with these outcomes of its pairs; with this number of right answers for the development data."""
    if split == "dev":
        rights = {f"d{number}": number < answers for number in range(DEV_ITEMS)}
    else:
        rights = {
            f"{split}{number}_{letter}": is_right
            for number, outcome in enumerate(answers)
            for letter, is_right in zip("ab", outcome, strict=True)
        }
    rows = [f"{item},{'pro' if is_right else 'con'}" for item, is_right in rights.items()]
    return "\n".join(["id,label", *rows]) + "\n"


def load_twins(sync: Callable[[str], Benchmark], text: str = DEFINITION) -> Phase:
    """The benchmark with the gold labels of its development data and both sets."""
    benchmark = sync(text)
    task = benchmark.tasks.get()
    for split in ("dev", *PAIRS):
        perfect: object = DEV_ITEMS if split == "dev" else (BOTH,) * PAIRS[split]
        gold = answer_file(split, perfect).encode()
        load_gold(task=task, data=gold, file_name="gold.csv", now=NOW, split_slug=split)
    return benchmark.phases.get()


def submit_answers(system: System, phase: Phase, answers: Answers, **more: Any) -> Submission:
    """A submission with these answers."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    files = {
        f"{'' if split == 'dev' else 'set_'}{split}.csv": answer_file(split, one)
        for split, one in answers.items()
    }
    arguments = {"file_name": "all.zip", "received_at": NOW, **more}
    return submit_predictions(
        PredictionUpload(system=system, phase=phase, user=user, data=zip_of(files), **arguments)
    ).submission
