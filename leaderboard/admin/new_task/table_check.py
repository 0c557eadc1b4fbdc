"""What keeps a table from being what is said of its columns, told at the field that says it."""

from collections.abc import Iterator

from catalogue.disclosure.sealed import SealedUntilEnd
from catalogue.problems import ProblemCode as Code
from leaderboard.admin.new_task.answers import LASTS_DAYS
from leaderboard.admin.new_task.draft_form import DraftForm
from scoring.definitions.task_import import NewBenchmark, plan
from scoring.file_refusal import FileRefused, grouped
from submissions.intake.tables.labelled import check_labelled

_OF_RANGE = {Code.NUMBER_OUT_OF_RANGE.value, Code.CLASS_OUT_OF_RANGE.value}
_OF_KIND = {Code.NOT_A_NUMBER.value, Code.CLASS_WITHOUT_NUMBER.value, Code.NOT_ZERO_OR_ONE.value}
_NEEDED = ("kind", "metric", "id_column", "label_columns", "text_columns", "more_labels", "low", "high")
_ANY = NewBenchmark("draft", "Draft", "", None, LASTS_DAYS, 1, SealedUntilEnd)


def hold_against_table(form: DraftForm, file_name: str) -> None:
    """Add what is wrong with ids, labels and their range to the fields of a form that was read."""
    needed = {*_NEEDED, "column_names"} & form.fields.keys()
    if form.errors.keys() & needed or needed - form.cleaned_data.keys():
        return
    for field, sentence in _faults(form, file_name):
        form.add_error(field, sentence)


def _faults(form: DraftForm, file_name: str) -> Iterator[tuple[str, str]]:
    draft = form.draft(is_rough=True)
    try:
        task = plan(draft, into=None, new=_ANY, size=len(form.table.rows)).task
    except FileRefused as refused:
        for sentence in refused.sentences:
            place, _, said = sentence.partition(": ")
            yield _field_of(place), said or sentence
        return
    checked = check_labelled(
        form.table,
        task=task,
        id_column=draft.id_column,
        label_columns=draft.label_columns,
        file_name=file_name,
    )
    for (column, code), sentence in grouped(checked.problems, checked.more).items():
        if column == draft.id_column:
            yield "id_column", sentence
        elif code in _OF_RANGE:
            yield "high", sentence
        else:
            yield ("kind" if code in _OF_KIND else "label_columns"), sentence


def _field_of(place: str) -> str:
    """The field that a key of the definition is made from."""
    for key, field in (
        (".metrics", "metric"),
        (".low", "low"),
        (".high", "high"),
        ("id_column", "id_column"),
    ):
        if key in place:
            return field
    return "label_columns"
