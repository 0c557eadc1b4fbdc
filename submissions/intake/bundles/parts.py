"""Parts of a bundle: its keys, files and texts, with the report of how they were read."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from submissions.intake.bundles.archive import Archive, joined
from submissions.intake.bundles.competition import BundlePage, OfferedFile
from submissions.intake.bundles.dates import instant
from submissions.intake.bundles.report import Fate, Note
from submissions.intake.bundles.texts import as_markdown, as_plain, decoded, looks_like_html
from submissions.intake.bundles.yaml_reader import Lined

MOST_PARTS = 500
"""Phases, tasks, columns or pages that are read."""

LeftOut = tuple[str, str] | tuple[str, str, str]
"""A key that is not carried, why, and what to do."""

FEWER: tuple[LeftOut, ...] = (
    ("image", "there are no logos"),
    ("queue", "nothing is executed here"),
    ("docker_image", "nothing is executed here"),
    ("competition_docker_image", "nothing is executed here"),
    (
        "enable_detailed_results",
        "pages that a scoring program writes have no place; reports of items are made here",
    ),
    ("enable_forum", "there is no forum; participants ask the organisers"),
    ("forum_enabled", "there is no forum; participants ask the organisers"),
    ("reward", "it has no place of its own"),
)
"""Of a competition in either format."""
_NO_PROGRAMS = "programs are not run here"
OF_TASKS: tuple[LeftOut, ...] = (
    (
        "scoring_program",
        f"{_NO_PROGRAMS}; its text was read for the name of a metric",
        "Confirm the metric, with a submission whose score you know.",
    ),
    ("ingestion_program", f"{_NO_PROGRAMS}, so participants hand in files of labels in place of code"),
    ("input_data", "files are given one by one", "Load what participants need as files for everybody."),
)
"""Of a task in either format; version 1 has it in the phase."""


@dataclass
class Reading:
    """A bundle while it is read: its archive, the folder that it is in, and the report so far."""

    archive: Archive
    base: str
    file: str
    notes: list[Note] = field(default_factory=list)

    def note(self, key: str, outcome: Fate, why: str, what_to_do: str = "", *, line: int = 0) -> None:
        self.notes.append(Note(self.file, key, outcome, why, what_to_do, line))

    def wrong(self, key: str, why: str, *, line: int = 0) -> None:
        self.note(key, Fate.REFUSED, why, line=line)

    def text_of(self, path: str, key: str, line: int) -> str:
        """The text of a member; empty, with a note, where it is not there."""
        found = self.place(path, key, line)
        if not found:
            return ""
        if not self.archive.has(found):
            self.note(key, Fate.LEFT_OUT, f"{path[:120]} is a folder; expected a file", line=line)
            return ""
        text, encoding = decoded(self.archive.read(found, at_most=2 << 20))
        if encoding != "UTF-8":
            self.notes.append(
                Note(
                    found,
                    key,
                    Fate.OTHERWISE,
                    f"it is not UTF-8, and was read as {encoding}",
                    "Look at its letters.",
                )
            )
        return text

    def place(self, path: str, key: str, line: int, *, is_needed: bool = False) -> str:
        """Where a path of the bundle leads; empty, with a note, where it leads nowhere or out of the bundle."""
        found = joined(self.base, path)
        if found is None:
            self.wrong(key, f"the path {path[:120]!r} leaves the bundle", line=line)
            return ""
        if self.archive.has(found) or self.archive.below(found):
            return found
        why = f"{path[:120]} is not in the bundle"
        if is_needed:
            self.wrong(key, why, line=line)
        else:
            self.note(key, Fate.LEFT_OUT, why, line=line)
        return ""


@dataclass
class Part:
    """A mapping of the bundle's YAML; keys that nobody asks for are told by `close`."""

    values: Lined
    path: str
    reading: Reading
    _known: set[str] = field(default_factory=set)

    def line(self, key: str) -> int:
        return self.values.lines.get(key, 0)

    def key(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def raw(self, key: str) -> Any:
        self._known.add(key)
        return self.values.get(key)

    def text(self, key: str, default: str = "") -> str:
        value = self.raw(key)
        if value is None or isinstance(value, dict | list):
            return default
        return " ".join(str(value).split()) or default

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.raw(key)
        if isinstance(value, str):
            return value.strip().lower() in ("true", "yes", "1")
        return default if value is None else bool(value)

    def count(self, key: str, default: int | None = None) -> int | None:
        """A number from 1 on; None for none, and with a note for what is none."""
        value = self.raw(key)
        if value is None:
            return default
        try:
            number = int(float(value))
        except (TypeError, ValueError, OverflowError):
            self.reading.note(
                self.key(key),
                Fate.LEFT_OUT,
                f"expected a number, found {str(value)[:40]!r}",
                line=self.line(key),
            )
            return default
        if number < 1 and key.startswith("max_"):
            self.reading.note(
                self.key(key),
                Fate.OTHERWISE,
                f"expected a number from 1 on, found {str(value)[:40]}; it was read as no limit",
                "Set the limit, if there is to be one.",
                line=self.line(key),
            )
        return number if number > 0 else None

    def instant(self, key: str) -> dt.datetime | None:
        text = self.text(key)
        if not text:
            return None
        read = instant(text)
        if read is None:
            self.reading.note(
                self.key(key),
                Fate.LEFT_OUT,
                f"{text[:40]!r} is no date that can be read",
                "Set the date of the phase by hand.",
                line=self.line(key),
            )
            return None
        if read[1]:
            self.reading.note(
                self.key(key),
                Fate.TO_DECIDE,
                f"{text[:40]!r} was read with {read[1]}: {read[0]:%d %B %Y}",
                "Correct the date of the phase if it is the other way round.",
                line=self.line(key),
            )
        return read[0]

    def parts(self, key: str) -> Iterator["Part"]:
        """The mappings of a list, or of a mapping in the order that it stands in."""
        value = self.raw(key)
        each = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        for count, (name, inner) in enumerate(each):
            if count >= MOST_PARTS:
                self.reading.note(
                    self.key(key), Fate.LEFT_OUT, f"more than {MOST_PARTS} entries", line=self.line(key)
                )
                return
            place = f"{self.key(key)}[{name}]"
            if isinstance(inner, Lined):
                yield Part(inner, place, self.reading)
            else:
                self.reading.note(place, Fate.LEFT_OUT, "expected a mapping of keys", line=self.line(key))

    def named(self, key: str) -> Iterator[tuple[str, "Part"]]:
        """The mappings of a mapping, by their names."""
        value = self.raw(key)
        for name, inner in value.items() if isinstance(value, dict) else ():
            if isinstance(inner, Lined):
                yield str(name), Part(inner, f"{self.key(key)}[{name}]", self.reading)

    def left_out(self, key: str, why: str, what_to_do: str = "") -> None:
        """Tell of a key that is there and not carried."""
        if key in self.values and self.raw(key) not in (None, "", [], {}):
            self.reading.note(self.key(key), Fate.LEFT_OUT, why, what_to_do, line=self.line(key))
        self._known.add(key)

    def all_left_out(self, keys: Iterable[LeftOut]) -> None:
        for told in keys:
            self.left_out(*told)

    def file(self, key: str, *, is_needed: bool = False) -> str:
        """Where the file or folder that a key names stands; empty where it names none, or with a note none that is."""
        path = self.text(key)
        return self.reading.place(path, self.key(key), self.line(key), is_needed=is_needed) if path else ""

    def offered(self) -> list[OfferedFile]:
        """The files of a phase that everybody could load."""
        files = {"Starting kit": self.file("starting_kit"), "Public data": self.file("public_data")}
        return [OfferedFile(path, what) for what, path in files.items() if path]

    def close(self) -> None:
        for double in self.values.doubles:
            self.reading.note(
                self.key(double),
                Fate.OTHERWISE,
                "the key stands twice; the last one was read",
                line=self.line(double),
            )
        for key in self.values:
            if key not in self._known:
                self.reading.note(
                    self.key(key),
                    Fate.UNKNOWN,
                    "nothing follows from it",
                    line=self.line(key),
                )


def slug(words: str, default: str, taken: set[str]) -> str:
    """An id made of words, which none of `taken` is; it is taken then."""
    base = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:48].strip("-") or default
    found, number = base, 2
    while found in taken:
        found, number = f"{base}-{number}", number + 1
    taken.add(found)
    return found


def page(reading: Reading, id_: str, title: str, path: str, *, key: str, line: int) -> BundlePage | None:
    """A page of the bundle as Markdown; None where there is nothing on it."""
    text = reading.text_of(path, key, line)
    if not text.strip():
        if text != "" or reading.archive.has(joined(reading.base, path) or ""):
            reading.note(key, Fate.LEFT_OUT, f"{path} is empty", line=line)
        return None
    if path.lower().endswith((".html", ".htm")) or looks_like_html(text):
        text = as_markdown(text)
        reading.note(
            key,
            Fate.OTHERWISE,
            f"{path} is HTML and was made Markdown; pictures and scripts were dropped",
            "Look at the page, and load its pictures as files for everybody.",
            line=line,
        )
    return BundlePage(id_, title[:80], text.strip()[:50_000])


def terms(reading: Reading, path: str, *, key: str, line: int, longest: int) -> str:
    """The terms of the bundle as plain text."""
    text = as_plain(reading.text_of(path, key, line)) if path else ""
    if len(text) > longest:
        reading.note(
            key,
            Fate.OTHERWISE,
            f"it has {len(text):,} characters; the first {longest:,} were kept",
            line=line,
        )
    return text[:longest].strip()
