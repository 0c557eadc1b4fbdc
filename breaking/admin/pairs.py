"""Breakers' pairs in the admin: those that differ by more than the rule allows wait here for the organiser's word."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Case, Value, When
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import percent
from benchmarks.admin.asks import Ask, Selected
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.people.rights import Right
from breaking.models import Pair
from breaking.pairs.review import CannotDecide, decide_pairs, undo_decisions
from breaking.templatetags.pairs import spelt_out
from scoring.core.measures.minimality import SegmentKind, difference

COLOURS = {
    "waits for the organiser": "warning",
    "admitted by the organiser": "success",
    "left out by the organiser": "danger",
}
_MARKS = {
    SegmentKind.KEPT: "{}",
    SegmentKind.REMOVED: '<del class="text-red-700 dark:text-red-400">{}</del>',
    SegmentKind.ADDED: '<ins class="text-green-700 dark:text-green-400">{}</ins>',
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


def _deciding(verb: str, sentence: str, *, icon: str, **declared: Any) -> Ask:
    """A button that decides about one pair, and an action about several: about all of them or none."""
    variant = declared.pop("variant", ActionVariant.DEFAULT)

    def question(pairs: list[Pair]) -> Question:
        return Question(
            title=f"{verb}: {len(pairs)} pair" if len(pairs) == 1 else f"{verb}: {len(pairs)} pairs",
            sentences=(sentence,),
            button=verb,
            is_grave=variant is ActionVariant.DANGER,
            tables=(pairs_table("Which pairs", pairs),),
        )

    return Ask(
        label=verb,
        icon=icon,
        variant=variant,
        question=question,
        of_many=True,
        refused=(CannotDecide,),
        done=verb + ": {result} of {count} pairs changed.",
        log=verb + ". {reason}",
        **declared,
    )


_WAITING_FIRST = Case(When(decision=Pair.Decision.WAITING, then=Value(0)), default=Value(1)).asc()


@admin.register(Pair)
class PairAdmin(OrganisedAdmin):
    """Read-only: a pair changes only by what is decided about it."""

    read_right = Right.GOLD
    benchmark_path = "pair_file__task__benchmark"
    related = ("pair_file__task__benchmark", "decided_by")
    unread_columns = ("pair_file__sealed",)
    ordering = (_WAITING_FIRST, "pair_file", "position")
    list_display = ("changed_item", "breaker", "task", "size", "people", "state", "change")
    list_filter = (
        "decision",
        "category",
        ("pair_file__task", admin.RelatedOnlyFieldListFilter),
        ("pair_file", admin.RelatedOnlyFieldListFilter),
        ("pair_file__task__benchmark", admin.RelatedOnlyFieldListFilter),
    )
    search_fields = ("changed_item", "original_text", "changed_text", "pair_file__breaker")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("changed_item", "original_item"),
                    "file",
                    "change",
                    "rationale",
                    "category",
                    "origin",
                )
            },
        ),
        ("Size", {"fields": ("size", "character_edits", "outlier_reason")}),
        ("People who were asked", {"fields": ("people",)}),
        ("Decision", {"fields": ("state", "decision_reason", "decided")}),
    )
    actions = ("admit_selected", "leave_out_selected", "undo_selected")
    actions_detail = ("admit", "leave_out", "undo")
    audited = ("decision", "decision_reason")

    breaker = column("breaker", "pair_file.breaker", ordering="pair_file__breaker")
    task = column("task", "pair_file.task", ordering="pair_file__task")
    file = column("file", lambda pair: link(pair.pair_file, str(pair.pair_file)))
    change = column("change", lambda pair: shown_change(pair))
    size = column("words and marks changed", lambda pair: shown_size(pair))
    people = column("people say minimal", lambda pair: shown_people(pair), ordering="minimal_count")
    state = column("decision", lambda pair: pair.get_decision_display(), ordering="decision", colours=COLOURS)

    admit = _deciding(
        "Admit",
        "They go into the sets of their breakers, as if they were within the rule.",
        icon="check",
        variant=ActionVariant.PRIMARY,
        form=PairReasonForm,
        given=lambda pairs: {"is_needed": False},
        do=partial(decide_pairs, admit=True),
    )
    leave_out = _deciding(
        "Leave out",
        "They go into no set: nobody is asked about them, and they count in no score. Their teams read "
        "your reason.",
        icon="block",
        variant=ActionVariant.DANGER,
        form=PairReasonForm,
        do=partial(decide_pairs, admit=False),
    )
    undo = _deciding(
        "Have wait again",
        "What was decided about them is forgotten. The sets of a task are not made while any of its "
        "pairs waits.",
        icon="undo",
        do=undo_decisions,
    )
    admit_selected = Selected(admit)
    leave_out_selected = Selected(leave_out)
    undo_selected = Selected(undo)

    @admin.display(description="original")
    def origin(self, pair: Pair) -> str:
        made = "of the team's own making" if pair.is_from_scratch else "of the starter data"
        return f"{pair.original_id}, {made}"

    @admin.display(description="decided")
    def decided(self, pair: Pair) -> str:
        return f"{in_words(pair.decided_at)} by {pair.decided_by}" if pair.decided_at else "not yet"


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


def shown_people(pair: Pair) -> str:
    """How many of those who were asked say that only what matters was changed."""
    return f"{pair.minimal_count} of {pair.asked_count}" if pair.asked_count else "nobody asked"


def pairs_table(title: str, pairs: list[Pair]) -> Table:
    """Pairs below an admin page."""
    text: Callable[[str], str] = spelt_out
    rows = [
        (
            link(pair, text(pair.changed_item)),
            shown_change(pair),
            shown_size(pair),
            text(pair.category),
            text(pair.rationale),
            pair.get_decision_display(),
            text(pair.decision_reason or pair.outlier_reason),
        )
        for pair in pairs
    ]
    heads = ("Id", "Change", "Words and marks changed", "Category", "Rationale", "Decision", "Why")
    return Table(title, heads, rows, empty="None.")
