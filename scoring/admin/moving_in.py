"""Moving in, in the admin: another leaderboard's table is read, its difference shown, and taken over."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextInputWidget

from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask, AskAgain, Done
from benchmarks.admin.organised.organised_admin import Question, Table
from benchmarks.models import Benchmark
from scoring.definitions.moving_in import Move, move_in, read_move
from scoring.file_refusal import FileRefused
from submissions.intake.published.moved_table import EARLIER

_LONGEST_TABLE = 1_000_000
_MOST_SHOWN = 200


class MoveInForm(forms.Form):
    """The table; once it was read, its text travels with the form, and which difference was shown."""

    file = forms.FileField(
        label="The table",
        required=False,
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV, TSV or JSON Lines with system, team, date, and a column for each score; source, paper and code "
        "may be there too.",
    )
    source = forms.CharField(
        label="What the earlier leaderboard is called",
        required=False,
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
        help_text=f"It stands with each row that names no source. Empty: {EARLIER}.",
    )
    text = forms.CharField(required=False, strip=False, max_length=_LONGEST_TABLE, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """A file, or the text of one that was read before."""
        super().clean()
        file = self.cleaned_data.get("file")
        if not file and not self.cleaned_data.get("text") and "file" not in self.errors:
            self.add_error("file", "Choose the file.")
        if file and file.size > _LONGEST_TABLE:
            limit = grouped(_LONGEST_TABLE)
            self.add_error("file", f"The file is larger than {limit} bytes; manage.py move_in takes it.")
        return self.cleaned_data


class SeenMoveForm(MoveInForm):
    """The same once the difference is shown."""

    file = None  # type: ignore[assignment]  # Django's way to leave a field out
    source = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)


def _move_in(
    *, benchmark: Benchmark, file: "UploadedFile[Any] | None" = None, source: str, text: str, seen: str
) -> Done:
    data = file.read() if file else text.encode()
    move = read_move(benchmark, data, file_name=(file.name if file else "") or "table", source=source)
    if not move.changes:
        return Done("All of the table stands there already. Nothing was changed.")
    if seen != move.digest:
        raise AskAgain(_difference(benchmark, move, data.decode("utf-8-sig"), source))
    move_in(benchmark=benchmark, move=move)
    return Done(
        f"Moved in: {move.sentence} Boards show it from the next release on, or within a minute before the first.",
        f"Moved in: {move.sentence}",
    )


def _difference(benchmark: Benchmark, move: Move, text: str, source: str) -> Question:
    shown = [(sentence,) for sentence in move.changes[:_MOST_SHOWN]]
    if len(move.changes) > _MOST_SHOWN:
        shown.append((f"and {grouped(len(move.changes) - _MOST_SHOWN)} more",))
    return Question(
        title=f"Move this table in to {benchmark}?",
        sentences=(move.sentence, "Nothing has been changed yet."),
        button="Move in",
        form=SeenMoveForm(initial={"text": text, "source": source, "seen": move.digest}),
        tables=(Table("What changes", ("Row",), shown),),
    )


MOVE_IN = Ask(
    label="Move in",
    icon="move_to_inbox",
    question=Question(
        title="Move another leaderboard in to {row}",
        sentences=(
            "Its rows stand on the boards as reported rows with their dates, beside what is scored here: without a "
            "rank of ours, in no comparison and no interval. Teams can claim theirs, and you decide.",
            "The table takes the place of what was moved in before. What differs is shown before anything is changed. "
            "Scores are on the scale of the boards: shares, no percentages.",
        ),
        button="Read it",
        leads_on=True,
    ),
    form=MoveInForm,
    do=_move_in,
    refused=(FileRefused,),
)
