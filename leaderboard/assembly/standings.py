"""From scores to standings: which submission fills which cell of the rows of a release."""

from __future__ import annotations

from scoring.disclosure.standings import (
    Answer,
    Measured,
    Place,
    Standing,
    batches_behind,
    is_higher_better,
    row_of,
    standings_by_row,
    taken_in,
)
from scoring.models import Batch

__all__ = [
    "Answer",
    "Measured",
    "Place",
    "Standing",
    "batches_behind",
    "is_higher_better",
    "standings",
    "taken_in",
]


def standings(batch: Batch) -> list[Standing]:
    """What each system of a phase, or each team, stands with after a batch, by the phase's counting rule.

    Where breakers' sets are scored, the answers for the development data are those that the phases stand with in which
    the systems were built. A system that has answered nothing else has a row all the same.
    """
    rows = standings_by_row(batch)
    for behind in batches_behind(batch):
        for built in standings_by_row(behind).values():
            for answer in built.answers.values():
                row = rows.setdefault(row_of(batch.phase, answer), Standing(answer.submission.system))
                held = row.answers.get(answer.place)
                if held is None or held.submission.received_at < answer.submission.received_at:
                    row.answers[answer.place] = answer
    return list(rows.values())
