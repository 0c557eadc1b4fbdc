"""Metrics for a label for each token of an item: of tokens, and of the entities that labels mark.

Gold labels and predictions are labels joined by blanks; out come numbers, `Metric`s in `METRICS`.
"""

from catalogue.metrics.tokens import of_entities, of_tokens

METRICS = (*of_tokens.METRICS, *of_entities.METRICS)
