"""Terms in the admin: every version with who accepted it, and the button that writes the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import linebreaks, urlize
from django.utils.safestring import SafeString, mark_safe
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.access import reader
from accounts.admin_look import button
from accounts.formats.instants import in_words
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address
from benchmarks.models import Benchmark
from benchmarks.notices.models import Terms
from benchmarks.notices.services import current_terms, write_terms
from benchmarks.spec.model import LONGEST_TERMS

if TYPE_CHECKING:
    Base = OrganisedAdmin
else:
    Base = object

_MOST_SHOWN = 500


def as_html(text: str) -> SafeString:
    """Plain text as paragraphs with links; whatever looks like markup is text."""
    return mark_safe(linebreaks(urlize(text, nofollow=True, autoescape=True)))  # noqa: S308  # escaped by urlize


class NewTermsForm(forms.Form):
    text = forms.CharField(
        required=False,
        max_length=LONGEST_TERMS,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 20}),
        label="Terms",
        help_text="Plain text. Blank lines make paragraphs, addresses become links. Empty: nothing has to be "
        "accepted.",
    )


class HasTerms(Base):
    """The button of a benchmark's page that writes its terms."""

    @button("Terms", icon="contract")
    def edit_terms(self, request: HttpRequest, object_id: str) -> HttpResponse:
        benchmark: Benchmark = self.row_or_404(request, object_id)
        standing = current_terms(benchmark)
        form = NewTermsForm(request.POST or None, initial={"text": standing.text if standing else ""})
        if request.method != "POST" or not form.is_valid():
            return self.ask(request, _question(benchmark, standing, form), row=benchmark)
        written = write_terms(
            benchmark=benchmark, text=form.cleaned_data["text"], by=reader(request), now=database_now()
        )
        if written is None:
            messages.info(request, "The terms say this already; nothing was changed.")
        elif written.text:
            self.log_change(
                request,
                benchmark,
                f"Wrote version {written.version} of the terms.",
            )
            messages.success(
                request,
                f"Version {written.version} of the terms stands. Everybody is asked with the next upload.",
            )
        else:
            self.log_change(request, benchmark, "Took the terms away.")
            messages.success(request, "Nothing has to be accepted any more.")
        return HttpResponseRedirect(address(benchmark))


def _question(benchmark: Benchmark, standing: Terms | None, form: forms.Form) -> Question:
    if standing is None:
        now = "Nothing has to be accepted at present."
    else:
        count = standing.acceptances.count()
        now = (
            f"Version {standing.version} stands since {in_words(standing.written_at)}; {count} person has accepted it."
            if count == 1
            else (
                f"Version {standing.version} stands since {in_words(standing.written_at)}; {count} people "
                "have accepted it."
            )
        )
    return Question(
        title=f"Terms of {benchmark}",
        sentences=(
            now,
            (
                "Another text is another version. Everybody has to accept it before the next submission "
                "or file of pairs, also those who have accepted an earlier one. Submissions made so far "
                "stay. Earlier versions, and who accepted them when, are kept."
            ),
        ),
        button="Save as the next version",
        form=form,
    )


@admin.register(Terms)
class TermsAdmin(OrganisedAdmin):
    """Every version of every benchmark's terms, and who has accepted it."""

    made_from = "To write terms or change them, open a benchmark and choose “Terms”."
    benchmark_path = "benchmark"
    list_display = ("benchmark", "version", "written_at", "accepted")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    fields = ("benchmark", "version", "written_at", "author", "shown")
    readonly_fields = ("author", "shown")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request).annotate(accepted_count=Count("acceptances"))
        return rows

    @admin.display(description="accepted by", ordering="accepted_count")
    def accepted(self, terms: Any) -> int:
        return int(terms.accepted_count)

    @admin.display(description="written by")
    def author(self, terms: Terms) -> str:
        return str(terms.written_by or "the definition")

    @admin.display(description="text")
    def shown(self, terms: Terms) -> SafeString:
        return as_html(terms.text or "Nothing has to be accepted.")

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        found = row.acceptances.select_related("user").order_by("-accepted_at", "-pk")[:_MOST_SHOWN]
        people = [(one.user, one.user.email, in_words(one.accepted_at)) for one in found]
        return [
            Table(
                "Accepted by",
                ("Person", "Address", "When"),
                people,
                empty="Nobody yet.",
            )
        ]
