"""Refused uploads and quota in the admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.formats.numbers import grouped
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Table, column
from submissions.models import Refusal
from submissions.participants import GroupUse

PROBLEM_COLUMNS = ("file", "line", "column", "code", "found", "expected", "message")
_PROBLEM_HEADS = (
    "File",
    "Line",
    "Column",
    "Code",
    "Found",
    "Expected",
    "Message",
)


@admin.register(Refusal)
class RefusalAdmin(OrganisedAdmin):
    """Uploads that had problems, as their teams saw them."""

    benchmark_path = "phase__benchmark"
    list_display = ("received_at", "file_name", "system", "team", "phase", "number_of_problems")
    list_select_related = ("system__team", "phase")
    list_filter = (("phase", admin.RelatedOnlyFieldListFilter),)
    linked_lookups = ("system__exact",)
    search_fields = ("file_name", "system__name", "system__team__name")
    fields = ("received_at", "file_name", "system", "team", "phase", "sent_by")

    team = column("team", lambda refusal: link(refusal.system.team), ordering="system__team__name")
    sent_by = column("sent by", lambda refusal: f"{refusal.submitted_by.name} <{refusal.submitted_by.email}>")
    number_of_problems = column("problems", lambda refusal: len(refusal.problems) + refusal.more)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        problems = [[problem.get(column) for column in PROBLEM_COLUMNS] for problem in row.problems]
        number = len(problems)
        title = f"{number} problems"
        if row.more:
            title = f"{title}, and {grouped(row.more)} more"
        return [Table(title, [str(head) for head in _PROBLEM_HEADS], problems)]


@admin.register(GroupUse)
class GroupUseAdmin(OrganisedAdmin):
    """How much of their quota people who are linked have used together. It does not tell who they are."""

    benchmark_path = "group__phase__benchmark"
    related = ("group__phase",)
    list_display = ("group", "phase", "window_ends_at", "used", "limit")
    list_filter = (("group__phase", admin.RelatedOnlyFieldListFilter),)
    ordering = ("-window_ends_at", "group")
    fields = ("group", "phase", "window_ends_at", "used", "limit")

    phase = column("phase", "group.phase", ordering="group__phase")
    limit = column("of", "group.phase.quota_limit")
