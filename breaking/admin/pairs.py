"""Breakers' pairs in the admin: those that differ by more than the rule allows wait here for the organiser's word."""

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import Case, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant, button, coloured
from accounts.formats.instants import in_words
from accounts.formats.numbers import percent
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address, link, was_confirmed
from breaking.models import Pair
from breaking.pairs.review import CannotDecide, decide_pairs, undo_decisions
from breaking.templatetags.pairs import spelt_out
from scoring.core.measures.minimality import SegmentKind, difference

COLOURS = {
    "waits for the organiser": "warning",
    "admitted by the organiser": "success",
    "left out by the organiser": "danger",
}
ADMIT, LEAVE_OUT, UNDO = "admit", "leave_out", "undo"
_MARKS = {
    SegmentKind.KEPT: "{}",
    SegmentKind.REMOVED: '<del class="text-red-700 dark:text-red-400">{}</del>',
    SegmentKind.ADDED: '<ins class="text-green-700 dark:text-green-400">{}</ins>',
}
_HEADS = {
    ADMIT: "Admit",
    LEAVE_OUT: "Leave out",
    UNDO: "Have wait again",
}
_SENTENCES = {
    ADMIT: "They go into the sets of their breakers, as if they were within the rule.",
    LEAVE_OUT: (
        "They go into no set: nobody is asked about them, and they count in no score. Their teams read "
        "your reason."
    ),
    UNDO: (
        "What was decided about them is forgotten. The sets of a task are not made while any of its "
        "pairs waits."
    ),
}


class PairReasonForm(forms.Form):
    """Why something is decided so."""

    reason = forms.CharField(
        label="Reason",
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="The team reads it.",
    )

    def __init__(self, *args: Any, is_needed: bool = True) -> None:
        super().__init__(*args)
        self.fields["reason"].required = is_needed


_WAITING_FIRST = Case(When(decision=Pair.Decision.WAITING, then=Value(0)), default=Value(1)).asc()


@admin.register(Pair)
class PairAdmin(OrganisedAdmin):
    """Read-only: a pair changes only by what is decided about it."""

    benchmark_path = "pair_file__task__benchmark"
    ordering = (_WAITING_FIRST, "pair_file", "position")
    list_display = ("changed_item", "breaker", "task", "size", "state", "change")
    list_filter = (
        "decision",
        ("pair_file__task", admin.RelatedOnlyFieldListFilter),
        ("pair_file", admin.RelatedOnlyFieldListFilter),
        ("pair_file__task__benchmark", admin.RelatedOnlyFieldListFilter),
    )
    search_fields = ("changed_item", "original_text", "changed_text", "pair_file__breaker")
    fieldsets = (
        (None, {"fields": (("changed_item", "original_item"), "file", "change", "rationale", "origin")}),
        ("Size", {"fields": ("size", "character_edits", "outlier_reason")}),
        ("Decision", {"fields": ("state", "decision_reason", "decided")}),
    )
    actions = ("admit_selected", "leave_out_selected", "undo_selected")
    actions_detail = (ADMIT, LEAVE_OUT, UNDO)
    audited = ("decision", "decision_reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).select_related("pair_file__task__benchmark", "decided_by")
        found: QuerySet[Any] = rows.defer("pair_file__sealed")
        return found

    @admin.display(description="breaker", ordering="pair_file__breaker")
    def breaker(self, pair: Pair) -> str:
        return str(pair.pair_file.breaker)

    @admin.display(description="task", ordering="pair_file__task")
    def task(self, pair: Pair) -> str:
        return str(pair.pair_file.task)

    @admin.display(description="file")
    def file(self, pair: Pair) -> str:
        return link(pair.pair_file, str(pair.pair_file))

    @admin.display(description="change")
    def change(self, pair: Pair) -> SafeString:
        return shown_change(pair)

    @admin.display(description="words and marks changed")
    def size(self, pair: Pair) -> str:
        return shown_size(pair)

    @admin.display(description="original")
    def origin(self, pair: Pair) -> str:
        made = "of the team's own making" if pair.is_from_scratch else "of the starter data"
        return f"{pair.original_id}, {made}"

    @coloured("decision", COLOURS, ordering="decision")
    def state(self, pair: Pair) -> str:
        return str(pair.get_decision_display())

    @admin.display(description="decided")
    def decided(self, pair: Pair) -> str:
        if not pair.decided_at:
            return "not yet"
        said = {"instant": in_words(pair.decided_at), "user": pair.decided_by}
        return "{instant} by {user}".format(**said)

    @button("Admit", icon="check", variant=ActionVariant.PRIMARY)
    def admit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Have one pair count although it differs by more than the rule allows."""
        return self._one(request, object_id, ADMIT)

    @button("Leave out", icon="block", variant=ActionVariant.DANGER)
    def leave_out(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Leave one pair out of its set."""
        return self._one(request, object_id, LEAVE_OUT)

    @button("Have wait again", icon="undo")
    def undo(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Forget what was decided about one pair."""
        return self._one(request, object_id, UNDO)

    @admin.action(description="Admit")
    def admit_selected(self, request: HttpRequest, queryset: QuerySet[Pair]) -> HttpResponse | None:
        """Have the selected pairs count."""
        return self._several(request, list(queryset), ADMIT)

    @admin.action(description="Leave out")
    def leave_out_selected(self, request: HttpRequest, queryset: QuerySet[Pair]) -> HttpResponse | None:
        """Leave the selected pairs out of their sets."""
        return self._several(request, list(queryset), LEAVE_OUT)

    @admin.action(description="Have wait again")
    def undo_selected(self, request: HttpRequest, queryset: QuerySet[Pair]) -> HttpResponse | None:
        """Forget what was decided about the selected pairs."""
        return self._several(request, list(queryset), UNDO)

    def _one(self, request: HttpRequest, object_id: str, what: str) -> HttpResponse:
        pair = self.row_or_404(request, object_id)
        done, question = self._decide(request, [pair], what)
        return HttpResponseRedirect(address(pair)) if done else self.ask(request, question, row=pair)

    def _several(self, request: HttpRequest, pairs: list[Pair], what: str) -> HttpResponse | None:
        done, question = self._decide(request, pairs, what)
        return None if done else self.ask(request, question, selected=pairs, action=f"{what}_selected")

    def _decide(self, request: HttpRequest, pairs: list[Pair], what: str) -> tuple[bool, Question]:
        """Decide about all of them or none; whether that was done, and else the question to ask."""
        form = PairReasonForm(request.POST if was_confirmed(request) else None, is_needed=what == LEAVE_OUT)
        problems: tuple[str, ...] = ()
        if form.is_valid():
            try:
                self._done(request, pairs, what, form.cleaned_data["reason"])
            except CannotDecide as refused:
                problems = (str(refused),)
        count = f"{len(pairs)} pair" if len(pairs) == 1 else f"{len(pairs)} pairs"
        question = Question(
            title=f"{_HEADS[what]}: {count}",
            sentences=(str(_SENTENCES[what]),),
            button=str(_HEADS[what]),
            form=None if what == UNDO else form,
            is_grave=what == LEAVE_OUT,
            problems=problems,
            tables=(pairs_table("Which pairs", pairs),),
        )
        return was_confirmed(request) and form.is_valid() and not problems, question

    def _done(self, request: HttpRequest, pairs: list[Pair], what: str, reason: str) -> None:
        user, now = cast(User, request.user), database_now()
        if what == UNDO:
            count = undo_decisions(pairs=pairs, now=now)
        else:
            count = decide_pairs(pairs=pairs, admit=what == ADMIT, reason=reason, user=user, now=now)
        for pair in pairs:
            self.log_change(request, pair, " ".join(filter(None, [f"{_HEADS[what]}.", reason])))
        messages.success(
            request,
            f"{_HEADS[what]}: {count} of {len(pairs)} pairs changed.",
        )


def shown_change(pair: Pair) -> SafeString:
    """The two sentences as one, with what was removed and added."""
    segments = difference(pair.original_text, pair.changed_text)
    marked = [(format_html(_MARKS[one.kind], spelt_out(one.text)),) for one in segments]
    return format_html(
        '<div class="break-words max-w-xl whitespace-normal">{}</div>', format_html_join("", "{}", marked)
    )


def shown_size(pair: Pair) -> str:
    """How much of a pair was changed."""
    if not pair.token_count:
        return "no texts"
    return f"{pair.token_edits} of {pair.token_count} ({percent(pair.token_edits / pair.token_count, 0)})"


def pairs_table(title: str, pairs: list[Pair]) -> Table:
    """Pairs below an admin page."""
    text: Callable[[str], str] = spelt_out
    rows = [
        (
            link(pair, text(pair.changed_item)),
            shown_change(pair),
            shown_size(pair),
            text(pair.rationale),
            pair.get_decision_display(),
            text(pair.decision_reason or pair.outlier_reason),
        )
        for pair in pairs
    ]
    heads = ("Id", "Change", "Words and marks changed", "Rationale", "Decision", "Why")
    return Table(title, heads, rows, empty="None.")
