"""The kinds of answer that have parts: slots with texts in them, or spans of characters."""

from catalogue.answers.structured.character_spans import CharacterSpans
from catalogue.answers.structured.slots import Frames

__all__ = ["CharacterSpans", "Frames"]
