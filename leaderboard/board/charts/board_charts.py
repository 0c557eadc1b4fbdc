"""Charts of a whole board: what its tasks, its rounds or its shares of training data show together."""

from collections.abc import Iterator, Mapping, Sequence
from math import log10

from benchmarks.spec import BenchmarkSpec, RowKind
from catalogue.declared_facts import size_in_words
from leaderboard.board.charts.chart import Chart
from leaderboard.board.charts.heat_map import heat_map
from leaderboard.board.charts.line_chart import (
    HIGHLIGHTED,
    LABELLED,
    Series,
    line_chart,
    not_drawn,
    places,
    series_of,
)
from leaderboard.board.charts.strip_charts import spread_chart
from leaderboard.board.charts.text_layout import quoted
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column, grouped

ROUNDS, SIZES = "rounds", "sizes"
MOST_TEAMS = 3  # with charts of their own
MOST_DOTS = 60
DRAWN = {RowKind.SYSTEM, RowKind.REPORTED, RowKind.HUMAN}  # baselines guess, and that has a line of its own


def overall_charts(board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
    """What an overall board looks like; nothing before the first release."""
    if not board.release:
        return ()
    columns = task_columns(board, spec)
    drawn = (
        rounds_chart(board, spec),
        spread_chart(board, columns),
        heat_map(board, columns),
        size_chart(board),
        *examples_charts(board, columns),
    )
    return tuple(chart for chart in drawn if chart)


def size_chart(board: Board) -> Chart | None:
    """The score that ranks the board against the size that teams state; None with fewer than two of different size."""
    column = board.column(board.rank_by)
    sized = [
        (row, row.facts.parameters, value)
        for row in board.ranked
        if row.facts.parameters and (value := row.value(column.key)) is not None
    ]
    if len({size for _, size, _ in sized}) < 2:
        return None
    highlighted = places(board)
    best, largest, _ = sized[0]
    smallest = min(sized, key=lambda one: one[1])
    among = "" if len(sized) == len(board.ranked) else " of those with a stated size"
    title = (
        f"{quoted(best.system)}, of {size_in_words(largest)}, scores highest{among}; "
        f"{quoted(smallest[0].system)}, of {size_in_words(smallest[1])}, is the smallest"
    )
    missing = len(board.ranked) - len(sized)
    return line_chart(
        [
            Series(row.system, ((log10(size), value),), highlighted.get(id(row)))
            for row, size, value in sized[:MOST_DOTS]
        ],
        title=title,
        x_title="Parameters, as the teams state them",
        y_title=column.metric_title,
        name=SIZES,
        is_synthetic=board.synthetic,
        note=f"{missing} ranked system{'s' if missing > 1 else ''} without a stated size." if missing else "",
        x_words=lambda place: size_in_words(10**place),
    )


def examples_charts(board: Board, columns: Sequence[Column]) -> Iterator[Chart]:
    """For each team whose systems state different numbers of training examples a chart with a line for each task.

    Of several systems with the same number the one that stands highest counts. The teams that stand highest come
    first, and at most three.

    Source: inoculation by fine-tuning, Liu et al. (2019), doi:10.18653/v1/N19-1225; Figure 3 of DynaSent.
    """
    teams: dict[str, dict[int, BoardRow]] = {}
    for row in board.ranked:
        if row.facts.examples is not None:
            teams.setdefault(row.team, {}).setdefault(row.facts.examples, row)
    several = [(team, rows) for team, rows in teams.items() if team and len(rows) > 1]
    for number, (team, rows) in enumerate(several[:MOST_TEAMS], start=1):
        lines = [
            Series(column.name, points, place if place < HIGHLIGHTED else None)
            for place, column in enumerate(columns[:LABELLED])
            if (points := _points(rows, column.key))
        ]
        if lines:
            yield line_chart(
                lines,
                title=f"{quoted(team)}: scores by how many training examples its systems state",
                x_title="Training examples, as the team states them",
                y_title=columns[0].metric_title,
                name=f"examples-{number}",
                is_synthetic=board.synthetic,
                x_words=lambda place: f"{place:,.0f}",
            )


def _points(rows: Mapping[int, BoardRow], key: str) -> tuple[tuple[float, float], ...]:
    return tuple((float(at), value) for at, row in rows.items() if (value := row.value(key)) is not None)


def task_columns(board: Board, spec: BenchmarkSpec) -> tuple[Column, ...]:
    """The columns that show a task on its test split by its own measure.

    An average is one of them unless what it is the mean of has columns too.
    """
    keys = {column.key for column in board.columns}
    means = {average.id for average in spec.averages if keys & set(average.of)}
    return tuple(
        column for column in board.columns if column.key not in means and not {"@", ":"} & set(column.key)
    )


# Shares of the training data


def share_charts(board: Board, shares: Mapping[str, float]) -> tuple[Chart, ...]:
    """A chart for every group of the board's columns: how its values change with the share of training data.

    The first five ranked systems of the board are highlighted, each in the same colour in all charts.

    Parameters
    ----------
    board
        Its column keys end in ":" and a track's id, as "score:tenth".
    shares
        The share of training data, 0..1, by the id of the track.

    Returns
    -------
    tuple of Chart
        None for a group without any value.
    """
    highlighted = places(board)
    charts = []
    for part in grouped(board.columns):
        xs = {column.key: 100 * shares[column.key.rpartition(":")[2]] for column in part.columns}
        if series := series_of(board.rows, xs, highlighted):
            chart = line_chart(
                series,
                title=_falls(series),
                x_title="Training data (%)",
                y_title=part.title,
                name=part.columns[0].key.partition(":")[0],
                is_synthetic=board.synthetic,
                note=not_drawn(board, series),
            )
            charts.append(chart)
    return tuple(charts)


def _falls(series: Sequence[Series]) -> str:
    first = next((line for line in series if line.place == 0), series[0])
    (least, low), (most, high) = min(first.points), max(first.points)
    name = quoted(first.name)
    if least == most:
        return f"{name} scores {fmt.score(high)} with {most:g} % of the training data"
    if abs(low - high) < 0.005:
        return f"With {least:g} % of the training data {name} stays near {fmt.score(high)}"
    verb = "falls" if low < high else "rises"
    return f"With {least:g} % of the training data {name} {verb} from {fmt.score(high)} to {fmt.score(low)}"


# Rounds that are made to be hard for the best system so far


def rounds_chart(board: Board, spec: BenchmarkSpec) -> Chart | None:
    """Every system's score by round, the human estimates, and what guessing scores; None with fewer than two rounds.

    Guessing one of k labels scores 1/k by accuracy, and by macro F1 where they are equally frequent, as here.
    """
    keys = {column.key for column in board.columns}  # a release from before a round has no column of it
    tasks = [task_round.task for task_round in spec.rounds if task_round.task in keys]
    xs = {task: float(number) for number, task in enumerate(tasks, start=1)}
    series = series_of([row for row in board.rows if row.kind in DRAWN], xs, places(board))
    if len(tasks) < 2 or not any(line.is_system for line in series):
        return None
    counts = {task: len(spec.task(task).output.labels) for task in tasks}
    guesses = tuple((xs[task], 1 / count) for task, count in counts.items() if count)
    return line_chart(
        [*series, *([Series("Guessing", guesses, is_system=False)] if guesses else [])],
        title=_reached(board, [board.column(task) for task in tasks]),
        x_title="Round",
        y_title=board.column(tasks[0]).metric_title,
        name=ROUNDS,
        is_synthetic=board.synthetic,
        note=not_drawn(board, series),
    )


def _reached(board: Board, columns: Sequence[Column]) -> str:
    reached: list[str] = []
    missed: list[str] = []
    for column in columns:
        (human, _), (best, system) = (_best(board, column, kind) for kind in (RowKind.HUMAN, RowKind.SYSTEM))
        if human is not None and best is not None:
            is_reached = best >= human
            (reached if is_reached else missed).append(
                f"{column.name}, by {quoted(system)}" if is_reached else column.name
            )
    if reached and missed:
        return f"The human estimate is reached in {' and '.join(reached)}, and not in {' and '.join(missed)}"
    if missed:
        return f"No system reaches the human estimate in {' or '.join(missed)}"
    return "The human estimate is reached in every round" if reached else "Scores by round"


def _best(board: Board, column: Column, kind: RowKind) -> tuple[float | None, str]:
    cells = [(row.value(column.key), row.system) for row in board.rows if row.kind is kind]
    known = [(value, system) for value, system in cells if value is not None]
    return max(known, key=lambda pair: pair[0], default=(None, ""))
