"""CoNLL columns: a line for each token with its label, and an empty line after each sentence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from catalogue.gold_column import SeenFile
from catalogue.layouts.columns_of_tokens.columns import columns_of_tokens, looks_like_tokens
from catalogue.layouts.columns_of_tokens.sentences import SentenceReader
from catalogue.layouts.delimited import UNREAD
from catalogue.layouts.form import AnsweredPart, FileFormat, FileRow, Layout, RowReading, Source
from catalogue.problems import FileReport


class Conll(Layout):
    """A token and its label a line; an item is a sentence, named by its number or by a line before it."""

    key = "conll"
    title = "CoNLL columns"
    ending = "conll"
    is_table = False
    has_tokens = True
    may_be_shared = True
    can_be_seen = True
    options: ClassVar[tuple[str, ...]] = ("columns", "token_column", "blanks", "skipped", "id_line")
    note = "a line for each token, an empty line after each sentence, "
    each_item = "one sentence"
    shown_id = "1"
    row_order = ", the n-th for item n where no line before it names another"
    delimiter = "\t"
    default_id_column = "sentence"
    task_ending = ".conll"

    def looks_like(self, lines: Sequence[str]) -> bool:
        return looks_like_tokens(lines)

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        return columns_of_tokens(lines, report)

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        if not isinstance(source, bytes):
            raise TypeError("CoNLL columns are read from their bytes.")
        return SentenceReader(form, reading, self.is_beside).read(source)

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        part, *others = parts
        tokens = part.tokens or [(UNREAD,) * len(labels) for labels in part.values]
        found = [
            (other.form.label_column, dict(zip(other.ids, other.values, strict=True))) for other in others
        ]
        labelled = [
            {part.form.label_column: labels} | {column: labels_of[item] for column, labels_of in found}
            for item, labels in zip(part.ids, part.values, strict=True)
        ]
        sentences = list(zip(part.ids, tokens, labelled, strict=True))
        if not part.form.id_line:
            numbers = {str(number): number for number in range(1, len(sentences) + 1)}
            if numbers.keys() != set(part.ids):
                raise ValueError(
                    f"{part.form.path} has no way to write ids but the numbers of its sentences."
                )
            sentences.sort(key=lambda sentence: numbers[sentence[0]])
        return "\n".join(self._sentence(part.form, *sentence) for sentence in sentences)

    def is_beside(self, line: str) -> bool:
        """Whether a line within a sentence is no token's."""
        return False

    def unread(self, column: str, count: int) -> Sequence[str]:
        """What is written into a column that nobody compares."""
        return [UNREAD] * count

    def _sentence(
        self, form: FileFormat, item: str, tokens: Sequence[str], labels: Mapping[str, Sequence[str]]
    ) -> str:
        """The lines of a sentence; `labels` are those of each column that has any."""
        between = " " if form.blanks else "\t"
        cells = {form.token_column or "token": [token or UNREAD for token in tokens], **labels}
        columns = [cells.get(name) or self.unread(name, len(tokens)) for name in form.header]
        lines = [between.join(row) for row in zip(*columns, strict=True)]
        return "".join(f"{line}\n" for line in ([f"{form.id_line}{item}"] if form.id_line else []) + lines)
