"""The button of a task that renews its items: what it would do is told first, and done on a second word."""

from typing import Any

from django import forms
from django.contrib import messages
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Task
from scoring.admin.item_sets.responses import clues_are_known
from scoring.definitions.renewal import Renewal, plan_renewal, renew_items
from scoring.file_refusal import FileRefused, unforeseen
from scoring.gold.versions import Loaded


class RenewalForm(forms.Form):
    """A gold file of the new set, and the word that what it does is known."""

    file = forms.FileField(
        label="Gold file of the new set",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="All items of the new set, those that stay among them.",
    )
    note = forms.CharField(
        required=False,
        max_length=500,
        widget=UnfoldAdminTextInputWidget,
        help_text="Why the items are renewed. Public.",
    )
    is_known = forms.BooleanField(
        label="I know what it does",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Leave it off first: then you are told what the file would do, and nothing is changed.",
    )
    confirm_clues = clues_are_known()


def _renew(
    *, task: Task, data: bytes, file_name: str, is_known: bool, **given: Any
) -> tuple[Renewal, Loaded]:
    if not is_known:
        plan = plan_renewal(task=task, data=data, file_name=file_name)
        raise FileRefused(
            *plan.sentences, "Nothing was changed. To do it, choose the file again and tick the box."
        )
    options = {key: given[key] for key in ("now", "user", "note", "confirm_clues")}
    return renew_items(task=task, data=data, file_name=file_name, **options)


def _renewed(task: Task, result: tuple[Renewal, Loaded]) -> Done:
    plan, loaded = result
    return Done(
        f"The items of {task.title} were renewed. {' '.join(plan.sentences)}",
        f"Renewed the items. {plan.sentences[0]} {loaded.sentence}",
        also=[(messages.WARNING, warning) for warning in loaded.warnings],
    )


RENEW_ITEMS = Ask(
    label="Renew items",
    icon="autorenew",
    question=Question(
        title="Renew the items of {row}",
        sentences=(
            "Between two phases a test set can take new items. Those that also stand in the set of today are anchors "
            "and stay, the others are retired.",
            "What is kept back in the next phase is new, so it ranks exactly.",
        ),
        button="Renew items",
    ),
    form=RenewalForm,
    do=_renew,
    done=_renewed,
    refused=(FileRefused,),
    unforeseen=lambda task, error: unforeseen(f"renewing items of {task}", error),
)
