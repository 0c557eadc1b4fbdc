"""The page on which a team claims rows of an earlier leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from accounts.access import form_data, form_status, reader, signed_in
from accounts.models import Team, User
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from accounts.sign_in.addresses import has_confirmed_address
from benchmarks.models import Benchmark
from submissions.claims.services import CannotClaim, accepted_claims, claim_row
from submissions.models import System
from submissions.participants import RowClaim

NOT_CONFIRMED = "Please confirm your e-mail address first: the organisers' answer is sent to it."


class ClaimForm(forms.Form):
    """Which row, of which team, and how organisers can tell."""

    row = forms.ChoiceField(label="The row")
    team = forms.ChoiceField(label="Your team")
    system = forms.ChoiceField(
        label="Your system",
        required=False,
        help_text="If the same system stands here under your team, the row leads to its page.",
    )
    note = forms.CharField(
        label="How can the organisers tell?",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Such as a paper that names you, or the address that the system was sent in from.",
    )

    def __init__(self, *args: Any, benchmark: Benchmark, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        taken = accepted_claims(benchmark)
        rows = enumerate(benchmark.spec.moved_in)
        self.rows = {str(at): row for at, row in rows if row.name not in taken}
        self.teams = {str(team.pk): team for team in Team.objects.of(user)}
        self.systems = {str(system.pk): system for system in System.objects.of(user).select_related("team")}
        none = {"": "none of those here"}
        choices = {
            "row": {at: f"{row.system}, {row.team}, {row.date}" for at, row in self.rows.items()},
            "team": {pk: str(team) for pk, team in self.teams.items()},
            "system": none | {pk: f"{system}, {system.team}" for pk, system in self.systems.items()},
        }
        for name, choice in choices.items():
            cast(forms.ChoiceField, self.fields[name]).choices = list(choice.items())

    def clean(self) -> dict[str, Any]:
        """What was chosen as rows; the system is one of the team."""
        super().clean()
        given = self.cleaned_data
        for name, known in (("row", self.rows), ("team", self.teams), ("system", self.systems)):
            if name in given:
                given[name] = known.get(given[name])
        team, system = given.get("team"), given.get("system")
        if team and system and system.team_id != team.pk:
            self.add_error("system", f"{system} is no system of {team}. Choose one of that team, or none.")
        return given


@dataclass(frozen=True, kw_only=True)
class ClaimPage(PageContent):
    """The form, None where the reader has no team or no row is left, and what the reader's teams have asked."""

    template = "submissions/claim.html"
    section = "benchmarks"
    benchmark: Benchmark
    form: ClaimForm | None
    has_team: bool
    own: Sequence[RowClaim]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def claims(request: HttpRequest, benchmark: str) -> HttpResponse:
    """Claim a row of a benchmark that was moved in. 404 where there are none."""
    user = reader(request)
    found = get_object_or_404(Benchmark.objects.seen_by(user), pk=benchmark)
    if not found.spec.moved_in:
        raise Http404
    form = ClaimForm(form_data(request), benchmark=found, user=user)
    if form.is_valid():
        given = form.cleaned_data
        if not has_confirmed_address(user):
            form.add_error(None, NOT_CONFIRMED)
        else:
            try:
                claim_row(benchmark=found, user=user, now=database_now(), **given)
            except CannotClaim as error:
                form.add_error(None, str(error))
            else:
                messages.success(
                    request, f"{given['row'].system} is claimed. The organisers decide; you get a mail."
                )
                return redirect(request.path)
    own = RowClaim.objects.filter(benchmark=found, team__in=form.teams.values())
    is_possible = form.rows and form.teams
    return ClaimPage(
        benchmark=found,
        form=form if is_possible else None,
        has_team=bool(form.teams),
        own=list(own.select_related("team", "system")),
    ).answer(request, form_status(form))
