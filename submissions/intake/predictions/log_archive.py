"""A zip with an entry for each item, such as a log: the same file in one piece, as its layout reads it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple, TypeAlias

from catalogue.layouts import FileFormat
from catalogue.problems import Finding, ProblemCode, RefusedError, visible
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.wanted_files import fits
from submissions.intake.predictions.zip_directory import (
    MAX_NAME,
    OF_LOGS,
    Entry,
    check_entry,
    is_zip,
    read_directory,
    unpack,
)

_BESIDE = 1_000
"""Entries that such a zip may have beside two for each item: of logs the head, the plan, and summaries of samples."""


Place: TypeAlias = tuple[str, int]
"""The path of a file in a zip of several, and the seed that it is of."""


class OnePiece(NamedTuple):
    """The file that a zip stands for, and the name of the entry that each line was, if a line says no more than it.

    `task` is the only one that it can be of, where several were asked.
    """

    data: bytes
    entries: tuple[str, ...]
    task: str | None = None


def in_one_piece(data: bytes, targets: Sequence[FileTarget]) -> OnePiece | None:
    """The file that a zip stands for, if it is one of a layout that one of these targets takes; None for anything else.

    A zip that has a file of another target as well is one of several tasks. RefusedError where an entry may not be
    read, or where all together hold far more than answers need.
    """
    paths = {target.task.id: target.splits[0].path for target in targets}
    found = []
    for target in targets:
        beside = [path for task, path in paths.items() if task != target.task.id]
        piece = put_together(data, target.task.file, len(target.ids), target.most_bytes, beside)
        found += [piece._replace(task=target.task.id)] if piece else []
    return found[0] if len(found) == 1 else None  # of several tasks a file must say which it answers


def put_together(
    data: bytes, form: FileFormat, max_items: int, most: int, paths: Collection[str] = ()
) -> OnePiece | None:
    """The file of that form which a zip with an entry for each item stands for; None for anything else.

    `paths` are those of other files, one of which would make it a zip of several.
    """
    if not is_zip(data):
        return None
    try:
        entries = read_directory(data, max_entries=_BESIDE + 2 * max_items)
    except RefusedError:
        return None  # what is wrong with it is told where zips are read
    rows = _rows(entries, form)
    others = {PurePosixPath(entry.name).name for entry in entries if rows and entry.name not in rows}
    visible_others = [name for name in others if not name.startswith(".")]
    if any(fits(name, PurePosixPath(path).name) for name in visible_others for path in paths):
        return None
    return of_entries(data, entries, form, most)


def of_entries(data: bytes, entries: Sequence[Entry], form: FileFormat, most: int) -> OnePiece | None:
    """What those of the entries of a zip stand for that are an item's each; None where none are."""
    ids = _rows(entries, form)
    if not ids:
        return None
    rows = {entry.name: entry for entry in entries if entry.name in ids}
    _refuse_what_is_too_large([entry for entry in entries if entry.name in ids], most)
    content = form.layout.of_entries({name: _content(data, rows[name]) for name in ids}, ids, form)
    return OnePiece(content, tuple(visible(name, MAX_NAME) for name in ids) if all(ids.values()) else ())


def _rows(entries: Iterable[Entry], form: FileFormat) -> dict[str, str]:
    return form.layout.zipped_rows([entry.name for entry in entries if not entry.is_folder], form)


def entries_of_items(
    entries: Iterable[Entry],
    place_of: Callable[[str], Place | None],
    targets: Mapping[str, Sequence[FileTarget]],
) -> dict[Place, list[Entry]]:
    """Of a zip of several tasks' files the entries that are an item's each, by the place that they have together."""
    together: dict[Place, list[Entry]] = {}
    for entry in entries:
        place = place_of(entry.name)
        if place and "*" in place[0]:
            together.setdefault(place, []).append(entry)
    forms = {place: replace(targets[place[0]][0].task.file, path=place[0]) for place in together}
    return {place: own for place, own in together.items() if _rows(own, forms[place])}


def _refuse_what_is_too_large(rows: Sequence[Entry], most: int) -> None:
    size, limit = sum(entry.unpacked for entry in rows), f"{most / 2**20:.1f} MB"
    if size > most:
        message = f"The items' entries unpack to {size / 2**20:.1f} MB; at most {limit} are read. Write fewer things."
        raise RefusedError(
            Finding(ProblemCode.FILE_TOO_LARGE, message, f"{size:,} bytes", f"at most {limit}")
        )
    if len({entry.name for entry in rows}) < len(rows):
        message = "The zip has two entries of one name. Send one of each."
        raise RefusedError(Finding(ProblemCode.ZIP_DUPLICATE_NAME, message))


def _content(data: bytes, entry: Entry) -> bytes:
    check_entry(entry, OF_LOGS)
    return unpack(data, entry)
