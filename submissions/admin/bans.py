"""Bans in the admin: made of a team or a person that takes part, and lifted."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.http import urlencode
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from accounts.models import Team, User
from benchmarks.admin.asks import Adding, Ask, Done
from benchmarks.admin.organised.links import add_address, link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import organised
from submissions.participants import Ban
from submissions.quota.participant_list import participants_of
from submissions.systems.bans import CannotBan, ban, circle_of, lift, still_counting


def ban_address(benchmark: Benchmark, team: Team) -> str:
    """The address of the page that asks before a team is banned from a benchmark."""
    return f"{add_address(Ban)}?{urlencode({'benchmark': benchmark.pk, 'team': str(team.pk)})}"


def _named(request: HttpRequest) -> tuple[Benchmark | None, Team | None]:
    """The benchmark and the team of the address, where whoever asks runs the one and the other takes part in it."""
    slug, key = request.GET.get("benchmark", ""), request.GET.get("team", "")
    benchmark = Benchmark.objects.filter(pk__in=organised(request), pk=slug).first()
    if benchmark is None:
        return None, None
    teams = (one.team for one in participants_of(benchmark))
    return benchmark, next((team for team in teams if str(team.pk) == key), None)


class BanForm(forms.Form):
    """Whom to keep out of which benchmark, and why."""

    benchmark = forms.ModelChoiceField(Benchmark.objects.none(), widget=UnfoldAdminSelectWidget)
    who = forms.CharField(
        label="Team, or person",
        max_length=254,
        widget=UnfoldAdminTextInputWidget,
        help_text="The name of a team exactly as it is written, or the e-mail address of somebody who is in one.",
    )
    reason = forms.CharField(
        max_length=300,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="They read it in a mail and whenever they send a file. Where submissions are disqualified with it, "
        "everybody reads it on the page of the system.",
    )
    with_linked = forms.BooleanField(
        label="Ban also whoever shares a quota with them",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="People who were in a team together in this benchmark, and such teams: so nobody comes back with "
        "another team.",
    )
    disqualifies = forms.BooleanField(
        label="Disqualify their submissions too", required=False, widget=UnfoldBooleanWidget
    )

    def __init__(self, *args: Any, own: QuerySet[Benchmark], counting: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["benchmark"].queryset = own  # type: ignore[attr-defined]  # of a field with a choice of rows
        if counting:
            self.fields["disqualifies"].label = f"Disqualify their {counting} too"

    def clean(self) -> dict[str, Any]:
        """The team or person meant, who must take part: nobody learns here who else has an account."""
        super().clean()
        benchmark, name = self.cleaned_data.get("benchmark"), self.cleaned_data.get("who", "").strip()
        if benchmark is None or not name:
            return self.cleaned_data
        rows = participants_of(benchmark)
        teams = (one.team for one in rows if one.team.name == name)
        people = (person for one in rows for person in one.people if person.email == name.lower())
        found = next(teams, None) or next(people, None)
        if found is None:
            message = f"Nobody of that name or address takes part in {benchmark}."
            self.add_error("who", ValidationError(message))
        self.cleaned_data["who"] = found
        return self.cleaned_data


def _question(request: HttpRequest) -> Question:
    benchmark, team = _named(request)
    sentences = [
        "What they send to the benchmark is refused from then on, with your reason: on pages, by the API and by the "
        "client. A person is refused for every team, and a team as long as somebody banned is in it.",
        "What was sent before stays, unless you disqualify it: then it is on no later board, for good. You can lift "
        "the ban; they get a mail both times.",
        "The pages of a private benchmark are not for them meanwhile, also where you have approved their team.",
    ]
    if benchmark is None or team is None:
        return Question("Ban somebody from a benchmark", sentences, "Ban", is_grave=True)
    alone = circle_of(benchmark=benchmark, who=team, with_linked=False)
    linked = circle_of(benchmark=benchmark, who=team, with_linked=True)
    others = (
        _count(len(linked.teams) - 1, "other team"),
        _count(len(linked.people - alone.people), "other person"),
    )
    shared = f"{others[0]} and {others[1]} share a quota with them."
    if linked == alone:
        shared = "Nobody else shares a quota with them."
    sentences.insert(0, f"{team} has {_count(len(alone.people), 'member')}. {shared}")
    return Question(f"Ban {team} from {benchmark}", sentences, "Ban", is_grave=True)


def _given(request: HttpRequest) -> dict[str, Any]:
    own = Benchmark.objects.filter(pk__in=organised(request))
    benchmark, team = _named(request)
    initial: dict[str, Any] = {"benchmark": benchmark, "with_linked": True}
    if benchmark is None or team is None:
        return {"own": own, "initial": initial}
    linked = circle_of(benchmark=benchmark, who=team, with_linked=True)
    count = still_counting(benchmark=benchmark, who=team, teams=linked.teams).count()
    return {
        "own": own,
        "initial": initial | {"who": team.name},
        "counting": _count(count, "submission"),
    }


def _count(number: int, name: str) -> str:
    plural = {"other person": "other people"}.get(name, f"{name}s")
    return f"{number} {name if number == 1 else plural}"


def _ban(
    *,
    benchmark: Benchmark,
    who: Team | User,
    reason: str,
    with_linked: bool,
    disqualifies: bool,
    user: User,
    now: dt.datetime,
) -> Done:
    made = ban(
        benchmark=benchmark,
        who=who,
        reason=reason,
        with_linked=with_linked,
        disqualifies=disqualifies,
        by=user,
        now=now,
    )
    ended = f" {_count(made.disqualified, 'submission')} disqualified." if made.disqualified else ""
    return Done(
        f"{who} is banned from {benchmark}.{ended} They were written to.",
        f"Banned {who}.{ended}",
        leads_to=made.ban,
    )


@admin.register(Ban)
class BanAdmin(OrganisedAdmin):
    """Teams and people that are kept from a benchmark, and were."""

    benchmark_path = "benchmark"
    related = ("benchmark", "team", "person", "banned_by", "lifted_by")
    list_display = ("who", "benchmark", "reason", "banned_at", "lifted_at")
    list_filter = (
        ("benchmark", admin.RelatedOnlyFieldListFilter),
        ("lifted_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("team__name", "person__name", "reason")
    fields = ("who", "benchmark", "reason", "banned_at", "made_by", "lifted_at", "ended_by")
    actions_detail = ("lift",)
    audited = ("lifted_at",)

    adding = Adding(
        Ask(
            question=_question,
            form=BanForm,
            given=_given,
            do=_ban,
            refused=(CannotBan,),
        )
    )
    lift = Ask(
        label="Lift the ban",
        icon="lock_open",
        question=Question(
            title="Lift the ban: {row}",
            sentences=("They may send files again and get a mail. What was disqualified stays so.",),
            button="Lift the ban",
        ),
        do=lambda ban, user, now: lift(ban=ban, by=user, now=now),
        refused=(CannotBan,),
        done="The ban is lifted: {row}.",
        log="Lifted the ban.",
        shown=lambda ban: ban.lifted_at is None,
    )
    who = column("who", lambda ban: link(ban, ban.whom))
    made_by = column("banned by", lambda ban: str(ban.banned_by or "nobody any more"))
    ended_by = column("lifted by", lambda ban: str(ban.lifted_by or ""))

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        """The team with its people; of others who share a quota with them only how many they are."""
        people = list(row.people.order_by("email"))
        own = people
        if row.team is not None:
            members = set(row.team.memberships.values_list("user_id", flat=True))
            own = [person for person in people if person.pk in members]
        teams = row.teams.exclude(pk=row.team_id).count() if row.team_id else row.teams.count()
        others = f"{_count(teams, 'other team')}, {_count(len(people) - len(own), 'other person')}"
        rows = [(person.name, person.email) for person in own]
        return [Table("People", ("Name", "E-mail address"), [*rows, ("Who share a quota with them", others)])]
