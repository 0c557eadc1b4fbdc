from leaderboard.board.exports.bibtex import to_bibtex
from leaderboard.board.exports.export import CitedRelease
from tests.leaderboard.board.boards import board, row

URL = "https://heldout.example/benchmarks/raft/releases/3/"


def test_bibtex_names_release_date_and_permanent_address() -> None:
    assert to_bibtex(CitedRelease(board(row("Larch", 0.7)), URL)).decode().splitlines() == [
        "@misc{heldout-raft-release-3,",
        "  title = {{RAFT: leaderboard, release 3}},",
        "  year = {2026},",
        "  month = nov,",
        "  day = {16},",
        rf"  howpublished = {{\url{{{URL}}}}},",
        "  note = {Phase main.},",
        "}",
    ]


def test_bibtex_escapes_what_latex_would_take_for_more_than_text() -> None:
    made = to_bibtex(CitedRelease(board(row("Larch", 0.7), benchmark_title="A & B_{"), URL)).decode()
    assert r"{A \& B\_\textbraceleft{}: leaderboard" in made
    assert made.count("{") == made.count("}")
