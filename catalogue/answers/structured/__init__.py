"""The kinds of answer that have parts: slots with texts in them, spans of characters, or tuples of texts."""

from catalogue.answers.structured.character_spans import CharacterSpans
from catalogue.answers.structured.slots import Frames
from catalogue.answers.structured.text_tuples import TextTuples

__all__ = ["CharacterSpans", "Frames", "TextTuples"]
