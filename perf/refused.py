"""Files in which every row is wrong, against the same file without a fault: CPU time per 100,000 rows and memory.

At most 2 s and 300 MB are allowed; the last lines give the ratios.

Run: python -m perf.refused [rows]
"""

import resource
import sys
import time
from collections.abc import Callable

from benchmarks.spec import FileFormat, MetricUse, TaskSpec
from catalogue.answers import AnswerKind, ConfidentLabel, Label, LabelSubset, Number, OrderedClass, Span
from catalogue.layouts import CSV, JSON, JSON_LINES, TSV, Layout
from perf.timing import number_asked_for
from submissions.intake import ItemIds, SplitTarget, read_labels

LABELS = tuple(
    f"{verb}_{thing}_{kind}"
    for verb in ("card", "cash", "top_up", "transfer")
    for thing in ("arrival", "delivery", "fee", "not_recognised")
    for kind in ("early", "late", "pending", "charged", "wrong")
)[:77]
MOST_SECONDS, MOST_MEGABYTES = 2, 300
Cell = Callable[[int], str]


def _table(output: AnswerKind, columns: tuple[str, ...], answer: str, layout: Layout) -> TaskSpec:
    return _task(output, FileFormat("file", "id", answer, layout=layout, columns=columns))


def _task(output: AnswerKind, file: FileFormat) -> TaskSpec:
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
        _task(Label(LABELS), FileFormat("f", "id", "label", layout=JSON_LINES)),
        lambda at: f'"{LABELS[at % 77]}"',
    ),
    "json": (
        _task(Label(LABELS), FileFormat("f", "id", "label", layout=JSON)),
        lambda at: f'"{LABELS[at % 77]}"',
    ),
    "confidences": (
        _task(ConfidentLabel(LABELS), FileFormat("f", "id", "label", layout=JSON)),
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
    mark = task.file.layout.delimiter
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
        "long cells": (ids, [in_json("\t".join([f"{at:x}" * 8] * wide)) for at in places]),
        "empty": (ids, [in_json("\t" * (wide - 1)) for at in places]),
        "columns": (ids, [cell + "\t," for cell in good]),
        "quotes": (ids, ['a"' + cell for cell in good]),
        "controls": (ids, [cell + "\x01" for cell in good]),
        "quoted": (ids, [in_json(f'"{cell}"') for cell in good]),
    }


def _cpu(task: TaskSpec, data: bytes, ids: ItemIds) -> tuple[float, bool]:
    started = time.process_time()
    read = read_labels(data, file_name="file", target=SplitTarget(task, "test", ids))
    return time.process_time() - started, read.content is not None


def main(rows: int) -> None:
    """Print the time of each file, for 100,000 rows, and the worst of all."""
    ids = [str(number) for number in range(1, rows + 1)]
    known = ItemIds(ids)
    worst = 0.0
    for kind, (task, cell) in KINDS.items():
        good = list(map(cell, range(rows)))
        fine, is_fine = _cpu(task, _file(task, ids, good), known)
        if not is_fine:
            sys.exit(f"the good file of {kind} was refused")
        print(f"{kind}: without a fault {fine:.3f} s")
        for fault, (names, cells) in _wrong(kind, ids, good).items():
            spent, is_fine = _cpu(task, _file(task, names, cells), known)
            said = "accepted" if is_fine else f"{spent * 100_000 / rows:6.2f} s   {spent / fine:6.1f} x"
            worst = worst if is_fine else max(worst, spent * 100_000 / rows)
            print(f"  {fault:<12} {said}", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"worst: {worst:.2f} s for 100,000 rows, {worst / MOST_SECONDS:.2f} of what is allowed")
    print(f"most memory: {peak:.0f} MB for this whole run, {peak / MOST_MEGABYTES:.2f} of what is allowed")


if __name__ == "__main__":
    main(number_asked_for(100_000))
