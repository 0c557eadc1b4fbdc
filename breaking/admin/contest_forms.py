"""Forms of the admin about contested labels."""

from typing import Any, cast

from django import forms
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from benchmarks.models import Split
from breaking.models import Contest
from submissions.intake.pairs.votes import LONGEST_VOTER

_OF_LINES = (Contest.Choice.FIRST, Contest.Choice.LAST)


def label_field(split: Split, **kwargs: Any) -> forms.Field:
    """One label of an item: a choice where there is a set of them, else a part of its sentence."""
    if split.task.spec.output.is_one_label:
        choices = [("", "none"), *((name, name) for name in split.task.spec.output.gold_labels)]
        return forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget, **kwargs)
    return forms.CharField(max_length=1_000, strip=False, widget=UnfoldAdminTextInputWidget, **kwargs)


class DecisionNoteForm(forms.Form):
    """Why contests are decided so."""

    note = forms.CharField(
        label="Note",
        required=False,
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Why. Public, so name no label here as long as the gold labels are sealed.",
    )


class DecisionForm(DecisionNoteForm):
    """Which label an item is to have."""

    choice = forms.ChoiceField(label="Decision", widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, contest: Contest) -> None:
        super().__init__(*args)
        fitting = {
            Contest.Choice.KEEP: True,
            Contest.Choice.LABEL: contest.split.task.spec.output.is_one_text,
        }
        fitting |= dict.fromkeys(_OF_LINES, contest.sealed_lines is not None)
        field = cast(forms.ChoiceField, self.fields["choice"])
        field.choices = [(one.value, one.label) for one, fits in fitting.items() if fits]
        if fitting[Contest.Choice.LABEL]:
            hint = "Only with “this label”. It is sealed the moment it arrives."
            self.fields["label"] = label_field(contest.split, label="Label", required=False, help_text=hint)
        self.order_fields(["choice", "label", "note"])


class VoteForm(forms.Form):
    """What one annotator says."""

    voter = forms.CharField(label="Voter", max_length=LONGEST_VOTER, widget=UnfoldAdminTextInputWidget)
    label = forms.Field()  # as the labels of the split are

    def __init__(self, *args: Any, contest: Contest) -> None:
        super().__init__(*args)
        self.fields["label"] = label_field(contest.split, label="Label")


class VotesForm(forms.Form):
    """A file of votes."""

    file = forms.FileField(
        label="File of votes",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV in UTF-8 with the columns item, voter and label; a line for each vote.",
    )
