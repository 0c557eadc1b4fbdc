"""Buttons by which organisers ask people about contested labels and about pairs; each makes a draft of a campaign."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import Question, Table
from breaking.contests.campaign_units import ask_about_contests, ask_about_labels
from breaking.pairs.campaigns import CannotAsk
from breaking.pairs.minimality import ask_about_minimality, drop_drafts, written_definition
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign

_DRAFT = "A draft of a campaign is made, for you to look through and to open. One that is there is about these then."
_REFUSED = (CannotAsk, CannotChangeCampaign)


class MinimalPairForm(forms.Form):
    """What a minimal pair is, as people who are asked read it."""

    definition = forms.CharField(
        label="What a minimal pair is",
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 10}),
        help_text="The guidelines of the campaign, in Markdown. Add examples, and why each is one or is none.",
    )

    def __init__(self, *args: Any, definition: str = "") -> None:
        super().__init__(*args)
        self.fields["definition"].initial = definition


def _begun(rows: Sequence[Any], campaign: Campaign) -> Done:
    """What is told of a draft, to which it leads."""
    units = campaign.units.count()
    return Done(
        f"“{campaign}” is a draft about {units} unit{'' if units == 1 else 's'}. Once it is opened, people can answer.",
        f"People are to be asked: campaign {campaign.pk}.",
        leads_to=campaign,
    )


def _asked(title: str, *sentences: str, button: str = "Make the draft") -> Callable[[list[Any]], Question]:
    def question(rows: list[Any]) -> Question:
        told = [(link(row, str(row)), row.get_status_display()) for row in rows]
        return Question(
            title=title,
            sentences=(*sentences, _DRAFT) if button == "Make the draft" else sentences,
            button=button,
            tables=(Table("Chosen", ("What", "Status"), told),),
        )

    return question


ASK_ABOUT_CONTESTS: Ask = Ask(
    label="Ask people",
    icon="group",
    of_many=True,
    question=_asked(
        "Ask people about contested labels",
        "Five people each say which label the item has; they see its texts, and neither the label nor who contests it.",
        "Their answers are sealed. Once the gold labels are public they become votes, and you decide.",
    ),
    do=ask_about_contests,
    refused=_REFUSED,
    done=_begun,
)
ASK_ABOUT_LABELS: Ask = Ask(
    label="Ask people for the labels",
    icon="group",
    of_many=True,
    question=_asked(
        "Ask people for the labels of breakers' pairs",
        "Five people each say which label an item has. They see its texts, and neither breaker nor label nor systems; "
        "a sentence that stands in several pairs is asked about once.",
        "Their answers are sealed. Once the gold labels are public, an item of which most say otherwise becomes a "
        "contested label, with the answers as votes, and you decide.",
    ),
    do=ask_about_labels,
    refused=_REFUSED,
    done=_begun,
)
ASK_ABOUT_MINIMALITY: Ask = Ask(
    label="Ask people whether pairs are minimal",
    icon="group",
    of_many=True,
    question=_asked(
        "Ask people whether only what matters was changed",
        "Five people each say yes or no of every pair, with a reason for a no. They see both texts side by side, and "
        "neither breaker nor labels.",
        "A pair of which most say no waits for you. As long as the campaign is not over, no sets are made of the "
        "task's pairs: make the draft before the phase closes, and once more after it if files have changed.",
    ),
    form=MinimalPairForm,
    given=lambda files: {"definition": written_definition(files[0].phase)},
    do=ask_about_minimality,
    refused=_REFUSED,
    done=_begun,
)
ASK_NOBODY: Ask = Ask(
    label="Ask nobody whether pairs are minimal",
    icon="group_off",
    of_many=True,
    question=_asked(
        "Ask nobody after all",
        "Drafts that ask whether pairs of these tasks are minimal go, and sets wait for them no longer. Campaigns that "
        "were opened stay; close those.",
        button="Drop the drafts",
    ),
    do=drop_drafts,
    done="{result} dropped.",
    log="Drafts that ask about minimality were dropped: {result}.",
)
