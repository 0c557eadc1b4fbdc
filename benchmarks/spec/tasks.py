"""Read the tasks of a definition: what a system answers, how its files are written, and what is measured."""

from benchmarks.spec.document import identifier, refuse_doubles, repeated
from benchmarks.spec.model import TEST_SPLIT, GoldState, MetricUse, SplitSpec, TaskSpec
from catalogue.answers import KINDS, AnswerKind, Label
from catalogue.layouts import CSV, LAYOUTS, FileFormat
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.section import Section, nearest

ENCODINGS = ("utf-8", "latin-1")


def read_tasks(top: Section) -> tuple[TaskSpec, ...]:
    """Every task of the definition; mistakes go to the section."""
    defaults = top.raw("task_defaults") or {}
    if not isinstance(defaults, dict):
        top.wrong("task_defaults", "expected a mapping")
        defaults = {}
    tasks = tuple(_task(one) for section in top.sections("tasks") for one in repeated(section.over(defaults)))
    if not tasks:
        top.wrong("tasks", "is empty; a benchmark has at least one task")
    refuse_doubles(top, "tasks", [task.id for task in tasks])
    _refuse_shared_files(top, tasks)
    return tasks


def _refuse_shared_files(top: Section, tasks: tuple[TaskSpec, ...]) -> None:
    """Two tasks may share a file only if it is JSON and each has a key of its own in it."""
    readers: dict[str, list[TaskSpec]] = {}
    for task in tasks:
        for split in task.splits:
            path = task.path_of(split.id)
            if task not in readers.setdefault(path, []):
                readers[path].append(task)
    for path, sharing in sorted(readers.items()):
        keys = [task.file.label_column for task in sharing if task.file.layout.is_one_value]
        if len(sharing) > 1 and len(set(keys)) < len(sharing):
            top.wrong("tasks", f"two tasks read the same file {path!r}")


def _task(section: Section) -> TaskSpec:
    task_id = identifier(section)
    mistakes_before = len(section.mistakes)
    output = _output(section)
    # Of answers that are not what the definition says, nothing is known that a metric could fit.
    is_known = len(section.mistakes) == mistakes_before
    file = _file(section.section("file"), task_id, output)
    gold_file = section.optional_section("gold_file")
    task = TaskSpec(
        id=task_id,
        code=section.text("code"),
        title=section.text("title"),
        summary=section.text("summary"),
        instructions=section.text("instructions"),
        licence=section.text("licence"),
        citation=section.text("citation"),
        test_size=section.number("test_size", low=1, high=10_000_000) if section.has("test_size") else 0,
        output=output,
        file=file,
        metrics=tuple(_metric(metric, output, is_known=is_known) for metric in section.sections("metrics")),
        gold_file=_file(gold_file, task_id, output, is_gold=True) if gold_file else None,
        splits=_splits(section, task_id),
        pairs=section.text("pairs", ""),
        also_files=tuple(
            _file(other.over({"path": file.path}), task_id, output)
            for other in section.sections("also_files", required=False)
        ),
        gold_state=section.choice("gold", GoldState, GoldState.SEALED),
    )
    for other in task.also_files:
        if other.header == file.header or other.layout.is_one_value or file.layout.is_one_value:
            section.wrong("also_files", "expected tables with other headers than the task's own file")
    _check_clusters(section, task)
    if not task.metrics:
        section.wrong("metrics", "is empty; the first metric listed fills the task's column")
    beside = [place for place, metric in enumerate(task.metrics) if metric.beside]
    if beside[:1] == [0] or len(beside) > 1:
        section.wrong("metrics", "expected at most one with `beside`, and not the first: it fills the column")
    section.close()
    return task


def _check_clusters(section: Section, task: TaskSpec) -> None:
    """Which items belong together is read from the gold file, in whatever layout it comes."""
    column = task.gold.cluster_column
    if task.gold_file is not None and task.file.cluster_column:
        section.wrong("file.cluster_column", "means nothing beside a gold_file; write it there")
    if column and task.pairs:
        section.wrong("pairs", "the two items of a pair belong together already; leave out cluster_column")
    if any(bool(other.cluster_column) != bool(column) for other in task.also_files):
        section.wrong("also_files", "expected a cluster_column in every layout of the gold file, or in none")


# What a system answers


def _output(section: Section) -> AnswerKind:
    """What `output` and `labels` say; without `output`, exactly one of `labels`."""
    answer = section.optional_section("output")
    if answer is None:
        return Label.declared(section, section)
    output = answer.member("kind", KINDS).declared(section, answer)
    answer.close()
    return output


# How files are written


def _file(section: Section, task_id: str, output: AnswerKind, *, is_gold: bool = False) -> FileFormat:
    layout = section.member("dialect", LAYOUTS, CSV)
    encoding = section.text("encoding", "utf-8")
    if encoding not in ENCODINGS:
        section.wrong("encoding", f"expected utf-8 or latin-1, found {encoding!r}")
    file = FileFormat(
        path=_path(section, "path", task_id),
        id_column=section.text("id_column", layout.default_id_column),
        label_column=_label_column(section, output),
        encoding=encoding,
        layout=layout,
        columns=section.texts("columns", default=()),
        also_headers=_headers(section),
        more_id_columns=section.texts("more_id_columns", default=()),
        repeats=section.flag("repeats", default=False),
        fixed=_pairs(section, "fixed"),
        line_breaks=section.flag("line_breaks", default=False),
        other_keys=section.texts("other_keys", default=()),
        also_written=_pairs(section, "also_written"),
        cluster_column=section.text("cluster_column", ""),
    )
    _check_columns(section, file, output)
    _check_dialect(section, file, output, is_gold=is_gold)
    section.close()
    return file


def _label_column(section: Section, output: AnswerKind) -> str:
    """A subset has a column per label, so there is none to name; the first stands for all."""
    return section.text("label_column", next(iter(output.labels), "-") if output.is_subset else None)


def _path(section: Section, key: str, task_id: str) -> str:
    path = section.text(key).replace("{task}", task_id)
    if path.startswith("/") or ".." in path.split("/"):
        section.wrong(key, f"expected a relative path inside the zip, found {path!r}")
    return path


def _headers(section: Section) -> tuple[tuple[str, ...], ...]:
    headers = section.raw("also_headers") or []
    if not isinstance(headers, list) or not all(
        isinstance(header, list) and all(isinstance(name, str) for name in header) for header in headers
    ):
        section.wrong("also_headers", "expected a list of headers, each a list of texts")
        return ()
    return tuple(tuple(header) for header in headers)


def _pairs(section: Section, key: str) -> tuple[tuple[str, str], ...]:
    pairs = section.raw(key) or {}
    if not isinstance(pairs, dict) or not all(
        isinstance(text, str) for pair in pairs.items() for text in pair
    ):
        section.wrong(key, "expected a mapping from text to text; put numbers in quotes")
        return ()
    return tuple(pairs.items())


def _check_columns(section: Section, file: FileFormat, output: AnswerKind) -> None:
    """Every column that is spoken of must stand in the header, and every header must be as long."""
    answers = output.columns(file.label_column)
    for name in (*file.id_columns, *answers, *(column for column, _ in file.fixed)):
        if file.columns and name not in file.columns:
            section.wrong("columns", f"the column {name!r} is missing{nearest(name, list(file.columns))}")
    if output.is_subset and not file.columns:
        section.wrong("columns", "is missing; expected the whole header, with a column per label")
    _check_cluster_column(section, file, answers)
    for header in file.also_headers:
        if len(header) != len(file.header):
            section.wrong(
                "also_headers", f"expected {len(file.header)} columns as in the header, found {list(header)}"
            )
    for _, label in file.also_written:
        if label not in output.labels:
            section.wrong(
                "also_written", f"{label!r} is not one of the labels{nearest(label, output.labels)}"
            )


def _check_cluster_column(section: Section, file: FileFormat, answers: tuple[str, ...]) -> None:
    column = file.cluster_column
    if column in answers:
        section.wrong(
            "cluster_column", f"{column!r} holds the answers; name the column of what items belong to"
        )
    elif column and column not in file.header:
        hint = nearest(column, list(file.header))
        section.wrong("cluster_column", f"the header has no column {column!r}{hint}; list it in columns")


def _check_dialect(section: Section, file: FileFormat, output: AnswerKind, *, is_gold: bool) -> None:
    """A key that the dialect has no use for is a mistake: somebody expects something of it."""
    for option in dict.fromkeys(option for layout in LAYOUTS for option in layout.options):
        if getattr(file, option) and option not in file.layout.options:
            section.wrong(option, f"means nothing in a file of the dialect {file.layout}")
    if output.needs_lists and not file.layout.is_one_value and not is_gold:
        section.wrong("dialect", f"{output.phrase} is read from JSON only")
    if output.is_subset and not file.layout.is_table:
        section.wrong("dialect", "a subset of labels is read from CSV or TSV only")


# Splits and metrics


def _splits(section: Section, task_id: str) -> tuple[SplitSpec, ...]:
    splits = tuple(_split(one, task_id) for one in section.sections("splits", required=False))
    for split in splits:
        if split.attack and (split.id == TEST_SPLIT.id or split.file or split.gold_file or split.ids_with):
            section.wrong(
                "splits", f"{split.id!r}: an attack's split is no test split and has no files of its own"
            )
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
    section.close()
    return split


def _metric(section: Section, output: AnswerKind, *, is_known: bool) -> MetricUse:
    metric = MetricUse(
        name=section.text("name"),
        title=section.text("title"),
        beside=section.flag("beside", default=False),
    )
    if is_known and metric.name:
        try:
            metric_for(output, metric.name)
        except UnknownMetricError as unfit:
            section.wrong("name", str(unfit))
    section.close()
    return metric
