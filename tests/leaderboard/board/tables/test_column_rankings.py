"""A board without an average: every column is a ranking of its own, and nothing is said over all."""

from dataclasses import replace

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow, Chance
from leaderboard.board.model.ranking import first_places, rank, standing_in_words, unranked
from leaderboard.board.model.serialization import from_dict, ranking_of, to_dict
from leaderboard.board.tables.board_query import COLUMNS, usual_view
from leaderboard.board.tables.column_rankings import column_rankings
from leaderboard.board.tables.release_summaries import release
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row

ASH = row("Ash")._replace(cells={"overall": cell(0.9), "banking_77": cell(0.3)})
BIRCH = row("Birch")._replace(cells={"overall": cell(0.7), "banking_77": cell(0.4)})
CEDAR = row("Cedar")._replace(cells={"banking_77": cell(0.8)})
PAPER = row("Published", kind=RowKind.REPORTED)._replace(cells={"overall": cell(0.99)})


def by_column(*rows: BoardRow) -> Board:
    columns = (ACCURACY, TASK)
    return replace(board(*unranked(rows, columns), columns=columns), by_column=True)


def own(key: str, *, sure: bool) -> Board:
    column = ACCURACY if key == "overall" else TASK
    rows = [entry for entry in (ASH, BIRCH, CEDAR) if key in entry.cells]
    ranked = rank(rows, column)
    decided = tuple(
        entry._replace(ahead_of=((at + 1, len(ranked)),) if sure and at < len(ranked) else ())
        for at, entry in enumerate(ranked, start=1)
    )
    made = board(*decided, columns=(ACCURACY, TASK), rank_by=key)
    return replace(made, chance=Chance(1000, (), None))


def test_nobody_has_a_rank_and_whoever_is_first_most_often_stands_first() -> None:
    made = by_column(PAPER, CEDAR, BIRCH, ASH)
    assert [entry.rank for entry in made.rows] == [None] * 4
    assert [entry.system for entry in made.rows][-1] == "Published"
    assert {(leader.system, count) for leader, count in first_places(made)} == {("Ash", 1), ("Cedar", 1)}
    assert standing_in_words(made, made.rows[0], 0) == "first in 1 of 2 rankings"
    assert release(made).said.endswith("is first in 1 of 2 rankings")
    assert usual_view(made) == COLUMNS


def test_before_a_release_there_are_no_rankings_to_quote() -> None:
    made = replace(by_column(ASH, BIRCH), release=0)
    assert column_rankings(made, {"overall": own("overall", sure=True)}, {}) is None


def test_each_group_of_rankings_has_its_axis_since_on_a_phone_the_one_above_is_out_of_sight() -> None:
    rankings = column_rankings(
        by_column(ASH, BIRCH, CEDAR),
        {"overall": own("overall", sure=True), "banking_77": own("banking_77", sure=False)},
        {},
    )
    assert rankings is not None
    assert all(one.axis for group in rankings.groups for one in group.rankings)


def test_the_sentence_counts_first_places_and_those_that_the_column_s_own_board_is_sure_of() -> None:
    rankings = column_rankings(
        by_column(ASH, BIRCH, CEDAR),
        {"overall": own("overall", sure=True), "banking_77": own("banking_77", sure=False)},
        {"overall": "/here/"},
    )
    assert rankings is not None
    assert (
        rankings.sentence == "Ash is first in 1 of 2, surely in 1; Cedar is first in 1 of 2, surely in none."
    )
    first, second = (ranking for group in rankings.groups for ranking in group.rankings)
    assert (first.verdict, first.url, [line.name for line in first.lines]) == (
        "surely ahead",
        "/here/",
        ["Ash", "Birch"],
    )
    assert second.verdict == "ahead, but it could be chance"


def test_a_board_with_an_average_is_no_such_board() -> None:
    assert column_rankings(board(ASH, columns=(ACCURACY, TASK)), {}, {}) is None


def test_all_columns_stay_where_a_release_is_read_for_its_ranking() -> None:
    made = by_column(ASH, BIRCH)
    assert from_dict(to_dict(made)) == made
    assert from_dict(ranking_of(to_dict(made))) == made
    assert "by_column" not in to_dict(board(ASH, columns=(ACCURACY, TASK)))
