"""What is evaluated: frozen dataclasses read from one YAML file per benchmark. No Django, no database."""

from benchmarks.spec.model import (
    AverageSpec,
    BenchmarkSpec,
    BundleRule,
    Counting,
    FileFormat,
    LabelSet,
    MetricUse,
    MissingTask,
    PhaseSpec,
    QuotaSpec,
    ReportedRow,
    RowKind,
    TaskSpec,
)

__all__ = [
    "AverageSpec",
    "BenchmarkSpec",
    "BundleRule",
    "Counting",
    "FileFormat",
    "LabelSet",
    "MetricUse",
    "MissingTask",
    "PhaseSpec",
    "QuotaSpec",
    "ReportedRow",
    "RowKind",
    "TaskSpec",
]
