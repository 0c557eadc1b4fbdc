"""Answers that are none of a known set: lists of documents, and texts of a system's own words."""

from catalogue.answers.open_ended.free_text import FreeText, References
from catalogue.answers.open_ended.ranked_list import JudgedDocuments, RankedList

__all__ = ["FreeText", "JudgedDocuments", "RankedList", "References"]
