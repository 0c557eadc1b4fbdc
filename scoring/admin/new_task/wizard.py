"""The wizard for a new task: a table of ids and labels in, an open phase out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.dates import WEEKDAYS
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_variables

from accounts.formats.instants import in_words
from accounts.formats.numbers import decimal, grouped
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Table, address, for_beginners
from benchmarks.models import Task
from benchmarks.spec import PhaseSpec, quota_in_words
from scoring.admin.new_task.forms import DraftForm, TableForm, proposed
from scoring.definitions.task_import import Plan, open_task, plan
from scoring.file_refusal import FileRefused, in_sentences, unforeseen
from submissions.intake.canonical import answer_reader
from submissions.intake.predictions.file_writer import write_predictions
from submissions.intake.tables.label_clues import label_clues, telling
from submissions.intake.tables.labelled import LabelledTable, check_labelled, read_labelled
from submissions.intake.tables.task_proposal import RULE, Draft, balance, doubts, propose

if TYPE_CHECKING:
    Base = OrganisedAdmin
else:
    Base = object

_SAMPLE = 3
_MOST_SHOWN = 100
_DIGEST = 24


@dataclass(frozen=True, slots=True)
class WizardStep:
    """What the page shows next. `seen` is a digest of file and answers, once both are fit to be opened."""

    form: TableForm
    problems: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    seen: str = ""
    plan: Plan | None = None
    table: LabelledTable | None = None


class MakesTasks(Base):
    """The pages of tasks, with one to make a new task, for whoever has confirmed an address; it is theirs then."""

    def get_urls(self) -> list[Any]:
        view = for_beginners(self.new_task)
        return [path("new/", view, name="benchmarks_task_new"), *super().get_urls()]

    def new_task(self, request: HttpRequest) -> HttpResponse:
        """Ask for the file, show what it seems to be, and open the task that was shown."""
        step = _step(request) if request.method == "POST" else WizardStep(TableForm())
        if step.plan and step.table and "confirmed" in request.POST:
            if request.POST.get("seen") == step.seen:
                is_sure = step.form.cleaned_data["is_sure"]
                user = cast(User, request.user)
                task, problems = _open(step.plan, step.table, user, confirm_clues=is_sure)
                if task:
                    self.log_addition(request, task, "Made from a table of ids and labels.")
                    _tell(request, task)
                    return HttpResponseRedirect(address(task))
            else:
                problems = ("The file or your answers have changed since this was shown. Here it is anew.",)
            step = WizardStep(step.form, problems, step.doubts, step.tables, step.seen)
        context = {
            **self.admin_site.each_context(request),
            "title": "New task",
            "opts": self.opts,
            "step": step,
            "is_drafted": isinstance(step.form, DraftForm),
            "rule": RULE,
        }
        return TemplateResponse(request, "admin/new_task.html", context)


@sensitive_variables()
def _step(request: HttpRequest) -> WizardStep:
    """Read the file, and hold what is said of it against it."""
    form = TableForm(request.POST, request.FILES)
    if not form.is_valid():
        return WizardStep(form)
    file = form.cleaned_data["file"]
    name, data = str(file.name), file.read()
    read = read_labelled(data, file_name=name)
    table = read.content
    if table is None:
        return WizardStep(TableForm(), tuple(in_sentences(read.problems, read.more)))
    user = cast(User, request.user)
    answers = request.POST if "kind" in request.POST else proposed(propose(table, name), table)
    drafted = DraftForm(answers, request.FILES, table=table, user=user)
    if not drafted.is_valid():
        return WizardStep(drafted, ("Please see the fields marked below.",))
    return _held_against(drafted, table, name, data)


@sensitive_variables()
def _held_against(form: DraftForm, table: LabelledTable, name: str, data: bytes) -> WizardStep:
    draft = form.draft()
    try:
        planned = plan(draft, into=form.cleaned_data["into"], new=form.new_benchmark(), size=len(table.rows))
    except FileRefused as refused:
        return WizardStep(form, refused.sentences)
    checked = check_labelled(
        table, task=planned.task, id_column=draft.id_column, label_columns=draft.label_columns, file_name=name
    )
    if checked.content is None:
        return WizardStep(form, tuple(in_sentences(checked.problems, checked.more)))
    doubted = (*doubts(table, draft), *_clues(planned, table))
    shown = _tables(planned, table)
    seen = sha256(data + repr((draft, planned.document, form.cleaned_data["into"])).encode()).hexdigest()[
        :_DIGEST
    ]
    if doubted and not form.cleaned_data["is_sure"]:
        return WizardStep(form, (), doubted, shown, seen)
    return WizardStep(form, (), doubted, shown, seen, planned, table)


def _clues(planned: Plan, table: LabelledTable) -> Iterator[str]:
    """What tells of the labels beside the items, of a table that was checked."""
    draft = planned.draft
    reader = answer_reader(planned.task.output, planned.task.gold)
    cells = zip(*(table.column(name) for name in draft.label_columns), strict=True)
    answers = reader.array(reader.value(cell) for cell in cells)
    texts = {name: table.column(name) for name in draft.text_columns}
    for clue in telling(label_clues(table.column(draft.id_column), answers, texts=texts)):
        yield clue.sentence


def _tables(planned: Plan, table: LabelledTable) -> tuple[Table, ...]:
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
        *_stated(draft),
        ("File", f"{task.file.path}: {draft.layout.title} in UTF-8, a row for each item in any order"),
        ("Sample submission", format_html("<pre>{}{}</pre>", sample, "…" if len(ids) > _SAMPLE else "")),
        (
            "Texts",
            f"{', '.join(draft.text_columns)}, to download" if draft.text_columns else "none",
        ),
        ("Licence", task.licence),
        ("Citation", task.citation),
        (
            "Phase",
            f"{phase.title}: open at once, submissions of a team: {quota_in_words(phase)}",
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


def _scored(phase: PhaseSpec) -> str:
    """When the phase is scored, and what is kept back until its end."""
    days = phase.lasts_days
    if phase.weekday is None:
        return f"once, when the phase closes, {days} days from now"
    day = WEEKDAYS[phase.weekday]
    said = [f"every {day}, for {days} days" if days else f"every {day}, without end"]
    if phase.disclosure.keeps_back:
        said.append("half of the items kept back until then")
    return "; ".join(said)


@sensitive_variables()
def _open(
    planned: Plan, table: LabelledTable, user: User, *, confirm_clues: bool
) -> tuple[Task | None, tuple[str, ...]]:
    """The task, or the sentences that say why there is none."""
    try:
        return open_task(planned, table=table, user=user, now=database_now(), confirm_clues=confirm_clues), ()
    except FileRefused as refused:
        return None, refused.sentences
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        return None, (unforeseen("opening a task", error),)


def _tell(request: HttpRequest, task: Task) -> None:
    phase = task.benchmark.phases.first()
    sentences = [
        f"{task.title} is open and its gold labels are sealed.",
        *([f"It is scored first on {in_words(phase.next_cut_off_at)}."] if phase else []),
    ]
    page = format_html('<a href="{0}" class="text-link">{0}</a>', f"/benchmarks/{task.benchmark_id}/")
    hidden = task.benchmark.is_hidden
    public = f"Its {'draft' if hidden else 'public page'} appears within a minute:"
    messages.success(request, format_html("{} {} {}", " ".join(sentences), public, page))
