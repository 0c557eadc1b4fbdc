"""Buttons about the model that written texts are tried on: trained here, or an endpoint; and its new version."""

from contextlib import suppress

from django import forms
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextInputWidget

from accounts.formats.instants import in_words
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question, Table
from catalogue.problems import counted
from labelling.exceptions import CannotChangeCampaign
from labelling.models import AskedModel, Campaign
from labelling.predictors.teaching import (
    LONGEST_SECRET,
    accept_version,
    name_endpoint,
    of_another_version,
    teach_from_file,
)
from scoring.file_refusal import FileRefused

Status = Campaign.Status


class TrainingDataForm(forms.Form):
    """Labelled texts."""

    file = forms.FileField(
        label="Texts with labels",
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget,
        help_text="Written like the gold labels of the campaign's task, with one or more columns of text; where it is "
        "about no task, CSV with the columns id, text and label.",
    )


class EndpointForm(forms.Form):
    """Where a model is asked."""

    url = forms.URLField(
        label="Address",
        max_length=500,
        assume_scheme="https",
        widget=UnfoldAdminTextInputWidget,
        help_text="Of a host that whoever runs this server allows.",
    )
    secret = forms.CharField(
        required=False,
        max_length=LONGEST_SECRET,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "class": "vTextField"}),
        help_text="Sent in a header, and sealed here at once. Empty: none.",
    )


def _taught(campaign: Campaign, model: AskedModel) -> Done:
    texts = counted(model.taught.row_count, "text")
    return Done(
        f"A worker of the server trains the model on {texts} within a minute.",
        f"Gave {texts} to train on.",
    )


def _has_other_version(campaign: Campaign) -> bool:
    with suppress(CannotChangeCampaign):
        return bool(of_another_version(campaign))
    return False


def model_table(campaign: Campaign) -> Table:
    """The model and what it last did wrong; faults are for organisers alone."""
    model = AskedModel.objects.filter(campaign=campaign).first()
    fault = (
        f"{model.last_fault} ({in_words(model.last_fault_at)})" if model and model.last_fault_at else "none"
    )
    rows = (
        [(model.get_kind_display(), str(model.url or "here"), model.version or "not known yet", fault)]
        if model
        else []
    )
    return Table(
        "Model", ("Kind", "Where", "Version", "Last fault"), rows, empty="Texts are tried on none yet."
    )


TRAIN_MODEL = Ask(
    label="Train a model",
    icon="model_training",
    question=Question(
        title="Train the model of {row} here",
        sentences=(
            "A worker of the server trains a plain model (words and pairs of words, logistic regression) on texts that "
            "everybody may know; never give it hidden labels. The same file gives the same model.",
        ),
        button="Train",
    ),
    form=TrainingDataForm,
    do=teach_from_file,
    done=_taught,
    refused=(FileRefused, CannotChangeCampaign),
    shown=lambda campaign: campaign.kind.is_written and campaign.status == Status.DRAFT,
)
NAME_ENDPOINT = Ask(
    label="Name an endpoint",
    icon="api",
    question=Question(
        title="Try texts of {row} on an endpoint",
        sentences=(
            "The server posts each text with the labels and takes the label, scores and version that come back. What "
            "it sends and expects stands in the handbook, under “model endpoint”.",
            "Workers never see the address, nor what it does wrong. Where it does not answer, a try does not count; "
            "after five failures the campaign pauses by itself.",
        ),
        button="Use it",
    ),
    form=EndpointForm,
    do=lambda *, campaign, url, secret: name_endpoint(campaign=campaign, url=url, secret=secret),
    done="Texts of {row} are tried on {url}.",
    log="Named the endpoint {url}.",
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.kind.is_written and campaign.status in (Status.DRAFT, Status.PAUSED),
)
ACCEPT_VERSION = Ask(
    label="Accept the model's new version",
    icon="update",
    question=Question(
        title="Count tries on the new version in {row}?",
        sentences=(
            "The model says that it is another version than before. Earlier tries stay what they were; resume the "
            "campaign afterwards.",
        ),
        button="Accept it",
    ),
    do=lambda *, campaign: accept_version(campaign=campaign),
    done="The new version counts from now on. Resume the campaign.",
    log="Accepted the model's new version.",
    refused=(CannotChangeCampaign,),
    shown=_has_other_version,
)
