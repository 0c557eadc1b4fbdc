"""The next round in the admin: candidates and predictions in, a zip of its parts out. Nothing of it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Task
from scoring.admin.item_sets.attacks import of_task
from scoring.file_refusal import FileRefused, unforeseen
from scoring.item_sets.attacks import LARGEST_SEED
from scoring.item_sets.next_round import (
    NamedFile,
    in_a_line,
    open_round,
    submissions_answering,
)
from submissions.intake.predictions.file_writer import zip_of
from submissions.models import Submission

MAX_CANDIDATES_BYTES = 32 * 1024 * 1024
"""More takes longer to draw from than a browser should wait."""
_USUAL_SIZE = 720
_LARGEST_SIZE = 1_000_000


def _size(part: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=f"Items of {part}",
        min_value=1,
        max_value=_LARGEST_SIZE,
        initial=_USUAL_SIZE,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="A multiple of the number of labels times itself: of nine for three labels.",
    )


if TYPE_CHECKING:
    ChoiceOfSubmissions = forms.ModelChoiceField[Submission]
else:
    ChoiceOfSubmissions = forms.ModelChoiceField


class _SubmissionField(ChoiceOfSubmissions):
    def label_from_instance(self, obj: Submission) -> str:
        return in_a_line(obj)


class RoundForm(forms.Form):
    """Candidates, a system's predictions for them, and what to draw."""

    responses = forms.FileField(
        label="Candidates",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="JSON lines with five responses each, as “Load responses” takes them, and “prompt”: what is "
        "written without one is for training alone.",
    )
    submission = _SubmissionField(
        Submission.objects.none(),
        label="The system's submission",
        required=False,
        empty_label="None: its predictions come in a file",
        widget=UnfoldAdminSelectWidget,
        help_text="Where the candidates are a split of this task that the system has answered.",
    )
    system = forms.FileField(
        label="Or its predictions",
        required=False,
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="For every candidate, written like a file of predictions for this task.",
    )
    dev = _size("dev")
    test = _size("test")
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        initial=1,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="The same files and seed draw the same round again.",
    )

    def __init__(self, *args: Any, task: Task) -> None:
        super().__init__(*args)
        cast(_SubmissionField, self.fields["submission"]).queryset = submissions_answering(task)

    def clean(self) -> dict[str, Any]:
        """Predictions come from one place."""
        given = super().clean() or self.cleaned_data
        named = [name for name in ("submission", "system") if given.get(name) is not None]
        if len(named) != 1 and not self.errors:
            self.add_error(
                "system",
                "Give one of the two: the system's labels for the candidates come from one place."
                if named
                else (
                    "Choose a submission or give a file: the system's labels for the candidates come from "
                    "one place."
                ),
            )
        return given


def _draw(
    *,
    task: Task,
    responses: UploadedFile[Any],
    submission: Submission | None,
    system: UploadedFile[Any] | None,
    dev: int,
    test: int,
    seed: int,
) -> Done:
    """The zip of the parts, to download."""
    drawn = open_round(
        task=task.spec,
        responses=_file(responses),
        predictions=submission or _file(cast("UploadedFile[Any]", system)),
        size_dev=dev,
        size_test=test,
        seed=seed,
    )
    name = f"{task.benchmark_id}-{task.slug}-next-round.zip"
    # No cache keeps it, as no page of the admin.
    download = HttpResponse(
        zip_of(drawn.files),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    return Done(log=f"Drew a round after this one, with seed {seed}.", leads_to=download)


def _file(upload: UploadedFile[Any]) -> NamedFile:
    if (upload.size or 0) > MAX_CANDIDATES_BYTES:
        most = MAX_CANDIDATES_BYTES // 1024**2
        raise FileRefused(
            f"{upload.name} has more than {most} MB. Draw from so much on the command line: manage.py "
            "draw_round."
        )
    return upload.name or "", upload.read()


DRAW_ROUND = Ask(
    label="Draw a round",
    icon="casino",
    question=Question(
        title="Draw the round after {row.title}",
        sentences=(
            "Out of candidates with five responses each, dev and test are drawn: labels balanced, at "
            "least four of five workers agreed, written with a prompt, no prompt twice, and the system "
            "whose predictions you give right on no more than chance has it. Every other item with a "
            "majority is for training.",
            "You get a zip of responses, texts and a report. Nothing is kept or loaded here. Its "
            "dev.jsonl and test.jsonl give the answers away: load them as the responses of a new "
            "task, and show them to nobody.",
        ),
        button="Draw and download",
    ),
    form=RoundForm,
    given=of_task,
    do=_draw,
    refused=(FileRefused,),
    unforeseen=lambda task, error: unforeseen(f"drawing a round after {task}", error),
)
