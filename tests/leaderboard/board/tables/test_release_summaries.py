from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.release_summaries import release, release_lines
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row


def ranked(*rows: BoardRow, **more: object) -> Board:
    return board(*rank(rows, ACCURACY), columns=(TASK, ACCURACY), **more)


def test_release_names_the_leader_and_its_score() -> None:
    line = release(ranked(row("A", 0.7746, system_id="s1"), row("B", 0.5), row("H", 0.9, kind=RowKind.HUMAN)))
    assert [(leader.system, leader.system_id) for leader in line.leaders] == [("A", "s1")]
    assert (line.number, line.system_count, line.score) == (3, 2, ".775")


def test_release_names_all_leaders_that_are_equal() -> None:
    line = release(ranked(row("A", 0.5), row("B", 0.5), row("C", 0.4)))
    assert [leader.system for leader in line.leaders] == ["A", "B"]


def test_release_without_ranked_systems_has_no_leader() -> None:
    line = release(ranked(row("A", None)))
    assert (line.leaders, line.score) == ((), "\N{EN DASH}")


def test_a_line_of_the_list_links_who_leads_and_says_how_surely_with_all_text_escaped() -> None:
    made = ranked(row("A&B", 0.7746, system_id="s1", ahead_of=((2, 2),)), row("<C>", 0.5, ahead_of=()))

    lines = release_lines([release(made)], benchmark="raft", current=3, day=lambda when: f"<b>{when:%Y}</b>")

    assert lines == (
        '<tr aria-current="true">\n'
        '  <th scope="row"><a href="/benchmarks/raft/releases/3/">Release 3</a></th>\n'
        '  <td><b>2026</b></td><td class="number extra" data-head="Systems: ">2</td>\n'
        '  <td>\n  <a\n  href="/systems/s1/">A&amp;B</a>\n  <small>Team A&amp;B</small>\n'
        '  <small class="quiet">surely ahead of &lt;C&gt;</small></td>'
        '<td class="number" data-head="Score: ">.775</td></tr>\n'
    )


def test_a_line_of_a_release_in_which_nobody_has_a_rank_has_a_dash() -> None:
    lines = release_lines([release(ranked(row("A", None)))], benchmark="raft", current=2, day=str)
    assert lines.startswith("<tr>\n")
    assert "<td>\n  \N{EN DASH}</td>" in lines
