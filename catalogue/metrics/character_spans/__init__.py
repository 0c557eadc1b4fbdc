"""Metrics of spans of characters: of the characters in them, of how far spans overlap, and of equal ones."""

from catalogue.metrics.character_spans import of_spans

METRICS = of_spans.METRICS
