"""Which entry of a zip answers which task."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from benchmarks.spec.model import BundleRule
from catalogue.layouts.other_files import OFFICE_DOCUMENT
from catalogue.problems import (
    FileReport,
    Finding,
    ProblemCode,
    RefusedError,
    Report,
    quoted,
    visible,
)
from catalogue.suggestions import near
from submissions.intake.gzipped import bare_name, is_gzip, unpacked
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.log_archive import (
    OnePiece,
    entries_of_items,
    in_one_piece,
    of_entries,
)
from submissions.intake.predictions.seeds import (
    folder_fault,
    folder_of,
    is_meant_as_seed,
    is_misnamed,
    lacking_fault,
    lacking_files,
    part_seed,
)
from submissions.intake.predictions.wanted_files import TaskFile, Wanted, file_targets, fits
from submissions.intake.predictions.zip_directory import (
    MAX_ENTRIES,
    MAX_ENTRY_UNPACKED,
    MAX_NAME,
    MAX_UNPACKED,
    Entry,
    archive_kind,
    check_entry,
    read_directory,
    unpack,
)

_LITTER_FOLDERS = ("__MACOSX/",)
_LITTER = (".DS_Store", "Thumbs.db", "desktop.ini")
_RESOURCE = "._"  # what macOS keeps beside a file, where it packs one
_MOST_RECOGNISED = 100
_OFFICE_PARTS = frozenset(
    {"[Content_Types].xml", "META-INF/manifest.xml"}
)  # of Microsoft's programs and LibreOffice


def read_bundle(data: bytes, *, file_name: str, wanted: Wanted, report: Report) -> Iterator[TaskFile]:
    """The zip's task files one by one, in the zip's order; every fault of the zip goes to `report`."""
    try:
        entries = _entries(data, wanted)
    except RefusedError as error:
        FileReport(report, file=error.entry or file_name).refuse(error)
        return
    layout = ZipLayout(wanted, data, entries)
    entries = layout.entries
    layout.report_names(report)
    misnamed = layout.report_misnamed_seeds(entries, report)
    answered: dict[int, set[str]] = {}
    holds_archive = False
    for entry in entries:
        if layout.folder_of(entry.name) in misnamed or layout.is_further_item(entry):
            continue
        place = layout.place_of(entry.name)
        try:
            content = layout.content(data, entry)
        except RefusedError as error:
            task = layout.task_of(place[0]) if place else None
            shown = error.entry or visible(entry.name, MAX_NAME)
            FileReport(report, file=shown, task=task).refuse(error)
            holds_archive |= place is None and error.finding.code is ProblemCode.ZIP_NESTED
        else:
            if place:
                name = place[0] if content.entries else entry.name
                yield TaskFile(
                    name, content.data, layout.targets[place[0]], place[1], entries=content.entries
                )
        if place:
            answered.setdefault(place[1], set()).add(place[0])
    if not misnamed and not holds_archive:  # which may have what is missing
        layout.report_missing(set().union(*answered.values()), file_name, report)
    for seed, path, having in lacking_files(answered):
        FileReport(report, file=folder_of(seed) + path, task=layout.task_of(path)).add(
            lacking_fault(seed, path, having)
        )


def _entries(data: bytes, wanted: Wanted) -> list[Entry]:
    """As many entries as anybody needs, with folders and other things that may be there."""
    of_path = {target.path: len(target.ids) if "*" in target.path else 1 for target in wanted.targets}
    files = sum(of_path.values())  # a star may stand for each item
    entries = read_directory(data, max_entries=max(MAX_ENTRIES, 2 * wanted.benchmark.seeds * files))
    if any(entry.name in _OFFICE_PARTS for entry in entries):
        raise RefusedError(OFFICE_DOCUMENT)
    return entries


class ZipLayout:
    """The names a zip may use: with or without the bundle's root, in folders of seeds, and inside folders around all.

    `entries` are those of the zip; where a name with backslashes answers something with slashes, with slashes. A file
    whose name answers nothing has its place all the same if it can only be that of one task: by its name, or because
    its rows answer that task alone. `report_names` tells of both.
    """

    def __init__(self, wanted: Wanted, data: bytes, entries: Sequence[Entry]) -> None:
        benchmark = wanted.benchmark
        self._wanted = wanted
        self._root = benchmark.bundle_root
        self._seeds = benchmark.seeds
        self.targets = file_targets(wanted.targets)
        self._paths = {path.removeprefix(self._root): path for path in self.targets}
        self._all_paths = {task.path_of(split.id) for task in benchmark.tasks for split in task.splits}
        self._recognised: dict[str, tuple[str, int]] = {}
        self._backslashed: dict[str, str] = {}
        self._places: dict[str, tuple[str, int] | None] = {}
        self._left = MAX_UNPACKED  # for what is compressed once more in entries
        straight = [replace(entry, name=entry.name.replace("\\", "/")) for entry in entries]
        names = [entry.name for entry in straight if not is_litter(entry.name)]
        self._wrapper = ""
        while not any(map(self.place_of, names)) and (folder := self._folder_around(names)):
            self._wrapper += folder
        self.entries = [self._named(entry, other) for entry, other in zip(entries, straight, strict=True)]
        if self._seeds == 1:
            self._recognise(data)
        self._places = {entry.name: self.place_of(entry.name) for entry in self.entries}
        self._of_items = entries_of_items(self.entries, self.place_of, self.targets)
        self._first: dict[str | tuple[str, int], Entry] = {}
        for entry in self.entries:
            self._first.setdefault(self._key(entry), entry)

    def place_of(self, name: str) -> tuple[str, int] | None:
        """The path and the seed of the file of that name; None if it answers nothing."""
        if name in self._places:
            return self._places[name]
        if name in self._recognised:
            return self._recognised[name]
        relative, seed = self._parted(name)
        for named in (relative, bare_name(relative)):
            if named in self._paths:
                return self._paths[named], seed
        fitting = (
            path for pattern, path in self._paths.items() if "*" in pattern and fits(relative, pattern)
        )
        return next(((path, seed) for path in fitting), None)

    def is_further_item(self, entry: Entry) -> bool:
        """True for an entry of one item that is read with the first of them."""
        entries = self._of_items.get(self.place_of(entry.name) or ("", 0))
        return entries is not None and entry is not entries[0]

    def report_names(self, report: Report) -> None:
        """Tell of the names of files that have their place all the same."""
        for entry in self.entries:
            place = self.place_of(entry.name)
            if place and entry.name in self._backslashed:
                code, pattern, found = ProblemCode.ZIP_UNSAFE_NAME, "backslash", self._backslashed[entry.name]
                sentence, expected = "The name is written with backslashes.", entry.name
            elif place and entry.name in self._recognised:
                code, pattern, found = ProblemCode.UNKNOWN_FILE, "recognised", entry.name
                sentence, expected = f"The file is recognised as that of {self.task_of(place[0])}.", place[0]
            else:
                continue
            shown, wanted = visible(found, MAX_NAME), visible(expected, MAX_NAME)
            message = f"{sentence} Its name has to be {wanted}."
            FileReport(report, file=shown, task=self.task_of(place[0])).add(
                Finding(code, message, shown, wanted, pattern)
            )

    def has_wrong_name(self, entry: Entry) -> bool:
        """True for a file that has its place although its name is not the right one."""
        return entry.name in self._recognised or entry.name in self._backslashed

    def _named(self, entry: Entry, straight: Entry) -> Entry:
        if straight.name == entry.name or self.place_of(straight.name) is None:
            return entry
        self._backslashed[straight.name] = entry.name
        return straight

    def _recognise(self, data: bytes) -> None:
        """Give a place to files that can only be those of one task each."""
        placed = {place[0] for entry in self.entries if (place := self.place_of(entry.name))}
        unplaced = [
            entry
            for entry in self.entries
            if self.place_of(entry.name) is None
            and not self._is_allowed(entry)
            and not self._is_elsewhere(entry.name)
        ]
        free = [path for path in self.targets if path not in placed and "*" not in path]
        if not free or len(unplaced) > _MOST_RECOGNISED:
            return
        meant: dict[str, list[Entry]] = {}
        for entry in unplaced:
            fitting = self._paths_named_like(entry.name, free) or self._paths_answered_by(data, entry, free)
            if len(fitting) == 1:
                meant.setdefault(fitting[0], []).append(entry)
        self._recognised = {
            entries[0].name: (path, 1) for path, entries in meant.items() if len(entries) == 1
        }

    def _paths_named_like(self, name: str, free: Sequence[str]) -> list[str]:
        """The paths of the tasks that a name names, or of the only file that is called so."""
        own = name.rpartition("/")[2].casefold()
        called = [path for path in self.targets if path.rpartition("/")[2].casefold() == own]
        if len(called) == 1:
            return [path for path in called if path in free]
        tasks = {self.task_of(path) for path in self.targets if self.task_of(path).casefold() in own}
        named = {task for task in tasks if not any(task != other and task in other for other in tasks)}
        if len(named) != 1:
            return []
        paths = [path for path in self.targets if self.task_of(path) in named]
        return paths if len(paths) == 1 and paths[0] in free else []

    def _paths_answered_by(self, data: bytes, entry: Entry, free: Sequence[str]) -> list[str]:
        """The paths whose tasks the rows answer without a fault."""
        try:
            check_entry(entry)
            content = unpack(data, entry)
        except RefusedError:
            return []
        return [
            path
            for path in free
            if all(read_ordinary(content, target) is not None for target in self.targets[path])
        ]

    def _is_elsewhere(self, name: str) -> bool:
        below_root = self._parted(name)[0]
        waiting = (path.removeprefix(self._root) for path in self._all_paths - set(self.targets))
        return bool(self._wanted.belongs_elsewhere(below_root)) or any(
            fits(below_root, path) for path in waiting
        )

    def folder_of(self, name: str) -> str:
        """The outermost folder that a name stands in, below what surrounds the whole; empty if there is none."""
        return self._relative(name).rpartition("/")[0].partition("/")[0]

    def task_of(self, path: str) -> str:
        return self.targets[path][0].task.id

    def content(self, data: bytes, entry: Entry) -> OnePiece:
        """The file that the entry is, or that all entries of its place are. RefusedError if it is unsafe, doubled or
        not expected.

        Entries that nobody reads are unpacked too: an upload may be looked at later with ordinary programs.
        """
        check_entry(entry)
        place = self.place_of(entry.name)
        if place and (entries := self._of_items.get(place)):
            target = self.targets[place[0]][0]
            form = replace(target.task.file, path=place[0])
            if together := of_entries(data, entries, form, target.most_bytes):
                return together
        earlier = self._first[self._key(entry)]
        if earlier is not entry:
            raise RefusedError(
                Finding(
                    ProblemCode.ZIP_DUPLICATE_NAME,
                    f"{quoted(earlier.name)} is in the zip already and means the same file. Keep one of the two.",
                    visible(entry.name),
                )
            )
        content = unpack(data, entry)
        if place and is_gzip(content):
            needed = max(target.most_bytes for target in self.targets[place[0]])
            content = unpacked(content, min(needed, MAX_ENTRY_UNPACKED, self._left))
            self._left -= len(content)
        piece = in_one_piece(content, self.targets[place[0]]) if place else None
        piece = piece or OnePiece(content, ())
        kind = archive_kind(piece.data)
        if kind is not None:
            raise RefusedError(
                Finding(
                    ProblemCode.ZIP_NESTED,
                    f"The entry is {kind}. Put the prediction files into the zip as they are.",
                    kind,
                    "a CSV file",
                )
            )
        if place is None and not self._is_allowed(entry):
            raise RefusedError(self._unknown_file(entry.name))
        return piece

    def report_misnamed_seeds(self, entries: Sequence[Entry], report: Report) -> set[str]:
        """The folders that are meant for a seed and are none, each told once."""
        folders = dict.fromkeys(self.folder_of(entry.name) for entry in entries if not is_litter(entry.name))
        misnamed = [folder for folder in folders if self._seeds > 1 and is_misnamed(folder, self._seeds)]
        for folder in misnamed:
            shown = visible(f"{folder}/", MAX_NAME)
            FileReport(report, file=shown).add(folder_fault(folder, self._seeds))
        return set(misnamed)

    def report_missing(self, answered: set[str], zip_name: str, report: Report) -> None:
        """What the benchmark's rule asks for and no entry answers."""
        paths = [path for path in self.targets if path not in answered]
        if self._wanted.benchmark.bundle is not BundleRule.ANY:
            for path in paths:
                task = self.task_of(path)
                FileReport(report, file=path, task=task).add(
                    Finding(
                        ProblemCode.MISSING_FILE,
                        f"The zip has no file for {task}. Add {path}; "
                        "or, to answer one task alone, send its file without a zip.",
                        expected=path,
                    )
                )
        elif not answered:
            FileReport(report, file=zip_name).add(
                Finding(
                    ProblemCode.MISSING_FILE,
                    "The zip holds no task's file. Put at least one in it, named as expected.",
                    expected=" | ".join(paths),
                )
            )

    def _unknown_file(self, name: str) -> Finding:
        below_root, relative = self._parted(name)[0], self._relative(name)
        waiting = (path.removeprefix(self._root) for path in self._all_paths - set(self.targets))
        if elsewhere := self._wanted.belongs_elsewhere(below_root):
            return Finding(ProblemCode.UNKNOWN_FILE, f"{elsewhere} Leave the file out.", visible(name))
        if any(fits(below_root, path) for path in waiting):
            return Finding(
                ProblemCode.UNKNOWN_FILE,
                "The organiser has not loaded the ids of this split yet, so the file cannot be checked. "
                "Leave it out.",
                visible(name),
            )
        in_name = [
            path for path, targets in self.targets.items() for target in targets if target.task.id in name
        ]
        seed_folder = relative.removesuffix(part_seed(relative, self._seeds)[1])
        closest = near(name, in_name or list(self.targets))
        expected = seed_folder + closest if closest else None
        hint = f"Nearest: {expected}. Rename the file or leave it out." if expected else "Leave it out."
        message = f"The benchmark knows no file of this name. {hint}"
        return Finding(ProblemCode.UNKNOWN_FILE, message, visible(name), expected)

    def _is_allowed(self, entry: Entry) -> bool:
        """Whether it may be there and is not read."""
        name = part_seed(entry.name.removeprefix(self._wrapper), self._seeds)[1]
        patterns = self._wanted.benchmark.also_allowed
        is_named = any(fnmatchcase(path, each) for each in patterns for path in (name, self._root + name))
        return entry.is_folder or is_litter(entry.name) or is_named

    def _key(self, entry: Entry) -> str | tuple[str, int]:
        return entry.name if entry.is_folder else self.place_of(entry.name) or self._relative(entry.name)

    def _parted(self, name: str) -> tuple[str, int]:
        """The name below root and seed, and the seed."""
        seed, rest = part_seed(self._relative(name), self._seeds)
        return rest.removeprefix(self._root), seed

    def _relative(self, name: str) -> str:
        return name.removeprefix(self._wrapper).removeprefix(self._root)

    def _folder_around(self, names: Sequence[str]) -> str:
        """The one folder around all names, but for one that says which split or seed is answered: that is no guess."""
        folder = _common_folder([name.removeprefix(self._wrapper) for name in names])
        is_path = any(path.removeprefix(self._root).startswith(folder) for path in self._all_paths)
        return "" if is_path or (self._seeds > 1 and is_meant_as_seed(folder.removesuffix("/"))) else folder


def is_litter(name: str) -> bool:
    """True for what operating systems put into a zip unasked."""
    bare = name.rsplit("/", 1)[-1]
    return name.startswith(_LITTER_FOLDERS) or bare in _LITTER or bare.startswith(_RESOURCE)


def _common_folder(names: Sequence[str]) -> str:
    """The one folder that all names stand in, with its slash; empty if there is none."""
    folders = {name.partition("/")[0] for name in names if "/" in name}
    return f"{folders.pop()}/" if len(folders) == 1 and all("/" in name for name in names) else ""
