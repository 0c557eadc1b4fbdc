"""A module per way to write predictions; `read` chooses. All of them yield rows and report faults of form."""

from __future__ import annotations

from submissions.intake.dialects.read import Source, rows_of

__all__ = ["Source", "rows_of"]
