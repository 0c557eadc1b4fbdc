"""What is evaluated: frozen dataclasses read from one YAML file per benchmark. No Django, no database."""

from benchmarks.spec.disclosure import DisclosureSpec
from benchmarks.spec.model import (
    AverageSpec,
    BenchmarkSpec,
    BundleRule,
    Counting,
    MetricUse,
    MissingTask,
    PhaseKind,
    PhaseSpec,
    ReportedRow,
    RowKind,
    SplitSpec,
    TaskSpec,
)
from benchmarks.spec.phases import HANDED_IN, taken_elsewhere, takes
from benchmarks.spec.protocol import (
    OVERALL,
    AttackSpec,
    BoardSpec,
    BreakRuleSpec,
    ColumnGroup,
    FactListSpec,
    RoundSpec,
    TrackSpec,
    column_key,
)
from catalogue.layouts import FileFormat

__all__ = [
    "HANDED_IN",
    "OVERALL",
    "AttackSpec",
    "AverageSpec",
    "BenchmarkSpec",
    "BoardSpec",
    "BreakRuleSpec",
    "BundleRule",
    "ColumnGroup",
    "Counting",
    "DisclosureSpec",
    "FactListSpec",
    "FileFormat",
    "MetricUse",
    "MissingTask",
    "PhaseKind",
    "PhaseSpec",
    "ReportedRow",
    "RoundSpec",
    "RowKind",
    "SplitSpec",
    "TaskSpec",
    "TrackSpec",
    "column_key",
    "taken_elsewhere",
    "takes",
]
