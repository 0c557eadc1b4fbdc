"""An Atom feed (RFC 4287) of a benchmark's releases."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from leaderboard.board import view
from leaderboard.board.model import Board

ATOM = "http://www.w3.org/2005/Atom"
SINCE = "2026"
"""The year that tag URIs (RFC 4151) name: one in which the site's host name was its own."""


def to_atom(boards: Sequence[Board], site: str) -> bytes:
    """The feed as UTF-8 XML, an entry per release, the newest first.

    Parameters
    ----------
    boards
        The overall boards of all releases, at least one; they need no column but the one that ranks them.
    site
        The address of the site without a slash at its end, "https://heldout.example". Ids follow from its host name.
    """
    ordered = sorted(boards, key=lambda board: -board.release)
    newest = ordered[0]
    base = f"{site}/benchmarks/{newest.benchmark}"
    feed = ET.Element("feed", {"xmlns": ATOM, "xml:lang": "en-GB"})
    _text(feed, "id", _tag(site, newest.benchmark))
    _text(feed, "title", f"{newest.benchmark_title}: releases")
    _text(feed, "updated", _instant(newest.published_at))
    _text(ET.SubElement(feed, "author"), "name", f"Heldout, {newest.benchmark_title}")
    link = {"rel": "self", "type": "application/atom+xml", "href": f"{base}/feed.atom"}
    ET.SubElement(feed, "link", link)
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": f"{base}/"})
    for board in ordered:
        _entry(feed, board, site)
    written: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _entry(feed: ET.Element, board: Board, site: str) -> None:
    entry = ET.SubElement(feed, "entry")
    _text(entry, "id", _tag(site, f"{board.benchmark}/releases/{board.release}"))
    _text(entry, "title", f"{board.benchmark_title}, release {board.release}")
    _text(entry, "published", _instant(board.published_at))
    _text(entry, "updated", _instant(board.published_at))
    href = f"{site}/benchmarks/{board.benchmark}/releases/{board.release}/"
    ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": href})
    _text(entry, "summary", summary(board))


def summary(board: Board) -> str:
    """A release in a sentence or two: "Larch of North leads 12 systems with .775 (Overall score)." """
    line = view.release(board)
    systems = "1 system" if line.system_count == 1 else f"{line.system_count} systems"
    names = [f"{one.system} of {one.team}" if one.team else one.system for one in line.leaders]
    if not names:
        said = f"{systems} on the board, none of them ranked."
    elif len(names) == 1:
        said = f"{names[0]} leads {systems} with {line.score} ({line.column})."
    else:
        who = f"{', '.join(names[:-1])} and {names[-1]}"
        said = f"{who} share the first rank of {systems} with {line.score} ({line.column})."
    return f"{said} Synthetic demo data." if board.synthetic else said


def _tag(site: str, rest: str) -> str:
    return f"tag:{urlsplit(site).hostname},{SINCE}:benchmarks/{rest}"


def _instant(when: dt.datetime) -> str:
    return when.isoformat(timespec="seconds").replace("+00:00", "Z")


def _text(parent: ET.Element, tag: str, text: str) -> None:
    """An element with the text but for what XML may not hold."""
    ET.SubElement(parent, tag).text = re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+", " ", text)
