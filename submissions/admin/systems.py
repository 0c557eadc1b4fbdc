"""Systems in the admin: organisers mend what they are called and what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts.templatetags.instants import in_words
from benchmarks.admin.organised.links import link, list_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Table
from benchmarks.people.request_rights import is_superuser, organised
from benchmarks.services import mark_stale
from submissions.admin.names import RENAME_ON_BOARDS, remove_name_button, systems_in
from submissions.models import Submission, System
from submissions.systems.name_removals import remove_system_name

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[System]
else:
    BaseForm = forms.ModelForm


class SystemAdminForm(BaseForm):
    """What organisers may change about a system."""

    class Meta:
        model = System
        fields = ("name", "kind", "description")
        help_texts = {
            "kind": "A baseline stands on the board without a rank. A change shows with the next release."
        }

    def clean_name(self) -> str:
        """A name that no other system of the team has."""
        name: str = self.cleaned_data["name"]
        if System.objects.filter(team=self.instance.team, name=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(f"The team has another system named {name!r}. Please choose another name.")
        return name


@admin.register(System)
class SystemAdmin(OrganisedAdmin):
    """Organisers mend names and descriptions, and say which systems are baselines."""

    is_editable = True
    form = SystemAdminForm
    list_display = ("name", "team", "kind", "created_at")
    list_select_related = ("team",)
    list_filter = ("kind",)
    linked_lookups = ("team__exact",)
    search_fields = ("name", "team__name")
    fields = ("name", "team", "kind", "description", "paper_url", "code_url", "tags", "facts", "created_at")
    readonly_fields = ("team", "paper_url", "code_url", "tags", "facts", "created_at")
    actions_detail = ("rename_on_boards", "remove_system_name")
    rename_on_boards = RENAME_ON_BOARDS
    remove_system_name = remove_name_button(remove_system_name, "system", changes_row=True)

    def of_benchmarks(self, rows: QuerySet[Any], slugs: frozenset[str]) -> QuerySet[Any]:
        return rows.filter(pk__in=systems_in(slugs).values("pk"))

    def benchmark_of(self, row: Any) -> str:
        found = set(row.submissions.values_list("phase__benchmark", flat=True))
        return found.pop() if len(found) == 1 else ""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """A system that also stands on other organisers' boards is theirs as much: only superusers change it."""
        if not self.has_view_permission(request, obj):
            return False
        if obj is None or is_superuser(request):
            return True
        elsewhere = Submission.objects.filter(system=obj.pk).exclude(phase__benchmark__in=organised(request))
        return not elsewhere.exists()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        for benchmark in set(obj.submissions.values_list("phase__benchmark", flat=True)):
            mark_stale(benchmark)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        submissions = Submission.objects.filter(system=row).select_related("phase")
        if not is_superuser(request):
            submissions = submissions.filter(phase__benchmark__in=organised(request))
        rows = [
            (link(one, in_words(one.received_at)), one.phase, one.get_status_display())
            for one in submissions[:10]
        ]
        title = list_link(Submission, "Latest submissions", system__exact=row.pk)
        return [Table(title, ("Received", "Phase", "Status"), rows)]
