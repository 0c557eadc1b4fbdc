"""Campaigns, the work that they give to people, and what came of it."""

from labelling.models.campaign import Campaign, Invitation
from labelling.models.judged import JudgedSubmission
from labelling.models.model_in_loop import MOST_TRIES, AskedModel, Attempt, TaughtRows, TrainedWeights
from labelling.models.outcome import CampaignFigures, Outcome, SealedOutcome
from labelling.models.work import (
    Answer,
    Assignment,
    Exclusion,
    OutsideId,
    Unit,
    Worker,
    outside_digests,
)

__all__ = [
    "MOST_TRIES",
    "Answer",
    "AskedModel",
    "Assignment",
    "Attempt",
    "Campaign",
    "CampaignFigures",
    "Exclusion",
    "Invitation",
    "JudgedSubmission",
    "Outcome",
    "OutsideId",
    "SealedOutcome",
    "TaughtRows",
    "TrainedWeights",
    "Unit",
    "Worker",
    "outside_digests",
]
