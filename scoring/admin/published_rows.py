"""Published figures in the admin: a file of them, or away with what was loaded."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldBooleanWidget

from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import Question, Table
from benchmarks.models import Benchmark
from benchmarks.services import keep_published_rows
from scoring.definitions.published_rows import load_published_rows
from scoring.file_refusal import FileRefused


class PublishedRowsForm(forms.Form):
    """A file, or none at all any more."""

    file = forms.FileField(
        label="File of published rows",
        required=False,
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV with the header system,source,date,kind,column,value,rank; one value a line.",
    )
    take_away = forms.BooleanField(
        label="Take away what was loaded",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Instead of loading a file.",
    )

    def clean(self) -> dict[str, Any]:
        """One of the two."""
        super().clean()
        if "file" in self.cleaned_data and bool(self.cleaned_data["file"]) is self.cleaned_data["take_away"]:
            self.add_error("file", "Choose a file, or tick that what was loaded goes; not both.")
        return self.cleaned_data


def _load(*, benchmark: Benchmark, file: "UploadedFile[Any] | None", take_away: bool) -> str:
    if file is None or take_away:
        keep_published_rows(benchmark=benchmark, rows=())
        return "The published rows that were loaded are taken away."
    return load_published_rows(benchmark=benchmark, data=file.read(), file_name=file.name or "").sentence


LOAD_PUBLISHED = Ask(
    label="Published rows",
    icon="menu_book",
    question=Question(
        title="Load published rows of {row}",
        sentences=(
            "Figures from a paper, its supplement or another site's leaderboard stand on the boards as reported rows, "
            "with their source and without a rank of ours, from the next release on.",
            "The file takes the place of what was loaded before. Rows of the definition stay; what both have stands "
            "there once. Values are on the scale of the boards: shares, no percentages.",
        ),
        button="Load",
    ),
    form=PublishedRowsForm,
    do=_load,
    done="{result}",
    log="{result}",
    refused=(FileRefused,),
)


def published_table(benchmark: Benchmark) -> Table:
    """What was loaded, by its source."""
    by_source: dict[tuple[str, str], list[int]] = {}
    for row in benchmark.published_rows:
        by_source.setdefault((row["source"], row["date"]), []).append(len(row["values"]))
    rows = [
        (source, date, grouped(len(counts)), grouped(sum(counts)))
        for (source, date), counts in by_source.items()
    ]
    headers = ("Source", "Date", "Systems", "Values")
    return Table("Published rows beside the definition", headers, rows, empty="None were loaded.")
