"""Published figures that organisers load beside those of a definition: a supplement, another site's leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.models import Benchmark
from benchmarks.services import keep_published_rows
from benchmarks.spec import ReportedRow
from scoring.file_refusal import FileRefused
from submissions.intake.published.published_rows import read_published_rows


@dataclass(frozen=True, slots=True)
class LoadedRows:
    """What was loaded: rows, values, and how many of these the definition has already."""

    rows: int
    values: int
    known: int

    @property
    def sentence(self) -> str:
        known = f" {self.known:,} of these values stand in the definition already." if self.known else ""
        return f"{self.values:,} values in {self.rows:,} published rows are loaded.{known}"


def load_published_rows(*, benchmark: Benchmark, data: bytes, file_name: str) -> LoadedRows:
    """Have the rows of the file stand beside those of the definition from the next release on.

    They take the place of all that were loaded before.

    Raises
    ------
    FileRefused
        If the file has problems.
    """
    read = read_published_rows(data, file_name=file_name, spec=benchmark.spec)
    rows = read.content_or(FileRefused.because_of)
    keep_published_rows(benchmark=benchmark, rows=rows)
    defined = len(benchmark.definition.document.get("reported", ()))
    shown = Benchmark.objects.get(pk=benchmark.pk).spec.reported[defined:]
    return LoadedRows(len(rows), _count(rows), _count(rows) - _count(shown))


def _count(rows: Sequence[ReportedRow]) -> int:
    return sum(len(row.values) for row in rows)
