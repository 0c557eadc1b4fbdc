"""The page on which somebody asks the organisers, and reads what they have answered."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.access import form_data, form_status, reader, signed_in
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from accounts.sign_in.addresses import has_confirmed_address
from benchmarks.models import Benchmark
from benchmarks.notices.models import LONGEST_QUESTION, ParticipantQuestion
from benchmarks.notices.questions import TooManyQuestions, ask_organisers

NOT_CONFIRMED = "Please confirm your e-mail address first: the answer is sent to it."


class ParticipantQuestionForm(forms.Form):
    """What somebody asks."""

    text = forms.CharField(
        label="Your question",
        max_length=LONGEST_QUESTION,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="The organisers read it with your name. If they answer to everybody, your name is left out.",
    )


@dataclass(frozen=True, kw_only=True)
class AskPage(PageContent):
    """The form, and the reader's own questions with their answers."""

    template = "benchmarks/ask.html"
    section = "benchmarks"
    benchmark: Benchmark
    form: ParticipantQuestionForm
    own: Sequence[ParticipantQuestion]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest, benchmark: str) -> HttpResponse:
    """Ask the organisers of a benchmark."""
    found = get_object_or_404(Benchmark.objects.ready(), pk=benchmark)
    user, form = reader(request), ParticipantQuestionForm(form_data(request))
    if request.method == "POST" and form.is_valid():
        if not has_confirmed_address(user):
            form.add_error(None, NOT_CONFIRMED)
        else:
            try:
                ask_organisers(benchmark=found, user=user, text=form.cleaned_data["text"], now=database_now())
            except TooManyQuestions as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, "Your question was sent to the organisers.")
                return redirect(request.path)
    own = list(ParticipantQuestion.objects.filter(benchmark=found, asked_by=user))
    return AskPage(benchmark=found, form=form, own=own).answer(request, form_status(form))
