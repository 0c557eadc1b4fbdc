"""What a file is that holds no answers at all, such as the page of a site that it was loaded from."""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from catalogue.problems import Finding, ProblemCode

_LOOKED_AT = 4_096
_LONGEST_POINTER = 1_024
_PAGE = re.compile(rb"\s*(?:<!doctype html|<html[\s>])", re.IGNORECASE)
_END_OF_PAGE = re.compile(rb"</html>\s*\Z", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml\s")
_LFS = b"version https://git-lfs.github.com/spec/"
_ANNEX = re.compile(rb"\S*/annex/objects/\S+\s*")
_PDF = b"%PDF-"
_ZIP, _OLD_OFFICE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What stands uncompressed in each document of Microsoft's programs, and in each of LibreOffice's.
_OFFICE_PARTS = b"[Content_Types].xml", b"application/vnd.oasis.opendocument"
_LINES_OF_ANSWER, _LINES_OF_HEAD, _FEWEST_LINES = 200, 50, 2
# Keys of an error of which one must be there, and those that may stand beside it: RFC 9457 and what APIs have.
_SAYING = frozenset(
    {"error", "errors", "error_description", "message", "msg", "detail", "exception", "traceback"}
)
_OF_ERRORS = _SAYING | {
    *(
        "code",
        "status",
        "statusCode",
        "status_code",
        "type",
        "title",
        "instance",
        "path",
        "timestamp",
        "success",
        "ok",
    ),
    *(
        "documentation_url",
        "id",
        "request_id",
        "requestId",
        "reason",
        "name",
        "details",
        "error_code",
        "errorCode",
    ),
}
_YAML_KEY = re.compile(r"\s*(?:- +)*([\w.\-\"']+):(?: |\Z)")
_YAML_LINE = re.compile(r"(?:\s*(?:- +)*[\w.\-\"']+:(?: .*)?|\s*- .*)")
_START_OF_JSON = re.compile(r'\s*(\{\s*("|\}|$)|\[\s*([{["]|$))')  # and not a text such as “[deleted]”

OFFICE_DOCUMENT = Finding(
    ProblemCode.SPREADSHEET,
    "This is a spreadsheet or another office document. Export each sheet as CSV (UTF-8).",
    expected="a CSV file, or a zip of CSV files",
)


def other_file(data: bytes) -> Finding | None:
    """What the file is, where its beginning shows that it holds neither answers nor labels; None where it may."""
    start = data[:_LOOKED_AT]
    if start.startswith(_OLD_OFFICE) or (
        start.startswith(_ZIP) and any(part in data for part in _OFFICE_PARTS)
    ):
        return OFFICE_DOCUMENT
    if _is_page(data):
        return Finding(
            ProblemCode.WEB_PAGE,
            "This is a web page, as a site sends in place of a file that is not there or asks to sign in for. "
            "Load the file itself, and look into it before you send it.",
            found="HTML",
        )
    if _XML.match(start):
        message = "This is an XML file. Write its ids and labels as the task's page shows it."
        return Finding(ProblemCode.WEB_PAGE, message, found="XML")
    is_short = len(data) <= _LONGEST_POINTER
    if is_short and (start.startswith(_LFS) or _ANNEX.fullmatch(data)):
        return Finding(
            ProblemCode.GIT_POINTER,
            "This is a pointer of Git LFS or git-annex that stands in place of a large file. Run `git lfs pull` or "
            "`git annex get` in the repository, and send the file that is there then.",
            found="a pointer to a file",
        )
    if start.startswith(_PDF):
        return Finding(ProblemCode.NOT_TEXT, "This is a PDF document. Send a text file with ids and labels.")
    if _is_wide(start):
        message = "The file is saved as UTF-16 without its mark. Save it as UTF-8 and send it again."
        return Finding(ProblemCode.UTF_16_OR_32, message, found="UTF-16", expected="UTF-8")
    return None


def other_text(lines: Sequence[str]) -> Finding | None:
    """What a text is that holds no items, where nobody said how it is written; None where it may hold some.

    Nothing of this is asked of a file whose layout is known: any line may be a text in one, or a label.
    """
    if len(lines) <= _LINES_OF_ANSWER and _is_answer_of_server("\n".join(lines)):
        message = "This is the error of a server and no file of items. Load the file anew, and look into it."
        return Finding(ProblemCode.SERVER_ERROR, message, found="an error in JSON")
    head = [line for line in lines[:_LINES_OF_HEAD] if line.strip()]
    kind = next((kind for kind, is_kind in _TEXTS.items() if is_kind(head)), None)
    if kind is None:
        return None
    message = (
        f"This looks like {kind}. Write the items as a table or in JSON, or say how the file is written."
    )
    return Finding(ProblemCode.OTHER_TEXT, message, found=kind)


def _is_answer_of_server(text: str) -> bool:
    """Whether all of it is one object that says what went wrong, and nothing beside it that could be an item's."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value.keys() & _SAYING) and value.keys() <= _OF_ERRORS


def _is_yaml(head: Sequence[str]) -> bool:
    """Whether each line has a key or belongs to a list of YAML, and keys stand below a key, or none of them twice."""
    lines = [
        line for line in head if not line.startswith(("---", "%YAML")) and not line.lstrip().startswith("#")
    ]
    if len(head) < _FEWEST_LINES or not all(map(_YAML_LINE.fullmatch, lines)):
        return False
    keys = [found[1] for line in lines if (found := _YAML_KEY.match(line))]
    is_deep = len(lines) < len(head) or any(line != line.lstrip() for line in lines)
    return bool(keys) and (is_deep or len(set(keys)) == len(keys) == len(lines))


def _begins(pattern: str) -> Callable[[Sequence[str]], bool]:
    begins = re.compile(pattern)
    return lambda head: bool(head and begins.match(head[0]))


def _is_conflict(head: Sequence[str]) -> bool:
    return all(any(line.startswith(mark) for line in head) for mark in ("<<<<<<< ", ">>>>>>> "))


_TEXTS: Mapping[str, Callable[[Sequence[str]], bool]] = {
    "YAML": _is_yaml,
    "a document in LaTeX": _begins(r"\s*\\documentclass\b"),
    "references of BibTeX": _begins(r"\s*@[A-Za-z]+\{[^\t]*,\s*\Z"),
    "what Python prints of an error": _begins(r"Traceback \(most recent call last\):"),
    "a file that git could not merge": _is_conflict,
}


def looks_like_json(line: str) -> bool:
    """Whether a file that begins with this line seems to be JSON."""
    return bool(_START_OF_JSON.match(line))


def _is_page(data: bytes) -> bool:
    """Whether all of it is one page of HTML; a file with a page on each line is none."""
    if not _PAGE.match(data):
        return False
    lines = data.strip().splitlines()
    return len(lines) == 1 or not _END_OF_PAGE.search(lines[0])


def _is_wide(start: bytes) -> bool:
    """Whether every other byte is NUL, as where ordinary text has two bytes for each character."""
    pairs = start[: len(start) // 2 * 2]
    return len(pairs) > 2 and any(
        not pairs[odd::2].strip(b"\0") and b"\0" not in pairs[1 - odd :: 2] for odd in (0, 1)
    )
