"""The kinds of answer that are an object of named parts."""

from catalogue.answers.structured.slots import Frames

__all__ = ["Frames"]
