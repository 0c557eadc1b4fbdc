"""Danger: what cannot be undone, each behind a page that asks first."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.admin.organised.links import add_address, list_address
from benchmarks.models import Phase
from leaderboard.admin.home.acts import Act, HomeLinks, button_of
from leaderboard.publication.removal import CannotRemove, refuse_to_remove
from submissions.models import Submission, System
from submissions.participants import Ban


@dataclass(frozen=True, slots=True)
class Danger:
    """Lines with a button each. `is_kept_because` says why the benchmark cannot be deleted; empty where it can."""

    lines: tuple[Act, ...]
    is_kept_because: str


def danger(links: HomeLinks, phases: Sequence[Phase], now: dt.datetime) -> Danger:
    """What may be done to a benchmark at `now` that cannot be undone."""
    benchmark = links.benchmark
    lines = [
        Act(
            "Close now…",
            button_of(phase, "close_now"),
            f"Close {phase.title} now",
            "What was accepted so far is scored; you see first what follows from it.",
        )
        for phase in phases
        if phase.is_open(now)
    ]
    lines += [
        Act(
            "Disqualify…",
            links.rows(Submission),
            "Disqualify a submission",
            "Open it, or tick several. It is on no later board, with your reason in public.",
        ),
        Act(
            "Ban…",
            f"{add_address(Ban)}?benchmark={benchmark.pk}",
            "Ban a team or a person",
            "Nothing that they send is taken any more, with your reason. You can lift it.",
        ),
        Act(
            "Remove…",
            list_address(System),
            "Remove a name",
            "On the page of the system. A neutral name stands in its place on every page, with your reason.",
        ),
        *links.button(
            "open_gold",
            "Open labels…",
            "Make gold labels public",
            "Nothing can be held out again that everybody has read.",
        ),
        *links.button(
            "archive",
            "Archive…",
            f"Archive {benchmark}",
            "It takes no more files and leaves the list of benchmarks; its pages stay. You can bring it back.",
        ),
        *links.button("bring_back", "Bring back…", f"Bring {benchmark} back from the archive"),
    ]
    try:
        refuse_to_remove(benchmark)
    except CannotRemove as refused:
        return Danger(tuple(lines), str(refused))
    said = "Nobody has sent anything: tasks, phases, labels and pages go."
    lines += links.button("remove", "Delete…", f"Delete {benchmark}", said)
    return Danger(tuple(lines), "")
