"""Which of the judged items belong together, as the sealed gold labels of their split say."""

from collections.abc import Mapping

from labelling.outcomes.human_rows import current_gold
from labelling.outcomes.purpose import Settled
from scoring.gold.alignment import opened_version


def clusters_of(settled: Settled) -> Mapping[str, int]:
    """Of each item the number of what it belongs to; empty where each stands for itself."""
    task, gold_version = settled.campaign.task, current_gold(settled.campaign)
    if task is None or gold_version is None or not task.spec.gold.cluster_column:
        return {}
    _, gold = opened_version(gold_version.pk)
    return {} if gold.clusters is None else dict(zip(gold.ids, gold.clusters.tolist(), strict=True))


def items_in_words(belongs: Mapping[str, int]) -> str:
    """What intervals draw again."""
    return "groups of items that belong together" if belongs else "items"
