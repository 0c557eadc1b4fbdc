"""The next round in the admin: candidates and predictions in, a zip of its parts out. Nothing of it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_variables
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from accounts.admin_look import button
from benchmarks.admin.base import Question
from benchmarks.models import Task
from scoring.admin.item_sets.attacks import HasTexts
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
    Base = HasTexts
    ChoiceOfSubmissions = forms.ModelChoiceField[Submission]
else:
    Base = object
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


class DrawsRounds(Base):
    """A button on a task's page that draws the round after it."""

    @button("Draw a round", icon="casino")
    def draw_round(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Send the parts as a zip, or say what is wrong with the files or short."""
        task = self.task_or_404(request, object_id)
        form = RoundForm(request.POST or None, request.FILES or None, task=task)
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            drawn, problems = _draw(task, form)
            if drawn is not None:
                seed = form.cleaned_data["seed"]
                self.log_change(
                    request,
                    task,
                    f"Drew a round after this one, with seed {seed}.",
                )
                return _download(drawn, f"{task.benchmark_id}-{task.slug}-next-round.zip")
        return self.ask(request, _question(task, form, problems), row=task)


@sensitive_variables()
def _draw(task: Task, form: RoundForm) -> tuple[bytes | None, tuple[str, ...]]:
    """The zip, or the sentences that say why there is none."""
    try:
        drawn = open_round(
            task=task.spec,
            responses=_file(form.cleaned_data["responses"]),
            predictions=form.cleaned_data["submission"] or _file(form.cleaned_data["system"]),
            size_dev=form.cleaned_data["dev"],
            size_test=form.cleaned_data["test"],
            seed=form.cleaned_data["seed"],
        )
        return zip_of(drawn.files), ()
    except FileRefused as refused:
        return None, refused.sentences
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        return None, (unforeseen(f"drawing a round after {task}", error),)


def _file(upload: UploadedFile[Any]) -> NamedFile:
    if (upload.size or 0) > MAX_CANDIDATES_BYTES:
        most = MAX_CANDIDATES_BYTES // 1024**2
        raise FileRefused(
            f"{upload.name} has more than {most} MB. Draw from so much on the command line: manage.py "
            "draw_round."
        )
    return upload.name or "", upload.read()


def _download(data: bytes, name: str) -> HttpResponse:
    response = HttpResponse(
        data, content_type="application/zip"
    )  # no cache keeps it, as no page of the admin
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _question(task: Task, form: RoundForm, problems: tuple[str, ...]) -> Question:
    return Question(
        title=f"Draw the round after {task.title}",
        sentences=(
            (
                "Out of candidates with five responses each, dev and test are drawn: labels balanced, at "
                "least four of five workers agreed, written with a prompt, no prompt twice, and the system "
                "whose predictions you give right on no more than chance has it. Every other item with a "
                "majority is for training."
            ),
            (
                "You get a zip of responses, texts and a report. Nothing is kept or loaded here. Its "
                "dev.jsonl and test.jsonl give the answers away: load them as the responses of a new "
                "task, and show them to nobody."
            ),
        ),
        button="Draw and download",
        form=form,
        problems=problems,
    )
