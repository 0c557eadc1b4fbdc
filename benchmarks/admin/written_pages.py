"""Pages about a benchmark in the admin: written in Markdown, looked at before they are saved, every version kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from accounts.formats.instants import in_words
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from benchmarks.admin.organised.links import page_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Table, column
from benchmarks.admin.terms import as_html
from benchmarks.given_files import surroundings
from benchmarks.models import Benchmark, WrittenPage, WrittenVersion
from benchmarks.notices.markdown import as_safe_html
from benchmarks.notices.pages import write_page
from benchmarks.people.request_rights import organised
from benchmarks.services import mark_stale
from benchmarks.spec.protocol import LONGEST_PAGE, LONGEST_PAGE_TITLE

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[WrittenPage]
else:
    BaseForm = forms.ModelForm

_MOST_SHOWN = 100


@dataclass(frozen=True, kw_only=True)
class WrittenPreview(PageContent):
    """A page about a benchmark as it would stand, for whoever writes it."""

    template = "public/about_preview.html"
    section: ClassVar[str] = "benchmarks"
    benchmark: Benchmark
    written: WrittenVersion
    body: SafeString


class WrittenPageForm(BaseForm):
    """Where a page stands, and what it says."""

    title = forms.CharField(max_length=LONGEST_PAGE_TITLE, widget=UnfoldAdminTextInputWidget)
    text = forms.CharField(
        required=False,
        max_length=LONGEST_PAGE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 28, "class": "font-mono"}),
        help_text="Markdown: headings (##), lists, tables, **bold**, [links](https://example.org). A file that is "
        "given, or another page, is linked by its name: [training data](train.tsv), [timeline](timeline); a picture "
        "is a file that is given: ![what it shows](figure.png). HTML is shown as text. Empty: the page is taken down.",
    )

    class Meta:
        model = WrittenPage
        fields = ("benchmark", "slug", "position")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and (newest := self.instance.newest):
            self.initial.update(title=newest.title, text=newest.text)


@admin.register(WrittenPage)
class WrittenPageAdmin(OrganisedAdmin):
    """The pages about a benchmark. Published pages follow with the next sweep."""

    benchmark_path = "benchmark"
    is_editable = True
    may_add = True
    form = WrittenPageForm
    change_form_before_template = "admin/_preview.html"
    list_display = ("__str__", "benchmark", "slug", "state", "position")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("slug", "versions__title")

    state = column(
        "stands",
        lambda page: "no: taken down" if page.newest and not page.newest.text else "yes",
    )
    public_page = column("public page", lambda page: page_link(page.get_absolute_url()))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        newest_first = WrittenVersion.objects.select_related("written_by")
        return super().get_queryset(request).prefetch_related(Prefetch("versions", newest_first))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        written = ("benchmark", "slug", "position", "title", "text")
        return ("public_page", *written) if obj else written

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("public_page", "benchmark", "slug") if obj else ()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        title, text = form.cleaned_data["title"], form.cleaned_data["text"]
        write_page(page=obj, title=title, text=text, by=request.user, now=database_now())  # type: ignore[arg-type]  # signed in
        mark_stale(obj.benchmark_id)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        versions = [
            (
                version.number,
                in_words(version.written_at),
                version.written_by or "the definition",
                version.title,
                as_html(version.text) or "Taken down.",
            )
            for version in row.versions.all()[:_MOST_SHOWN]
        ]
        return [Table("Versions", ("Version", "When", "By", "Title", "Text"), versions)]

    def get_urls(self) -> list[Any]:
        preview = self.admin_site.admin_view(self.preview)
        return [path("preview/", preview, name="benchmarks_writtenpage_preview"), *super().get_urls()]

    def preview(self, request: HttpRequest) -> HttpResponse:
        """The page as it would stand with what was typed, saved nowhere."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        slug = request.POST.get("benchmark") or request.GET.get("benchmark", "")
        benchmark = Benchmark.objects.filter(pk__in=organised(request), pk=slug).first()
        if benchmark is None:
            raise Http404("Choose one of your benchmarks first.")
        title = request.POST.get("title", "")[:LONGEST_PAGE_TITLE] or "No title yet"
        body = as_safe_html(request.POST.get("text", "")[:LONGEST_PAGE], surroundings(benchmark))
        page = WrittenPreview(benchmark=benchmark, written=WrittenVersion(title=title), body=body)
        answer = page.answer(request)
        policy = (f"{name} {' '.join(sources)}" for name, sources in settings.CSP_DIRECTIVES.items())
        answer["Content-Security-Policy"] = "; ".join(policy)  # else pages of the admin have none
        return answer
