"""The admin of breakers' pairs, of the sets made of them, and of what is argued over."""

from __future__ import annotations

from breaking.admin import contests, pairs, sets, starter

__all__ = ["contests", "pairs", "sets", "starter"]
