"""Answers that are none of a known set: lists of documents, texts of a system's own words, and ids of clusters."""

from catalogue.answers.open_ended.cluster_id import ClusterId
from catalogue.answers.open_ended.free_text import FreeText, References
from catalogue.answers.open_ended.ranked_list import JudgedDocuments, RankedList

__all__ = ["ClusterId", "FreeText", "JudgedDocuments", "RankedList", "References"]
