"""The audit log in the admin: read by whoever may run the benchmark, changed by nobody."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.models import AuditEntry
from benchmarks.admin.organised.links import page_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import is_superuser, organised
from benchmarks.people.rights import Right


class BenchmarkFilter(admin.SimpleListFilter):
    """Of one benchmark; the log itself knows only its id."""

    title = "benchmark"
    parameter_name = "benchmark"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        benchmarks = Benchmark.objects.all()
        if not is_superuser(request):
            benchmarks = benchmarks.filter(pk__in=organised(request))
        return [(one.pk, one.title) for one in benchmarks]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(benchmark=self.value()) if self.value() else queryset


@admin.register(AuditEntry)
class AuditEntryAdmin(OrganisedAdmin):
    """What was done by hand, by whom, when and why, with the values before and after."""

    read_right = Right.RUN
    benchmark_path = "benchmark"
    list_display = ("at", "who", "kind", "done_to", "benchmark", "what", "values", "reason")
    list_select_related = ("actor",)
    list_filter = (
        BenchmarkFilter,
        ("actor", admin.RelatedOnlyFieldListFilter),
        ("kind", admin.AllValuesFieldListFilter),
        ("by", admin.AllValuesFieldListFilter),
    )
    search_fields = ("object_name", "what", "reason")
    fields = ("at", "who", "by", "kind", "benchmark", "done_to", "what", "values", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("actor")

    @admin.display(ordering="actor")
    def who(self, entry: AuditEntry) -> str:
        return entry.who

    @admin.display(description="done to", ordering="object_name")
    def done_to(self, entry: AuditEntry) -> Any:
        model = apps.get_model(entry.model)
        named = f"{model._meta.verbose_name} {entry.object_name}"  # noqa: SLF001  # documented under this name
        try:
            url = reverse(f"admin:{entry.model.replace('.', '_')}_change", args=[entry.object_id])
        except NoReverseMatch:
            return named
        return page_link(url, named)

    @admin.display(description="old and new values")
    def values(self, entry: AuditEntry) -> SafeString:
        return format_html_join("", "<div>{}: {} → {}</div>", entry.changes)
