"""Texts and attack sets in the admin: buttons on a task's page."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import page_link
from benchmarks.admin.organised.organised_admin import Question, Table
from benchmarks.models import Task, Texts
from catalogue.problems import counted
from scoring.core.attacks import generator_of
from scoring.file_refusal import FileRefused
from scoring.item_sets.attacks import LARGEST_SEED, load_texts_of, make_attack
from scoring.item_sets.texts import LoadedTexts


class TextsForm(forms.Form):
    """A file of texts and the split that they are of."""

    split = forms.ChoiceField(widget=UnfoldAdminSelectWidget)
    file = forms.FileField(
        label="File of texts",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV in UTF-8 with the column id and one or more columns of text, which the header names.",
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = {split.id: split.title for split in task.spec.splits}
        named |= {slug: slug for slug in task.splits.values_list("slug", flat=True) if slug not in named}
        cast(forms.ChoiceField, self.fields["split"]).choices = list(named.items())


class AttackForm(forms.Form):
    """An attack and what its errors are drawn with."""

    attack = forms.ChoiceField(
        widget=UnfoldAdminSelectWidget, help_text="Sets of other attacks are uploaded as texts."
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        initial=1,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="The same seed makes the same texts again.",
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        generated = [split for split in task.spec.splits if split.attack and generator_of(split.attack)]
        cast(forms.ChoiceField, self.fields["attack"]).choices = [
            (split.attack, split.title) for split in generated
        ]


def of_task(task: Task) -> dict[str, Any]:
    """What forms are made with that are about a task's splits; the definition still has to have it."""
    if task.is_retired:
        raise Http404("The definition no longer names this task.")
    return {"task": task}


def _load_texts(*, task: Task, split: str, data: bytes, file_name: str, now: dt.datetime) -> LoadedTexts:
    return load_texts_of(task=task, split_slug=split, data=data, file_name=file_name, now=now)


def _loaded(task: Task, done: LoadedTexts) -> Done:
    texts = done.texts
    return Done(
        f"{texts.split.slug}: texts of {counted(texts.item_count, 'item')}.",
        f"Texts of {texts.split.slug}, SHA-256 {texts.sha256}.",
        also=[(messages.WARNING, warning) for warning in done.warnings],
    )


LOAD_TEXTS = Ask(
    label="Load texts",
    icon="article",
    question=Question(
        title="Load texts of {row.title}",
        sentences=(
            "What the systems are given, without any answer: everybody may download it. See that its "
            "licence allows this.",
            "The ids are exactly those of the split, in any order. For an attack's split, the columns "
            "are those of the test split's texts; its gold labels are the test split's own.",
            "Texts that systems have answered can no longer be changed.",
        ),
        button="Load",
    ),
    form=TextsForm,
    given=of_task,
    do=_load_texts,
    done=_loaded,
    refused=(FileRefused,),
)
MAKE_ATTACK = Ask(
    label="Make an attack set",
    icon="swords",
    question=Question(
        title="Make an attack set of {row.title}",
        sentences=(
            "Every text of the test split is perturbed, in every column. Ids and gold labels are the "
            "test split's own.",
            "Negation puts “false is not true and” before every sentence. Spelling makes two errors "
            "in every text, in words of at least four letters: two letters swapped in one, a letter "
            "replaced by one beside it on the keyboard in another.",
            "The set can be answered from now on. As long as nobody has, it can be made again with "
            "another seed.",
        ),
        button="Make",
    ),
    form=AttackForm,
    given=of_task,
    do=make_attack,
    done=_loaded,
    refused=(FileRefused,),
)


def texts_table(task: Task) -> Table:
    """What stands of a task's texts, below its page."""
    rows = Texts.objects.filter(split__task=task).select_related("split__task").order_by("split__slug")
    return Table(
        "Texts",
        ("Split", "Columns", "Items", "Seed", "Since", "SHA-256"),
        [
            (
                page_link(texts.get_absolute_url(), texts.split.slug),
                ", ".join(texts.header),
                grouped(texts.item_count),
                "" if texts.seed is None else texts.seed,
                in_words(texts.made_at),
                texts.sha256[:12] + "…",
            )
            for texts in rows.defer("packed")
        ],
        empty="No texts are loaded yet.",
    )
