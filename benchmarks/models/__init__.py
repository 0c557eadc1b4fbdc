"""The definitions as rows: what submissions, gold labels and releases point at.

Django looks for the models of an app in this package, so each module's classes are named here.
"""

from benchmarks.models.benchmark import Attack, Benchmark, DefinitionDocument, FactList, PublishedRows, Task
from benchmarks.models.given import GivenBytes, GivenFile, GivenVersion
from benchmarks.models.items import ItemRenewal, Split, SplitIds, Texts
from benchmarks.models.phase import Phase
from benchmarks.notices.models import (
    Acceptance,
    Announcement,
    Mailing,
    ParticipantQuestion,
    Terms,
    WrittenPage,
    WrittenVersion,
)
from benchmarks.people.models import BenchmarkRole, RoleInvitation

__all__ = [
    "Acceptance",
    "Announcement",
    "Attack",
    "Benchmark",
    "BenchmarkRole",
    "DefinitionDocument",
    "FactList",
    "GivenBytes",
    "GivenFile",
    "GivenVersion",
    "ItemRenewal",
    "Mailing",
    "ParticipantQuestion",
    "Phase",
    "PublishedRows",
    "RoleInvitation",
    "Split",
    "SplitIds",
    "Task",
    "Terms",
    "Texts",
    "WrittenPage",
    "WrittenVersion",
]
