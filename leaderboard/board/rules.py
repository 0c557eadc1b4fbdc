"""The rules of a phase as sentences for its board."""

from __future__ import annotations

from calendar import day_name

from benchmarks.spec import Counting, PhaseSpec

COUNTING = {
    Counting.LATEST: "A system is scored by its latest accepted submission.",
    Counting.BEST: "A system is scored by the best of its accepted submissions.",
    Counting.CHOSEN: "A team chooses which accepted submission its system is scored by.",
}


ONE_PER_TEAM = {
    Counting.LATEST: "A team has one row; each of its cells holds the team's latest accepted submission.",
    Counting.BEST: "A team has one row; each of its cells holds the best of the team's accepted submissions.",
    Counting.CHOSEN: "A team has one row and chooses which accepted submission counts for each of its cells.",
}


def rules(phase: PhaseSpec) -> tuple[str, ...]:
    """When the phase closes its batches, how much a team may submit, and which submission counts."""
    submissions = "1 submission" if phase.quota.limit == 1 else f"{phase.quota.limit} submissions"
    published = (
        "as soon as the batch is scored" if phase.publish_automatically else "when the organiser says so"
    )
    if phase.weekday is None:
        cut_off, between = "One cut-off, when the phase closes", "until then"
    else:
        day = day_name[phase.weekday]
        cut_off = f"Cut-off every {day} at {phase.time:%H:%M} ({phase.timezone})"
        between = "between two cut-offs"
    return (
        f"{cut_off}; the release follows {published}.",
        f"{submissions} per team {between}. A file that is refused costs nothing.",
        (ONE_PER_TEAM if phase.one_per_team else COUNTING)[phase.counting],
    )
