"""Tables of the last screen: what everybody will see of a task, and what its organiser alone sees of it now."""

from collections.abc import Iterator

from django.utils.dates import WEEKDAYS
from django.utils.html import format_html

from accounts.formats.instants import in_words
from accounts.formats.numbers import decimal, grouped
from benchmarks.admin.organised.organised_admin import Table
from benchmarks.spec import PhaseSpec, TaskSpec, quota_in_words
from scoring.definitions.task_import import Plan
from submissions.intake.canonical import ItemIds
from submissions.intake.predictions.file_writer import write_predictions
from submissions.intake.tables.gold import GoldFile
from submissions.intake.tables.label_clues import label_clues, telling
from submissions.intake.tables.labelled import LabelledTable, gold_in, scored_rows
from submissions.intake.tables.task_proposal import Draft, balance

_SAMPLE = 3
_MOST_SHOWN = 100
_LONGEST_CELL = 80
_LONGEST_SAMPLE = 12  # lines
_WITHOUT_AVERAGE = (
    "none: a mean of scores of different directions or scales says nothing, so each task ranks by itself"
)


def first_rows(table: LabelledTable) -> Table:
    """The beginning of the table as it was read."""
    rows = [[cell[:_LONGEST_CELL] for cell in row] for row in table.rows[:_SAMPLE]]
    return Table(f"The first of {grouped(len(table.rows))} rows", table.header, rows, is_wide=True)


def clues(planned: Plan, table: LabelledTable) -> Iterator[str]:
    """What tells of the labels beside the items, of a table that was checked."""
    draft = planned.draft
    gold = _gold(planned, table)
    scored = scored_rows(table, planned.task, draft.label_columns)
    texts = {draft.called(name): scored.column(name) for name in draft.text_columns}
    for clue in telling(label_clues(gold.ids.ids, gold.codes, texts=texts)):
        yield clue.sentence


def _gold(planned: Plan, table: LabelledTable) -> GoldFile:
    draft = planned.draft
    return gold_in(table, task=planned.task, id_column=draft.id_column, label_columns=draft.label_columns)


def _sample_file(task: TaskSpec, ids: ItemIds) -> str:
    """The beginning of a file of predictions that knows nothing."""
    answer, tokens = task.output.shown_example(), ids.tokens[:_SAMPLE]
    few = ids.ids[:_SAMPLE]
    answers = [task.output.of_tokens(answer, len(of_item)) for of_item in tokens] or [answer] * len(few)
    text = write_predictions(task, few, task.output.array(answers), tokens).decode()
    lines = text.splitlines()
    is_more = len(ids) > len(few) or len(lines) > _LONGEST_SAMPLE
    return "\n".join([*lines[:_LONGEST_SAMPLE], *(["…"] if is_more else [])])


def what_will_be(planned: Plan, table: LabelledTable) -> tuple[Table, ...]:
    """What everybody will see, and what the organiser alone sees of it now."""
    draft, task = planned.draft, planned.task
    phase = planned.spec.phases[0]
    kept = {draft.id_column, *draft.label_columns, *draft.text_columns}
    gold = _gold(planned, table)
    ids, asked = gold.ids, gold.asked
    of_scored = f", of which {grouped(len(ids))} are scored" if gold.unscored else ""
    tokens = task.gold.token_column
    left = ", ".join(name for name in table.header if name not in kept and name != tokens)
    output, layout = task.output, task.file.layout
    rows = [
        ("Benchmark", f"{planned.spec.title}, at /benchmarks/{planned.spec.id}/"),
        ("Task", f"{task.title} ({task.code}), at /benchmarks/{planned.spec.id}/tasks/{task.id}/"),
        ("Summary", task.summary),
        ("Instructions", task.instructions),
        ("Items", f"{grouped(len(asked))}, with their ids{of_scored}"),
        ("Answer", f"{draft.kind.title} ({output.describe()})"),
        ("Score", draft.metric_title),
        *([] if planned.spec.averages else [("Average", _WITHOUT_AVERAGE)]),
        *_stated(draft),
        (
            "File",
            f"{task.file.path}: {layout.title} in UTF-8, {task.file.note}{layout.each_item} for each item"
            f"{layout.row_order}",
        ),
        ("Sample submission", format_html("<pre>{}</pre>", _sample_file(task, ids))),
        (
            "Texts",
            f"{', '.join(map(draft.called, draft.text_columns))}, to download"
            if draft.text_columns
            else "none",
        ),
        ("Licence", task.licence),
        ("Citation", task.citation),
        (
            "Phase",
            f"{phase.title}: {_opening(phase)}, submissions of a team: {quota_in_words(phase)}",
        ),
        ("Scored", _scored(phase)),
        ("Shown before the end", phase.disclosure.texts.title),
    ]
    counted = balance(table, draft)
    whole = sum(map(len, ids.tokens)) or len(ids)
    share = [
        (label, grouped(count), f"{decimal(100 * count / whole, 1)} %")
        for label, count in counted[:_MOST_SHOWN]
    ]
    tables = [
        Table("What everybody will see", ("What", "As it will stand"), rows),
        Table(
            "For your eyes alone",
            ("What", "Which"),
            [("Columns that are not kept", left or "none")],
        ),
    ]
    if share:
        what = "tokens" if ids.tokens else "items"
        title = f"Labels (everybody sees the list; only you, and only now, see how many {what} have each)"
        tables.append(Table(title, ("Label", what.capitalize(), "Share"), share))
    return tuple(tables)


def _stated(draft: Draft) -> list[tuple[str, str]]:
    """What is published of how rare labels are, if anything."""
    share = draft.rarest_label_share
    return [("Labels", f"at least {100 * share:.0f} % of the items have the rarest label")] if share else []


def _opening(phase: PhaseSpec) -> str:
    return f"opens on {in_words(phase.opens_at)}" if phase.opens_at else "open at once"


def _scored(phase: PhaseSpec) -> str:
    """When the phase is scored, and what is kept back until its end."""
    days = phase.lasts_days
    if phase.weekday is None:
        since = "after it opens" if phase.opens_at else "from now"
        return f"once, when the phase closes, {days} days {since}"
    day = WEEKDAYS[phase.weekday]
    said = [f"every {day}, for {days} days" if days else f"every {day}, without end"]
    if phase.disclosure.keeps_back:
        said.append("half of the items kept back until then")
    return "; ".join(said)
