"""How a release is cited, in BibTeX."""

import re

from leaderboard.board.exports.export import CitedRelease, ReleaseExport
from leaderboard.board.exports.latex import escape

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def to_bibtex(release: CitedRelease) -> bytes:
    """A `@misc` entry of the release; UTF-8, text escaped as LaTeX wants it."""
    board, published = release.board, release.board.published_at
    key = re.sub(r"[^A-Za-z0-9]+", "-", f"heldout-{board.benchmark}-release-{board.release}")
    about = "Synthetic demo data." if board.synthetic else f"Phase {board.phase}."
    lines = [
        f"@misc{{{key},",
        f"  title = {{{{{_escape(board.benchmark_title)}: leaderboard, release {board.release}}}}},",
        f"  year = {{{published.year}}},",
        f"  month = {_MONTHS[published.month - 1]},",
        f"  day = {{{published.day}}},",
        rf"  howpublished = {{\url{{{_in_url(release.url)}}}}},",
        f"  note = {{{_escape(about)}}},",
        "}",
    ]
    return ("\n".join(lines) + "\n").encode()


def _escape(text: str) -> str:
    """Escaped for LaTeX, without braces: BibTeX counts those with a backslash too."""
    return escape(text).replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def _in_url(url: str) -> str:
    """The address within braces: what would end them, or begin a comment, is percent-encoded."""
    return re.sub(
        r"[{}\\%#]", lambda match: f"\\{match[0]}" if match[0] in "%#" else f"%{ord(match[0]):02X}", url
    )


BIBTEX = ReleaseExport("bibtex", "bib", "application/x-bibtex; charset=utf-8", "BibTeX", to_bibtex)
