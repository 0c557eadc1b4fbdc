"""The rule behind every problem code, in a sentence that holds for any file.

Used where a file's content must not be told (gold labels) and by the documentation of the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from catalogue.problems import Finding, Problem
from catalogue.problems import ProblemCode as Code

RULES: Mapping[Code, str] = MappingProxyType(
    {
        Code.FILE_TOO_LARGE: "A file may have at most 100 MB.",
        Code.EMPTY_FILE: "A file must not be empty.",
        Code.NOT_A_ZIP: "Several files are sent as one zip archive; other kinds of archive are not read.",
        Code.NOT_TEXT: "A single file must be a text file.",
        Code.SPREADSHEET: "A spreadsheet must be exported as CSV (UTF-8).",
        Code.UNKNOWN_TASK: "The task must be one of the benchmark's tasks.",
        Code.TASK_NOT_NAMED: "A single file must say which task it answers.",
        Code.UNKNOWN_SPLIT: "The split must be one of the task's splits.",
        Code.ZIP_EMPTY: "A zip must hold at least one file.",
        Code.ZIP_TRUNCATED: "A zip must be complete to its last byte.",
        Code.ZIP_CORRUPT: "Every entry of a zip must unpack without an error.",
        Code.ZIP_EXTRA_DATA: "A zip must hold its entries and nothing before, between or after them.",
        Code.ZIP_OVERLAP: "No two entries of a zip may share bytes.",
        Code.ZIP_VARIANT: "A zip must be an ordinary one: one part, and no 64-bit directory.",
        Code.ZIP_TOO_MANY_ENTRIES: "A zip may hold at most 200 entries; more where the benchmark has over 100 files.",
        Code.ZIP_TOO_LARGE: "A zip may unpack to at most 200 MB, and one entry to at most 32 MB.",
        Code.ZIP_RATIO: "An entry over 1 MB may be at most 100 times larger than its compressed form.",
        Code.ZIP_HEADER_MISMATCH: "An entry's own header must say the same as the zip's directory.",
        Code.ZIP_WRONG_SIZE: "An entry must unpack to exactly the size that the zip states.",
        Code.ZIP_BAD_CHECKSUM: "An entry must have the checksum that the zip states.",
        Code.ZIP_ENCRYPTED: "A zip must not be encrypted.",
        Code.ZIP_COMPRESSION: "Entries of a zip must be stored or deflated.",
        Code.ZIP_LINK: "A zip may hold ordinary files and folders only.",
        Code.ZIP_UNSAFE_NAME: "Names in a zip must be plain relative paths with forward slashes.",
        Code.ZIP_LONG_NAME: "Names in a zip may have at most 200 characters.",
        Code.ZIP_DUPLICATE_NAME: "A zip must hold each file once.",
        Code.ZIP_NESTED: "A zip must not hold archives.",
        Code.UNKNOWN_FILE: "A zip may hold only the files that the benchmark names.",
        Code.MISSING_FILE: "A zip must hold the file of every task.",
        Code.UNKNOWN_SEED: "The folder of a seed must be one of those that the benchmark asks for.",
        Code.SEED_SPELLING: "The folder of a seed must be named seed1, seed2 and so on.",
        Code.SEED_INCOMPLETE: "Every seed that answers anything must answer the same files.",
        Code.UTF_16_OR_32: "A file must be saved as UTF-8.",
        Code.INVALID_UTF8: "Every byte of a file must be valid UTF-8.",
        Code.NUL_CHARACTER: "A file must not hold NUL characters.",
        Code.LONE_CARRIAGE_RETURN: "Lines must end in LF or CRLF; a carriage return may not stand alone.",
        Code.CONTROL_CHARACTER: "A file must not hold control characters.",
        Code.UNICODE_LINE_BREAK: "A line must not hold a Unicode line break such as U+2028.",
        Code.BLANK_LINE: "Blank lines may stand only at the end of a file.",
        Code.HEADER_MISSING: "The first line must name the columns.",
        Code.HEADER_NAMES: "The first line must name the task's columns.",
        Code.HEADER_SPELLING: "The column names must have exactly the right case and no spaces around them.",
        Code.HEADER_ORDER: "The columns must stand in the right order.",
        Code.HEADER_DOUBLED_COLUMN: "Every column must stand in the header once.",
        Code.HEADER_EXTRA_COLUMN: "The header must hold no other column.",
        Code.HEADER_DELIMITER: "Columns must be separated as the task states, by commas or by tabs.",
        Code.HEADER_REPEATED: "The header must stand in the first line only.",
        Code.NO_ROWS: "A file must have rows beneath its header.",
        Code.TOO_MANY_ROWS: "A file must not have far more rows than ids.",
        Code.SHORT_ROW: "A row must have a cell for every column.",
        Code.LONG_ROW: "A row must have no more cells than the header; a cell with a comma needs quotes.",
        Code.CELL_TOO_LONG: "A cell may have at most 1,000 characters.",
        Code.UNCLOSED_QUOTE: "A quote that opens a cell must be closed on the same line.",
        Code.TEXT_AFTER_QUOTE: "After a closing quote must come a comma or the end of the line.",
        Code.STRAY_QUOTE: "A cell with a quote inside must be quoted and its inner quotes doubled.",
        Code.LINE_BREAK_IN_CELL: "A cell must not reach over a line end.",
        Code.EMPTY_ID: "Every row must have an id.",
        Code.UNKNOWN_ID: "Every id must belong to the task's split.",
        Code.ID_SPELLING: "An id must be written exactly as in the split, without spaces around it.",
        Code.DUPLICATE_ID: "Every id must be answered once.",
        Code.MISSING_IDS: "Every id of the split must be answered.",
        Code.EMPTY_LABEL: "Every row must have a label.",
        Code.UNKNOWN_LABEL: "Every label must be one of the task's labels.",
        Code.LABEL_CASE: "A label must have exactly the case of the task's label.",
        Code.LABEL_SPACING: "A label must have exactly the spaces and underscores of the task's label.",
        Code.FIXED_CELL: "A column that is the same in every row must hold exactly that text.",
        Code.CLASS_WITHOUT_NUMBER: "A class must be a whole number, alone or with a colon and words after it.",
        Code.CLASS_OUT_OF_RANGE: "A class must be one of the task's classes.",
        Code.NOT_ZERO_OR_ONE: "A label's cell must be 0 or 1.",
        Code.NOT_A_NUMBER: "A number must be written in the digits 0-9, with a point and an exponent if need be.",
        Code.NUMBER_NOT_FINITE: "A number must be finite.",
        Code.NUMBER_OUT_OF_RANGE: "A number must lie in the task's range.",
        Code.JSON_SYNTAX: "A JSON file must be valid JSON (RFC 8259).",
        Code.JSON_TOO_DEEP: "A JSON file must not be nested more than 8 deep.",
        Code.JSON_DOUBLED_KEY: "A JSON object must hold each key once.",
        Code.JSON_UNKNOWN_KEY: "A JSON file may hold only the keys that the task names.",
        Code.JSON_MISSING_KEY: "A JSON file must hold every key that is asked for.",
        Code.JSON_WRONG_TYPE: "A JSON value must have the type that is expected there.",
        Code.JSON_WRONG_LENGTH: "A label with a confidence must be a list of exactly these two values.",
        Code.FACT_SHEET_NOT_ASKED: "A fact sheet goes only to a benchmark that asks for one.",
        Code.FACT_SHEET_TOO_LARGE: "A fact sheet may have at most 64 KB.",
        Code.UNKNOWN_FACT_LIST: "A fact sheet may hold only the benchmark's lists.",
        Code.UNKNOWN_FACT: "A fact sheet may name only the options of each list.",
        Code.DOUBLED_FACT: "A fact sheet must name each option once.",
        Code.PAIR_CELL_EMPTY: "Every cell of a file of pairs must say something.",
        Code.PAIR_CELL_TOO_LONG: "A group may have at most 80 characters, a stratum at most 64.",
        Code.PAIR_GROUPS: "A file of pairs must compare exactly two groups.",
        Code.PAIR_ONE_SIDED: "Every pair must have items of both groups.",
        Code.PAIR_ID_TWICE: "An id may stand once in a pair.",
        Code.PAIR_STRATUM: "All items of a pair must have the same stratum.",
        Code.PAIR_TOO_FEW: "There must be at least two pairs, and two in every stratum.",
        Code.PAIR_ID_STEM: "A changed sentence's id must be its original's with _b behind it.",
        Code.PAIR_ORIGINAL_UNKNOWN: "The original of a pair must stand in the starter data, or in the file if allowed.",
        Code.PAIR_ORIGINAL_CHANGED: "A repeated original must be as it is in the starter data, letter by letter.",
        Code.PAIR_WITHOUT_CHANGE: "Every original in a file of minimal pairs must have a changed sentence.",
        Code.PAIR_UNCHANGED: "A changed sentence must differ from its original by more than spaces.",
        Code.PAIR_TEXT_TWICE: "A sentence must stand in one row only, and be none of the starter data.",
        Code.PAIR_LABELS_CONTRADICT: "The same sentence must not have two labels.",
        Code.PAIR_RATIONALE_MISSING: "Every pair must have a rationale where the organiser asks for one.",
        Code.PAIR_INCOMPLETE: "Every item of a set of pairs must have its partner, and one alone.",
        Code.SPAN_NOT_IN_TEXT: "A span must be a part of its sentence, letter by letter.",
        Code.TEXT_MISSING: "Every row of a file of texts must have a text.",
        Code.TEXT_TOO_LONG: "A text may have at most 100,000 characters.",
        Code.TEXTS_HOLD_ANSWERS: "A file of texts must not hold answers of the task.",
        Code.NOT_YES_OR_NO: "An annotator's answer must be y or n.",
        Code.AMBIGUOUS_ID: "An id that several tasks have needs a column that names the task.",
        Code.UNKNOWN_CATEGORY: "Every response must be one of the categories.",
        Code.WORKER_TWICE: "A worker may answer an item once.",
        Code.WORKER_NAME: "A worker's name must have 1 to 1,000 printable characters and no spaces around them.",
        Code.RESPONSE_COUNT: "Every item must have as many responses as are asked for.",
        Code.NOT_CONTESTED: "Votes are taken on items whose label is contested and not decided yet.",
        Code.VOTER_NAME: "A voter's name must have 1 to 80 printable characters and no spaces around them.",
        Code.VOTER_TWICE: "A voter has one vote on an item.",
    }
)


def rule_finding(code: Code, found: str | None = None) -> Finding:
    """The fault of that code, told by its rule."""
    return Finding(code, RULES[code], found)


def without_values(problem: Problem) -> Problem:
    """The same problem at the same place, telling the rule and nothing that stood in the file."""
    return replace(problem, found=None, expected=None, message=RULES[problem.code], excerpt=())
