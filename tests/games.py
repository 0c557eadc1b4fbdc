"""A small benchmark where teams break each other's systems: the tone of a sentence, and who does something in it."""

import datetime as dt
from collections.abc import Callable

from benchmarks.models import Benchmark, Phase
from scoring.gold.versions import load_gold
from tests.conftest import NOW

DEFINITION = """
id: games
title: Games
summary: Systems are built, broken and scored.
url: https://example.org/games
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  instructions: Say what it is.
  licence: CC0
  citation: Nobody, 2026.
  pairs: _
tasks:
  - id: tone
    code: TON
    title: Tone
    summary: "Is the sentence friendly (1) or not (-1)?"
    labels: ["-1", "1"]
    file: {path: "tone_*.csv", id_column: id, label_column: label}
    splits: [{id: dev, title: Development data, file: tone_dev.csv}]
    metrics: [{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}]
  - id: who
    code: WHO
    title: Who
    summary: "Which words answer the question?"
    output: {kind: span}
    file: {path: "who_*.csv", id_column: id, label_column: answer}
    splits: [{id: dev, title: Development data, file: who_dev.csv}]
    metrics: [{name: exact_match, title: Exact match}, {name: token_f1, title: Token F1, beside: true}]
break_rule: {largest_token_share: 0.5}
phases:
  - id: build
    title: Build
    kind: build
    cut_off: {at: close}
    lasts_days: 14
    quota: {per_cut_off: 5}
    counting: latest
  - id: break
    title: Break
    kind: break
    opens_after: build
    cut_off: {at: close}
    lasts_days: 14
    quota: {per_cut_off: 5}
    counting: latest
  - id: score
    title: Score
    kind: score
    opens_after: break
    cut_off: {at: close}
    lasts_days: 14
    quota: {per_cut_off: 5}
    counting: latest
"""

TONE_DEV = b"id,label\nd1,1\nd2,-1\nd3,1\nd4,-1\n"
WHO_DEV = b"id,answer\nw1,the cook\nw2,Ann\n"
# id, text, label: what breakers of the tone start from.
TONE_STARTER = (
    b"id,text,label\n"
    b"11,I like this old song.,1\n"
    b"12,You are in my way again.,-1\n"
    b"13,What a kind thing to say!,1\n"
    b"14,Nobody asked for your help.,-1\n"
)
WHO_STARTER = (
    b"id,text,label,predicate,question\n"
    b"21,The cook fed Parker.,The cook,fed,Who fed someone?\n"
    b"22,Ann thanked the old man.,Ann,thanked,Who thanked someone?\n"
)
# Pairs that fit the starter data and the rule, as a breaker team would hand them in.
TONE_PAIRS = (
    b"id,original_id,text,label,rationale\n"
    b"11_b,11,I loathe this old song.,-1,a rare verb\n"
    b"13_b,13,What an unkind thing to say!,-1,a prefix\n"
)
WHO_PAIRS = (
    b"id,original_id,text,label,rationale\n21_b,21,The old cook fed Parker.,The old cook,a longer answer\n"
)
BUILD_CLOSES = NOW + dt.timedelta(days=14)
BREAK_CLOSES = NOW + dt.timedelta(days=28)
SCORE_CLOSES = NOW + dt.timedelta(days=42)
IN_BUILD = NOW + dt.timedelta(days=1)
IN_BREAK = BUILD_CLOSES + dt.timedelta(days=1)
IN_SCORE = BREAK_CLOSES + dt.timedelta(days=1)
AFTERWARDS = SCORE_CLOSES + dt.timedelta(days=1)


def make_games(sync: Callable[[str], Benchmark]) -> Benchmark:
    """The benchmark as it stands when its build phase opens: gold labels of the development data are loaded."""
    benchmark = sync(DEFINITION)
    for slug, data in (("tone", TONE_DEV), ("who", WHO_DEV)):
        task = benchmark.tasks.get(slug=slug)
        load_gold(task=task, data=data, file_name=f"{slug}_dev.csv", now=NOW, split_slug="dev")
    return benchmark


def phase_of(benchmark: Benchmark, kind: str) -> Phase:
    """The phase of a kind: build, break or score."""
    found: Phase = benchmark.phases.get(kind=kind)
    return found
