"""From bytes to physical lines."""

import re
from collections.abc import Iterator

from catalogue.layouts.other_files import other_file
from catalogue.problems import Finding, ProblemCode, RefusedError

MAX_CELL = 1_000
_BOM = b"\xef\xbb\xbf"
# UTF-32 first: its little-endian mark begins with that of UTF-16.
_WIDE_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_SAMPLE = 4_096
PIECE = 256 * 1024
# Control characters but the tab, and the characters that some programs take for line ends.
_FORBIDDEN = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
# What calls itself Latin-1 is often Windows-1252, where these are quotes and dashes.
_FORBIDDEN_IN_LATIN_1 = re.compile("[\x00-\x08\x0a-\x1f\x7f]")


def first_forbidden(text: str, encoding: str = "utf-8") -> str | None:
    """The first character that no id, label or line may hold; None if all are fine."""
    match = (_FORBIDDEN_IN_LATIN_1 if encoding == "latin-1" else _FORBIDDEN).search(text)
    return match.group() if match else None


def decode(data: bytes, encoding: str = "utf-8") -> str:
    """The file as text, without a byte order mark. RefusedError if it is empty, in another one, or no such file."""
    for mark, name in _WIDE_MARKS.items():
        if data.startswith(mark):
            raise RefusedError(
                Finding(
                    ProblemCode.UTF_16_OR_32,
                    f"The file is saved as {name}. Save it as UTF-8 and send it again.",
                    found=name,
                    expected="UTF-8",
                )
            )
    if (finding := other_file(data.removeprefix(_BOM))) is not None:
        raise RefusedError(finding)
    try:
        text = data.removeprefix(_BOM).decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(data, error.start + len(data) - len(error.object)) from None
    if not text.strip("\r\n"):
        raise RefusedError(
            Finding(ProblemCode.EMPTY_FILE, "The file is empty. Send the file with its header and rows.")
        )
    return text


def physical_lines(text: str, limit: int, *, keeps_blank: bool = False) -> list[str]:
    """The lines without their ends (LF or CRLF) and, unless it `keeps_blank` ones, without blank lines at the very end.

    At most `limit` + 1 lines come back; the last of so many holds all the rest of the text.
    """
    end = len(text)
    while end and text[end - 1] == "\n":
        end -= 1
        if end and text[end - 1] == "\r":
            end -= 1
        if keeps_blank:
            break
    breaks = text.count("\n", 0, end)
    if breaks > limit:
        *ended, last = text[:end].split("\n", limit)
        return [line.removesuffix("\r") for line in ended] + [last]
    # A large file is not held once more for the sake of what is left off at its end.
    lines = text.split("\n")
    del lines[breaks + 1 :]
    lines[-1] = text[text.rfind("\n", 0, end) + 1 : end]
    if "\r" in text:
        lines[:-1] = [line.removesuffix("\r") for line in lines[:-1]]
    return lines


def pieces_of_lines(data: bytes, start: int, line_end: bytes) -> Iterator[bytes]:
    """What stands from `start` on, in pieces of whole lines, each without the line end behind it.

    A million rows are so many objects that all at once take more memory than everything else.
    """
    end = len(data) - len(line_end) if data.endswith(line_end) else len(data)
    while True:
        stop = data.find(line_end, start + PIECE, end)
        yield data[start : end if stop < 0 else stop]
        if stop < 0:
            return
        start = stop + len(line_end)


def _undecodable(data: bytes, offset: int) -> RefusedError:
    if b"\x00" in data[:_SAMPLE]:
        return RefusedError(
            Finding(
                ProblemCode.NOT_TEXT,
                "The file is not text: it holds binary data. Send a CSV file, or a zip of CSV files.",
                expected="a CSV file in UTF-8",
            )
        )
    line_start = data.rfind(b"\n", 0, offset) + 1
    return RefusedError(
        Finding(
            ProblemCode.INVALID_UTF8,
            f"Byte {offset - line_start + 1} of this line (0x{data[offset]:02X}) is not valid UTF-8. "
            "The file may be in Latin-1 or Windows-1252: save it as UTF-8.",
            found=f"0x{data[offset]:02X} at byte {offset + 1} of the file",
            expected="UTF-8",
        ),
        line=data.count(b"\n", 0, offset) + 1,
    )
