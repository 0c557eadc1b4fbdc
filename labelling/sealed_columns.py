"""Every column of this app that holds something sealed to the scorer's key."""

from labelling.models import Answer, AskedModel, Campaign, SealedOutcome
from scoring.gold import resealing
from scoring.gold.resealing import SealedColumn

SEALED = (
    *resealing.SEALED,
    SealedColumn(Answer.objects.all(), "answer", "box"),
    SealedColumn(Campaign.objects.all(), "seed of campaign", "sealed_seed", "sealed_seed_commitment"),
    SealedColumn(AskedModel.objects.all(), "secret of model", "secret_box", "secret_commitment"),
    SealedColumn(SealedOutcome.objects.all(), "outcome", "box"),
)
