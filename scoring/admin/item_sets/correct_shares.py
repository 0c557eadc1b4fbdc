"""Attacks in the admin, and what share of its samples each transforms correctly."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminTextInputWidget,
)

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import decimal, grouped
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table
from benchmarks.models import Attack, Texts
from scoring.file_refusal import FileRefused
from scoring.item_sets.correct_shares import (
    set_correct_share,
    sets_of,
    share_from_annotators,
    share_from_readability,
)


class ShareNoteForm(forms.Form):
    """Why the share is what it is."""

    note = forms.CharField(
        required=False, max_length=500, widget=UnfoldAdminTextInputWidget, help_text="Where it comes from."
    )


class ShareForm(ShareNoteForm):
    """A share that was found elsewhere."""

    share = forms.FloatField(
        label="Share of correct samples",
        required=False,
        min_value=0,
        max_value=1,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="From 0 to 1. Empty: not known.",
    )
    field_order = ("share", "note")


class AnnotatorsForm(ShareNoteForm):
    """What two annotators say of samples."""

    file = forms.FileField(
        label="Annotators' answers",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV with the header id,annotator_1,annotator_2 and answers y or n; with a column task before "
        "the ids where several tasks have the same.",
    )
    field_order = ("file", "note")


def _question(sentence: str, verb: str) -> Question:
    sentences = (sentence, "Boards show it from the next release.")
    return Question(title="Correct samples of {row.title}", sentences=sentences, button=verb)


def _changed(attack: Attack, result: object) -> Done:
    share = "not known" if attack.correct_share is None else decimal(attack.correct_share, 3)
    return Done(
        f"The share of correct {attack.title} samples is {share}.",
        f"Share of correct samples: {share}, {attack.method}.",
    )


@admin.register(Attack)
class AttackAdmin(OrganisedAdmin):
    """An attack, and what share of its samples is correct (c_a), which potency and resilience are weighted with."""

    benchmark_path = "benchmark"
    list_display = ("title", "slug", "benchmark", "correct_share", "method", "sample_count")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("slug", "title")
    fields = (
        ("benchmark", "slug", "title"),
        ("correct_share", "method"),
        ("sample_count", "kappa"),
        "note",
        "changed_at",
    )
    actions_detail = ("enter_share", "measure_share", "take_annotations")
    enter_share = Ask(
        label="Enter the share",
        icon="edit",
        variant=ActionVariant.PRIMARY,
        question=_question("For example 0.484, if 121 of 250 samples mean the same as before.", "Enter"),
        form=ShareForm,
        given=lambda attack: {"initial": {"share": attack.correct_share, "note": attack.note}},
        do=set_correct_share,
        done=_changed,
        refused=(FileRefused,),
    )
    measure_share = Ask(
        label="Measure readability",
        icon="menu_book",
        question=_question(
            "A text is correct if its perturbed form does not need a higher grade at school "
            "(Flesch-Kincaid, for English). All texts of all sets of this attack are looked at; "
            "50,000 of them take about a minute.",
            "Measure",
        ),
        form=ShareNoteForm,
        do=share_from_readability,
        done=_changed,
        refused=(FileRefused,),
    )
    take_annotations = Ask(
        label="Load annotators' answers",
        icon="group",
        question=_question(
            "Two people say of samples from this attack's sets whether they were transformed "
            "correctly. The share is the mean of both; Cohen's kappa says how far they agree beyond "
            "chance.",
            "Load",
        ),
        form=AnnotatorsForm,
        do=share_from_annotators,
        done=_changed,
        refused=(FileRefused,),
    )

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        sets = Texts.objects.filter(split__in=sets_of(row)).select_related("split__task")
        return [
            Table(
                "Sets",
                ("Task", "Split", "Items", "Since"),
                [
                    (
                        link(texts.split.task),
                        texts.split.slug,
                        grouped(texts.item_count),
                        in_words(texts.made_at),
                    )
                    for texts in sets.defer("packed").order_by("split__task__position")
                ],
                empty="No set of this attack is made or uploaded yet.",
            )
        ]
