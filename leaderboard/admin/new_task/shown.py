"""Tables of the last screen: what everybody will see of a task, and what its organiser alone sees of it now."""

from collections.abc import Iterator

from django.utils.dates import WEEKDAYS
from django.utils.html import format_html

from accounts.formats.instants import in_words
from accounts.formats.numbers import decimal, grouped
from benchmarks.admin.base import Table
from benchmarks.spec import PhaseSpec, quota_in_words
from scoring.definitions.task_import import Plan
from submissions.intake.canonical import answer_reader
from submissions.intake.predictions.file_writer import write_predictions
from submissions.intake.tables.label_clues import label_clues, telling
from submissions.intake.tables.labelled import LabelledTable
from submissions.intake.tables.task_proposal import Draft, balance

_SAMPLE = 3
_MOST_SHOWN = 100
_LONGEST_CELL = 80
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
    reader = answer_reader(planned.task.output.gold, planned.task.gold)
    cells = zip(*(table.column(name) for name in draft.label_columns), strict=True)
    answers = reader.array(reader.value(cell) for cell in cells)
    texts = {draft.called(name): table.column(name) for name in draft.text_columns}
    for clue in telling(label_clues(table.column(draft.id_column), answers, texts=texts)):
        yield clue.sentence


def what_will_be(planned: Plan, table: LabelledTable) -> tuple[Table, ...]:
    """What everybody will see, and what the organiser alone sees of it now."""
    draft, task = planned.draft, planned.task
    phase = planned.spec.phases[0]
    kept = {draft.id_column, *draft.label_columns, *draft.text_columns}
    left = ", ".join(name for name in table.header if name not in kept)
    ids = table.column(draft.id_column)
    output = task.output
    codes = output.array([output.shown_example()] * min(_SAMPLE, len(ids)))
    sample = write_predictions(task, ids[:_SAMPLE], codes).decode()
    rows = [
        ("Benchmark", f"{planned.spec.title}, at /benchmarks/{planned.spec.id}/"),
        ("Task", f"{task.title} ({task.code}), at /benchmarks/{planned.spec.id}/tasks/{task.id}/"),
        ("Summary", task.summary),
        ("Instructions", task.instructions),
        ("Items", f"{grouped(len(ids))}, with their ids"),
        ("Answer", f"{draft.kind.title}: {output.describe()}"),
        ("Score", draft.metric_title),
        *([] if planned.spec.averages else [("Average", _WITHOUT_AVERAGE)]),
        *_stated(draft),
        ("File", f"{task.file.path}: {draft.layout.title} in UTF-8, a row for each item in any order"),
        ("Sample submission", format_html("<pre>{}{}</pre>", sample, "…" if len(ids) > _SAMPLE else "")),
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
    share = [
        (label, grouped(count), f"{decimal(100 * count / len(ids), 1)} %")
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
        title = "Labels (everybody sees the list; only you, and only now, see how many items have each)"
        tables.append(Table(title, ("Label", "Items", "Share"), share))
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
