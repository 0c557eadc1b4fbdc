"""The page of the admin on which a shared task in files is uploaded to be played, and what came of it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_variables
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget

from accounts.formats.instants import in_words
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.organised.links import page_link
from benchmarks.admin.organised.organised_admin import AdminMixin, Question, Table
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import for_beginners, organised
from leaderboard.models import Rehearsal
from leaderboard.rehearsals.orders import CannotRehearse, order_rehearsal, rehearsal_of
from scoring.definitions.editing import as_yaml
from submissions.intake.bundles.report import BundleRefused


class RehearsalForm(forms.Form):
    """A folder, and whose definition is played: its own, or that of a benchmark that whoever asks runs."""

    file = forms.FileField(
        label="Folder",
        widget=UnfoldAdminFileFieldWidget,
        help_text="A zip of at most 20 MB with gold/, uploads.json and, unless you choose a benchmark, benchmark.yaml.",
    )
    benchmark = forms.ChoiceField(label="Definition", required=False, widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, slugs: frozenset[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Benchmark.objects.filter(pk__in=slugs).order_by("position", "slug").values_list("pk", "title")
        field = cast(forms.ChoiceField, self.fields["benchmark"])
        field.choices = [
            ("", "benchmark.yaml of the folder"),
            *((pk, f"{title}, as it stands") for pk, title in own),
        ]


class Rehearses(AdminMixin):
    """The page of a rehearsal, for whoever may begin a benchmark; what came out is theirs alone."""

    def get_urls(self) -> list[Any]:
        return [
            path("rehearsal/", for_beginners(self.rehearsal), name="benchmarks_benchmark_rehearsal"),
            path(
                "rehearsal/pages/", for_beginners(self.rehearsed_pages), name="benchmarks_benchmark_rehearsed"
            ),
            *super().get_urls(),
        ]

    @sensitive_variables()
    def rehearsal(self, request: HttpRequest) -> HttpResponse:
        """Ask for a folder, have a worker play it, and show what came of the last one."""
        slugs = organised(request)
        begun = {"benchmark": request.GET.get("benchmark", "")}
        form = RehearsalForm(request.POST or None, request.FILES or None, slugs=slugs, initial=begun)
        person = cast(User, request.user)
        problems: tuple[str, ...] = ()
        if request.method == "POST" and form.is_valid():
            file, slug = form.cleaned_data["file"], form.cleaned_data["benchmark"]
            definition = as_yaml(Benchmark.objects.get(pk=slug)) if slug else ""
            try:
                order_rehearsal(
                    person=person,
                    data=file.read(),
                    file_name=str(file.name),
                    definition=definition,
                    now=database_now(),
                )
            except CannotRehearse as error:
                problems = (str(error),)
            except BundleRefused as error:
                problems = tuple(map(str, error.notes))
            else:
                messages.success(
                    request, "A worker plays it. This page shows what comes out; load it again in a minute."
                )
                return HttpResponseRedirect(reverse("admin:benchmarks_benchmark_rehearsal"))
        last = rehearsal_of(person)
        question = Question(
            title="Rehearse a shared task",
            sentences=_sentences(last),
            button="Rehearse",
            form=form,
            problems=problems,
            tables=tuple(_tables(last)) if last else (),
            leads_on=True,
        )
        answer = self.ask(request, question)
        answer.context_data = {**(answer.context_data or {}), "back": reverse("admin:index")}
        return answer

    def rehearsed_pages(self, request: HttpRequest) -> HttpResponse:
        """Every page as it would be, as a zip to be saved."""
        last = Rehearsal.objects.filter(person=request.user.pk).only("pages", "ended_at").first()
        if last is None or not last.pages:
            raise Http404
        answer = HttpResponse(bytes(last.pages), content_type="application/zip")
        answer["Content-Disposition"] = f'attachment; filename="rehearsal-{last.ended_at:%Y-%m-%d}.zip"'
        answer["Cache-Control"] = "no-store, private"
        answer["X-Content-Type-Options"] = "nosniff"
        return answer


def _sentences(last: Rehearsal | None) -> tuple[str, ...]:
    handbook = page_link("/handbook/rehearsal/", "What the folder holds")
    return (
        "Definition, gold labels, uploads with their instants and what organisers do meanwhile are played in fast "
        "time, in a database of its own that is thrown away. Nothing of it reaches this server's benchmarks.",
        format_html(
            "{}. The zip is sealed until a worker plays it and is gone then; what came out stays here for a day, for "
            "you alone.",
            handbook,
        ),
        *((_state(last),) if last else ()),
    )


def _state(last: Rehearsal) -> str:
    if last.began_at is None:
        return f"{last.file_name} waits for a worker since {in_words(last.asked_at)}. Load this page again."
    if last.ended_at is None:
        return f"{last.file_name} is played since {in_words(last.began_at)}. Load this page again."
    said = f"{last.file_name}, asked for on {in_words(last.asked_at)}"
    if failed := last.outcome.get("failed"):
        return f"{said}: {failed}"
    if "refused" in last.outcome:
        return f"{said}, cannot be rehearsed; what is wrong with the folder stands below."
    if not last.outcome.get("has_pages"):
        return (
            f"{said}: {_compared(last.outcome)} Nothing was released, or its pages are too large to be kept."
        )
    pages = page_link(reverse("admin:benchmarks_benchmark_rehearsed"), "Download every page as it would be")
    return format_html("{}: {} {}.", said, _compared(last.outcome), pages)


def _compared(outcome: Mapping[str, Any]) -> str:
    if not outcome["is_compared"]:
        return "played. There is no expected.json to compare with."
    count = len(outcome["differences"])
    if not count:
        return "all of expected.json came out."
    return (
        "one thing came out otherwise than expected." if count == 1 else f"{count} things came out otherwise."
    )


def _tables(last: Rehearsal) -> Iterator[Table]:
    """What is wrong first, then what was refused, then everything as it happened."""
    outcome = last.outcome
    if "refused" in outcome:
        yield Table("Cannot be rehearsed", ("What is wrong",), [(one,) for one in outcome["refused"]])
    if "timeline" not in outcome:
        return
    if outcome["is_compared"]:
        differences = [(one,) for one in outcome["differences"]]
        yield Table("Otherwise than expected", ("What",), differences, empty="Nothing.")
    refused = [
        (one["number"], one["team"], one["why"]["line"] or "", one["why"]["message"])
        for one in outcome["uploads"]
        if one["outcome"] == "refused"
    ]
    headers = ("Upload", "Team", "Line", "Why")
    yield Table("Refused uploads", headers, refused, empty="No upload was refused.")
    happened = [(_instant(one["at"]), one["what"]) for one in outcome["timeline"]]
    yield Table("Timeline", ("UTC", "What happens"), happened)
    for name, board in outcome["boards"].items():
        rows = [(row["rank"] or "", row["team"], _value(row["value"]), row["upload"] or "") for row in board]
        yield Table(f"Newest board of {name}", ("Rank", "Team", "Score", "Upload"), rows)


def _instant(text: str) -> str:
    instant = parse_datetime(text)
    return f"{instant:%Y-%m-%d}\u00a0{instant:%H:%M}" if instant else text


def _value(value: float | None) -> str:
    return "none" if value is None else f"{value:.6f}"
