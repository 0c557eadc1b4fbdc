"""What came of a rehearsal beside what was expected of it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from demo.rehearsal.outcomes import Played, PlayedRow, RehearsedOutcome

CLOSE = 1e-9
ACCEPTED = ("accepted", "scored")


def as_document(played: Played) -> dict[str, Any]:
    """What came out in the form of `expected.json`."""
    return {
        "uploads": [_of_upload(outcome) for _, outcome in sorted(played.outcomes.items())],
        "boards": {name: [_of_row(row) for row in rows] for name, rows in played.boards.items()},
        "quota_left_at_the_close": played.quota_left,
        "timeline": [{"at": one.at.isoformat(), "what": one.sentence} for one in played.timeline],
    }


def as_report(played: Played, expected: Mapping[str, Any], found: Sequence[str]) -> dict[str, Any]:
    """What came out and what came out otherwise; `is_compared` where anything was expected."""
    return {**as_document(played), "is_compared": bool(expected), "differences": list(found)}


def differences(played: Played, expected: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each thing that came out otherwise; numbers are compared to 1e-9."""
    for wanted in expected.get("uploads", []):
        outcome = played.outcomes.get(wanted.get("number"))
        if outcome is None:
            yield f"upload {wanted.get('number')}: expected, but uploads.json has none of this number"
        else:
            yield from (f"upload {outcome.upload.number}: {one}" for one in _of_one(outcome, wanted))
    for name, rows in expected.get("boards", {}).items():
        yield from (f"board {name}: {one}" for one in _of_board(played.boards.get(name, []), rows))
    for name, left in expected.get("quota_left_at_the_close", {}).items():
        found = played.quota_left.get(name)
        if found != left:
            yield f"quota left of {name}: expected {left}, found {found}"


def _of_one(outcome: RehearsedOutcome, wanted: Mapping[str, Any]) -> Iterator[str]:
    is_wanted = wanted.get("outcome") in ACCEPTED
    if is_wanted != outcome.is_accepted:
        why = f" ({outcome.code}: {outcome.message})" if outcome.code else ""
        yield f"expected {wanted.get('outcome')}, found {'accepted' if outcome.is_accepted else 'refused'}{why}"
        return
    if wanted.get("phase") not in (None, outcome.phase):
        yield f"expected in the phase {wanted['phase']}, found in {outcome.phase}"
    yield from _of_scores(outcome, wanted)
    if is_wanted and wanted.get("counts", outcome.counts) != outcome.counts:
        yield f"expected {'' if wanted['counts'] else 'not '}to count, found the opposite"
    line = (wanted.get("why") or {}).get("line")
    if not is_wanted and None not in (line, outcome.line) and line != outcome.line:
        yield f"expected line {line}, found {outcome.line} ({outcome.code}: {outcome.message})"


def _of_scores(outcome: RehearsedOutcome, wanted: Mapping[str, Any]) -> Iterator[str]:
    """Numbers beside an upload are of its task, those of `scores` by task. What ended before its batch has none."""
    by_task = {f"{task} ": scores for task, scores in wanted.get("scores", {}).items()}
    if outcome.has_ended and not outcome.scores:
        return
    for about, scores in {"": wanted, **by_task}.items():
        measured = outcome.scores.get(about.strip(), {}) if about else outcome.measured
        for metric, value in scores.items():
            if metric in measured:
                if not _is_close(value, measured[metric]):
                    yield f"expected {about}{metric} {value!r}, found {measured[metric]!r}"
            elif about or isinstance(value, float):
                known = ", ".join(measured) or "nothing"
                yield f"expected {about}{metric} {value!r}; measured is {known}"


def _of_board(rows: list[PlayedRow], wanted: list[Mapping[str, Any]]) -> Iterator[str]:
    if len(rows) != len(wanted):
        yield f"expected {len(wanted)} rows, found {len(rows)}"
    left = list(rows)
    for line in wanted:
        row = max(
            (row for row in left if row.team == str(line.get("team"))),
            key=partial(_likeness, line),
            default=None,
        )
        if row is None:
            yield f"expected {line.get('team')}, who is not there"
            continue
        left.remove(row)
        if line.get("rank", row.rank) != row.rank:
            yield f"{row.team}: expected rank {line['rank']}, found {row.rank}"
        if line.get("upload", row.upload) != row.upload:
            yield f"{row.team}: expected upload {line['upload']}, found {row.upload}"
        values = [value for key, value in line.items() if isinstance(value, float) and key != "rank"]
        if values and not any(_is_close(value, row.value) for value in values):
            yield f"{row.team}: expected {values[0]!r}, found {row.value!r}"


def _likeness(line: Mapping[str, Any], row: PlayedRow) -> tuple[bool, bool, bool]:
    """How well a row answers to a line, of several rows of one team."""
    return line.get("upload") == row.upload, line.get("system") == row.system, line.get("rank") == row.rank


def _is_close(wanted: Any, found: float | None) -> bool:
    if wanted is None or found is None:
        return wanted is found
    return abs(float(wanted) - found) <= CLOSE


def _of_upload(outcome: RehearsedOutcome) -> dict[str, Any]:
    upload = outcome.upload
    refused = {
        "code": outcome.code,
        "line": outcome.line,
        "column": outcome.column,
        "message": outcome.message,
    }
    return {
        "number": upload.number,
        "sent_at": upload.sent_at.isoformat(),
        "team": upload.team,
        "task": upload.task,
        "phase": outcome.phase,
        "outcome": "scored" if outcome.is_accepted else "refused",
        **({**outcome.measured, "scores": outcome.scores} if outcome.is_accepted else {"why": refused}),
        **({"counts": outcome.counts} if outcome.is_accepted else {}),
    }


def _of_row(row: PlayedRow) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "team": row.team,
        "system": row.system,
        "value": row.value,
        "upload": row.upload,
    }
