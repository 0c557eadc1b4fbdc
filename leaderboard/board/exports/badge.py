"""A small picture that says where a system stands, for its README: "RAFT | #3, release 12"."""

from unicodedata import east_asian_width
from xml.etree import ElementTree as ET

from leaderboard.board.exports.export import SVG_TYPE, Export, SystemPlace
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.plain_text import one_line
from leaderboard.board.model.ranking import standing_in_words

HEIGHT, PADDING, LETTER = 20, 7, 6.6  # pixels; a letter of 11 pixels is about so wide in any sans-serif
LONGEST = 40


def to_badge(place: SystemPlace) -> bytes:
    """An SVG, UTF-8: the benchmark's title at the left, rank and release at the right; no fonts, styles or scripts."""
    board, row = place.board, place.row
    if board.by_column:
        said = standing_in_words(board, row, 0)
    elif row.rank is None:
        said = fmt.score(row.value(board.rank_by))
    else:
        span = fmt.rank_interval(row.rank_low, row.rank_high)
        said = f"#{row.rank}{f' ({span})' if span else ''}"
    return _drawn(board.benchmark_title, f"{said}, release {board.release}")


def badge_of_absent(benchmark_title: str, release: int) -> bytes:
    """The same picture for a system that has left the board: a README would show a broken image otherwise."""
    return _drawn(benchmark_title, f"not in release {release}")


def _drawn(title: str, right: str) -> bytes:
    line = one_line(title)
    left = line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"
    widths = [_width(left), _width(right)]
    size = {"width": f"{sum(widths)}", "height": f"{HEIGHT}", "viewBox": f"0 0 {sum(widths)} {HEIGHT}"}
    attributes = {"role": "img", "aria-label": f"{left}: {right}"}
    font = {"font-family": "system-ui, sans-serif", "font-size": "11"}
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, **attributes, **font})
    ET.SubElement(root, "title").text = f"{left}: {right}"
    for text, x, width, colour in ((left, 0, widths[0], "#3b4048"), (right, widths[0], widths[1], "#0b5d69")):
        ET.SubElement(root, "rect", {"x": f"{x}", "width": f"{width}", "height": f"{HEIGHT}", "fill": colour})
        # The text is stretched to the width that it was given.
        where = {"x": f"{x + PADDING}", "y": "14", "fill": "#fff", "textLength": f"{width - 2 * PADDING}"}
        ET.SubElement(root, "text", where).text = text
    return ET.tostring(root, encoding="unicode").encode()


def _width(text: str) -> int:
    letters = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
    return round(letters * LETTER) + 2 * PADDING


BADGE = Export("badge", "svg", SVG_TYPE, "Badge", to_badge)
