"""The button of a benchmark that changes its texts without a file."""

import datetime as dt
from typing import Any

from django import forms
from django.contrib import messages
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark
from benchmarks.spec.document import DefinitionError
from scoring.definitions.differences import differences
from scoring.definitions.editing import import_edited
from scoring.definitions.texts import texts_of, with_texts

_LONGEST = {"title": 120, "summary": 2_000, "citation": 4_000, "instructions": 20_000}
_HELP = {
    "title": "",
    "summary": "What it asks, in a sentence or two: it stands on cards and above boards.",
    "citation": "How its data are to be cited: a reference, or BibTeX.",
    "instructions": "What annotators or systems are told, word for word.",
}


class DefinitionTextsForm(forms.Form):
    """A field for each text of the definition, as it stands."""

    def __init__(self, *args: Any, benchmark: Benchmark, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        texts = texts_of(benchmark.definition.document)
        for place, text in texts.items():
            of_task, _, key = place.rpartition(".")
            is_title = key == "title"
            self.fields[place] = forms.CharField(
                label=f"{texts[f'{of_task}.title']}: {key}" if of_task else key.capitalize(),
                initial=text,
                required=is_title,
                max_length=_LONGEST[key],
                widget=UnfoldAdminTextInputWidget()
                if is_title
                else UnfoldAdminTextareaWidget(attrs={"rows": 6 if key == "instructions" else 3}),
                help_text="" if of_task and key != "instructions" else _HELP[key],
            )


class TextsRefused(Exception):
    """Texts that a definition cannot hold; a sentence for each mistake."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


def _change(*, benchmark: Benchmark, now: dt.datetime, **given: Any) -> Done:
    before = benchmark.definition.document
    edited = with_texts(before, {place: given[place] for place in texts_of(before)})
    changed = tuple(differences(before, edited))
    if not changed:
        return Done(also=((messages.INFO, "The texts say this already; nothing was changed."),))
    try:
        import_edited(benchmark, edited, now)
    except DefinitionError as error:
        raise TextsRefused(error.mistakes) from None
    texts = "1 text was" if len(changed) == 1 else f"{len(changed)} texts were"
    return Done(
        f"{texts} changed. Pages are drawn anew within a minute.", f"Changed texts: {'; '.join(changed)}."
    )


EDIT_TEXTS = Ask(
    label="Texts",
    icon="edit_note",
    question=Question(
        title="Texts of {row}",
        sentences=(
            "No score and no version of a task changes with them. They stand in the definition: an export holds them, "
            "and an import shows where a file says something else.",
        ),
        button="Save the texts",
    ),
    form=DefinitionTextsForm,
    given=lambda benchmark: {"benchmark": benchmark},
    do=_change,
    refused=(TextsRefused,),
)
