"""An Atom feed (RFC 4287) of a benchmark's releases and announcements."""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from leaderboard.board.exports.export import Export
from leaderboard.board.model.board import Board
from leaderboard.board.tables import release_summaries

ATOM = "http://www.w3.org/2005/Atom"
SINCE = "2026"  # the year that tag URIs (RFC 4151) name: one in which the site's host name was its own
MOST_ENTRIES = 100  # two years of weeks; readers keep what they have seen


@dataclass(frozen=True, slots=True)
class Notice:
    """An announcement of the organisers; `number` is its own for ever."""

    number: int
    title: str
    text: str
    published_at: dt.datetime
    changed_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Feed:
    """What a benchmark's feed tells of.

    Parameters
    ----------
    about
        The board that names the benchmark: the newest overall one.
    boards
        The overall boards of all releases; they need no column but the one that ranks them, and their leading rows.
    site
        The address of the site without a slash at its end, "https://heldout.example". Ids follow from its host name.
    notices
        Announcements; at least one where there is no release yet.
    checkpoints
        What was signed of the log just before a release, in a sentence, by its number.
    """

    about: Board
    boards: tuple[Board, ...]
    site: str
    notices: tuple[Notice, ...] = ()
    checkpoints: Mapping[int, str] = field(default_factory=dict)

    @property
    def base(self) -> str:
        return f"{self.site}/benchmarks/{self.about.benchmark}"

    def tag(self, rest: str = "") -> str:
        return f"tag:{urlsplit(self.site).hostname},{SINCE}:benchmarks/{self.about.benchmark}{rest}"


def to_atom(feed: Feed) -> bytes:
    """The feed as UTF-8 XML, an entry per release and announcement: the newest `MOST_ENTRIES`."""
    title, entries = feed.about.benchmark_title, _newest(feed)
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": "en-GB"})
    _text(root, "id", feed.tag())
    _text(root, "title", f"{title}: releases{' and announcements' if feed.notices else ''}")
    _text(root, "updated", _instant(max(entry.changed_at for entry in entries)))
    _text(ET.SubElement(root, "author"), "name", f"Heldout, {title}")
    own = {"rel": "self", "type": "application/atom+xml", "href": f"{feed.base}/feed.atom"}
    ET.SubElement(root, "link", own)
    ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": f"{feed.base}/"})
    for entry in entries:
        element = ET.SubElement(root, "entry")
        _text(element, "id", feed.tag(entry.tag))
        _text(element, "title", entry.title)
        _text(element, "published", _instant(entry.published_at))
        _text(element, "updated", _instant(entry.changed_at))
        link = {"rel": "alternate", "type": "text/html", "href": f"{feed.base}{entry.path}"}
        ET.SubElement(element, "link", link)
        _text(element, entry.tells_by, entry.text)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


class _Entry(NamedTuple):
    """One entry; `tells_by` is the element that `text` stands in."""

    published_at: dt.datetime
    changed_at: dt.datetime
    tag: str
    path: str
    title: str
    tells_by: str
    text: str


def _newest(feed: Feed) -> list[_Entry]:
    told: list[tuple[tuple[dt.datetime, int], Board | Notice]] = [
        *(((board.published_at, board.release), board) for board in feed.boards),
        *(((notice.published_at, notice.number), notice) for notice in feed.notices),
    ]
    told.sort(key=itemgetter(0), reverse=True)
    return [
        _of_release(feed, one) if isinstance(one, Board) else _of_notice(one)
        for _, one in told[:MOST_ENTRIES]
    ]


def _of_release(feed: Feed, board: Board) -> _Entry:
    at = f"/releases/{board.release}"
    text = f"{summary(board)} {feed.checkpoints.get(board.release, '')}".strip()
    title = f"{board.benchmark_title}, release {board.release}"
    return _Entry(board.published_at, board.published_at, at, f"{at}/", title, "summary", text)


def _of_notice(notice: Notice) -> _Entry:
    tag, path = f"/announcements/{notice.number}", f"/announcements/#announcement-{notice.number}"
    return _Entry(notice.published_at, notice.changed_at, tag, path, notice.title, "content", notice.text)


def summary(board: Board) -> str:
    """A release in a sentence or two: "Larch of North has the first rank of 12 systems with .775 (Overall)..."."""
    line = release_summaries.release(board)
    count = board.ranked_count or line.system_count
    systems = "1 system" if count == 1 else f"{count} systems"
    names = [f"{leader.system} of {leader.team}" if leader.team else leader.system for leader in line.leaders]
    if line.said:
        said = f"{line.said}."
    elif not names:
        said = f"{systems} on the board, none of them ranked."
    elif len(names) == 1:
        verdict = f", {line.verdict}" if line.verdict else ""
        said = f"{names[0]} has the first rank of {systems} with {line.score} ({line.column}){verdict}."
    else:
        who = f"{', '.join(names[:-1])} and {names[-1]}"
        said = f"{who} share the first rank of {systems} with {line.score} ({line.column})."
    return f"{said} Synthetic demo data." if board.synthetic else said


def _instant(when: dt.datetime) -> str:
    return when.isoformat(timespec="seconds").replace("+00:00", "Z")


def _text(parent: ET.Element, tag: str, text: str) -> None:
    """An element with the text but for what XML may not hold."""
    ET.SubElement(parent, tag).text = re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+", " ", text)


FEED = Export("feed", "atom", "application/atom+xml; charset=utf-8", "Atom feed", to_atom)
