"""A bundle of CodaLab or Codabench in the admin: uploaded, reported on, and taken over when that was confirmed."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from accounts.models import User
from accounts.server.clock import database_now
from accounts.templatetags.instants import in_words
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table
from benchmarks.spec.document import DefinitionError
from scoring.definitions.bundles import import_proposal
from scoring.definitions.editing import refuse_taken_id
from scoring.file_refusal import FileRefused
from scoring.reproduction.known_scores import MetricCheck, check_metrics
from submissions.intake.bundles.proposal import ImportProposal, read_bundle
from submissions.intake.bundles.report import BundleRefused

if TYPE_CHECKING:
    Base = OrganisedAdmin
else:
    Base = object


MOST_SCORED = 500_000  # bytes of labels that a submission is held against while somebody waits


class BundleForm(forms.Form):
    """A bundle, and a submission whose score is known. The server keeps neither between the steps."""

    file = forms.FileField(
        label="Bundle", widget=UnfoldAdminFileFieldWidget, help_text="A zip with competition.yaml."
    )
    is_public = forms.BooleanField(
        label="The bundle was public, so its labels are",
        required=False,
        widget=UnfoldBooleanWidget,
    )
    sample = forms.FileField(
        label="A submission whose score there you know",
        required=False,
        widget=UnfoldAdminFileFieldWidget,
        help_text="What every metric that fits gives for it is shown beside that score.",
    )
    score = forms.CharField(
        label="Its score", required=False, max_length=40, widget=UnfoldAdminTextInputWidget
    )
    task = forms.CharField(
        label="Its task",
        required=False,
        max_length=60,
        widget=UnfoldAdminTextInputWidget,
        help_text="Where the bundle has several: the id of the one that the submission answers.",
    )
    begin = forms.BooleanField(
        label="I have read the report: begin the benchmark, and seal the labels",
        required=False,
        widget=UnfoldBooleanWidget,
    )
    confirm_clues = forms.BooleanField(
        label="Clues that tell of labels are known", required=False, widget=UnfoldBooleanWidget
    )


class TakesBundles(Base):
    """A page that takes a competition over from another server. Every member of staff may."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.take_bundle)
        return [path("bundle/", view, name="benchmarks_benchmark_bundle"), *super().get_urls()]

    def take_bundle(self, request: HttpRequest) -> HttpResponse:
        """Report on a bundle; begin its benchmark where that was ticked."""
        form = BundleForm(request.POST or None, request.FILES or None)
        if request.method != "POST" or not form.is_valid():
            return self._ask_for_bundle(request, form)
        given = form.cleaned_data
        try:
            proposal = read_bundle(
                BytesIO(given["file"].read()), str(given["file"].name), gold_is_public=given["is_public"]
            )
            refuse_taken_id(proposal.spec, "competition.yaml")
            checks = _checks(proposal, given)
            if not given["begin"]:
                return self._ask_for_bundle(request, form, tables=_report(proposal, checks))
            taken = import_proposal(
                proposal,
                user=cast(User, request.user),
                now=database_now(),
                confirm_clues=given["confirm_clues"],
            )
        except BundleRefused as error:
            return self._ask_for_bundle(request, form, problems=tuple(map(str, error.notes)))
        except (DefinitionError, FileRefused) as error:
            return self._ask_for_bundle(request, form, problems=tuple(str(error).splitlines()))
        self.log_addition(request, taken.benchmark, "Begun from a bundle.")
        messages.success(
            request,
            f"{taken.benchmark} is yours, as a draft that nobody sees without a role in it. {' '.join(taken.sealed)}",
        )
        for sentence in taken.refused:
            messages.warning(request, f"Not loaded: {sentence}")
        return HttpResponseRedirect(address(taken.benchmark))

    def _ask_for_bundle(
        self,
        request: HttpRequest,
        form: BundleForm,
        *,
        problems: tuple[str, ...] = (),
        tables: tuple[Table, ...] = (),
    ) -> HttpResponse:
        question = Question(
            title="A benchmark from a bundle of CodaLab or Codabench",
            sentences=(
                "Phases, dates, limits, pages, terms and labels are read from it. Its programs are never run. What "
                "it gives, and line by line what cannot be carried, is shown before anything happens.",
                "The server keeps no bundle. To begin, choose the same file again and tick the box.",
            ),
            button="Read it",
            form=form,
            problems=problems,
            tables=tables,
            leads_on=True,
        )
        answer = self.ask(request, question)
        answer.context_data = {**(answer.context_data or {}), "back": "../"}
        return answer


def _checks(proposal: ImportProposal, given: dict[str, Any]) -> list[MetricCheck]:
    sample = given["sample"]
    if not sample:
        return []
    if sum(len(gold.data) for gold in proposal.gold if given["task"] in ("", gold.task)) > MOST_SCORED:
        raise FileRefused(
            "There are more labels than can be scored while you wait. Do it on the command line: "
            "manage.py import_bundle FILE --sample FILE --score NUMBER."
        )
    return check_metrics(
        proposal,
        data=sample.read(),
        file_name=str(sample.name),
        known=given["score"],
        task=given["task"],
    )


def _report(proposal: ImportProposal, checks: list[MetricCheck]) -> tuple[Table, ...]:
    spec = proposal.spec
    tasks = [
        (task.title, task.output.describe(), ", ".join(metric.title for metric in task.metrics))
        for task in spec.tasks
    ]
    phases = [
        (phase.title, *(in_words(at) if at else "" for at in (phase.opens_at, phase.closes_at)))
        for phase in spec.phases
    ]
    labels = [(gold.task, gold.split, gold.source, gold.item_count) for gold in proposal.gold]
    notes = [(note.place, note.said) for note in proposal.notes]
    found = [
        (one.title, "undefined" if one.value is None else f"{one.value:.6f}", "yes" if one.agrees else "")
        for one in checks
    ]
    return (
        Table(f"Tasks of {spec.title}", ("Task", "Answer", "Metrics"), tasks),
        Table("Phases", ("Phase", "Opens", "Closes"), phases, empty="None."),
        Table("Labels", ("Task", "Split", "From", "Items"), labels, empty="None that could be read."),
        *(
            (Table("The submission, by every metric that fits", ("Metric", "Score", "Agrees"), found),)
            if found
            else ()
        ),
        Table("Report", ("Where", "What becomes of it"), notes, empty="All was carried."),
    )
