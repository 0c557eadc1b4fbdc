"""The kinds of answer that have parts: slots with texts in them, spans of characters, tuples of texts, or places."""

from catalogue.answers.structured.character_spans import CharacterSpans
from catalogue.answers.structured.place import PlaceOnEarth
from catalogue.answers.structured.slots import Frames
from catalogue.answers.structured.text_tuples import TextTuples

__all__ = ["CharacterSpans", "Frames", "PlaceOnEarth", "TextTuples"]
