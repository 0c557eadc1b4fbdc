"""Breakers' sets in the admin. No page here shows a label, and none could."""

import logging
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.debug import sensitive_variables
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.admin_look import ActionVariant, button, coloured
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import (
    OrganisedAdmin,
    Question,
    address,
    is_superuser,
    link,
    list_link,
    may_organise,
    organised,
    was_confirmed,
)
from benchmarks.models import Phase, Task
from breaking.admin.pairs import PairReasonForm
from breaking.models import BreakerSet, Contest
from breaking.pairs.review import CannotDecide, restore_set, withdraw_set
from breaking.sets.creation import ImportRefused, import_set
from submissions.intake.pairs.minimal_pairs import makes_pairs

logger = logging.getLogger(__name__)

COLOURS = {"counts": "success", "withdrawn": "danger"}


def tasks_of_pairs(request: HttpRequest) -> list[Task]:
    """The tasks that whoever asks may run and that take pairs."""
    tasks = Task.objects.filter(is_retired=False, benchmark__phases__kind=Phase.Kind.BREAK).distinct()
    if not is_superuser(request):
        tasks = tasks.filter(benchmark__in=organised(request))
    return [task for task in tasks.select_related("benchmark") if makes_pairs(task.spec)]


def ask_on_add_page(page: OrganisedAdmin, request: HttpRequest, question: Question) -> HttpResponse:
    """A question in the place of an empty form; to cancel it leads to the list."""
    answer = page.ask(request, question)
    answer.context_data = {**(answer.context_data or {}), "back": "../"}
    return answer


class TaskForm(forms.Form):
    """A file and the task that it is for."""

    task = forms.TypedChoiceField(label="Task", widget=UnfoldAdminSelectWidget)
    file = forms.FileField(label="File", allow_empty_file=True, widget=UnfoldAdminFileFieldWidget)

    def __init__(self, tasks: list[Task], *args: Any) -> None:
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


@admin.register(BreakerSet)
class BreakerSetAdmin(OrganisedAdmin):
    """Breakers' sets: made at the close of a phase, or imported here."""

    benchmark_path = "split__task__benchmark"
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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = (
            super()
            .get_queryset(request)
            .select_related("split__task__benchmark", "pair_file", "withdrawn_by")
        )
        found: QuerySet[Any] = rows.defer(*self.unread_columns)
        return found

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may_organise(request)

    @admin.display(description="breaker", ordering="pair_file__breaker")
    def title(self, one: BreakerSet) -> str:
        return str(one.pair_file.breaker)

    @admin.display(description="items", ordering="split__item_count")
    def items(self, one: BreakerSet) -> str:
        return grouped(one.split.item_count)

    @admin.display(description="files of predictions")
    def prediction_file(self, one: BreakerSet) -> str:
        task = one.split.task
        return "not known any more" if task.is_retired else task.spec.path_of(one.split.slug)

    @admin.display(description="file of pairs")
    def file(self, one: BreakerSet) -> str:
        return link(one.pair_file)

    @coloured("state", COLOURS, ordering="withdrawn_at")
    def state(self, one: BreakerSet) -> str:
        return "withdrawn" if one.withdrawn_at else "counts"

    @admin.display(description="withdrawn")
    def withdrawn(self, one: BreakerSet) -> str:
        if not one.withdrawn_at:
            return "no"
        said = {"instant": in_words(one.withdrawn_at), "user": one.withdrawn_by}
        if one.withdrawn_by:
            return "{instant} by {user}".format(**said)
        return "{instant} by its team".format(**said)

    @admin.display(description="contested labels")
    def contested(self, one: BreakerSet) -> str:
        count = Contest.objects.filter(split=one.split_id).count()
        return list_link(Contest, count, q=one.split.slug) if count else "none"

    @button("Withdraw", icon="block", variant=ActionVariant.DANGER)
    def withdraw(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Have a set count in no score from the next release on."""
        one = self.row_or_404(request, object_id)
        form = PairReasonForm(request.POST if was_confirmed(request) else None)
        problems: tuple[str, ...] = ()
        if form.is_valid():
            reason, user = form.cleaned_data["reason"], cast(User, request.user)
            try:
                withdraw_set(breaker_set=one, reason=reason, now=database_now(), user=user)
            except CannotDecide as refused:
                problems = (str(refused),)
            else:
                self.log_change(request, one, f"Withdrawn. {reason}")
                messages.success(request, f"{one.split} counts in no score from the next release on.")
                return HttpResponseRedirect(address(one))
        return self.ask(request, _about_withdrawing(one, form, problems), row=one)

    @button("Have count again", icon="undo")
    def restore(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Have a withdrawn set count again."""
        one = self.row_or_404(request, object_id)
        problems: tuple[str, ...] = ()
        if was_confirmed(request):
            try:
                restore_set(breaker_set=one)
            except CannotDecide as refused:
                problems = (str(refused),)
            else:
                self.log_change(request, one, "Counts again.")
                messages.success(request, f"{one.split} counts again from the next release on.")
                return HttpResponseRedirect(address(one))
        question = Question(
            title=f"Have the set of {one.pair_file.breaker} count again",
            sentences=(
                (
                    "From the next release on, all scores take it in. Systems that have not answered it "
                    "have none."
                ),
            ),
            button="Have count again",
            problems=problems,
        )
        return self.ask(request, question, row=one)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Import a set that was finished elsewhere, or say what is wrong with it without repeating a label."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = ImportForm(tasks_of_pairs(request), request.POST or None, request.FILES or None)
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            made, problems = _import(form, cast(User, request.user))
            if made:
                contested = Contest.objects.open().filter(split=made.split).count()
                messages.success(
                    request,
                    f"{made}: {grouped(made.split.item_count)} items were imported.",
                )
                if contested:
                    messages.warning(
                        request,
                        f"Please decide about what stands in several rows: {contested}.",
                    )
                self.log_addition(request, made, f"Imported, commitment {made.pair_file.commitment}.")
                return HttpResponseRedirect(address(made))
        return ask_on_add_page(self, request, _about_importing(form, problems))


@sensitive_variables()
def _import(form: ImportForm, user: User) -> tuple[BreakerSet | None, tuple[str, ...]]:
    """What was imported, or the sentences that say why nothing was."""
    said = form.cleaned_data
    try:
        made = import_set(
            task=said["task"],
            breaker=said["breaker"],
            data=said["file"].read(),
            file_name=said["file"].name,
            now=database_now(),
            user=user,
            prediction_file=said["prediction_file"],
            contest_repeats=said["contest_repeats"],
        )
    except ImportRefused as refused:
        return None, refused.sentences
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        logger.error("importing a set of %s met an unforeseen %s", said["task"], type(error).__name__)  # noqa: TRY400  # no traceback
        sentence = f"The server met an unforeseen {type(error).__name__} and imported nothing."
        return None, (f"{sentence} Please report this, without the file.",)
    return made, ()


def _about_withdrawing(one: BreakerSet, form: PairReasonForm, problems: tuple[str, ...]) -> Question:
    return Question(
        title=f"Withdraw the set of {one.pair_file.breaker}",
        sentences=(
            (
                f"From the next release on, {one.split} counts in no score: not in the means of systems, not "
                "among the breakers, not in the matrix. Releases that are out stay as they are."
            ),
            (
                "What systems answered stays stored, and files of predictions that hold the set are taken "
                "as before. Pages say that it was withdrawn, and why."
            ),
            "If no release is due, “Close now” on the phase makes one.",
        ),
        button="Withdraw",
        form=form,
        is_grave=True,
        problems=problems,
    )


def _about_importing(form: ImportForm, problems: tuple[str, ...]) -> Question:
    return Question(
        title="Import a breaker's set",
        sentences=(
            (
                "A set of pairs that was finished elsewhere, written like the task's gold labels. The ids "
                "of the two items of a pair agree up to the last separator, such as 558_a and 558_b."
            ),
            (
                "The labels are sealed to the scorer's key the moment they arrive; ids, and texts if the "
                "file has any, are public. Systems have no score for the task until they have answered "
                "this set too."
            ),
        ),
        button="Seal and import",
        form=form,
        problems=problems,
    )
