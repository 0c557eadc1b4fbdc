from xml.etree import ElementTree as ET

from leaderboard.board.exports.badge import to_badge
from leaderboard.board.exports.export import SystemPlace
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, board, row


def words(made: bytes) -> list[str]:
    root = ET.fromstring(made)  # noqa: S314  # our own SVG
    return [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]


def test_badge_gives_rank_and_release() -> None:
    first, second = rank([row("Larch", 0.8), row("Sedge", 0.7)], ACCURACY)
    assert words(to_badge(SystemPlace(board(first, second), second, ""))) == ["RAFT", "#2, release 3"]


def test_badge_of_a_system_without_a_rank_gives_its_score() -> None:
    one = row("Larch", 0.8)
    assert words(to_badge(SystemPlace(board(one), one, ""))) == ["RAFT", ".800, release 3"]


def test_badge_is_xml_whatever_the_title() -> None:
    one = row("Larch", 0.8)
    titled = board(one, benchmark_title="<b>\x00&" + "x" * 90)
    assert words(to_badge(SystemPlace(titled, one, "")))[0].startswith("<b> &x")
