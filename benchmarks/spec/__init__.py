"""What is evaluated: frozen dataclasses read from one YAML file per benchmark. No Django, no database."""

from benchmarks.spec.files import Dialect, FileFormat
from benchmarks.spec.model import (
    AverageSpec,
    BenchmarkSpec,
    BundleRule,
    Counting,
    MetricUse,
    MissingTask,
    PhaseSpec,
    QuotaSpec,
    ReportedRow,
    RowKind,
    SplitSpec,
    TaskSpec,
)
from benchmarks.spec.outputs import (
    LABEL_WITH_CONFIDENCE,
    Answers,
    LabelSet,
    LabelSubset,
    LabelWithConfidence,
    Number,
    OrderedClasses,
    Output,
    Span,
)

__all__ = [
    "LABEL_WITH_CONFIDENCE",
    "Answers",
    "AverageSpec",
    "BenchmarkSpec",
    "BundleRule",
    "Counting",
    "Dialect",
    "FileFormat",
    "LabelSet",
    "LabelSubset",
    "LabelWithConfidence",
    "MetricUse",
    "MissingTask",
    "Number",
    "OrderedClasses",
    "Output",
    "PhaseSpec",
    "QuotaSpec",
    "ReportedRow",
    "RowKind",
    "Span",
    "SplitSpec",
    "TaskSpec",
]
