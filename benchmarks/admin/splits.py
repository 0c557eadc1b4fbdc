"""Splits in the admin. Pages that can start something are registered by the app that does it."""

from django.contrib import admin

from benchmarks.admin.announcements import AnnouncementAdmin
from benchmarks.admin.audit_log import AuditEntryAdmin
from benchmarks.admin.given_files import GivenFileAdmin
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, column
from benchmarks.admin.terms import TermsAdmin
from benchmarks.admin.written_pages import WrittenPageAdmin
from benchmarks.models import Split

__all__ = [
    "AnnouncementAdmin",
    "AuditEntryAdmin",
    "GivenFileAdmin",
    "SplitAdmin",
    "TermsAdmin",
    "WrittenPageAdmin",
]


@admin.register(Split)
class SplitAdmin(OrganisedAdmin):
    """Which items a task's predictions are about: their number and the digest of their ids."""

    benchmark_path = "task__benchmark"
    list_display = ("task", "split", "items", "ids_sha256")
    list_select_related = ("task",)
    list_filter = (("task__benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("task__slug", "task__title")
    fields = ("task", "split", "items", "ids_sha256")

    split = column("split", "slug", ordering="slug")
    items = column("items", "item_count", ordering="item_count")
