"""Another leaderboard's table, taken over as reported rows: read, held against what is there, and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from json import dumps

from benchmarks.models import Benchmark
from benchmarks.services import keep_published_rows
from benchmarks.spec import ReportedRow
from catalogue.problems import counted
from scoring.file_refusal import FileRefused
from submissions.intake.published.moved_table import EARLIER, read_moved_table


@dataclass(frozen=True, slots=True)
class Move:
    """What a table holds, and in words what of it differs from what was moved in before."""

    rows: tuple[ReportedRow, ...]
    changes: tuple[str, ...]
    digest: str  # of what is there and what comes, so that a question asked of the two is about no others

    @property
    def sentence(self) -> str:
        """How much it is, and from when to when."""
        days = sorted(row.date for row in self.rows)
        values = sum(len(row.values) for row in self.rows)
        teams = len({row.team for row in self.rows})
        rows, scores = counted(len(self.rows), "row"), counted(values, "score")
        return f"{rows} of {counted(teams, 'team')} from {days[0]} to {days[-1]}, with {scores}."


def read_move(benchmark: Benchmark, data: bytes, *, file_name: str, source: str) -> Move:
    """Read a table and compare it with what was moved in before. Nothing is written.

    Raises
    ------
    FileRefused
        If the file has problems; all of them are told, up to a thousand.
    """
    source = source.strip() or EARLIER
    read = read_moved_table(data, file_name=file_name, spec=benchmark.spec, source=source)
    rows = read.content_or(FileRefused.because_of)
    before = {row.name: row for row in benchmark.loaded_rows if row.moved_in}
    both = dumps([[asdict(row) for row in before.values()], [asdict(row) for row in rows]])
    changes = tuple(differences(before, {row.name: row for row in rows}))
    return Move(rows, changes, sha256(both.encode()).hexdigest())


def move_in(*, benchmark: Benchmark, move: Move) -> None:
    """Have the rows stand on the boards of the benchmark, in place of those that were moved in before."""
    keep_published_rows(benchmark=benchmark, rows=move.rows, moved_in=True)


def differences(
    before: Mapping[tuple[str, str, str], ReportedRow], after: Mapping[tuple[str, str, str], ReportedRow]
) -> Iterator[str]:
    """A sentence for each row that is new, otherwise or gone, in the order of the new rows."""
    for name, row in after.items():
        was = before.get(name)
        if was is None:
            scores = ", ".join(f"{key} {value:g}" for key, value in row.values.items())
            yield f"{_called(row)} is new: {scores}."
        elif was != row:
            yield f"{_called(row)}: {'; '.join(_changes(was, row))}."
    for name, row in before.items():
        if name not in after:
            yield f"{_called(row)} is taken away."


def _changes(was: ReportedRow, row: ReportedRow) -> Iterator[str]:
    for key in dict.fromkeys((*was.values, *row.values)):
        old, new = was.values.get(key), row.values.get(key)
        if old != new:
            shown = ["no score" if value is None else f"{value:g}" for value in (old, new)]
            yield f"{key} {shown[0]} becomes {shown[1]}"
    for what in ("source", "paper_url", "code_url"):
        old_text, new_text = getattr(was, what), getattr(row, what)
        if old_text != new_text:
            word = what.removesuffix("_url")
            yield f"{word} {old_text or 'none'} becomes {new_text or 'none'}"


def _called(row: ReportedRow) -> str:
    return f"{row.system} ({row.team}, {row.date})"
