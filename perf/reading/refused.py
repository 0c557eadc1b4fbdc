"""Files in which every row is wrong, against the same file without a fault: CPU time per 100,000 rows and memory.

Each file is judged in a process of its own, so that its memory is its own too: the most that the process held, the
interpreter, the file and the ids of the split included. At most 2 s and 300 MB are allowed; the last lines give the
ratios.

Run: python -m perf.reading.refused [rows]
"""

import multiprocessing
import re
import sys
from collections.abc import Callable
from multiprocessing.context import BaseContext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.spec import FileFormat, MetricUse, TaskSpec
from catalogue.answers import AnswerKind, ConfidentLabel, Label, LabelSubset, Number, OrderedClass, Span
from catalogue.layouts import CSV, JSON, JSON_LINES, TSV, Layout
from perf.figures import Measurement, report
from perf.timing import cpu_seconds, number_asked_for
from submissions.intake import ItemIds, SplitTarget, read_labels

LABELS = tuple(
    f"{verb}_{thing}_{kind}"
    for verb in ("card", "cash", "top_up", "transfer")
    for thing in ("arrival", "delivery", "fee", "not_recognised")
    for kind in ("early", "late", "pending", "charged", "wrong")
)[:77]
MOST_SECONDS, MOST_MEGABYTES = 2, 300
_SECONDS, _MEGABYTES = range(2)
_NONE = "nothing"
MILLION = 1_000_000
# CSV, TSV and JSON lines.
IN_ROWS = ("labels", "numbers", "json lines")
Cell = Callable[[int], str]


def _table(output: AnswerKind, columns: tuple[str, ...], answer: str, layout: Layout) -> TaskSpec:
    return task_of(output, FileFormat("file", "id", answer, layout=layout, columns=columns))


def task_of(output: AnswerKind, file: FileFormat) -> TaskSpec:
    """A task with that file, of which nothing else matters."""
    return TaskSpec(
        id="task", code="T", title="Task", summary="", instructions="", licence="", citation="", test_size=3,
        output=output, file=file, metrics=(MetricUse("accuracy", "accuracy"),),
    )  # fmt: skip


SUBSET = tuple(f"emotion {number}" for number in range(11))
KINDS: dict[str, tuple[TaskSpec, Cell]] = {
    "labels": (_table(Label(LABELS), ("id", "label"), "label", CSV), lambda at: LABELS[at % 77]),
    "classes": (_table(OrderedClass(-3, 3), ("id", "class"), "class", TSV), lambda at: str(at % 3)),
    "numbers": (_table(Number(0, 1), ("id", "score"), "score", TSV), lambda at: f"0.{at}"),
    "subsets": (
        _table(LabelSubset(SUBSET), ("id", *SUBSET), SUBSET[0], TSV),
        lambda at: "\t".join("01"[at >> bit & 1] for bit in range(len(SUBSET))),
    ),
    "spans": (_table(Span(), ("id", "span"), "span", CSV), lambda at: f"word {at}"),
    "json lines": (
        task_of(Label(LABELS), FileFormat("f", "id", "label", layout=JSON_LINES)),
        lambda at: f'"{LABELS[at % 77]}"',
    ),
    "json": (
        task_of(Label(LABELS), FileFormat("f", "id", "label", layout=JSON)),
        lambda at: f'"{LABELS[at % 77]}"',
    ),
    "confidences": (
        task_of(ConfidentLabel(LABELS), FileFormat("f", "id", "label", layout=JSON)),
        lambda at: f'["{LABELS[at % 77]}", 0.{at}]',
    ),
}


def _in_json(cell: str) -> str:
    return f'"{cell}"'


def _file(task: TaskSpec, ids: list[str], cells: list[str]) -> bytes:
    """The rows in the task's own dialect."""
    if task.file.layout.is_one_value:
        return (
            '{"label": {\n' + ",\n".join(f'"{a}": {b}' for a, b in zip(ids, cells, strict=True)) + "}}"
        ).encode()
    if not task.file.layout.is_table:
        rows = (f'{{"id": "{a}", "label": {b}}}\n' for a, b in zip(ids, cells, strict=True))
        return "".join(rows).encode()
    mark = task.file.delimiter
    rows = (f"{a}{mark}{b}\n" for a, b in zip(ids, cells, strict=True))
    return (mark.join(task.file.header) + "\n" + "".join(rows)).encode()


def _wrong(kind: str, ids: list[str], good: list[str]) -> dict[str, tuple[list[str], list[str]]]:
    """Ids and cells of each file, by what is wrong with all of its rows."""
    places = range(len(ids))
    in_json = _in_json if kind.startswith(("json", "conf")) else str
    wide = 1 if kind != "subsets" else len(SUBSET)
    many = [in_json("\t".join([text] * wide)) for text in map(str, places)]
    return {
        "ids": ([f"x{item}" for item in ids], good),
        "ids spelt": ([f"0{item}" for item in ids], good),
        "ids doubled": ([ids[0]] * len(ids), good),
        "integers": (ids, many),
        "unknown": (ids, [in_json("\t".join([f"{at} what"] * wide)) for at in places]),
        "near misses": (ids, [in_json("\t".join([f"{LABELS[at % 77][:-1]}{at}"] * wide)) for at in places]),
        "long near misses": (ids, [in_json("\t".join([_long(at)] * wide)) for at in places]),
        "look-alikes": (ids, [in_json("\t".join([_alike(LABELS[at % 77])] * wide)) for at in places]),
        "doubled near": (
            [ids[at // 2] for at in places],
            [in_json("\t".join([LABELS[at % 77][1:]] * wide)) for at in places],
        ),
        "many columns": (ids, [cell + "\tx,y" * 30 for cell in good]),
        "huge cells": (ids, [in_json("x" * 20_000) if at % 100 == 0 else good[at] for at in places]),
        "long cells": (ids, [in_json("\t".join([f"{at:x}" * 8] * wide)) for at in places]),
        "empty": (ids, [in_json("\t" * (wide - 1)) for at in places]),
        "columns": (ids, [cell + "\t," for cell in good]),
        "quotes": (ids, ['a"' + cell for cell in good]),
        "controls": (ids, [cell + "\x01" for cell in good]),
        "quoted": (ids, [in_json(f'"{cell}"') for cell in good]),
    }


def _long(at: int) -> str:
    """As long as ten labels, one letter wrong, and not twice the same."""
    return "_".join([*LABELS[at % 60 : at % 60 + 9], f"{at}"])


def _alike(label: str) -> str:
    """With letters of another script that look the same."""
    return label.translate({ord("a"): "\u0430", ord("e"): "\u0435", ord("_"): "\uff3f"})


class Judged(NamedTuple):
    """What judging one file took, and whether it was accepted."""

    seconds: float
    megabytes: float
    is_fine: bool


def _write(kind: str, rows: int, folder: Path, *, with_faults: bool = True) -> None:
    """Every file of a kind, under what is wrong with it."""
    task, cell = KINDS[kind]
    ids, good = _ids(rows), list(map(cell, range(rows)))
    (folder / _NONE).write_bytes(_file(task, ids, good))
    for fault, (names, cells) in (_wrong(kind, ids, good) if with_faults else {}).items():
        (folder / fault).write_bytes(_file(task, names, cells))


def _judge(kind: str, rows: int, path: Path) -> Judged:
    return judged(path.read_bytes(), SplitTarget(KINDS[kind][0], "test", ItemIds(_ids(rows))), rows)


def judged(data: bytes, target: SplitTarget, rows: int) -> Judged:
    """What reading this file takes, in a process that has done little else."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
    reads = []
    seconds = cpu_seconds(lambda: reads.append(read_labels(data, file_name="file", target=target)))
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return Judged(
        seconds * 100_000 / rows, int(peak[1]) / 1024 if peak else 0.0, reads[0].content is not None
    )


def _ids(rows: int) -> list[str]:
    return [str(number) for number in range(1, rows + 1)]


def main(rows: int) -> None:
    """Print the time of each file, for 100,000 rows, its memory, and the worst of all."""
    found: dict[str, Judged] = {}
    context = multiprocessing.get_context("fork")
    for kind in KINDS:
        # A process judges one file and ends, so the next one begins as small.
        with TemporaryDirectory() as folder, context.Pool(1, maxtasksperchild=1) as pool:
            pool.apply(_write, (kind, rows, Path(folder)))
            paths = sorted(Path(folder).iterdir(), key=lambda path: path.name != _NONE)
            fine = pool.apply(_judge, (kind, rows, paths[0]))
            if not fine.is_fine:
                sys.exit(f"the good file of {kind} was refused")
            print(f"{kind}: without a fault {fine.seconds:.3f} s {fine.megabytes:.0f} MB")
            for path in paths[1:]:
                one = pool.apply(_judge, (kind, rows, path))
                took = f"{one.seconds:6.2f} s {one.seconds / fine.seconds:6.1f} x {one.megabytes:6.0f} MB"
                print(f"  {path.name:<12} {'accepted' if one.is_fine else took}", flush=True)
                if not one.is_fine:
                    found[f"{kind}, {path.name}"] = one
    slowest, largest = (max(found, key=lambda name: found[name][place]) for place in (_SECONDS, _MEGABYTES))
    seconds, megabytes = found[slowest].seconds, found[largest].megabytes
    print(
        f"slowest: {seconds:.2f} s for 100,000 rows ({slowest}), {seconds / MOST_SECONDS:.2f} of what is allowed"
    )
    print(f"most memory: {megabytes:.0f} MB ({largest}), {megabytes / MOST_MEGABYTES:.2f} of what is allowed")
    millions = [_judge_a_million(kind, context) for kind in IN_ROWS]
    for kind, one in zip(IN_ROWS, millions, strict=True):
        print(f"{MILLION:,} rows of {kind}: {one.seconds * MILLION / 100_000:.2f} s, {one.megabytes:.0f} MB")
    report(
        Measurement(f"the slowest of {len(found)} refused files, 100,000 rows", seconds, "s", MOST_SECONDS),
        Measurement("memory that a refused file takes", megabytes, "MB", MOST_MEGABYTES),
        Measurement(
            f"memory that {MILLION:,} rows take", max(one.megabytes for one in millions), "MB", MOST_MEGABYTES
        ),
    )


def _judge_a_million(kind: str, context: BaseContext) -> Judged:
    with TemporaryDirectory() as folder, context.Pool(1, maxtasksperchild=1) as pool:
        pool.apply(_write, (kind, MILLION, Path(folder)), {"with_faults": False})
        return pool.apply(_judge, (kind, MILLION, Path(folder, _NONE)))


if __name__ == "__main__":
    main(number_asked_for(100_000))
