"""The kinds of answer that have a label for each token of an item."""

from catalogue.answers.tokens.entities import TokenEntities
from catalogue.answers.tokens.per_token import BETWEEN, PerToken
from catalogue.answers.tokens.plain_labels import TokenLabels

__all__ = ["BETWEEN", "PerToken", "TokenEntities", "TokenLabels"]
