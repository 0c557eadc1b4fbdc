"""Campaigns, the work that they give to people, and what came of it."""

from labelling.models.campaign import Campaign, Invitation
from labelling.models.outcome import CampaignFigures, Outcome, SealedOutcome
from labelling.models.work import Answer, Assignment, Exclusion, OutsideId, Unit, Worker

__all__ = [
    "Answer",
    "Assignment",
    "Campaign",
    "CampaignFigures",
    "Exclusion",
    "Invitation",
    "Outcome",
    "OutsideId",
    "SealedOutcome",
    "Unit",
    "Worker",
]
