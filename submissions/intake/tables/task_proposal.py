"""What a table of ids and labels seems to be, and the definition that follows from what the organiser makes of it."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from catalogue.answers import KINDS, AnswerKind
from catalogue.answers.ordered_class import MOST_CLASSES
from catalogue.answers.reading import NUMBER
from catalogue.answers.span import MANY_LABELS
from catalogue.gold_column import CellShape, WrittenAs
from catalogue.layouts import CSV, JSON_LINES, Layout
from catalogue.layouts.cells import DELIMITERS
from catalogue.layouts.text_lines import MAX_CELL
from catalogue.suggestions import composed
from submissions.intake.gzipped import bare_name
from submissions.intake.tables.gold_columns import doubts_of_json, doubts_of_numbers, gold_columns, shapes_of
from submissions.intake.tables.labelled import IDS, LABELS, TEXTS, LabelledTable

RULE = (
    "Two or more neighbouring columns of shares that add up to 1 in every row, or of the votes of as many people, are "
    "soft labels. Two or more columns of nothing but 0 and 1 are a subset of labels. Numbers with a decimal point are "
    "numbers. "
    f"Whole numbers that span more than {MOST_CLASSES} values are numbers too. Fewer are ordered classes if their "
    "column is called like a scale (score, rating, intensity), or if there are at least three and they do not begin at "
    "0; those that begin at 0, as digits do, are taken for codes of labels, and so are just two. Words that all stand "
    "in a text of their row, and of which "
    f"there are more than {MANY_LABELS}, are spans; texts of several words that do not are texts to compare with. "
    "Cells with several labels that come again in other cells, and a semicolon, a vertical bar or a comma between "
    "them, are lists. Lists are texts too if they hold such, labels of tokens if a word stands twice in one, and else "
    "any of many labels. Lists of whole numbers, or of ranges of them, are spans of characters; lists of lists or "
    "objects of texts are tuples. Two or three labels in a column called “preferred” or “winner” are a "
    "preference. Everything else is one of a set of labels. "
    "Probabilities, confidences, scores of two and labels in an order are chosen by hand: gold labels do not show them."
)
# Words in a column's name that say whether whole numbers in it have an order.
_OF_ORDER = re.compile(
    r"scores?|ratings?|rate|grade|stars?|level|intensity|degree|severity|similarity|relatedness|valence|arousal|quality"
    r"|points|strength|agreement|difficulty|ordinal"
)
_OF_CODES = re.compile(r"class|category|digit|topic|type|code|cluster|index")
_LONG_TEXT = 20
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Draft:
    """What an organiser says of a table: which columns are what, and how the task is described.

    `labels` are those of one label and of a subset; `low` and `high` bound ordered classes and numbers.
    `rarest_label_share` is what is published of the rarest label; 0 for nothing. Files are written in the `layout` of
    the table, with `names` for the columns that the table does not name; `output` and `options` are what a definition
    says besides of answers and of such a file.
    """

    kind: type[AnswerKind]
    id_column: str
    label_columns: tuple[str, ...]
    text_columns: tuple[str, ...]
    labels: tuple[str, ...]
    low: float | None
    high: float | None
    metric: str
    metric_title: str
    task_id: str
    code: str
    title: str
    summary: str
    instructions: str
    licence: str
    citation: str
    rarest_label_share: float = 0.0
    layout: Layout = CSV
    names: Mapping[str, str] = field(default_factory=dict)
    output: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    def called(self, column: str) -> str:
        """The name of a column in the files of the task."""
        return self.names.get(column, column)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a table seems to be; every part of it can be corrected."""

    kind: type[AnswerKind]
    id_column: str
    label_columns: tuple[str, ...]
    text_columns: tuple[str, ...]
    low: float | None
    high: float | None
    title: str
    slug: str

    @property
    def metric(self) -> str:
        return self.kind.metric


def propose(table: LabelledTable, file_name: str) -> Proposal:
    """Guess the columns by their names and cells, and the kind of answer by `RULE`."""
    id_column = _id_column(table)
    rest = [name for name in table.header if name != id_column]
    label_columns = _label_columns(table, rest)
    of_text = (name for name in rest if name not in label_columns and name in table.text_columns)
    texts = tuple(name for name in of_text if _is_text(name, table.column(name)))
    labelled = table.with_labels(label_columns)
    cells = labelled.column(label_columns[0])
    kind = _kind(labelled, label_columns, [labelled.column(name) for name in texts])
    if kind.has_bounds and not kind.is_continuous and not _has_order(label_columns[0], cells):
        kind = next(kind for kind in KINDS if kind.is_one_label)
    low, high = bounds(kind, cells)
    stem = re.sub(r"\.\w{1,6}$", "", bare_name(file_name).replace("\\", "/").rsplit("/", 1)[-1])
    words = re.sub(r"[^A-Za-z0-9]+", " ", stem).strip() or "New task"
    title = words[:60].strip()
    slug = title.lower().replace(" ", "-")
    return Proposal(kind, id_column, label_columns, texts, low, high, title[0].upper() + title[1:], slug)


def proposable_kinds(table: LabelledTable) -> list[type[AnswerKind]]:
    """The kinds of answer whose gold labels a column of the table can hold."""
    only_id = table.id_columns if len(table.id_columns) == 1 else ()
    rest = [name for name in table.header if name not in only_id]
    shapes = set[CellShape]().union(*(shapes_of(table, name) for name in rest))
    return [kind for kind in KINDS if shapes & set(kind.gold_shapes()) and _can_answer(kind, table.layout)]


def _can_answer(kind: type[AnswerKind], layout: Layout) -> bool:
    """Whether answers can be written so too, or else with their ids."""
    if kind.gold_in_columns:
        return layout.is_table or (layout.has_lists and not kind.is_subset)
    return layout.has_ids or kind.is_one_text or kind.has_bounds


def bounds(kind: type[AnswerKind], cells: Sequence[str]) -> tuple[float | None, float | None]:
    """The lowest and highest answer that a column suggests; none where answers have no order."""
    if not kind.has_bounds:
        return None, None
    values = [float(cell) for cell in cells if NUMBER.fullmatch(cell)]
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = math.floor(min(finite)), math.ceil(max(finite))
    if kind.is_continuous and low >= -1 and high <= 1:
        return (-1.0 if low < 0 else 0.0), 1.0
    return float(low), float(max(high, low + 1))


def labels_of(
    table: LabelledTable, kind: type[AnswerKind], columns: Sequence[str], more: Iterable[str]
) -> tuple[str, ...]:
    """The label list: what occurs, in the order of the alphabet, and `more` that may be answered and do not occur.

    Of labels that stand in an order `more` come first, and say the order of those that occur too.
    """
    if kind.gold_in_columns:
        return tuple(columns) if table.layout.is_table else tuple(map(_key, columns))
    found = kind.labels_in(gold_columns(table, kind, columns)[0])
    listed = [*more, *found] if kind.labels_have_order else [*found, *more]
    return tuple(dict.fromkeys(listed)) if kind.names_labels else ()


def stated_of(
    table: LabelledTable,
    kind: type[AnswerKind],
    id_column: str,
    label_columns: Sequence[str],
    labels: Sequence[str],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a definition says besides of answers, and of a file with these columns."""
    columns = gold_columns(table, kind, label_columns)
    options: dict[str, Any] = dict(table.seen.options) if table.seen else {}
    if table.delimiter != table.layout.delimiter:
        options["delimiter"] = DELIMITERS[table.delimiter]
    if columns[0].separator:
        options["separator"] = columns[0].separator
    if table.gold_column(id_column).written_as is WrittenAs.NUMBERS:
        options["numeric_ids"] = True
    is_number = kind.has_bounds or kind.gold_in_columns
    if columns[0].written_as is not WrittenAs.TEXT and not is_number:
        options["labels_as"] = columns[0].written_as.value
    return kind.output_in_columns(columns, labels), options


def balance(table: LabelledTable, draft: Draft) -> list[tuple[str, int]]:
    """How often each label or class stands there; empty for numbers, shares and texts."""
    if draft.kind.is_subset:
        return [(draft.called(name), table.column(name).count("1")) for name in draft.label_columns]
    if draft.kind.gold_in_columns:
        return []
    counts = Counter(gold_columns(table, draft.kind, draft.label_columns)[0].words)
    if draft.kind.names_labels:
        return [(label, counts[label]) for label in draft.labels]
    if draft.kind.has_bounds and not draft.kind.is_continuous:
        return sorted(counts.items(), key=lambda pair: float(pair[0]) if NUMBER.fullmatch(pair[0]) else 0.0)
    return []


def doubts(table: LabelledTable, draft: Draft) -> list[str]:
    """What an organiser should have a second look at before a task is opened."""
    counted = balance(table, draft)
    found = [*_doubt_of_order(table, draft)]
    if draft.kind.names_labels and len(draft.label_columns) == 1:
        found += doubts_of_numbers(table, draft.label_columns[0])
        found += doubts_of_json(table, draft.label_columns[0])
    if draft.kind.labels_have_order:
        found.append(
            f"From low to high the labels are {', '.join(draft.labels[:_MOST_NAMED])}"
            f"{' and so on' if len(draft.labels) > _MOST_NAMED else ''}. If their order is another, write all of them "
            "under “Further labels”, the lowest first."
        )
    once = [label for label, count in counted if count == 1]
    never = [label for label, count in counted if count == 0]
    if len(counted) > MANY_LABELS and draft.kind.gold_is_one_label:
        found.append(
            f"There are {len(counted):,} labels. Is {draft.label_columns[0]} the column of the labels?"
        )
    if once:
        are = "This label occurs once" if len(once) == 1 else f"These {len(once):,} labels occur once each"
        found.append(f"{are}: {_named(once)}. A slip of the pen?")
    if never:
        found.append(f"No item has {_named(never)}. Should it be answered all the same?")
    spelled: dict[str, list[str]] = {}
    for label, _ in counted:
        spelled.setdefault(" ".join(composed(label).casefold().split()), []).append(label)
    for alike in spelled.values():
        if len(alike) > 1:
            found.append(
                f"{_named(alike)} differ in case, spaces or the form of accents only. Are they different labels?"
            )
    return found


def _doubt_of_order(table: LabelledTable, draft: Draft) -> Iterator[str]:
    """That labels might be steps of a scale, where neither their numbers nor the name of their column says it."""
    cells = table.column(draft.label_columns[0]) if draft.kind.is_one_label else ()
    scales = [kind for kind in KINDS if kind.has_bounds and not kind.is_continuous and kind.suits(cells, ())]
    if cells and scales and not _is_named_for_codes(draft.label_columns[0]):
        values = sorted(set(map(int, cells)))
        yield (
            f"The labels are whole numbers from {values[0]} to {values[-1]}, taken for names without an order. "
            "If they are steps of a scale, choose ordered classes: then it counts how far off an answer is."
        )


def task_document(draft: Draft, *, root: str, size: int) -> dict[str, Any]:
    """The task as a definition has it."""
    answer: dict[str, Any] = {"output": {"kind": draft.kind.key, **draft.output}}
    if draft.labels:
        answer["labels"] = list(draft.labels)
    for key, bound in (("low", draft.low), ("high", draft.high)):
        if bound is not None and draft.kind.has_bounds:
            answer["output"][key] = int(bound) if float(bound).is_integer() else bound
    return {
        "id": draft.task_id,
        "code": draft.code,
        "title": draft.title,
        "summary": draft.summary,
        "instructions": draft.instructions,
        "licence": draft.licence,
        "citation": draft.citation,
        "test_size": size,
        **answer,
        **({"rarest_label_share": draft.rarest_label_share} if draft.rarest_label_share else {}),
        **_files(draft, root),
        "metrics": [{"name": draft.metric, "title": draft.metric_title}],
    }


def _files(draft: Draft, root: str) -> dict[str, Any]:
    """How predictions are written, and how gold labels are where that is another way."""
    kind, layout = draft.kind, draft.layout
    name, columns = f"{draft.task_id}.{layout.ending}", list(map(draft.called, draft.label_columns))
    gold: dict[str, Any] = {"path": root + name, "id_column": draft.called(draft.id_column), **draft.options}
    if layout != CSV:
        gold["dialect"] = layout.key
    if kind.gold_in_columns and not layout.is_table:
        return {"file": {**gold, "label_column": one_object(draft.label_columns)}}
    if kind.gold_in_columns:
        return {"file": {**gold, "columns": [gold["id_column"], *columns]}}
    gold["label_column"] = columns[0]
    answers = {key: value for key, value in gold.items() if key != "empty_labels"}
    file = _answers_file(draft, answers, root)
    return (
        {"file": gold}
        if file == answers
        else {"file": file, "gold_file": {**gold, "path": f"{root}gold-{name}"}}
    )


def _answers_file(draft: Draft, gold: Mapping[str, Any], root: str) -> dict[str, Any]:
    """The same file as that of the gold labels, or what answers need besides: columns, a key, or another layout."""
    kind, layout, file = draft.kind, draft.layout, dict(gold)
    is_fit = not kind.needs_lists or layout.has_lists or layout.has_tokens or "separator" in file
    if not is_fit:
        meaningless = set(layout.options).difference(JSON_LINES.options)
        file = {name: value for name, value in file.items() if name not in meaningless}
        file |= {"path": f"{root}{draft.task_id}.{JSON_LINES.ending}", "dialect": JSON_LINES.key}
    elif layout.is_table and (others := kind.columns_beside_gold(draft.labels)):
        del file["label_column"]
        return {**file, "columns": [file["id_column"], *others]}
    elif layout.has_lists and file["label_column"] != layout.default_label_column:
        file["label_column"] = kind.answer_key(file["label_column"])
    if not kind.is_one_label:
        file.pop("labels_as", None)
    return file


def columns_fault(table: LabelledTable, kind: type[AnswerKind] | None, columns: Sequence[str]) -> str:
    """Why these columns of gold labels do not fit a kind, in a sentence; empty where they do."""
    if columns and not table.seen and not table.with_labels(columns).rows:
        return "No row has a label there. Tick another column, or choose a file with labels."
    if not (kind and kind.gold_in_columns):
        return "For this kind of answer, tick one column alone." if len(columns) > 1 else ""
    if len(columns) == 1:
        return "For this kind of answer, tick a column for each label, two at least."
    is_apart = columns and not table.layout.is_table and not one_object(columns)
    return "In JSON, tick the keys of one object that holds all labels." if is_apart else ""


def one_object(columns: Sequence[str]) -> str:
    """The key of the object that these columns of a JSON file are the keys of; empty where there is none."""
    above = {column.rpartition(".")[0] for column in columns}
    return above.pop() if len(above) == 1 else ""


def _key(column: str) -> str:
    return column.rpartition(".")[2]


def _named(labels: Sequence[str]) -> str:
    shown = ", ".join(f"“{label[:60]}”" for label in labels[:_MOST_NAMED])
    return shown + (f" and {len(labels) - _MOST_NAMED:,} more" if len(labels) > _MOST_NAMED else "")


def _id_column(table: LabelledTable) -> str:
    """A column called like one of ids; else the first whose cells are all different; else the first."""
    for name in table.id_columns:
        if name.casefold() in IDS:
            return name
    distinct = []
    for name in table.id_columns:
        cells = table.column(name)
        if len(set(cells)) == len(cells) and all(0 < len(cell) <= MAX_CELL for cell in cells):
            distinct.append(name)
    return next(
        (name for name in distinct if name.casefold().endswith("id")), [*distinct, *table.id_columns][0]
    )


def _label_columns(table: LabelledTable, names: Sequence[str]) -> tuple[str, ...]:
    """Columns of shares; else a column called like one of labels; else one of more than one text a cell; else all of 0
    and 1, if several; else the one with the fewest values.
    """
    columns = list(map(table.gold_column, names))
    shares = next((found for kind in KINDS if (found := kind.columns_in(columns))), ())
    if shares and (table.layout.is_table or one_object(shares)):
        return shares
    varied = [name for name in names if len(set(table.gold_column(name).words)) > 1]
    names = varied or names  # what says the same of every item is no answer
    several = [name for name in names if table.gold_column(name).shape is not CellShape.TEXT]
    for name in (*several, *names):
        if name.casefold() in LABELS:
            return (name,)
    if several:
        return (min(several, key=lambda name: len(set(table.gold_column(name).words))),)
    flags = [name for name in names if set(table.column(name)) <= {"0", "1"}]
    if len(flags) > 1:
        return tuple(flags)
    return (min(reversed(names), key=lambda name: len(set(table.column(name)))),)


def _is_text(name: str, cells: Sequence[str]) -> bool:
    return name.casefold() in TEXTS or sum(map(len, cells)) > _LONG_TEXT * len(cells)


def _kind(
    table: LabelledTable, label_columns: Sequence[str], texts: Sequence[Sequence[str]]
) -> type[AnswerKind]:
    columns, known = list(map(table.gold_column, label_columns)), proposable_kinds(table)
    if len(columns) > 1:
        subset = next(kind for kind in KINDS if kind.is_subset)
        return next((kind for kind in KINDS if kind.columns_in(columns)), subset)
    (name,) = label_columns
    suiting = [kind for kind in known if kind.suits_column(gold_columns(table, kind, [name])[0], texts)]
    listed = [kind for kind in suiting if gold_columns(table, kind, [name])[0].separator]
    return [*known[:1], *suiting, *listed][-1]


def _has_order(name: str, cells: Sequence[str]) -> bool:
    """Whether whole numbers in this column are classes on a scale: digits and codes of labels begin at 0."""
    if any(map(_OF_ORDER.fullmatch, _words(name))):
        return True
    return not _is_named_for_codes(name) and min(map(int, cells)) != 0


def _is_named_for_codes(name: str) -> bool:
    return any(map(_OF_CODES.fullmatch, _words(name)))


def _words(name: str) -> list[str]:
    return re.findall("[a-z]+", name.casefold())
