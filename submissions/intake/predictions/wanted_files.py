"""What an upload may answer, and the files in it that answer something."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from benchmarks.spec.model import BenchmarkSpec
from submissions.intake.canonical import FileTarget, ItemIds, SplitTarget


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One file as it came: its name inside the upload, its bytes, and what it answers, task by task, for one seed.

    `entries` are the names of the entries of a zip that the lines of the file were, if it came so.
    """

    name: str
    data: bytes
    targets: tuple[FileTarget, ...]
    seed: int = 1
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where predictions for a split belong that is no target, in a sentence; `ids` are its ids where they are known."""

    sentence: str
    ids: ItemIds | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an upload may answer. `elsewhere`: by task and split, where predictions belong that are no target's."""

    benchmark: BenchmarkSpec
    targets: Sequence[SplitTarget]
    elsewhere: Mapping[tuple[str, str], Elsewhere]

    def belongs_elsewhere(self, name: str) -> str:
        """The sentence about a file that is no target's, by its name below the root; empty if there is none."""
        for (task, split), other in self.elsewhere.items():
            path = self.benchmark.task(task).path_of(split).removeprefix(self.benchmark.bundle_root)
            if fits(name, path):
                return other.sentence
        return ""


def file_targets(targets: Sequence[SplitTarget]) -> dict[str, tuple[FileTarget, ...]]:
    """What each file must answer, by its path; the splits of one task that share a file stand together."""
    splits: dict[str, dict[str, list[SplitTarget]]] = {}
    for target in targets:
        splits.setdefault(target.path, {}).setdefault(target.task.id, []).append(target)
    return {
        path: tuple(FileTarget(split[0].task, tuple(split)) for split in by_task.values())
        for path, by_task in splits.items()
    }


def fits(name: str, pattern: str) -> bool:
    """True if the pattern's stars stand for parts of file names, never for folders."""
    return name.count("/") == pattern.count("/") and fnmatchcase(name, pattern)
