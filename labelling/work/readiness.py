"""Whether a campaign that asks a model can be opened: it can be asked, and every unit says what its text is to be."""

from labelling.exceptions import CannotChangeCampaign
from labelling.models import AskedModel, Campaign, TrainedWeights, Unit

TARGET = "target"
"""The key of a unit's `source` under which stands the label that a text about it is to have."""


def refuse_unready(campaign: Campaign) -> None:
    """CannotChangeCampaign where the model of a campaign could not be asked yet; nothing where there is none."""
    model = AskedModel.objects.filter(campaign=campaign).first()
    if model is None:
        return
    labels = campaign.asked.labels
    if len(labels) < 2:
        raise CannotChangeCampaign(
            "A model is asked, and the question has no labels. Give it at least two options."
        )
    for key, source in campaign.units.filter(part=Unit.Part.MAIN).values_list("key", "source"):
        if source.get(TARGET) not in labels:
            raise CannotChangeCampaign(
                f"The unit {key} does not say which label its text is to have. Expected “{TARGET}”: "
                f"{', '.join(labels)}."
            )
    if (
        model.kind == AskedModel.Kind.EMBEDDED
        and not TrainedWeights.objects.filter(model=model, version=model.taught.version).exists()
    ):
        raise CannotChangeCampaign(
            "The model is not trained yet. A worker does it within a minute: try again then."
        )
