"""Forms with which teams contest labels. They check shape only; what is allowed is in `breaking.contests`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from accounts.models import Team
from benchmarks.spec import LabelSet, Output
from breaking.contested_labels import has_labels_to_choose
from breaking.contests import LONGEST_REASON
from breaking.models import Contest


def label_field(output: Output, **kwargs: Any) -> forms.Field:
    """A field for one label of an item: a choice where there is a set of them, else text."""
    if isinstance(output, LabelSet):
        names = [(name, name) for name in output.names if name not in output.never_right]
        return forms.ChoiceField(
            choices=[("", "none" if not kwargs.get("required", True) else ""), *names], **kwargs
        )
    return forms.CharField(max_length=1_000, strip=False, **kwargs)


class _OfATeam(forms.Form):
    """Said in the name of one of the reader's teams."""

    def __init__(self, teams: Sequence[Team], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine = Team.objects.filter(pk__in=[team.pk for team in teams])
        self.fields["team"] = forms.ModelChoiceField(mine, empty_label=None)
        self.order_fields(["team"])


class ContestForm(_OfATeam):
    """Why a label is wrong, and perhaps which one would be right."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Public. As long as systems are anonymous here, do not say which is yours.",
    )

    def __init__(self, teams: Sequence[Team], contest: Contest, *args: Any) -> None:
        super().__init__(teams, *args)
        if has_labels_to_choose(contest.split):
            output = contest.split.task.spec.output
            is_set = isinstance(output, LabelSet)
            hint = "" if is_set else "A part of the sentence, letter by letter."
            self.fields["proposed_label"] = label_field(
                output, label="Right label", required=False, help_text=hint
            )


class VoiceForm(_OfATeam):
    """Which label one more team would give a contested item."""

    def __init__(self, teams: Sequence[Team], contest: Contest, *args: Any) -> None:
        super().__init__(teams, *args)
        self.fields["label"] = label_field(contest.split.task.spec.output, label="Right label")
