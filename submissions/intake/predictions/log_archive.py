"""A log that came as a zip with an entry for each sample: the same log in one piece, as its layout reads it."""

from collections.abc import Iterable, Sequence

from catalogue.layouts import Layout
from catalogue.problems import Finding, ProblemCode, RefusedError
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.zip_directory import (
    OF_LOGS,
    Entry,
    check_entry,
    is_zip,
    read_directory,
    unpack,
)

_BESIDE = 1_000
"""Entries that a log may have beside two for each item: its head, its plan, summaries of samples that were done."""


def in_one_piece(data: bytes, targets: Iterable[FileTarget]) -> bytes | None:
    """The log that a zip holds, if it is one of a layout that these targets take; None for anything else.

    RefusedError where an entry may not be read, or where all together hold far more than answers need.
    """
    taking = [target for target in targets if target.task.file.layout.zipped_rows]
    if not taking or not is_zip(data):
        return None
    try:
        entries = read_directory(data, max_entries=_BESIDE + 2 * max(len(target.ids) for target in taking))
    except RefusedError:
        return None  # what is wrong with it is told where zips are read
    target = next((one for one in taking if _is_log(one.task.file.layout, entries)), None)
    if target is None:
        return None
    layout = target.task.file.layout
    rows = [entry for entry in entries if entry.name.startswith(layout.zipped_rows) and not entry.is_folder]
    _refuse_what_is_too_large(rows, target.most_bytes)
    return layout.of_entries([_content(data, entry) for entry in rows])


def _is_log(layout: Layout, entries: Sequence[Entry]) -> bool:
    """Whether there are rows of the layout, and what tells a log from other zips with such a folder."""
    names = [entry.name for entry in entries]
    has_rows = any(name.startswith(layout.zipped_rows) for name in names)
    return has_rows and any(name in layout.zipped_marks for name in names)


def _refuse_what_is_too_large(rows: Sequence[Entry], most: int) -> None:
    size, limit = sum(entry.unpacked for entry in rows), f"{most / 2**20:.1f} MB"
    if size > most:
        message = (
            f"The log's samples unpack to {size / 2**20:.1f} MB; at most {limit} are read. Log fewer things."
        )
        raise RefusedError(
            Finding(ProblemCode.FILE_TOO_LARGE, message, f"{size:,} bytes", f"at most {limit}")
        )
    if len({entry.name for entry in rows}) < len(rows):
        message = "The log has two entries of one name. Send the log as the program wrote it."
        raise RefusedError(Finding(ProblemCode.ZIP_DUPLICATE_NAME, message))


def _content(data: bytes, entry: Entry) -> bytes:
    check_entry(entry, OF_LOGS)
    return unpack(data, entry)
