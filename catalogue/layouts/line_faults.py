"""What to say about the form of a line of a table."""

from collections.abc import Sequence

from catalogue.layouts.cells import DELIMITERS
from catalogue.layouts.form import FileFormat
from catalogue.layouts.text_lines import MAX_CELL
from catalogue.problems import Finding, ProblemCode, RefusedError, quoted, visible

_UNICODE_LINE_BREAK = (
    ProblemCode.UNICODE_LINE_BREAK,
    "The line holds the Unicode line break {}. Remove it, or end the line with LF or CRLF.",
)
_CONTROL_CHARACTER = (
    ProblemCode.CONTROL_CHARACTER,
    "The line holds the control character {}. Remove it.",
)
_CHARACTER_SENTENCES = {
    "\x00": (ProblemCode.NUL_CHARACTER, "The line holds a NUL character. Remove it."),
    "\r": (
        ProblemCode.LONE_CARRIAGE_RETURN,
        "A carriage return stands here without a line feed. Save the file with LF or CRLF line ends.",
    ),
    **dict.fromkeys("\x85\u2028\u2029", _UNICODE_LINE_BREAK),
}

_QUOTE_SENTENCES = {
    ProblemCode.UNCLOSED_QUOTE: "A quote opens here and is not closed on this line. Close it, or remove it.",
    ProblemCode.TEXT_AFTER_QUOTE: "Text follows the closing quote. A {} or the line's end must follow; "
    "a quote inside a quoted cell is written twice.",
    ProblemCode.STRAY_QUOTE: "A quote stands inside a cell that does not begin with one. "
    "Put the whole cell in quotes and write the inner quote twice.",
    ProblemCode.LINE_BREAK_IN_CELL: "This quoted cell runs over the end of the line. Write it on one line.",
}


NO_ROWS = Finding(ProblemCode.NO_ROWS, "The file has a header and no rows. Add a row for every id.")
NO_TOKENS = Finding(ProblemCode.NO_ROWS, "The file has no tokens. Add a line for every token.")


def far_too_many(most: int, rows: str, *, line: int) -> RefusedError:
    """That a file goes on after so many `rows`, or what it has instead of them."""
    message = f"The file has more than {most:,} {rows}, far more than ids. Reading stopped here."
    return RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, message), line=line)


def json_for_table(file: FileFormat, line: str) -> Finding:
    """JSON in place of a table."""
    message = (
        f"The file is JSON, and this task's file is {file.layout.title}. Write a row for each item. "
        f"The first line must be exactly “{visible(file.header_line, limit=200)}”."
    )
    return Finding(
        ProblemCode.HEADER_MISSING, message, visible(line), visible(file.header_line, limit=200), "json"
    )


def quote_finding(code: ProblemCode, line: str, file: FileFormat) -> Finding:
    sentence = _QUOTE_SENTENCES[code].format(DELIMITERS[file.delimiter])
    return Finding(code, sentence, found=visible(line), expected=file.header_line)


def quoted_as_csv(cell: str) -> Finding:
    """A cell between tabs with quotes around it and doubled ones in it."""
    message = (
        "The text stands in quotes, and quotes in it are doubled, as programs write CSV. Here both would be part of "
        "the text: write it as it is, as pandas does with to_csv(..., quoting=csv.QUOTE_NONE)."
    )
    return Finding(ProblemCode.STRAY_QUOTE, message, visible(cell), "text without quotes around it")


def width_code(cells: Sequence[str], file: FileFormat) -> ProblemCode:
    """The code of what `wrong_width` says, without the sentence."""
    return ProblemCode.LONG_ROW if len(cells) > len(file.header) else ProblemCode.SHORT_ROW


def wrong_width(line: str, cells: Sequence[str], file: FileFormat) -> Finding:
    """A row with another number of cells than the header."""
    columns, expected = file.header, visible(file.header_line, limit=200)
    delimiter = DELIMITERS[file.delimiter]
    if len(cells) > len(columns):
        message = f"The row has {len(cells)} cells where {len(columns)} are expected."
        if all(map(str.isdecimal, cells[-2:])) and delimiter == "comma":
            message += " If the comma is that of a decimal number, write a point, as in 0.5."
        elif not cells[-1] and delimiter != "comma":
            message += f" Remove the {delimiter} at the end of the line."
        elif file.layout.has_quotes:
            message += (
                f" If the {delimiter} belongs to the label, put the label in quotes: "
                f'"like{file.delimiter} this".'
            )
        return Finding(ProblemCode.LONG_ROW, message, found=visible(line), expected=expected)
    if len(cells) == 1:
        message = f"The row has no {delimiter}, so only one cell where {len(columns)} are expected."
        if any(mark in line for mark in DELIMITERS):
            message += " Its cells seem to be separated by another character."
    else:
        message = f"The row has {len(cells)} cells where {len(columns)} are expected."
    if len(columns) == 2 and file.layout.has_ids:
        message += f" Write the id, a {delimiter} and the label."
    return Finding(ProblemCode.SHORT_ROW, message, visible(line), expected)


def fixed_cell(found: str, text: str) -> Finding:
    """A cell of a column that is the same in every row, and says something else."""
    return Finding(
        ProblemCode.FIXED_CELL,
        f"{quoted(found)} stands where every row of this task's file says {quoted(text)}.",
        visible(found),
        text,
    )


def too_long(text: str, most: int = MAX_CELL) -> Finding:
    return Finding(
        ProblemCode.CELL_TOO_LONG,
        f"There are {len(text):,} characters here, and a cell may have {most:,}. "
        "A lost line end or quote may have joined several rows.",
        found=visible(text),
        expected=f"at most {most:,} characters",
    )


def character_code(character: str) -> ProblemCode:
    """The code of what `forbidden` says, without the sentence."""
    return _CHARACTER_SENTENCES.get(character, _CONTROL_CHARACTER)[0]


def forbidden(character: str, line: str) -> Finding:
    code, sentence = _CHARACTER_SENTENCES.get(character, _CONTROL_CHARACTER)
    at = line.index(character)
    shown = visible(line[max(0, at - 20) : at + 20])
    return Finding(code, sentence.format(f"U+{ord(character):04X}"), found=shown)
