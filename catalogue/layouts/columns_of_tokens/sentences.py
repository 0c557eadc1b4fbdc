"""From lines of tokens to sentences, and what is wrong with their form or their tokens."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from catalogue.item_lines import Tokens
from catalogue.layouts.form import FileFormat, FileRow, RowReading
from catalogue.layouts.line_faults import NO_TOKENS, character_code, far_too_many, forbidden, too_long
from catalogue.layouts.text_lines import MAX_CELL, decode, first_forbidden, physical_lines
from catalogue.problems import Finding, ProblemCode, RefusedError, counted, quoted, visible

_BLANKS = re.compile("[ \t]+")
_SPACE = " \t"


@dataclass(slots=True)
class _Sentence:
    """The lines of one sentence, as (number, text), and what the line before them names it, if one does."""

    name: str = ""
    lines: list[tuple[int, str]] = field(default_factory=list)


class SentenceReader:
    """Reads one file's sentences; each is a row whose cells are the labels of its tokens. Lines that are
    `is_beside` are no token's.
    """

    def __init__(self, form: FileFormat, reading: RowReading, is_beside: Callable[[str], bool]) -> None:
        self._is_beside = is_beside
        self._form, self._reading, self._report = form, reading, reading.report
        self._token_column = form.token_column or "token"
        has_tokens = self._token_column in form.header
        self._token_place = form.header.index(self._token_column) if has_tokens else None
        self._label_place = form.header.index(form.label_column)

    def read(self, data: bytes) -> Iterator[FileRow]:
        lines = physical_lines(decode(data, self._form.encoding), data.count(b"\n") + 1)
        self._report.lines = lines
        count = 0
        for sentence in self._sentences(lines):
            count += 1
            if count > self._reading.max_rows:
                raise far_too_many(count - 1, "sentences", line=sentence.lines[0][0])
            yield self._row(sentence, count)
        if not count:
            raise RefusedError(NO_TOKENS)

    def _sentences(self, lines: Sequence[str]) -> Iterator[_Sentence]:
        sentence, may_be_empty = _Sentence(), False
        for number, line in enumerate(lines, start=1):
            if not line.strip(_SPACE):
                if sentence.lines:
                    yield sentence
                    sentence = _Sentence()
                elif not may_be_empty:
                    finding = Finding(
                        ProblemCode.BLANK_LINE, "No sentence ends at this empty line. Remove it."
                    )
                    self._report.add(finding, line=number)
                may_be_empty = False
            elif self._form.id_line and line.startswith(self._form.id_line):
                if sentence.lines:
                    raise self._no_break(number)
                sentence.name = line.removeprefix(self._form.id_line).strip(_SPACE)
            elif not sentence.lines and line.startswith(self._form.skipped or ("\n",)):
                may_be_empty = True
            elif not self._is_beside(line):
                sentence.lines.append((number, line))
        if sentence.lines:
            yield sentence

    def _row(self, sentence: _Sentence, number: int) -> FileRow:
        line, item = sentence.lines[0][0], sentence.name if self._form.id_line else str(number)
        if not item:
            expected = f"{self._form.id_line}…"
            message = f"No line names this sentence. Write one that begins with {quoted(self._form.id_line)} before it."
            self._report.add(Finding(ProblemCode.EMPTY_ID, message, "", expected), line=line)
            return FileRow(line, item, None)
        rows = [self._cells(*one) for one in sentence.lines]
        sound = [cells for cells in rows if cells is not None]
        if len(sound) < len(rows):
            return FileRow(line, item, None)
        numbers = tuple([number for number, _ in sentence.lines])
        labels = tuple([cells[self._label_place] for cells in sound])
        if (place := self._token_place) is None:
            return FileRow(line, item, labels, numbers)
        tokens = tuple([cells[place] for cells in sound])
        wanted, following = (self._reading.tokens.get(name, ()) for name in (item, str(number + 1)))
        if wanted and not self._has_tokens(tokens, wanted, numbers, following):
            return FileRow(line, item, None)
        return FileRow(line, item, labels, numbers, "", tokens)

    def _cells(self, number: int, line: str) -> Sequence[str] | None:
        """The cells of a token's line; None if reported."""
        cells = _BLANKS.split(line.strip(_SPACE)) if self._form.blanks else line.split("\t")
        code, find = ProblemCode.SHORT_ROW, partial(self._wrong_width, line, len(cells))
        if character := first_forbidden(line, self._form.encoding):
            code, find = character_code(character), partial(forbidden, character, line)
        elif len(line) > MAX_CELL:
            code, find = ProblemCode.CELL_TOO_LONG, partial(too_long, line)
        elif len(cells) == len(self._form.header):
            return cells
        elif len(cells) > len(self._form.header):
            code = ProblemCode.LONG_ROW
        self._report.add_lazily(find, kind=(code, ""), line=number)
        return None

    def _wrong_width(self, line: str, found: int) -> Finding:
        columns, between = self._form.header, "blanks" if self._form.blanks else "tabs"
        code = ProblemCode.LONG_ROW if found > len(columns) else ProblemCode.SHORT_ROW
        message = (
            f"The line has {found} cell{'s' * (found != 1)} where {len(columns)} are expected, with {between} between "
            f"them: {', '.join(columns)}."
        )
        return Finding(code, message, visible(line), " ".join(columns))

    # What is wrong with the tokens of a sentence

    def _has_tokens(self, found: Tokens, wanted: Tokens, numbers: Sequence[int], following: Tokens) -> bool:
        """Whether these are the item's tokens; if not, that is reported at the first that is another.

        RefusedError where a sentence break is missing or one too many: behind it nobody can tell which is which.
        """
        if found == wanted:
            return True
        pairs = enumerate(zip(found, wanted, strict=False))
        at = next((at for at, (one, other) in pairs if other not in ("", one)), min(len(found), len(wanted)))
        rest, expected = found[at:], wanted[at:]
        if not rest and not expected:
            return True  # all that is known of them is the same
        if not expected and following and rest[0] == following[0]:
            raise self._no_break(numbers[at])
        line = numbers[at] if rest else numbers[-1] + 1
        find, code = partial(_other_token, rest, expected), ProblemCode.TOKEN_DIFFERS
        if not rest or not expected or rest == expected[1:] or rest[1:] == expected:
            find, code = (
                partial(_token_count, rest, expected, (len(found), len(wanted))),
                ProblemCode.TOKEN_COUNT,
            )
        self._report.add_lazily(find, kind=(code, ""), line=line, column=self._token_column)
        return False

    @staticmethod
    def _no_break(line: int) -> RefusedError:
        message = "An empty line is missing before this line: another sentence begins here. Put one in."
        return RefusedError(Finding(ProblemCode.SENTENCE_BREAK, message, expected="an empty line"), line=line)


def _other_token(rest: Tokens, expected: Tokens) -> Finding:
    message = f"The token {quoted(rest[0])} stands where the sentence has {quoted(expected[0])}. Give its own tokens."
    return Finding(ProblemCode.TOKEN_DIFFERS, message, visible(rest[0]), visible(expected[0]))


def _token_count(rest: Tokens, expected: Tokens, counts: tuple[int, int]) -> Finding:
    found, wanted = counts
    if len(rest) < len(expected):
        message = (
            f"The token {quoted(expected[0])} is missing here" if expected[0] else "Tokens are missing here"
        )
    else:
        message = f"The token {quoted(rest[0])} is one too many here"
    message += (
        f": the sentence has {counted(wanted, 'token')}, and {found} stand in the file. Give its own tokens."
    )
    shown = visible(expected[0]) if expected and expected[0] else counted(wanted, "token")
    return Finding(
        ProblemCode.TOKEN_COUNT, message, visible(rest[0]) if rest else "the end of the sentence", shown
    )
