"""Answers that stand in memory, a mapping or a data frame for each task, as the bytes of an upload."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from catalogue.answers.reading import JsonShape, WholeJson
from catalogue.layouts.form import AnsweredPart
from client.errors import ClientError
from client.files.check_data import TEST, CheckData
from client.files.packing import Upload
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.file_writer import STAR, in_order, zip_of
from submissions.intake.predictions.seeds import folder_of
from submissions.intake.predictions.wanted_files import file_targets

FILE_NAME = "predictions.zip"


def upload_of(
    answers: Any, material: CheckData, *, task: str | None = None, split: str | None = None
) -> Upload:
    """A zip with a file for every task that is answered, or the file of `task`, in the tasks' own layouts.

    Labels are written as they are given: whatever is wrong with them is for the check to tell.

    Parameters
    ----------
    answers
        A mapping from task to its answers, or the answers of `task` alone. Answers are a mapping from item id to label,
        or a data frame that has the columns of the task's file; ids may also be its index. Where a benchmark asks for
        several seeds, a mapping from seed (1, 2, ...) to such a mapping. A label of several cells is a list of them.
        Where the file has a row for each part of an answer, so has the data frame, and a mapping leads to lists of
        parts.
    split
        Which set the answers are for; the test set without it.

    Raises
    ------
    ClientError
        If something is neither, or a task or a column is not there.
    """
    by_task = answers if task is None else {task: answers}
    if not isinstance(by_task, Mapping):
        raise ClientError(
            f"Of which task are these answers? Give task=, or a mapping from task to answers. {_found(answers)}"
        )
    are_seeds = bool(by_task) and all(isinstance(key, int) for key in by_task)
    seeds: Mapping[Any, Any] = by_task if are_seeds else {1: by_task}
    files: dict[str, bytes] = {}
    for seed, of_seed in seeds.items():
        folder = folder_of(seed) if material.spec.seeds > 1 else ""
        for path, content in _files(of_seed, material, split or TEST):
            files[folder + path] = content
    if not files:
        raise ClientError(f"Nothing is answered on the split {split or TEST}.")
    if task is not None and not are_seeds:
        ((path, content),) = files.items()
        return Upload(path.rpartition("/")[2], content)
    return Upload(FILE_NAME, zip_of(files))


def _files(by_task: Mapping[str, Any], material: CheckData, split: str) -> Iterator[tuple[str, bytes]]:
    known = {target.task.id for target in material.targets}
    for task in by_task:
        if task not in known:
            raise ClientError(f"There is no task {task!r} here. There are {', '.join(sorted(known))}.")
    for path, sharing in file_targets(material.targets).items():
        parts = [
            _part(target, by_task[target.task.id])
            for target in sharing
            if target.task.id in by_task and any(one.split == split for one in target.splits)
        ]
        if parts:
            form = parts[0].form
            try:
                text = form.layout.write(parts)
                yield path.replace("*", STAR), text.encode(form.encoding)
            except (UnicodeEncodeError, ValueError) as error:
                raise ClientError(f"{path} cannot be written: {error}.") from None


def _part(target: FileTarget, answers: Any) -> AnsweredPart:
    form = target.task.file
    columns = form.layout.answer_columns(target.task.output, form.label_column)
    if isinstance(answers, Mapping):
        ids, values = [str(key) for key in answers], [_value(value) for value in answers.values()]
    elif hasattr(answers, "columns") and hasattr(answers, "to_dict"):
        ids, values = _of_frame(answers, form.id_column, columns, target.task.id)
        if form.layout.has_row_for_each_part:  # of a list with this row's part alone
            values = [[value] for value in values]
    else:
        raise ClientError(
            f"{target.task.id}: expected a mapping from id to label, or a data frame. {_found(answers)}"
        )
    if not form.layout.has_ids and set(ids) != set(target.ids.ids):
        raise ClientError(
            f"{target.task.id}: its file has one answer a line and no ids, so every item needs one. Expected answers "
            f"to {len(target.ids):,} ids; found {len(set(ids) & set(target.ids.ids)):,} of them."
        )
    return in_order(AnsweredPart(form, ids, _in_cells(values, target), columns))


def _in_cells(values: Sequence[Any], target: FileTarget) -> list[Any]:
    """The values as a file holds them: an answer that stands in one cell as JSON, and named numbers in their order."""
    form, output = target.task.file, target.task.output
    if output.json_shape is JsonShape.OBJECT:
        names = [cell.name for cell in output.json_cells()]
        return [_named(one, names, target.task.id) if isinstance(one, Mapping) else one for one in values]
    if output.json_shape is not JsonShape.WHOLE or form.layout.has_row_for_each_part or form.separator:
        return list(values)
    return [WholeJson(one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)) for one in values]


def _named(value: Mapping[str, Any], names: Sequence[str], task: str) -> dict[str, Any]:
    if {*value} != {*names}:
        raise ClientError(
            f"{task}: expected a number for each of {', '.join(names)}; found {', '.join(value)}."
        )
    return {name: value[name] for name in names}


def _of_frame(frame: Any, id_column: str, columns: Sequence[str], task: str) -> tuple[list[str], list[Any]]:
    named = list(frame.columns)
    missing = [column for column in columns if column not in named]
    if missing:
        there = ", ".join(map(str, named))
        raise ClientError(f"{task}: the data frame has no column {', '.join(missing)}. It has {there}.")
    ids = frame[id_column] if id_column in named else frame.index
    cells = [list(map(_value, frame[column])) for column in columns]
    values = cells[0] if len(cells) == 1 else [list(row) for row in zip(*cells, strict=True)]
    return [str(one) for one in ids], values


def _value(value: Any) -> Any:
    """A label, or a list or mapping of cells, as plain Python values; numpy's numbers have an `item`."""
    if isinstance(value, Mapping):
        return {str(key): _value(cell) for key, cell in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_value(cell) for cell in value]
    return value.item() if hasattr(value, "item") else value


def _found(value: Any) -> str:
    return f"Found {type(value).__name__}."
