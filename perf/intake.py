"""A full RAFT submission from zip to codes, and on to scores, against pandas and scikit-learn on the same files.

The files are generated from a seed. Ours unzips, hashes, checks and aligns; theirs starts from unzipped bytes and
checks nothing. Every round runs every way once, so that the ratios hold though the machine's speed drifts.

Run: python -m perf.intake [rounds]
"""

import io
import sys
import time
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score

import benchmarks
from benchmarks.spec.loader import load_definition
from benchmarks.spec.model import BenchmarkSpec
from catalogue.answers import Answers as Codes
from scoring.core import score
from submissions.intake import IntakeResult, ItemIds, SplitTarget, read_upload

DEFINITION = Path(benchmarks.__file__).parent / "definitions" / "raft.yaml"
FIRST_ID = 50


class IntakeWorkload:
    """Gold labels and one system's files for every task of RAFT: in order, shuffled, and quoted as R writes them."""

    def __init__(self) -> None:
        self.spec: BenchmarkSpec = load_definition(DEFINITION.read_text(), DEFINITION.name)
        self.gold_csv: dict[str, bytes] = {}
        self.gold: dict[str, Codes] = {}
        self.ordered: dict[str, bytes] = {}
        self.shuffled: dict[str, bytes] = {}
        self.quoted: dict[str, bytes] = {}
        self.targets: list[SplitTarget] = []
        random = np.random.default_rng(0)
        for task in self.spec.tasks:
            ids = [str(FIRST_ID + number) for number in range(task.test_size)]
            gold = random.integers(len(task.output.labels), size=len(ids)).astype(np.uint8)
            wrong = random.integers(len(task.output.labels), size=len(ids)).astype(np.uint8)
            codes = np.where(random.random(len(ids)) < 0.7, gold, wrong)
            rows = [f"{item},{task.output.labels[code]}\r\n" for item, code in zip(ids, codes, strict=True)]
            self.targets.append(SplitTarget(task, "test", ItemIds(ids)))
            self.gold[task.id] = gold
            self.gold_csv[task.id] = _csv(
                [f"{item},{task.output.labels[code]}\r\n" for item, code in zip(ids, gold, strict=True)]
            )
            self.ordered[task.file.path] = _csv(rows)
            self.quoted[task.file.path] = _csv([row.replace(",", ',"').replace("\r", '"\r') for row in rows])
            self.shuffled[task.file.path] = _csv([rows[place] for place in random.permutation(len(rows))])


def _csv(rows: list[str]) -> bytes:
    return ("ID,Label\r\n" + "".join(rows)).encode()


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def intake(work: IntakeWorkload, data: bytes) -> IntakeResult:
    """Ours: the zip and its hash, canonical predictions and theirs."""
    sha256(data).hexdigest()
    result = read_upload(data, file_name="raft.zip", benchmark=work.spec, targets=work.targets)
    if not result.ok:
        raise SystemExit(f"The generated files were refused: {result.problems[0]}")
    result.content_sha256.encode()
    return result


def intake_and_score(work: IntakeWorkload, data: bytes) -> list[float]:
    """Ours, the whole path."""
    return score_only(work, intake(work, data))


def score_only(work: IntakeWorkload, result: IntakeResult) -> list[float]:
    """Ours, from canonical predictions on."""
    values = []
    for predictions in result.predictions:
        report = score(
            work.spec.task(predictions.task).output,
            ["f1_macro"],
            work.gold[predictions.task],
            predictions.codes,
        )
        values.append(report["f1_macro"].value or 0.0)
    return values


def pandas_read(work: IntakeWorkload, files: dict[str, bytes]) -> list[pd.DataFrame]:
    """Theirs: read gold labels and predictions and merge them by id."""
    merged = []
    for task in work.spec.tasks:
        gold = pd.read_csv(io.BytesIO(work.gold_csv[task.id]))
        found = pd.read_csv(io.BytesIO(files[task.file.path]))
        merged.append(gold.merge(found, on="ID", suffixes=("_gold", "_found")))
    return merged


def sklearn_score(frames: list[pd.DataFrame]) -> list[float]:
    """Theirs: macro-F1 of each task on its labels as they are written."""
    return [float(f1_score(frame.Label_gold, frame.Label_found, average="macro")) for frame in frames]


def main(rounds: int) -> None:
    """Print the median of each way and what it is a multiple of."""
    work = IntakeWorkload()
    ordered, shuffled, quoted = map(_zipped, (work.ordered, work.shuffled, work.quoted))
    frames, result = pandas_read(work, work.ordered), intake(work, ordered)
    np.testing.assert_allclose(score_only(work, result), sklearn_score(frames), rtol=0, atol=1e-12)
    ways: dict[str, Callable[[], object]] = {
        "intake, in order": lambda: intake(work, ordered),
        "intake, shuffled": lambda: intake(work, shuffled),
        "intake, quoted": lambda: intake(work, quoted),
        "pandas, in order": lambda: pandas_read(work, work.ordered),
        "pandas, shuffled": lambda: pandas_read(work, work.shuffled),
        "pandas, quoted": lambda: pandas_read(work, work.quoted),
        "intake + score, in order": lambda: intake_and_score(work, ordered),
        "intake + score, shuffled": lambda: intake_and_score(work, shuffled),
        "pandas + sklearn, in order": lambda: sklearn_score(pandas_read(work, work.ordered)),
        "pandas + sklearn, shuffled": lambda: sklearn_score(pandas_read(work, work.shuffled)),
        "score alone": lambda: score_only(work, result),
        "sklearn alone": lambda: sklearn_score(frames),
    }
    spent = _measured(ways, rounds)
    rows = sum(len(target.ids) for target in work.targets)
    print(
        f"RAFT, {len(work.targets)} files, {rows:,} rows, zip of {len(ordered):,} bytes, median of {rounds} rounds"
    )
    for name, seconds in spent.items():
        print(f"  {name:<26} {1000 * seconds:9.2f} ms")
    print("Ratios")
    for theirs, ours in (
        ("pandas, in order", "intake, in order"),
        ("pandas, shuffled", "intake, shuffled"),
        ("pandas, quoted", "intake, quoted"),
        ("pandas + sklearn, in order", "intake + score, in order"),
        ("pandas + sklearn, shuffled", "intake + score, shuffled"),
        ("sklearn alone", "score alone"),
    ):
        print(f"  {ours:<26} {spent[theirs] / spent[ours]:7.1f} x faster than {theirs}")


def _measured(ways: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, run in ways.items():
            started = time.perf_counter()
            run()
            spent[name].append(time.perf_counter() - started)
    return {name: median(seconds) for name, seconds in spent.items()}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
