"""Which entry of a zip answers which task."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from benchmarks.spec.model import BenchmarkSpec, BundleRule
from catalogue.problems import (
    FileReport,
    Finding,
    ProblemCode,
    RefusedError,
    Report,
    quoted,
    visible,
)
from catalogue.suggestions import nearest
from submissions.intake.canonical import FileTarget, SplitTarget
from submissions.intake.predictions.seeds import (
    folder_fault,
    folder_of,
    is_meant_as_seed,
    is_misnamed,
    lacking_fault,
    lacking_files,
    part_seed,
)
from submissions.intake.predictions.zip_directory import MAX_ENTRIES, Entry, read_directory
from submissions.intake.predictions.zip_entries import MAX_NAME, archive_kind, check_entry, unpack

_LITTER_FOLDERS = ("__MACOSX/",)
_LITTER = (".DS_Store", "Thumbs.db", "desktop.ini")
_SPREADSHEET_PART = "[Content_Types].xml"


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One file as it came: its name inside the upload, its bytes, and what it answers, task by task, for one seed."""

    name: str
    data: bytes
    targets: tuple[FileTarget, ...]
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an upload may answer. `elsewhere`: by task and split, where predictions belong that are no target's."""

    benchmark: BenchmarkSpec
    targets: Sequence[SplitTarget]
    elsewhere: Mapping[tuple[str, str], str]

    def belongs_elsewhere(self, name: str) -> str:
        """The sentence about a file that is no target's, by its name below the root; empty if there is none."""
        for (task, split), sentence in self.elsewhere.items():
            path = self.benchmark.task(task).path_of(split).removeprefix(self.benchmark.bundle_root)
            if _fits(name, path):
                return sentence
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


def read_bundle(data: bytes, *, file_name: str, wanted: Wanted, report: Report) -> Iterator[TaskFile]:
    """The zip's task files one by one, in the zip's order; every fault of the zip goes to `report`."""
    benchmark, targets = wanted.benchmark, wanted.targets
    try:
        entries = read_directory(data, max_entries=_max_entries(benchmark, targets))
        _check_is_no_spreadsheet(entries)
    except RefusedError as error:
        FileReport(report, file=error.entry or file_name).refuse(error)
        return
    layout = _Layout(wanted, entries)
    misnamed = _report_misnamed_seeds(entries, layout, report)
    answered: dict[int, set[str]] = {}
    for entry in entries:
        if layout.folder_of(entry) in misnamed:
            continue
        place = layout.place_of(entry)
        try:
            content = _checked_content(data, entry, layout)
        except RefusedError as error:
            task = layout.task_of(place[0]) if place else None
            FileReport(report, file=visible(entry.name, MAX_NAME), task=task).refuse(error)
        else:
            if place:
                yield TaskFile(entry.name, content, layout.targets[place[0]], place[1])
        if place:
            answered.setdefault(place[1], set()).add(place[0])
    if not misnamed:
        found = set().union(*answered.values())
        _report_missing(layout, found, benchmark.bundle, zip_name=file_name, report=report)
    for seed, path, having in lacking_files(answered):
        FileReport(report, file=folder_of(seed) + path, task=layout.task_of(path)).add(
            lacking_fault(seed, path, having)
        )


def _max_entries(benchmark: BenchmarkSpec, targets: Sequence[SplitTarget]) -> int:
    """As many as anybody needs, with folders and other things that may be there."""
    return max(MAX_ENTRIES, 2 * benchmark.seeds * len({target.path for target in targets}))


class _Layout:
    """The names a zip may use: with or without the bundle's root, in folders of seeds, and inside one more folder."""

    def __init__(self, wanted: Wanted, entries: Sequence[Entry]) -> None:
        benchmark = wanted.benchmark
        self._wanted = wanted
        self._root = benchmark.bundle_root
        self._also_allowed = benchmark.also_allowed
        self.seeds = benchmark.seeds
        self.targets = file_targets(wanted.targets)
        self._paths = {path.removeprefix(self._root): path for path in self.targets}
        self._patterns = [path for path in self._paths if "*" in path]
        self._all_paths = _paths_of(benchmark)
        self._first: dict[str | tuple[str, int], Entry] = {}
        names = [entry.name for entry in entries if not is_litter(entry.name)]
        self._wrapper = ""
        if not any(self._place_of_name(name) for name in names):
            folder = _common_folder(names)
            self._wrapper = "" if self._has_meaning(folder) else folder
        for entry in entries:
            self._first.setdefault(self._key(entry), entry)

    def place_of(self, entry: Entry) -> tuple[str, int] | None:
        return self._place_of_name(entry.name)

    def folder_of(self, entry: Entry) -> str:
        """The outermost folder that the entry stands in, below what surrounds the whole; empty if there is none."""
        return self._relative(entry.name).rpartition("/")[0].partition("/")[0]

    def seed_folder_of(self, entry: Entry) -> str:
        relative = self._relative(entry.name)
        return relative.removesuffix(part_seed(relative, self.seeds)[1])

    def belongs_elsewhere(self, entry: Entry) -> str:
        """Where the file belongs if not into this upload, in a sentence; empty if nobody knows."""
        return self._wanted.belongs_elsewhere(self._parted(entry.name)[0])

    def is_waited_for(self, entry: Entry) -> bool:
        relative = self._parted(entry.name)[0]
        return any(
            _fits(relative, path.removeprefix(self._root)) for path in self._all_paths - set(self.targets)
        )

    def task_of(self, path: str) -> str:
        return self.targets[path][0].task.id

    def first_of_that_name(self, entry: Entry) -> Entry:
        return self._first[self._key(entry)]

    def is_allowed(self, entry: Entry) -> bool:
        name = part_seed(entry.name.removeprefix(self._wrapper), self.seeds)[1]
        return (
            entry.is_folder
            or is_litter(entry.name)
            or any(
                fnmatchcase(name, pattern) or fnmatchcase(self._root + name, pattern)
                for pattern in self._also_allowed
            )
        )

    def _key(self, entry: Entry) -> str | tuple[str, int]:
        return entry.name if entry.is_folder else self.place_of(entry) or self._relative(entry.name)

    def _place_of_name(self, name: str) -> tuple[str, int] | None:
        relative, seed = self._parted(name)
        if relative in self._paths:
            return self._paths[relative], seed
        fitting = (pattern for pattern in self._patterns if _fits(relative, pattern))
        return next(((self._paths[pattern], seed) for pattern in fitting), None)

    def _parted(self, name: str) -> tuple[str, int]:
        relative = self._relative(name)
        seed, rest = part_seed(relative, self.seeds)
        return rest.removeprefix(self._root), seed

    def _relative(self, name: str) -> str:
        return name.removeprefix(self._wrapper).removeprefix(self._root)

    def _has_meaning(self, folder: str) -> bool:
        """True for a folder that says which split or seed is answered: to pass over it would be a guess."""
        if self.seeds > 1 and is_meant_as_seed(folder.removesuffix("/")):
            return True
        return any(path.removeprefix(self._root).startswith(folder) for path in self._all_paths)


def _fits(name: str, pattern: str) -> bool:
    """True if the pattern's stars stand for parts of file names, never for folders."""
    return name.count("/") == pattern.count("/") and fnmatchcase(name, pattern)


def is_litter(name: str) -> bool:
    """True for what operating systems put into a zip unasked."""
    return name.startswith(_LITTER_FOLDERS) or name.rsplit("/", 1)[-1] in _LITTER


def _common_folder(names: Sequence[str]) -> str:
    folders = {name.partition("/")[0] for name in names if "/" in name}
    return f"{folders.pop()}/" if len(folders) == 1 and all("/" in name for name in names) else ""


def _check_is_no_spreadsheet(entries: Sequence[Entry]) -> None:
    if any(entry.name == _SPREADSHEET_PART for entry in entries):
        raise RefusedError(
            Finding(
                ProblemCode.SPREADSHEET,
                "This is a spreadsheet or another office document. Export each task as CSV (UTF-8).",
                expected="a CSV file, or a zip of CSV files",
            )
        )


def _checked_content(data: bytes, entry: Entry, layout: _Layout) -> bytes:
    """The entry's bytes. RefusedError if it is unsafe, doubled or not expected.

    Entries that nobody reads are unpacked too: an upload may be looked at later with ordinary programs.
    """
    check_entry(entry)
    earlier = layout.first_of_that_name(entry)
    if earlier is not entry:
        raise RefusedError(
            Finding(
                ProblemCode.ZIP_DUPLICATE_NAME,
                f"{quoted(earlier.name)} is in the zip already and means the same file. Keep one of the two.",
                visible(entry.name),
            )
        )
    content = unpack(data, entry)
    kind = archive_kind(content)
    if kind is not None:
        raise RefusedError(
            Finding(
                ProblemCode.ZIP_NESTED,
                f"The entry is {kind}. Put the prediction files into the zip as they are.",
                kind,
                "a CSV file",
            )
        )
    if layout.place_of(entry) is None and not layout.is_allowed(entry):
        raise RefusedError(_unknown_file(entry, layout))
    return content


def _paths_of(benchmark: BenchmarkSpec) -> set[str]:
    return {task.path_of(split.id) for task in benchmark.tasks for split in task.splits}


def _report_misnamed_seeds(entries: Sequence[Entry], layout: _Layout, report: Report) -> set[str]:
    """The folders that are meant for a seed and are none, each told once."""
    if layout.seeds == 1:
        return set()
    folders = dict.fromkeys(layout.folder_of(entry) for entry in entries if not is_litter(entry.name))
    misnamed = [folder for folder in folders if is_misnamed(folder, layout.seeds)]
    for folder in misnamed:
        shown = visible(f"{folder}/", MAX_NAME)
        FileReport(report, file=shown).add(folder_fault(folder, layout.seeds))
    return set(misnamed)


def _unknown_file(entry: Entry, layout: _Layout) -> Finding:
    if elsewhere := layout.belongs_elsewhere(entry):
        return Finding(ProblemCode.UNKNOWN_FILE, f"{elsewhere} Leave the file out.", visible(entry.name))
    if layout.is_waited_for(entry):
        return Finding(
            ProblemCode.UNKNOWN_FILE,
            "The organiser has not loaded the ids of this split yet, so the file cannot be checked. Leave it out.",
            visible(entry.name),
        )
    in_name = [
        path for path, targets in layout.targets.items() for target in targets if target.task.id in entry.name
    ]
    expected = layout.seed_folder_of(entry) + nearest(entry.name, in_name or list(layout.targets))
    return Finding(
        ProblemCode.UNKNOWN_FILE,
        f"The benchmark knows no file of this name. Nearest: {expected}. Rename the file or leave it out.",
        visible(entry.name),
        expected,
    )


def _report_missing(
    layout: _Layout, answered: set[str], rule: BundleRule, *, zip_name: str, report: Report
) -> None:
    paths = [path for path in layout.targets if path not in answered]
    if rule is BundleRule.ANY:
        if not answered:
            FileReport(report, file=zip_name).add(
                Finding(
                    ProblemCode.MISSING_FILE,
                    "The zip holds no task's file. Put at least one in it, named as expected.",
                    expected=" | ".join(paths),
                )
            )
        return
    for path in paths:
        task = layout.task_of(path)
        FileReport(report, file=path, task=task).add(
            Finding(
                ProblemCode.MISSING_FILE,
                f"The zip has no file for {task}. Add {path}; "
                "or, to answer one task alone, send its file without a zip.",
                expected=path,
            )
        )
