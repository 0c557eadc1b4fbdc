"""A phase with its dates, limits, targets, and who sees scores when."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.spec.read_phases import MOST_SUBMISSIONS
from submissions.intake.bundles.competition import BundlePhase
from submissions.intake.bundles.proposal.drafting import Drafting
from submissions.intake.bundles.report import Fate


def phase_document(
    drafting: Drafting, phase: BundlePhase, place: int, of_tasks: Mapping[str, Sequence[tuple[str, str]]]
) -> dict[str, Any]:
    """The phase at that place of the bundle; `of_tasks` has tasks and splits for each key of a bundle's task."""
    phases = drafting.competition.phases
    closes = phase.closes or (phases[place + 1].opens if place + 1 < len(phases) else None)
    opens = phase.opens
    if opens and closes and closes <= opens:
        drafting.note(
            f"phases[{phase.id}].end",
            Fate.LEFT_OUT,
            "the phase ends before it begins",
            "Set its dates.",
        )
        closes = None
    keys = [key for key in phase.tasks if key in of_tasks] or list(of_tasks)
    places = [one for key in keys for one in of_tasks[key]]
    is_development = all(split != "test" for _, split in places)
    stated: dict[str, Any] = {"id": phase.id, "title": phase.title}
    stated |= {"opens": _written(opens)} if opens else {}
    stated |= (
        {"closes": _written(closes)}
        if closes
        else {"release": {"when": "weekly", "weekday": "monday", "time": "00:00"}}
    )
    quota = {"total": phase.total, "per_day": phase.per_day}
    stated["quota"] = {key: min(most, MOST_SUBMISSIONS) for key, most in quota.items() if most} or {
        "per_day": 5
    }
    stated["counting"] = (phase.counts or drafting.competition.counts).value
    stated["one_per_team"] = drafting.competition.one_per_team
    stated["targets"] = [{"task": task, "split": split} for task, split in places]
    stated["disclosure"] = "exact" if is_development or drafting.gold_is_public or not closes else "sealed"
    if is_development and not phase.hides_scores:
        stated["feedback"] = {"when": "immediate"}
    _tell_of_phase(drafting, phase, stated)
    return stated


def _tell_of_phase(drafting: Drafting, phase: BundlePhase, stated: Mapping[str, Any]) -> None:
    key = f"phases[{phase.id}]"
    if "closes" not in stated:
        drafting.note(
            key,
            Fate.TO_DECIDE,
            "the phase has no end, so it is scored and released every Monday",
            "Give it a closing date, if it is to end.",
        )
    elif stated["disclosure"] == "sealed":
        drafting.note(
            key,
            Fate.TO_DECIDE,
            "scores of the test set are shown when the phase closes; there, after each upload",
            "Choose another rule in `disclosure` before anything is scored.",
        )
    if not (phase.total or phase.per_day):
        drafting.note(key, Fate.TO_DECIDE, "no limit is stated; five a day were assumed", "Set `quota`.")
    if phase.total or phase.per_day:
        drafting.note(key, Fate.OTHERWISE, "limits count submissions of a team; there, of a person")


def _written(instant: dt.datetime) -> str:
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ") if instant.year >= 1000 else instant.isoformat()
