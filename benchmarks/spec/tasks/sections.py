"""Read the tasks of a definition: what a system answers, how its files are written, and what is measured."""

from collections import defaultdict
from dataclasses import replace

from benchmarks.spec.document import identifier, read_each, refuse, refuse_doubles, repeated
from benchmarks.spec.model import TEST_SPLIT, GoldState, SplitSpec, TaskSpec
from benchmarks.spec.tasks.files import path_inside, read_form
from benchmarks.spec.tasks.metrics import read_metrics
from catalogue.ancestors import declared_parents
from catalogue.answers import KINDS, AnswerKind, Label
from catalogue.answers.across_labels.many_labels import BETWEEN
from catalogue.answers.reading import JsonShape
from catalogue.layouts import LAYOUTS, FileFormat
from catalogue.section import Section

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
    """Two tasks may share a file if each has a column or key of its own in it and they say the same of the rest."""
    readers: dict[str, list[TaskSpec]] = defaultdict(list)
    for task in tasks:
        for path in {task.path_of(split.id) for split in task.splits}:
            readers[path] += [task] if task not in readers[path] else []
    for path, sharing in sorted(readers.items()):
        places = {task.output.columns(task.file.label_column) for task in sharing}
        if len(sharing) > 1 and not all(task.file.layout.may_be_shared for task in sharing):
            dialects = ", ".join(layout.key for layout in LAYOUTS if layout.may_be_shared)
            top.wrong("tasks", f"two tasks read the same file {path!r}; it would have to be of {dialects}")
        elif len(places) < len(sharing):
            top.wrong("tasks", f"two tasks read the same file {path!r}, and the same of its columns or keys")
        elif len({_without_answers(task.file) for task in sharing}) > 1:
            top.wrong(
                "tasks",
                f"two tasks read the same file {path!r}; expected the same dialect, id_column and whole header in both",
            )


def _without_answers(file: FileFormat) -> FileFormat:
    """The form of a file, but for what it says of the answers of one task; in JSON each task has a key of its own."""
    columns = file.header if file.layout.is_table else file.columns
    form = replace(file, label_column="", columns=columns, also_written=(), labels_as="", other_keys=())
    return replace(form, id_column="") if file.layout.is_one_value else form


def _task(section: Section) -> TaskSpec:
    task_id = identifier(section)
    mistakes_before = len(section.mistakes)
    answer = section.optional_section("output")
    if answer is None:  # then the answer is one of `labels`
        output: AnswerKind = Label.declared(section, section)
    else:
        output = _output(section, answer)
    # Of answers that are not what the definition says, nothing is known that a metric could fit.
    is_known = len(section.mistakes) == mistakes_before
    file = read_form(section.section("file"), task_id, output)
    gold_section = section.optional_section("gold_file")
    gold_file = read_form(gold_section, task_id, output.alone.gold) if gold_section else None
    of_gold = gold_file or file
    output = replace(output, groups=of_gold.group_columns, clusters=of_gold.cluster_column)
    metrics, output = read_metrics(section, output, is_known=is_known)
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
        metrics=metrics,
        gold_file=gold_file,
        splits=_splits(section, task_id),
        pairs=section.text("pairs", ""),
        rarest_label_share=_rarest_share(section),
        also_files=tuple(
            read_form(other.over({"path": file.path}), task_id, output)
            for other in section.sections("also_files", required=False)
        ),
        gold_state=section.choice("gold", GoldState, GoldState.SEALED),
        flags=section.texts("flags", default=()),
        datasheet=_datasheet(section),
    )
    _check_task(section, task)
    return task


def _output(section: Section, answer: Section) -> AnswerKind:
    """What an answer is, and whether an item may have several gold labels."""
    output = answer.member("kind", KINDS).declared(section, answer)
    several = answer.flag("several_accepted", default=False)
    if several and not output.may_accept_several:
        able = ", ".join(f"`{kind.key}`" for kind in KINDS if kind.may_accept_several)
        answer.wrong("several_accepted", f"an item of the kind `{output.key}` has one gold label; {able} may")
        several = False
    parents = declared_parents(answer, output.labels, BETWEEN) if answer.has("parents") else ()
    if parents and not output.may_have_parents:
        able = ", ".join(f"`{kind.key}`" for kind in KINDS if kind.may_have_parents)
        answer.wrong(
            "parents", f"means nothing where answers are of the kind `{output.key}`; {able} may have them"
        )
        parents = ()
    answer.close()
    return replace(output, several=several, parents=parents)


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
        bool(other.cluster_column) != bool(column)
        or other.group_columns != task.gold.group_columns
        or other.empty_labels != task.gold.empty_labels
        for other in task.also_files
    )
    beside = [place for place, metric in enumerate(task.metrics) if metric.beside]
    has_columns = file.layout.is_table or not file.layout.has_ids
    has_other_columns = has_columns and task.output.own_columns != task.output.gold.own_columns
    refuse(
        section,
        (
            has_other_columns and not task.gold_file,
            "gold_file",
            f"is missing; gold labels are {task.output.gold.describe()}, and have other columns than answers",
        ),
        *(
            (
                task.gold_file and getattr(file, key),
                f"file.{key}",
                "means nothing beside a gold_file; write it there",
            )
            for key in ("cluster_column", "group_columns", "empty_labels")
        ),
        (
            column and task.pairs,
            "pairs",
            "the two items of a pair belong together already; leave out cluster_column",
        ),
        *_misfits_of_unscored(task),
        (
            has_no_ids and needs_ids,
            "splits",
            f"expected no `ids_with` where rows say no ids; found it in {', '.join(needs_ids)}",
        ),
        (
            is_mixed,
            "also_files",
            "expected a cluster_column, and the same group_columns and empty_labels, in every layout of the gold file, "
            "or in none",
        ),
        *_misfits_of_several(task),
        *_misfits_of_any_order(task),
        (not task.metrics, "metrics", "is empty; the first metric listed fills the task's column"),
        (
            0 in beside or len(beside) > 1,
            "metrics",
            "expected at most one with `beside`, and not the first: it fills the column",
        ),
    )


def _misfits_of_unscored(task: TaskSpec) -> list[tuple[object, str, str]]:
    """What cannot be said beside items without a gold label."""
    gold, key = task.gold, "empty_labels"
    if not gold.empty_labels:
        return []
    reader = task.output.gold.reader(gold.label_column)
    is_empty_list = bool(gold.separator)
    is_answer = (
        is_empty_list
        or "" in dict(gold.also_written)
        or reader.value(("",) * len(reader.columns)) is not None
    )
    kind = task.output.gold.describe()
    return [
        (is_answer, key, f"an empty cell is an answer already where gold labels are {kind}"),
        (task.pairs, "pairs", "both items of a pair are scored; leave out empty_labels"),
    ]


def _misfits_of_any_order(task: TaskSpec) -> list[tuple[object, str, str]]:
    """What keeps answers to one id from being matched to its gold labels in any order."""
    if not task.file.repeats_in_any_order:
        return []
    key, is_label = "file.repeats_in_any_order", task.output.is_one_label and task.output.gold.is_one_label
    return [
        (not task.file.repeats, key, "means nothing without `repeats: true`"),
        (not is_label, key, "expected answers and gold labels that are one label each"),
        (
            task.pairs,
            "pairs",
            "the two items of a pair have ids of their own; leave out repeats_in_any_order",
        ),
    ]


def _misfits_of_several(task: TaskSpec) -> list[tuple[object, str, str]]:
    """What cannot be said beside several accepted answers."""
    gold, key = task.gold, "output.several_accepted"
    can_repeat = gold.layout.has_ids and not gold.repeats
    if task.output.json_shape is JsonShape.FRAME:
        can_repeat = can_repeat and not gold.layout.is_one_value
    where = "expected a gold file in which an item can have several rows, or in JSON a list"
    return [
        (task.output.several and not can_repeat, key, where),
        (
            task.output.several and task.rarest_label_share,
            "rarest_label_share",
            "means nothing where several answers are accepted; leave one of the two out",
        ),
    ]


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
        file=path_inside(section, "file", task_id) if section.has("file") else "",
        gold_file=path_inside(section, "gold_file", task_id) if section.has("gold_file") else "",
        ids_with=section.text("ids_with", ""),
        attack=section.text("attack", ""),
    )
    if split.ids_with and (split.file or split.gold_file):
        section.wrong("ids_with", "a split that shares the task's file has no file of its own")
    return split


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
