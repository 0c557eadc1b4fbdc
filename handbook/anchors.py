"""The word that names a heading in an address, as code hosts make it from a Markdown file."""

import re

NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


def anchor(heading: str) -> str:
    """`How sure is the order?` becomes `how-sure-is-the-order`."""
    return NOT_IN_ANCHORS.sub("", heading.strip().casefold()).replace(" ", "-")
