"""Pairs of items in the admin: loaded for a task's split, and what has been tested on them."""

import datetime as dt
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Count, Q
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, column
from benchmarks.models import Split, Task
from benchmarks.people.rights import Right
from catalogue.problems import counted
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

    def __init__(self, *args: Any, task: Task) -> None:
        super().__init__(*args)
        # The test split last: pairs are rarely made of test items.
        splits = sorted(task.splits.all(), key=lambda split: (split.slug == "test", split.slug))
        cast(forms.ChoiceField, self.fields["split"]).choices = [
            (split.slug, f"{split.slug} ({counted(split.item_count, 'item')})") for split in splits
        ]


def _load(
    *, task: Task, split: str, everywhere: bool, file: "UploadedFile[Any]", now: dt.datetime, **given: Any
) -> list[PairSet]:
    """Load the pairs for a split of the task, or of every task that has these ids."""
    words = {key: given[key] for key in ("comparison", "title", "first", "second")}
    upload = PairsUpload(data=file.read(), file_name=file.name or "", **words)
    splits = Split.objects.select_related("task__benchmark").filter(slug=split)
    if everywhere:
        of_benchmark = splits.filter(task__benchmark=task.benchmark, task__is_retired=False)
        by_position = list(of_benchmark.order_by("task__position"))
        loaded = load_pairs_everywhere(splits=by_position, upload=upload, now=now, user=given["user"])
    else:
        loaded = [load_pairs(split=splits.get(task=task), upload=upload, now=now, user=given["user"])]
    for pairs in loaded:
        given["log"](pairs.split.task, f"Loaded pairs {pairs.comparison} {pairs.number}.")
    return loaded


def _loaded(task: Task, loaded: list[PairSet]) -> Done:
    first, tasks = loaded[0], ", ".join(pairs.split.task.slug for pairs in loaded)
    return Done(
        f"{first.title}: {counted(first.pair_count, 'pair')}, {first.first} minus {first.second}, for {tasks}."
    )


LOAD_PAIRS = Ask(
    label="Load pairs",
    icon="compare_arrows",
    question=Question(
        title="Load pairs for {row.title}",
        sentences=(
            "Items of one pair differ only in the group that they speak of, so a system should answer "
            "them alike. Several items of one group in a pair are averaged; a file compares exactly "
            "two groups.",
            "Every submission's answers on these items are tested. Its team reads its own result; a "
            "release shows how many submissions favour which group, and names none.",
        ),
        button="Load",
    ),
    form=PairsForm,
    given=lambda task: {"task": task},
    do=_load,
    done=_loaded,
    refused=(FileRefused,),
)


@admin.register(PairSet)
class PairSetAdmin(OrganisedAdmin):
    """Versions of pairs, and how much has been tested on each."""

    read_right = Right.GOLD
    benchmark_path = "split__task__benchmark"
    related = ("split__task",)
    annotations = {"tested": Count("results", filter=Q(results__stratum=""))}
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

    groups = column("compared", lambda pairs: f"{pairs.first} minus {pairs.second}")
    tested = column("predictions tested", lambda pairs: pairs.tested, ordering="tested")
    loaded_by = column("uploaded by", "uploaded_by", empty="manage.py")
