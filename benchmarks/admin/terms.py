"""Terms in the admin: every version with who accepted it, and the button that writes the next."""

import datetime as dt
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count
from django.http import HttpRequest
from django.utils.html import linebreaks, urlize
from django.utils.safestring import SafeString, mark_safe
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.formats.instants import in_words
from accounts.models import User
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.models import Benchmark
from benchmarks.notices.models import Terms
from benchmarks.notices.services import current_terms, write_terms
from benchmarks.spec.model import LONGEST_TERMS

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


def _edit_terms(*, benchmark: Benchmark, text: str, user: User, now: dt.datetime) -> Done:
    written = write_terms(benchmark=benchmark, text=text, by=user, now=now)
    if written is None:
        return Done(also=((messages.INFO, "The terms say this already; nothing was changed."),))
    if not written.text:
        return Done("Nothing has to be accepted any more.", "Took the terms away.")
    return Done(
        f"Version {written.version} of the terms stands. Everybody is asked with the next upload.",
        f"Wrote version {written.version} of the terms.",
    )


def _question(benchmark: Benchmark) -> Question:
    standing = current_terms(benchmark)
    now = "Nothing has to be accepted at present."
    if standing is not None:
        count = standing.acceptances.count()
        people = "person has" if count == 1 else "people have"
        since = in_words(standing.written_at)
        now = f"Version {standing.version} stands since {since}; {count} {people} accepted it."
    return Question(
        title=f"Terms of {benchmark}",
        sentences=(
            now,
            "Another text is another version. Everybody has to accept it before the next submission "
            "or file of pairs, also those who have accepted an earlier one. Submissions made so far "
            "stay. Earlier versions, and who accepted them when, are kept.",
        ),
        button="Save as the next version",
    )


EDIT_TERMS = Ask(
    label="Terms",
    icon="contract",
    question=_question,
    form=NewTermsForm,
    given=lambda benchmark: {"initial": {"text": getattr(current_terms(benchmark), "text", "")}},
    do=_edit_terms,
)


@admin.register(Terms)
class TermsAdmin(OrganisedAdmin):
    """Every version of every benchmark's terms, and who has accepted it."""

    made_from = "To write terms or change them, open a benchmark and choose “Terms”."
    benchmark_path = "benchmark"
    annotations = {"accepted_count": Count("acceptances")}
    list_display = ("benchmark", "version", "written_at", "accepted")
    list_select_related = ("benchmark",)
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter),)
    fields = ("benchmark", "version", "written_at", "author", "shown")
    readonly_fields = ("author", "shown")

    accepted = column("accepted by", lambda terms: int(terms.accepted_count), ordering="accepted_count")
    author = column("written by", lambda terms: str(terms.written_by or "the definition"))
    shown = column("text", lambda terms: as_html(terms.text or "Nothing has to be accepted."))

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
