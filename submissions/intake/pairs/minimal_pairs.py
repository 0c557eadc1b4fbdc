"""A breaker team's file of minimal pairs: sentences of the starter data, each with a small change, labelled anew.

A table with the columns id, original_id, text, label and rationale, and perhaps category, one row per changed sentence.
The two items of a pair share the stem of their ids: `558_a` is the original and `558_b` the changed sentence.
`original_id` names the original in the starter data, where it is called `558` or `558_a`; further pairs from it are
`558_2_b` and so on.

A row whose id ends in `_a` is an original. With an `original_id` it repeats one of the starter data, to the letter;
nobody need do so. With none it is of the team's own making, where the organiser allows that, and changed sentences
name its id.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.layouts import CSV, Layout
from catalogue.problems import FileReport, Finding, ProblemCode, quoted, visible
from submissions.intake.canonical import ItemIds
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.pairs.pair_faults import (
    CHANGED,
    ORIGINAL,
    PairIds,
    PairLabels,
    PairLine,
    altered,
    category_fault,
    contradiction,
    one_line,
    plain,
    same_id,
    text_fault,
)
from submissions.intake.problem_rules import RULES
from submissions.intake.tables.gold import id_fault
from submissions.intake.tables.table_schema import FindFault, TableColumn, TableRow, TableSchema
from submissions.intake.unknown_ids import ForeignIds

COLUMNS = ("id", "original_id", "text", "label", "rationale", "category")
MAX_ROWS = 5_000  # each is compared with its original while its team waits
_SEPARATOR = "_"

# Text and label of every sentence that breakers may start from, by its id.
Starter = Mapping[str, tuple[str, str]]
# What a changed sentence keeps of its original beside the text, such as a question, by the original's id.
Kept = Mapping[str, tuple[str, ...]]


class PairItem(NamedTuple):
    """One of the two items of a pair, with the id under which systems answer it."""

    id: str
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """An original and the sentence made of it. `line` is that of the changed sentence.

    `rationale` and `category`, the kind of change, may be empty.

    `original_id` is the original's id in the starter data, or in the file where it `is_from_scratch`.
    """

    original_id: str
    original: PairItem
    changed: PairItem
    rationale: str
    is_from_scratch: bool
    line: int
    category: str = ""


def read_minimal_pairs(
    data: bytes,
    *,
    file_name: str,
    task: TaskSpec,
    starter: Starter,
    kept: Kept | None = None,
    from_scratch: bool = False,
    needs_rationale: bool = False,
    categories: Sequence[str] = (),
) -> FileRead[list[MinimalPair]]:
    """Read a breaker team's file. It is CSV, or tabs separate its cells where they do so in the task's own files.

    Labels of `starter` are written as the task lists them. With `kept`, the same sentence may stand for several
    questions: sentences are compared together with what they keep. A category is one of `categories`, or any words
    where there are none of these. Problems may repeat the texts of `starter`, which breakers have, and what the team
    wrote itself, never a label of `starter`. Nothing in `data` or `file_name` makes this raise.

    Raises
    ------
    ValueError
        If the task's items have neither one label of a set nor a span: such pairs have no column for their label.
    """
    pairs = _Pairs(
        task,
        starter,
        kept or {},
        categories,
        from_scratch=from_scratch,
        needs_rationale=needs_rationale,
    )
    read = read_file(partial(pairs.read, data), file_name=visible(file_name, 200), task=task.id)
    # Some problems are found once all rows are known, and people go through the file from its top.
    return replace(read, problems=tuple(sorted(read.problems, key=lambda problem: problem.line or 0)))


def makes_pairs(task: TaskSpec) -> bool:
    """Whether teams can make minimal pairs of a task's items: they come in pairs, each with one label or a span."""
    return bool(task.pairs) and task.output.is_one_text


def layout_of_pairs(task: TaskSpec) -> Layout:
    return task.file.layout if task.file.layout.is_table else CSV


_Fault = tuple[str, Finding]


class _Pairs:
    def __init__(
        self,
        task: TaskSpec,
        starter: Starter,
        kept: Kept,
        categories: Sequence[str],
        *,
        from_scratch: bool,
        needs_rationale: bool,
    ) -> None:
        self._pairs: list[MinimalPair] = []
        self._form = FileFormat("", COLUMNS[0], "label", layout=layout_of_pairs(task), columns=COLUMNS)
        self._ids = PairIds(task.pairs or _SEPARATOR)
        self._labels = PairLabels(task)
        self._categories = categories
        self._starter = starter
        self._kept = kept
        self._starter_texts = {self._input(text, item): item for item, (text, _) in starter.items()}
        self._foreign = ForeignIds(ItemIds(tuple(starter)), "starter")
        self._from_scratch, self._needs_rationale = from_scratch, needs_rationale
        self._lines: dict[str, PairLine] = {}
        self._texts: dict[tuple[str, ...], PairLine] = {}
        self._in_doubt: set[str] = set()

    def read(self, data: bytes, report: FileReport) -> list[MinimalPair]:
        table = TableSchema(
            self._form,
            (
                TableColumn("id", self._id_fault),
                TableColumn("text", text_fault),
                TableColumn("label", self._label_fault),
                TableColumn("category", self._category_fault, is_optional=True),
            ),
            row=self._take,
            max_rows=MAX_ROWS,
            in_doubt=lambda line, item: self._in_doubt.add(item),
            looks_like_row=lambda cells: self._labels.is_one(cells[COLUMNS.index("label")]),
        )
        table.read(data, report)
        self._named = {line.original_id for line in self._lines.values() if line.side == CHANGED}
        for line in self._lines.values():
            judge = self._judge_changed if line.side == CHANGED else self._judge_original
            for column, finding in judge(line):
                report.add(finding, line=line.number, column=column)
        return self._pairs

    def _line(self, row: TableRow) -> PairLine:
        stem, side = self._ids.parts(row.id)
        label = self._labels.read(row["label"], row["text"])
        rationale = row["rationale"].strip()
        category = one_line(row["category"])
        return PairLine(
            row.line, row.id, stem, side, row["original_id"], row["text"], label, rationale, category
        )

    def _take(self, row: TableRow) -> None:
        self._lines[row.id] = self._line(row)

    def _id_fault(self, row: TableRow) -> FindFault | None:
        code, line = id_fault(row.id, ()), self._line(row)
        if code is not None:
            return partial(Finding, code, RULES[code], visible(line.id), self._ids.expected(line.original_id))
        if line.id in self._lines:
            return partial(same_id, line, self._lines[line.id])
        is_wrong = not line.stem or line.side not in (ORIGINAL, CHANGED)
        end = self._ids.id_of("", CHANGED)
        return partial(self._ids.wrong, line, f"does not end in {end}") if is_wrong else None

    def _label_fault(self, row: TableRow) -> FindFault | None:
        return self._labels.fault(row["label"], row["text"]) if row["text"].strip() else None

    def _category_fault(self, row: TableRow) -> FindFault | None:
        return category_fault(row["category"], self._categories)

    def _judge_original(self, line: PairLine) -> Iterator[_Fault]:
        if line.original_id:
            yield from self._judge_repeated(line)
            has_change = self._ids.id_of(line.stem, CHANGED) in self._lines
        elif not self._is_own(line):
            yield "original_id", self._no_original(line)
            return
        else:
            yield from self._judge_text(line, line.id)
            has_change = line.id in self._named
        if not has_change and not self._in_doubt:
            message = (
                f"The original {quoted(line.id)} has no changed sentence. Add its row, or remove this one."
            )
            expected = self._ids.id_of(line.stem, CHANGED)
            yield "id", Finding(ProblemCode.PAIR_WITHOUT_CHANGE, message, visible(line.id), visible(expected))

    def _judge_repeated(self, line: PairLine) -> Iterator[_Fault]:
        if line.original_id not in self._starter:
            yield "original_id", self._no_original(line)
            return
        if not self._ids.belongs(line.stem, line.original_id):
            yield "id", self._ids.wrong(line, f"does not begin as {quoted(line.original_id)} does")
        text, label = self._starter[line.original_id]
        if line.text != text:
            yield "text", altered(line, text)
        elif line.label != label:
            message = (
                f"The label is not that of {quoted(line.original_id)} in the starter data. Give it as it is there, or "
                "leave this row out: nobody need repeat an original."
            )
            yield "label", Finding(ProblemCode.PAIR_ORIGINAL_CHANGED, message, visible(line.label or ""))

    def _judge_changed(self, line: PairLine) -> Iterator[_Fault]:
        found = self._original_of(line)
        if found is None:
            if line.original_id not in self._in_doubt:
                yield "original_id", self._no_original(line)
            return
        original_id, (text, label) = found
        twin = self._lines.get(self._ids.id_of(line.stem, ORIGINAL))
        yield from self._judge_stem(line, original_id, twin)
        if plain(line.text) == plain(text):
            message = f"The sentence is the same as its original, {quoted(original_id)}. Change it, or remove the row."
            yield "text", Finding(ProblemCode.PAIR_UNCHANGED, message, visible(line.text))
        else:
            yield from self._judge_text(line, original_id)
        rationale = line.rationale or (twin.rationale if twin else "")
        if self._needs_rationale and not rationale:
            message = "The rationale is empty. Say what the change is to show about a system."
            yield "rationale", Finding(ProblemCode.PAIR_RATIONALE_MISSING, message, "")
        original = PairItem(self._ids.id_of(line.stem, ORIGINAL), text, label)
        changed = PairItem(line.id, line.text, line.label or "")
        is_own = original_id not in self._starter
        category = line.category or (twin.category if twin else "")
        self._pairs.append(
            MinimalPair(original_id, original, changed, rationale, is_own, line.number, category)
        )

    def _original_of(self, line: PairLine) -> tuple[str, tuple[str, str]] | None:
        """Id, text and label of the original of a changed sentence, which may name a row that repeats it."""
        in_starter = line.original_id in self._starter
        original_id = line.original_id if in_starter else self._source_of(self._lines.get(line.original_id))
        if original_id in self._starter:
            return original_id, self._starter[original_id]
        own = self._lines.get(original_id)
        return (original_id, (own.text, own.label or "")) if own is not None else None

    def _source_of(self, row: PairLine | None) -> str:
        """The original that a row of the file gives, by its own id or by that in the starter data; empty if none."""
        if row is None or row.side != ORIGINAL:
            return ""
        named = row.original_id if row.original_id in self._starter else ""
        return row.id if self._is_own(row) else named

    def _judge_stem(self, line: PairLine, original_id: str, twin: PairLine | None) -> Iterator[_Fault]:
        """Whether the id of a changed sentence is its original's, and no other original has that stem."""
        if not self._ids.belongs(line.stem, original_id):
            yield "id", self._ids.wrong(line, f"does not begin as {quoted(original_id)} does")
        elif self._source_of(twin) not in ("", original_id):
            other = quoted(self._ids.id_of(line.stem, ORIGINAL))
            yield "id", self._ids.wrong(line, f"has the stem of {other}, another original")

    def _input(self, text: str, original_id: str) -> tuple[str, ...]:
        """What systems are asked about, as far as anybody sees."""
        return plain(text), *self._kept.get(original_id, ())

    def _judge_text(self, line: PairLine, original_id: str) -> Iterator[_Fault]:
        text = self._input(line.text, original_id)
        other = self._texts.setdefault(text, line)
        if text in self._starter_texts:
            item = self._starter_texts[text]
            message = f"The sentence stands in the starter data, as {quoted(item)}. A pair needs a new one."
            yield "text", Finding(ProblemCode.PAIR_TEXT_TWICE, message, visible(line.text))
        elif other is not line and other.label != line.label:
            yield "label", contradiction(line, other)
        elif other is not line:
            message = f"The sentence stands on line {other.number} already. Remove one of the two rows."
            yield "text", Finding(ProblemCode.PAIR_TEXT_TWICE, message, visible(line.text))

    def _is_own(self, line: PairLine) -> bool:
        """Whether it is an original of the team's own making, and may be."""
        is_original = line.side == ORIGINAL and not line.original_id
        is_new = line.id not in self._starter and line.stem not in self._starter
        return self._from_scratch and is_original and is_new

    def _no_original(self, line: PairLine) -> Finding:
        finding = self._foreign.finding(line.original_id)
        if finding.code is ProblemCode.ID_SPELLING:
            return finding
        if line.original_id:
            sentence = f"{quoted(line.original_id)} is no sentence of the starter data."
        elif line.side == CHANGED:
            sentence = "The row does not say which sentence it changes."
        elif self._from_scratch:
            sentence = (
                f"The starter data has {quoted(line.stem)} already, so this row is no original of your own."
            )
        else:
            sentence = "Pairs from scratch are not allowed here, and the row names no original."
        where = " or of an original of this file" if self._from_scratch and line.side == CHANGED else ""
        return replace(
            finding,
            code=ProblemCode.PAIR_ORIGINAL_UNKNOWN,
            message=f"{sentence} Give the id of one of its sentences{where}.",
        )
