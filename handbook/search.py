"""The handbook as the search of the site reads it: a passage per heading."""

from collections.abc import Iterator
from dataclasses import dataclass

from handbook.shelf import OF_ITS_OWN, contents, manuscript

LONGEST_EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands under one heading: `words` are all of it, `excerpt` the beginning."""

    title: str
    url: str
    excerpt: str
    words: str


def passages() -> Iterator[Passage]:
    """Every heading of the chapters in the contents, in their order; the page of addresses is not among them."""
    for _, part in contents():
        for chapter in part:
            if chapter.stem in OF_ITS_OWN:
                continue
            for heading in manuscript(chapter.stem).headings:
                is_first = heading.level == 1
                title = heading.title if is_first else f"{heading.title} ({chapter.title})"
                url = chapter.url if is_first else f"{chapter.url}#{heading.anchor}"
                yield Passage(title, url, _excerpt(heading.words), f"{title} {heading.words}".casefold())


def _excerpt(words: str) -> str:
    if len(words) <= LONGEST_EXCERPT:
        return words
    return words[:LONGEST_EXCERPT].rsplit(" ", 1)[0] + " …"
