"""The admin of breakers' pairs, of the sets made of them, and of what is argued over."""

from breaking.admin import contests, files, pairs, sets, starter

__all__ = ["contests", "files", "pairs", "sets", "starter"]
