"""Rows of a file, whatever its dialect."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.spec import Dialect, FileFormat
from catalogue.answers import AnswerKind
from catalogue.answers.reading import AnswerReader
from catalogue.problems import FileReport
from submissions.intake.dialects.json_lines import json_rows
from submissions.intake.dialects.json_object import JsonDocument
from submissions.intake.dialects.table import TableReader
from submissions.intake.rows import Row

Source = bytes | JsonDocument
"""A file as it came, or parsed already because several tasks read it."""


def rows_of(
    source: Source,
    *,
    file: FileFormat,
    output: AnswerKind,
    answers: AnswerReader,
    report: FileReport,
    max_rows: int,
    is_gold: bool = False,
) -> Iterator[Row]:
    """The rows in file order; faults of form go to `report`. RefusedError where reading cannot go on."""
    if isinstance(source, JsonDocument):
        return source.rows(file, output, report, is_gold=is_gold)
    if file.dialect is Dialect.JSON:
        document = JsonDocument(source, file, report, is_gold=is_gold)
        return document.rows(file, output, report, is_gold=is_gold)
    if file.dialect is Dialect.JSON_LINES:
        return json_rows(source, file, output, report, max_rows)
    return TableReader(file, answers.columns, answers.looks_like_answer, report, max_rows).read(source)
