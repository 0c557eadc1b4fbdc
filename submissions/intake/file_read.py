"""What comes of an organiser's or a breaker's file: its content, or its problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from catalogue.problems import MAX_PROBLEMS, FileReport, Problem, RefusedError, Report
from submissions.intake.causes import Cause, causes_of
from submissions.intake.problem_rules import without_values

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileRead(Generic[T]):
    """The content of a file, or None and its first problems; `more` counts those that are not listed.

    `causes` are what its problems are about, each told once; none of a file whose values must not be told.
    """

    content: T | None
    problems: tuple[Problem, ...] = ()
    more: int = 0
    causes: tuple[Cause, ...] = ()

    def content_or(self, refused: Callable[[Sequence[Problem], int], Exception]) -> T:
        """The content. Raises what `refused` makes of the problems, and of how many more there are."""
        if self.content is None:
            raise refused(self.problems, self.more)
        return self.content

    def without_values(self) -> FileRead[T]:
        """The same, with problems that name line, column and rule, and no value of the file."""
        return replace(self, problems=tuple(map(without_values, self.problems)), causes=())


def read_file(
    read: Callable[[FileReport], T | None],
    *,
    file_name: str,
    task: str | None = None,
    most: int = MAX_PROBLEMS,
) -> FileRead[T]:
    """What `read` makes of a file; None where it reported a problem, or raised RefusedError. `most` are listed."""
    report = Report(most)
    file_report = FileReport(report, file=file_name, task=task)
    content: T | None = None
    try:
        content = read(file_report)
    except RefusedError as error:
        FileReport(report, file=error.entry or file_name, task=task).refuse(error)
    return FileRead(None if report.total else content, tuple(report.problems), report.more, causes_of(report))
