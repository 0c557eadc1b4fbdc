"""Breakers' sets in the admin. No page here shows a label, and none could."""

import logging
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Adding, Ask, Done
from benchmarks.admin.organised.links import link, list_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, column
from benchmarks.models import Phase, Task
from benchmarks.people.request_rights import is_superuser, organised
from benchmarks.people.rights import Right
from breaking.admin.pairs import PairReasonForm
from breaking.models import BreakerSet, Contest
from breaking.pairs.review import CannotDecide, restore_set, withdraw_set
from breaking.sets.creation import import_set
from scoring.file_refusal import FileRefused
from submissions.intake.pairs.minimal_pairs import makes_pairs

logger = logging.getLogger(__name__)

COLOURS = {"counts": "success", "withdrawn": "danger"}


def tasks_of_pairs(request: HttpRequest) -> list[Task]:
    """The tasks that whoever asks may run and that take pairs."""
    tasks = Task.objects.filter(is_retired=False, benchmark__phases__kind=Phase.Kind.BREAK).distinct()
    if not is_superuser(request):
        tasks = tasks.filter(benchmark__in=organised(request))
    return [task for task in tasks.select_related("benchmark") if makes_pairs(task.spec)]


class TaskForm(forms.Form):
    """A file and the task that it is for."""

    task = forms.TypedChoiceField(label="Task", widget=UnfoldAdminSelectWidget)
    file = forms.FileField(label="File", allow_empty_file=True, widget=UnfoldAdminFileFieldWidget)

    def __init__(self, *args: Any, tasks: list[Task]) -> None:
        super().__init__(*args)
        rows = {str(task.pk): task for task in tasks}
        field = cast(forms.TypedChoiceField, self.fields["task"])
        field.choices = [(key, f"{task.benchmark} / {task.title}") for key, task in rows.items()]
        field.coerce = rows.__getitem__


class ImportForm(TaskForm):
    """A finished set and what it is called."""

    breaker = forms.CharField(
        label="Breaker",
        max_length=80,
        widget=UnfoldAdminTextInputWidget,
        help_text="What the set is called on boards.",
    )
    prediction_file = forms.CharField(
        required=False,
        max_length=100,
        label="Files of predictions",
        widget=UnfoldAdminTextInputWidget,
        help_text="What they are called in an upload, such as Team1_breaker_*. Empty: task_breaker.csv, or .tsv.",
    )
    contest_repeats = forms.BooleanField(
        required=False,
        label="Ids may repeat",
        widget=UnfoldBooleanWidget,
        help_text="Where an id stands in several rows, the first counts, and it becomes a contested label that "
        "you decide about.",
    )


def _withdrawal(breaker_set: BreakerSet) -> Question:
    return Question(
        title=f"Withdraw the set of {breaker_set.pair_file.breaker}",
        sentences=(
            f"From the next release on, {breaker_set.split} counts in no score: not in the means of systems, not "
            "among the breakers, not in the matrix. Releases that are out stay as they are.",
            "What systems answered stays stored, and files of predictions that hold the set are taken "
            "as before. Pages say that it was withdrawn, and why.",
            "If no release is due, “Close now” on the phase makes one.",
        ),
        button="Withdraw",
        is_grave=True,
    )


def _imported(request: HttpRequest, made: BreakerSet) -> Done:
    contested = Contest.objects.open().filter(split=made.split).count()
    sentence = f"Please decide about what stands in several rows: {contested}."
    return Done(
        f"{made}: {grouped(made.split.item_count)} items were imported.",
        f"Imported, commitment {made.pair_file.commitment}.",
        also=((messages.WARNING, sentence),) if contested else (),
        leads_to=made,
    )


def _unforeseen(request: HttpRequest, error: Exception) -> str:
    """What is told of a fault: its message or traceback could hold labels."""
    logger.error("importing a set of %s met an unforeseen %s", request.POST.get("task"), type(error).__name__)
    sentence = f"The server met an unforeseen {type(error).__name__} and imported nothing."
    return f"{sentence} Please report this, without the file."


@admin.register(BreakerSet)
class BreakerSetAdmin(OrganisedAdmin):
    """Breakers' sets: made at the close of a phase, or imported here."""

    read_right = Right.GOLD
    benchmark_path = "split__task__benchmark"
    related = ("split__task__benchmark", "pair_file", "withdrawn_by")
    unread_columns = ("pair_file__sealed",)
    list_display = ("split", "title", "items", "made_at", "state")
    list_select_related = ("split__task__benchmark", "pair_file")
    list_filter = (
        ("withdrawn_at", admin.EmptyFieldListFilter),
        ("split__task", admin.RelatedOnlyFieldListFilter),
        ("split__task__benchmark", admin.RelatedOnlyFieldListFilter),
    )
    search_fields = ("split__slug", "pair_file__breaker")
    fields = (
        ("split", "title"),
        ("items", "prediction_file"),
        ("file", "made_at"),
        ("state", "withdrawn", "withdrawal_reason"),
        "contested",
    )
    actions_detail = ("withdraw", "restore")
    audited = ("withdrawn_at", "withdrawal_reason")

    title = column("breaker", "pair_file.breaker", ordering="pair_file__breaker")
    items = column("items", lambda one: grouped(one.split.item_count), ordering="split__item_count")
    file = column("file of pairs", lambda one: link(one.pair_file))
    state = column(
        "state",
        lambda one: "withdrawn" if one.withdrawn_at else "counts",
        ordering="withdrawn_at",
        colours=COLOURS,
    )

    withdraw = Ask(
        label="Withdraw",
        icon="block",
        variant=ActionVariant.DANGER,
        question=_withdrawal,
        form=PairReasonForm,
        do=withdraw_set,
        refused=(CannotDecide,),
        done="{row.split} counts in no score from the next release on.",
        log="Withdrawn. {reason}",
    )
    restore = Ask(
        label="Have count again",
        icon="undo",
        question=Question(
            title="Have the set of {row.pair_file.breaker} count again",
            sentences=(
                "From the next release on, all scores take it in. Systems that have not answered it have none.",
            ),
            button="Have count again",
        ),
        do=restore_set,
        refused=(CannotDecide,),
        done="{row.split} counts again from the next release on.",
        log="Counts again.",
    )
    adding = Adding(
        Ask(
            question=Question(
                title="Import a breaker's set",
                sentences=(
                    "A set of pairs that was finished elsewhere, written like the task's gold labels. The ids "
                    "of the two items of a pair agree up to the last separator, such as 558_a and 558_b.",
                    "The labels are sealed to the scorer's key the moment they arrive; ids, and texts if the "
                    "file has any, are public. Systems have no score for the task until they have answered "
                    "this set too.",
                ),
                button="Seal and import",
            ),
            form=ImportForm,
            given=lambda request: {"tasks": tasks_of_pairs(request)},
            do=import_set,
            done=_imported,
            refused=(FileRefused,),
            unforeseen=_unforeseen,
        )
    )

    @admin.display(description="files of predictions")
    def prediction_file(self, one: BreakerSet) -> str:
        task = one.split.task
        return "not known any more" if task.is_retired else task.spec.path_of(one.split.slug)

    @admin.display(description="withdrawn")
    def withdrawn(self, one: BreakerSet) -> str:
        if not one.withdrawn_at:
            return "no"
        return f"{in_words(one.withdrawn_at)} by {one.withdrawn_by or 'its team'}"

    @admin.display(description="contested labels")
    def contested(self, one: BreakerSet) -> str:
        count = Contest.objects.filter(split=one.split_id).count()
        return list_link(Contest, count, q=one.split.slug) if count else "none"
