"""A small benchmark whose gold labels come from responses."""

import json
from collections.abc import Sequence

DEFINITION = """
id: toy
title: Toy
summary: One small round.
url: https://example.org/toy
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  instructions: Say what it is.
  licence: CC0
  gold: public
  citation: Nobody, 2026.
  file: {path: "{task}_test.csv", id_column: ID, label_column: Label}
tasks:
  - id: round1
    code: R1
    title: Round 1
    summary: "What is felt?"
    test_size: 3
    labels: [positive, negative, neutral]
    metrics:
      - {name: f1_macro, title: F1 macro}
      - {name: f1_neutral, title: F1 neutral}
      - {name: accuracy, title: Accuracy}
    splits: [{id: test, title: Test}, {id: dev, title: Dev, file: "{task}_dev.csv"}]
  - {id: size, code: SIZ, title: Size, summary: "How much?", test_size: 3, output: {kind: number, low: 0, high: 1},
     metrics: [{name: pearson, title: Pearson}]}
averages: []
boards:
  - id: dev
    title: Development
    axis: Round
    groups:
      - {title: Dev, split: dev, columns: [round1, "round1:f1_neutral"]}
      - {title: Test, columns: [round1]}
reported:
  - {system: Human estimate, kind: human, source: "Nobody, 2026", values: {round1: 0.9}}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 5}
    counting: latest
    publish_automatically: true
"""


def responses_of(*items: tuple[str, str], text: str = "Something.") -> bytes:
    """JSON lines of items (id, responses) with prompts; a letter for each response: p, n, o (neutral) or m (mixed).

    The n-th response is that of the worker `w`n.
    """
    names = {"p": "positive", "n": "negative", "o": "neutral", "m": "mixed"}
    lines = []
    for item, answers in items:
        distribution: dict[str, list[str]] = {name: [] for name in names.values()}
        for number, answer in enumerate(answers, start=1):
            distribution[names[answer]].append(f"w{number}")
        line = {"text_id": item, "sentence": text, "has_prompt": True, "label_distribution": distribution}
        lines.append(line)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def labelled(items: Sequence[tuple[str, str]]) -> bytes:
    """A file of predictions in the benchmark's form."""
    return ("ID,Label\n" + "".join(f"{item},{label}\n" for item, label in items)).encode()
