"""The definition that the boards of a release were made by."""

from collections.abc import Mapping
from hashlib import sha256
from json import dumps
from typing import Any, NotRequired, TypedDict

from benchmarks.models import Benchmark, PublishedRows
from breaking.sets.removed_names import titles_instead
from leaderboard.reports.report import ReleaseDraft, ReleaseReport


class DefinitionPayload(TypedDict):
    """The document of a definition, the sets that were made for it, and published rows that were loaded beside it."""

    document: dict[str, Any]
    made_splits: list[dict[str, Any]]
    published_rows: NotRequired[list[dict[str, Any]]]


class DefinitionReport(ReleaseReport[DefinitionPayload]):
    """The document of the benchmark, the sets that were made for it, and published rows, if any were loaded."""

    key = "definition"
    is_rounded = False

    def make(self, draft: ReleaseDraft) -> DefinitionPayload:
        benchmark = draft.release.benchmark
        payload: DefinitionPayload = {
            "document": benchmark.definition.document,
            "made_splits": benchmark.made_splits,
        }
        return payload | {"published_rows": rows} if (rows := benchmark.published_rows) else payload


def defined_as(benchmark: Benchmark, reports: Mapping[str, Any]) -> bool:
    """Have the row, in memory, say what it said when a release was frozen; False where that is not known.

    Sets that bore the name of a team which was removed are called as they are now.
    Attacks, rows of people and what phases are set to are rows of their own and stay as they are.
    """
    stored = reports.get(DefinitionReport.key)
    if stored is None:
        return False
    benchmark.definition.document = stored["document"]
    benchmark.definition_sha256 = sha256(dumps(stored["document"], default=str).encode()).hexdigest()
    instead = titles_instead(benchmark)
    benchmark.made_splits = [
        {**row, "split": {**row["split"], "title": instead.get(row["split"]["title"], row["split"]["title"])}}
        for row in stored["made_splits"]
    ]
    rows = stored.get("published_rows", [])
    PublishedRows(benchmark=benchmark, rows=rows)  # becomes `benchmark.published`, in memory
    benchmark.published_sha256 = sha256(dumps(rows).encode()).hexdigest() if rows else ""
    return True
