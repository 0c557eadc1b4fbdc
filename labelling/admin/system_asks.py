"""Buttons of campaigns about systems: which submissions are judged, and what came of it as a file."""

from typing import Any, cast

from django import forms
from django.http import HttpResponse
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from catalogue.csv_text import csv_bytes
from labelling.admin.answer_export import as_download
from labelling.admin.forms.fields import lines, whole
from labelling.admin.unit_asks import filled_with
from labelling.core.judged.figures import JudgedFigure
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign
from labelling.outcomes import PURPOSES
from labelling.outcomes.systems.judged_report import judged_in
from labelling.outcomes.systems.systems_purpose import SystemsPurpose
from labelling.units.of_systems.chosen import named_submissions, releases_of, submissions_of
from scoring.file_refusal import FileRefused
from submissions.models import Submission

Status = Campaign.Status


class SystemsForm(forms.Form):
    """Which submissions are judged, and how much of them."""

    release = forms.ChoiceField(
        label="Systems of a release",
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text="What each system stands with in it for the task and split.",
    )
    submissions = lines(
        "Or these submissions", "Ids, one a line. Where some are named, those of the release are not judged."
    )
    sample = whole(
        "Items",
        "Drawn from the public ids by the campaign's seed. Empty: all of the split.",
        400_000,
        required=False,
    )
    pairs_per_item = whole(
        "Pairs of each item",
        "Pairs of systems are dealt out so that each comes equally often. Empty: every pair.",
        required=False,
    )
    depth = whole("Documents of each list", "So many from the top of each system's list.", 1_000, initial=10)
    documents = forms.FileField(
        label="Texts of documents",
        required=False,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV in UTF-8 with the columns id and one or more of texts. Without it workers see only ids.",
    )

    def __init__(self, *args: Any, campaign: Campaign) -> None:
        super().__init__(*args)
        purpose = purpose_of(campaign)
        for name in {"sample", "pairs_per_item", "depth", "documents"} - set(
            purpose.draws if purpose else ()
        ):
            del self.fields[name]
        releases = releases_of(campaign)
        choices = [
            (str(batch.pk), f"{batch.phase.title}, {in_words(batch.cut_off_at)}") for batch in releases
        ]
        cast(forms.ChoiceField, self.fields["release"]).choices = [*choices, ("", "None; those below")]
        self.fields["release"].initial = choices[0][0] if choices else ""
        if "sample" in self.fields and purpose:
            self.fields["sample"].initial = purpose.proposal().get("sample")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not values.get("release") and not values.get("submissions"):
            self.add_error("release", "Choose a release, or name submissions below.")
        return values


def purpose_of(campaign: Campaign) -> SystemsPurpose | None:
    """What a campaign about systems is for; None for one that is about something else."""
    purpose = PURPOSES[campaign.purpose]
    return purpose if isinstance(purpose, SystemsPurpose) else None


def _about(campaign: Campaign) -> Question:
    purpose, known = purpose_of(campaign), campaign.units.count()
    return Question(
        title=f"Units of “{campaign}” from systems",
        sentences=(
            *([purpose.told] if purpose else []),
            "Workers read nothing of systems and teams, and nobody labels who is in a team that takes part.",
            *([f"The {grouped(known)} units that there are now are replaced."] if known else []),
        ),
        button="Draw",
    )


def _draw(
    *,
    campaign: Campaign,
    release: str,
    submissions: str,
    sample: int | None = None,
    pairs_per_item: int | None = None,
    depth: int | None = None,
    documents: Any = None,
) -> int:
    purpose = purpose_of(campaign)
    if purpose is None:
        raise CannotChangeCampaign("The campaign is about no systems. Begin one that judges them.")
    if submissions.strip():
        judged = named_submissions(campaign, submissions)
    else:
        judged = [
            each
            for batch in releases_of(campaign)
            if str(batch.pk) == release
            for each in submissions_of(campaign, batch)
        ]
    told = {
        "sample": sample,
        "pairs_per_item": pairs_per_item,
        "depth": depth,
        "documents": (documents.read(), str(documents.name)) if documents else None,
    }
    chosen = {name: told[name] for name in purpose.draws}
    return purpose.draw_units(campaign=campaign, submissions=judged, **chosen)


def export_systems(campaign: Campaign) -> bytes:
    """What people's judgements gave each system in the newest outcome, as CSV.

    Raises
    ------
    CannotChangeCampaign
        If there is no outcome, or it is about no systems.
    """
    purpose, outcome = purpose_of(campaign), campaign.outcomes.first()
    report = judged_in(outcome) if outcome else None
    if purpose is None or report is None:
        raise CannotChangeCampaign("There is no outcome about systems yet.")
    named = {one.number: one.submission for one in campaign.judged.select_related("submission__system__team")}
    measures = [measure.key for measure in purpose.measures]
    heads = ["system", "team", "submission", "judged", "answers"]
    heads += [f"{key}{end}" for key in measures for end in ("", "_low", "_high")]
    rows = [
        (
            *_called(named[row.number]),
            row.count,
            row.answers,
            *(end for key in measures for end in _ends(row.figures[key])),
        )
        for row in report.rows
    ]
    return csv_bytes(heads, rows, is_synthetic=campaign.benchmark.is_synthetic)


def _called(submission: Submission) -> tuple[str, str, str]:
    return submission.system.name, submission.system.team.name, str(submission.pk)


def _ends(figure: JudgedFigure) -> tuple[float | None, float | None, float | None]:
    return figure.value, figure.low, figure.high


def _has_figures(campaign: Campaign) -> bool:
    purpose = purpose_of(campaign)
    return bool(purpose and purpose.measures) and campaign.outcomes.exists()


def _downloaded(campaign: Campaign) -> Done:
    answer: HttpResponse = as_download(campaign, "systems", export_systems(campaign))
    return Done(log="Exported the systems.", leads_to=answer)


DRAW_SYSTEMS = Ask(
    label="Units from systems",
    icon="shuffle",
    variant=ActionVariant.PRIMARY,
    question=_about,
    form=SystemsForm,
    given=lambda campaign: {"campaign": campaign},
    do=_draw,
    done=filled_with,
    refused=(FileRefused, CannotChangeCampaign),
    shown=lambda campaign: campaign.status == Status.DRAFT and purpose_of(campaign) is not None,
)
EXPORT_SYSTEMS = Ask(
    label="Export systems",
    icon="download",
    question=lambda campaign: Question(
        title=f"Export what people gave each system in “{campaign}”",
        sentences=(
            "A line for each system: its team and submission, how many of its outputs were judged by how many answers, "
            "and its figures with both ends of their intervals.",
        ),
        button="Download",
    ),
    do=_downloaded,
    refused=(CannotChangeCampaign,),
    shown=_has_figures,
)
