"""What the pages of systems and teams share: which of them somebody organises, and the button that removes a name."""

from collections.abc import Callable

from django import forms
from django.db.models import Q, QuerySet
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.admin_look import ActionVariant
from benchmarks.admin.asks import Ask
from benchmarks.admin.base import Question
from submissions.models import Refusal, Submission, System
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


def remove_name_button(do: Callable[..., str], what: str) -> Ask:
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
        refused=(NameIsRemoved,),
        done="It is called {result} now. Pages are drawn anew within a minute.",
        log="Name removed: {reason}",
        changes_row=True,
        shown=lambda row: row.name_removed_at is None,
    )
