"""How far a benchmark has come since its definition was written: its phases, and the sets that breakers have made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.spec import BenchmarkSpec, PhaseKind, SplitSpec
from client.server import Server
from client.store import Store

_NAME = "progress"


@dataclass(frozen=True, slots=True)
class Progress:
    """The title and kind of each phase by its id; and by task the id, title and file of every set it has."""

    phases: Mapping[str, tuple[str, PhaseKind]]
    sets: Mapping[str, list[tuple[str, str, str]]]

    def kind_of(self, phase: str) -> PhaseKind:
        """What a phase takes; the server has the last word on one that is not known here."""
        return self.phases.get(phase, ("", PhaseKind.PREDICTIONS))[1]

    def with_made_splits(self, spec: BenchmarkSpec) -> BenchmarkSpec:
        made = {}
        for task in spec.tasks:
            named = {split.id for split in task.splits}
            made[task.id] = [
                SplitSpec(one, title, file=file, made=True)
                for one, title, file in self.sets.get(task.id, [])
                if one not in named
            ]
        return spec.with_splits(made)


def told_progress(told: Mapping[str, Any], benchmark: str, server: Server) -> Progress:
    """What the server says now; stored for the next time."""
    document = {
        "phases": {
            one["name"].partition("/")[2]: [one["title"], one.get("kind", "predictions")]
            for one in told["phases"]
        },
        "sets": {
            task["id"]: [[split["id"], split["title"], split["file_path"]] for split in task["splits"]]
            for task in told["tasks"]
        },
    }
    Store(server.url, benchmark).write(_NAME, document)
    return _read(document)


def stored_progress(benchmark: str, server: Server) -> Progress | None:
    """What the server said before; None where nothing is stored."""
    stored = Store(server.url, benchmark).read(_NAME)
    try:
        return _read(stored) if stored else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _read(document: Mapping[str, Any]) -> Progress:
    return Progress(
        {slug: (title, PhaseKind(kind)) for slug, (title, kind) in document["phases"].items()},
        {task: [(one, title, file) for one, title, file in sets] for task, sets in document["sets"].items()},
    )
