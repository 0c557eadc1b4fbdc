"""Why an upload was refused, told once for each cause: in goes the report of all its files, out come causes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from catalogue.problems import FaultKind, Problem, Report
from catalogue.problems import ProblemCode as Code
from submissions.intake.problem_rules import RULES

# What a cause is called; every other one by the rule that it breaks.
_TITLES: Mapping[FaultKind, str] = MappingProxyType(
    {
        (Code.LABEL_CASE, ""): "Labels differ only in upper and lower case",
        (Code.LABEL_SPACING, ""): "Labels differ in spaces, underscores or hyphens",
        (Code.LABEL_SPACING, "around"): "Labels have spaces before or behind them",
        (Code.LABEL_SPACING, "accents"): "Accents of labels are other characters that look alike",
        (Code.UNKNOWN_LABEL, ""): "Labels that the task does not have",
        (Code.UNKNOWN_LABEL, "decimal"): "Labels are written as decimal numbers, such as 1.0",
        (Code.UNKNOWN_LABEL, "numbered"): "Numbers stand where labels are written out",
        (Code.EMPTY_LABEL, ""): "Answers are empty",
        (Code.ID_SPELLING, "decimal"): "Ids are written as decimal numbers, such as 50.0",
        (Code.ID_SPELLING, "spaces"): "Ids have spaces before or behind them",
        (Code.ID_SPELLING, "accents"): "Accents of ids are other characters that look alike",
        (Code.ID_SPELLING, "zeros"): "Ids have other leading zeros",
        (Code.UNKNOWN_ID, ""): "Ids that do not belong to the split",
        (Code.OTHER_PHASE, ""): "The file belongs to another phase",
        (Code.DUPLICATE_ID, ""): "Ids are answered more than once",
        (Code.MISSING_IDS, ""): "Ids are not answered",
        (Code.HEADER_DELIMITER, ""): "Columns are separated by another character",
        (Code.HEADER_SPELLING, ""): "Column names have another case or spaces around them",
        (Code.HEADER_MISSING, ""): "The header is missing",
        (Code.HEADER_MISSING, "json"): "The file is JSON, and a table is expected",
        (Code.HEADER_NAMES, ""): "Columns have other names",
        (Code.HEADER_EXTRA_COLUMN, ""): "There is an extra column",
        (Code.HEADER_ORDER, ""): "Columns stand in the wrong order",
        (Code.UNKNOWN_FILE, "recognised"): "Files have other names than the benchmark gives them",
        (Code.UNKNOWN_FILE, ""): "Files that the benchmark does not know",
        (Code.ZIP_UNSAFE_NAME, "backslash"): "Names in the zip are written with backslashes",
        (Code.MISSING_FILE, ""): "Files are missing",
        (Code.TOO_MANY_ROWS, ""): "There are far more rows than ids",
        (Code.TOO_MANY_ROWS, "full set"): "This looks like the full official set",
    }
)
# After these nothing more of a file is read.
_STOPS = frozenset(
    {
        Code.HEADER_DELIMITER,
        Code.HEADER_ORDER,
        Code.HEADER_DOUBLED_COLUMN,
        Code.HEADER_EXTRA_COLUMN,
        Code.TOO_MANY_ROWS,
    }
)


@dataclass(frozen=True, slots=True)
class CauseInFile:
    """One cause in one file: how often it stands there, and its first places."""

    file: str
    task: str | None
    count: int
    examples: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why an upload was refused, over all its files.

    `count` is how often the cause stands in what was read, `file_count` in how many files; `files` are the first of
    them. `remarks` are sentences that hold for the cause as a whole.
    """

    code: Code
    pattern: str
    title: str
    count: int
    file_count: int
    files: tuple[CauseInFile, ...]
    remarks: tuple[str, ...] = ()

    @property
    def examples(self) -> tuple[Problem, ...]:
        """The first places in all files, file by file."""
        return tuple(problem for each in self.files for problem in each.examples)

    @property
    def is_fully_listed(self) -> bool:
        """True if the examples are all there is."""
        return len(self.examples) == self.count

    def as_dict(self) -> dict[str, Any]:
        """The cause as the API shows it: its first problem in full, and the lines of the first places in each file."""
        return {
            "code": self.code.value,
            "pattern": self.pattern,
            "title": self.title,
            "count": self.count,
            "file_count": self.file_count,
            "remarks": list(self.remarks),
            "first": self.examples[0].as_dict(),
            "files": [
                {"file": each.file, "count": each.count, "lines": [one.line for one in each.examples]}
                for each in self.files
            ],
        }


_MOST_FILES = 200


def causes_of(report: Report) -> tuple[Cause, ...]:
    """The causes of a report, in the order in which they were met."""
    return tuple(
        Cause(
            code=code,
            pattern=pattern,
            title=_TITLES.get((code, pattern)) or RULES[code].removesuffix("."),
            count=sum(tally.count for tally in by_file.values()),
            file_count=len(by_file),
            files=tuple(
                CauseInFile(file, tally.task, tally.count, tuple(tally.examples))
                for file, tally in list(by_file.items())[:_MOST_FILES]
            ),
            remarks=(*report.remarks.get((code, pattern), ()), *_stopped(code, len(by_file))),
        )
        for (code, pattern), by_file in report.tallies.items()
    )


def _stopped(code: Code, file_count: int) -> tuple[str, ...]:
    if code not in _STOPS:
        return ()
    files = "the file" if file_count == 1 else "these files"
    return (f"The rows of {files} were not read further, so other faults in them are not counted.",)
