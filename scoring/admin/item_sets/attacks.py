"""Texts and attack sets in the admin: buttons on a task's page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from accounts.admin_look import button
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address, page_link
from benchmarks.models import Task, Texts
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
        made = [split for split in task.spec.splits if split.attack and generator_of(split.attack)]
        cast(forms.ChoiceField, self.fields["attack"]).choices = [(one.attack, one.title) for one in made]


if TYPE_CHECKING:
    Base = OrganisedAdmin
else:
    Base = object


class HasTexts(Base):
    """Buttons on a task's page that take texts and make attack sets."""

    @button("Load texts", icon="article")
    def load_texts(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take a file of texts, or say what is wrong with it."""
        task = self.task_or_404(request, object_id)
        form = TextsForm(request.POST or None, request.FILES or None, task=task)

        def load() -> LoadedTexts:
            file = form.cleaned_data["file"]
            return load_texts_of(
                task=task,
                split_slug=form.cleaned_data["split"],
                data=file.read(),
                file_name=file.name,
                now=database_now(),
            )

        return self._answer(request, task, form, load, _about_texts)

    @button("Make an attack set", icon="swords")
    def make_attack(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Make the texts of an attack, or say why they cannot be made."""
        task = self.task_or_404(request, object_id)
        form = AttackForm(request.POST or None, task=task)

        def make() -> LoadedTexts:
            said = form.cleaned_data
            return make_attack(task=task, attack=said["attack"], seed=said["seed"], now=database_now())

        return self._answer(request, task, form, make, _about_attacks)

    def task_or_404(self, request: HttpRequest, object_id: str) -> Task:
        """The task that a button was pressed for, if the definition still has it."""
        task: Task = self.row_or_404(request, object_id)
        if task.is_retired:
            raise Http404("The definition no longer names this task.")
        return task

    def _answer(
        self,
        request: HttpRequest,
        task: Task,
        form: forms.Form,
        do: Callable[[], LoadedTexts],
        question: Callable[[Task, forms.Form, tuple[str, ...]], Question],
    ) -> HttpResponse:
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            try:
                done = do()
            except FileRefused as refused:
                problems = refused.sentences
            else:
                texts = done.texts
                messages.success(
                    request,
                    f"{texts.split.slug}: texts of {grouped(texts.item_count)} items.",
                )
                for warning in done.warnings:
                    messages.warning(request, warning)
                self.log_change(
                    request,
                    task,
                    f"Texts of {texts.split.slug}, SHA-256 {texts.sha256}.",
                )
                return HttpResponseRedirect(address(task))
        return self.ask(request, question(task, form, problems), row=task)


def _about_texts(task: Task, form: forms.Form, problems: tuple[str, ...]) -> Question:
    return Question(
        title=f"Load texts of {task.title}",
        sentences=(
            (
                "What the systems are given, without any answer: everybody may download it. See that its "
                "licence allows this."
            ),
            (
                "The ids are exactly those of the split, in any order. For an attack's split, the columns "
                "are those of the test split's texts; its gold labels are the test split's own."
            ),
            "Texts that systems have answered can no longer be changed.",
        ),
        button="Load",
        form=form,
        problems=problems,
    )


def _about_attacks(task: Task, form: forms.Form, problems: tuple[str, ...]) -> Question:
    return Question(
        title=f"Make an attack set of {task.title}",
        sentences=(
            (
                "Every text of the test split is perturbed, in every column. Ids and gold labels are the "
                "test split's own."
            ),
            (
                "Negation puts “false is not true and” before every sentence. Spelling makes two errors "
                "in every text, in words of at least four letters: two letters swapped in one, a letter "
                "replaced by one beside it on the keyboard in another."
            ),
            (
                "The set can be answered from now on. As long as nobody has, it can be made again with "
                "another seed."
            ),
        ),
        button="Make",
        form=form,
        problems=problems,
    )


def texts_table(task: Task) -> Table:
    """What stands of a task's texts, below its page."""
    rows = Texts.objects.filter(split__task=task).select_related("split__task").order_by("split__slug")
    cells = [
        (
            page_link(texts.get_absolute_url(), texts.split.slug),
            ", ".join(texts.header),
            grouped(texts.item_count),
            "" if texts.seed is None else texts.seed,
            in_words(texts.made_at),
            texts.sha256[:12] + "…",
        )
        for texts in rows.defer("packed")
    ]
    headers = (
        "Split",
        "Columns",
        "Items",
        "Seed",
        "Since",
        "SHA-256",
    )
    return Table("Texts", headers, cells, empty="No texts are loaded yet.")
