"""Sealed gold labels, the queue, scores, and sets of items: all rows that Django keeps for scoring.

Django looks for the models of an app in this package, so each module's classes are named here.
"""

from scoring.models.gold import (
    GoldVersion,
    OpenedGold,
    OpeningOrder,
    SealedCopy,
    SealedDelivery,
    SealedLabels,
)
from scoring.models.item_sets import EquityResult, PairSet, ResponseSet
from scoring.models.queue import Batch, BatchEntry, ScoringRun, part_of
from scoring.models.scores import (
    Disclosed,
    FinalAnswer,
    JudgedAnswer,
    PairedTest,
    RunReplicates,
    Score,
    ToldAnswer,
)

__all__ = [
    "Batch",
    "BatchEntry",
    "Disclosed",
    "EquityResult",
    "FinalAnswer",
    "GoldVersion",
    "JudgedAnswer",
    "OpenedGold",
    "OpeningOrder",
    "PairSet",
    "PairedTest",
    "ResponseSet",
    "RunReplicates",
    "Score",
    "ScoringRun",
    "SealedCopy",
    "SealedDelivery",
    "SealedLabels",
    "ToldAnswer",
    "part_of",
]
