"""The lines of a system's page as HTML, by hand: a year of releases is fifty lines on every one of its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from leaderboard.board.tables.release_summaries import HistoryView, StandingView


def standing_lines(standings: Iterable[StandingView]) -> str:
    """One `<tr>` and a line break for each column: what it is, score and rank; all text escaped."""
    return "".join(
        f'<tr><th scope="row">{_column(one)}</th>{_score(one)}{_rank(one)}</tr>\n' for one in standings
    )


def release_heads(benchmark: str, days: Mapping[int, str]) -> dict[int, str]:
    """How the line of each release begins, whoever it is about. `days` are their dates as HTML, by number."""
    return {
        number: f'<tr><th scope="row"><a href="/benchmarks/{benchmark}/releases/{number}/">Release {number}</a></th>'
        f"<td>{day}</td>"
        for number, day in days.items()
    }


def history_lines(history: Iterable[HistoryView], heads: Mapping[int, str]) -> str:
    """One `<tr>` and a line break for each release; `heads` are those of `release_heads`."""
    return "".join(
        f'{heads[line.number]}<td class="number">{line.standing.score}</td>{_rank(line.standing)}</tr>\n'
        for line in history
    )


def _column(one: StandingView) -> str:
    title = f" <small>{escape(one.title)}</small>" if one.title != one.name else ""
    submission = f" <small>submission <code>{escape(one.submission)}</code></small>" if one.submission else ""
    return escape(one.name) + title + submission


def _score(one: StandingView) -> str:
    hint = f' title="{escape(one.hint)}"' if one.hint else ""
    beside = f" {one.beside}" if one.beside else ""
    deviation = f'<small class="under">{one.deviation}</small>' if one.deviation else ""
    return f'<td class="number"{hint}>{one.score}{beside}{deviation}</td>'


def _rank(one: StandingView) -> str:
    if one.rank:
        return f'<td class="number">{one.rank} <small>of {one.of}</small></td>'
    return f'<td class="number"><small>{escape(one.hint) or "not ranked"}</small></td>'
