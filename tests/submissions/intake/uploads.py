"""A small benchmark and short ways to write uploads for it."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace

from benchmarks.spec import BenchmarkSpec, BundleRule, FileFormat, MetricUse, TaskSpec
from catalogue.answers import Label
from submissions.intake import IntakeResult, ItemIds, Problem, SplitTarget, read_upload


def task_spec(task: str, labels: tuple[str, ...]) -> TaskSpec:
    return TaskSpec(
        id=task,
        code=task[:3].upper(),
        title=task,
        summary="",
        instructions="",
        licence="",
        citation="",
        test_size=12,
        output=Label(labels),
        file=FileFormat(f"data/{task}/predictions.csv", "ID", "Label"),
        metrics=(MetricUse("f1_macro", "F1"),),
    )


MOOD = task_spec("mood", ("happy mood", "sad mood", "neither, or both"))
BANK = task_spec(
    "bank", ("card_arrival", "card_lost", "Refund_late", "top_up", "transfer", 'say "no"', "pin_blocked")
)
COMPLETE = BenchmarkSpec(
    id="small",
    title="Small",
    summary="",
    url="",
    citation="",
    bundle=BundleRule.COMPLETE,
    bundle_root="data/",
    also_allowed=("data/*/task.json", "README.md"),
    tasks=(MOOD, BANK),
    averages=(),
    reported=(),
    phases=(),
)
ANY = replace(COMPLETE, bundle=BundleRule.ANY)

MOOD_IDS = tuple(str(number) for number in range(50, 62))
BANK_IDS = tuple(f"q-{number}" for number in range(1, 9))
MOOD_TARGET = SplitTarget(MOOD, "test", ItemIds(MOOD_IDS))
BANK_TARGET = SplitTarget(BANK, "test", ItemIds(BANK_IDS))
TARGETS = (MOOD_TARGET, BANK_TARGET)

MOOD_ROWS = [f"{item},{'happy mood' if int(item) % 3 else 'sad mood'}" for item in MOOD_IDS]
MOOD_CODES = [0 if int(item) % 3 else 1 for item in MOOD_IDS]
BANK_ROWS = [f"{item},{BANK.output.labels[place % 5]}" for place, item in enumerate(BANK_IDS)]


def csv(rows: Iterable[str], header: str = "ID,Label", line_end: str = "\n") -> bytes:
    return "".join(line + line_end for line in [header, *rows]).encode()


MOOD_CSV = csv(MOOD_ROWS)
BANK_CSV = csv(BANK_ROWS)
FILES = {"data/mood/predictions.csv": MOOD_CSV, "data/bank/predictions.csv": BANK_CSV}


def mood_csv(changed: Mapping[int, str]) -> bytes:
    """The good file of `mood` with other text on the given lines; line 1 is the header."""
    lines = ["ID,Label", *MOOD_ROWS]
    for number, text in changed.items():
        lines[number - 1] = text
    return "".join(line + "\n" for line in lines).encode()


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


def read(
    data: bytes,
    *,
    file_name: str = "upload.zip",
    benchmark: BenchmarkSpec = COMPLETE,
    task: str | None = None,
) -> IntakeResult:
    return read_upload(data, file_name=file_name, benchmark=benchmark, targets=TARGETS, task=task)


def mood_problems(data: bytes) -> tuple[Problem, ...]:
    """What is said about the file as `mood`'s answer."""
    return read(data, file_name="mood.csv").problems


def mood_problem(data: bytes) -> Problem:
    """The only thing that is said about it."""
    (problem,) = mood_problems(data)
    return problem


def zip_problem(data: bytes) -> Problem:
    (problem,) = read(data).problems
    return problem
