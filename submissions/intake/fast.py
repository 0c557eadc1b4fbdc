"""The ordinary prediction file in one pass, with no Python bytecode per row.

It knows only how to say yes. Whatever is unusual, allowed or not, it leaves to `explain`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.model import TaskSpec
from submissions.intake.canonical import Codes, ItemIds, SplitTarget, code_dtype

_STRUCTURE = b',\r\n"'
_CONTENT = bytes(set(range(256)) - set(_STRUCTURE))
_LINE_FEED_TO_COMMA = bytes.maketrans(b"\n", b",")


def read_ordinary(data: bytes, target: SplitTarget) -> Codes | None:
    """The label codes, shape (len(ids),), aligned to the ids; None if the file is not an ordinary one.

    Ordinary means: UTF-8, the exact header, one kind of line end throughout, no quotes, every id once and
    every label exactly right. The rows may stand in any order.
    """
    task, ids, rows = target.task, target.ids, len(target.ids)
    if len(data) > target.most_bytes or task.file.encoding != "utf-8":
        return None
    body, line_end = _body(data, task)
    if body is None or not rows:
        return None
    body = body.removesuffix(line_end)
    # What is left without the cells' content must be a comma and a line end, row after row.
    if body.translate(None, _CONTENT) != line_end.join([b","] * rows):
        return None
    cells = body.translate(_LINE_FEED_TO_COMMA, b"\r").split(b",")
    label_codes = {name.encode(): code for code, name in enumerate(task.output.names)}
    try:
        labels = map(label_codes.__getitem__, cells[1::2])
        codes = np.fromiter(labels, dtype=code_dtype(task.output), count=rows)
        return _aligned(codes, cells[0::2], ids)
    except KeyError:
        return None


def _body(data: bytes, task: TaskSpec) -> tuple[bytes | None, bytes]:
    """Everything below the header, and the line end the header has."""
    header = f"{task.file.id_column},{task.file.label_column}".encode()
    for line_end in (b"\n", b"\r\n"):
        if data.startswith(header + line_end):
            return data[len(header + line_end) :], line_end
    return None, b""


def _aligned(codes: Codes, found: list[bytes], ids: ItemIds) -> Codes | None:
    """The codes in the split's order. KeyError for an unknown id, None for a doubled one."""
    if found == ids.encoded:
        return codes
    positions: NDArray[np.intp] = np.fromiter(
        map(ids.index.__getitem__, found), dtype=np.intp, count=len(found)
    )
    answered = np.zeros(len(ids), dtype=np.bool_)
    answered[positions] = True
    if not answered.all():
        return None
    aligned = np.empty_like(codes)
    aligned[positions] = codes
    return aligned
