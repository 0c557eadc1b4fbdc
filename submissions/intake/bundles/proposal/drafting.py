"""What all parts of a proposal are made of, and share."""

from collections.abc import Mapping
from dataclasses import dataclass

from submissions.intake.bundles.competition import BundleTask, Competition
from submissions.intake.bundles.parts import Reading
from submissions.intake.bundles.report import Fate


@dataclass(frozen=True, slots=True)
class ProposedGold:
    """Labels of a split as a file of the task's form, and the member of the bundle that they come from."""

    task: str
    split: str
    source: str
    item_count: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A task of ours: splits by their ids, each with the task of the bundle that has its labels."""

    id: str
    title: str
    summary: str
    splits: Mapping[str, BundleTask]


@dataclass(frozen=True, slots=True)
class Drafting:
    """A competition that was read, with its report so far."""

    reading: Reading
    competition: Competition
    gold_is_public: bool

    def note(self, key: str, outcome: Fate, why: str, what_to_do: str = "", *, line: int = 0) -> None:
        self.reading.note(key, outcome, why, what_to_do, line=line)
