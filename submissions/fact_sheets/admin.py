"""Fact sheets in the admin: what a benchmark asks of every system, and what teams have said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextareaWidget

from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Table, column
from benchmarks.models import FactList
from benchmarks.spec import ADVISORS
from catalogue.layouts.text_lines import first_forbidden
from submissions.fact_sheets.services import OptionInUse, option_uses, refuse_removal, save_fact_list
from submissions.models import FactSheet

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[FactList]
else:
    BaseForm = forms.ModelForm

MAX_OPTIONS = 100
MAX_OPTION = 80
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class FactListForm(BaseForm):
    """A list of the fact sheet: its title, and its options one per line."""

    options = forms.CharField(
        widget=UnfoldAdminTextareaWidget,
        help_text="One per line, in the order in which teams see them. An option that a fact sheet names can be "
        "neither taken out nor renamed.",
    )

    class Meta:
        model = FactList
        fields = ("benchmark", "slug", "title", "options")
        labels = {"slug": "id"}
        help_texts = {
            "slug": "What JSON files call the list, such as algorithms. It cannot be changed later."
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["options"] = "\n".join(self.instance.options)

    def clean_slug(self) -> str:
        """Letters, digits, hyphens and underscores, as in a definition."""
        slug: str = self.cleaned_data["slug"]
        if not _SLUG.fullmatch(slug):
            raise ValidationError("Expected letters, digits, _ and -, beginning with a letter or digit.")
        if slug == ADVISORS:
            raise ValidationError("Every sheet may name advisors anyway. Please choose another id.")
        return slug

    def clean_options(self) -> list[str]:
        """The lines that are not blank, each an option once."""
        lines = (line.strip() for line in self.cleaned_data["options"].splitlines())
        options = [line for line in lines if line]
        try:
            return clean_options(options)
        except ValueError as error:
            raise ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        """The fields in themselves are fine; here they are held against what is stored."""
        super().clean()
        values: dict[str, Any] = self.cleaned_data
        if self.instance.pk:
            self._refuse_removal(values.get("options"))
        elif FactList.objects.filter(benchmark=values.get("benchmark"), slug=values.get("slug")).exists():
            self.add_error("slug", "The benchmark has a list of this id already. Please choose another id.")
        return values

    def _refuse_removal(self, options: list[str] | None) -> None:
        if options is not None:
            try:
                refuse_removal(self.instance, options)
            except OptionInUse as error:
                self.add_error("options", str(error))


def clean_options(options: list[str]) -> list[str]:
    """The options of a list.

    Raises
    ------
    ValueError
        With a sentence, if there are too many, or one is too long, stands twice or holds a control character.
    """
    if len(options) > MAX_OPTIONS:
        raise ValueError(f"A list has at most {MAX_OPTIONS} options; found {len(options)}.")
    seen: set[str] = set()
    for option in options:
        if len(option) > MAX_OPTION:
            raise ValueError(
                f"An option has at most {MAX_OPTION} characters: {option[:MAX_OPTION]!r}… has more."
            )
        if first_forbidden(option):
            raise ValueError(f"{option!r} holds a control character. Please remove it.")
        if option.casefold() in seen:
            raise ValueError(f"{option!r} stands twice. Please keep one of the two.")
        seen.add(option.casefold())
    return options


@admin.register(FactList)
class FactListAdmin(OrganisedAdmin):
    """Organisers say what their benchmark asks of every system."""

    benchmark_path = "benchmark"
    is_editable = True
    may_add = True
    form = FactListForm
    list_display = ("title", "slug", "benchmark", "number_of_options")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("title", "slug")
    fields = ("benchmark", "slug", "title", "options")

    number_of_options = column("options", lambda fact_list: len(fact_list.options))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("benchmark", "slug") if obj else ()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        save_fact_list(fact_list=obj, title=obj.title, options=obj.options)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        uses = option_uses(row)
        rows = [(option, uses.get(option, 0)) for option in row.options]
        return [Table("How many fact sheets name it", ("Option", "Fact sheets"), rows)]


@admin.register(FactSheet)
class FactSheetAdmin(OrganisedAdmin):
    """What teams say their systems are made of."""

    benchmark_path = "benchmark"
    list_display = ("system", "team", "benchmark", "changed_at")
    list_select_related = ("system__team", "benchmark")
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    linked_lookups = ("system__exact",)
    search_fields = ("system__name", "system__team__name")
    ordering = ("-changed_at", "pk")
    fields = ("system", "team", "benchmark", "changed_at", "said_by")

    team = column("team", lambda sheet: link(sheet.system.team), ordering="system__team__name")
    said_by = column("changed by", lambda sheet: f"{sheet.changed_by.name} <{sheet.changed_by.email}>")

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        lists = row.benchmark.fact_lists.all()
        answers = [
            (one.title, ", ".join(row.answers[one.slug]) or "none of these")
            for one in lists
            if one.slug in row.answers
        ]
        if ADVISORS in row.answers:
            answers.append(("Advisors", ", ".join(row.answers[ADVISORS])))
        return [Table("Answers", ("List", "Options"), answers)]
