"""Untrusted bytes in; canonical predictions out, or problems with file, line and column. Never sees gold."""

from catalogue.problems import MAX_PROBLEMS, Problem, ProblemCode
from submissions.intake.canonical import CanonicalPredictions, ItemIds, SplitTarget, content_sha256
from submissions.intake.causes import Cause
from submissions.intake.file_read import FileRead
from submissions.intake.predictions.upload import MAX_UPLOAD_BYTES, IntakeResult, read_labels, read_upload
from submissions.intake.predictions.wanted_files import Elsewhere
from submissions.intake.problem_rules import RULES
from submissions.intake.tables.fact_sheet import FactAnswers, read_fact_sheet
from submissions.intake.tables.gold import GoldFile, GoldFiles, read_gold_file

__all__ = [
    "MAX_PROBLEMS",
    "MAX_UPLOAD_BYTES",
    "RULES",
    "CanonicalPredictions",
    "Cause",
    "Elsewhere",
    "FactAnswers",
    "FileRead",
    "GoldFile",
    "GoldFiles",
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
