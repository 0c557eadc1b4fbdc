"""Buttons that fill a draft with units, and take in answers that were given elsewhere."""

from typing import Any, cast

from django import forms
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminTextareaWidget,
)

from accounts.admin_look import ActionVariant
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from catalogue.problems import counted
from labelling.core.unit_files import CHECK, LEAST, MOST, QUALIFICATION
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, Unit
from labelling.outcomes import PURPOSES
from labelling.outcomes.systems.systems_purpose import SystemsPurpose
from labelling.units.from_file import units_from_file
from labelling.units.from_prompts import units_from_prompts
from labelling.units.sources import UnitSource, source_of
from labelling.work.imports import Imported, import_answers
from scoring.file_refusal import FileRefused

Status = Campaign.Status
NO_SOURCE = "The campaign is about nothing that the benchmark has. Upload a file of units instead."


class UnitsForm(forms.Form):
    """A file of units."""

    file = forms.FileField(
        label="File of units",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="CSV in UTF-8. See “Labelling” in the handbook for its columns.",
    )


class SampleForm(forms.Form):
    """How many items are drawn."""

    sample = forms.IntegerField(
        label="Items",
        min_value=1,
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(self, *args: Any, campaign: Campaign) -> None:
        super().__init__(*args)
        source = _found(campaign)
        if source is not None and not source.is_sampled:
            del self.fields["sample"]
            return
        field = cast(forms.IntegerField, self.fields["sample"])
        field.initial = PURPOSES[campaign.purpose].proposal().get("sample")
        field.required = campaign.attack_id is not None
        field.help_text = (
            "Of each set of the attack; a smaller set is asked about as a whole."
            if campaign.attack_id
            else "Of the split, drawn from its public ids by the campaign's seed. Empty: all of them."
        )


class PromptsForm(forms.Form):
    """From what, and how much, is to be written."""

    prompts = forms.CharField(
        required=False,
        max_length=2_000_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 12}),
        help_text="Sentences that a text begins from, one a line. Each is used once.",
    )
    without_prompt = forms.IntegerField(
        label="Texts without a prompt",
        min_value=0,
        max_value=100_000,
        initial=0,
        widget=UnfoldAdminIntegerFieldWidget,
    )


class AnswersImportForm(forms.Form):
    """A file of answers."""

    file = forms.FileField(label="File of answers", allow_empty_file=True, widget=UnfoldAdminFileFieldWidget)


def may_draw(campaign: Campaign) -> bool:
    """Whether the units of a draft can be drawn from what the benchmark has."""
    return campaign.status == Status.DRAFT and _found(campaign) is not None


def _found(campaign: Campaign) -> UnitSource | None:
    purpose = PURPOSES[campaign.purpose]
    if isinstance(purpose, SystemsPurpose):
        return None
    return source_of(campaign, may_follow="after" in purpose.may_use, cuts_scores=purpose.cuts_scores)


def _about_the_file(campaign: Campaign) -> Question:
    kind = campaign.kind
    about = (
        f"For {kind.title} every row is an item; twice as many sets of {kind.items_per_unit} are drawn, each item in "
        f"8 of them. A check question is {kind.items_per_unit} rows of one group, one with the answer {MOST}, one with "
        f"{LEAST}."
        if kind.items_per_unit > 1
        else f"The answer of a {CHECK} or {QUALIFICATION} question is written as in files of answers: its column is "
        f"answer. What is to be labelled has none."
    )
    known = campaign.units.count()
    return Question(
        title=f"Units of {campaign} from a file",
        sentences=(
            "Columns: id; one or more of texts, which workers see below their names; and perhaps part (main, "
            f"{CHECK}, {QUALIFICATION}), answer, reason (told after a {CHECK} question) and group (such as the task).",
            about,
            *([f"The {grouped(known)} units that there are now are replaced."] if known else []),
        ),
        button="Take the units",
    )


def _about_the_draw(campaign: Campaign) -> Question:
    known = campaign.units.filter(part=Unit.Part.MAIN).count()
    source = _found(campaign)
    return Question(
        title=f"Units of {campaign} from the benchmark",
        sentences=(
            source.told if source else NO_SOURCE,
            *([f"The {grouped(known)} units that there are now are replaced."] if known else []),
        ),
        button="Draw",
    )


def _draw(*, campaign: Campaign, sample: int | None = None) -> int:
    source = _found(campaign)
    if source is None:
        raise CannotChangeCampaign(NO_SOURCE)
    return (
        source.draw(campaign=campaign, sample=sample) if source.is_sampled else source.draw(campaign=campaign)
    )


def _write(*, campaign: Campaign, prompts: str, without_prompt: int) -> int:
    lines = [line for line in prompts.splitlines() if line.strip()]
    return units_from_prompts(campaign=campaign, prompts=lines, without_prompt=without_prompt)


def filled_with(campaign: Campaign, count: int) -> Done:
    """What is said of a draft that has so many units now."""
    parts = campaign.units.order_by("part").values_list("part", flat=True)
    counts = {part: sum(each == part for each in parts) for part in (CHECK, QUALIFICATION)}
    more = "".join(
        f", {grouped(number)} of them {part} questions" for part, number in counts.items() if number
    )
    return Done(f"There are {grouped(count)} units now{more}.", f"{count} units{more}.")


def _imported(campaign: Campaign, imported: Imported) -> Done:
    told = (
        f"{counted(imported.answers, 'answer')} of {counted(imported.workers, 'worker')} were taken in; "
        f"{grouped(imported.counted)} count."
    )
    return Done(told, told)


ADD_UNITS = Ask(
    label="Units from a file",
    icon="upload_file",
    variant=ActionVariant.PRIMARY,
    question=_about_the_file,
    form=UnitsForm,
    do=units_from_file,
    done=filled_with,
    refused=(FileRefused, CannotChangeCampaign),
    shown=lambda campaign: campaign.status == Status.DRAFT and not campaign.kind.is_written,
)
DRAW_UNITS = Ask(
    label="Units from the benchmark",
    icon="shuffle",
    question=_about_the_draw,
    form=SampleForm,
    given=lambda campaign: {"campaign": campaign},
    do=_draw,
    done=filled_with,
    refused=(FileRefused, CannotChangeCampaign),
    shown=may_draw,
)
WRITE_UNITS = Ask(
    label="Texts to write",
    icon="edit_note",
    variant=ActionVariant.PRIMARY,
    question=lambda campaign: Question(
        title=f"Texts to write in {campaign}",
        sentences=(
            "From each prompt one text is written, and some without a prompt. The labels that texts are to have are "
            "the question's options, equally many of each, drawn by the campaign's seed.",
            "What there is now is replaced.",
        ),
        button="Take them",
    ),
    form=PromptsForm,
    do=_write,
    done=filled_with,
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.status == Status.DRAFT and campaign.kind.is_written,
)
IMPORT_ANSWERS = Ask(
    label="Import answers",
    icon="upload",
    question=lambda campaign: Question(
        title=f"Import answers into {campaign}",
        sentences=(
            "Answers that were given elsewhere, as CSV: the columns unit, worker, "
            f"{', '.join(campaign.kind.fields)} and note. A worker's name becomes an outside id, which can be erased.",
            "What goes beyond the answers that a unit wants, or is of a worker who was excluded, is kept and does not "
            "count. The same file again changes nothing.",
        ),
        button="Take them in",
    ),
    form=AnswersImportForm,
    do=import_answers,
    done=_imported,
    refused=(FileRefused, CannotChangeCampaign),
    shown=lambda campaign: campaign.status == Status.OPEN,
)
