from benchmarks.spec import RowKind
from leaderboard.board.exports.markdown import escape, to_markdown
from leaderboard.board.model.number_format import NONE
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row


def markdown(**more: object) -> list[str]:
    rows = rank(
        [row("Larch", 0.775, 0.66), row("Sedge", 0.767, None), row("Human", 0.9, kind=RowKind.HUMAN)],
        ACCURACY,
    )
    return to_markdown(board(*rows, columns=(ACCURACY, TASK), **more)).decode().splitlines()


def test_markdown_is_a_table_with_the_best_in_bold() -> None:
    assert markdown()[2:] == [
        "| Rank | System | Team | Overall | B77 |",
        "| --- | --- | --- | ---: | ---: |",
        f"| {NONE} | Human *(human estimate)* | Team Human | .900 | {NONE} |",
        "| 1 | Larch | Team Larch | **.775** | **.660** |",
        f"| 2 | Sedge | Team Sedge | .767 | {NONE} |",
    ]


def test_markdown_says_what_release_it_is_of() -> None:
    assert markdown()[0] == "**RAFT**, release 3, 16 November 2026"


def test_markdown_says_where_data_are_made_up() -> None:
    assert "Synthetic demo data." in markdown(synthetic=True)


def test_name_cannot_break_out_of_its_cell() -> None:
    assert escape("a|b\n<script>*x*") == r"a\|b \<script\>\*x\*"
