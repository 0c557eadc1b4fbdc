"""The buttons of a benchmark that add a phase and delete one that nothing was sent to."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminSplitDateTimeWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.formats.instants import in_own_zone
from benchmarks.added_phases import CannotAdd, add_phase
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark, Phase
from breaking.forms import ByTitle
from leaderboard.publication.removal import CannotRemove, remove_phase
from submissions.models import Submission


class NewPhaseForm(forms.Form):
    """A phase with a name, dates and the splits that it scores."""

    title = forms.CharField(
        max_length=120, widget=UnfoldAdminTextInputWidget, help_text="Such as Test B and C."
    )
    opens_at = forms.SplitDateTimeField(
        label="Opens at", widget=UnfoldAdminSplitDateTimeWidget, help_text=in_own_zone()
    )
    closes_at = forms.SplitDateTimeField(
        label="Closes at",
        widget=UnfoldAdminSplitDateTimeWidget,
        help_text=in_own_zone("The first instant that is too late. All is scored then, once."),
    )
    places = forms.MultipleChoiceField(
        label="What is scored",
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="A file for anything else is refused by name and costs nothing.",
    )
    takes_over = forms.BooleanField(
        label="Take that out of other phases at the same time",
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget,
        help_text="Two phases that score the same items cannot run at once. Phases that nothing was sent to are then "
        "about the rest only.",
    )
    quota = forms.IntegerField(
        label="Submissions of a team in all",
        min_value=1,
        max_value=10_000,
        required=False,
        initial=2,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Empty: no limit.",
    )

    def __init__(self, *args: Any, benchmark: Benchmark, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["places"].choices = [  # type: ignore[attr-defined]  # of a field with choices
            (f"{task.id}/{split.id}", f"{task.title}: {split.id}")
            for task in benchmark.spec.tasks
            for split in task.splits
        ]

    def clean_places(self) -> list[tuple[str, str]]:
        """As task and split."""
        return [
            (task, split) for task, _, split in (name.partition("/") for name in self.cleaned_data["places"])
        ]

    def clean(self) -> dict[str, Any]:
        """Hold the dates against each other."""
        given = super().clean() or {}
        opens_at, closes_at = given.get("opens_at"), given.get("closes_at")
        if opens_at and closes_at and closes_at <= opens_at:
            raise ValidationError("A phase closes after it opens. Please look at the dates again.")
        return given


class PhaseChoiceForm(forms.Form):
    """One of the phases that nothing was sent to."""

    phase = ByTitle(Phase.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, benchmark: Benchmark, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["phase"].queryset = removable(benchmark)  # type: ignore[attr-defined]  # of a field with rows


def removable(benchmark: Benchmark) -> Any:
    """The phases that nothing was sent to and no release is of."""
    sent = Submission.objects.filter(phase__benchmark=benchmark)
    return benchmark.phases.exclude(pk__in=sent.values("phase")).filter(releases=None, pair_files=None)


def _delete(*, benchmark: Benchmark, phase: Phase) -> Done:
    remove_phase(phase)
    return Done(f"{phase.title} was deleted.", f"Deleted the phase {phase.slug}.")


ADD_PHASE = Ask(
    label="Add a phase",
    icon="add",
    question=Question(
        title="Add a phase to {row}",
        sentences=(
            "It is scored once, when it closes. Where its labels are held out nothing of them is shown before; "
            "everything else can be changed on its own page.",
        ),
        button="Add the phase",
    ),
    form=NewPhaseForm,
    given=lambda benchmark: {"benchmark": benchmark},
    do=add_phase,
    done=lambda benchmark, phase: Done(
        f"{phase.title} is there. Its rules can be changed here.",
        f"Added the phase {phase.slug}.",
        leads_to=phase,
    ),
    refused=(CannotAdd,),
)
REMOVE_PHASE = Ask(
    label="Delete a phase",
    icon="event_busy",
    question=Question(
        title="Delete a phase of {row}",
        sentences=(
            "Only phases that nobody has sent a file to can be deleted; this cannot be undone. Where the "
            "definition names the phase, the next import of it makes it anew.",
        ),
        button="Delete the phase",
        is_grave=True,
    ),
    form=PhaseChoiceForm,
    given=lambda benchmark: {"benchmark": benchmark},
    do=_delete,
    refused=(CannotRemove,),
    shown=lambda benchmark: removable(benchmark).exists(),
)
