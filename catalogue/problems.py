"""What can be wrong with an uploaded file, and the list in which it is told."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum

MAX_PROBLEMS = 50
MAX_EXAMPLES = 5
_SHOWN_VALUE = 80
_SHOWN_LINE = 160


# One stable code per kind of fault; clients may rely on the spelling, which is the name in small letters.
ProblemCode = StrEnum(
    "ProblemCode",
    [
        # The upload as a whole
        "FILE_TOO_LARGE",
        "EMPTY_FILE",
        "GZIP_CORRUPT",
        "NOT_A_ZIP",
        "NOT_TEXT",
        "SPREADSHEET",
        "WEB_PAGE",
        "GIT_POINTER",
        "SERVER_ERROR",
        "OTHER_TEXT",
        "UNKNOWN_TASK",
        "TASK_NOT_NAMED",
        "UNKNOWN_SPLIT",
        "OTHER_PHASE",
        # The zip
        "ZIP_EMPTY",
        "ZIP_TRUNCATED",
        "ZIP_CORRUPT",
        "ZIP_EXTRA_DATA",
        "ZIP_OVERLAP",
        "ZIP_VARIANT",
        "ZIP_TOO_MANY_ENTRIES",
        "ZIP_TOO_LARGE",
        "ZIP_RATIO",
        "ZIP_HEADER_MISMATCH",
        "ZIP_WRONG_SIZE",
        "ZIP_BAD_CHECKSUM",
        "ZIP_ENCRYPTED",
        "ZIP_COMPRESSION",
        "ZIP_LINK",
        "ZIP_UNSAFE_NAME",
        "ZIP_LONG_NAME",
        "ZIP_DUPLICATE_NAME",
        "ZIP_NESTED",
        "UNKNOWN_FILE",
        "MISSING_FILE",
        "UNKNOWN_SEED",
        "SEED_SPELLING",
        "SEED_INCOMPLETE",
        # Characters and lines
        "UTF_16_OR_32",
        "INVALID_UTF8",
        "NUL_CHARACTER",
        "LONE_CARRIAGE_RETURN",
        "CONTROL_CHARACTER",
        "UNICODE_LINE_BREAK",
        "BLANK_LINE",
        # Header
        "HEADER_MISSING",
        "HEADER_NAMES",
        "HEADER_SPELLING",
        "HEADER_ORDER",
        "HEADER_DOUBLED_COLUMN",
        "HEADER_EXTRA_COLUMN",
        "HEADER_DELIMITER",
        "HEADER_REPEATED",
        # Rows and cells
        "NO_ROWS",
        "TOO_MANY_ROWS",
        "SHORT_ROW",
        "LONG_ROW",
        "CELL_TOO_LONG",
        "UNCLOSED_QUOTE",
        "TEXT_AFTER_QUOTE",
        "STRAY_QUOTE",
        "LINE_BREAK_IN_CELL",
        # Ids and labels
        "EMPTY_ID",
        "UNKNOWN_ID",
        "ID_SPELLING",
        "DUPLICATE_ID",
        "MISSING_IDS",
        "EMPTY_LABEL",
        "UNKNOWN_LABEL",
        "LABEL_CASE",
        "LABEL_SPACING",
        "FIXED_CELL",
        # Tokens
        "TOKEN_DIFFERS",
        "TOKEN_COUNT",
        "SENTENCE_BREAK",
        # Classes, numbers and cells of 0 or 1
        "CLASS_WITHOUT_NUMBER",
        "CLASS_OUT_OF_RANGE",
        "NOT_ZERO_OR_ONE",
        "NOT_A_NUMBER",
        "NUMBER_NOT_FINITE",
        "NUMBER_OUT_OF_RANGE",
        "PROBABILITY_SUM",
        "SCORES_EQUAL",
        "LABEL_TWICE",
        "DOCUMENT_TWICE",
        "NOT_A_GRADE",
        # JSON
        "JSON_SYNTAX",
        "JSON_TOO_DEEP",
        "JSON_DOUBLED_KEY",
        "JSON_UNKNOWN_KEY",
        "JSON_MISSING_KEY",
        "JSON_WRONG_TYPE",
        "JSON_WRONG_LENGTH",
        "JSON_NOT_BY_LINES",
        # Fact sheets
        "FACT_SHEET_NOT_ASKED",
        "FACT_SHEET_TOO_LARGE",
        "UNKNOWN_FACT_LIST",
        "UNKNOWN_FACT",
        "DOUBLED_FACT",
        # Files of pairs
        "PAIR_CELL_EMPTY",
        "PAIR_CELL_TOO_LONG",
        "PAIR_GROUPS",
        "PAIR_ONE_SIDED",
        "PAIR_ID_TWICE",
        "PAIR_STRATUM",
        "PAIR_TOO_FEW",
        # Minimal pairs of breaker teams
        "PAIR_ID_STEM",
        "PAIR_ORIGINAL_UNKNOWN",
        "PAIR_ORIGINAL_CHANGED",
        "PAIR_WITHOUT_CHANGE",
        "PAIR_UNCHANGED",
        "PAIR_TEXT_TWICE",
        "PAIR_LABELS_CONTRADICT",
        "PAIR_RATIONALE_MISSING",
        "PAIR_CATEGORY",
        "PAIR_INCOMPLETE",
        "SPAN_NOT_IN_TEXT",
        # Files of texts, and what annotators say of them
        "TEXT_MISSING",
        "TEXT_TOO_LONG",
        "TEXTS_HOLD_ANSWERS",
        "NOT_YES_OR_NO",
        "AMBIGUOUS_ID",
        # Files of responses
        "UNKNOWN_CATEGORY",
        "WORKER_TWICE",
        "WORKER_NAME",
        "RESPONSE_COUNT",
        # Files of votes on contested items
        "NOT_CONTESTED",
        "VOTER_NAME",
        "VOTER_TWICE",
        # Files of answers of workers
        "UNKNOWN_UNIT",
        "UNFIT_ANSWER",
        # Files of units that people label
        "UNIT_PART",
        "UNIT_ANSWER",
        "UNIT_WORDS",
        "UNIT_TUPLE",
        # Files of published rows
        "PUBLISHED_TEXT",
        "PUBLISHED_DATE",
        "PUBLISHED_KIND",
        "PUBLISHED_COLUMN",
        "PUBLISHED_RANK",
        "PUBLISHED_TWICE",
        "PUBLISHED_DIFFERS",
        "PUBLISHED_LINK",
        "PUBLISHED_EMPTY",
    ],
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault before its place is known. `pattern` tells causes apart that share a code, such as `decimal`."""

    code: ProblemCode
    message: str
    found: str | None = None
    expected: str | None = None
    pattern: str = ""


_FINDING = tuple(part.name for part in fields(Finding))


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(Finding):
    """One fault and its place.

    `line` is the physical line, 1-based, as editors and `grep -n` count; `column` the header's name of
    the column; `found` is shortened and its control characters are made visible. `excerpt` holds the line
    before, the line and the line after as (number, text), for pages that show the file.
    """

    file: str
    line: int | None
    column: str | None
    task: str | None = None
    excerpt: tuple[tuple[int, str], ...] = ()

    def as_dict(self) -> dict[str, str | int | None]:
        """The problem as the API shows it."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "code": self.code.value,
            "found": self.found,
            "expected": self.expected,
            "message": self.message,
        }


# What faults of one cause share: the code and the pattern.
FaultKind = tuple[ProblemCode, str]

# What finds out what is wrong: few faults are ever told.
Find = Callable[[], Finding]

# Which of an answer's cells is wrong, its column (None if it is all of them), and what finds out what is wrong.
Fault = tuple[int, str | None, Find]


class FaultError(Exception):
    """A fault that ends the reading of something.

    `finding` may be what finds it out, and the `kind` of that then: every line may be refused, and few are told.
    """

    def __init__(self, finding: Finding | Find, *, kind: FaultKind | None = None) -> None:
        super().__init__()
        self._finding = finding
        self.kind = (finding.code, finding.pattern) if isinstance(finding, Finding) else kind

    def __str__(self) -> str:
        return self.finding.message

    @property
    def finding(self) -> Finding:
        return self.find()

    def find(self) -> Finding:
        """What is wrong; called where it will be told."""
        return self._finding if isinstance(self._finding, Finding) else self._finding()


class RefusedError(FaultError):
    """A fault after which nothing more of a file, an archive or a line can be read."""

    def __init__(
        self,
        finding: Finding | Find,
        *,
        kind: FaultKind | None = None,
        line: int | None = None,
        entry: str | None = None,
        column: str | None = None,
    ) -> None:
        super().__init__(finding, kind=kind)
        self.line = line
        self.column = column
        self.entry = entry


@dataclass(slots=True)
class FaultTally:
    """How often a kind of fault stands in one file, and its first places there."""

    task: str | None
    count: int = 0
    examples: list[Problem] = field(default_factory=list)

    @property
    def has_all_examples(self) -> bool:
        """True once further places are only counted."""
        return len(self.examples) >= MAX_EXAMPLES


class Report:
    """The first problems of an upload, a count of the rest, and how often each kind of fault stands in each file.

    The first `most` are listed. `remarks` are sentences about all faults of a kind in the upload.
    """

    def __init__(self, most: int = MAX_PROBLEMS) -> None:
        self.most = most
        self.problems: list[Problem] = []
        self.more = 0
        self.tallies: dict[FaultKind, dict[str, FaultTally]] = {}
        self.remarks: dict[FaultKind, list[str]] = {}

    @property
    def total(self) -> int:
        return len(self.problems) + self.more

    @property
    def is_full(self) -> bool:
        """True once further problems are not listed."""
        return len(self.problems) >= self.most

    def tally(self, kind: FaultKind, file: str, task: str | None) -> FaultTally:
        """The tally of a kind of fault in one file."""
        return self.tallies.setdefault(kind, {}).setdefault(file, FaultTally(task))


class FileReport:
    """A report as seen from one file: adds the file's name, its task and the lines around the fault."""

    def __init__(self, report: Report, *, file: str, task: str | None = None) -> None:
        self._report = report
        self._file = file
        self._task = task
        self._total_before = report.total
        self._tallies: dict[FaultKind, FaultTally] = {}
        self.lines: Sequence[str] = ()
        self.entries: Sequence[str] = ()  # what came as a file of its own for each line, by name

    @property
    def is_clean(self) -> bool:
        """True while this file has shown no problem."""
        return self._report.total == self._total_before

    def add(self, finding: Finding, *, line: int | None = None, column: str | None = None) -> None:
        """Count a fault, and list it at its place while there is room."""
        tally = self._tally((finding.code, finding.pattern))
        tally.count += 1
        if tally.has_all_examples and self._report.is_full:
            self._report.more += 1
            return
        problem = Problem(
            **{name: getattr(finding, name) for name in _FINDING},
            file=self.entries[line - 1] if line and self.entries else self._file,
            line=None if self.entries else line,
            column=column,
            task=self._task,
            excerpt=() if self.entries else self._around(line),
        )
        if not tally.has_all_examples:
            tally.examples.append(problem)
        if self._report.is_full:
            self._report.more += 1
        else:
            self._report.problems.append(problem)

    def add_lazily(
        self,
        find: Find,
        *,
        kind: FaultKind | None = None,
        line: int | None = None,
        column: str | None = None,
    ) -> None:
        """Add what `find` finds, which is called only if the problem will be listed.

        Without a `kind` what is not listed is in the count of `more` alone, and in no tally. Of a fault that may stand
        in every row of a file the kind is to be told: its sentence takes longer than all else that a row is asked.
        """
        if self._report.is_full:
            if kind is None:
                self._report.more += 1
                return
            tally = self._tally(kind)
            if tally.has_all_examples:
                tally.count += 1
                self._report.more += 1
                return
        self.add(find(), line=line, column=column)

    def add_all(
        self,
        faults: Iterable[Fault],
        line_of: Callable[[int], int],
        counts: Mapping[FaultKind, int] | None = None,
    ) -> None:
        """Add the faults of a row's cells; `line_of` tells the line of a cell.

        `counts` says how many there are of each kind: the quick way, once nothing more is listed.
        """
        if counts and self._report.is_full:
            tallies = list(map(self._tally, counts))
            if all(tally.has_all_examples for tally in tallies):
                for tally, times in zip(tallies, counts.values(), strict=True):
                    tally.count += times
                    self._report.more += times
                return
        for place, column, find in faults:
            self.add(find(), line=line_of(place), column=column)

    def remark(self, code: ProblemCode, sentence: str, pattern: str = "") -> None:
        """Say something about all faults of a kind, once."""
        said = self._report.remarks.setdefault((code, pattern), [])
        if sentence not in said:
            said.append(sentence)

    def refuse(self, error: RefusedError) -> None:
        self.add_lazily(error.find, kind=error.kind, line=error.line, column=error.column)

    def _tally(self, kind: FaultKind) -> FaultTally:
        if kind not in self._tallies:
            self._tallies[kind] = self._report.tally(kind, self._file, self._task)
        return self._tallies[kind]

    def _around(self, line: int | None) -> tuple[tuple[int, str], ...]:
        if line is None:
            return ()
        numbers = range(max(1, line - 1), min(len(self.lines), line + 1) + 1)
        return tuple((number, visible(self.lines[number - 1], _SHOWN_LINE)) for number in numbers)


def visible(text: str, limit: int = _SHOWN_VALUE) -> str:
    """The text on one line, at most about `limit` characters, with every unprintable character spelt out."""
    spelt = (character if character.isprintable() else repr(character)[1:-1] for character in text[:limit])
    shown = text[:limit] if text[:limit].isprintable() else "".join(spelt)
    return shown if len(text) <= limit else f"{shown}…"


def quoted(text: str) -> str:
    return f"“{visible(text)}”"


def counted(number: int, noun: str, plural: str = "") -> str:
    """“1 token”, “12,345 tokens”; `plural` where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
