"""Bundles made up for the tests, in both formats."""

import io
from collections.abc import Mapping

from tests.submissions.intake.bundles.test_archive import zipped

CODABENCH = """
version: 2
title: Mood of sentences
description: Say whether a sentence is good.
image: logo.png
terms: terms.md
registration_auto_approve: True
pages:
  - {title: Overview, file: overview.html}
  - {title: Data, file: data.md}
tasks:
  - {index: 0, name: Practice, reference_data: dev/, scoring_program: program/, input_data: input/}
  - {index: 1, name: Evaluation, reference_data: test/, scoring_program: program/}
phases:
  - {name: Practice, start: 2030-01-01, end: 2030-01-31, tasks: [0], max_submissions_per_day: 3, max_submissions: 30,
     auto_migrate_to_this_phase: False, starting_kit: kit.zip}
  - {name: Evaluation, start: 2030-02-01, end: 2030-02-08 12:00:00, tasks: [1], max_submissions_per_day: 1,
     max_submissions: 2, auto_migrate_to_this_phase: True}
leaderboards:
  - title: Results
    key: main
    submission_rule: Force_Last
    columns:
      - {title: Macro F1, key: macro_f1, index: 0, sorting: desc, precision: 3}
      - {title: Accuracy, key: acc, index: 1, sorting: desc}
      - {title: Run time, key: duration, index: 2, sorting: asc}
      - {title: Our own score, key: zeta, index: 3}
fact_sheet:
  model: {key: model, type: select, title: What model, selection: ["", tree, net], is_required: "true"}
  words: {key: words, type: text, title: In words, selection: ""}
  open: {key: open, type: checkbox, title: Open weights, selection: ""}
unknown_key: 1
"""
MEMBERS = {
    "terms.md": b"Be fair.\n",
    "overview.html": b"<h1>Mood</h1><p>See <a href='javascript:alert(1)'>this</a>.</p>",
    "data.md": "Naïve words.".encode("latin-1"),
    "dev/labels.txt": b"good\nbad\ngood\nbad\n",
    "test/labels.txt": b"good\ngood\nbad\nbad\ngood\n",
    "program/score.py": b"raise SystemExit('run')\nf1_score(a, b, average='macro')\n",
    "input/a.txt": b"x",
    "kit.zip": b"PK",
    "logo.png": b"",
}

CODALAB = """
title: Sizes
description: How large is it?
has_registration: false
anonymous_leaderboard: true
force_submission_to_leaderboard: true
disallow_leaderboard_modifying: true
admin_names: a,b
end_date: 2030-03-01
html: {overview: overview.html, terms: terms.html}
phases:
  2: {phasenumber: 2, label: Final, start_date: 2030-02-01, reference_data: two.zip, scoring_program: p.zip,
      is_scoring_only: true, max_submissions: 5, leaderboard_management_mode: hide_results}
  1: {phasenumber: 1, label: Practice, start_date: 2030-01-01, reference_data: one.zip, scoring_program: p.zip,
      is_scoring_only: true, max_submissions_per_day: 4, color: green}
leaderboard:
  leaderboards: {R: &r {label: Results, rank: 1}}
  columns:
    spearman: {label: Rank correlation, leaderboard: *r, rank: 2, numeric_format: 3}
    pearson: {label: Correlation, leaderboard: *r, rank: 1, numeric_format: 3}
"""


def codabench(text: str = CODABENCH, members: Mapping[str, bytes] = MEMBERS, folder: str = "") -> io.BytesIO:
    named = {f"{folder}{name}": data for name, data in members.items()}
    return zipped({f"{folder}competition.yaml": text.encode(), **named})


def codalab(text: str = CODALAB) -> io.BytesIO:
    return zipped(
        {
            "competition.yaml": text.encode(),
            "overview.html": b"<p>Sizes.</p>",
            "terms.html": b"<h1>Rules</h1><p>Be fair.</p>",
            "one.zip": zipped({"a.solution": b"0.5\n0.25\n1.5\n"}).getvalue(),
            "two.zip": zipped({"b.solution": b"0.1\n0.9\n2.5\n3.5\n"}).getvalue(),
            "p.zip": zipped({"score.py": b"pearsonr(a, b)"}).getvalue(),
        }
    )
