"""What the pages of systems and teams share: which of them somebody organises, and the button that removes a name."""

import datetime as dt
from collections.abc import Callable
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from accounts.admin_look import ActionVariant
from accounts.formats.names import one_line
from accounts.models import Team, User
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark
from submissions.models import Refusal, Submission, System
from submissions.systems.board_names import CannotName, call_system, take_team_name_off
from submissions.systems.name_removals import NameIsRemoved


def systems_in(slugs: frozenset[str]) -> QuerySet[System]:
    """Systems that somebody has sent a file for to one of these benchmarks."""
    accepted = Submission.objects.filter(phase__benchmark__in=slugs)
    refused = Refusal.objects.filter(phase__benchmark__in=slugs)
    return System.objects.filter(Q(pk__in=accepted.values("system")) | Q(pk__in=refused.values("system")))


class RemoveNameForm(forms.Form):
    """Why a name must not be read."""

    reason = forms.CharField(
        max_length=30,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Public, because it stands in place of the name: a few words, such as: offensive",
    )


class NamedOnBoardsForm(forms.Form):
    """On which benchmark's boards, of those that whoever asks runs, and why: others may be hidden from them."""

    benchmark = forms.ModelChoiceField(
        Benchmark.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget
    )
    reason = forms.CharField(
        max_length=30,
        widget=UnfoldAdminTextInputWidget,
        help_text="Public, because the log says why pages change, and the team reads it: a few words.",
    )

    def __init__(self, *args: Any, row: System | Team, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        of_row = "phases__submissions__system" + ("" if isinstance(row, System) else "__team")
        own = Benchmark.objects.organised_by(user).filter(**{of_row: row}).distinct()
        self.fields["benchmark"].queryset = own  # type: ignore[attr-defined]  # of a field with a choice of rows


class NewNameForm(NamedOnBoardsForm):
    """The same with the new name."""

    name = forms.CharField(max_length=80, widget=UnfoldAdminTextInputWidget)
    field_order = ("benchmark", "name", "reason")

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])


def _rename(
    *, system: System, benchmark: Benchmark, name: str, reason: str, user: User, now: dt.datetime
) -> str:
    return call_system(benchmark=benchmark, system=system, name=name, reason=reason, by=user, now=now)


RENAME_ON_BOARDS = Ask(
    label="Rename on my boards",
    icon="edit",
    question=Question(
        title="Call {row} otherwise on the boards of a benchmark",
        sentences=(
            "On every page and in every export of that benchmark, also of releases that are out; elsewhere it keeps "
            "its name. The team gets a mail, and the public log says that a name was replaced and why.",
        ),
        button="Rename",
    ),
    form=NewNameForm,
    given=lambda system: {"row": system},
    tells_form_who=True,
    do=_rename,
    refused=(CannotName,),
    done="On the boards of {benchmark} it is called {result} now. Pages are drawn anew within a minute.",
    log="Renamed to {result} on the boards of {benchmark}: {reason}",
)


def _replace(*, team: Team, benchmark: Benchmark, reason: str, user: User, now: dt.datetime) -> str:
    return take_team_name_off(benchmark=benchmark, team=team, reason=reason, by=user, now=now)


REPLACE_ON_BOARDS = Ask(
    label="Replace name on my boards",
    icon="visibility_off",
    variant=ActionVariant.DANGER,
    question=Question(
        title="Replace the name of the team {row} on the boards of a benchmark?",
        sentences=(
            "In its place stands when and why it was removed: on every page and in every export of that benchmark, "
            "also of releases that are out. The same goes for names of its systems that hold the team's.",
            "On boards of other organisers, and on the pages of its systems, the name stays; operators remove it "
            "everywhere.",
        ),
        button="Replace the name",
    ),
    form=NamedOnBoardsForm,
    given=lambda team: {"row": team},
    tells_form_who=True,
    do=_replace,
    refused=(CannotName,),
    done="On the boards of {benchmark} it is called {result} now. Pages are drawn anew within a minute.",
    log="Name replaced on the boards of {benchmark}: {reason}",
)


def remove_name_button(do: Callable[..., str], what: str, *, changes_row: bool) -> Ask:
    return Ask(
        label="Remove name",
        icon="visibility_off",
        variant=ActionVariant.DANGER,
        question=Question(
            title=f"Remove the name of the {what} {{row}}?",
            sentences=(
                "In its place stands when and why it was removed: on every page and in every export, also of "
                "releases that are out. Ranks and scores stay, and the public log says that a name was removed.",
                "Mails that were sent cannot be taken back, nor what others have copied.",
            ),
            button="Remove the name",
        ),
        form=RemoveNameForm,
        do=do,
        refused=(NameIsRemoved, CannotName),
        done="It is called {result} now. Pages are drawn anew within a minute.",
        log="Name removed: {reason}",
        changes_row=changes_row,
    )
