"""Attacks in the admin, and what share of its samples each transforms correctly."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminTextInputWidget,
)

from accounts.admin_look import ActionVariant, button
from accounts.formats.instants import in_words
from accounts.formats.numbers import decimal, grouped
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address, link, was_confirmed
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

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        sets = Texts.objects.filter(split__in=sets_of(row)).select_related("split__task")
        cells = [
            (link(one.split.task), one.split.slug, grouped(one.item_count), in_words(one.made_at))
            for one in sets.defer("packed").order_by("split__task__position")
        ]
        headers = ("Task", "Split", "Items", "Since")
        return [
            Table(
                "Sets",
                headers,
                cells,
                empty="No set of this attack is made or uploaded yet.",
            )
        ]

    @button("Enter the share", icon="edit", variant=ActionVariant.PRIMARY)
    def enter_share(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take a share that was found elsewhere."""
        attack = self.row_or_404(request, object_id)
        form = ShareForm(request.POST or None, initial={"share": attack.correct_share, "note": attack.note})

        def enter() -> None:
            set_correct_share(attack=attack, now=database_now(), **form.cleaned_data)

        sentence = "For example 0.484, if 121 of 250 samples mean the same as before."
        return self._answer(request, attack, form, enter, sentence, "Enter")

    @button("Measure readability", icon="menu_book")
    def measure_share(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Measure the share by the Flesch-Kincaid grades of the texts."""
        attack = self.row_or_404(request, object_id)
        form = ShareNoteForm(request.POST or None)

        def measure() -> None:
            share_from_readability(attack=attack, now=database_now(), **form.cleaned_data)

        sentence = (
            "A text is correct if its perturbed form does not need a higher grade at school "
            "(Flesch-Kincaid, for English). All texts of all sets of this attack are looked at; "
            "50,000 of them take about a minute."
        )
        return self._answer(request, attack, form, measure, sentence, "Measure")

    @button("Load annotators' answers", icon="group")
    def take_annotations(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take the share from what two annotators say of samples."""
        attack = self.row_or_404(request, object_id)
        form = AnnotatorsForm(request.POST or None, request.FILES or None)

        def take() -> None:
            said, file = form.cleaned_data, form.cleaned_data["file"]
            share_from_annotators(
                attack=attack, data=file.read(), file_name=file.name, now=database_now(), note=said["note"]
            )

        sentence = (
            "Two people say of samples from this attack's sets whether they were transformed "
            "correctly. The share is the mean of both; Cohen's kappa says how far they agree beyond "
            "chance."
        )
        return self._answer(request, attack, form, take, sentence, "Load")

    def _answer(
        self,
        request: HttpRequest,
        attack: Attack,
        form: forms.Form,
        do: Callable[[], None],
        sentence: str,
        verb: str,
    ) -> HttpResponse:
        problems: tuple[str, ...] = ()
        if was_confirmed(request) and form.is_valid():
            try:
                do()
            except FileRefused as refused:
                problems = refused.sentences
            else:
                share = "not known" if attack.correct_share is None else decimal(attack.correct_share, 3)
                messages.success(
                    request,
                    f"The share of correct {attack.title} samples is {share}.",
                )
                self.log_change(
                    request,
                    attack,
                    f"Share of correct samples: {share}, {attack.method}.",
                )
                return HttpResponseRedirect(address(attack))
        question = Question(
            title=f"Correct samples of {attack.title}",
            sentences=(sentence, "Boards show it from the next release."),
            button=verb,
            form=form,
            problems=problems,
        )
        return self.ask(request, question, row=attack)
