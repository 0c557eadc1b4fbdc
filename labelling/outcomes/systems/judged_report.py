"""What an outcome keeps of judged systems: of each, by the number that it has in the campaign, counts and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Task
from labelling.core.judged.figures import JudgedFigure
from labelling.models import JudgedSubmission, Outcome
from labelling.outcomes.purpose import CannotFinish, Settled
from labelling.units.of_systems.chosen import gives_texts

JUDGED = "judged"
"""The key of a report under which it stands."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A judged submission: `count` outputs or comparisons, `answers` about them, and its figures by the measure."""

    number: int
    count: int
    answers: int
    figures: Mapping[str, JudgedFigure]

    def as_json(self) -> dict[str, Any]:
        figures = {key: [one.value, one.low, one.high] for key, one in self.figures.items()}
        return {"number": self.number, "count": self.count, "answers": self.answers, "figures": figures}


@dataclass(frozen=True, slots=True)
class JudgedReport:
    """What came of a campaign about systems.

    drawn : what was drawn again for intervals, such as items
    because : why some figures, or their intervals, are missing
    groups : which systems are apart then, by their numbers, those that won first
    """

    rows: Sequence[JudgedRow]
    items: int
    drawn: str
    because: str = ""
    groups: Sequence[Sequence[int]] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            JUDGED: {
                "systems": [row.as_json() for row in self.rows],
                "items": self.items,
                "drawn": self.drawn,
                "because": self.because,
                "groups": [list(group) for group in self.groups],
            }
        }


def judged_in(outcome: Outcome) -> JudgedReport | None:
    """What an outcome says of systems; None where it is about none."""
    kept = outcome.report.get(JUDGED)
    if kept is None:
        return None
    rows = [
        JudgedRow(
            row["number"],
            row["count"],
            row["answers"],
            {key: JudgedFigure(*figure) for key, figure in row["figures"].items()},
        )
        for row in kept["systems"]
    ]
    return JudgedReport(rows, kept["items"], kept["drawn"], kept["because"], kept["groups"])


def judged_submissions(settled: Settled) -> list[JudgedSubmission]:
    """The submissions that the answers are about; CannotFinish where there are none."""
    found = list(settled.campaign.judged.all())
    if not found:
        raise CannotFinish(
            "The units say nothing of systems. Begin another campaign, and draw its units with “Units from systems”."
        )
    return found


def unfit_for_texts(task: Task) -> str:
    """Why what systems gave for a task cannot be read by people; empty where it can."""
    output = task.spec.output
    return (
        ""
        if gives_texts(task.spec)
        else f"{task.title} takes {output.describe()}. Choose a task whose answers are texts."
    )
