"""Formats in which boards, releases, items and systems are taken away.

Each is a `BoardExport`, a `ReleaseExport` or an `ItemExport` in a module of this folder: its key, the ending and media
type of its file, the words of its link, and how it is written. Pages take their links and their files from the sets
below, which find what the modules hold. `tests/contracts/test_exports.py` holds for all of them: the same bytes twice,
no NaN, and no name that runs as a formula or as HTML.
"""

from catalogue.registry import Registry, objects_of
from leaderboard.board.exports.export import BoardExport, ItemExport, ReleaseExport

_FOUND = objects_of(__name__)

EXPORTS = Registry(
    "export of a board",
    *(found for found in _FOUND if isinstance(found, BoardExport)),
    first=("json", "csv", "latex", "markdown"),
)
RELEASE_EXPORTS = Registry(
    "export of a release", *(found for found in _FOUND if isinstance(found, ReleaseExport)), first=("bibtex",)
)
ITEM_EXPORTS = Registry(
    "export of items", *(found for found in _FOUND if isinstance(found, ItemExport)), first=("json", "csv")
)
