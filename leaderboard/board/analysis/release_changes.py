"""What changed from one release to the next, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.spec import RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.measures import differences_in_measure, in_words
from leaderboard.board.model.serialization import is_same

MOST = 8
# How much a change matters: who leads, what a system did, who is gone, and who was only passed.
LEADS, OWN_DOING, LEFT, OF_OTHERS = range(4)


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed since release `since`: up to eight sentences, the most important first, and how many more."""

    since: int
    sentences: tuple[str, ...]
    others: int


def changes(board: Board, before: Sequence[Board]) -> Changes | None:
    """What changed on an overall board since the newest of the boards `before` that can be compared with it.

    Of the earlier boards nothing is asked but the column that ranks them. Comparable are those of the same phase that
    are ranked by the same column; None where there is none. Where that column was measured otherwise, the first
    sentence says so, and of nobody that a score is better or worse.
    """
    alike = [other for other in before if other.ranked_as == board.ranked_as]
    if not alike:
        return None
    old = max(alike, key=lambda other: other.release)
    otherwise = differences_in_measure(old, board)
    ordered = sorted(_changes(old, board, is_same=not otherwise), key=lambda change: change[:2])
    sentences = tuple(sentence for _, _, sentence in ordered)
    if otherwise and not board.by_column:
        name = board.column(board.rank_by).name
        said = f"{name} is measured otherwise than in release {old.release} ({in_words(otherwise)})"
        sentences = (f"{said}: ranks follow the new measure, and scores cannot be compared.", *sentences)
    return Changes(old.release, sentences[:MOST], len(sentences[MOST:]))


def _changes(old: Board, new: Board, *, is_same: bool) -> Iterator[tuple[int, float, str]]:
    """How much each change matters, the rank that it is about, and a sentence."""
    column = new.column(new.rank_by)
    earlier, now = _systems(old), _systems(new)
    for key, row in now.items():
        was = earlier.get(key)
        if was is None:
            sentence = _entered(row, column, has_ranks=not new.by_column)
        else:
            sentence = "" if new.by_column else _moved(was, row, column, is_same=is_same)
        if sentence:
            rank = min(row.rank or float("inf"), (was and was.rank) or float("inf"))
            yield _weight(was, row, column), rank, sentence
    for key, row in earlier.items():
        if key not in now:
            place = "" if row.rank is None else f", where it had rank {row.rank}"
            yield LEFT, row.rank or float("inf"), f"{_name(row)} has left the board{place}."


def _systems(board: Board) -> Mapping[tuple[str, str], BoardRow]:
    """The systems by what stays the same of them: their id, or where they are anonymous their number."""
    return {(row.system_id or "", "" if row.system_id else row.system): row for row in board.rows
            if row.kind is RowKind.SYSTEM}  # fmt: skip


def _weight(was: BoardRow | None, row: BoardRow, column: Column) -> int:
    if row.rank == 1 and (was is None or was.rank != 1):
        return LEADS
    is_alike = was is not None and is_same(was.value(column.key), row.value(column.key))
    return OF_OTHERS if is_alike else OWN_DOING


def _entered(row: BoardRow, column: Column, *, has_ranks: bool) -> str:
    score = row.cell(column.key)
    if row.rank is None:
        return f"{_name(row)} is new on the board{', without a rank' if has_ranks else ''}."
    return f"{_name(row)} is new at rank {row.rank} with {fmt.score(score.value)}."


def _moved(was: BoardRow, row: BoardRow, column: Column, *, is_same: bool) -> str:
    """What became of a system that stands on both boards; empty where neither rank nor score changed.

    Scores are compared where the column `is_same`.
    """
    score = _score(was.cell(column.key), row.cell(column.key), column) if is_same else ""
    if was.rank == row.rank:
        still = "" if row.rank is None else f" stays at rank {row.rank} and"
        return f"{_name(row)}{still} {score}." if score else ""
    if was.rank is None:
        step = f"is ranked now, at {row.rank}"
    elif row.rank is None:
        step = f"had rank {was.rank} and has none any more"
    else:
        step = f"moves {'up' if row.rank < was.rank else 'down'} from rank {was.rank} to {row.rank}"
    return f"{_name(row)} {step}{f'; it {score}' if score else ''}."


def _score(was: Cell, now: Cell, column: Column) -> str:
    """How the score differs, "scores .012 better, now .775", and whether it is another submission's."""
    if was.value is None or now.value is None or is_same(was.value, now.value):
        return ""
    is_better = (now.value > was.value) == column.higher_is_better
    step = fmt.score(abs(now.value - was.value))
    by = step if step.strip("0.") else "slightly"
    because = ""
    if was.submission and now.submission:
        same = was.submission == now.submission
        because = ", with the same submission" if same else ", with another submission"
    return f"scores {by} {'better' if is_better else 'worse'}, now {fmt.score(now.value)}{because}"


def _name(row: BoardRow) -> str:
    return f"{row.system} of {row.team}" if row.team else row.system
