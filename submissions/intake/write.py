"""Files of predictions and of gold labels, written as a task's definition says: what the reader reads, backwards."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.spec import Dialect, FileFormat, TaskSpec
from catalogue.answers import AnswerKind, Answers
from submissions.intake.bundle import file_targets
from submissions.intake.canonical import CanonicalPredictions, FileTarget, SplitTarget
from submissions.intake.ids import parts_of
from submissions.intake.seeds import folder_of

UNREAD = "-"
"""What stands in the cells that no reader compares."""
STAR = "predictions"
"""What stands where the definition leaves a part of a path open."""
_NEEDS_QUOTES = re.compile(r'[,"\n]').search


def write_predictions(task: TaskSpec, ids: Sequence[str], answers: Answers) -> bytes:
    """One task's prediction file, complete with whatever its format asks for; reading it gives the same answers.

    Parameters
    ----------
    ids
        Of the items, as `ItemIds` has them.
    answers : array of shape (len(ids),)
        The canonical array of the task's output. Columns that nobody compares, such as the texts, hold `-`.

    Raises
    ------
    ValueError
        If there are not as many answers as ids, or a text cannot be written in the task's format.
    """
    return _write([(task.file, task.output.written(answers), task.output, ids)])


def write_gold(task: TaskSpec, ids: Sequence[str], labels: Answers) -> bytes:
    """One task's gold file, as `read_gold_file` reads it. Arguments and errors are those of `write_predictions`."""
    return _write([(task.gold, task.output.written(labels, is_gold=True), task.output, ids)])


def write_files(
    targets: Sequence[SplitTarget], predictions: Iterable[CanonicalPredictions], *, seeds: int = 1
) -> dict[str, bytes]:
    """Every file of an upload by its path in the zip: what `read_upload` reads, backwards.

    Splits and tasks that share a file stand in it together. With several `seeds`, the files of each stand in its
    folder. What no prediction answers is left out.

    Raises
    ------
    ValueError
        If only a part of a file is answered, or as `write_predictions` says.
    """
    found = {(one.task, one.split, one.seed): one.codes for one in predictions}
    files = {}
    for seed in sorted({seed for _, _, seed in found}):
        answered = {(task, split): codes for (task, split, of), codes in found.items() if of == seed}
        for path, sharing in file_targets(targets).items():
            if any(
                (target.task.id, split.split) in answered for target in sharing for split in target.splits
            ):
                name = (folder_of(seed) if seeds > 1 else "") + path.replace("*", STAR)
                files[name] = _write([_part(target, answered, path) for target in sharing])
    return files


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """A zip of files by path; the same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


_Part = tuple[FileFormat, list[Any], AnswerKind, Sequence[str]]
"""One task's part of a file: its format, the answers, their kind, and the ids that they answer."""


def _part(target: FileTarget, answered: dict[tuple[str, str], Answers], path: str) -> _Part:
    values: list[Any] = []
    for split in target.splits:
        codes = answered.get((target.task.id, split.split))
        if codes is None or len(codes) != len(split.ids):
            raise ValueError(
                f"{path} cannot be written: {target.task.id}/{split.split} is not answered in full."
            )
        values += target.task.output.written(codes)
    return target.task.file, values, target.task.output, target.ids.ids


def _write(parts: Sequence[_Part]) -> bytes:
    """The file that holds these parts; more than one only where it is a JSON object."""
    file, values, output, ids = parts[0]
    if file.dialect is Dialect.JSON:
        whole = {part[0].label_column: dict(zip(part[3], part[1], strict=True)) for part in parts}
        text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    elif file.dialect is Dialect.JSON_LINES:
        text = "".join(
            json.dumps({file.id_column: item, file.label_column: value}, ensure_ascii=False) + "\n"
            for item, value in zip(ids, values, strict=True)
        )
    else:
        text = _table(file, values, output, ids)
    return text.encode(file.encoding)


def _table(file: FileFormat, values: Sequence[Any], output: AnswerKind, ids: Sequence[str]) -> str:
    ordered = list(_in_order(file, zip(ids, values, strict=True)))
    items = [parts_of(item)[0] if file.has_composite_ids else (item,) for item, _ in ordered]
    answers = [value if isinstance(value, list) else (str(value),) for _, value in ordered]
    answer_columns = output.columns(file.label_column)
    columns = {name: [text] * len(ordered) for name, text in file.fixed}
    columns |= _columns(file.id_columns, items) | _columns(answer_columns, answers)
    unread = [UNREAD] * len(ordered)
    rows = zip(*(columns.get(name, unread) for name in file.header), strict=True)
    return _text([file.header, *rows], file)


def _columns(names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    return {name: [cells[place] for cells in rows] for place, name in enumerate(names)}


def _text(rows: Sequence[Sequence[str]], file: FileFormat) -> str:
    """The lines of a table. A file has up to a million, so cells are looked at one by one only where it matters."""
    delimiter = file.dialect.delimiter
    text = "".join(f"{line}\n" for line in map(delimiter.join, rows))
    is_plain = text.count("\n") == len(rows) and text.count(delimiter) == len(rows) * (len(file.header) - 1)
    if is_plain and (file.dialect is Dialect.TSV or '"' not in text):
        return text
    return "".join(_line(cells, file) for cells in rows)


def _in_order(file: FileFormat, rows: Iterable[tuple[str, Any]]) -> Iterable[tuple[str, Any]]:
    """The rows; where ids repeat, the first of all ids before the second of any, because rows are told by counting."""
    return sorted(rows, key=lambda row: parts_of(row[0])[1]) if file.repeats else rows


def _line(cells: Sequence[str], file: FileFormat) -> str:
    line = "".join(cells)
    is_tsv = file.dialect is Dialect.TSV
    if ("\n" in line and (is_tsv or not file.line_breaks)) or (is_tsv and "\t" in line):
        raise ValueError(f"{file.path} has no way to write a cell with a tab or a line break: {cells!r:.200}")
    return file.dialect.delimiter.join(cells if is_tsv else map(_quoted, cells)) + "\n"


def _quoted(cell: str) -> str:
    """The cell as RFC 4180 has it, in quotes only where it needs them."""
    return '"{}"'.format(cell.replace('"', '""')) if _NEEDS_QUOTES(cell) else cell
