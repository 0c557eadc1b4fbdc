"""The folder of a rehearsal: the definition, the gold labels, who takes part, and what they and the organisers do."""

import datetime as dt
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec
from benchmarks.spec.read_phases import instant_in_utc

DEFINITION, GOLD, GIVEN, TEAMS, UPLOADS, ACTS, EXPECTED = (
    "benchmark.yaml",
    "gold",
    "given",
    "teams.json",
    "uploads.json",
    "acts.json",
    "expected.json",
)
NO_INSTANT = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)  # stands where a file has none, until it is refused
FIRST_INSTANT = dt.timedelta(minutes=5)
"""How long before anything else happens the benchmark is set up and its gold labels are loaded."""


class FolderRefused(Exception):
    """The folder holds no event that can be played; `mistakes` names the file and place of each."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


@dataclass(frozen=True, slots=True)
class EventUpload:
    """One upload. `phase`, `split`, `track`, `system` and `person` are empty where the file does not name them."""

    number: int
    sent_at: dt.datetime
    team: str
    file: Path
    task: str = ""
    split: str = ""
    phase: str = ""
    track: str = ""
    system: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class EventAct:
    """What an organiser does at an instant; `facts` are those of its kind, see docs/rehearsal.md."""

    at: dt.datetime
    kind: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """A shared task in files. `people` are the members of each team; the first one sends where nobody is named."""

    folder: Path
    document: dict[str, Any]
    spec: BenchmarkSpec
    gold: Mapping[tuple[str, str], Path]
    people: Mapping[str, tuple[str, ...]]
    uploads: tuple[EventUpload, ...]
    acts: tuple[EventAct, ...]
    expected: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Path] = field(default_factory=dict)

    @property
    def begins_at(self) -> dt.datetime:
        """When the benchmark is set up: shortly before the first thing that happens."""
        opening = [phase.opens_at for phase in self.spec.phases if phase.opens_at]
        instants = [*opening, *(one.sent_at for one in self.uploads), *(act.at for act in self.acts)]
        return min(instants) - FIRST_INSTANT


def read_event(folder: Path) -> Event:
    """The event in a folder.

    Raises
    ------
    FolderRefused
        With a line per mistake.
    """
    path = folder / DEFINITION
    try:
        document = parse_yaml(path.read_text("utf-8"), DEFINITION)
        spec = build_spec(document, DEFINITION)
    except OSError as error:
        raise FolderRefused([f"{path} cannot be read: {error.strerror}"]) from None
    except DefinitionError as error:
        raise FolderRefused(list(error.mistakes)) from None
    mistakes: list[str] = []
    gold = _gold(folder, spec, mistakes)
    given = _given(folder, spec, mistakes)
    uploads = tuple(
        _upload(row, place, folder, spec, mistakes) for place, row in _rows(folder, UPLOADS, mistakes)
    )
    acts = tuple(_act(row, place, mistakes) for place, row in _rows(folder, ACTS, mistakes, is_needed=False))
    people = _people(folder, uploads, mistakes)
    expected = _json(folder / EXPECTED, mistakes) if (folder / EXPECTED).exists() else {}
    if mistakes:
        raise FolderRefused(mistakes)
    by_time = sorted(uploads, key=lambda upload: (upload.sent_at, upload.number))
    return Event(folder, document, spec, gold, people, tuple(by_time), acts, expected, given)


def file_within(folder: Path, name: object) -> Path | None:
    """A file by the name that the folder gives it; None where there is none, or it would lie outside."""
    path = Path(os.path.normpath(folder / str(name)))
    is_ours = path.is_relative_to(os.path.normpath(folder))
    return path if is_ours and os.path.isfile(path) else None  # also for names that no file can have


def _gold(folder: Path, spec: BenchmarkSpec, mistakes: list[str]) -> dict[tuple[str, str], Path]:
    """The gold file of each split: in the folder of the split, called by the task or as the definition calls it."""
    found = {}
    for task in spec.tasks:
        for split in task.gold_splits:
            path = split.gold_file or task.gold.path
            names = list(dict.fromkeys([path, path.rpartition("/")[2], f"{task.id}{Path(path).suffix}"]))
            files = [file_within(folder / GOLD, f"{split.id}/{name}") for name in names]
            if there := [file for file in files if file]:
                found[task.id, split.id] = there[0]
            else:
                mistakes.append(
                    f"{GOLD}/{split.id}: no gold file for {task.id}; looked for {', '.join(names)}"
                )
    return found


def _given(folder: Path, spec: BenchmarkSpec, mistakes: list[str]) -> dict[str, Path]:
    """The files that phases name, by name; each has to be there."""
    names = sorted({name for phase in spec.phases for given in phase.given for name in given.files})
    files = {name: file for name in names if (file := file_within(folder / GIVEN, name))}
    lacking = [name for name in names if name not in files]
    mistakes += [f"{GIVEN}: there is no file {name}, which the definition gives" for name in lacking]
    return files


def _json(path: Path, mistakes: list[str]) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        mistakes.append(f"{path.name} cannot be read: {error.strerror}")
    except ValueError as error:
        mistakes.append(f"{path.name} is not JSON: {error}")
    return None


def _rows(
    folder: Path, name: str, mistakes: list[str], *, is_needed: bool = True
) -> list[tuple[str, dict[str, Any]]]:
    """The mappings of a file that holds a list of them, each with its place in words."""
    path = folder / name
    if not is_needed and not path.exists():
        return []
    rows = _json(path, mistakes)
    if rows is None:
        return []
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        mistakes.append(f"{name}: expected a list of mappings")
        return []
    return [(f"{name}[{place}]", row) for place, row in enumerate(rows)]


def _upload(
    row: Mapping[str, Any], place: str, folder: Path, spec: BenchmarkSpec, mistakes: list[str]
) -> EventUpload:
    file = file_within(folder, row.get("file", ""))
    if file is None:
        mistakes.append(f"{place}.file: there is no file {row.get('file')!r}")
    if row.get("task") and row["task"] not in (known := [task.id for task in spec.tasks]):
        mistakes.append(f"{place}.task: no task is called {row['task']!r}; there is {', '.join(known)}")
    if not row.get("team"):
        mistakes.append(f"{place}.team: is missing; expected the name of a team")
    named = {key: str(row.get(key) or "") for key in ("task", "split", "phase", "track", "system", "person")}
    number = row.get("number")
    return EventUpload(
        number=number if isinstance(number, int) else int(place.partition("[")[2].rstrip("]")) + 1,
        sent_at=_instant(row, "sent_at", place, mistakes),
        team=str(row.get("team", "")),
        file=file or folder,
        **named,
    )


def _act(row: Mapping[str, Any], place: str, mistakes: list[str]) -> EventAct:
    facts = {key: value for key, value in row.items() if key not in ("at", "act", "note")}
    if not row.get("act"):
        mistakes.append(f"{place}.act: is missing; expected what is done, such as extend")
    return EventAct(_instant(row, "at", place, mistakes), str(row.get("act", "")), facts)


def _instant(row: Mapping[str, Any], key: str, place: str, mistakes: list[str]) -> dt.datetime:
    try:
        return instant_in_utc(str(row.get(key)))
    except ValueError:
        mistakes.append(
            f"{place}.{key}: expected an instant with its zone such as 2026-01-10T00:00:00Z, found {row.get(key)!r}"
        )
        return NO_INSTANT


def _people(
    folder: Path, uploads: tuple[EventUpload, ...], mistakes: list[str]
) -> dict[str, tuple[str, ...]]:
    """The members of each team by name; a team that the file does not name has one, called after it."""
    stated = _json(folder / TEAMS, mistakes) if (folder / TEAMS).exists() else {}
    if not isinstance(stated, dict) or not all(isinstance(people, list) for people in stated.values()):
        mistakes.append(f"{TEAMS}: expected a mapping from the name of a team to a list of its people")
        stated = {}
    people = {str(team): tuple(map(str, members)) or (team,) for team, members in stated.items()}
    for upload in uploads:
        people.setdefault(upload.team, (upload.person or upload.team,))
        if upload.person and upload.person not in people[upload.team]:
            mistakes.append(f"{UPLOADS}: {upload.person} is not among the people of {upload.team}")
    return people
