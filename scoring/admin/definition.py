"""A benchmark's definition as a file: to take away, edit and bring back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from unfold.widgets import UnfoldAdminFileFieldWidget

from accounts.admin_look import button
from accounts.formats.numbers import grouped
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table
from benchmarks.admin.organised.stale_forms import refusing_stale
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import for_beginners
from benchmarks.spec import BenchmarkSpec, quota_in_words
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.phases import scored_twice
from scoring.definitions.differences import differences
from scoring.definitions.editing import (
    MAX_BYTES,
    as_yaml,
    begin_benchmark,
    import_edited,
    read_definition,
    read_edited,
    refuse_taken_id,
    what_would_change,
)

if TYPE_CHECKING:
    Base = OrganisedAdmin
else:
    Base = object

_MOST_SHOWN = 200


class DefinitionForm(forms.Form):
    """The edited file; once it was read, its text travels with the form."""

    file = forms.FileField(
        label="YAML file",
        required=False,
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="An edited export. What it would change is shown before anything happens.",
    )
    text = forms.CharField(required=False, strip=False, max_length=MAX_BYTES, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """A file, or the text of one that was read before."""
        super().clean()
        if not (self.cleaned_data.get("file") or self.cleaned_data.get("text") or self.has_error("text")):
            self.add_error("file" if "file" in self.fields else "text", "Choose the file.")
        return self.cleaned_data


class EditedDefinitionForm(DefinitionForm):
    """The same for a benchmark that is there: it says what it would change, and that holds for what is there then."""

    stale = (
        "The definition was changed since you were shown what the file would change, so nothing was imported. What the "
        "file would change now stands below; to keep what somebody else has changed, export the definition once more."
    )

    def __init__(self, *args: Any, benchmark: Benchmark, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._benchmark = benchmark
        if self.data.get("text") or self.initial:
            del self.fields["file"]

    def stands_on(self) -> object:
        return self._benchmark.definition_sha256


_EditedDefinitionForm = refusing_stale(EditedDefinitionForm)


class HasDefinition(Base):
    """A benchmark's definition to export, an edited one to import, and a page that begins a new benchmark from one."""

    def get_urls(self) -> list[Any]:
        view = for_beginners(self.new_benchmark)
        return [path("new/", view, name="benchmarks_benchmark_new"), *super().get_urls()]

    def new_benchmark(self, request: HttpRequest) -> HttpResponse:
        """Begin a benchmark from a definition, after showing what it gives. Whoever has confirmed an address may."""
        form = DefinitionForm(request.POST or None, request.FILES or None)
        if request.method != "POST" or not form.is_valid():
            return self._ask_new(request, _begin(form))
        file = form.cleaned_data["file"]
        data = file.read() if file else form.cleaned_data["text"].encode()
        name = str(file.name) if file else "definition"
        try:
            document, spec = read_definition(data, name)
            refuse_taken_id(spec, name)
            if file:
                return self._ask_new(request, _as_it_will_be(spec, data.decode("utf-8-sig")))
            user = cast(User, request.user)
            benchmark = begin_benchmark(document, file_name=name, user=user, now=database_now())
        except DefinitionError as error:
            return self._ask_new(request, _begin(DefinitionForm(), error.mistakes))
        self.log_addition(request, benchmark, "Begun from a definition.")
        messages.success(
            request,
            f"{benchmark} is yours. Next, load the gold labels of each of its tasks.",
        )
        return HttpResponseRedirect(address(benchmark))

    def _ask_new(self, request: HttpRequest, question: Question) -> HttpResponse:
        answer = self.ask(request, question)
        answer.context_data = {**(answer.context_data or {}), "back": "../"}
        return answer

    @button("Export definition", icon="download")
    def export_definition(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Send the definition as YAML."""
        benchmark = self.row_or_404(request, object_id)
        return HttpResponse(
            as_yaml(benchmark),
            content_type="application/yaml; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{benchmark.pk}.yaml"'},
        )

    @button("Import definition", icon="upload")
    def import_definition(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Read an edited definition, say in words what it would change, and change it when that was confirmed."""
        benchmark = self.row_or_404(request, object_id)
        form = _EditedDefinitionForm(request.POST or None, request.FILES or None, benchmark=benchmark)
        stale = [*map(str, form.non_field_errors())]
        if request.method != "POST" or form.errors.keys() - {NON_FIELD_ERRORS}:
            is_read = "file" not in form.fields
            again = _EditedDefinitionForm(benchmark=benchmark) if is_read else form
            wrong = tuple(map(str, form.errors.get("text", ())))
            return self.ask(request, _first(benchmark, again, wrong), row=benchmark)
        file = form.cleaned_data.get("file")
        # A file field sends line ends as they are; a hidden field has them all as CRLF, which YAML reads alike.
        data = file.read() if file else form.cleaned_data["text"].encode()
        try:
            document = read_edited(benchmark, data, str(file.name) if file else benchmark.pk)
            if file or stale:
                shown = _second(benchmark, document, data.decode("utf-8-sig"))
                return self.ask(request, replace(shown, problems=stale), row=benchmark)
            report = import_edited(benchmark, document, database_now())
        except DefinitionError as error:
            again = _EditedDefinitionForm(benchmark=benchmark)
            return self.ask(request, _first(benchmark, again, error.mistakes), row=benchmark)
        self.log_change(request, benchmark, "Imported an edited definition.")
        messages.success(
            request,
            f"The definition was imported. {_sentence(report.changes)}",
        )
        return HttpResponseRedirect(address(benchmark))


def _begin(form: DefinitionForm, mistakes: tuple[str, ...] = ()) -> Question:
    return Question(
        title="A new benchmark from a definition",
        sentences=(
            (
                "Choose a definition, such as one that was exported from another server and edited. It "
                "needs an id that no benchmark has here. What it gives is shown before anything happens."
            ),
            "With a table of ids and labels alone, “New task” writes the definition for you.",
        ),
        button="Show what it gives",
        form=form,
        problems=mistakes,
        leads_on=True,
    )


def _as_it_will_be(spec: BenchmarkSpec, text: str) -> Question:
    """What a new definition gives, with the text of the file to be sent again."""
    form = DefinitionForm(initial={"text": text})
    del form.fields["file"]
    tasks = [(task.title, task.output.describe(), task.file.path) for task in spec.tasks[:_MOST_SHOWN]]
    phases = [(phase.title, f"{quota_in_words(phase)}, a team") for phase in spec.phases]
    return Question(
        title=f"Begin {spec.title}?",
        sentences=(
            (
                f"It will stand at /benchmarks/{spec.id}/ within a minute, and belong to you: public where you are "
                "staff, and else a draft that only you see, until whoever runs the server opens it. Files can "
                "be taken once gold labels are loaded, which is the next step."
            ),
            *(f"Please look again: {sentence}." for sentence in scored_twice(spec, spec.phases)),
        ),
        button="Begin",
        form=form,
        tables=(
            Table("Tasks", ("Task", "Answer", "File"), tasks),
            Table("Phases", ("Phase", "Submissions"), phases),
        ),
    )


def _first(benchmark: Benchmark, form: forms.Form, mistakes: tuple[str, ...] = ()) -> Question:
    return Question(
        title=f"Import a definition of {benchmark}",
        sentences=("Export the definition, edit the file and choose it here.",),
        button="Show what would change",
        form=form,
        problems=mistakes,
        leads_on=True,
    )


def _second(benchmark: Benchmark, document: dict[str, Any], text: str) -> Question:
    """What would change, in words, with the text of the file to be sent again."""
    changes = list(differences(benchmark.definition.document, document))
    report = what_would_change(benchmark, document, database_now())
    form = _EditedDefinitionForm(initial={"text": text}, benchmark=benchmark)
    shown = [(sentence,) for sentence in changes[:_MOST_SHOWN]]
    if len(changes) > _MOST_SHOWN:
        shown.append((f"and {grouped(len(changes) - _MOST_SHOWN)} more",))
    follows = [(line,) for line in (*report.changes, *report.left_alone)]
    return Question(
        title=f"Import this definition of {benchmark}?",
        sentences=(
            (
                "Where a task's version rises, all its submissions are scored anew with the next batch. "
                "Phases that exist stay as they are set here."
            ),
        ),
        button="Import",
        form=form,
        tables=(
            Table("In the definition", ("Change",), shown, empty="Nothing differs."),
            Table(
                "What follows from it",
                ("Change",),
                follows,
                empty="Nothing changes.",
            ),
        ),
    )


def _sentence(changes: tuple[str, ...]) -> str:
    return f"{'; '.join(changes[:5])}." if changes else "Nothing had to change."
