"""Forms of breakers: they check shape only; `handing_in` and the intake judge."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms

from accounts.models import Team, User
from benchmarks.models import Phase, Task


class ByTitle(forms.ModelChoiceField):  # type: ignore[type-arg]  # not generic at run time
    """A row by its title, which is all that tells it from the others of its benchmark."""

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.title)


class HandInForm(forms.Form):
    """One file of pairs. Whether its phase is open is the service's to say."""

    phase = ByTitle(Phase.objects.none(), label="Phase", empty_label=None)
    team = forms.ModelChoiceField(
        Team.objects.none(),
        label="Team",
        empty_label=None,
        error_messages={"invalid_choice": "Choose one of your teams."},
        help_text="The set of its pairs will bear its name, for everybody to read.",
    )
    task = ByTitle(
        Task.objects.none(),
        label="Task",
        empty_label=None,
        error_messages={"invalid_choice": "Choose one of the tasks."},
    )
    file = forms.FileField(
        label="Pairs",
        allow_empty_file=True,
        max_length=255,
        error_messages={
            "required": "Choose the file to hand in.",
            "max_length": "Give the file a shorter name.",
        },
    )

    def __init__(
        self, user: User, phases: Sequence[Phase], tasks: Sequence[Task], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        offered = {
            "phase": Phase.objects.filter(pk__in=[one.pk for one in phases]),
            "team": Team.objects.of(user),
            "task": Task.objects.filter(pk__in=[one.pk for one in tasks]),
        }
        for name, rows in offered.items():
            cast("forms.ModelChoiceField[Any]", self.fields[name]).queryset = rows
            self.fields[name].widget.attrs["autocomplete"] = "off"
        if len(phases) == 1:
            self.fields["phase"].widget = forms.HiddenInput()
            self.initial["phase"] = phases[0].pk
