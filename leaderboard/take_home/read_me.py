"""The README of an archive: what it holds, and how scores are made again from it."""

import datetime as dt

from benchmarks.models import Benchmark

_TEXT = """# {title}

Made by Heldout on {made:%Y-%m-%d %H:%M} UTC. All instants are UTC, all texts UTF-8; numbers have all their digits.

| file | what it holds |
| --- | --- |
| `scores.csv` | every score: a line per submission, split, seed and metric |
| `standings.csv` | every board of every release: a line per cell, ranks and averages too |
| `submissions.csv`, `systems.csv` | every submission and every system |
| `participants.csv` | people of every team with their addresses: **personal data, not to be published** |
| `fact-sheets.csv` | what is declared of each system |
| `predictions/TASK.csv`, `.jsonl` | a line per item, a column per submission; `TASK.columns.csv` says whose it is |
| `gold/TASK.SPLIT.vN.csv` | gold labels, version N |
| `items/TASK.csv` | items by difficulty, the hardest first |
| `items/TASK.likely-label-errors.csv` | items whose gold label most systems contradict with one voice |
| `agreement/TASK.csv` | how often two systems answer alike |
| `boards/` | every published table and chart, byte for byte |
| `paper/` | tables for an overview paper; `tables.tex` has them all |
| `texts/`, `given/`, `definition.yaml` | the data that were given, and the definition |
| `croissant.json`, `ro-crate-metadata.json`, `.zenodo.json` | the same for machines |
| `SHA256SUMS` | checksums: `sha256sum -c SHA256SUMS` |
| `SHA256SUMS.note` | the server's signature under them: `heldout checksums ARCHIVE` checks both, without network |

{gold}

## A score made again

```python
import pandas as pd
from sklearn.metrics import f1_score

task, split = "TASK", "SPLIT"
answers = pd.read_csv(f"predictions/{{task}}.csv", dtype=str, keep_default_na=False).query("split == @split")
scores = pd.read_csv("scores.csv", keep_default_na=False, na_values={{"value": ""}})
scores = scores.query("task == @task and split == @split and metric == 'f1_macro' and part == 'all'")
for score in scores.itertuples():
    column = score.submission if score.seed == 1 else f"{{score.submission}}#{{score.seed}}"
    print(score.value, f1_score(answers.gold, answers[column], average="macro"))
```

`gold` in `predictions/` is the newest version; a score of an earlier one, see `gold_version` in `scores.csv`, is made
again with the file in `gold/`. A text that a spreadsheet would run as a formula has an apostrophe before it in CSV, and
none in JSON Lines.
"""
_WITH = "Gold labels stand in `gold/` and beside the predictions."
_WITHOUT = (
    "**Sealed gold labels are not in this archive**, and nothing that is made of them: a phase is open, or something "
    "that came in time is still to be scored. Make another archive when every phase is over."
)


def read_me(benchmark: Benchmark, made_at: dt.datetime, *, with_gold: bool) -> str:
    return _TEXT.format(
        title=benchmark.title, made=made_at.astimezone(dt.UTC), gold=_WITH if with_gold else _WITHOUT
    )
