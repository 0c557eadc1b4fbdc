"""Buttons that open, pause, resume and close a campaign, and have its outcome made again."""

import datetime as dt
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from accounts.admin_look import ActionVariant
from accounts.formats.numbers import grouped
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import Question
from labelling.admin.forms.words_form import WordsForm
from labelling.core.option_lines import write_words
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, Unit
from labelling.outcomes import PURPOSES
from labelling.outcomes.systems.systems_purpose import SystemsPurpose
from labelling.work.campaigns import (
    close_campaign,
    open_campaign,
    pause_campaign,
    resume_campaign,
    want_outcome,
)
from labelling.work.drafts import mend_words

Status = Campaign.Status
RUNS = (Status.OPEN, Status.PAUSED)


class PauseForm(forms.Form):
    """Why nothing is given out."""

    reason = forms.CharField(
        label="Why",
        max_length=300,
        widget=UnfoldAdminTextInputWidget,
        help_text="Workers read it, so write it to them, in their language.",
    )


class AgainForm(forms.Form):
    """Whether labels may be loaded although texts or ids tell of them."""

    clues_are_known = forms.BooleanField(
        label="I know what texts or ids tell of the labels",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Only where the last try said that they do.",
    )


def _opening(campaign: Campaign) -> Question:
    main = campaign.units.filter(part=Unit.Part.MAIN).count()
    checks = campaign.units.filter(part=Unit.Part.CHECK).count()
    answers = main * campaign.answers_wanted
    sealed = (
        "Answers are sealed when they arrive: until the labels are public nobody reads them here, you neither."
        if campaign.is_sealed
        else "Answers are not sealed: organisers can export them while it runs."
    )
    return Question(
        title=f"Open {campaign}?",
        sentences=(
            f"{grouped(main)} units are given out until each has {campaign.answers_wanted} answers that count: "
            f"{grouped(answers)} in all"
            + (f", beside {grouped(checks)} check questions." if checks else "."),
            "From now on the question, its options, the rule and its settings, the answers per unit, check and "
            "qualification questions with their thresholds, the units and the seed are fixed; their digest is kept. "
            "What workers read beside can still be mended.",
            sealed,
            PURPOSES[campaign.purpose].sentence,
        ),
        button="Open",
    )


def _closing(campaign: Campaign) -> Question:
    units = campaign.units.filter(part=Unit.Part.MAIN)
    lacking = sum((unit.wanted or 0) > unit.taken for unit in units.only("wanted", "taken"))
    short = f"{grouped(lacking)} of {grouped(units.count())} units lack answers, and keep what they have."
    return Question(
        title=f"Close {campaign}?",
        sentences=(
            short if lacking else "Every unit has the answers that are wanted.",
            "What is in somebody's hands is given back, no answer is taken any more, and nobody can be excluded.",
            f"Within minutes a worker of the server makes the outcome. {PURPOSES[campaign.purpose].sentence}",
            "This cannot be undone.",
        ),
        button="Close",
        is_grave=True,
    )


def _open(*, campaign: Campaign, now: dt.datetime) -> None:
    """Open a campaign; one about systems with units alone that were drawn from them."""
    if isinstance(PURPOSES[campaign.purpose], SystemsPurpose) and not campaign.judges_systems:
        raise CannotChangeCampaign(
            "The units say nothing of systems, so nothing could be said of any. Draw them with “Units from systems”."
        )
    open_campaign(campaign=campaign, now=now)


OPEN = Ask(
    label="Open",
    icon="play_arrow",
    variant=ActionVariant.PRIMARY,
    question=_opening,
    do=_open,
    done="{row} is open. Invite workers, or give the link for a platform below to those who run the panel.",
    log="Opened.",
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.status == Status.DRAFT,
)
PAUSE = Ask(
    label="Pause",
    icon="pause",
    question=Question(
        title="Pause {row}",
        sentences=(
            "Nothing more is given out until you resume it. Answers to what is in somebody's hands are still taken.",
        ),
        button="Pause",
    ),
    form=PauseForm,
    do=pause_campaign,
    done="{row} is paused.",
    log="Paused: {reason}",
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.status == Status.OPEN,
)
RESUME = Ask(
    label="Resume",
    icon="play_arrow",
    variant=ActionVariant.PRIMARY,
    question=Question(
        title="Resume {row}?",
        sentences=("Units are given out again. Who has some in hand gets the full time for them anew.",),
        button="Resume",
    ),
    do=resume_campaign,
    done="{row} goes on.",
    log="Resumed.",
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.status == Status.PAUSED,
)
CLOSE = Ask(
    label="Close",
    icon="stop",
    variant=ActionVariant.DANGER,
    question=_closing,
    do=close_campaign,
    done="{row} is closed. The outcome follows within minutes.",
    log="Closed.",
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.status in RUNS,
)


def _mend(
    *,
    campaign: Campaign,
    guidelines: str,
    content_warning: str,
    is_blurred: bool,
    consent: str,
    pay_note: str,
    words: dict[str, str],
) -> None:
    values = {"guidelines": guidelines, "content_warning": content_warning, "is_blurred": is_blurred}
    mend_words(campaign=campaign, values={**values, "consent": consent, "pay_note": pay_note, "words": words})


def _read_by_workers(campaign: Campaign) -> dict[str, Any]:
    own = {name: getattr(campaign, name) for name in WordsForm.base_fields}
    return {"initial": own | {"words": write_words(campaign.words)}}


MEND_WORDS = Ask(
    label="Mend the words",
    icon="edit_note",
    question=Question(
        title="What workers of {row} read",
        sentences=(
            "Question and options stay as they were fixed. Whoever joins from now on agrees to consent, warning and "
            "pay as they are then; of each worker it is kept to which words they agreed.",
        ),
        button="Keep",
    ),
    form=WordsForm,
    given=_read_by_workers,
    do=_mend,
    done="What workers read is changed.",
    log="Changed what workers read.",
    shown=lambda campaign: campaign.status in RUNS,
)
MAKE_AGAIN = Ask(
    label="Make the outcome again",
    icon="refresh",
    question=Question(
        title="Make the outcome of {row} again?",
        sentences=(
            "The same answers and the same seed give the same values. What has changed since, such as a split's gold "
            "labels, is taken as it is now.",
            "Earlier outcomes stay.",
        ),
        button="Make it",
    ),
    form=AgainForm,
    do=lambda *, campaign, clues_are_known: want_outcome(campaign=campaign, clues_are_known=clues_are_known),
    done="The outcome of {row} is made again within minutes.",
    log="An outcome was asked for again.",
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.status == Status.CLOSED,
)
