"""What can be wrong with an uploaded file, and the list in which it is told."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_PROBLEMS = 50
_SHOWN_VALUE = 80
_SHOWN_LINE = 160


class ProblemCode(StrEnum):
    """One stable code per kind of fault; clients may rely on the spelling."""

    # The upload as a whole
    FILE_TOO_LARGE = "file_too_large"
    EMPTY_FILE = "empty_file"
    NOT_A_ZIP = "not_a_zip"
    NOT_TEXT = "not_text"
    SPREADSHEET = "spreadsheet"
    UNKNOWN_TASK = "unknown_task"
    TASK_NOT_NAMED = "task_not_named"
    UNKNOWN_SPLIT = "unknown_split"
    # The zip
    ZIP_EMPTY = "zip_empty"
    ZIP_TRUNCATED = "zip_truncated"
    ZIP_CORRUPT = "zip_corrupt"
    ZIP_EXTRA_DATA = "zip_extra_data"
    ZIP_OVERLAP = "zip_overlap"
    ZIP_VARIANT = "zip_variant"
    ZIP_TOO_MANY_ENTRIES = "zip_too_many_entries"
    ZIP_TOO_LARGE = "zip_too_large"
    ZIP_RATIO = "zip_ratio"
    ZIP_HEADER_MISMATCH = "zip_header_mismatch"
    ZIP_WRONG_SIZE = "zip_wrong_size"
    ZIP_BAD_CHECKSUM = "zip_bad_checksum"
    ZIP_ENCRYPTED = "zip_encrypted"
    ZIP_COMPRESSION = "zip_compression"
    ZIP_LINK = "zip_link"
    ZIP_UNSAFE_NAME = "zip_unsafe_name"
    ZIP_LONG_NAME = "zip_long_name"
    ZIP_DUPLICATE_NAME = "zip_duplicate_name"
    ZIP_NESTED = "zip_nested"
    UNKNOWN_FILE = "unknown_file"
    MISSING_FILE = "missing_file"
    UNKNOWN_SEED = "unknown_seed"
    SEED_SPELLING = "seed_spelling"
    SEED_INCOMPLETE = "seed_incomplete"
    # Characters and lines
    UTF_16_OR_32 = "utf_16_or_32"
    INVALID_UTF8 = "invalid_utf8"
    NUL_CHARACTER = "nul_character"
    LONE_CARRIAGE_RETURN = "lone_carriage_return"
    CONTROL_CHARACTER = "control_character"
    UNICODE_LINE_BREAK = "unicode_line_break"
    BLANK_LINE = "blank_line"
    # Header
    HEADER_MISSING = "header_missing"
    HEADER_NAMES = "header_names"
    HEADER_SPELLING = "header_spelling"
    HEADER_ORDER = "header_order"
    HEADER_DOUBLED_COLUMN = "header_doubled_column"
    HEADER_EXTRA_COLUMN = "header_extra_column"
    HEADER_DELIMITER = "header_delimiter"
    HEADER_REPEATED = "header_repeated"
    # Rows and cells
    NO_ROWS = "no_rows"
    TOO_MANY_ROWS = "too_many_rows"
    SHORT_ROW = "short_row"
    LONG_ROW = "long_row"
    CELL_TOO_LONG = "cell_too_long"
    UNCLOSED_QUOTE = "unclosed_quote"
    TEXT_AFTER_QUOTE = "text_after_quote"
    STRAY_QUOTE = "stray_quote"
    LINE_BREAK_IN_CELL = "line_break_in_cell"
    # Ids and labels
    EMPTY_ID = "empty_id"
    UNKNOWN_ID = "unknown_id"
    ID_SPELLING = "id_spelling"
    DUPLICATE_ID = "duplicate_id"
    MISSING_IDS = "missing_ids"
    EMPTY_LABEL = "empty_label"
    UNKNOWN_LABEL = "unknown_label"
    LABEL_CASE = "label_case"
    LABEL_SPACING = "label_spacing"
    FIXED_CELL = "fixed_cell"
    # Classes, numbers and cells of 0 or 1
    CLASS_WITHOUT_NUMBER = "class_without_number"
    CLASS_OUT_OF_RANGE = "class_out_of_range"
    NOT_ZERO_OR_ONE = "not_zero_or_one"
    NOT_A_NUMBER = "not_a_number"
    NUMBER_NOT_FINITE = "number_not_finite"
    NUMBER_OUT_OF_RANGE = "number_out_of_range"
    # JSON
    JSON_SYNTAX = "json_syntax"
    JSON_TOO_DEEP = "json_too_deep"
    JSON_DOUBLED_KEY = "json_doubled_key"
    JSON_UNKNOWN_KEY = "json_unknown_key"
    JSON_MISSING_KEY = "json_missing_key"
    JSON_WRONG_TYPE = "json_wrong_type"
    JSON_WRONG_LENGTH = "json_wrong_length"
    # Fact sheets
    FACT_SHEET_NOT_ASKED = "fact_sheet_not_asked"
    FACT_SHEET_TOO_LARGE = "fact_sheet_too_large"
    UNKNOWN_FACT_LIST = "unknown_fact_list"
    UNKNOWN_FACT = "unknown_fact"
    DOUBLED_FACT = "doubled_fact"
    # Files of pairs
    PAIR_CELL_EMPTY = "pair_cell_empty"
    PAIR_CELL_TOO_LONG = "pair_cell_too_long"
    PAIR_GROUPS = "pair_groups"
    PAIR_ONE_SIDED = "pair_one_sided"
    PAIR_ID_TWICE = "pair_id_twice"
    PAIR_STRATUM = "pair_stratum"
    PAIR_TOO_FEW = "pair_too_few"
    # Minimal pairs of breaker teams
    PAIR_ID_STEM = "pair_id_stem"
    PAIR_ORIGINAL_UNKNOWN = "pair_original_unknown"
    PAIR_ORIGINAL_CHANGED = "pair_original_changed"
    PAIR_WITHOUT_CHANGE = "pair_without_change"
    PAIR_UNCHANGED = "pair_unchanged"
    PAIR_TEXT_TWICE = "pair_text_twice"
    PAIR_LABELS_CONTRADICT = "pair_labels_contradict"
    PAIR_RATIONALE_MISSING = "pair_rationale_missing"
    PAIR_INCOMPLETE = "pair_incomplete"
    SPAN_NOT_IN_TEXT = "span_not_in_text"
    # Files of texts, and what annotators say of them
    TEXT_MISSING = "text_missing"
    TEXT_TOO_LONG = "text_too_long"
    TEXTS_HOLD_ANSWERS = "texts_hold_answers"
    NOT_YES_OR_NO = "not_yes_or_no"
    AMBIGUOUS_ID = "ambiguous_id"
    # Files of responses
    UNKNOWN_CATEGORY = "unknown_category"
    WORKER_TWICE = "worker_twice"
    WORKER_NAME = "worker_name"
    RESPONSE_COUNT = "response_count"
    # Files of votes on contested items
    NOT_CONTESTED = "not_contested"
    VOTER_NAME = "voter_name"
    VOTER_TWICE = "voter_twice"


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault and its place.

    `line` is the physical line, 1-based, as editors and `grep -n` count; `column` the header's name of
    the column; `found` is shortened and its control characters are made visible. `excerpt` holds the line
    before, the line and the line after as (number, text), for pages that show the file.
    """

    code: ProblemCode
    file: str
    line: int | None
    column: str | None
    found: str | None
    expected: str | None
    message: str
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


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault before its place is known."""

    code: ProblemCode
    message: str
    found: str | None = None
    expected: str | None = None


# Which of an answer's cells is wrong, its column, and what finds out what is wrong: few faults are ever told.
Fault = tuple[int, str, Callable[[], Finding]]


class RefusedError(Exception):
    """A fault after which nothing more of a file or an archive can be read."""

    def __init__(self, finding: Finding, *, line: int | None = None, entry: str | None = None) -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.line = line
        self.entry = entry


class Report:
    """The first problems of an upload, and a count of the rest."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.more = 0

    @property
    def total(self) -> int:
        """All problems found, listed or only counted."""
        return len(self.problems) + self.more

    @property
    def is_full(self) -> bool:
        """True once further problems are only counted."""
        return len(self.problems) >= MAX_PROBLEMS

    def add(self, build: Callable[[], Problem]) -> None:
        """List the problem, or only count it: a sentence nobody will read is never composed."""
        if self.is_full:
            self.more += 1
        else:
            self.problems.append(build())


class FileReport:
    """A report as seen from one file: adds the file's name, its task and the lines around the fault."""

    def __init__(self, report: Report, *, file: str, task: str | None = None) -> None:
        self._report = report
        self._file = file
        self._task = task
        self._total_before = report.total
        self.lines: Sequence[str] = ()

    @property
    def is_clean(self) -> bool:
        """True while this file has shown no problem."""
        return self._report.total == self._total_before

    def add(self, finding: Finding, *, line: int | None = None, column: str | None = None) -> None:
        """Add a fault at its place."""
        self.add_lazily(lambda: finding, line=line, column=column)

    def add_lazily(
        self, find: Callable[[], Finding], *, line: int | None = None, column: str | None = None
    ) -> None:
        """Add what `find` finds; it is called only if the problem will be listed."""

        def build() -> Problem:
            finding = find()
            return Problem(
                code=finding.code,
                file=self._file,
                line=line,
                column=column,
                found=finding.found,
                expected=finding.expected,
                message=finding.message,
                task=self._task,
                excerpt=self._around(line),
            )

        self._report.add(build)

    def add_all(
        self,
        faults: Iterable[Fault],
        line_of: Callable[[int], int],
        count: Callable[[], int] | None = None,
    ) -> None:
        """Add the faults of a row's cells; `line_of` tells the line of a cell. The quick way for many cells.

        `count` says how many there are, where that is quicker than to go through them.
        """
        if self._report.is_full:
            self._report.more += count() if count else sum(1 for _ in faults)
            return
        for place, column, find in faults:
            self.add_lazily(find, line=line_of(place), column=column)

    def refuse(self, error: RefusedError) -> None:
        """Add the fault that ended the reading."""
        self.add(error.finding, line=error.line)

    def _around(self, line: int | None) -> tuple[tuple[int, str], ...]:
        if line is None:
            return ()
        numbers = range(max(1, line - 1), min(len(self.lines), line + 1) + 1)
        return tuple((number, visible(self.lines[number - 1], _SHOWN_LINE)) for number in numbers)


def visible(text: str, limit: int = _SHOWN_VALUE) -> str:
    """The text on one line, at most about `limit` characters, with every unprintable character spelt out."""
    shown = text[:limit]
    if not shown.isprintable():
        shown = "".join(map(_spelt_out, shown))
    return shown if len(text) <= limit else shown + "…"


def quoted(text: str) -> str:
    """The text as a sentence quotes it."""
    return f"“{visible(text)}”"


def _spelt_out(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
