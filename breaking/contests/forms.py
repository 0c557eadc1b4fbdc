"""Forms with which teams contest labels. They check shape only; what is allowed is in `breaking.contests.services`."""

from collections.abc import Sequence
from typing import Any

from django import forms

from accounts.models import Team
from benchmarks.models import Split
from breaking.contests.item_labels import has_labels_to_choose, labels_to_choose
from breaking.contests.services import LONGEST_REASON
from breaking.models import Contest


def label_field(split: Split, *, required: bool = True) -> forms.Field:
    """A field for the label that an item should have: a choice where there is a set of them, else text."""
    if split.task.spec.output.is_one_label:
        names = [(name, name) for name in labels_to_choose(split)]
        blank = [] if required else [("", "none")]
        return forms.ChoiceField(label="Right label", choices=[*blank, *names], required=required)
    hint = "A part of the sentence, letter by letter."
    return forms.CharField(
        label="Right label", max_length=1_000, strip=False, required=required, help_text=hint
    )


class _OfATeam(forms.Form):
    """Said in the name of one of the reader's teams."""

    def __init__(self, teams: Sequence[Team], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine = Team.objects.filter(pk__in=[team.pk for team in teams])
        self.fields["team"] = forms.ModelChoiceField(mine, label="Team", empty_label=None)
        self.order_fields(["team"])


class ContestForm(_OfATeam):
    """Why a label is wrong, and perhaps which one would be right."""

    reason = forms.CharField(
        label="Reason",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Public. As long as systems are anonymous here, do not say which is yours.",
    )

    def __init__(self, teams: Sequence[Team], contest: Contest, *args: Any) -> None:
        super().__init__(teams, *args)
        if has_labels_to_choose(contest.split):
            self.fields["proposed_label"] = label_field(contest.split, required=False)


class VoiceForm(_OfATeam):
    """Which label one more team would give a contested item."""

    def __init__(self, teams: Sequence[Team], contest: Contest, *args: Any) -> None:
        super().__init__(teams, *args)
        self.fields["label"] = label_field(contest.split)
