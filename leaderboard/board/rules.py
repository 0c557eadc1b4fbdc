"""The rules of a phase as sentences for its board."""

from __future__ import annotations

from calendar import day_name

from benchmarks.spec import Counting, PhaseSpec

COUNTING = {
    Counting.LATEST: "A system is scored by its latest accepted submission.",
    Counting.BEST: "A system is scored by the best of its accepted submissions.",
    Counting.CHOSEN: "A team chooses which accepted submission its system is scored by.",
}


def rules(phase: PhaseSpec) -> tuple[str, ...]:
    """When the phase closes its batches, how much a team may submit, and which submission counts."""
    day = day_name[phase.weekday]
    submissions = "1 submission" if phase.quota.limit == 1 else f"{phase.quota.limit} submissions"
    published = (
        "as soon as the batch is scored" if phase.publish_automatically else "when the organiser says so"
    )
    return (
        f"Cut-off every {day} at {phase.time:%H:%M} ({phase.timezone}); the release follows {published}.",
        f"{submissions} per team between two cut-offs. A file that is refused costs nothing.",
        COUNTING[phase.counting],
    )
