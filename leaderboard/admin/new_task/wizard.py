"""The wizard for a new task: a table of ids and labels in, an open phase out, one screen at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, cast

from django.contrib import admin, messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import path
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_variables

from accounts.formats.instants import in_words
from accounts.models import User
from accounts.server.clock import database_now
from accounts.sign_in.second_factor import confirm_identity
from benchmarks.admin.organised.links import page_link
from benchmarks.admin.organised.organised_admin import Table
from benchmarks.models import Benchmark, Task
from benchmarks.people.request_rights import for_beginners
from leaderboard.admin.home.page import home_address
from leaderboard.admin.new_task import steps
from leaderboard.admin.new_task.answers import (
    OF_THE_TABLE,
    followed,
    proposed,
    proposed_columns,
    read_as,
    replaced,
)
from leaderboard.admin.new_task.draft_form import LICENCES, DraftForm
from leaderboard.admin.new_task.file_form import ITEM, NAMES, TableForm
from leaderboard.admin.new_task.preview import PreviewPage, pages_to_come
from leaderboard.admin.new_task.shown import clues, first_rows, what_will_be
from leaderboard.admin.new_task.table_check import hold_against_table
from scoring.admin.gold import TaskAdmin
from scoring.definitions.task_import import Plan, open_task, plan
from scoring.file_refusal import FileRefused, grouped, unforeseen
from submissions.intake.tables.labelled import LabelledTable, read_given
from submissions.intake.tables.task_proposal import doubts, propose

_DIGEST = 24
_READ_ANEW = (
    "The columns are others than before, so what is said of them is proposed anew. All else is as it was."
)
_OF_FILE = ("layout", "first_line")
_NOT_KEPT = ("file", *_OF_FILE, "is_sure")


@dataclass(frozen=True, slots=True)
class WizardStep:
    """What the page shows next.

    `carried` are answers of other screens while no file is there to hold them against. `seen` is a digest of file and
    answers, once both are fit to be opened; `pages` are the public ones to come.
    """

    form: TableForm
    at: str = steps.FILE
    carried: tuple[tuple[str, str], ...] = ()
    note: str = ""
    problems: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    pages: tuple[PreviewPage, ...] = ()
    seen: str = ""
    plan: Plan | None = None
    table: LabelledTable | None = None

    @property
    def all(self) -> Sequence[steps.Step]:
        """The screens of this task."""
        return steps.steps_for(joins=isinstance(self.form, DraftForm) and self.form.joins)

    @property
    def step(self) -> steps.Step:
        return next(step for step in self.all if step.key == self.at)

    @property
    def number(self) -> int:
        """Counts from 1."""
        return self.all.index(self.step) + 1

    @property
    def before(self) -> str:
        """The key of the screen before; empty for the first."""
        return self.all[self.number - 2].key if self.number > 1 else ""

    @property
    def after(self) -> str:
        return self.all[self.number].key if self.number < len(self.all) else ""

    @property
    def fields(self) -> list[BoundField]:
        """What is asked on this screen."""
        return self._bound(self.step.fields)

    @property
    def folded(self) -> list[BoundField]:
        return self._bound(self.step.folded)

    @property
    def is_folded(self) -> bool:
        """Whether nothing is wrong with what is folded away."""
        return not any(field.errors for field in self.folded)

    @property
    def hidden(self) -> list[BoundField]:
        """The answers of the other screens."""
        shown = {"file", "is_sure", *(field.name for field in (*self.fields, *self.folded))}
        return [field for field in self.form if field.name not in shown]

    @property
    def first(self) -> str:
        """The first field with an error, which is where to go on."""
        return next((field.auto_id for field in (*self.fields, *self.folded) if field.errors), "")

    def _bound(self, names: Sequence[str]) -> list[BoundField]:
        return [self.form[name] for name in names if name in self.form.fields and self._is_asked(name)]

    def _is_asked(self, name: str) -> bool:
        if not isinstance(self.form, DraftForm):
            return True
        kind = self.form.kind_chosen
        if name in ("low", "high"):
            return bool(kind and kind.has_bounds)
        if name == "more_labels":
            return bool(kind and kind.names_labels)
        if name == "first_line":
            return self.form.table.seen is None
        if name in ("benchmark_title", "benchmark_summary", "benchmark_id", "url"):
            return not self.form.joins
        return name != "is_sure" or bool(self.doubts)


@admin.register(Task)
class NewTaskAdmin(TaskAdmin):
    """The pages of tasks, with one to make a new task, for whoever has confirmed an address; it is theirs then.

    It stands here and not beside the pages of tasks because its preview draws public pages.
    """

    def get_urls(self) -> list[Any]:
        view = for_beginners(self.new_task)
        return [path("new/", view, name="benchmarks_task_new"), *super().get_urls()]

    def new_task(self, request: HttpRequest) -> HttpResponse:
        """Ask screen by screen, show what will be public, and open the task that was shown."""
        confirm_identity(request, with_a_file=True)
        if request.method == "POST":
            step = _answered(request)
        else:
            into = request.GET.get("into", "")
            step = WizardStep(TableForm(), carried=(("into", into),) if into else ())
        if step.plan and step.table and "confirmed" in request.POST:
            sent = request.POST.get("seen", "")
            if sent == step.seen:
                task, problems = _open(step, cast(User, request.user))
                if task:
                    self.log_addition(request, task, "Made from a table of ids and labels.")
                    _tell(request, task)
                    return HttpResponseRedirect(f"{home_address(task.benchmark_id)}#data")
            else:
                problems = (_what_changed(sent, step.seen),)
            step = replace(step, problems=problems)
        title = "New task"
        return self.drawn(request, "admin/new_task.html", title=title, step=step, licences=LICENCES)


@sensitive_variables()
def _answered(request: HttpRequest) -> WizardStep:
    """The screen that was asked for, or the first before it with something to put right."""
    post = request.POST
    carried = tuple(_carried(request))
    if post.get("go") == steps.FILE:
        known = {name: post.get(name, "") for name in _OF_FILE}
        return WizardStep(TableForm(initial=known), carried=carried)
    form = TableForm(post, request.FILES)
    if not form.is_valid():
        return WizardStep(form, carried=carried)
    file = form.cleaned_data["file"]
    name, data = str(file.name), file.read()
    headerless = {NAMES: False, ITEM: True}.get(form.cleaned_data["first_line"])
    read = read_given(data, file_name=name, headerless=headerless, layout=form.cleaned_data["layout"])
    table = read.content
    if table is None:
        for sentence in grouped(read.problems, read.more).values():
            form.add_error("file", sentence)
        return WizardStep(form, carried=carried)
    answers, note = _answers(post, table, name)
    drafted = DraftForm(followed(answers, table), request.FILES, table=table, user=cast(User, request.user))
    hold_against_table(drafted, name)
    asked = _asked(post) if answers is post else steps.COLUMNS
    step = WizardStep(drafted, _reached(drafted, asked), note=note, table=table)
    if step.at == steps.CHECK:
        return _checked(step, drafted, table, data)
    return replace(step, tables=(first_rows(table),)) if step.at == steps.COLUMNS else step


def _answers(post: QueryDict, table: LabelledTable, name: str) -> tuple[Mapping[str, Any], str]:
    """What was sent; for a new file, or one with other columns, what is proposed, and a sentence that says so."""
    if "kind" not in post:
        return {**proposed(propose(table, name), table), "into": post.get("into", "")}, ""
    if post.get("read_as") == read_as(table):
        return post, ""
    fresh = dict.fromkeys(OF_THE_TABLE, "") | proposed_columns(propose(table, name), table)
    return replaced(post, fresh), _READ_ANEW


def _asked(post: QueryDict) -> str:
    """The screen that a button leads to; the same again without one."""
    if post.get("go") in steps.KEYS:
        return str(post["go"])
    return steps.CHECK if "confirmed" in post else str(post.get("at") or steps.COLUMNS)


def _carried(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """The answers of all screens that were sent, but for those that a screen without a table asks itself."""
    for name in DraftForm.base_fields:
        if name not in _NOT_KEPT:
            yield from ((name, value) for value in request.POST.getlist(name))


def _reached(form: DraftForm, asked: str) -> str:
    """The screen that was asked for, or the first before it with an error; errors of later ones are not told yet."""
    known = steps.steps_for(joins=form.joins)
    keys = [step.key for step in known]
    asked = asked if asked in keys else steps.CHECK
    for step in known[: keys.index(asked)]:
        if form.errors.keys() & {*step.fields, *step.folded}:
            return step.key
    for name in {field for step in known[keys.index(asked) :] for field in (*step.fields, *step.folded)}:
        form.errors.pop(name, None)
    return asked


@sensitive_variables()
def _checked(step: WizardStep, form: DraftForm, table: LabelledTable, data: bytes) -> WizardStep:
    """The last screen: the pages to come, and what to look at twice."""
    draft, user = form.draft(), form.user
    try:
        planned = plan(draft, into=form.cleaned_data["into"], new=form.new_benchmark(), size=len(table.rows))
        pages = pages_to_come(planned, table=table, user=user, now=database_now())
    except FileRefused as refused:
        return replace(step, problems=refused.sentences)
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        return replace(step, problems=(unforeseen("drawing a task to come", error),))
    doubted = (*doubts(table, draft), *clues(planned, table))
    into = form.cleaned_data["into"]
    parts = (data, repr(draft).encode(), repr((planned.document, into)).encode())
    seen = ".".join(sha256(part).hexdigest()[:_DIGEST] for part in parts)
    shown = replace(step, doubts=doubted, tables=what_will_be(planned, table), pages=pages, seen=seen)
    return shown if doubted and not form.cleaned_data["is_sure"] else replace(shown, plan=planned)


def _what_changed(sent: str, now: str) -> str:
    """Which of file, answers and benchmark is another than was shown."""
    named = ("the file is another one", "your answers are others", "the benchmark has changed")
    old, new = sent.split("."), now.split(".")
    if len(old) != len(new):
        return "Nothing was shown before. This is what everybody will see; press again if it is right."
    what = next(said for said, one, other in zip(named, old, new, strict=True) if one != other)
    return f"Since you looked, {what}. This is what everybody will see now; press again if it is right."


@sensitive_variables()
def _open(step: WizardStep, user: User) -> tuple[Task | None, tuple[str, ...]]:
    """The task, or the sentences that say why there is none."""
    if step.plan is None or step.table is None:
        return None, ()
    is_sure = step.form.cleaned_data["is_sure"]
    try:
        opened = open_task(step.plan, table=step.table, user=user, now=database_now(), confirm_clues=is_sure)
    except FileRefused as refused:
        return None, refused.sentences
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        return None, (unforeseen("opening a task", error),)
    return opened, ()


def _tell(request: HttpRequest, task: Task) -> None:
    phase = task.benchmark.phases.first()
    is_open = phase is None or phase.is_open(database_now())
    when = "is open" if is_open or not phase or not phase.opens_at else f"opens on {in_words(phase.opens_at)}"
    if task.benchmark.visibility == Benchmark.Visibility.DRAFT:
        when = "is a draft, to which nobody else can send a file yet,"
    sentences = [
        f"{task.title} {when} and its gold labels are sealed.",
        *([f"It is scored first on {in_words(phase.next_cut_off_at)}."] if phase else []),
    ]
    page = f"/benchmarks/{task.benchmark_id}/"
    public = f"Its {'page' if task.benchmark.is_hidden else 'public page'} appears within a minute:"
    messages.success(request, format_html("{} {} {}", " ".join(sentences), public, page_link(page, page)))
