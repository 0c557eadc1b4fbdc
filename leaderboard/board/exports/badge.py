"""A small picture that says where a system stands, for its README: "RAFT | #3, release 12"."""

from __future__ import annotations

import re
from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow

HEIGHT, PADDING, LETTER = 20, 7, 6.6
"""Pixels; a letter of 11 pixels is about so wide in any sans-serif, and the text is stretched to fit."""
LONGEST = 40


def to_badge(board: Board, row: BoardRow) -> bytes:
    """An SVG, UTF-8: the benchmark's title at the left, rank and release at the right; no fonts, styles or scripts."""
    left = _short(board.benchmark_title)
    score = fmt.score(row.cell(board.rank_by).value)
    place = f"#{row.rank}" if row.rank is not None else score
    right = f"{place}, release {board.release}"
    widths = [_width(left), _width(right)]
    title = f"{left}: {right}"
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{sum(widths)}",
            "height": f"{HEIGHT}",
            "viewBox": f"0 0 {sum(widths)} {HEIGHT}",
            "role": "img",
            "aria-label": title,
            "font-family": "system-ui, sans-serif",
            "font-size": "11",
        },
    )
    ET.SubElement(root, "title").text = title
    for text, x, width, colour in ((left, 0, widths[0], "#3b4048"), (right, widths[0], widths[1], "#0b5d69")):
        ET.SubElement(root, "rect", {"x": f"{x}", "width": f"{width}", "height": f"{HEIGHT}", "fill": colour})
        where = {"x": f"{x + PADDING}", "y": "14", "fill": "#fff", "textLength": f"{width - 2 * PADDING}"}
        ET.SubElement(root, "text", where).text = text
    return ET.tostring(root, encoding="unicode").encode()


def _width(text: str) -> int:
    letters = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
    return round(letters * LETTER) + 2 * PADDING


def _short(text: str) -> str:
    line = re.sub(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029]+", " ", text).strip()
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"
