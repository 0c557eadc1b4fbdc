"""An Atom feed (RFC 4287) of a benchmark's releases and announcements."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from leaderboard.board.model.board import Board
from leaderboard.board.tables import release_summaries

ATOM = "http://www.w3.org/2005/Atom"
SINCE = "2026"
"""The year that tag URIs (RFC 4151) name: one in which the site's host name was its own."""


@dataclass(frozen=True, slots=True)
class Notice:
    """An announcement of the organisers; `number` is its own for ever."""

    number: int
    title: str
    text: str
    published_at: dt.datetime
    changed_at: dt.datetime


def to_atom(
    boards: Sequence[Board], site: str, *, about: Board | None = None, notices: Sequence[Notice] = ()
) -> bytes:
    """The feed as UTF-8 XML, an entry per release and announcement, the newest first.

    Parameters
    ----------
    boards
        The overall boards of all releases; they need no column but the one that ranks them.
    site
        The address of the site without a slash at its end, "https://heldout.example". Ids follow from its host name.
    about
        A board that names the benchmark, needed where there is no release yet.
    notices
        Announcements; at least one where there is no release yet.
    """
    newest = about or max(boards, key=lambda board: board.release)
    base = f"{site}/benchmarks/{newest.benchmark}"
    dated: list[tuple[dt.datetime, int, dt.datetime, Board | Notice]]
    dated = [(board.published_at, board.release, board.published_at, board) for board in boards]
    dated += [(one.published_at, one.number, one.changed_at, one) for one in notices]
    feed = ET.Element("feed", {"xmlns": ATOM, "xml:lang": "en-GB"})
    _text(feed, "id", _tag(site, newest.benchmark))
    _text(feed, "title", f"{newest.benchmark_title}: releases{' and announcements' if notices else ''}")
    _text(feed, "updated", _instant(max(changed for _, _, changed, _ in dated)))
    _text(ET.SubElement(feed, "author"), "name", f"Heldout, {newest.benchmark_title}")
    link = {"rel": "self", "type": "application/atom+xml", "href": f"{base}/feed.atom"}
    ET.SubElement(feed, "link", link)
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": f"{base}/"})
    for *_, one in sorted(dated, key=lambda entry: entry[:2], reverse=True):
        if isinstance(one, Notice):
            _announcement(feed, one, site, newest.benchmark)
        else:
            _entry(feed, one, site)
    written: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written


def _announcement(feed: ET.Element, notice: Notice, site: str, benchmark: str) -> None:
    entry = ET.SubElement(feed, "entry")
    _text(entry, "id", _tag(site, f"{benchmark}/announcements/{notice.number}"))
    _text(entry, "title", notice.title)
    _text(entry, "published", _instant(notice.published_at))
    _text(entry, "updated", _instant(notice.changed_at))
    href = f"{site}/benchmarks/{benchmark}/announcements/#announcement-{notice.number}"
    ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": href})
    _text(entry, "content", notice.text)


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
    line = release_summaries.release(board)
    ranked = sum(row.rank is not None for row in board.rows)
    count = ranked or line.system_count
    systems = "1 system" if count == 1 else f"{count} systems"
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
