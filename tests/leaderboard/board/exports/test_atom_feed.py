import datetime as dt
import re
from xml.etree import ElementTree as ET

import pytest

from leaderboard.board.exports.atom_feed import ATOM, MOST_ENTRIES, Feed, Notice, summary, to_atom
from leaderboard.board.model.board import Board
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, board, row

SITE = "https://heldout.example:8443"
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
WEEK = dt.timedelta(weeks=1)


def released(number: int, *names: str) -> Board:
    rows = [row(name, 0.7 - at / 10) for at, name in enumerate(names)]
    published_at = dt.datetime(2026, 11, 2, tzinfo=dt.UTC) + number * WEEK
    return board(*rank(rows, ACCURACY), release=number, published_at=published_at)


@pytest.fixture
def feed() -> ET.Element:
    boards = (released(2, "Sedge & <b>", "Larch"), released(1, "Larch\x00\x85"), released(3))
    made = to_atom(Feed(boards[2], boards, SITE))
    return ET.fromstring(made)  # noqa: S314  # our own XML


def texts(element: ET.Element, tag: str) -> list[str]:
    return [one.text or "" for one in element.findall(f"{{{ATOM}}}{tag}")]


def hrefs(element: ET.Element, rel: str) -> list[str]:
    links = element.findall(f"{{{ATOM}}}link")
    return [link.attrib["href"] for link in links if link.attrib["rel"] == rel]


def entries(feed: ET.Element) -> list[ET.Element]:
    return feed.findall(f"{{{ATOM}}}entry")


def test_feed_and_entries_have_what_rfc_4287_requires_once_each(feed: ET.Element) -> None:
    assert feed.tag == f"{{{ATOM}}}feed"
    for element in (feed, *entries(feed)):
        for tag in ("id", "title", "updated"):
            (text,) = texts(element, tag)
            assert text, tag
    (author,) = feed.findall(f"{{{ATOM}}}author")
    assert texts(author, "name") == ["Heldout, RAFT"]
    assert all(len(hrefs(entry, "alternate")) == 1 for entry in entries(feed))


def test_dates_are_those_of_rfc_3339_and_the_feed_is_as_new_as_its_newest_entry(feed: ET.Element) -> None:
    dates = [
        date for entry in entries(feed) for tag in ("updated", "published") for date in texts(entry, tag)
    ]
    assert len(dates) == 6
    assert all(INSTANT.fullmatch(date) for date in dates)
    assert texts(feed, "updated") == [max(dates)]


def test_ids_are_unique_and_stay_the_same_when_releases_follow(feed: ET.Element) -> None:
    ids = [*texts(feed, "id"), *(texts(entry, "id")[0] for entry in entries(feed))]
    assert ids == [
        "tag:heldout.example,2026:benchmarks/raft",
        "tag:heldout.example,2026:benchmarks/raft/releases/3",
        "tag:heldout.example,2026:benchmarks/raft/releases/2",
        "tag:heldout.example,2026:benchmarks/raft/releases/1",
    ]


def test_links_lead_to_the_feed_itself_and_to_permanent_pages(feed: ET.Element) -> None:
    assert hrefs(feed, "self") == [f"{SITE}/benchmarks/raft/feed.atom"]
    assert hrefs(entries(feed)[0], "alternate") == [f"{SITE}/benchmarks/raft/releases/3/"]


def test_a_summary_tells_the_leader_in_words(feed: ET.Element) -> None:
    assert [texts(entry, "summary")[0] for entry in entries(feed)] == [
        "0 systems on the board, none of them ranked.",
        "Sedge & <b> of Team Sedge & <b> has the first rank of 2 systems with .700 (Overall score).",
        "Larch  of Team Larch  has the first rank of 1 system with .700 (Overall score).",
    ]


def test_leaders_of_one_score_are_told_together() -> None:
    tied = board(*rank([row("Larch", 0.7), row("Sedge", 0.7)], ACCURACY), synthetic=True)
    assert summary(tied) == (
        "Larch of Team Larch and Sedge of Team Sedge share the first rank of 2 systems with .700 (Overall score). "
        "Synthetic demo data."
    )


def notice(number: int, day: int) -> Notice:
    at = dt.datetime(2026, 11, day, 12, tzinfo=dt.UTC)
    return Notice(number, f"News & <{number}>", "First.\n\nSecond.", at, at + dt.timedelta(days=30))


def test_announcements_stand_between_releases_by_their_dates() -> None:
    first = released(1, "Larch")
    made = to_atom(Feed(first, (first,), SITE, (notice(1, 3), notice(2, 30))))
    feed = ET.fromstring(made)  # noqa: S314  # our own XML

    assert [texts(entry, "title")[0] for entry in entries(feed)] == [
        "News & <2>",
        "RAFT, release 1",
        "News & <1>",
    ]
    assert texts(feed, "updated") == ["2026-12-30T12:00:00Z"]
    assert len({texts(entry, "id")[0] for entry in entries(feed)}) == 3
    assert hrefs(entries(feed)[0], "alternate")[0].endswith("/benchmarks/raft/announcements/#announcement-2")


def test_feed_before_the_first_release_has_announcements_alone() -> None:
    made = to_atom(Feed(released(1), (), SITE, (notice(1, 3),)))

    assert len(entries(ET.fromstring(made))) == 1  # noqa: S314  # our own XML


def test_after_years_of_weeks_the_feed_holds_the_newest_of_all_that_was_told() -> None:
    boards = [released(number) for number in range(1, MOST_ENTRIES + 21)]
    told_at = boards[-3].published_at + dt.timedelta(hours=1)
    notices = (Notice(1, "Long ago", "Text", boards[2].published_at, boards[-1].published_at),
               Notice(2, "Now", "Text", told_at, told_at))  # fmt: skip
    feed = ET.fromstring(to_atom(Feed(boards[-1], tuple(boards), SITE, notices)))  # noqa: S314  # our own XML
    titles = [title for entry in entries(feed) for title in texts(entry, "title")]
    assert len(titles) == MOST_ENTRIES
    last = len(boards)
    assert titles[:4] == [
        f"RAFT, release {last}",
        f"RAFT, release {last - 1}",
        "Now",
        f"RAFT, release {last - 2}",
    ]
    assert "Long ago" not in titles
