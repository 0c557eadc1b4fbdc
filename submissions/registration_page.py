"""The page on which a team registers with a code."""

from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters

from accounts.access import form_data, form_status, reader, signed_in
from accounts.models import Team, User
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from submissions.exceptions import SubmissionError
from submissions.quota.registration_codes import register_by_code


class RegistrationForm(forms.Form):
    """Which team, for which benchmark, with which code. No list names benchmarks: some are private."""

    benchmark = forms.SlugField(
        max_length=64, help_text="Its id, as in its address: for /benchmarks/my-task/ it is my-task."
    )
    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    code = forms.CharField(
        max_length=200,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
        help_text="From the organisers. It counts upper and lower case.",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast("forms.ModelChoiceField[Team]", self.fields["team"]).queryset = Team.objects.of(user)


@dataclass(frozen=True)
class RegistrationPage(PageContent):
    """The form; `refusal` is why a code registered nothing, `has_team` whether there is a team to register."""

    template = "submissions/registration.html"
    section = "submit"
    form: RegistrationForm
    refusal: str
    has_team: bool


@sensitive_post_parameters("code")
@signed_in
def register(request: HttpRequest) -> HttpResponse:
    """Register a team for a benchmark with the code that its organisers have given."""
    user, refusal = reader(request), ""
    form = RegistrationForm(user, form_data(request), initial={"benchmark": request.GET.get("benchmark", "")})
    status = form_status(form)
    if form.is_valid():
        given = form.cleaned_data
        try:
            registered = register_by_code(
                slug=given["benchmark"],
                code=given["code"],
                team=given["team"],
                user=user,
                now=database_now(),
            )
        except SubmissionError as error:
            refusal, status = str(error), error.status
        else:
            messages.success(request, f"{registered.team} takes part in {registered.benchmark}.")
            return redirect(f"/submit/?benchmark={registered.benchmark_id}")
    page = RegistrationPage(form, refusal, Team.objects.of(user).exists())
    return page.answer(request, status=status)
