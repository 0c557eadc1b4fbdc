"""What participants ask, in the admin: read, and answered."""

from django import forms
from django.contrib import admin
from django.db.models import F
from unfold.widgets import UnfoldAdminTextareaWidget

from accounts.admin_look import ActionVariant
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, column
from benchmarks.notices.models import LONGEST_QUESTION, ParticipantQuestion
from benchmarks.notices.questions import answer_question


class AnswerForm(forms.Form):
    """The answer, and how everybody reads the question."""

    answer = forms.CharField(max_length=5000, widget=UnfoldAdminTextareaWidget(attrs={"rows": 8}))
    public_text = forms.CharField(
        label="The question as everybody reads it",
        max_length=LONGEST_QUESTION,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
        help_text="With it, question and answer stand on a public page, without a name. Empty: only who asked reads "
        "the answer.",
    )


@admin.register(ParticipantQuestion)
class ParticipantQuestionAdmin(OrganisedAdmin):
    """Questions of participants, those without an answer first."""

    benchmark_path = "benchmark"
    related = ("benchmark", "asked_by")
    list_display = ("text", "benchmark", "asked_by", "asked_at", "state")
    list_filter = (
        ("benchmark", admin.RelatedOnlyFieldListFilter),
        ("answered_at", admin.EmptyFieldListFilter),
    )
    linked_lookups = ("answered_at__isempty",)
    ordering = (F("answered_at").desc(nulls_first=True), "-asked_at")
    fields = (
        "benchmark",
        "asked_by",
        "asked_at",
        "text",
        "answer",
        "answered_at",
        "answered_by",
        "public_text",
    )
    actions_detail = ("answer_it",)
    state = column("state", lambda row: _state(row))
    answer_it = Ask(
        label="Answer",
        icon="reply",
        variant=ActionVariant.PRIMARY,
        question=lambda row: Question(
            title=f"Answer {row.asked_by}?",
            sentences=(
                row.text,
                "Whoever asked gets the first answer by mail; it stands on their page of questions.",
            ),
            button="Answer",
            leads_on=True,
        ),
        form=AnswerForm,
        given=lambda row: {"initial": {"answer": row.answer, "public_text": row.public_text}},
        do=answer_question,
        done="Answered.",
        log="Answered.",
    )


def _state(row: ParticipantQuestion) -> str:
    if not row.answered_at:
        return "waits for an answer"
    return "answered to everybody" if row.public_text else "answered to whoever asked"
