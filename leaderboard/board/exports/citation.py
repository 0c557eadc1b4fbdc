"""How a release is cited, and how a system's scores are told to others: BibTeX, and a block for a model card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from leaderboard.board.exports.latex import escape
from leaderboard.board.model.board import Board, BoardRow

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def to_bibtex(board: Board, url: str) -> bytes:
    """A `@misc` entry of the release with that permanent address; UTF-8, text escaped as LaTeX wants it."""
    published = board.published_at
    fields = {
        "title": f"{{{_escape(board.benchmark_title)}: leaderboard, release {board.release}}}",
        "year": f"{published.year}",
        "month": _MONTHS[published.month - 1],
        "day": f"{published.day}",
        "howpublished": rf"\url{{{_in_url(url)}}}",
        "note": _escape("Synthetic demo data." if board.synthetic else f"Phase {board.phase}."),
    }
    lines = [
        f"  {name} = {value if name == 'month' else f'{{{value}}}'},"
        for name, value in fields.items()
    ]  # fmt: skip
    return "\n".join([f"@misc{{{_key(board)},", *lines, "}", ""]).encode()


@dataclass(frozen=True, slots=True)
class SystemPlace:
    """A system's row on a benchmark's board, and the permanent address of that board's release."""

    board: Board
    row: BoardRow
    url: str


def to_model_index(system: str, places: Iterable[SystemPlace]) -> bytes:
    """The `model-index` block of a model card: a system's score in every column that has one, each with its source.

    It is YAML 1.1 and 1.2, UTF-8: one model, with the results of all places.
    """
    results = [result for place in places for result in _results(place)]
    head = ["model-index:", f"- name: {_text(system)}", "  results:" if results else "  results: []"]
    return ("\n".join([*head, *results]) + "\n").encode()


def _results(place: SystemPlace) -> Iterator[str]:
    board = place.board
    dataset = (
        "    dataset:",
        f"      type: {_text(board.benchmark)}",
        f"      name: {_text(board.benchmark_title)}",
    )
    source = (
        "    source:",
        f"      name: {_text(f'Heldout, {board.benchmark_title}, release {board.release}')}",
        f"      url: {_text(place.url)}",
    )
    for column in board.columns:
        value = place.row.cell(column.key).value
        if value is not None:
            task = ("  - task:", "      type: other", f"      name: {_text(column.name)}")
            metric = (
                "    metrics:",
                f"    - type: {_text(column.metric)}",
                f"      name: {_text(column.metric_title)}",
                f"      value: {_number(value)}",
            )
            yield "\n".join([*task, *dataset, *metric, *source])


def _number(value: float) -> str:
    """All its digits without an exponent: to YAML 1.1, 1e-05 is text."""
    return f"{Decimal(repr(value)):f}"


def _text(text: str) -> str:
    """The text in the double quotes of YAML. Those of JSON differ: it writes what lies beyond U+FFFF as two halves."""
    is_plain = text.isprintable() and '"' not in text and "\\" not in text
    return f'"{text}"' if is_plain else f'"{"".join(map(_letter, text))}"'


def _letter(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


def _escape(text: str) -> str:
    """Escaped for LaTeX, without braces: BibTeX counts those with a backslash too."""
    return escape(text).replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def _key(board: Board) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", f"heldout-{board.benchmark}-release-{board.release}")


def _in_url(url: str) -> str:
    """The address within braces: what would end them, or begin a comment, is percent-encoded."""
    return re.sub(
        r"[{}\\%#]", lambda found: f"\\{found[0]}" if found[0] in "%#" else f"%{ord(found[0]):02X}", url
    )
