"""The weights of the models that were trained here, as each process keeps those that it has used."""

from functools import lru_cache

from labelling.models import AskedModel, TrainedWeights
from labelling.predictors.embedded import Weights, from_bytes, predict
from labelling.predictors.prediction import NoPrediction, Prediction

_KEPT = 4


def weights_of(model: AskedModel) -> Weights:
    """The weights of a model. NoPrediction where there are none that could be used."""
    version = TrainedWeights.objects.filter(model=model).values_list("version", flat=True).first()
    if version is None:
        raise NoPrediction("The model is not trained yet.")
    return _weights(model.pk, version)


def told_at_once(model: AskedModel, text: str) -> Prediction | None:
    """What a model that was trained here says of a text, within a millisecond once its weights are read.

    None where only a worker can tell: of an endpoint, or where the model is not the one that tries count on.
    """
    if model.kind != AskedModel.Kind.EMBEDDED:
        return None
    try:
        prediction = predict(weights_of(model), text)
    except NoPrediction:
        return None
    return prediction if prediction.model_version == model.version else None


@lru_cache(maxsize=_KEPT)
def _weights(model_id: int, version: str) -> Weights:
    return from_bytes(bytes(TrainedWeights.objects.get(model=model_id, version=version).packed))
