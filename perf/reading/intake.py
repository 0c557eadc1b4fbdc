"""A full RAFT submission from zip to codes, and on to scores, against pandas and scikit-learn on the same files.

The files are generated from a seed. Ours unzips, hashes, checks and aligns; theirs starts from unzipped bytes and
checks nothing. Every round runs every way once, so that the ratios hold though the machine's speed drifts.

Run: python -m perf.reading.intake [rounds]
"""

import io
import zipfile
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score

import benchmarks
from benchmarks.spec.averages import averages
from benchmarks.spec.loader import load_definition
from benchmarks.spec.model import BenchmarkSpec
from catalogue.answers import Answers as Codes
from perf.figures import Measurement, report
from perf.timing import by_turns, number_asked_for
from scoring.core import score
from submissions.intake import IntakeResult, ItemIds, SplitTarget, read_upload

DEFINITIONS = Path(benchmarks.__file__).parent / "definitions"
FIRST_ID = 50
FEWEST_TIMES = 10
PEER = "pandas, a merge and scikit-learn"


def specification(file_name: str) -> BenchmarkSpec:
    """A built-in definition."""
    return load_definition((DEFINITIONS / file_name).read_text("utf-8"), file_name)


class IntakeWorkload:
    """Gold labels and one system's files for every task of RAFT: in order, shuffled, and quoted as R writes them."""

    def __init__(self) -> None:
        self.spec = specification("raft.yaml")
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


def zipped(files: dict[str, bytes]) -> bytes:
    """The files as a team sends them."""
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


def score_only(work: IntakeWorkload, result: IntakeResult) -> list[float]:
    """Ours, from canonical predictions on: every task's score, and then the average over all of them."""
    values: dict[str, float | None] = {}
    for found in result.predictions:
        output = work.spec.task(found.task).output
        report = score(output, ["f1_macro"], work.gold[found.task], found.codes)
        values[found.task] = report["f1_macro"].value
    means = averages(work.spec.averages, values)
    return [value or 0.0 for value in values.values()] + [mean.value or 0.0 for mean in means.values()]


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


def sklearn_on_codes(work: IntakeWorkload, result: IntakeResult) -> list[float]:
    """Theirs, from the same canonical predictions."""
    pairs = ((work.gold[found.task], found.codes) for found in result.predictions)
    return [float(f1_score(gold, codes, average="macro")) for gold, codes in pairs]


def main(rounds: int) -> None:
    """Print the median of each way and what it is a multiple of."""
    work = IntakeWorkload()
    forms = {"in order": work.ordered, "shuffled": work.shuffled, "quoted": work.quoted}
    frames, result = pandas_read(work, work.ordered), intake(work, zipped(work.ordered))
    own = score_only(work, result)[: len(frames)]
    for reference in (sklearn_score(frames), sklearn_on_codes(work, result)):
        np.testing.assert_allclose(own, reference, rtol=0, atol=1e-12)
    ways: dict[str, Callable[[], object]] = {
        "score alone": lambda: score_only(work, result),
        "sklearn on the same codes": lambda: sklearn_on_codes(work, result),
        "sklearn alone": lambda: sklearn_score(frames),
    }
    pairs = [("score alone", theirs) for theirs in list(ways)[1:]]
    for form, files in forms.items():
        ways |= {
            f"intake, {form}": partial(intake, work, zipped(files)),
            f"pandas, {form}": partial(pandas_read, work, files),
            f"intake + score, {form}": partial(_intake_and_score, work, zipped(files)),
            f"pandas + sklearn, {form}": partial(_pandas_and_sklearn, work, files),
        }
        pairs += [(f"intake{part}, {form}", f"pandas{other}, {form}") for part, other in _PARTS]
    spent = by_turns(ways, rounds)
    rows = sum(len(target.ids) for target in work.targets)
    print(f"RAFT, {len(work.targets)} files, {rows:,} rows, median of {rounds} rounds")
    for name, seconds in spent.items():
        print(f"  {name:<28} {1000 * seconds:9.2f} ms")
    print("Ratios")
    for form in forms:
        ours, theirs = f"intake + score, {form}", f"pandas + sklearn, {form}"
        ratio = spent[theirs] / spent[ours]
        milliseconds = 1000 * spent[ours]
        report(
            Measurement(f"RAFT's files read and scored, {form}", milliseconds, "ms", ratio=ratio, peer=PEER),
            Measurement(f"times as fast as that way, {form}", ratio, "times", FEWEST_TIMES, at_least=True),
        )
    for ours, theirs in pairs:
        print(f"  {ours:<28} {spent[theirs] / spent[ours]:7.1f} x faster than {theirs}")


_PARTS = (("", ""), (" + score", " + sklearn"))


def _intake_and_score(work: IntakeWorkload, data: bytes) -> list[float]:
    return score_only(work, intake(work, data))


def _pandas_and_sklearn(work: IntakeWorkload, files: dict[str, bytes]) -> list[float]:
    return sklearn_score(pandas_read(work, files))


if __name__ == "__main__":
    main(number_asked_for(11))
