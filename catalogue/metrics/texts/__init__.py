"""Metrics for a text beside one or several references: of the whole split, and means over items."""

from catalogue.answers import AnswerKind
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.texts import corpus, distances, overlap

METRICS = (*corpus.METRICS, *distances.METRICS, *overlap.METRICS)
_OTHERS: dict[str, AnyMetric] = {metric.name: metric for metric in (*corpus.OTHERS, *overlap.OTHERS)}


def text_metric(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The metric of texts with other words than usual: `bleu_tok_zh`, `rougeL_stemmed`. None where there is none."""
    found = _OTHERS.get(name)
    return found if found and type(kind) in found.kinds else None
