"""Pairs of items in the admin: loaded for a task's split, and what has been tested on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.admin_look import button
from accounts.formats.numbers import grouped
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, address
from benchmarks.models import Split, Task
from scoring.file_refusal import FileRefused
from scoring.item_sets.pair_sets import PairsUpload, load_pairs, load_pairs_everywhere
from scoring.models import PairSet


class PairsForm(forms.Form):
    """A file of pairs and what is compared."""

    split = forms.ChoiceField(widget=UnfoldAdminSelectWidget, help_text="The split that the ids belong to.")
    comparison = forms.SlugField(
        max_length=64,
        widget=UnfoldAdminTextInputWidget,
        help_text="What the two groups differ in, in short: gender. The same name again makes a new version.",
    )
    title = forms.CharField(
        required=False,
        max_length=120,
        widget=UnfoldAdminTextInputWidget,
        help_text="What reports call it. By default its short name.",
    )
    file = forms.FileField(
        label="File of pairs",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV with the header pair,group,id or pair,group,id,stratum.",
    )
    first = forms.CharField(
        label="First group",
        required=False,
        max_length=80,
        strip=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="Differences are the first group minus the second. By default in order of appearance.",
    )
    second = forms.CharField(
        label="Second group",
        required=False,
        max_length=80,
        strip=False,
        widget=UnfoldAdminTextInputWidget,
    )
    everywhere = forms.BooleanField(
        label="Every task",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Load it for every task of the benchmark whose split of this name has these ids.",
    )

    def __init__(self, *args: Any, splits: Sequence[Split], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast(forms.ChoiceField, self.fields["split"])
        words = "%(split)s (%(count)s items)"
        field.choices = [
            (split.slug, words % {"split": split.slug, "count": grouped(split.item_count)})
            for split in splits
        ]

    def upload(self) -> PairsUpload:
        """What was sent, once the form is valid."""
        said, file = self.cleaned_data, self.cleaned_data["file"]
        words = {key: said[key] for key in ("comparison", "title", "first", "second")}
        return PairsUpload(data=file.read(), file_name=file.name, **words)


if TYPE_CHECKING:
    Base = OrganisedAdmin
else:
    Base = object


class LoadsPairs(Base):
    """A button on a task's page that takes a file of pairs."""

    @button("Load pairs", icon="compare_arrows")
    def load_pairs(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take a file of pairs for the equity report, or say what is wrong with it."""
        task = self.row_or_404(request, object_id)
        splits = _splits(task)
        form = PairsForm(request.POST or None, request.FILES or None, splits=splits)
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            loaded, problems = _load(task, form, cast(User, request.user))
            if loaded:
                tasks = ", ".join(one.split.task.slug for one in loaded)
                first = loaded[0]
                messages.success(
                    request,
                    f"{first.title}: {grouped(first.pair_count)} pairs, {first.first} minus "
                    f"{first.second}, for {tasks}.",
                )
                for one in loaded:
                    self.log_change(
                        request,
                        one.split.task,
                        f"Loaded pairs {one.comparison} {one.number}.",
                    )
                return HttpResponseRedirect(address(task))
        return self.ask(request, _question(task, form, problems), row=task)


def _splits(task: Task) -> list[Split]:
    """The task's splits, the test split last: pairs are rarely made of test items."""
    splits = task.splits.all()
    return sorted(splits, key=lambda split: (split.slug == "test", split.slug))


def _load(task: Task, form: PairsForm, user: User) -> tuple[list[PairSet], tuple[str, ...]]:
    """What was loaded, or the sentences that say why nothing was."""
    rows = Split.objects.select_related("task__benchmark")
    found = rows.filter(
        slug=form.cleaned_data["split"], task__benchmark=task.benchmark, task__is_retired=False
    )
    upload, now = form.upload(), database_now()
    try:
        if form.cleaned_data["everywhere"]:
            splits = list(found.order_by("task__position"))
            return load_pairs_everywhere(splits=splits, upload=upload, now=now, user=user), ()
        split = rows.get(task=task, slug=form.cleaned_data["split"])
        return [load_pairs(split=split, upload=upload, now=now, user=user)], ()
    except FileRefused as refused:
        return [], refused.sentences


def _question(task: Task, form: PairsForm, problems: tuple[str, ...]) -> Question:
    return Question(
        title=f"Load pairs for {task.title}",
        sentences=(
            (
                "Items of one pair differ only in the group that they speak of, so a system should answer "
                "them alike. Several items of one group in a pair are averaged; a file compares exactly "
                "two groups."
            ),
            (
                "Every submission's answers on these items are tested. Its team reads its own result; a "
                "release shows how many submissions favour which group, and names none."
            ),
        ),
        button="Load",
        form=form,
        problems=problems,
    )


@admin.register(PairSet)
class PairSetAdmin(OrganisedAdmin):
    """Versions of pairs, and how much has been tested on each."""

    benchmark_path = "split__task__benchmark"
    unread_columns = ("packed",)
    list_display = ("split", "comparison", "number", "groups", "pair_count", "tested", "uploaded_at")
    list_select_related = ("split__task",)
    list_filter = ("comparison", ("split__task__benchmark", admin.RelatedOnlyFieldListFilter))
    search_fields = ("split__task__slug", "split__task__title", "title")
    fields = (
        ("split", "comparison", "number"),
        ("title", "groups"),
        ("pair_count", "item_count", "tested"),
        ("file_name", "sha256"),
        ("loaded_by", "uploaded_at"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        tested = Count("results", filter=Q(results__stratum=""))
        rows = super().get_queryset(request).select_related("split__task").annotate(tested=tested)
        found: QuerySet[Any] = rows.defer("packed")
        return found

    @admin.display(description="compared")
    def groups(self, pairs: PairSet) -> str:
        return f"{pairs.first} minus {pairs.second}"

    @admin.display(description="predictions tested", ordering="tested")
    def tested(self, pairs: Any) -> int:
        number: int = pairs.tested
        return number

    @admin.display(description="uploaded by", empty_value="manage.py")
    def loaded_by(self, pairs: PairSet) -> str | None:
        return str(pairs.uploaded_by) if pairs.uploaded_by else None
