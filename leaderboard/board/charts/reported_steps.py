"""How the best score of an earlier leaderboard went, by the dates of its rows."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.board.charts.line_chart import Series
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, Column

REPORTED = "Best reported"
_PLACE = 1  # its colour, the second


@dataclass(frozen=True, slots=True)
class ReportedStep:
    """A row that was better than all before it, and its day."""

    day: dt.date
    score: float
    system: str
    team: str


def reported_steps(board: Board, column: Column) -> tuple[ReportedStep, ...]:
    """The moved rows of a board that were better than all of earlier days, in the order of their days."""
    known = [
        ReportedStep(dt.date.fromisoformat(row.moved.date), value, row.system, row.team)
        for row in board.rows
        if row.moved and (value := row.value(column.key)) is not None
    ]
    sign = 1 if column.higher_is_better else -1
    steps: list[ReportedStep] = []
    for step in sorted(known, key=lambda step: (step.day, -sign * step.score, step.system, step.team)):
        if not steps or sign * step.score > sign * steps[-1].score:
            steps.append(step)
    return tuple(steps)


def steps_line(steps: Sequence[ReportedStep]) -> list[Series]:
    """The steps as a dashed line by day; nothing without any."""
    points = tuple((float(step.day.toordinal()), step.score) for step in steps)
    return [Series(REPORTED, points, _PLACE, is_system=False)] if points else []


def steps_in_words(steps: Sequence[ReportedStep]) -> str:
    """From where to where the best reported score went."""
    first, last = steps[0], steps[-1]
    if first is last:
        return f"The best reported score is {fmt.score(last.score)}, of {last.day}"
    verb = "rose" if last.score > first.score else "fell"
    return (
        f"The best reported score {verb} from {fmt.score(first.score)} on {first.day} to {fmt.score(last.score)} "
        f"on {last.day}"
    )


def day_in_words(ordinal: float) -> str:
    """A place on an axis of days as YYYY-MM-DD."""
    return str(dt.date.fromordinal(round(ordinal)))
