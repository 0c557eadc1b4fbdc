"""CoNLL-U, the format of Universal Dependencies: ten columns, comments, and lines beside those of words."""

import re
from collections.abc import Sequence
from dataclasses import replace

from catalogue.gold_column import SeenFile
from catalogue.layouts.columns_of_tokens.columns import columns_of_tokens
from catalogue.layouts.columns_of_tokens.conll import Conll
from catalogue.problems import FileReport

_LINE = re.compile(r"[0-9]+(?:[-.][0-9]+)?(?:\t[^\t]*){9}")
_NO_WORD = re.compile(r"[0-9]+[-.][0-9]+\t")


class Conllu(Conll):
    """A word and its label a line; lines of tokens of several words (`2-3`) and of empty nodes (`2.1`) are not read.

    A sentence has the name that its line `# sent_id = ` says.
    """

    key = "conllu"
    title = "CoNLL-U"
    ending = "conllu"
    options = ("id_line",)
    note = "a line for each word, an empty line after each sentence, "
    row_order = " in any order"
    task_ending = ".conllu"
    all_columns = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
    column_of_tokens = "FORM"
    default_id_line = "# sent_id = "
    comments = ("#",)

    def looks_like(self, lines: Sequence[str]) -> bool:
        words = [line for line in lines if line.strip() and not line.startswith("#")]
        is_named = any(line.startswith(self.default_id_line) for line in lines)
        return is_named and bool(words) and all(map(_LINE.fullmatch, words))

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        found = columns_of_tokens(lines, report, names=self.all_columns, is_beside=self.is_beside)
        id_line = found.options.get("id_line", "")
        return replace(found, options={} if id_line == self.default_id_line else {"id_line": id_line})

    def is_beside(self, line: str) -> bool:
        return bool(_NO_WORD.match(line))

    def unread(self, column: str, count: int) -> Sequence[str]:
        return list(map(str, range(1, count + 1))) if column == "ID" else ["_"] * count
