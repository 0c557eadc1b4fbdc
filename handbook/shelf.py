"""Which files of docs/ are pages of the handbook, in which order, and at which addresses."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings

from handbook.manuscript import Manuscript, read_manuscript

ROOT = "/handbook/"
ADDRESSES = "api/addresses"
"""The page that the server makes of its own OpenAPI document."""
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Reading",
        (
            "handbook/index",
            "handbook/reading-a-board",
            "handbook/how-sure",
            "handbook/held-out",
            "handbook/checking",
        ),
    ),
    ("Taking part", ("handbook/submitting", "api", ADDRESSES)),
    (
        "Organising",
        (
            "handbook/organising",
            "adding-a-benchmark",
            "moving-in",
            "labelling",
            "model-endpoint",
            "definitions",
            "rehearsal",
            "test-set",
            "take-home",
        ),
    ),
    ("Words", ("handbook/glossary",)),
    (
        "Under the hood",
        (
            "metrics",
            "log",
            "protocols",
            "operations",
            "faults",
            "performance",
            "security",
            "architecture",
            "how-to-add",
        ),
    ),
)
"""Files of docs/ without their ending, by part of the contents; decisions (adr/) are pages that only links lead to."""
OF_ITS_OWN = {ADDRESSES: "Every address"}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of the handbook: `stem` is its file in docs/ without the ending, `title` its line in the contents."""

    stem: str
    title: str

    @property
    def url(self) -> str:
        return ROOT + key(self.stem)


def docs() -> Path:
    """The folder of Markdown files that the handbook is made of."""
    return Path(settings.BASE_DIR) / "docs"


def key(stem: str) -> str:
    """What follows /handbook/ in the address: `how-sure/` for `handbook/how-sure`, nothing for the first page."""
    name = stem.removeprefix("handbook/")
    return "" if name == "index" else f"{name}/"


@cache
def stems() -> dict[str, str]:
    """The stem of every page that is read from a file, by what follows /handbook/ in its address."""
    listed = [stem for _, part in PARTS for stem in part if stem not in OF_ITS_OWN]
    decisions = sorted(f"adr/{file.stem}" for file in (docs() / "adr").glob("*.md"))
    return {key(stem): stem for stem in [*listed, *decisions]}


@cache
def manuscript(stem: str) -> Manuscript:
    """The file of that stem, read once in each process."""
    file = f"{stem}.md"
    return read_manuscript(_text(file), file, address_of, picture=_text)


def _text(file: str) -> str:
    return (docs() / file).read_text("utf-8")


def address_of(file: str) -> str:
    """The address of the page of a file of docs/, such as `adr/0001-x.md`; empty where it has none."""
    stem = file.removesuffix(".md")
    return ROOT + key(stem) if file.endswith(".md") and stem in stems().values() else ""


@cache
def contents() -> tuple[tuple[str, tuple[Chapter, ...]], ...]:
    """The chapters in their order, by part."""
    return tuple(
        (part, tuple(Chapter(stem, OF_ITS_OWN.get(stem) or manuscript(stem).title) for stem in names))
        for part, names in PARTS
    )


def neighbours(stem: str) -> tuple[Chapter | None, Chapter | None]:
    """The chapters before and after this one; none beside what is not in the contents."""
    chapters = [chapter for _, part in contents() for chapter in part]
    at = next((number for number, chapter in enumerate(chapters) if chapter.stem == stem), None)
    if at is None:
        return None, None
    return (chapters[at - 1] if at else None), (chapters[at + 1] if at + 1 < len(chapters) else None)
