"""Untrusted bytes in; canonical predictions out, or problems with file, line and column. Never sees gold."""

from __future__ import annotations

from submissions.intake.canonical import CanonicalPredictions, ItemIds, SplitTarget, content_sha256
from submissions.intake.fact_sheet import FactSheetResult, read_fact_sheet
from submissions.intake.gold import GoldFile, GoldResult, read_gold_file
from submissions.intake.problems import MAX_PROBLEMS, Problem, ProblemCode
from submissions.intake.rules import RULES
from submissions.intake.upload import MAX_UPLOAD_BYTES, IntakeResult, read_labels, read_upload

__all__ = [
    "MAX_PROBLEMS",
    "MAX_UPLOAD_BYTES",
    "RULES",
    "CanonicalPredictions",
    "FactSheetResult",
    "GoldFile",
    "GoldResult",
    "IntakeResult",
    "ItemIds",
    "Problem",
    "ProblemCode",
    "SplitTarget",
    "content_sha256",
    "read_fact_sheet",
    "read_gold_file",
    "read_labels",
    "read_upload",
]
