"""Read how a task's files are written: the sections `file`, `gold_file` and `also_files` of a definition."""

import json
from collections.abc import Sequence
from enum import StrEnum

from benchmarks.spec.document import refuse, refuse_doubles
from catalogue.answers import AnswerKind
from catalogue.answers.reading import JsonShape
from catalogue.layouts import CSV, LAYOUTS, FileFormat, Layout
from catalogue.layouts.cells import DELIMITERS
from catalogue.layouts.form import BOOLEANS, NUMBERS, UNSCORED
from catalogue.section import Section, nearest

_UNNAMED = ""
_LONGEST_SEPARATOR = 3


class _LabelsAs(StrEnum):
    NUMBERS = NUMBERS
    BOOLEANS = BOOLEANS


class _EmptyLabels(StrEnum):
    UNSCORED = UNSCORED


def read_form(section: Section, task_id: str, output: AnswerKind) -> FileFormat:
    layout = section.member("dialect", LAYOUTS, CSV)
    encoding = section.text("encoding", "utf-8")
    is_other = encoding not in ("utf-8", "latin-1")
    refuse(section, (is_other, "encoding", f"expected utf-8 or latin-1, found {encoding!r}"))
    # Where a kind has columns of its own there is none to name; the first stands for all.
    own = _own_columns(output, layout)
    column = next(iter(own), "-") if own is not None else None
    file = FileFormat(
        path=path_inside(section, "path", task_id),
        id_column=section.text("id_column", layout.default_id_column),
        label_column=section.text("label_column", column or layout.default_label_column),
        encoding=encoding,
        layout=layout,
        columns=section.texts("columns", default=layout.all_columns)
        or _columns_of_parts(section, layout, own),
        also_headers=_headers(section),
        more_id_columns=section.texts("more_id_columns", default=()),
        loose_columns=section.texts("loose_columns", default=()),
        repeats=section.flag("repeats", default=False),
        repeats_in_any_order=section.flag("repeats_in_any_order", default=False),
        fixed=_pairs(section, "fixed"),
        line_breaks=section.flag("line_breaks", default=False),
        other_keys=section.texts("other_keys", default=()),
        also_written=_pairs(section, "also_written"),
        cluster_column=section.text("cluster_column", ""),
        group_columns=section.texts("group_columns", default=()),
        empty_labels=str(section.choice("empty_labels", _EmptyLabels)) if section.has("empty_labels") else "",
        headerless=section.flag("headerless", default=False),
        delimiter=_delimiter(section),
        separator=_separator(section, layout, output),
        numeric_ids=section.flag("numeric_ids", default=False),
        labels_as=_labels_as(section, output),
        log_filter=section.text("log_filter", ""),
        token_column=section.text("token_column", layout.column_of_tokens),
        blanks=section.flag("blanks", default=False),
        skipped=section.texts("skipped", default=layout.comments),
        id_line=_beginning(section, "id_line") or layout.default_id_line,
    )
    _check_columns(section, file, output)
    # A key that the dialect has no use for is a mistake: somebody expects something of it.
    for option in dict.fromkeys(option for layout in LAYOUTS for option in layout.options):
        if section.has(option) and getattr(file, option) and option not in layout.options:
            section.wrong(option, f"means nothing in a file of the dialect {layout}")
    fits_by_itself = layout.has_lists or (layout.has_tokens and output.has_tokens) or bool(file.separator)
    has_columns = layout.is_table or (not layout.has_ids and bool(file.columns))
    has_parts = output.needs_lists or (output.json_shape is not JsonShape.ONE and not has_columns)
    needs_json = has_parts and not fits_by_itself
    or_tables = "JSON or JSON lines only" if output.needs_lists else "tables, JSON or JSON lines only"
    if output.may_share_a_cell and output.needs_lists:
        others = "CoNLL columns" if output.has_tokens else "long tables"
        or_tables = (
            f"JSON, JSON lines or {others}; or say what stands between two of them in a cell, `separator`"
        )
    needs_table = output.is_subset and not has_columns
    needs_tokens = layout.has_tokens and not output.has_tokens
    refuse(
        section,
        (needs_json, "dialect", f"{output.phrase} is read from {or_tables}"),
        (layout.unfit(output), "dialect", layout.unfit(output)),
        (needs_table, "dialect", "a subset of labels is read from CSV or TSV only"),
        (needs_tokens, "dialect", f"{output.phrase} is read from others: here a line is a token"),
    )
    section.close()
    return file


def _delimiter(section: Section) -> str:
    """The sign between two cells; empty for that of the layout."""
    if not section.has("delimiter"):
        return ""
    named = section.text("delimiter", "")
    found = next((sign for sign, name in DELIMITERS.items() if name == named), "")
    is_wrong = named and not found
    refuse(section, (is_wrong, "delimiter", f"expected {', '.join(DELIMITERS.values())}; found {named!r}"))
    return found


def _labels_as(section: Section, output: AnswerKind) -> str:
    """How JSON writes the labels, where not as texts: every label must be such a value as JSON writes it."""
    if not section.has("labels_as"):
        return ""
    found = section.choice("labels_as", _LabelsAs)
    is_fit = (
        set(output.labels) <= {"true", "false"}
        if found is _LabelsAs.BOOLEANS
        else (all(map(_is_json_number, output.labels)))
    )
    has_ids = not output.is_right_or_wrong and output.json_shape is JsonShape.ONE
    has_labels = output.is_one_label or has_ids or output.json_shape is JsonShape.MANY
    refuse(
        section,
        (
            not has_labels,
            "labels_as",
            "means nothing unless the answer is one label, a cluster id or a list of labels",
        ),
        (
            has_labels and not is_fit,
            "labels_as",
            f"expected labels that are {found} as JSON writes them; found {', '.join(output.labels)}",
        ),
    )
    return str(found)


def _separator(section: Section, layout: Layout, output: AnswerKind) -> str:
    """What stands between the parts of an answer in one cell; no cell and no label can have it in it otherwise."""
    found = section.raw("separator")
    if found is None:
        return ""
    is_text = isinstance(found, str) and 0 < len(found) <= _LONGEST_SEPARATOR
    if not is_text or any(sign in found for sign in ('"', "\n", "\r", "\t")):
        section.wrong(
            "separator", f"expected one to three characters in quotes, such as ';'; found {found!r}"
        )
        return ""
    holding = [label for label in output.labels if found in label]
    refuse(
        section,
        (
            not output.may_share_a_cell,
            "separator",
            "means nothing unless an answer is a list of labels, or of texts of one part, or a label for each token",
        ),
        (holding, "separator", f"stands in the label {(holding or [''])[0]!r} as well; choose another"),
    )
    return str(found)


def _is_json_number(label: str) -> bool:
    try:
        number = json.loads(label)
        return json.dumps(number) == label and type(number) in (int, float)
    except ValueError:
        return False


def _own_columns(output: AnswerKind, layout: Layout) -> tuple[str, ...] | None:
    """The columns of answers that no definition names; None where it names the one that there is."""
    is_table = output.is_subset or layout.is_table or layout.has_row_for_each_part or not layout.has_ids
    columns = layout.answer_columns(output, _UNNAMED) if is_table else (_UNNAMED,)
    return None if _UNNAMED in columns else columns


def _columns_of_parts(section: Section, layout: Layout, own: tuple[str, ...] | None) -> tuple[str, ...]:
    """The whole header of a table that has a row for each part, and columns that the kind of answer names."""
    return (section.text("id_column"), *own) if own and layout.has_row_for_each_part else ()


def _beginning(section: Section, key: str) -> str:
    """What lines begin with, blanks at its end included."""
    beginning = section.raw(key)
    if beginning is None or (isinstance(beginning, str) and beginning.strip()):
        return beginning or ""
    section.wrong(key, f"expected what a line begins with, as text; found {beginning!r}")
    return ""


def path_inside(section: Section, key: str, task_id: str) -> str:
    path = section.text(key).replace("{task}", task_id)
    is_outside = path.startswith("/") or ".." in path.split("/")
    refuse(section, (is_outside, key, f"expected a relative path inside the zip, found {path!r}"))
    return path


def _headers(section: Section) -> tuple[tuple[str, ...], ...]:
    headers = section.raw("also_headers") or []
    lists = [header for header in headers if isinstance(header, list)] if isinstance(headers, list) else []
    if lists == headers and all(isinstance(name, str) for header in lists for name in header):
        return tuple(map(tuple, lists))
    section.wrong("also_headers", "expected a list of headers, each a list of texts")
    return ()


def _pairs(section: Section, key: str) -> tuple[tuple[str, str], ...]:
    pairs = section.raw(key) or {}
    if isinstance(pairs, dict) and all(isinstance(text, str) for pair in pairs.items() for text in pair):
        return tuple(pairs.items())
    section.wrong(key, "expected a mapping from text to text; put numbers in quotes")
    return ()


def _check_columns(section: Section, file: FileFormat, output: AnswerKind) -> None:
    """Every column that is spoken of must stand in the header, and every header must be as long."""
    own = _own_columns(output, file.layout)
    answers = (file.label_column,) if own is None else own
    has_labels_alone = file.columns == (file.label_column,)
    of_tokens = () if has_labels_alone else (file.token_column or "token",)
    of_ids = file.id_columns if file.layout.has_ids else ()
    first = of_tokens if file.layout.has_tokens else of_ids
    for name in (*first, *answers, *(fixed for fixed, _ in file.fixed)):
        if file.columns and name not in file.columns:
            section.wrong("columns", f"the column {name!r} is missing{nearest(name, list(file.columns))}")
    if wrong := file.layout.wrong_path(file.path):
        section.wrong("path", wrong)
    if file.columns and (wrong := file.layout.wrong_columns(file.columns)):
        section.wrong("columns", wrong)
    if own and not file.columns:
        section.wrong("columns", f"is missing; expected the whole header, with {', '.join(answers)}")
    _check_columns_beside(section, file, answers)
    for header in file.also_headers:
        if len(header) != len(file.header):
            message = f"expected {len(file.header)} columns as in the header, found {list(header)}"
            section.wrong("also_headers", message)
    for _, label in file.also_written:
        if label not in output.labels:
            hint = nearest(label, output.labels)
            section.wrong("also_written", f"{label!r} is not one of the labels{hint}")


def _check_columns_beside(section: Section, file: FileFormat, answers: Sequence[str]) -> None:
    """The columns of what items belong to and of groups stand in the header, if there is one, and hold no answers."""
    named = [("cluster_column", name, "of what items belong to") for name in (file.cluster_column,) if name]
    named += [("group_columns", name, "of groups") for name in file.group_columns]
    for key, name, of_what in named:
        if name in answers:
            section.wrong(key, f"{name!r} holds the answers; name the column {of_what}")
        elif (file.layout.is_table or file.layout.has_row_for_each_part) and name not in file.header:
            hint = nearest(name, list(file.header))
            section.wrong(key, f"the header has no column {name!r}{hint}; list it in columns")
    refuse_doubles(section, "group_columns", list(file.group_columns))
