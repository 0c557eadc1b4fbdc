"""A benchmark's definition as a file: to take away, edit and bring back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from unfold.widgets import UnfoldAdminFileFieldWidget

from accounts.admin_look import button
from accounts.clock import database_now
from benchmarks.models import Benchmark
from benchmarks.organising import OrganisedAdmin, Question, Table, address
from benchmarks.spec.differences import differences
from benchmarks.spec.document import DefinitionError
from scoring.definitions import MAX_BYTES, as_yaml, import_edited, read_edited, what_would_change

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
        if not self.cleaned_data.get("file") and not self.cleaned_data.get("text"):
            self.add_error("file", "Choose the file.")
        return self.cleaned_data


class HasDefinition(Base):
    """The buttons of a benchmark's page that export its definition and import an edited one."""

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
        benchmark: Benchmark = self.row_or_404(request, object_id)
        form = DefinitionForm(request.POST or None, request.FILES or None)
        if request.method != "POST" or not form.is_valid():
            return self.ask(request, _first(benchmark, form), row=benchmark)
        file: UploadedFile[Any] | None = form.cleaned_data["file"]
        # A file field sends line ends as they are; a hidden field has them all as CRLF, which YAML reads alike.
        data = file.read() if file else form.cleaned_data["text"].encode()
        try:
            document = read_edited(benchmark, data, str(file.name) if file else benchmark.pk)
        except DefinitionError as error:
            return self.ask(request, _first(benchmark, DefinitionForm(), error.mistakes), row=benchmark)
        if file:
            return self.ask(request, _second(benchmark, document, data.decode("utf-8-sig")), row=benchmark)
        report = import_edited(benchmark, document, database_now())
        self.log_change(request, benchmark, "Imported an edited definition.")
        messages.success(request, f"The definition was imported. {_sentence(report.changes)}")
        return HttpResponseRedirect(address(benchmark))


def _first(benchmark: Benchmark, form: DefinitionForm, mistakes: tuple[str, ...] = ()) -> Question:
    return Question(
        title=f"Import a definition of {benchmark}",
        sentences=("Export the definition, edit the file and choose it here.",),
        button="Show what would change",
        form=form,
        problems=mistakes,
    )


def _second(benchmark: Benchmark, document: dict[str, Any], text: str) -> Question:
    """What would change, in words, with the text of the file to be sent again."""
    told = list(differences(benchmark.definition, document))
    report = what_would_change(benchmark, document, database_now())
    form = DefinitionForm(initial={"text": text})
    del form.fields["file"]
    shown = [(sentence,) for sentence in told[:_MOST_SHOWN]]
    if len(told) > _MOST_SHOWN:
        shown.append((f"and {len(told) - _MOST_SHOWN:,} more",))
    follows = [(line,) for line in (*report.changes, *report.left_alone)]
    return Question(
        title=f"Import this definition of {benchmark}?",
        sentences=(
            "Where a task's version rises, all its submissions are scored anew with the next batch. Phases that exist "
            "stay as they are set here.",
        ),
        button="Import",
        form=form,
        tables=(
            Table("In the definition", ("Change",), shown, empty="Nothing differs."),
            Table("What follows from it", ("Change",), follows, empty="Nothing changes."),
        ),
    )


def _sentence(changes: tuple[str, ...]) -> str:
    return f"{'; '.join(changes[:5])}." if changes else "Nothing had to change."
