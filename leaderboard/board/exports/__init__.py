"""Formats in which boards, releases, items and systems are taken away.

Each is one module with one `Export`: its key, the ending and media type of its file, the words of its link, and how it
is written. A board's are in `EXPORTS`, those of a whole release in `RELEASE_EXPORTS`, those of a task's items in
`ITEM_EXPORTS`: pages take their links and their files from there.

To add one, write the module and name its object below. `tests/contracts/test_exports.py` holds for all of them: the
same bytes twice, no NaN, and no name that runs as a formula or as HTML.
"""

from catalogue.registry import Registry
from leaderboard.board.exports.bibtex import BIBTEX
from leaderboard.board.exports.board_csv import CSV
from leaderboard.board.exports.board_json import JSON
from leaderboard.board.exports.item_files import ITEM_CSV, ITEM_JSON
from leaderboard.board.exports.latex import LATEX
from leaderboard.board.exports.markdown import MARKDOWN

EXPORTS = Registry("export of a board", JSON, CSV, LATEX, MARKDOWN)
RELEASE_EXPORTS = Registry("export of a release", BIBTEX)
ITEM_EXPORTS = Registry("export of items", ITEM_JSON, ITEM_CSV)
