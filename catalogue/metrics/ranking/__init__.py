"""Metrics of ranked lists, as trec_eval has them."""

from catalogue.metrics.ranking.named import METRICS, ranking_metric

__all__ = ["METRICS", "ranking_metric"]
