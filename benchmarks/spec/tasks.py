"""Read the tasks of a definition: what a system answers, how its files are written, and what is measured."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from benchmarks.spec.document import identifier, read_each, refuse, refuse_doubles, repeated
from benchmarks.spec.model import TEST_SPLIT, GoldState, SplitSpec, TaskSpec
from benchmarks.spec.task_metrics import read_metric
from catalogue.answers import KINDS, AnswerKind, Label
from catalogue.answers.reading import JsonShape
from catalogue.layouts import CSV, LAYOUTS, FileFormat, Layout
from catalogue.layouts.form import BOOLEANS, NUMBERS
from catalogue.section import Section, nearest

LARGEST_SHARE = 0.5  # of the rarest of two labels


def read_tasks(top: Section) -> tuple[TaskSpec, ...]:
    """Every task of the definition; mistakes go to the section."""
    defaults = top.raw("task_defaults") or {}
    if not isinstance(defaults, dict):
        top.wrong("task_defaults", "expected a mapping")
        defaults = {}
    sections = (one for section in top.sections("tasks") for one in repeated(section.over(defaults)))
    tasks = read_each(sections, _task)
    refuse(top, (not tasks, "tasks", "is empty; a benchmark has at least one task"))
    refuse_doubles(top, "tasks", [task.id for task in tasks])
    _refuse_shared_files(top, tasks)
    return tasks


def _refuse_shared_files(top: Section, tasks: tuple[TaskSpec, ...]) -> None:
    """Two tasks may share a file only if it is JSON and each has a key of its own in it."""
    readers: dict[str, list[TaskSpec]] = defaultdict(list)
    for task in tasks:
        for path in {task.path_of(split.id) for split in task.splits}:
            readers[path] += [task] if task not in readers[path] else []
    for path, sharing in sorted(readers.items()):
        keys = {task.file.label_column for task in sharing if task.file.layout.is_one_value}
        if len(sharing) > max(len(keys), 1):
            top.wrong("tasks", f"two tasks read the same file {path!r}")


def _task(section: Section) -> TaskSpec:
    task_id = identifier(section)
    mistakes_before = len(section.mistakes)
    answer = section.optional_section("output")
    if answer is None:  # then the answer is one of `labels`
        output: AnswerKind = Label.declared(section, section)
    else:
        output = answer.member("kind", KINDS).declared(section, answer)
        answer.close()
    # Of answers that are not what the definition says, nothing is known that a metric could fit.
    is_known = len(section.mistakes) == mistakes_before
    file = _file(section.section("file"), task_id, output)
    gold_section = section.optional_section("gold_file")
    gold_file = _file(gold_section, task_id, output.gold) if gold_section else None
    output = replace(output, groups=(gold_file or file).group_columns)
    measured = read_each(
        section.sections("metrics"), lambda metric: read_metric(metric, output, is_known=is_known)
    )
    formulas = tuple(declared for _, declared in measured if declared)
    task = TaskSpec(
        id=task_id,
        code=section.text("code"),
        title=section.text("title"),
        summary=section.text("summary"),
        instructions=section.text("instructions"),
        licence=section.text("licence"),
        citation=section.text("citation"),
        test_size=section.number("test_size", low=1, high=10_000_000) if section.has("test_size") else 0,
        output=replace(output, formulas=formulas),
        file=file,
        metrics=tuple(use for use, _ in measured),
        gold_file=gold_file,
        splits=_splits(section, task_id),
        pairs=section.text("pairs", ""),
        rarest_label_share=_rarest_share(section),
        also_files=tuple(
            _file(other.over({"path": file.path}), task_id, output)
            for other in section.sections("also_files", required=False)
        ),
        gold_state=section.choice("gold", GoldState, GoldState.SEALED),
        flags=section.texts("flags", default=()),
        datasheet=_datasheet(section),
    )
    _check_task(section, task)
    return task


def _datasheet(section: Section) -> tuple[tuple[str, str], ...]:
    """Heads and texts, in the order of the definition."""
    sheet = section.optional_section("datasheet")
    return tuple((str(head), sheet.text(str(head))) for head in sheet.values) if sheet else ()


def _check_task(section: Section, task: TaskSpec) -> None:
    """That its files can be told apart, and that which items belong together is said in the gold file alone."""
    file, column = task.file, task.gold.cluster_column
    for other in task.also_files:
        if (
            other.header == file.header
            or other.headerless
            or file.headerless
            or other.layout.is_one_value
            or file.layout.is_one_value
            or not (other.layout.has_ids and file.layout.has_ids)
        ):
            section.wrong("also_files", "expected tables with other headers than the task's own file")
    needs_ids = [split.id for split in task.splits if split.ids_with]
    has_no_ids = not (task.file.layout.has_ids and task.gold.layout.has_ids)
    is_mixed = any(
        bool(other.cluster_column) != bool(column) or other.group_columns != task.gold.group_columns
        for other in task.also_files
    )
    beside = [place for place, metric in enumerate(task.metrics) if metric.beside]
    has_other_columns = file.layout.is_table and task.output.own_columns != task.output.gold.own_columns
    refuse(
        section,
        (
            has_other_columns and not task.gold_file,
            "gold_file",
            f"is missing; gold labels are {task.output.gold.describe()}, and have other columns than answers",
        ),
        (
            task.gold_file and file.cluster_column,
            "file.cluster_column",
            "means nothing beside a gold_file; write it there",
        ),
        (
            task.gold_file and file.group_columns,
            "file.group_columns",
            "mean nothing beside a gold_file; write them there",
        ),
        (
            column and task.pairs,
            "pairs",
            "the two items of a pair belong together already; leave out cluster_column",
        ),
        (
            has_no_ids and needs_ids,
            "splits",
            f"expected no `ids_with` where rows say no ids; found it in {', '.join(needs_ids)}",
        ),
        (
            is_mixed,
            "also_files",
            "expected a cluster_column, and the same group_columns, in every layout of the gold file, or in none",
        ),
        (not task.metrics, "metrics", "is empty; the first metric listed fills the task's column"),
        (
            0 in beside or len(beside) > 1,
            "metrics",
            "expected at most one with `beside`, and not the first: it fills the column",
        ),
    )


# How files are written


def _file(section: Section, task_id: str, output: AnswerKind) -> FileFormat:
    layout = section.member("dialect", LAYOUTS, CSV)
    encoding = section.text("encoding", "utf-8")
    is_other = encoding not in ("utf-8", "latin-1")
    refuse(section, (is_other, "encoding", f"expected utf-8 or latin-1, found {encoding!r}"))
    # Where a kind has columns of its own there is none to name; the first stands for all.
    column = (
        next(iter(output.own_columns or output.labels), "-") if _has_own_columns(output, layout) else None
    )
    file = FileFormat(
        path=_path(section, "path", task_id),
        id_column=section.text("id_column", layout.default_id_column),
        label_column=section.text("label_column", column or layout.default_label_column),
        encoding=encoding,
        layout=layout,
        columns=section.texts("columns", default=()),
        also_headers=_headers(section),
        more_id_columns=section.texts("more_id_columns", default=()),
        loose_columns=section.texts("loose_columns", default=()),
        repeats=section.flag("repeats", default=False),
        fixed=_pairs(section, "fixed"),
        line_breaks=section.flag("line_breaks", default=False),
        other_keys=section.texts("other_keys", default=()),
        also_written=_pairs(section, "also_written"),
        cluster_column=section.text("cluster_column", ""),
        group_columns=section.texts("group_columns", default=()),
        headerless=section.flag("headerless", default=False),
        numeric_ids=section.flag("numeric_ids", default=False),
        labels_as=_labels_as(section, output),
        log_filter=section.text("log_filter", ""),
        token_column=section.text("token_column", ""),
        blanks=section.flag("blanks", default=False),
        skipped=section.texts("skipped", default=()),
        id_line=_beginning(section, "id_line"),
    )
    _check_columns(section, file, output)
    # A key that the dialect has no use for is a mistake: somebody expects something of it.
    for option in dict.fromkeys(option for layout in LAYOUTS for option in layout.options):
        if getattr(file, option) and option not in layout.options:
            section.wrong(option, f"means nothing in a file of the dialect {layout}")
    fits_by_itself = layout.has_lists or (layout.has_tokens and output.has_tokens)
    has_parts = output.needs_lists or (output.json_shape is not JsonShape.ONE and not layout.is_table)
    needs_json = has_parts and not fits_by_itself
    or_tables = "JSON or JSON lines only" if output.needs_lists else "tables, JSON or JSON lines only"
    needs_table = output.is_subset and not layout.is_table
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
    refuse(
        section,
        (not output.is_one_label, "labels_as", "means nothing unless the answer is one label"),
        (
            output.is_one_label and not is_fit,
            "labels_as",
            f"expected labels that are {found} as JSON writes them; found {', '.join(output.labels)}",
        ),
    )
    return str(found)


def _is_json_number(label: str) -> bool:
    try:
        number = json.loads(label)
        return json.dumps(number) == label and type(number) in (int, float)
    except ValueError:
        return False


def _has_own_columns(output: AnswerKind, layout: Layout) -> bool:
    return output.is_subset or bool(output.own_columns and layout.is_table)


def _beginning(section: Section, key: str) -> str:
    """What lines begin with, blanks at its end included."""
    beginning = section.raw(key)
    if beginning is None or (isinstance(beginning, str) and beginning.strip()):
        return beginning or ""
    section.wrong(key, f"expected what a line begins with, as text; found {beginning!r}")
    return ""


def _path(section: Section, key: str, task_id: str) -> str:
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
    has_own = _has_own_columns(output, file.layout)
    answers = output.columns(file.label_column) if has_own else (file.label_column,)
    first = (file.token_column or "token",) if file.layout.has_tokens else file.id_columns
    for name in (*first, *answers, *(fixed for fixed, _ in file.fixed)):
        if file.columns and name not in file.columns:
            section.wrong("columns", f"the column {name!r} is missing{nearest(name, list(file.columns))}")
    if has_own and not file.columns:
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
    """The columns of what items belong to and of groups stand in the header, and hold no answers."""
    named = [("cluster_column", name, "of what items belong to") for name in (file.cluster_column,) if name]
    named += [("group_columns", name, "of groups") for name in file.group_columns]
    for key, name, of_what in named:
        if name in answers:
            section.wrong(key, f"{name!r} holds the answers; name the column {of_what}")
        elif name not in file.header:
            hint = nearest(name, list(file.header))
            section.wrong(key, f"the header has no column {name!r}{hint}; list it in columns")
    refuse_doubles(section, "group_columns", list(file.group_columns))


# Splits


def _splits(section: Section, task_id: str) -> tuple[SplitSpec, ...]:
    splits = read_each(section.sections("splits", required=False), lambda one: _split(one, task_id))
    for split in splits:
        if split.attack and (split.id == TEST_SPLIT.id or split.file or split.gold_file or split.ids_with):
            message = f"{split.id!r}: an attack's split is no test split and has no files of its own"
            section.wrong("splits", message)
    refuse_doubles(section, "splits", [split.id for split in splits])
    return splits or (TEST_SPLIT,)


def _split(section: Section, task_id: str) -> SplitSpec:
    split = SplitSpec(
        id=identifier(section),
        title=section.text("title"),
        file=_path(section, "file", task_id) if section.has("file") else "",
        gold_file=_path(section, "gold_file", task_id) if section.has("gold_file") else "",
        ids_with=section.text("ids_with", ""),
        attack=section.text("attack", ""),
    )
    if split.ids_with and (split.file or split.gold_file):
        section.wrong("ids_with", "a split that shares the task's file has no file of its own")
    return split


class _LabelsAs(StrEnum):
    NUMBERS = NUMBERS
    BOOLEANS = BOOLEANS


def _rarest_share(section: Section) -> float:
    """What the definition states of the rarest label, a share from 0 to .5; 0 where it states nothing."""
    if not section.has("rarest_label_share"):
        return 0.0
    share = section.real("rarest_label_share")
    if not 0 < share <= LARGEST_SHARE:
        section.wrong(
            "rarest_label_share", f"expected a number above 0 and up to {LARGEST_SHARE:g}, found {share:g}"
        )
    return share
