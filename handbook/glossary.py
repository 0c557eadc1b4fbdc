"""Terms and where they are explained: a heading of the third level in docs/handbook/glossary.md each."""

from functools import cache

from handbook.shelf import manuscript

GLOSSARY = "handbook/glossary"


@cache
def terms() -> dict[str, str]:
    """What each term means, in plain words, by the anchor of its entry."""
    return {heading.anchor: heading.words for heading in manuscript(GLOSSARY).headings if heading.level == 3}
